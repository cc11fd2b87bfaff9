import type { Clock } from '../../core/domain/clock.ts';
import type { Access } from '../http/access.ts';
import type { HttpSend } from '../http/http.ts';
import { headerNames, type Profile } from './v10-profile.ts';
import { type ClientCredentials, TokenSource } from './v10-token.ts';

export interface IntegratorAccessOptions {
  readonly authUrl: string;
  readonly credentials: ClientCredentials;
  /**
   * `merchant`: the token is usable for this merchant only. `integrator`: one token for all, and
   * the VAT header says for whom (document 2, "Authentication").
   */
  readonly tokenFor?: 'merchant' | 'integrator';
  /** `Major.Minor.Build` of the certified client. */
  readonly clientVersion: string;
  readonly profile: Profile;
  readonly send: HttpSend;
  readonly clock: Clock;
}

/**
 * The point-of-sale interface: a token of the token endpoint, and the headers that every call
 * carries.
 */
export function integratorAccess({
  authUrl,
  credentials,
  tokenFor = 'merchant',
  clientVersion,
  profile,
  send,
  clock,
}: IntegratorAccessOptions): Access {
  const names = headerNames(profile);
  const tokens = new TokenSource({
    url: authUrl.replace(/\/+$/, '') + profile.tokenPath,
    credentials,
    tokenFor,
    send,
    clock,
  });
  // The VAT header is harmless beside a token that names the merchant (document 4, section 1.12).
  const fixed = {
    [names.clientVersion]: clientVersion,
    [names.merchantVat]: credentials.merchantVat,
  };
  return {
    about: { merchantVat: credentials.merchantVat },
    headers: async () => ({ ...fixed, authorization: `Bearer ${await tokens.get()}` }),
    refused({ authorization = '' }) {
      tokens.refused(authorization.slice('Bearer '.length));
      return true;
    },
  };
}
