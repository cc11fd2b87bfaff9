/** The currencies of the wallet service (interface document 2, "Payment": DKK or EUR). Both have two minor digits. */
export const currencies = ['DKK', 'EUR'] as const;
export type Currency = (typeof currencies)[number];

/** An amount as this house carries it: a whole number of minor units (øre, cents), with its currency. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: Currency;
}

declare const inMinorUnits: unique symbol;
/** A number that was said to be minor units, so that twelve kroner cannot pass for twelve øre where an interface's field is just called `amount`. */
export type MinorUnits = number & { readonly [inMinorUnits]: true };

/** @throws RangeError when it is no whole number */
export function minorUnits(amountMinor: number): MinorUnits {
  if (!Number.isSafeInteger(amountMinor)) throw new RangeError(`amount must be a whole number of minor units, got ${amountMinor}`);
  return amountMinor as MinorUnits;
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
