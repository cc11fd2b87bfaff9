import { describe, expect, test } from 'vitest';
import { certaintyOf, moneyKnownOf, outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import type { Refund } from '../../../../main/core/settlement/refund.ts';
import type { Payment } from '../../../../main/core/settlement/payment.ts';
import { paymentStates, refundStates } from '../../../../main/core/settlement/states.ts';
import type { MoneyKnown } from '../../../../main/core/domain/sale.ts';
import {
  acknowledged,
  created,
  paymentId,
  polled,
  refundId,
  refundRequest,
  reserved,
  sale,
  stop,
  tell,
} from './support.ts';

test('an outcome is ours alone until the service confirms it, and contested once the service says otherwise', () => {
  const certainty = (...inputs: Parameters<typeof tell>[0]) => {
    const { payment } = tell(inputs);
    return outcomeOf(payment) === null ? null : certaintyOf(payment);
  };
  expect(certainty(created)).toBeNull();
  expect(certainty(created, stop('tillGone'))).toBe('decided');
  expect(
    certainty(created, stop('tillGone'), { type: 'cancelAnswered', answer: { kind: 'done' } }),
  ).toBe('confirmed');
  expect(certainty(...acknowledged)).toBe('decided');
  expect(certainty(...acknowledged, { type: 'captureAnswered', answer: { kind: 'done' } })).toBe(
    'confirmed',
  );
  expect(certainty(created, polled('captured'))).toBe('contested');
});

describe('what is known about the money', () => {
  const key = 'key-1';
  const reservation = { expiresAtMs: null, partialCapturePossible: false, captureMinor: null };
  const cancelling = { sale, kind: 'cancelling', idempotencyKey: key, failedAttempts: 0 } as const;
  const payments: readonly (readonly [Payment, MoneyKnown])[] = [
    [{ sale, kind: 'creating', idempotencyKey: key, clearedBefore: false }, 'undecided'],
    [{ sale, kind: 'resolving', idempotencyKey: key }, 'undecided'],
    [{ sale, kind: 'clearing' }, 'undecided'],
    [{ sale, kind: 'awaiting', paymentId, status: 'issuedToUser', stop: null }, 'undecided'],
    [{ sale, kind: 'offering', paymentId }, 'undecided'],
    [{ sale, kind: 'held', paymentId, reservation }, 'reserved'],
    [{ sale, kind: 'capturing', paymentId, failedAttempts: 0 }, 'moving'],
    // The create request was never answered, so no text may speak of a reservation.
    [{ ...cancelling, paymentId: null, reason: 'cancelledByCashier' }, 'perhapsUnheard'],
    [{ ...cancelling, paymentId, reason: 'cancelledByCashier' }, 'perhapsApproved'],
    [{ ...cancelling, paymentId, reason: 'interrupted' }, 'perhapsApproved'],
    [{ ...cancelling, paymentId, reason: 'notDelivered' }, 'releasing'],
    [{ ...cancelling, paymentId, reason: 'amountMismatch' }, 'releasing'],
    [{ ...cancelling, paymentId, reservation, reason: 'cancelledByManager' }, 'releasing'],
    [{ sale, kind: 'paid', paymentId }, 'moved'],
    [{ sale, kind: 'notPaid', paymentId, reason: 'timedOut' }, 'notMoved'],
    [{ sale, kind: 'notPaid', paymentId: null, reason: 'timedOut' }, 'notMoved'],
    [{ sale, kind: 'elsewhere', paymentId, refundedMinor: 0 }, 'moved'],
    [{ sale, kind: 'needsPerson', paymentId, problem: 'captureLost', toldDone: true }, 'lost'],
    [
      {
        sale,
        kind: 'needsPerson',
        paymentId,
        problem: 'otherAmountCaptured',
        toldDone: true,
        movedMinor: 1,
      },
      'otherAmount',
    ],
    [
      { sale, kind: 'needsPerson', paymentId, problem: 'capturedUnasked', toldDone: false },
      'unasked',
    ],
  ];
  const request = refundRequest;
  const refundCancelling = {
    request,
    kind: 'cancelling',
    idempotencyKey: key,
    failedAttempts: 0,
  } as const;
  const refunds: readonly (readonly [Refund, MoneyKnown])[] = [
    [{ request, kind: 'creating', idempotencyKey: key }, 'undecided'],
    [{ request, kind: 'resolving', idempotencyKey: key }, 'undecided'],
    [{ request, kind: 'awaiting', refundId }, 'undecided'],
    [{ request, kind: 'offering', refundId }, 'undecided'],
    [{ request, kind: 'capturing', refundId, failedAttempts: 0 }, 'moving'],
    [{ ...refundCancelling, refundId: null, reason: 'timedOut' }, 'perhapsUnheard'],
    [{ ...refundCancelling, refundId, reason: 'timedOut' }, 'perhapsApproved'],
    [{ ...refundCancelling, refundId, reason: 'notDelivered' }, 'releasing'],
    [{ request, kind: 'refunded', refundId }, 'moved'],
    [{ request, kind: 'notRefunded', refundId: null, reason: 'tooOld' }, 'notMoved'],
    [{ request, kind: 'needsPerson', refundId, problem: 'refundLost', toldDone: true }, 'lost'],
    [
      { request, kind: 'needsPerson', refundId, problem: 'refundUnseen', toldDone: false },
      'unseen',
    ],
    [
      { request, kind: 'needsPerson', refundId, problem: 'paidOutUnasked', toldDone: false },
      'unasked',
    ],
  ];

  test('of a payment and of a refund, in every state', () => {
    for (const [state, known] of [...payments, ...refunds])
      expect([state.kind, moneyKnownOf(state)]).toEqual([state.kind, known]);
    expect(new Set(payments.map(([{ kind }]) => kind))).toEqual(new Set(paymentStates));
    expect(new Set(refunds.map(([{ kind }]) => kind))).toEqual(new Set(refundStates));
  });

  test('follows from the story alone: asked for while nobody answered, approved, reserved and not delivered', () => {
    const known = (...inputs: Parameters<typeof tell>[0]) => moneyKnownOf(tell(inputs).payment);
    expect(known(stop('cancelledByCashier'))).toBe('perhapsUnheard');
    expect(
      known(stop('cancelledByCashier'), {
        type: 'createAnswered',
        answer: { kind: 'created', paymentId },
      }),
    ).toBe('perhapsApproved');
    expect(known(...reserved, { type: 'tillAnswered', acknowledged: false })).toBe('releasing');
  });
});
