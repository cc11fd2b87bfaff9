import { expect, test } from 'vitest';
import { currencies } from '../../../../main/core/domain/money.ts';
import { currencyOf } from '../../../../main/tills/concert/request.ts';
import { decodeCurrency, encodeCurrency } from '../../../../main/tills/zvt/currency.ts';

/** The numbers of ISO 4217. */
const numbers = { DKK: '0208', EUR: '0978', NOK: '0578' };

test.each(currencies)('%s has its number on the line of a till, and is read there', (currency) => {
  expect(Buffer.from(encodeCurrency(currency)).toString('hex')).toBe(numbers[currency]);
  expect(decodeCurrency(Buffer.from(numbers[currency], 'hex'))).toBe(currency);
  expect(currencyOf(numbers[currency].slice(1))).toBe(currency);
});

test('a currency that no wallet service has is none', () => {
  expect(decodeCurrency(Buffer.from('0752', 'hex'))).toBeNull();
  expect(currencyOf('752')).toBeNull();
});
