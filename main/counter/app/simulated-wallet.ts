import type { ServiceName } from '../../core/domain/sale.ts';
import type { Simulator } from '../../sandbox/simulator/simulator.ts';
import type { ReadyFormerWallet } from '../settings/load.ts';

/** The names that the simulated point-of-sale interface uses. */
export const simulatedProfile = 'generic';

/** The settings with which a counter uses each of the simulated providers. */
export const simulatedWallets: Readonly<
  Record<ServiceName, (simulator: Simulator) => ReadyFormerWallet>
> = {
  v10: ({ baseUrl, authUrl, credentials, world }) => {
    const { clientId, clientSecret, merchantVat } = credentials;
    return {
      service: 'v10',
      baseUrl,
      authUrl,
      clientId,
      clientSecret,
      merchantVat,
      tokenFor: 'merchant',
      profile: simulatedProfile,
      testService: true,
      reportingKey: world.merchants.get(merchantVat)?.apiKey,
    };
  },
  epayment: ({ baseUrl, salesUnit }) => {
    const { clientId, clientSecret, subscriptionKeys, msn } = salesUnit;
    return {
      service: 'epayment',
      environment: 'test',
      country: 'DK',
      baseUrl,
      clientId,
      clientSecret,
      subscriptionKey: subscriptionKeys[0],
      secondSubscriptionKey: subscriptionKeys[1],
      merchantSerialNumber: msn,
      code: 'picture',
    };
  },
};
