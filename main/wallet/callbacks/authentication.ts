/** Who may call: the three ways of document 1, "Authentication", item 3, and the signature of webhooks (document 4, section 4). */
import { webhookSignature } from '../app-payments/webhook.ts';
import { basicOf, bearerOf, type Credential, type SignedWebhook, sameSecret } from './credentials.ts';
import type { TokenOffice } from './token-endpoint.ts';

/** Whether one of `credentials` is in the header. All are compared, so that the time does not tell which was close. */
export function isAuthorized(authorization: string | undefined, credentials: readonly Credential[], tokens: TokenOffice): boolean {
  if (authorization === undefined) return false;
  const basic = basicOf(authorization) ?? '';
  const bearer = bearerOf(authorization) ?? '';
  const fits = credentials.map((credential): boolean => {
    switch (credential.scheme) {
      case 'basic':
        return sameSecret(basic, `${credential.userName}:${credential.password}`);
      case 'apiKey':
        return sameSecret(authorization.trim(), credential.apiKey);
      case 'oauth2':
        return tokens.isValid(bearer, credential);
    }
  });
  return fits.includes(true);
}

/** Whether the body, as it arrived, was signed with the key of one of `webhooks`. */
export function isSigned(signature: string | undefined, body: Uint8Array, webhooks: readonly SignedWebhook[]): boolean {
  if (signature === undefined) return false;
  const text = new TextDecoder().decode(body);
  return webhooks.map(({ url, signatureKey }) => sameSecret(signature.trim(), webhookSignature(signatureKey, url, text))).includes(true);
}
