import { expect, test } from 'vitest';
import type { PaymentInput } from '../../../../main/core/settlement/payment.ts';
import { outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import { capturedMinorOf } from '../../../../main/core/settlement/reservation.ts';
import { created, paymentId, polled, restarted, sale, tell } from './support.ts';

const reserved = (partialCapturePossible: boolean): PaymentInput => ({
  type: 'polled',
  status: 'reserved',
  amountMinor: sale.amountMinor,
  currency: 'DKK',
  expiresAtMs: null,
  partialCapturePossible,
});
const answered = (handedOutMinor: number): PaymentInput => ({
  type: 'tillAnswered',
  acknowledged: true,
  handedOutMinor,
});
const told = (partly: boolean, ...inputs: readonly PaymentInput[]) =>
  tell([created, polled('issuedToUser'), reserved(partly), ...inputs]);

test('goods that were handed out in part: the part is on disk before it is captured, and the rest is released by that', () => {
  const { payment, events, effects } = told(true, answered(1_000));
  expect(payment).toMatchObject({ kind: 'capturing', reservation: { captureMinor: 1_000 } });
  expect(events.at(-1)).toEqual({ type: 'tillAcknowledged', handedOutMinor: 1_000 });
  expect(effects).toEqual([
    { type: 'conclude', outcome: { paid: true } },
    { type: 'capture', paymentId },
  ]);
  expect(capturedMinorOf(payment)).toBe(1_000);
  expect(
    capturedMinorOf(
      told(true, answered(1_000), restarted, { type: 'captureAnswered', answer: { kind: 'done' } })
        .payment,
    ),
  ).toBe(1_000);
});

test('where the service captures all or nothing, all of it is captured: the goods are out', () => {
  const { payment } = told(false, answered(1_000));
  expect(payment).toMatchObject({ kind: 'capturing' });
  expect(capturedMinorOf(payment)).toBe(sale.amountMinor);
});

test('all of the goods is all of the money', () => {
  const { payment, events } = told(true, answered(sale.amountMinor));
  expect(events.at(-1)).toEqual({ type: 'tillAcknowledged' });
  expect(payment).not.toHaveProperty('reservation');
});

test.each([0, -1, 0.5, sale.amountMinor + 1])(
  '%d is no part: nothing is captured',
  (handedOutMinor) => {
    expect(told(true, answered(handedOutMinor)).payment).toMatchObject({
      kind: 'cancelling',
      reason: 'notDelivered',
    });
  },
);

test('a crash before the answer is on disk cancels, as it does with any other answer', () => {
  expect(told(true, restarted).payment).toMatchObject({
    kind: 'cancelling',
    reason: 'interrupted',
  });
});

test('of a reservation the part is captured at once; where that cannot be, it is held', () => {
  const reservation = { plannedCaptureDelay: 'LessThan24Hours' } as const;
  const held = (partly: boolean) => tell([created, reserved(partly), answered(1_000)], reservation);
  expect(held(true).payment).toMatchObject({
    kind: 'capturing',
    reservation: { captureMinor: 1_000 },
  });
  expect(outcomeOf(held(true).payment)).toEqual({ paid: true });
  expect(held(false).payment).toMatchObject({ kind: 'held', reservation: { captureMinor: null } });
});
