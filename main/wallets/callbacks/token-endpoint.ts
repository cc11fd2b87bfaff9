/**
 * Our own token endpoint: the service fetches here what it then shows with every callback (document
 * 1, "Authentication", item 3; RFC 6749, section 4.4).
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../core/domain/clock.ts';
import type { Ids } from '../../core/domain/ids.ts';
import { basicOf, digestOf, type OAuthClient, placeAmong, sameSecret } from './credentials.ts';

export interface TokenAnswer {
  readonly status: 200 | 400;
  readonly body: object;
}

export interface TokenIssuer {
  /** Returns the client whose credentials are in the header; null for wrong ones. */
  client(authorization: string | undefined): OAuthClient | null;
  issue(client: OAuthClient, form: string): TokenAnswer;
  /** The client to whom the token was issued; null where it was not issued here, or has expired. */
  holder(token: string): OAuthClient | null;
}

const lifetimeSeconds = 3_600;

/**
 * Tokens carry their client, their end and a seal made with the client's secret: nothing is stored,
 * a restart forgets none, and a new secret ends all that were issued under the old one.
 */
export function tokenIssuer(
  clients: readonly OAuthClient[],
  { clock, ids }: { clock: Clock; ids: Ids },
): TokenIssuer {
  // RFC 6749, section 2.3.1, has both halves form-encoded before they are joined; many senders do
  // not: both are taken.
  const plain = clients.map(({ clientId, clientSecret }) =>
    digestOf(`${clientId}:${clientSecret}`),
  );
  const encoded = clients.map(({ clientId, clientSecret }) =>
    digestOf(`${formEncoded(clientId)}:${formEncoded(clientSecret)}`),
  );
  const byName = Map.groupBy(clients, nameOf);
  const seal = (content: string, { clientId, clientSecret }: OAuthClient): string =>
    createHmac('sha256', clientSecret)
      .update(`callback token\n${clientId}\n${content}`)
      .digest('base64url');
  const nowSeconds = (): number => Math.floor(clock.wallMs() / 1000);
  const refuse = (error: string): TokenAnswer => ({ status: 400, body: { error } });
  return {
    client(authorization) {
      const credentials = basicOf(authorization ?? '') ?? '';
      return (
        clients[Math.max(placeAmong(credentials, plain), placeAmong(credentials, encoded))] ?? null
      );
    },
    issue(client, form) {
      const grants = new URLSearchParams(form).getAll('grant_type');
      if (grants.length !== 1) return refuse('invalid_request');
      if (grants[0] !== 'client_credentials') return refuse('unsupported_grant_type');
      const content = `${nowSeconds() + lifetimeSeconds}.${ids.uuid()}`;
      const token = `${nameOf(client)}.${content}.${seal(content, client)}`;
      return {
        status: 200,
        body: { access_token: token, token_type: 'Bearer', expires_in: lifetimeSeconds },
      };
    },
    holder(token) {
      const [name = '', end = '', id = '', given = '', ...more] = token.split('.');
      if (more.length > 0 || !(Number(end) > nowSeconds())) return null;
      return (
        byName.get(name)?.find((client) => sameSecret(given, seal(`${end}.${id}`, client))) ?? null
      );
    },
  };
}

const nameOf = ({ clientId }: OAuthClient): string => Buffer.from(clientId).toString('base64url');
const formEncoded = (text: string): string =>
  new URLSearchParams({ '': text }).toString().slice('='.length);
