/** What the bank has on record of one payment or refund: also what was reported of it twice, and what it cost. */
import type { DatabaseSync } from 'node:sqlite';
import type { RowStory } from '../../../preload/procedures/reconciliation.ts';
import { rowKindOf } from './kinds.ts';
import type { WholeRow } from './opened.ts';

const mostLines = 50;

export function bankLines(db: DatabaseSync, { orderId, paymentId, subject }: WholeRow): RowStory['bank'] {
  return db
    .prepare(
      `SELECT lines.*, transfers.reference AS transfer_reference, transfers.at_ms AS transfer_at_ms FROM lines
        LEFT JOIN transfers ON transfers.number = transfer_number
      WHERE lines.number IN (
        SELECT number FROM lines WHERE reference = :orderId UNION SELECT number FROM lines WHERE payment_id = :paymentId
        UNION SELECT number FROM lines WHERE reference IS NULL AND subject = :subject)
      ORDER BY lines.at_ms, lines.number LIMIT ${mostLines}`,
    )
    .all({ orderId, paymentId, subject })
    .map((line) => ({
      kind: rowKindOf(line['type'] as string),
      atMs: line['at_ms'] as number,
      amountMinor: line['amount_minor'] as number,
      feeMinor: line['fee_minor'] as number,
      currency: line['currency'] as string,
      transferReference: line['transfer_reference'] as string | null,
      transferAtMs: line['transfer_at_ms'] as number | null,
      posName: line['pos_name'] as string | null,
      label: line['label'] as string | null,
    }));
}
