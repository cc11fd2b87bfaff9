/**
 * Shows to which notification service check-ins go: by the alias that a point of sale has since its
 * creation (document 4, section 1.14).
 */
import { systemClock } from '../../../core/domain/clock.ts';
import { silentLog } from '../../../core/domain/log.ts';
import { outsideText } from '../../../core/domain/outside-text.ts';
import { type ReadySettings, SettingsError } from '../../../settings/load.ts';
import { fetchHttp } from '../../http/http.ts';
import { Transport } from '../../http/transport.ts';
import { integratorAccess } from '../../v10/access.ts';
import { clientOf } from '../../v10/client.ts';
import { pointOfSaleOperations } from '../../v10/point-of-sale/operations.ts';
import { profileNamed } from '../../v10/profile.ts';

/**
 * Prints the alias of each lane's point of sale. Changes nothing.
 * @param counter settings of a counter
 * @param clientVersion the certified version of the client
 * @throws SettingsError, WalletError
 */
export async function sayCheckInAliases(
  counter: ReadySettings,
  clientVersion: string,
  say: (line: string) => void,
): Promise<void> {
  const { wallet, lanes } = counter;
  if ('simulator' in wallet)
    throw new SettingsError([
      '--counter: must name settings with a wallet service of its own, not the embedded simulator',
    ]);
  if (wallet.service === 'epayment')
    throw new SettingsError([
      '--counter: must name settings with the point-of-sale interface, which has aliases',
    ]);
  const { baseUrl, authUrl, profile: name, tokenFor, ...credentials } = wallet;
  const network = { profile: profileNamed(name), send: fetchHttp, clock: systemClock };
  const access = integratorAccess({ ...network, authUrl, credentials, tokenFor, clientVersion });
  const client = clientOf(
    new Transport({ ...network, baseUrl, access, log: silentLog }),
    pointOfSaleOperations,
  );
  for (const { id, name: laneName, pointOfSale } of lanes) {
    const { posIds } = await client.listPointsOfSale({
      query: { merchantPosId: pointOfSale.merchantPosId },
    });
    const aliases = await Promise.all(
      posIds.map(async (posId) => (await client.getPointOfSale({ posId })).callbackAlias),
    );
    const words = aliases.map((alias) =>
      alias == null || alias === ''
        ? 'no callbackAlias: the service tells nobody of check-ins'
        : `callbackAlias ${outsideText(alias)}`,
    );
    say(
      `  check-ins, lane ${id} (${outsideText(laneName)}): ${words.join(', ') || 'no point of sale at the service yet'}`,
    );
  }
}
