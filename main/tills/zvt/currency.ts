import { currencies, type Currency } from '../../core/domain/money.ts';
import { decodeBcd, encodeBcd } from './bcd.ts';

/** ISO 4217 numbers as two BCD bytes: 02 08, 09 78, 05 78. */
const numbers: Readonly<Record<Currency, number>> = { DKK: 208, EUR: 978, NOK: 578 };

export function encodeCurrency(currency: Currency): Uint8Array {
  return encodeBcd(numbers[currency], 2);
}

/** null for a currency that the wallet does not support. */
export function decodeCurrency(bytes: Uint8Array): Currency | null {
  const number = decodeBcd(bytes);
  return currencies.find((currency) => numbers[currency] === number) ?? null;
}

/** Bounded, because an attacker may have many addresses. */
const maxAddresses = 1_000;

/** Addresses from which another currency than the lane's was named. */
export class OtherCurrencies {
  readonly #addresses = new Set<string>();

  /** @param isOther whether it is not the lane's */
  named(address: string, isOther: boolean): void {
    if (!isOther) this.#addresses.delete(address);
    else if (this.#addresses.size < maxAddresses) this.#addresses.add(address);
  }

  /** Once there are too many addresses to tell them apart, every address counts as known. */
  has = (address: string): boolean =>
    this.#addresses.has(address) || this.#addresses.size >= maxAddresses;
}
