import type { Currency } from '../../domain/money.ts';
import { decodeBcd, encodeBcd } from './bcd.ts';

/** ISO 4217 numbers as two BCD bytes: 02 08, 09 78. */
const numbers: Readonly<Record<Currency, number>> = { DKK: 208, EUR: 978 };

export function encodeCurrency(currency: Currency): Uint8Array {
  return encodeBcd(numbers[currency], 2);
}

/** null for a currency that the wallet does not support. */
export function decodeCurrency(bytes: Uint8Array): Currency | null {
  const number = decodeBcd(bytes);
  return number === numbers.DKK ? 'DKK' : number === numbers.EUR ? 'EUR' : null;
}
