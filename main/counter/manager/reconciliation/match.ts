/**
 * Matches the service's report with the journal for one period: every line of the period's
 * transfers, every line that waits for a transfer, and what is only in the journal. Done in SQL
 * with indexes on both sides, so that a year takes a second.
 */
import type { DatabaseSync } from 'node:sqlite';
import { paymentIs, refundIs } from '../../../core/journal/settled.ts';
import { rowKindSql } from './kinds.ts';
import { dayMs, type Span } from './period.ts';

/** A younger payment may be in no report yet: transfers are daily, and banks pause on some days. */
const expectedWithinMs = 3 * dayMs;

export interface MatchOptions {
  readonly span: Span;
  /** The names of this counter's points of sale. */
  readonly posNames: readonly string[];
  readonly nowMs: number;
}

/** The two views of the journal that a line can match. */
const books = [
  {
    type: 'Payment',
    kind: 'payment',
    settled: 'settled_payments',
    sign: '',
    byServiceId: `iif(lines.payment_id IS NULL, NULL, (SELECT number FROM settled_payments WHERE ${paymentIs('lines.payment_id')} LIMIT 1))`,
    reported:
      "reference = ours.order_id AND type = 'Payment' UNION ALL SELECT 1 FROM lines WHERE payment_id = ours.payment_id AND type = 'Payment'",
  },
  // The payment id in a refund's line is that of the refunded payment.
  {
    type: 'Refund',
    kind: 'refund',
    settled: 'settled_refunds',
    sign: '-',
    byServiceId: `iif(lines.refund_id IS NULL, NULL, ${refundIs('lines.refund_id', 'lines.payment_id')})`,
    reported:
      "reference = ours.order_id AND type = 'Refund' UNION ALL SELECT 1 FROM lines WHERE refund_id = ours.refund_id AND type = 'Refund'",
  },
] as const;

/**
 * A period consists of the days on which its transfers reached the bank, like a bank statement.
 * Waiting lines count by their time of payment.
 */
const periodLines = [
  { from: 'transfers JOIN lines ON transfer_number = transfers.number', at: 'transfers.at_ms' },
  { from: 'lines', at: 'transfer_number IS NULL AND lines.at_ms' },
] as const;

/**
 * Makes the temporary table `name`: one row for each line, and one for each payment or refund
 * without a line. `number` is that of the journal's payment or refund, by `kind`, also where no
 * money moved by its account; amounts as they move the merchant's account. `fee_minor` is not in
 * `bank_minor`.
 */
export function matchInto(
  db: DatabaseSync,
  name: string,
  { span, posNames, nowMs }: MatchOptions,
): void {
  db.exec(`
    CREATE TEMP TABLE ${name} (
      row_id INTEGER PRIMARY KEY, line_number INTEGER, transfer_number INTEGER, number INTEGER, kind TEXT NOT NULL, category TEXT NOT NULL,
      at_ms INTEGER NOT NULL, currency TEXT NOT NULL, bank_minor INTEGER, fee_minor INTEGER NOT NULL, ours_minor INTEGER)`);
  const columns =
    'line_number, transfer_number, number, kind, category, at_ms, currency, bank_minor, fee_minor, ours_minor';
  const insert = (select: string, values: Record<string, string | number>): void =>
    void db
      .prepare(`INSERT INTO temp.${name} (${columns}) ${select}`)
      .run({ ...values, fromMs: span.fromMs, toMs: span.toMs });

  for (const { from, at } of periodLines) {
    const inPeriod = `${at} >= :fromMs AND ${at.split(' ').at(-1)} < :toMs`;
    for (const { type, kind, settled, sign, byServiceId } of books)
      insert(
        `SELECT lines.number, transfer_number, ours.number, '${kind}',
          CASE
            WHEN ours.number IS NULL AND pos_name NOT IN (SELECT value FROM json_each(:posNames)) THEN 'elsewhere'
            WHEN ours.number IS NULL OR ours.stands = 'not' THEN 'bankOnly'
            WHEN ${sign}ours.amount_minor != lines.amount_minor OR ours.currency != lines.currency THEN 'differs'
            WHEN transfer_number IS NULL THEN 'waiting'
            ELSE 'matched'
          END,
          lines.at_ms, lines.currency, lines.amount_minor, fee_minor, iif(ours.stands != 'not', ${sign}ours.amount_minor, NULL)
        FROM ${from} LEFT JOIN ${settled} AS ours ON NOT repeated AND ours.number = coalesce(
          (SELECT number FROM ${settled} WHERE order_id = lines.reference LIMIT 1), ${byServiceId})
        WHERE ${inPeriod} AND type = '${type}'`,
        { posNames: JSON.stringify(posNames) },
      );
    insert(
      `SELECT lines.number, transfer_number, NULL, ${rowKindSql}, iif(type IN ('TransactionFee', 'ServiceFee'), 'fee', 'bankOnly'),
        lines.at_ms, lines.currency, lines.amount_minor, 0, NULL
      FROM ${from} WHERE ${inPeriod} AND type NOT IN ('Payment', 'Refund')`,
      {},
    );
  }
  for (const { kind, settled, sign, reported } of books)
    insert(
      `SELECT NULL, NULL, number, '${kind}', iif(stands = 'capturing' OR (stands = 'captured' AND at_ms >= :expectedMs), 'waiting', 'missing'),
        at_ms, currency, NULL, 0, ${sign}amount_minor
      FROM ${settled} AS ours WHERE at_ms >= :fromMs AND at_ms < :toMs AND stands != 'not'
        AND NOT EXISTS (SELECT 1 FROM lines WHERE ${reported})`,
      { expectedMs: nowMs - expectedWithinMs },
    );
}
