/** The currencies of the wallet service (interface document 2, "Payment": DKK or EUR). Both have two minor digits. */
export type Currency = 'DKK' | 'EUR';

/** An amount as this house carries it: a whole number of minor units (øre, cents), with its currency. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: Currency;
}

/**
 * The point-of-sale interface's notation: a JSON number in major units with at most two decimals.
 * Exact for every amount of six BCD bytes: a double holds fifteen significant digits, these have at most twelve.
 */
export function toMajorUnits(amountMinor: number): number {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`amount must be a whole number of minor units, got ${amountMinor}`);
  return amountMinor / 100;
}

/** The inverse of {@link toMajorUnits}; null where the number has more than two decimals or is no amount at all. */
export function fromMajorUnits(amountMajor: number): number | null {
  const amountMinor = Math.round(amountMajor * 100);
  return Number.isSafeInteger(amountMinor) && amountMinor / 100 === amountMajor ? amountMinor : null;
}
