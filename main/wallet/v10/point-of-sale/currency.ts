import type { Currency } from '../../../domain/money.ts';
import { InvalidRequestError } from '../../http/errors.ts';

/** Document 2, "Payment". */
export const currencyCodes = ['DKK', 'EUR'] as const;
export type CurrencyCode = (typeof currencyCodes)[number];

export const isCurrencyCode = (currency: string | null | undefined): currency is CurrencyCode => (currencyCodes as readonly unknown[]).includes(currency);

/** @throws InvalidRequestError for one that this service does not have: nothing is sent */
export function currencyCodeOf(currency: Currency, operation: string): CurrencyCode {
  if (isCurrencyCode(currency)) return currency;
  throw new InvalidRequestError(operation, 'body.currencyCode', `must be ${currencyCodes.join(' or ')}`, currency);
}
