import type { DatabaseSync } from 'node:sqlite';
import type { Payment } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import { undecidedStates } from '../settlement/outcome.ts';
import { paymentStates, refundStates } from '../settlement/states.ts';
import { currencies, type Currency } from '../domain/money.ts';
import { flag, number, oneOf, orNull, query, type RowOf, text } from '../../support/sql-rows.ts';
import { unreadableState } from './check.ts';
import { blockSize } from './schema.ts';
import { isTestSale, paymentIs } from './settled.ts';

/** Search conditions, all of which must match. Empty: every sale. */
export interface SaleQuery {
  readonly laneId?: string | undefined;
  readonly amountMinor?: number | undefined;
  /** The time of the request; `toMs` is exclusive. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** Lane and number, such as `1-000042`, or what a cashier called the payment. */
  readonly orderIdBeginning?: string | undefined;
  /** The last characters of an order id, at least `minEndingLength`; in upper or lower case. */
  readonly orderIdEnding?: string | undefined;
  /** The same of a refund of the sale. */
  readonly refundOrderIdEnding?: string | undefined;
  readonly receiptNumber?: number | undefined;
  /** The last characters of the service's id, at least `minEndingLength`. */
  readonly paymentIdEnding?: string | undefined;
  /**
   * The complete one, as the service has it: it can have capitals, and be the ending of another.
   */
  readonly paymentId?: string | undefined;
  /** The complete id, as scanned from a receipt. */
  readonly saleId?: string | undefined;
}

export interface SalesPage {
  /** At most `maxPageSize`. */
  readonly size: number;
  /** `next` of the previous page; null for the first page. */
  readonly after: string | null;
}

/** A sale in a list. */
export interface SaleRow {
  readonly saleId: string;
  readonly laneId: string;
  readonly atMs: number;
  readonly amountMinor: number;
  /** Set when a payment is captured; for a reservation it may be less than `amountMinor`. */
  readonly capturedMinor: number | null;
  readonly currency: Currency;
  readonly state: Payment['kind'];
  readonly receiptNumber: number;
  readonly traceNumber: number;
  readonly orderId: string;
  readonly paymentId: string | null;
  /** Sum of the decided refunds, as in the day's totals. */
  readonly refundedMinor: number;
  /** The part of it that a till asked for. */
  readonly refundedAtTillMinor: number;
  /** Set for a test payment of setup. */
  readonly isTest?: true;
}

export interface SalesFound {
  /** Newest first. */
  readonly rows: readonly SaleRow[];
  /** null on the last page. */
  readonly next: string | null;
}

export interface Sum {
  readonly count: number;
  readonly sumMinor: number;
}

/** Payments and refunds by the hour of their request. */
export interface HourTotals {
  readonly laneId: string;
  /** Start of the hour; reservations count when they are decided to be captured. */
  readonly hourMs: number;
  readonly currency: Currency;
  /** Paid, whether or not the service has confirmed the capture. */
  readonly payments: Sum;
  readonly refunds: Sum;
}

interface OpenFacts {
  readonly saleId: string;
  readonly laneId: string;
  readonly atMs: number;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** Whether it is a refund that a till asked for. */
  readonly byTill: boolean;
  readonly receiptNumber: number;
}

/** A payment or refund that is not final or that needs a person. */
export type OpenItem = OpenFacts &
  (
    | { readonly kind: 'sale'; readonly orderId: string; readonly state: Payment['kind'] }
    | { readonly kind: 'refund'; readonly orderId: string; readonly state: Refund['kind'] }
  );

export interface DayTotals {
  /** Totals by lane, then by hour. */
  readonly hours: readonly HourTotals[];
  /** The part of these totals that are test payments of setup, and refunds of them. */
  readonly tests: readonly HourTotals[];
  /** Everything open that was requested before the end of the period, oldest first. */
  readonly open: readonly OpenItem[];
}

/** The highest numbers of the payments and refunds that have been counted. */
export interface Counted {
  readonly sale: number;
  readonly refund: number;
  /** The last event that decided to capture a reservation. */
  readonly capture: number;
  /** Those up to these numbers that were undecided, and have not been counted. */
  readonly undecided: { readonly sales: readonly number[]; readonly refunds: readonly number[] };
}

/** Characters of an id that a person reads out. */
export const minEndingLength = 4;
const maxPageSize = 500;
const hourMs = 3_600_000;

/**
 * The index for each condition, the most selective first. Named explicitly, so that SQLite never
 * scans half the journal.
 */
const ways = [
  { by: 'saleId', index: null },
  { by: 'orderIdEnding', index: 'sales_by_order_ending' },
  // The unique index of sale_id; the refunds are found by an index of their own.
  { by: 'refundOrderIdEnding', index: 'sqlite_autoindex_sales_1' },
  { by: 'orderIdBeginning', index: 'sales_by_order' },
  { by: 'paymentId', index: 'sales_by_payment_ending' },
  { by: 'paymentIdEnding', index: 'sales_by_payment_ending' },
  { by: 'receiptNumber', index: 'sales_by_receipt_number' },
  { by: 'amountMinor', index: 'sales_by_amount' },
  { by: 'laneId', index: 'sales_by_lane_and_time' },
] as const;

const endsWith = (column: string, asked: string): string =>
  `lower(substr(${column}, -${minEndingLength})) = lower(substr(${asked}, -${minEndingLength})) AND substr(${column}, -length(${asked})) = ${asked} COLLATE NOCASE`;

const conditions: Readonly<Record<keyof SaleQuery, string>> = {
  saleId: 'sale_id = :saleId',
  orderIdEnding: endsWith('order_id', ':orderIdEnding'),
  refundOrderIdEnding: `sale_id IN (SELECT sale_id FROM refunds INDEXED BY refunds_by_order_ending WHERE ${endsWith('refund_order_id', ':refundOrderIdEnding')})`,
  orderIdBeginning:
    'order_id >= :orderIdBeginning AND order_id < :orderIdBeginning || char(0x10ffff)',
  paymentIdEnding:
    'substr(payment_id, -4) = substr(:paymentIdEnding, -4) AND substr(payment_id, -length(:paymentIdEnding)) = :paymentIdEnding',
  paymentId: paymentIs(':paymentId'),
  receiptNumber: 'receipt_number = :receiptNumber',
  amountMinor: 'amount_minor = :amountMinor',
  laneId: 'lane_id = :laneId',
  fromMs: 'at_ms >= :fromMs',
  toMs: 'at_ms < :toMs',
};

const conditionNames: readonly (keyof SaleQuery)[] = [
  'saleId',
  'orderIdEnding',
  'refundOrderIdEnding',
  'orderIdBeginning',
  'paymentIdEnding',
  'paymentId',
  'receiptNumber',
  'amountMinor',
  'laneId',
  'fromMs',
  'toMs',
];

const currency = oneOf(currencies);
const hourly = { laneId: text, hourMs: number, currency, count: number, sumMinor: number };
const common = {
  saleId: text,
  orderId: text,
  laneId: text,
  atMs: number,
  amountMinor: number,
  currency,
};
const saleRow = {
  ...common,
  state: oneOf(paymentStates),
  capturedMinor: orNull(number),
  receiptNumber: number,
  traceNumber: number,
  paymentId: orNull(text),
  refundedMinor: number,
  refundedAtTillMinor: number,
  isTest: flag,
};
const openItem = {
  ...common,
  kind: oneOf(['sale', 'refund']),
  byTill: flag,
  receiptNumber: number,
  state: text,
};

/**
 * Queries of the manager's screens. All use an index: 400,000 sales answer in a few milliseconds.
 */
export function salesSearch(db: DatabaseSync) {
  const moved = (table: string, which: string, states: string): string => `
    SELECT lane_id, at_ms - at_ms % ${hourMs} AS hour_ms, currency, count(*) AS count, sum(amount_minor) AS sum_minor
    FROM ${table} ${which} AND state IN (${states}) GROUP BY lane_id, hour_ms, currency`;
  /** Reservations: what is captured of them, in the hour in which that was decided. */
  const captured = (which: string): string => `
    SELECT lane_id, captured_at_ms - captured_at_ms % ${hourMs} AS hour_ms, currency, count(*) AS count, sum(captured_minor) AS sum_minor
    FROM sales ${which} AND state IN (${paid}) GROUP BY lane_id, hour_ms, currency`;
  const inPeriod = (table: string): string =>
    `INDEXED BY ${table}_by_time WHERE at_ms >= ? AND at_ms < ?`;
  // Behind a number: the rest of its block by row, and whole blocks after it.
  const restOfBlock = (number: string): string => `${number} > :behind AND ${number} < :next`;
  const behind = `WHERE ((${restOfBlock('number')}) OR number IN (SELECT value FROM json_each(:undecided))) AND at_ms IS NOT NULL`;
  const selectBlocks = query(
    db,
    `SELECT lane_id, iif(:isHourly, hour_ms, 0) AS hour_ms, currency, sum(count) AS count, sum(sum_minor) AS sum_minor FROM moved_totals
      WHERE kind = :kind AND block >= :block GROUP BY lane_id, 2, currency HAVING sum(count) > 0`,
    hourly,
  );
  const paid = "'capturing', 'paid'";
  const refunded = "'capturing', 'refunded'";
  const refundsOf = `SELECT coalesce(sum(amount_minor), 0) FROM refunds WHERE refunds.sale_id = sales.sale_id AND state IN (${refunded})`;
  const atOnce = 'AND captured_seq IS NULL';
  const selectPayments = query(db, moved('sales', `${inPeriod('sales')} ${atOnce}`, paid), hourly);
  const selectCaptured = query(
    db,
    captured(
      'INDEXED BY sales_by_capture_time WHERE captured_seq IS NOT NULL AND captured_at_ms >= ? AND captured_at_ms < ?',
    ),
    hourly,
  );
  const selectCapturedBehind = query(
    db,
    captured(`INDEXED BY sales_by_capture WHERE ${restOfBlock('captured_seq')}`),
    hourly,
  );
  const selectRefunds = query(db, moved('refunds', inPeriod('refunds'), refunded), hourly);
  const selectPaymentsBehind = query(db, moved('sales', `${behind} ${atOnce}`, paid), hourly);
  const selectRefundsBehind = query(db, moved('refunds', behind, refunded), hourly);
  // There are few of these, so they are counted by row.
  const testPayments = `INDEXED BY sales_by_order WHERE ${isTestSale('')}`;
  const testRefunds = `INDEXED BY refunds_by_sale WHERE sale_id IN (SELECT sale_id FROM sales ${testPayments})`;
  const rowBehind =
    '(number > :behind OR number IN (SELECT value FROM json_each(:undecided))) AND at_ms IS NOT NULL';
  const tests = {
    payments: query(
      db,
      moved('sales', `${testPayments} ${atOnce} AND at_ms >= ? AND at_ms < ?`, paid),
      hourly,
    ),
    captures: query(
      db,
      captured(`${testPayments} AND captured_at_ms >= ? AND captured_at_ms < ?`),
      hourly,
    ),
    refunds: query(
      db,
      moved('refunds', `${testRefunds} AND at_ms >= ? AND at_ms < ?`, refunded),
      hourly,
    ),
  };
  const testsBehind = {
    payments: query(db, moved('sales', `${testPayments} ${atOnce} AND ${rowBehind}`, paid), hourly),
    captures: query(db, captured(`${testPayments} AND captured_seq > :behind`), hourly),
    refunds: query(db, moved('refunds', `${testRefunds} AND ${rowBehind}`, refunded), hourly),
  };
  const selectCounted = query(
    db,
    `SELECT (SELECT coalesce(max(number), 0) FROM sales) AS sale, (SELECT coalesce(max(number), 0) FROM refunds) AS refund,
      (SELECT coalesce(max(captured_seq), 0) FROM sales INDEXED BY sales_by_capture WHERE captured_seq IS NOT NULL) AS capture`,
    { sale: number, refund: number, capture: number },
  );
  const undecided = (table: string, ...more: readonly string[]): string =>
    `SELECT number FROM ${table} INDEXED BY ${table}_open WHERE closed = 0 AND state IN (${[...undecidedStates, ...more].map((state) => `'${state}'`).join(', ')})`;
  const selectUndecidedSales = query(db, undecided('sales'), { number });
  // A refund that the service does not show may still become refunded, and counts then.
  const selectUndecidedRefunds = query(db, undecided('refunds', 'needsPerson'), { number });
  const selectOpen = query(
    db,
    `SELECT 'sale' AS kind, number AS seq, sale_id, order_id, lane_id, at_ms,
        coalesce(captured_minor, amount_minor) AS amount_minor, currency, state, 0 AS by_till, receipt_number
      FROM sales INDEXED BY sales_open
      WHERE closed = 0 AND at_ms < :toMs
    UNION ALL SELECT 'refund', number, sale_id, refund_order_id, lane_id, at_ms, amount_minor, currency, state, by_till, receipt_number
      FROM refunds INDEXED BY refunds_open
      WHERE closed = 0 AND at_ms < :toMs
    ORDER BY at_ms, kind DESC, seq`,
    openItem,
  );

  return {
    /** Newest first. @throws RangeError when the page size or a condition is out of range */
    findSales(asked: SaleQuery, { size, after }: SalesPage): SalesFound {
      if (!Number.isSafeInteger(size) || size < 1 || size > maxPageSize)
        throw new RangeError(`a page has 1 to ${maxPageSize} sales, not ${size}`);
      for (const ending of [asked.paymentIdEnding, asked.orderIdEnding, asked.refundOrderIdEnding])
        if (ending !== undefined && ending.length < minEndingLength)
          throw new RangeError(
            `at least the last ${minEndingLength} characters of an id are needed`,
          );
      const conditionValues = conditionNames.flatMap((name) =>
        asked[name] === undefined ? [] : [[name, asked[name]] as const],
      );
      const index = ways.find(({ by }) => asked[by] !== undefined);
      const indexed =
        index === undefined
          ? 'INDEXED BY sales_by_time'
          : index.index === null
            ? ''
            : `INDEXED BY ${index.index}`;
      const values: Record<string, string | number> = Object.fromEntries(conditionValues);
      if (asked.paymentIdEnding !== undefined)
        values['paymentIdEnding'] = asked.paymentIdEnding.toLowerCase();
      const where = [
        `state != '${unreadableState}'`,
        ...conditionValues.map(([name]) => conditions[name]),
      ];
      if (after !== null) {
        where.push('(at_ms, number) < (:afterMs, :afterNumber)');
        const [afterMs, afterNumber] = cursorOf(after);
        Object.assign(values, { afterMs, afterNumber });
      }
      const rows = query(
        db,
        `SELECT number, sale_id, lane_id, at_ms, amount_minor, currency, state, receipt_number, trace_number, order_id, payment_id,
             iif(state IN (${paid}), coalesce(captured_minor, amount_minor), NULL) AS captured_minor,
             (${refundsOf}) AS refunded_minor, (${refundsOf} AND by_till = 1) AS refunded_at_till_minor,
             ${isTestSale('')} AS is_test
           FROM sales ${indexed} WHERE ${where.join(' AND ')} ORDER BY at_ms DESC, number DESC LIMIT ${size + 1}`,
        { ...saleRow, number },
      ).all(values);
      const pageRows = rows.slice(0, size);
      const last = rows.length > size ? pageRows.at(-1) : undefined;
      return {
        rows: pageRows.map(({ number: _number, isTest, ...row }) => ({
          ...row,
          ...(isTest && { isTest }),
        })),
        next: last === undefined ? null : `${last.atMs}.${last.number}`,
      };
    },

    dayTotals: ({
      fromMs,
      toMs,
    }: {
      readonly fromMs: number;
      readonly toMs: number;
    }): DayTotals => ({
      hours: byHour(
        [...selectPayments.all(fromMs, toMs), ...selectCaptured.all(fromMs, toMs)],
        selectRefunds.all(fromMs, toMs),
      ),
      tests: byHour(
        [...tests.payments.all(fromMs, toMs), ...tests.captures.all(fromMs, toMs)],
        tests.refunds.all(fromMs, toMs),
      ),
      open: selectOpen.all({ toMs }).map(openItemOf),
    }),

    /**
     * Counts by number instead of time: a clock that is set back neither drops a payment nor counts
     * one twice.
     * @param isHourly false: what is told of hours means nothing, only their sum; ten times as
     * quick where many were never closed
     */
    totalsBehind(
      { sale, refund, capture, undecided: before }: Counted,
      { isHourly }: { readonly isHourly: boolean },
    ): DayTotals & { readonly counted: Counted } {
      const numbersOf = (rows: readonly { readonly number: number }[]): number[] =>
        rows.map((row) => row.number);
      const rest = (behind: number) => ({ behind, next: (blockOf(behind) + 1) * blockSize });
      const blocks = (kind: 'payment' | 'capture' | 'refund', behind: number): Rows =>
        selectBlocks.all({ kind, block: blockOf(behind) + 1, isHourly: isHourly ? 1 : 0 });
      const undecidedBefore = {
        sales: JSON.stringify(before.sales),
        refunds: JSON.stringify(before.refunds),
      };
      const payments = selectPaymentsBehind.all({
        ...rest(sale),
        undecided: undecidedBefore.sales,
      });
      const captures = selectCapturedBehind.all(rest(capture));
      const refunds = selectRefundsBehind.all({
        ...rest(refund),
        undecided: undecidedBefore.refunds,
      });
      const testsPaid = testsBehind.payments.all({
        behind: sale,
        undecided: undecidedBefore.sales,
      });
      return {
        hours: byHour(
          [...payments, ...blocks('payment', sale), ...captures, ...blocks('capture', capture)],
          [...refunds, ...blocks('refund', refund)],
        ),
        tests: byHour(
          [...testsPaid, ...testsBehind.captures.all({ behind: capture })],
          testsBehind.refunds.all({ behind: refund, undecided: undecidedBefore.refunds }),
        ),
        open: selectOpen.all({ toMs: Number.MAX_SAFE_INTEGER }).map(openItemOf),
        counted: {
          ...(selectCounted.first() ?? { sale: 0, refund: 0, capture: 0 }),
          undecided: {
            sales: numbersOf(selectUndecidedSales.all()),
            refunds: numbersOf(selectUndecidedRefunds.all()),
          },
        },
      };
    },
  };
}

const blockOf = (number: number): number => Math.floor(number / blockSize);

const nothing: Sum = { count: 0, sumMinor: 0 };

type Rows = readonly RowOf<typeof hourly>[];

function byHour(payments: Rows, refunds: Rows): HourTotals[] {
  const hours = new Map<
    string,
    { laneId: string; hourMs: number; currency: Currency; payments: Sum; refunds: Sum }
  >();
  const add = ({ count, sumMinor, ...hour }: Rows[number], what: 'payments' | 'refunds'): void => {
    const key = JSON.stringify([hour.laneId, hour.hourMs, hour.currency]);
    const hourSums = hours.get(key) ?? { ...hour, payments: nothing, refunds: nothing };
    hourSums[what] = {
      count: hourSums[what].count + count,
      sumMinor: hourSums[what].sumMinor + sumMinor,
    };
    hours.set(key, hourSums);
  };
  for (const row of payments) add(row, 'payments');
  for (const row of refunds) add(row, 'refunds');
  return [...hours.values()].sort((a, b) =>
    a.laneId === b.laneId ? a.hourMs - b.hourMs : a.laneId < b.laneId ? -1 : 1,
  );
}

/** @throws RangeError for an invalid cursor */
function cursorOf(text: string): [number, number] {
  const [atMs, number] = /^(-?\d+)\.(\d+)$/.exec(text)?.slice(1).map(Number) ?? [];
  if (atMs === undefined || number === undefined) throw new RangeError(`${text} names no page`);
  return [atMs, number];
}

function openItemOf({ kind, state, ...facts }: RowOf<typeof openItem>): OpenItem {
  return kind === 'sale'
    ? { kind, ...facts, state: oneOf(paymentStates)(state) }
    : { kind, ...facts, state: oneOf(refundStates)(state) };
}
