import type { ReadySettings } from '../settings/load.ts';
import { type LaneSettings, stickerId } from '../settings/schema.ts';
import { addressOf, type EpaymentService, type WithSecrets } from '../settings/wallet.ts';
import { silentLog } from '../../core/domain/log.ts';
import { type SalesUnitKeys, salesUnitAccess } from '../../wallets/epayment/access.ts';
import { createEpaymentCounter } from '../../wallets/epayment/point-of-sale/client.ts';
import type { CodeForm } from '../../wallets/epayment/point-of-sale/code.ts';
import { createMerchantPayments } from '../../wallets/epayment/point-of-sale/merchant-payments.ts';
import { readPresence } from '../../wallets/epayment/point-of-sale/presence.ts';
import { endSticker } from '../../wallets/epayment/point-of-sale/sticker.ts';
import { epaymentProfile } from '../../wallets/epayment/profile.ts';
import { Transport } from '../../wallets/http/transport.ts';
import type { OpenedService, ServiceNetwork } from './opened-service.ts';
import { terminalVersion } from './version.ts';

/** A sales unit and its address. */
export interface SalesUnit {
  readonly baseUrl: string;
  readonly keys: SalesUnitKeys;
  readonly codeForm: CodeForm;
}

export function salesUnitOf(wallet: WithSecrets<EpaymentService>): SalesUnit {
  const {
    code: codeForm,
    clientId,
    clientSecret,
    subscriptionKey,
    secondSubscriptionKey,
    merchantSerialNumber: msn,
  } = wallet;
  const subscriptionKeys: SalesUnitKeys['subscriptionKeys'] =
    secondSubscriptionKey === undefined
      ? [subscriptionKey]
      : [subscriptionKey, secondSubscriptionKey];
  return {
    baseUrl: addressOf(wallet),
    keys: { clientId, clientSecret, subscriptionKeys, msn },
    codeForm,
  };
}

/** The ePayment interface, with the keys of one sales unit. */
export function epaymentService(
  { baseUrl, keys, codeForm }: SalesUnit,
  { send, observe, ...system }: ServiceNetwork,
  { shop, lanes }: Pick<ReadySettings, 'shop' | 'lanes'>,
): OpenedService {
  const { clock, log } = system;
  const network = { baseUrl, send, clock };
  const access = salesUnitAccess({ ...network, keys, system: callingSystem(lanes), log });
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
        codeForm,
        ...(sticker !== undefined && { sticker: stickerSettings(sticker, pointOfSale.name) }),
      };
      return createEpaymentCounter({
        ...network,
        transport,
        presence,
        settings,
        log: log.child({ lane: id }),
      });
    },
    isThere: (_lane, signal) => readPresence(presence, signal),
    merchantPayments: createMerchantPayments({ transport, msn: keys.msn }),
    stickers: {
      msn: keys.msn,
      baseUrl,
      end: (merchantQrId, signal) => endSticker(transport, merchantQrId, signal),
    },
  };
}

const stickerSettings = (sticker: NonNullable<LaneSettings['sticker']>, description: string) => ({
  merchantQrId: stickerId(sticker),
  isBeacon: sticker.beaconId !== undefined,
  description,
});

/**
 * The caller as the service's support sees it (document 5, section 1.3): the protocol of the tills
 * is the plug-in.
 */
export function callingSystem(lanes: readonly { readonly till: { readonly protocol: string } }[]) {
  const pluginName = [...new Set(lanes.map(({ till }) => till.protocol))].join(' ') || 'tillbeacon';
  return {
    name: 'tillbeacon',
    version: terminalVersion,
    pluginName,
    pluginVersion: terminalVersion,
  };
}
