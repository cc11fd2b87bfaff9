import type { ReportsAccess } from '../manager/reconciliation/worker-data.ts';
import type { Counter } from './counter.ts';
import { callingSystem, salesUnitOf } from './epayment-service.ts';

/** Where this counter's money is reported, and with which key; null: the settings do not say. */
export function reportsAccess(counter: Pick<Counter, 'simulator' | 'settings'> | null): ReportsAccess | null {
  if (counter === null) return null;
  const { simulator, settings } = counter;
  const { wallet, lanes } = settings;
  if (wallet.service === 'epayment') {
    const unit = 'simulator' in wallet ? simulator && { baseUrl: simulator.baseUrl, keys: simulator.salesUnit } : salesUnitOf(wallet);
    return unit && { baseUrl: unit.baseUrl, keys: unit.keys, system: callingSystem(lanes), posNames: lanes.map(({ id }) => id) };
  }
  const points = lanes.map(({ pointOfSale }) => pointOfSale);
  const ours = { storeIds: [...new Set(points.flatMap(({ storeId }) => storeId?.toLowerCase() ?? []))], posNames: points.map(({ name }) => name) };
  if ('simulator' in wallet) {
    const merchant = simulator?.world.merchants.get(simulator.credentials.merchantVat);
    if (simulator === null || merchant === undefined) return null;
    return { ...ours, baseUrl: simulator.baseUrl, apiKey: merchant.apiKey, profile: 'generic' };
  }
  const { baseUrl, reportingUrl = baseUrl, reportingKey, profile } = wallet;
  return reportingKey === undefined ? null : { ...ours, baseUrl: reportingUrl, apiKey: reportingKey, profile };
}
