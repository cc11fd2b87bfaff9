/** Which changes of the settings an open counter takes over. */
import { isDeepStrictEqual } from 'node:util';
import { providerOf } from '../../wallets/wallet-providers.ts';
import type { ReadySettings } from '../settings/load.ts';

/** Settings that are read when they are needed, or passed on to each open lane. */
const liveSettings: ReadonlySet<string> = new Set<keyof ReadySettings>([
  '$schema',
  'language',
  'shop',
  'screens',
  'api',
  'updates',
  'monitoring',
  'lanes',
]);

/**
 * Whether the settings differ only in live settings and lanes. Lanes share the other settings, such
 * as the wallet service.
 */
export function isSameCounter(now: ReadySettings, next: ReadySettings): boolean {
  return isDeepStrictEqual(sharedSettings(now), sharedSettings(next));
}

function sharedSettings(settings: ReadySettings): object {
  const { wallet, formerWallet, shop, lanes } = settings;
  const isSimulated = 'simulator' in wallet;
  const isToldShop =
    isSimulated ||
    [wallet, formerWallet].some((one) => one !== undefined && providerOf(one).isToldShop);
  return {
    rest: Object.fromEntries(Object.entries(settings).filter(([key]) => !liveSettings.has(key))),
    // An embedded simulator is made with them.
    pointsOfSale: isSimulated ? lanes.map(({ pointOfSale }) => pointOfSale) : [],
    // Some providers are told the shop's name and the kinds of tills.
    sentToProvider: isToldShop
      ? [shop?.name, [...new Set(lanes.map(({ till }) => till.protocol))]]
      : [],
  };
}
