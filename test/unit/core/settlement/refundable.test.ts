import { expect, test } from 'vitest';
import { replayRefund } from '../../../../main/core/settlement/apply.ts';
import type { RefundEvent } from '../../../../main/core/settlement/refund.ts';
import {
  refundableUntilMs,
  notLeft,
  refundable,
} from '../../../../main/core/settlement/refundable.ts';
import { capabilities, refundId, refundRequest, sale } from './support.ts';

const refundOf = (amountMinor: number, ...events: readonly RefundEvent[]) =>
  replayRefund([
    {
      type: 'refundRequested',
      request: { ...refundRequest, amountMinor, by: { kind: 'manager', name: 'Anna' } },
    },
    ...events,
  ]);
const created = { type: 'created', refundId } as const;
const done = [created, { type: 'captureIntended' }, { type: 'captured' }] as const;
const given = (...refunds: readonly ReturnType<typeof refundOf>[]) =>
  refundable({ sale, capturedMinor: sale.amountMinor }, refunds, capabilities);

test('what is left is what was neither refunded nor may be', () => {
  expect(given()).toMatchObject({
    refundedMinor: 0,
    openMinor: 0,
    leftMinor: 1234,
    askAgainMinutes: null,
  });
  const ended = refundOf(100, { type: 'ended', reason: 'balanceTooLow' });
  expect(given(refundOf(200, ...done), refundOf(300, created), ended)).toMatchObject({
    refundedMinor: 200,
    openMinor: 300,
    leftMinor: 734,
    askAgainMinutes: 1,
  });
});

test('when what is open should be known is told in minutes, and not at all while a person has to see to it', () => {
  const failed = Array.from({ length: 20 }, () => ({ type: 'attemptFailed', detail: '' }) as const);
  const cancelling = refundOf(
    100,
    created,
    { type: 'cancelIntended', reason: 'tillGone' },
    ...failed,
  );
  expect(given(cancelling).askAgainMinutes).toBe(6);
  expect(
    given(cancelling, refundOf(100, created, { type: 'personNeeded', problem: 'paidOutUnasked' }))
      .askAgainMinutes,
  ).toBeNull();
});

test('what only may have been refunded is not told as refunded', () => {
  const open = given(refundOf(234, ...done), refundOf(900, created));
  expect(open.leftMinor).toBe(100);
  expect([null, 100, 101, 1000, 1001].map((minor) => notLeft(open, minor))).toEqual([
    null,
    null,
    'refundOpen',
    'refundOpen',
    'amountTooHigh',
  ]);
  expect(notLeft(given(refundOf(334, ...done), refundOf(900, created)), null)).toBe('refundOpen');
  expect(notLeft(given(refundOf(1234, ...done)), null)).toBe('alreadyRefunded');
});

test('how long a payment can be refunded is what the service can do', () => {
  expect(given().untilMs).toBe(sale.startedAtMs + 90 * 24 * 60 * 60 * 1_000);
  expect(
    refundable({ sale, capturedMinor: sale.amountMinor }, [], { ...capabilities, refundDays: 2 })
      .untilMs,
  ).toBe(sale.startedAtMs + 2 * 24 * 3_600_000);
});

test.each([0, 5_000, Date.UTC(2000, 0, 1)])(
  'a payment that was dated %i by a clock without a battery has no age',
  (startedAtMs) => {
    expect(
      refundableUntilMs(
        refundable(
          { sale: { ...sale, startedAtMs }, capturedMinor: sale.amountMinor },
          [],
          capabilities,
        ),
      ),
    ).toBeNull();
    const untilMs = Date.UTC(2026, 10, 28);
    expect([refundableUntilMs({ untilMs }), refundableUntilMs({ untilMs: null })]).toEqual([
      untilMs,
      null,
    ]);
  },
);
