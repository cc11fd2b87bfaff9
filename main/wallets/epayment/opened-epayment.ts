import { silentLog } from '../../core/domain/log.ts';
import { stickerId } from '../../core/domain/stickers.ts';
import { Transport } from '../http/transport.ts';
import type {
  LaneAtProvider,
  OpenedProvider,
  ProviderNetwork,
  ShopAtProvider,
  WithSecrets,
} from '../wallet-provider.ts';
import { salesUnitAccess } from './epayment-access.ts';
import type { EpaymentSettings } from './epayment-settings.ts';
import { createEpaymentClient } from './point-of-sale/epayment-client.ts';
import { createMerchantPayments } from './point-of-sale/epayment-merchant-payments.ts';
import { readEpaymentPresence } from './point-of-sale/epayment-presence.ts';
import { endSticker } from './point-of-sale/sticker.ts';
import { epaymentProfile } from './epayment-profile.ts';
import { callingSystem, salesUnitOf } from './sales-unit.ts';

/** The ePayment interface, with the keys of one sales unit. */
export function openEpayment(
  salesUnit: WithSecrets<EpaymentSettings>,
  { send, observe, clock, log, clientVersion }: ProviderNetwork,
  { shop, lanes }: ShopAtProvider,
): OpenedProvider {
  const { baseUrl, keys } = salesUnitOf(salesUnit);
  const network = { baseUrl, send, clock };
  const access = salesUnitAccess({
    ...network,
    keys,
    system: callingSystem(lanes, clientVersion),
    log,
  });
  const parts = {
    ...network,
    access,
    profile: epaymentProfile,
    ...(observe !== undefined && { observe }),
  };
  const transport = new Transport({ ...parts, log });
  const presence = new Transport({ ...parts, log: silentLog });
  return {
    name: 'epayment',
    counterOf({ id, pointOfSale, sticker }) {
      // Customers read it beside the amount: which shop's till it was.
      const description = [shop?.name, pointOfSale.name]
        .filter((part) => part !== undefined)
        .join(', ');
      const settings = {
        msn: keys.msn,
        description,
        posId: pointOfSale.merchantPosId,
        codeForm: salesUnit.code,
        ...(sticker !== undefined && { sticker: stickerSettings(sticker, pointOfSale.name) }),
      };
      return createEpaymentClient({
        ...network,
        transport,
        presence,
        settings,
        log: log.child({ lane: id }),
      });
    },
    isThere: (_lane, signal) => readEpaymentPresence(presence, signal),
    merchantPayments: createMerchantPayments({ transport, msn: keys.msn }),
    stickers: {
      msn: keys.msn,
      baseUrl,
      end: (merchantQrId, signal) => endSticker(transport, merchantQrId, signal),
    },
  };
}

const stickerSettings = (sticker: NonNullable<LaneAtProvider['sticker']>, description: string) => ({
  merchantQrId: stickerId(sticker),
  isBeacon: sticker.beaconId !== undefined,
  description,
});
