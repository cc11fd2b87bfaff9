import { silentLog } from '../../core/domain/log.ts';
import { Transport } from '../http/transport.ts';
import type {
  LaneAtProvider,
  OpenedProvider,
  ProviderNetwork,
  WithSecrets,
} from '../wallet-provider.ts';
import { integratorAccess } from './v10-access.ts';
import { createPointOfSaleClient } from './point-of-sale/point-of-sale-client.ts';
import { createMerchantPayments } from './point-of-sale/point-of-sale-merchant-payments.ts';
import { readPointOfSalePresence } from './point-of-sale/point-of-sale-presence.ts';
import type { PointOfSaleSettings } from './point-of-sale/point-of-sale-settings.ts';
import { profileNamed } from './v10-profile.ts';
import type { V10Settings } from './v10-settings.ts';

/** The point-of-sale interface with the keys of one merchant. */
export function openV10(
  {
    baseUrl,
    authUrl,
    profile: profileName,
    tokenFor,
    clientId,
    clientSecret,
    merchantVat,
  }: WithSecrets<V10Settings>,
  { send, observe, clock, ids, log, clientVersion, recreations }: ProviderNetwork,
): OpenedProvider {
  const profile = profileNamed(profileName);
  const network = { profile, send, clock };
  const credentials = { clientId, clientSecret, merchantVat };
  const access = integratorAccess({ ...network, authUrl, credentials, tokenFor, clientVersion });
  const parts = { ...network, baseUrl, access, ...(observe !== undefined && { observe }) };
  const transport = new Transport({ ...parts, log });
  const presence = new Transport({ ...parts, log: silentLog });
  return {
    name: 'v10',
    counterOf({ id, pointOfSale, restrictions, merchantPaymentLabel }) {
      const settings = atStore(pointOfSale);
      const client = createPointOfSaleClient({
        transport,
        profile,
        settings,
        payments: { restrictions, merchantPaymentLabel },
        clock,
        ids,
        log: log.child({ lane: id }),
      });
      const { merchantPosId } = settings;
      return recreations?.around(client, { transport, profile, merchantPosId }) ?? client;
    },
    isThere: ({ pointOfSale }, signal) =>
      readPointOfSalePresence(presence, pointOfSale.merchantPosId, signal),
    merchantPayments: createMerchantPayments({ transport, profile, clock }),
  };
}

/** @throws Error without a store: settings with this provider are checked for it */
function atStore({ storeId, ...pointOfSale }: LaneAtProvider['pointOfSale']): PointOfSaleSettings {
  if (storeId === undefined)
    throw new Error(`pointOfSale.storeId of ${pointOfSale.merchantPosId} is missing`);
  return { ...pointOfSale, storeId };
}
