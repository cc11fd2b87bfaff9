import type { Clock } from '../../domain/clock.ts';
import type { HttpSend } from './http.ts';
import { headerNames, type Profile } from './profile.ts';
import { type ClientCredentials, TokenSource } from './token.ts';

/** How requests show whose they are. */
export interface Access {
  /** For the log: whose requests they are. */
  readonly about: Readonly<Record<string, string>>;
  /** @throws CredentialsRefusedError, ServiceUnreachableError, UnexpectedAnswerError of a token endpoint */
  headers(): Promise<Readonly<Record<string, string>>>;
  /** The service said 401 to these headers. True when newer ones can be had, so that asking once more makes sense. */
  refused(headers: Readonly<Record<string, string>>): boolean;
}

export interface IntegratorAccessOptions {
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
  /** `merchant`: the token is usable for this merchant only. `integrator`: one token for all, and the VAT header says for whom (document 2, "Authentication"). */
  readonly tokenFor?: 'merchant' | 'integrator';
  /** `Major.Minor.Build` of the certified client. */
  readonly clientVersion: string;
  readonly profile: Profile;
  readonly send: HttpSend;
  readonly clock: Clock;
}

/** The point-of-sale interface: a token of the token endpoint, and the headers that every call carries. */
export function integratorAccess({ authUrl, credentials, tokenFor = 'merchant', clientVersion, profile, send, clock }: IntegratorAccessOptions): Access {
  const names = headerNames(profile);
  const tokens = new TokenSource({ url: authUrl.replace(/\/+$/, '') + profile.tokenPath, credentials, tokenFor, send, clock });
  // The VAT header is harmless beside a token that names the merchant (document 4, section 1.12).
  const fixed = { [names.clientVersion]: clientVersion, [names.merchantVat]: credentials.merchantVat };
  return {
    about: { merchantVat: credentials.merchantVat },
    headers: async () => ({ ...fixed, authorization: `Bearer ${await tokens.get()}` }),
    refused({ authorization = '' }) {
      tokens.refused(authorization.slice('Bearer '.length));
      return true;
    },
  };
}

/**
 * App payments, subscriptions, reporting and invoice: the merchant's API key, or an access token that somebody else keeps fresh
 * (document 4, sections 3.5, 4 and 5).
 * @param token asked before every request, and once more after a 401
 */
export function merchantAccess(token: string | (() => Promise<string>)): Access {
  return {
    about: {},
    headers: async () => ({ authorization: `Bearer ${typeof token === 'string' ? token : await token()}` }),
    refused: () => typeof token !== 'string',
  };
}
