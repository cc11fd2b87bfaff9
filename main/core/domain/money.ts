/** Currencies of the interfaces of version 10 (documents 1 to 3). */
export const v10Currencies = ['DKK', 'EUR'] as const;
/**
 * Currencies of the ePayment interface (document 5, section 2.2), and so all that a counter can
 * have. Each has two minor digits.
 */
export const currencies = [...v10Currencies, 'NOK'] as const;
export type Currency = (typeof currencies)[number];

/** An amount in whole minor units (øre, cents) with its currency. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: Currency;
}

declare const inMinorUnits: unique symbol;
/**
 * A branded number of minor units, so that 12 kroner cannot be mistaken for 12 øre in an interface
 * field that is just called `amount`.
 */
export type MinorUnits = number & { readonly [inMinorUnits]: true };

/** @throws RangeError when it is not a whole number */
export function minorUnits(amountMinor: number): MinorUnits {
  if (!Number.isSafeInteger(amountMinor))
    throw new RangeError(`amount must be a whole number of minor units, got ${amountMinor}`);
  // The brand exists for the compiler alone.
  return amountMinor as MinorUnits;
}

/**
 * The point-of-sale interface's notation: a JSON number in major units with at most two decimals.
 * Exact for every amount of six BCD bytes: a double holds fifteen significant digits, these have at
 * most twelve.
 */
export function toMajorUnits(amountMinor: number): number {
  if (!Number.isSafeInteger(amountMinor))
    throw new RangeError(`amount must be a whole number of minor units, got ${amountMinor}`);
  return amountMinor / 100;
}

/**
 * The inverse of {@link toMajorUnits}; null for a number with more than two decimals or out of
 * range.
 */
export function fromMajorUnits(amountMajor: number): number | null {
  const amountMinor = Math.round(amountMajor * 100);
  return Number.isSafeInteger(amountMinor) && amountMinor / 100 === amountMajor
    ? amountMinor
    : null;
}
