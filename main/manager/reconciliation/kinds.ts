/** Maps the service's transaction types (document 4, section 5). */
import type { RowKind } from '../../../preload/procedures/reconciliation.ts';

const kinds: Readonly<Record<string, RowKind>> = {
  Payment: 'payment',
  Refund: 'refund',
  TransactionFee: 'transactionFee',
  ServiceFee: 'serviceFee',
  ReturnedTransaction: 'returned',
  Adjustment: 'adjustment',
};

/** An unknown type must not stop a report. */
export const rowKindOf = (type: string): RowKind => kinds[type] ?? 'other';

/** As `rowKindOf`, of the column `type`. */
export const rowKindSql = `CASE type ${Object.entries(kinds)
  .map(([type, kind]) => `WHEN '${type}' THEN '${kind}'`)
  .join(' ')} ELSE 'other' END`;
