/**
 * What a till over HTTP is told about money that needs a person, which is no more than is known.
 */
import { expect, test } from 'vitest';
import type { HttpCounter } from '../../../../main/tills/http/lane.ts';
import { ApiPayment, ApiRefund } from '../../../../main/tills/http/schemas.ts';
import { paymentView, refundView } from '../../../../main/tills/http/views.ts';
import { paymentId, refundId, refundRequest, sale } from '../../core/settlement/support.ts';

const counter = {
  lane: { refundsOf: () => [], snapshot: () => ({ current: null }) },
  till: { customerOf: () => null },
} as unknown as HttpCounter;
const request = { ...refundRequest, saleId: sale.saleId };

test('of which another amount was captured: how much, and the problem', () => {
  const view = paymentView(
    {
      sale,
      kind: 'needsPerson',
      paymentId,
      problem: 'otherAmountCaptured',
      toldDone: true,
      movedMinor: 5,
    },
    counter,
  );
  expect(ApiPayment.parse(view)).toMatchObject({
    status: 'paid',
    money: 'otherAmount',
    problem: 'otherAmountCaptured',
    movedMinor: 5,
    amountMinor: sale.amountMinor,
  });
  expect(paymentView({ sale, kind: 'paid', paymentId }, counter)).toMatchObject({
    money: 'moved',
    problem: null,
    movedMinor: null,
  });
});

test('what is refunded of it is what is decided; what may still be paid out is told apart, and what has ended is in neither', () => {
  const refunds: [amountMinor: number, refund: object][] = [
    [1, { kind: 'refunded', refundId }],
    [2, { kind: 'capturing', refundId }],
    [4, { kind: 'notRefunded', refundId, reason: 'timedOut' }],
    [10, { kind: 'creating' }],
    [20, { kind: 'awaiting', refundId }],
    [40, { kind: 'cancelling', refundId, reason: 'cancelledByTill', failedAttempts: 0 }],
    [100, { kind: 'needsPerson', refundId, problem: 'refundUnseen', toldDone: false }],
    [200, { kind: 'needsPerson', refundId, problem: 'paidOutUnasked', toldDone: false }],
    [400, { kind: 'needsPerson', refundId, problem: 'refundLost', toldDone: true }],
  ];
  const states = refunds.map(([amountMinor, refund]) => ({
    ...refund,
    request: { ...request, amountMinor },
  }));
  const view = paymentView(
    { sale, kind: 'paid', paymentId },
    { ...counter, lane: { ...counter.lane, refundsOf: () => states as never } },
  );
  expect(ApiPayment.parse(view)).toMatchObject({ refundedMinor: 3, refundOpenMinor: 770 });
  expect(paymentView({ sale, kind: 'paid', paymentId }, counter)).toMatchObject({
    refundedMinor: 0,
    refundOpenMinor: 0,
  });
});

test('a refund that the service does not show is pending, with the problem: it may still become either', () => {
  const view = refundView({
    request,
    kind: 'needsPerson',
    refundId,
    problem: 'refundUnseen',
    toldDone: false,
  });
  expect(ApiRefund.parse(view)).toMatchObject({
    status: 'pending',
    reason: null,
    money: 'unseen',
    problem: 'refundUnseen',
  });
  expect(
    refundView({
      request,
      kind: 'needsPerson',
      refundId,
      problem: 'paidOutUnasked',
      toldDone: false,
    }),
  ).toMatchObject({
    status: 'notRefunded',
    problem: 'paidOutUnasked',
  });
});
