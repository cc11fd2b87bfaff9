import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import type { Access } from '../http/access.ts';
import { CredentialsRefusedError, ServiceRefusedError } from '../http/errors.ts';
import type { HttpSend } from '../http/http.ts';
import { type IssuedToken, TokenCache } from '../http/token-cache.ts';
import { Transport } from '../http/transport.ts';
import { getAccessToken } from './access-token.ts';
import { epaymentProfile } from './epayment-profile.ts';

/**
 * Keys of one sales unit in one environment (document 5, section 1.4). Partner keys open every
 * sales unit of a partner, and are never used at a counter.
 */
export interface SalesUnitKeys {
  readonly clientId: string;
  readonly clientSecret: string;
  /** One or two, interchangeable: while one is being replaced, the other is used. */
  readonly subscriptionKeys: readonly [string, ...string[]];
  /** Merchant serial number. */
  readonly msn: string;
}

/**
 * Identifies this program to the service's support (document 5, section 1.3). Each text is cut to
 * 30 characters.
 */
export interface CallingSystem {
  readonly name: string;
  readonly version: string;
  /** The module that asks: the interface of the till. */
  readonly pluginName: string;
  readonly pluginVersion: string;
}

export interface SalesUnitAccessOptions {
  readonly baseUrl: string;
  readonly keys: SalesUnitKeys;
  readonly system: CallingSystem;
  readonly send: HttpSend;
  readonly clock: Clock;
  readonly log: Log;
}

const maxCharacters = 30;

/**
 * The token of a sales unit, and the headers that every call carries (document 5, sections 1.2 and
 * 1.3).
 */
export function salesUnitAccess({
  baseUrl,
  keys,
  system,
  send,
  clock,
  log,
}: SalesUnitAccessOptions): Access {
  const { clientId, clientSecret, subscriptionKeys, msn } = keys;
  let inUse = 0;
  const fixed = {
    'merchant-serial-number': msn,
    'vipps-system-name': system.name.slice(0, maxCharacters),
    'vipps-system-version': system.version.slice(0, maxCharacters),
    'vipps-system-plugin-name': system.pluginName.slice(0, maxCharacters),
    'vipps-system-plugin-version': system.pluginVersion.slice(0, maxCharacters),
  };
  const subscription = () => ({
    'ocp-apim-subscription-key': subscriptionKeys[inUse % subscriptionKeys.length] ?? '',
  });
  const tokenHeaders = () => ({
    ...fixed,
    ...subscription(),
    client_id: clientId,
    client_secret: clientSecret,
  });
  const about = { msn };
  const tryOther = (): boolean => {
    inUse += 1;
    return subscriptionKeys.length > 1;
  };
  const withKeys: Access = { about, headers: async () => tokenHeaders(), refused: tryOther };
  const transport = new Transport({
    baseUrl,
    access: withKeys,
    profile: epaymentProfile,
    send,
    clock,
    log,
  });

  async function fetchToken(): Promise<IssuedToken> {
    try {
      const { access_token: token, expires_in } = await transport.call(
        getAccessToken,
        {},
        { maxAttempts: 1 },
      );
      return { token, lifeSeconds: Number(expires_in) };
    } catch (error) {
      // Wrong, or of the other environment: 400 as well as 401.
      if (error instanceof ServiceRefusedError)
        throw new CredentialsRefusedError(getAccessToken.name, error.status);
      throw error;
    }
  }

  const tokens = new TokenCache({ clock, fetch: fetchToken, isRenewedBehind: true });
  return {
    about,
    headers: async () => ({
      ...fixed,
      authorization: `Bearer ${await tokens.get()}`,
      ...subscription(),
    }),
    refused({ authorization = '' }) {
      tokens.refused(authorization.slice('Bearer '.length));
      // Either may have been what was refused.
      tryOther();
      return true;
    },
  };
}
