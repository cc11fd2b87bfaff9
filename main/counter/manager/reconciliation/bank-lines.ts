/** The reported lines of one payment or refund, including duplicates and fees. */
import type { DatabaseSync } from 'node:sqlite';
import type { RowStory } from '../../../../preload/procedures/reconciliation.ts';
import { number, orNull, query, text } from '../../../support/sql-rows.ts';
import { rowKindOf } from './kinds.ts';
import type { WholeRow } from './opened.ts';

const maxLines = 50;

const bankLine = {
  type: text,
  atMs: number,
  amountMinor: number,
  feeMinor: number,
  currency: text,
  transferReference: orNull(text),
  transferAtMs: orNull(number),
  posName: orNull(text),
  label: orNull(text),
};

export function bankLines(
  db: DatabaseSync,
  { orderId, paymentId, subject }: WholeRow,
): RowStory['bank'] {
  return query(
    db,
    `SELECT lines.*, transfers.reference AS transfer_reference, transfers.at_ms AS transfer_at_ms FROM lines
        LEFT JOIN transfers ON transfers.number = transfer_number
      WHERE lines.number IN (
        SELECT number FROM lines WHERE reference = :orderId UNION SELECT number FROM lines WHERE payment_id = :paymentId
        UNION SELECT number FROM lines WHERE reference IS NULL AND subject = :subject)
      ORDER BY lines.at_ms, lines.number LIMIT ${maxLines}`,
    bankLine,
  )
    .all({ orderId, paymentId, subject })
    .map(({ type, ...line }) => ({ kind: rowKindOf(type), ...line }));
}
