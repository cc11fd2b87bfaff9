/** Clients of the provider for a counter whose settings the command registers. */
import { callingSystem, salesUnitOf } from '../../wallets/epayment/sales-unit.ts';
import { terminalVersion } from './version.ts';
import { integratorAccess } from '../../wallets/v10/v10-access.ts';
import { type Client, clientOf } from '../../wallets/v10/typed-client.ts';
import { pointOfSaleOperations } from '../../wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../wallets/v10/v10-profile.ts';
import { systemClock } from '../../core/domain/clock.ts';
import { silentLog } from '../../core/domain/log.ts';
import { type ReadySettings } from '../settings/load.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import { salesUnitAccess } from '../../wallets/epayment/epayment-access.ts';
import { epaymentProfile } from '../../wallets/epayment/epayment-profile.ts';
import { fetchHttp } from '../../wallets/http/http.ts';
import { Transport } from '../../wallets/http/transport.ts';

/**
 * Transport with the keys of a counter's sales unit; null when it uses another service. Errors end
 * the command with a message.
 */
export function atSalesUnit({ wallet, lanes }: ReadySettings): Transport | null {
  if ('simulator' in wallet || wallet.service !== 'epayment') return null;
  const { baseUrl, keys } = salesUnitOf(wallet);
  const parts = { baseUrl, send: fetchHttp, clock: systemClock, log: silentLog };
  return new Transport({
    ...parts,
    profile: epaymentProfile,
    access: salesUnitAccess({ ...parts, keys, system: callingSystem(lanes, terminalVersion) }),
  });
}

/** @throws SettingsError unless the counter uses the point-of-sale interface */
export function pointOfSaleClient({ wallet }: ReadySettings): Client<typeof pointOfSaleOperations> {
  if ('simulator' in wallet)
    throw new SettingsError([
      '--counter: must name settings with a provider, not with the embedded simulator',
    ]);
  if (wallet.service === 'epayment')
    throw new SettingsError([
      '--counter: must name settings with the point-of-sale interface; ePayment has no aliases',
    ]);
  const { baseUrl, authUrl, profile: name, tokenFor, ...credentials } = wallet;
  const network = { profile: profileNamed(name), send: fetchHttp, clock: systemClock };
  const access = integratorAccess({
    ...network,
    authUrl,
    credentials,
    tokenFor,
    clientVersion: terminalVersion,
  });
  return clientOf(
    new Transport({ ...network, baseUrl, access, log: silentLog }),
    pointOfSaleOperations,
  );
}
