/**
 * Authentication of callbacks: the three ways of document 1, "Authentication", item 3, and the
 * signatures of webhooks (document 4, section 4; document 5, section 4.3).
 */
import type { IncomingHttpHeaders } from 'node:http';
import { signatureProblem } from '../epayment/webhooks/webhook-message.ts';
import { webhookSigner } from '../v10/app-payments/webhook.ts';
import {
  basicOf,
  bearerOf,
  type Credential,
  digestOf,
  placeAmong,
  type SignedWebhook,
  sameSecret,
} from './credentials.ts';
import type { Admission } from './endpoints.ts';
import type { TokenIssuer } from './token-endpoint.ts';

export interface Guard {
  /** Judges by the headers alone, before the body is read; `maybe`: the body decides. */
  byHeaders(headers: IncomingHttpHeaders): 'yes' | 'no' | 'maybe';
  /** Decides after `maybe`. */
  byBody(headers: IncomingHttpHeaders, body: Uint8Array): boolean;
}

/** @param signatureHeader in lower case */
export function guardOf(
  admission: Admission,
  {
    tokens,
    signatureHeader,
    wallMs,
  }: { tokens: TokenIssuer; signatureHeader: string; wallMs: () => number },
): Guard {
  switch (admission.by) {
    case 'header':
      return { byHeaders: headerCheck(admission.credentials, tokens), byBody: () => false };
    case 'signature':
      return {
        byHeaders: (headers) => (signatureIn(headers[signatureHeader]) === null ? 'no' : 'maybe'),
        byBody: (headers, body) =>
          isSigned(signatureIn(headers[signatureHeader]) ?? '', body, admission.webhooks),
      };
    case 'datedSignature':
      return {
        // What the date and the signature are of, the body tells.
        byHeaders: ({ 'x-ms-date': date }) => (date === undefined ? 'no' : 'maybe'),
        byBody: (headers, body) =>
          admission.webhooks
            .map(({ url, secret }) =>
              signatureProblem({ headers, body }, { secret, registered: url, nowMs: wallMs() }),
            )
            .includes(null),
      };
    case 'nothing':
      return { byHeaders: () => 'maybe', byBody: () => true };
  }
}

/**
 * Digests are made once, and a token names its client: with a thousand credentials a refusal costs
 * little more than with one.
 */
function headerCheck(credentials: readonly Credential[], tokens: TokenIssuer): Guard['byHeaders'] {
  const basics = credentials
    .filter((one) => one.scheme === 'basic')
    .map(({ userName, password }) => digestOf(`${userName}:${password}`));
  const apiKeys = credentials
    .filter((one) => one.scheme === 'apiKey')
    .map(({ apiKey }) => digestOf(apiKey));
  const clients = credentials.filter((one) => one.scheme === 'oauth2');
  return ({ authorization }) => {
    if (authorization === undefined) return 'no';
    const hasBasic = placeAmong(basicOf(authorization) ?? '', basics) !== -1;
    const hasApiKey = placeAmong(authorization.trim(), apiKeys) !== -1;
    const holder = tokens.holder(bearerOf(authorization) ?? '');
    const hasToken =
      holder !== null &&
      clients.some(
        ({ clientId, clientSecret }) =>
          clientId === holder.clientId && clientSecret === holder.clientSecret,
      );
    return hasBasic || hasApiKey || hasToken ? 'yes' : 'no';
  };
}

/** null where the header cannot be a signature. */
function signatureIn(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && /^\s*[A-Za-z\d+/]{27}=\s*$/.test(header)
    ? header.trim()
    : null;
}

/** Whether the body, as it arrived, was signed with the key of one of `webhooks`. */
function isSigned(
  signature: string,
  body: Uint8Array,
  webhooks: readonly SignedWebhook[],
): boolean {
  const sign = webhookSigner(new TextDecoder().decode(body));
  return webhooks
    .map(({ url, signatureKey }) => sameSecret(signature, sign(signatureKey, url)))
    .includes(true);
}
