import { expect, test } from 'vitest';
import type { LaneView } from '../../../../preload/contract.ts';
import { customerPrompt, paymentProgress } from '../../../../renderer/setup/payment-progress.ts';

const saleId = '5e700000-0000-4000-8000-000000000001';
const onItsWay = {
  saleId,
  amountMinor: 1,
  currency: 'DKK',
  remainingMs: 100_000,
  qr: 'walletpos://pos',
  canCancel: true,
  by: 'cashier',
} as const;
const decided = {
  saleId,
  orderId: 'test-000001',
  receiptNumber: 1,
  startedAtMs: 0,
  by: 'cashier',
  amountMinor: 1,
  currency: 'DKK',
  refundedMinor: 0,
} as const;
const at = (state: LaneView['state'], recent: LaneView['recent'] = []) =>
  paymentProgress({ state, recent }, saleId);

test('a payment under way is what the lane shows of it, with the code only while it is to be scanned', () => {
  expect(paymentProgress(null, saleId)).toEqual({ kind: 'asked' });
  expect(at({ kind: 'idle' })).toEqual({ kind: 'asked' });
  expect(at({ kind: 'waitingForCustomer', ...onItsWay })).toEqual({
    kind: 'waitingForCustomer',
    qr: 'walletpos://pos',
  });
  expect(at({ kind: 'customerFound', ...onItsWay })).toEqual({ kind: 'customerFound' });
  expect(at({ kind: 'approveInApp', ...onItsWay })).toEqual({ kind: 'approveInApp' });
  expect(at({ kind: 'confirming', ...onItsWay })).toEqual({ kind: 'confirming' });
});

test.each<[LaneView['beacons'], string | null, ReturnType<typeof customerPrompt>]>([
  [['QR'], 'walletpos://pos', 'code'],
  [['QR', 'NFC'], 'walletpos://pos', 'either'],
  [['NFC'], null, 'beacon'],
  [['Bluetooth'], null, 'beacon'],
  [['QR'], null, null],
])('a customer at a lane with %j and the code %j is asked for %j', (beacons, qr, prompt) => {
  const waiting = at({ kind: 'waitingForCustomer', ...onItsWay, qr });
  expect(customerPrompt(waiting, beacons)).toBe(prompt);
  expect(customerPrompt(at({ kind: 'approveInApp', ...onItsWay, qr }), beacons)).toBeNull();
});

test('another payment of the lane is not this one', () => {
  const saleOfTill = { ...onItsWay, saleId: '5e700000-0000-4000-8000-000000000002' };
  expect(at({ kind: 'approveInApp', ...saleOfTill })).toEqual({ kind: 'asked' });
  expect(
    at({ kind: 'approveInApp', ...saleOfTill }, [
      { ...decided, reason: null, certainty: 'confirmed' },
    ]),
  ).toEqual({ kind: 'captured' });
});

test('the service has the money only once it has confirmed that; a contradiction is neither paid nor not', () => {
  expect(
    at({ kind: 'paid', saleId, amountMinor: 1, currency: 'DKK', by: 'cashier' }, [
      { ...decided, reason: null, certainty: 'decided' },
    ]),
  ).toEqual({
    kind: 'paid',
  });
  expect(at({ kind: 'idle' }, [{ ...decided, reason: null, certainty: 'contested' }])).toEqual({
    kind: 'contested',
  });
  expect(at({ kind: 'idle' }, [{ ...decided, reason: 'timedOut', certainty: 'decided' }])).toEqual({
    kind: 'notPaid',
    reason: 'timedOut',
    isConfirmed: false,
  });
  expect(
    at({ kind: 'idle' }, [{ ...decided, reason: 'timedOut', certainty: 'confirmed' }]),
  ).toEqual({
    kind: 'notPaid',
    reason: 'timedOut',
    isConfirmed: true,
  });
});
