import { describe, expect, test } from 'vitest';
import type { Payment, PaymentInput } from '../../../../main/core/settlement/payment.ts';
import { outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import {
  capturedMinorOf,
  isEndingSoon,
  reservationPauseMs,
  warnedBeforeMs,
  whyNotCaptured,
} from '../../../../main/core/settlement/reservation.ts';
import { created, paymentId, polled, restarted, sale, stop, tell } from './support.ts';

const expiresAtMs = 7 * 24 * 3_600_000;
const asReservation = { by: 'cashier', plannedCaptureDelay: 'LessThan14Days' } as const;
const reserved = (partialCapturePossible = true): PaymentInput => ({
  type: 'polled',
  status: 'reserved',
  amountMinor: sale.amountMinor,
  currency: 'DKK',
  expiresAtMs,
  partialCapturePossible,
});
const held = (...inputs: readonly PaymentInput[]) =>
  tell(
    [
      created,
      polled('issuedToUser'),
      reserved(),
      { type: 'tillAnswered', acknowledged: true },
      ...inputs,
    ],
    asReservation,
  );
const capture = (amountMinor: number): PaymentInput => ({
  type: 'captureRequested',
  amountMinor,
  by: 'Anna',
});
const typesOf = ({ events }: ReturnType<typeof held>): string[] => events.map(({ type }) => type);

describe('a payment with a planned capture delay', () => {
  test('is held once it is reserved and told: nothing is captured, and nobody is told "paid"', () => {
    const { payment, effects } = held();
    expect(payment).toMatchObject({
      kind: 'held',
      reservation: { expiresAtMs, partialCapturePossible: true, captureMinor: null },
    });
    expect(effects).toEqual([
      { type: 'conclude', outcome: { paid: false, reason: 'held' } },
      { type: 'watchReservation', expiresAtMs },
    ]);
    expect(typesOf(held())).not.toContain('captureIntended');
  });

  test('is cancelled when nobody was told, and when the amount is not what was asked for', () => {
    expect(
      tell([created, reserved(), { type: 'tillAnswered', acknowledged: false }], asReservation)
        .payment,
    ).toMatchObject({ reason: 'notDelivered' });
    expect(tell([created, reserved(), restarted], asReservation).payment).toMatchObject({
      kind: 'cancelling',
      reason: 'interrupted',
    });
    expect(tell([created, polled('reserved', 1)], asReservation).payment).toMatchObject({
      kind: 'cancelling',
      reason: 'amountMismatch',
    });
  });

  test('stays held across restarts, deadlines and whoever wants out of a sale', () => {
    for (const input of [
      restarted,
      stop('timedOut'),
      stop('interrupted'),
      stop('cancelledByTill'),
      stop('tillGone'),
    ])
      expect(held(input).payment).toEqual(held().payment);
    expect(held(restarted).effects).toEqual([{ type: 'poll', paymentId }]);
  });

  test('is captured with less, the decision on disk before the request, and only once', () => {
    const { payment, events, effects } = held(capture(1_000));
    expect(payment).toMatchObject({ kind: 'capturing', reservation: { captureMinor: 1_000 } });
    expect(events.at(-1)).toEqual({ type: 'captureIntended', amountMinor: 1_000, by: 'Anna' });
    expect(effects).toEqual([{ type: 'capture', paymentId }]);
    expect(capturedMinorOf(payment)).toBe(1_000);
    const again = held(capture(1_000), capture(900), {
      type: 'captureAnswered',
      answer: { kind: 'done' },
    });
    expect(again.payment).toMatchObject({ kind: 'paid', reservation: { captureMinor: 1_000 } });
    expect(outcomeOf(again.payment)).toEqual({ paid: true });
    expect(typesOf(again).filter((type) => type === 'captureIntended')).toHaveLength(1);
  });

  test('is never captured with more than is reserved, with nothing, or with a part where the service takes the whole', () => {
    const payment = held().payment as Extract<Payment, { kind: 'held' }>;
    const whole: typeof payment = {
      ...payment,
      reservation: { ...payment.reservation, partialCapturePossible: false },
    };
    expect(
      [0, -1, 0.5, 1_235, 1_234, 1].map((amountMinor) => whyNotCaptured(payment, amountMinor)),
    ).toEqual(['amountTooSmall', 'amountTooSmall', 'amountTooSmall', 'amountTooHigh', null, null]);
    expect([1_234, 1_233].map((amountMinor) => whyNotCaptured(whole, amountMinor))).toEqual([
      null,
      'wholeAmountOnly',
    ]);
    for (const amountMinor of [0, 1_235])
      expect(held(capture(amountMinor)).payment).toEqual(payment);
  });

  test('is given back by intent, and that is repeated until it is confirmed', () => {
    const released = held({ type: 'releaseRequested', reason: 'cancelledByManager' });
    expect(released.effects).toEqual([{ type: 'cancel', paymentId }]);
    expect(released.events.at(-1)).toEqual({
      type: 'cancelIntended',
      reason: 'cancelledByManager',
    });
    const unanswered = held(
      { type: 'releaseRequested', reason: 'cancelledByManager' },
      { type: 'cancelAnswered', answer: { kind: 'unknown', detail: '' } },
    );
    expect(unanswered.payment).toMatchObject({ kind: 'cancelling', failedAttempts: 1 });
    expect(
      held({ type: 'releaseRequested', reason: 'cancelledByManager' }, capture(1)).payment.kind,
    ).toBe('cancelling');
  });

  test('ends when the service says so, and not by the clock', () => {
    expect(held({ type: 'retryDue' }).effects).toEqual([{ type: 'poll', paymentId }]);
    expect(held(reserved()).effects).toEqual([{ type: 'watchReservation', expiresAtMs }]);
    expect(held({ type: 'pollFailed', detail: '' }).effects).toEqual([
      { type: 'wait', delayMs: 300_000 },
    ]);
    expect(held(polled('expired')).payment).toMatchObject({ kind: 'notPaid', reason: 'expired' });
    expect(held(polled('cancelledByClient')).payment).toMatchObject({
      kind: 'notPaid',
      reason: 'cancelledByService',
    });
    expect(held({ type: 'pollNotFound' }).payment).toMatchObject({
      kind: 'notPaid',
      reason: 'cancelledByService',
    });
    expect(held(polled('captured')).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'capturedUnasked',
      toldDone: false,
    });
  });

  test('that has lapsed before its capture was confirmed is for a person', () => {
    const refused: PaymentInput = {
      type: 'captureAnswered',
      answer: { kind: 'refused', detail: '' },
    };
    expect(held(capture(5), refused, polled('expired')).payment).toMatchObject({
      kind: 'needsPerson',
      problem: 'captureLost',
      toldDone: true,
    });
  });
});

test('a reservation is asked about every six hours, when its last day begins, when it should have ended, and seldom after that', () => {
  const hourMs = 3_600_000;
  expect(reservationPauseMs(expiresAtMs, 0)).toBe(6 * hourMs);
  expect(reservationPauseMs(expiresAtMs, expiresAtMs - warnedBeforeMs - hourMs)).toBe(hourMs);
  expect(reservationPauseMs(expiresAtMs, expiresAtMs - 2 * hourMs)).toBe(2 * hourMs);
  expect(reservationPauseMs(expiresAtMs, expiresAtMs - 1)).toBe(60_000);
  expect(reservationPauseMs(expiresAtMs, expiresAtMs)).toBe(15 * 60_000);
  expect(reservationPauseMs(null, 0)).toBe(6 * hourMs);
  expect(
    [expiresAtMs - warnedBeforeMs - 1, expiresAtMs - warnedBeforeMs].map((nowMs) =>
      isEndingSoon({ expiresAtMs }, nowMs),
    ),
  ).toEqual([false, true]);
  expect(isEndingSoon({ expiresAtMs: null }, expiresAtMs)).toBe(false);
});
