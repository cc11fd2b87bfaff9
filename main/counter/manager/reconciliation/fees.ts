import type { ReportLine } from './report.ts';

export interface PlacedLine {
  readonly line: ReportLine;
  /** Index among the lines that were read with it. */
  readonly place: number;
  /** The service's fee for this payment; negative, as it moves the account. */
  readonly feeMinor: number;
}

/**
 * Assigns each transaction fee to its payment by their common reference. A fee without a payment
 * stays a separate line. The line of the transfer itself is dropped. The total is unchanged.
 */
export function withFees(lines: readonly ReportLine[]): PlacedLine[] {
  const paid = new Map<string, number>();
  lines.forEach(({ type, merchantReference }, place) => {
    if (type === 'Payment' && merchantReference && !paid.has(merchantReference))
      paid.set(merchantReference, place);
  });
  const fees = new Map<number, number>();
  const remaining = lines.flatMap((line, place) => {
    if (line.type === 'Transfer') return [];
    const payment =
      line.type === 'TransactionFee' && line.merchantReference
        ? paid.get(line.merchantReference)
        : undefined;
    if (payment === undefined || lines[payment]?.currencyCode !== line.currencyCode)
      return [{ line, place }];
    fees.set(payment, (fees.get(payment) ?? 0) + line.amount);
    return [];
  });
  return remaining.map((one) => ({ ...one, feeMinor: fees.get(one.place) ?? 0 }));
}
