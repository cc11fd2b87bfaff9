import type { ServiceName } from '../../core/domain/sale.ts';
import { openJournalReader } from '../../core/journal/reader.ts';

/** Payments and refunds that are not settled. */
export interface OpenMoney {
  readonly laneId: string;
  /** The service at which they were begun. */
  readonly service: ServiceName;
  readonly count: number;
}

/** Lists the open payments and refunds of each service and lane, including removed lanes. */
export function openMoneyIn(journalPath: string): readonly OpenMoney[] {
  const reader = openJournalReader(journalPath);
  try {
    // A period after every payment: its totals are empty, but everything open is listed.
    const { open } = reader.dayTotals({
      fromMs: Number.MAX_SAFE_INTEGER,
      toMs: Number.MAX_SAFE_INTEGER,
    });
    const openSales = open.map(({ laneId, saleId }) => ({
      laneId,
      service: reader.sale(saleId).payment.sale.service ?? 'v10',
    }));
    return [
      ...Map.groupBy(openSales, ({ laneId, service }) => `${service} ${laneId}`).values(),
    ].flatMap((same) => (same[0] === undefined ? [] : { ...same[0], count: same.length }));
  } finally {
    reader.close();
  }
}
