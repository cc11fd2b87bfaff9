/**
 * Maps the services' types of lines (document 4, section 5; document 5, section 5). Those that a
 * reader has translated have the names of the first.
 */
import type { RowKind } from '../../../../preload/procedures/reconciliation.ts';

const kinds: Readonly<Record<string, RowKind>> = {
  Payment: 'payment',
  Refund: 'refund',
  TransactionFee: 'transactionFee',
  ServiceFee: 'serviceFee',
  ReturnedTransaction: 'returned',
  Adjustment: 'adjustment',
  'retained-disputed-capture': 'returned',
  'returned-disputed-capture': 'returned',
  'payout-aborted': 'adjustment',
  correction: 'adjustment',
  'top-up': 'adjustment',
};

/** An unknown type must not stop a report. */
export const rowKindOf = (type: string): RowKind => kinds[type] ?? 'other';

/** `rowKindOf` in SQL, for the column `type`. */
export const rowKindSql = `CASE type ${Object.entries(kinds)
  .map(([type, kind]) => `WHEN '${type}' THEN '${kind}'`)
  .join(' ')} ELSE 'other' END`;
