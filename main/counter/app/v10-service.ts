import { atStore } from '../settings/schema.ts';
import { silentLog } from '../../core/domain/log.ts';
import { Transport } from '../../wallets/http/transport.ts';
import { integratorAccess, type IntegratorAccessOptions } from '../../wallets/v10/access.ts';
import { createPointOfSaleClient } from '../../wallets/v10/point-of-sale/client.ts';
import { createMerchantPayments } from '../../wallets/v10/point-of-sale/merchant-payments.ts';
import { readPresence } from '../../wallets/v10/point-of-sale/presence.ts';
import type { Recreations } from '../setup/recreation.ts';
import type { OpenedService, ServiceNetwork } from './opened-service.ts';
import { terminalVersion } from './version.ts';

type Service = Pick<IntegratorAccessOptions, 'authUrl' | 'credentials' | 'profile' | 'tokenFor'> & {
  readonly baseUrl: string;
};

/**
 * The point-of-sale interface, version 10. @param recreations points of sale that are to be created
 * anew, or null
 */
export function v10Service(
  { baseUrl, profile, ...about }: Service,
  { send, observe, ...system }: ServiceNetwork,
  recreations: Recreations | null,
): OpenedService {
  const { clock, ids, log } = system;
  const network = { profile, send, clock };
  const access = integratorAccess({ ...network, ...about, clientVersion: terminalVersion });
  const parts = { ...network, baseUrl, access, ...(observe !== undefined && { observe }) };
  const transport = new Transport({ ...parts, log });
  const presence = new Transport({ ...parts, log: silentLog });
  return {
    name: 'v10',
    counterOf({ id, pointOfSale, restrictions, merchantPaymentLabel }) {
      const settings = atStore(pointOfSale);
      const payments = { restrictions, merchantPaymentLabel };
      const client = createPointOfSaleClient({
        transport,
        profile,
        settings,
        payments,
        clock,
        ids,
        log: log.child({ lane: id }),
      });
      return (
        recreations?.around(client, {
          transport,
          profile,
          merchantPosId: settings.merchantPosId,
        }) ?? client
      );
    },
    isThere: ({ pointOfSale }, signal) => readPresence(presence, pointOfSale.merchantPosId, signal),
    merchantPayments: createMerchantPayments({ transport, profile, clock }),
  };
}
