/** A sales unit of the settings, as the clients need it. */
import type { ShopAtProvider, WithSecrets } from '../wallet-provider.ts';
import type { CallingSystem, SalesUnitKeys } from './epayment-access.ts';
import { epaymentAddress, type EpaymentSettings } from './epayment-settings.ts';

export function salesUnitOf({
  baseUrl,
  environment,
  clientId,
  clientSecret,
  subscriptionKey,
  secondSubscriptionKey,
  merchantSerialNumber: msn,
}: WithSecrets<EpaymentSettings>): { readonly baseUrl: string; readonly keys: SalesUnitKeys } {
  const subscriptionKeys: SalesUnitKeys['subscriptionKeys'] =
    secondSubscriptionKey === undefined
      ? [subscriptionKey]
      : [subscriptionKey, secondSubscriptionKey];
  return {
    baseUrl: epaymentAddress({ baseUrl, environment }),
    keys: { clientId, clientSecret, subscriptionKeys, msn },
  };
}

/**
 * The caller as the service's support sees it (document 5, section 1.3): the protocol of the tills
 * is the plug-in.
 */
export function callingSystem(lanes: ShopAtProvider['lanes'], version: string): CallingSystem {
  const pluginName = [...new Set(lanes.map(({ till }) => till.protocol))].join(' ') || 'tillbeacon';
  return { name: 'tillbeacon', version, pluginName, pluginVersion: version };
}
