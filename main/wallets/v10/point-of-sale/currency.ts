import { type Currency, v10Currencies } from '../../../core/domain/money.ts';
import { InvalidRequestError } from '../../http/errors.ts';

export type CurrencyCode = (typeof v10Currencies)[number];

export const isCurrencyCode = (currency: string | null | undefined): currency is CurrencyCode =>
  (v10Currencies as readonly unknown[]).includes(currency);

/** @throws InvalidRequestError for one that this service does not have: nothing is sent */
export function currencyCodeOf(currency: Currency, operation: string): CurrencyCode {
  if (isCurrencyCode(currency)) return currency;
  throw new InvalidRequestError(
    operation,
    'body.currencyCode',
    `must be ${v10Currencies.join(' or ')}`,
    currency,
  );
}
