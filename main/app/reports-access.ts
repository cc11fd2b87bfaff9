import type { ReportsAccess } from '../manager/reconciliation/worker-data.ts';
import type { Counter } from './counter.ts';

/** Where this counter's money is reported, and with which key; null: the settings do not say. */
export function reportsAccess(counter: Counter | null): ReportsAccess | null {
  if (counter === null) return null;
  const { simulator, settings } = counter;
  // The reports of the ePayment service are read with other keys, and in another form.
  if (settings.wallet.service === 'epayment') return null;
  const points = settings.lanes.map(({ pointOfSale }) => pointOfSale);
  const ours = { storeIds: [...new Set(points.flatMap(({ storeId }) => storeId?.toLowerCase() ?? []))], posNames: points.map(({ name }) => name) };
  if ('simulator' in settings.wallet) {
    const merchant = simulator?.world.merchants.get(simulator.credentials.merchantVat);
    if (simulator === null || merchant === undefined) return null;
    return { ...ours, baseUrl: simulator.baseUrl, apiKey: merchant.apiKey, profile: 'generic' };
  }
  const { baseUrl, reportingUrl = baseUrl, reportingKey, profile } = settings.wallet;
  return reportingKey === undefined ? null : { ...ours, baseUrl: reportingUrl, apiKey: reportingKey, profile };
}
