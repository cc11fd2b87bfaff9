import { describe, expect, test } from 'vitest';
import {
  changeKey,
  referenceOf,
} from '../../../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { epaymentStatus } from '../../../../main/wallets/epayment/point-of-sale/epayment-status.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';

describe('names', () => {
  test.each([
    ['K1-000042-9f3c2b1a', 'K1-000042-9f3c2b1a'],
    ['Table 5 (æøå)-000042-9f3c2b1a', 'Table-5-------000042-9f3c2b1a'],
    ['1-2', '1-2-----'],
  ])('an order id %j becomes the reference %j', (orderId, reference) =>
    expect(referenceOf(orderId)).toBe(reference),
  );

  test('the key of a change is the same for the same request, another one after a refusal, and short enough', () => {
    const key = (change: string, refusals: number) =>
      changeKey('K1-000042-9f3c2b1a', change, refusals);
    expect(key('cancel', 0)).toBe(key('cancel', 0));
    expect(
      new Set([
        key('cancel', 0),
        key('cancel if open', 0),
        key('capture 12550', 0),
        key('capture 100', 0),
        key('cancel', 1),
        key('cancel', 2),
      ]).size,
    ).toBe(6);
    expect(key('cancel', 999_999_999).length).toBeLessThanOrEqual(50);
  });
});

describe('a state', () => {
  const amount = (value: number) => ({ currency: 'DKK', value: minorUnits(value) });
  test.each([
    ['CREATED', 0, 0, 'initiated'],
    ['ABORTED', 0, 0, 'cancelledByUser'],
    ['EXPIRED', 0, 0, 'cancelledByService'],
    ['TERMINATED', 0, 0, 'cancelledByClient'],
    ['AUTHORIZED', 0, 0, 'reserved'],
    ['AUTHORIZED', 100, 0, 'captured'],
    ['AUTHORIZED', 60, 40, 'captured'],
    ['AUTHORIZED', 0, 100, 'expired'],
    ['AUTHORIZED', 0, 40, 'unknown'],
    // Contradictions: the money counts.
    ['TERMINATED', 100, 0, 'captured'],
    ['ABORTED', 60, 40, 'captured'],
    ['EXPIRED', 100, 0, 'captured'],
    ['PAUSED_BY_THE_MOON', 0, 0, 'unknown'],
  ])(
    '%s with %i captured and %i cancelled is %s',
    (state, capturedMinor, cancelledMinor, status) => {
      const aggregate = {
        authorizedAmount: amount(state === 'AUTHORIZED' ? 100 : 0),
        capturedAmount: amount(capturedMinor),
        cancelledAmount: amount(cancelledMinor),
        refundedAmount: amount(0),
      };
      expect(epaymentStatus({ state, aggregate })).toBe(status);
    },
  );
});
