import { expect, test } from 'vitest';
import { numbersAfter, receiptDigits } from '../../../../main/core/domain/receipt-number.ts';

test('receipts are numbered from 1, and from 1 again after the last number of each kind', () => {
  expect(numbersAfter(null)).toEqual({ receiptNumber: 1, traceNumber: 1 });
  expect(numbersAfter({ receiptNumber: 9_998, traceNumber: 999_998 })).toEqual({
    receiptNumber: 9_999,
    traceNumber: 999_999,
  });
  expect(numbersAfter({ receiptNumber: 9_999, traceNumber: 9_999 })).toEqual({
    receiptNumber: 1,
    traceNumber: 10_000,
  });
  expect(numbersAfter({ receiptNumber: 42, traceNumber: 999_999 })).toEqual({
    receiptNumber: 43,
    traceNumber: 1,
  });
});

test('a receipt number is shown with four digits', () => {
  expect([1, 42, 9_999].map(receiptDigits)).toEqual(['0001', '0042', '9999']);
});
