import type { ReportedTransaction } from '../../wallet/v10/reporting/schemas.ts';

export interface PlacedLine {
  readonly line: ReportedTransaction;
  /** Among all that were read with it. */
  readonly place: number;
  /** What the service kept of this payment: negative, as it moves the account. */
  readonly feeMinor: number;
}

/**
 * Puts each transaction fee to the payment that it was taken for, by their common reference; one without such a payment stays a line of its own.
 * The transfer itself is no line: its amount is the transfer's. What is left adds up to the same.
 */
export function withFees(lines: readonly ReportedTransaction[]): PlacedLine[] {
  const paid = new Map<string, number>();
  lines.forEach(({ type, merchantReference }, place) => {
    if (type === 'Payment' && merchantReference && !paid.has(merchantReference)) paid.set(merchantReference, place);
  });
  const fees = new Map<number, number>();
  const kept = lines.flatMap((line, place) => {
    if (line.type === 'Transfer') return [];
    const payment = line.type === 'TransactionFee' && line.merchantReference ? paid.get(line.merchantReference) : undefined;
    if (payment === undefined || lines[payment]?.currencyCode !== line.currencyCode) return [{ line, place }];
    fees.set(payment, (fees.get(payment) ?? 0) + line.amount);
    return [];
  });
  return kept.map((one) => ({ ...one, feeMinor: fees.get(one.place) ?? 0 }));
}
