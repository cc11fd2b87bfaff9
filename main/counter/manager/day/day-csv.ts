/** A day or a closing report as CSV (RFC 4180, UTF-8 with a byte order mark). */
import type { z } from 'zod';
import { type Closing, DayColumn, type LaneTotals } from '../../../../preload/procedures/day.ts';
import type { CsvForm } from '../../../../preload/procedures/procedure.ts';
import { localTime } from '../../../core/domain/local-time.ts';
import { toMajorUnits } from '../../../core/domain/money.ts';
import { type CsvCell, csvParts } from '../../../support/csv.ts';

/** `number`: null for a day without a closing report. */
type DayTable = Pick<Closing, 'fromMs' | 'toMs' | 'lanes' | 'overlaps'> & {
  readonly number: number | null;
};

/** A row for each lane and currency, and none for their sum: a spreadsheet would count it twice. */
export async function dayCsv(
  table: DayTable,
  form: z.infer<typeof CsvForm>,
  words: Readonly<Record<DayColumn, string>>,
): Promise<Uint8Array> {
  const columns = DayColumn.options;
  const rows = table.lanes.map((lane) => {
    const cells = cellsOf(table, lane);
    return columns.map((column) => cells[column]);
  });
  let text = '';
  for await (const part of csvParts([columns.map((column) => words[column]), ...rows], {
    ...form,
    byteOrderMark: true,
  }))
    text += part;
  return Buffer.from(text, 'utf8');
}

function cellsOf(
  { number, fromMs, toMs, overlaps }: DayTable,
  { laneId, name, currency, payments, refunds, tests }: LaneTotals,
): Record<DayColumn, CsvCell> {
  const alsoIn = overlaps
    .filter(({ lanes }) => lanes.some((lane) => lane.laneId === laneId))
    .map((overlap) => overlap.number);
  return {
    report: number === null ? null : String(number),
    // The first report begins with the first payment.
    from: fromMs === 0 ? null : localTime(fromMs),
    to: localTime(toMs),
    lane: name,
    currency,
    payments: String(payments.count),
    paymentsSum: toMajorUnits(payments.sumMinor),
    refunds: String(refunds.count),
    refundsSum: toMajorUnits(refunds.sumMinor),
    net: toMajorUnits(payments.sumMinor - refunds.sumMinor),
    testPayments: tests === undefined ? null : String(tests.payments.count),
    testPaymentsSum: tests === undefined ? null : toMajorUnits(tests.payments.sumMinor),
    testRefundsSum: tests === undefined ? null : toMajorUnits(tests.refunds.sumMinor),
    alsoIn: alsoIn.length === 0 ? null : alsoIn.join(', '),
  };
}
