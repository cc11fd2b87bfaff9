/** Our own token endpoint: the service fetches here what it then shows with every callback (document 1, "Authentication", item 3; RFC 6749, section 4.4). */
import { createHmac } from 'node:crypto';
import type { Clock } from '../../primitives/clock.ts';
import type { Ids } from '../../primitives/ids.ts';
import { basicOf, type OAuthClient, sameSecret } from './credentials.ts';

export interface TokenAnswer {
  readonly status: 200 | 400 | 401;
  /** null: a wrong secret is told nothing. */
  readonly body: object | null;
}

export interface TokenOffice {
  issue(authorization: string | undefined, form: string): TokenAnswer;
  isValid(token: string, client: OAuthClient): boolean;
}

const lifetimeSeconds = 3_600;

/**
 * Tokens carry their own end and a seal made with the client's secret: nothing is stored, a restart forgets none, and a new secret ends all
 * that were issued under the old one.
 */
export function tokenOffice(clients: readonly OAuthClient[], { clock, ids }: { clock: Clock; ids: Ids }): TokenOffice {
  const seal = (content: string, { clientId, clientSecret }: OAuthClient): string =>
    createHmac('sha256', clientSecret).update(`callback token\n${clientId}\n${content}`).digest('base64url');
  const nowSeconds = (): number => Math.floor(clock.wallMs() / 1000);
  const refuse = (error: string): TokenAnswer => ({ status: 400, body: { error } });
  return {
    issue(authorization, form) {
      const client = clientIn(authorization, clients);
      if (client === null) return { status: 401, body: null };
      const grants = new URLSearchParams(form).getAll('grant_type');
      if (grants.length !== 1) return refuse('invalid_request');
      if (grants[0] !== 'client_credentials') return refuse('unsupported_grant_type');
      const content = `${nowSeconds() + lifetimeSeconds}.${ids.uuid()}`;
      return { status: 200, body: { access_token: `${content}.${seal(content, client)}`, token_type: 'Bearer', expires_in: lifetimeSeconds } };
    },
    isValid(token, client) {
      const [end = '', id = '', given = ''] = token.split('.', 3);
      const genuine = sameSecret(given, seal(`${end}.${id}`, client)) && token === `${end}.${id}.${given}`;
      return genuine && Number(end) > nowSeconds();
    },
  };
}

/** RFC 6749, section 2.3.1, has both halves form-encoded before they are joined; many senders do not: both are taken. */
function clientIn(authorization: string | undefined, clients: readonly OAuthClient[]): OAuthClient | null {
  const given = basicOf(authorization ?? '');
  if (given === null) return null;
  const fits = clients.map(({ clientId, clientSecret }) => {
    const plain = sameSecret(given, `${clientId}:${clientSecret}`);
    const encoded = sameSecret(given, `${formEncoded(clientId)}:${formEncoded(clientSecret)}`);
    return plain || encoded;
  });
  return clients[fits.indexOf(true)] ?? null;
}

const formEncoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice('='.length);
