import { currencies } from '../../core/domain/money.ts';
import { currencyOfCountry } from '../../core/domain/wallet-services.ts';
import type { WalletProvider } from '../wallet-provider.ts';
import { appNames } from './app-names.ts';
import {
  epaymentAddress,
  epaymentLaneIssues,
  epaymentSecretRule,
  EpaymentSettings,
} from './epayment-settings.ts';
import { epaymentCapabilities } from './point-of-sale/epayment-capabilities.ts';

/** A demonstration is in Denmark. */
const demoCountry = 'DK';

/** The ePayment interface, with the keys of one sales unit. */
export const epaymentProvider: WalletProvider<EpaymentSettings> = {
  name: 'epayment',
  title: 'the ePayment service',
  settings: EpaymentSettings,
  credentials: [
    { field: 'clientId', isSecret: false, isOptional: false },
    { field: 'clientSecret', isSecret: true, isOptional: false },
    { field: 'subscriptionKey', isSecret: true, isOptional: false },
    { field: 'secondSubscriptionKey', isSecret: true, isOptional: true },
    { field: 'merchantSerialNumber', isSecret: false, isOptional: false },
  ],
  secretRule: epaymentSecretRule,
  capabilities: epaymentCapabilities,
  currencies,
  // A sales unit takes the currency of its country alone (document 5, section 2.2).
  currenciesOf: ({ country }) => [currencyOfCountry[country]],
  addressOf: epaymentAddress,
  accountOf: ({ merchantSerialNumber }) => merchantSerialNumber,
  isForTests: ({ environment }) => environment === 'test',
  laneIssues: epaymentLaneIssues,
  formerLaneIssues: () => [],
  isToldShop: true,
  appNames: (settings, atMs) => appNames(settings?.country ?? demoCountry, atMs),
  open: async (settings, network, shop) =>
    (await import('./opened-epayment.ts')).openEpayment(settings, network, shop),
};
