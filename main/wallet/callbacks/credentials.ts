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
  /** As the service's record of the webhook has it: part of what is signed. */
  readonly url: string;
  readonly signatureKey: string;
}

/** Takes equally long wherever the two differ, and however long they are. */
export function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}

/** What stands after the scheme's name, which may be written in any case (RFC 9110, section 11.1); null where it is another scheme. */
function afterScheme(authorization: string, scheme: string): string | null {
  const start = authorization.slice(0, scheme.length + 1);
  return start.toLowerCase() === `${scheme} ` ? authorization.slice(scheme.length + 1).trim() : null;
}

export function bearerOf(authorization: string): string | null {
  return afterScheme(authorization, 'bearer');
}

/** `user:password` of a Basic header; null where it is none. */
export function basicOf(authorization: string): string | null {
  const encoded = afterScheme(authorization, 'basic');
  return encoded === null ? null : Buffer.from(encoded, 'base64').toString('utf8');
}
