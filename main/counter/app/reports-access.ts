import type {
  ReportsAccess,
  ReportsSource,
} from '../manager/reconciliation/reconciliation-worker-data.ts';
import type { ReadyFormerWallet } from '../settings/load.ts';
import { serviceOf } from '../settings/wallet.ts';
import type { ServiceName } from '../../core/domain/sale.ts';
import type { Counter } from './counter.ts';
import { callingSystem, salesUnitOf } from '../../wallets/epayment/sales-unit.ts';
import { simulatedWallets } from './simulated-wallet.ts';
import { terminalVersion } from './version.ts';

type Reporting = Pick<Counter, 'simulator' | 'settings'> & {
  readonly former: { readonly name: ServiceName } | null;
};

/**
 * Where this counter's money is reported, and with which keys; null when the settings do not say it
 * for the service in use.
 */
export function reportsAccess(counter: Reporting | null): ReportsAccess | null {
  if (counter === null) return null;
  const { settings, former } = counter;
  const { wallet, lanes } = settings;
  const name = serviceOf(wallet);
  const inUse = 'simulator' in wallet ? simulatedSource(name, counter) : sourceOf(wallet, counter);
  if (inUse === null) return null;
  const posNames = [name, ...(former === null ? [] : [former.name])].flatMap((service) =>
    lanes.map(({ id, pointOfSale }) => (service === 'epayment' ? id : pointOfSale.name)),
  );
  return {
    inUse,
    former: former && formerAccess(former.name, counter),
    posNames: [...new Set(posNames)],
  };
}

/**
 * null when it is an embedded service without a payment: the journal is not searched for any, which
 * is a tenth of the time in which a year is opened.
 */
function formerAccess(service: ServiceName, counter: Reporting): ReportsAccess['former'] {
  const { simulator, settings } = counter;
  if (settings.formerWallet !== undefined)
    return { service, source: sourceOf(settings.formerWallet, counter) };
  return simulator?.hasPaymentsOf(service) === true
    ? { service, source: simulatedSource(service, counter) }
    : null;
}

function simulatedSource(service: ServiceName, counter: Reporting): ReportsSource | null {
  const { simulator } = counter;
  return simulator === null ? null : sourceOf(simulatedWallets[service](simulator), counter);
}

function sourceOf(
  wallet: ReadyFormerWallet,
  { settings: { lanes } }: Reporting,
): ReportsSource | null {
  if (wallet.service === 'epayment') {
    const { baseUrl, keys } = salesUnitOf(wallet);
    return { baseUrl, keys, system: callingSystem(lanes, terminalVersion) };
  }
  const { baseUrl, reportingUrl = baseUrl, reportingKey, profile } = wallet;
  return reportingKey === undefined
    ? null
    : { baseUrl: reportingUrl, apiKey: reportingKey, profile, storeIds: storeIdsOf(lanes) };
}

const storeIdsOf = (lanes: Reporting['settings']['lanes']): string[] => [
  ...new Set(lanes.flatMap(({ pointOfSale }) => pointOfSale.storeId?.toLowerCase() ?? [])),
];
