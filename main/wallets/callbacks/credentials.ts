/** The kinds of secrets, how they stand in an Authorization header, and how two are compared. */
import { hash, timingSafeEqual } from 'node:crypto';

export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type Credential =
  | { readonly scheme: 'basic'; readonly userName: string; readonly password: string }
  | { readonly scheme: 'apiKey'; readonly apiKey: string }
  | ({ readonly scheme: 'oauth2' } & OAuthClient);

export interface SignedWebhook {
  /** The address as the service's record of the webhook has it; it is part of what is signed. */
  readonly url: string;
  readonly signatureKey: string;
}

/**
 * A webhook of the ePayment service. `url` is the address as it was registered; it is part of what
 * is signed.
 */
export interface DatedWebhook {
  readonly url: string;
  readonly secret: string;
}

/** The digest of a secret. Digests are compared instead, because they all have one length. */
export const digestOf = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/**
 * Takes equally long wherever they differ, and whichever it is: all are compared. @returns its
 * place; -1: none of them
 */
export function placeAmong(secret: string, expected: readonly Buffer[]): number {
  const digest = digestOf(secret);
  return expected.map((one) => timingSafeEqual(digest, one)).indexOf(true);
}

export function sameSecret(secret: string, expected: string): boolean {
  return placeAmong(secret, [digestOf(expected)]) === 0;
}

/**
 * What stands after the scheme's name, which may be written in any case (RFC 9110, section 11.1);
 * null where it is another scheme.
 */
function afterScheme(authorization: string, scheme: string): string | null {
  const start = authorization.slice(0, scheme.length + 1);
  return start.toLowerCase() === `${scheme} `
    ? authorization.slice(scheme.length + 1).trim()
    : null;
}

export function bearerOf(authorization: string): string | null {
  return afterScheme(authorization, 'bearer');
}

/** Returns `user:password` of a Basic header; null for a header of another scheme. */
export function basicOf(authorization: string): string | null {
  const encoded = afterScheme(authorization, 'basic');
  return encoded === null ? null : Buffer.from(encoded, 'base64').toString('utf8');
}
