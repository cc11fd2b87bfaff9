import { v10Currencies } from '../../core/domain/money.ts';
import type { WalletProvider } from '../wallet-provider.ts';
import { pointOfSaleCapabilities } from './point-of-sale/point-of-sale-capabilities.ts';
import { v10FormerLaneIssues, v10LaneIssues, V10Settings } from './v10-settings.ts';

/** The point-of-sale interface, version 10. */
export const v10Provider: WalletProvider<V10Settings> = {
  name: 'v10',
  title: 'the point-of-sale interface v10',
  settings: V10Settings,
  credentials: [
    { field: 'clientId', isSecret: false, isOptional: false },
    { field: 'clientSecret', isSecret: true, isOptional: false },
    { field: 'merchantVat', isSecret: false, isOptional: false },
    { field: 'reportingKey', isSecret: true, isOptional: true },
  ],
  secretRule: null,
  capabilities: pointOfSaleCapabilities,
  currencies: v10Currencies,
  currenciesOf: () => v10Currencies,
  addressOf: ({ baseUrl }) => baseUrl,
  accountOf: ({ merchantVat }) => merchantVat,
  isForTests: ({ testService }) => testService,
  laneIssues: v10LaneIssues,
  formerLaneIssues: v10FormerLaneIssues,
  isToldShop: false,
  appNames: () => [],
  open: async (settings, network) => (await import('./opened-v10.ts')).openV10(settings, network),
};
