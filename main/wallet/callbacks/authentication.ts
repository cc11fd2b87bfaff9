/** Who may call: the three ways of document 1, "Authentication", item 3, and the signature of webhooks (document 4, section 4). */
import type { IncomingHttpHeaders } from 'node:http';
import { webhookSigner } from '../app-payments/webhook.ts';
import { basicOf, bearerOf, type Credential, digestOf, placeAmong, type SignedWebhook, sameSecret } from './credentials.ts';
import type { Admission } from './endpoints.ts';
import type { TokenOffice } from './token-endpoint.ts';

export interface Guard {
  /** Whether the sender may go on, as far as its headers show: asked before the body is read. */
  mayGoOn(headers: IncomingHttpHeaders): boolean;
  /** Whether what it sent may be taken. */
  mayEnter(headers: IncomingHttpHeaders, body: Uint8Array): boolean;
}

/** @param signatureHeader in lower case */
export function guardOf(admission: Admission, { tokens, signatureHeader }: { tokens: TokenOffice; signatureHeader: string }): Guard {
  switch (admission.by) {
    case 'header':
      return { mayGoOn: headerCheck(admission.credentials, tokens), mayEnter: () => true };
    case 'signature':
      return {
        mayGoOn: (headers) => signatureIn(headers[signatureHeader]) !== null,
        mayEnter: (headers, body) => isSigned(signatureIn(headers[signatureHeader]) ?? '', body, admission.webhooks),
      };
    case 'nothing':
      return { mayGoOn: () => true, mayEnter: () => true };
  }
}

/** Digests are made once, and a token says whose it is: with a thousand credentials a refusal costs little more than with one. */
function headerCheck(credentials: readonly Credential[], tokens: TokenOffice): Guard['mayGoOn'] {
  const basics = credentials.filter((one) => one.scheme === 'basic').map(({ userName, password }) => digestOf(`${userName}:${password}`));
  const apiKeys = credentials.filter((one) => one.scheme === 'apiKey').map(({ apiKey }) => digestOf(apiKey));
  const clients = credentials.filter((one) => one.scheme === 'oauth2');
  return ({ authorization }) => {
    if (authorization === undefined) return false;
    const hasBasic = placeAmong(basicOf(authorization) ?? '', basics) !== -1;
    const hasApiKey = placeAmong(authorization.trim(), apiKeys) !== -1;
    const holder = tokens.holder(bearerOf(authorization) ?? '');
    const hasToken = holder !== null && clients.some(({ clientId, clientSecret }) => clientId === holder.clientId && clientSecret === holder.clientSecret);
    return hasBasic || hasApiKey || hasToken;
  };
}

/** null: it cannot be one. */
function signatureIn(header: string | readonly string[] | undefined): string | null {
  return typeof header === 'string' && /^\s*[A-Za-z\d+/]{27}=\s*$/.test(header) ? header.trim() : null;
}

/** Whether the body, as it arrived, was signed with the key of one of `webhooks`. */
function isSigned(signature: string, body: Uint8Array, webhooks: readonly SignedWebhook[]): boolean {
  const sign = webhookSigner(new TextDecoder().decode(body));
  return webhooks.map(({ url, signatureKey }) => sameSecret(signature, sign(signatureKey, url))).includes(true);
}
