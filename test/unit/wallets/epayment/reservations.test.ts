/**
 * Reservations for days on the ePayment service: a real lane, its journal, the client, and the
 * simulated service over real HTTP.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BookingRequest } from '../../../../main/core/lane/till-port.ts';
import { type EpaymentLane, money, openEpaymentLane, until } from './epayment-lane-support.ts';

const dayMs = 24 * 3_600_000;
const whole = money.amountMinor;
let opened: EpaymentLane;

beforeEach(async () => {
  opened = await openEpaymentLane({ plannedCaptureDelay: 'LessThan14Days' }, 60);
  await opened.lane.start();
});
afterEach(() => opened.close());

const captures = (areAllowed: boolean) =>
  opened.bench.act('set-sales-unit', { msn: '123456', mayCaptureParts: areAllowed });
const fault = (...faults: Parameters<EpaymentLane['bench']['simulator']['faults']['add']>) =>
  opened.bench.simulator.faults.add(...faults);
const last = (saleId: string) => opened.journal.story(saleId).at(-1)?.event;

async function hold(): Promise<string> {
  const answer = opened.commands.requestSale({ ...money, reserve: true });
  if (!answer.accepted) throw new Error(answer.reason);
  const { reference } = await opened.isThere();
  await opened.bench.act('approve', { reference });
  await until(() => expect(opened.lane.snapshot().reservations).toHaveLength(1));
  return answer.sale.saleId;
}
/** The till asks, and acknowledges the result. */
function book(kind: BookingRequest['what']['kind'], amountMinor: number | null): string {
  const answer = opened.commands.requestBooking({
    receiptNumber: 1,
    traceNumber: null,
    what: { kind, amountMinor },
    currency: 'DKK',
  });
  return answer.accepted ? opened.commands.endBooking(answer.booking, true) : answer.reason;
}

test('is told as reserved, with until when the service guarantees it, and nothing is captured', async () => {
  await hold();
  expect(opened.till.outcomes).toEqual([{ paid: false, reason: 'held' }]);
  const [reservation] = opened.lane.snapshot().reservations;
  expect(reservation).toMatchObject({ partialCapturePossible: false, isEndingSoon: false });
  expect(((reservation?.expiresAtMs ?? 0) - Date.now()) / dayMs).toBeCloseTo(7, 1);
  expect(await opened.bench.payment()).toMatchObject({
    state: 'AUTHORIZED',
    captured: 0,
    cancelled: 0,
  });
});

test('whose last day has come is told before it ends; the service ends it after 14 days', async () => {
  fault({ operation: 'createEpayment', kind: 'clockJump', jumpMs: -6.5 * dayMs });
  await hold();
  expect(opened.lane.snapshot().reservations).toMatchObject([{ isEndingSoon: true }]);
  expect(opened.commands.openReservations()).toMatchObject([{ isEndingSoon: true }]);
  const { reference } = await opened.bench.payment();
  await opened.bench.simulator.advance(15 * dayMs);
  expect(
    await opened.bench.counter.watch(reference).poll(AbortSignal.timeout(5_000)),
  ).toMatchObject({ kind: 'seen', status: 'expired' });
});

test('is captured whole by the till that asked for it', async () => {
  const saleId = await hold();
  expect(book('used', null)).toBe('booked');
  await until(() => expect(last(saleId)).toMatchObject({ type: 'captured' }));
  expect(await opened.bench.payment()).toMatchObject({ captured: whole, cancelled: 0 });
});

test('is given back by a manager', async () => {
  const saleId = await hold();
  expect(opened.lane.releaseReservation(saleId)).toMatchObject({ accepted: true });
  await until(() =>
    expect(last(saleId)).toMatchObject({ type: 'ended', reason: 'cancelledByManager' }),
  );
  expect(await opened.bench.payment()).toMatchObject({ captured: 0, cancelled: whole });
});

test('of which the sales unit captures all or nothing: a part is refused, and it stays as it was', async () => {
  await hold();
  expect(book('used', 5_000)).toBe('wholeAmountOnly');
  expect(opened.lane.snapshot().reservations).toHaveLength(1);
  expect(await opened.bench.payment()).toMatchObject({ captured: 0, cancelled: 0 });
});

describe('of which the sales unit captures a part', () => {
  beforeEach(() => captures(true));

  test('has that captured, and the rest released', async () => {
    const saleId = await hold();
    expect(opened.lane.snapshot().reservations).toMatchObject([{ partialCapturePossible: true }]);
    expect(book('used', 5_000)).toBe('booked');
    await until(() => expect(last(saleId)).toMatchObject({ type: 'captured' }));
    expect(await opened.bench.payment()).toMatchObject({
      captured: 5_000,
      cancelled: whole - 5_000,
    });
    expect(
      opened.commands.requestRefund({ receiptNumber: 2, amountMinor: null, currency: 'DKK' }),
    ).toMatchObject({ accepted: true });
    await until(() => expect(opened.till.refundOutcomes).toEqual([{ refunded: true }]));
    expect(await opened.bench.payment()).toMatchObject({ refunded: 5_000 });
  });

  test.each([
    ['the answer to the capture is lost', { operation: 'captureEpayment', kind: 'resetAfter' }],
    [
      'the rest is not released at once',
      { operation: 'cancelEpayment', kind: 'status500', times: 2 },
    ],
    ['the answer to the release is lost', { operation: 'cancelEpayment', kind: 'status500After' }],
  ] as const)('and %s: captured once, and the rest is released once', async (_what, planned) => {
    const saleId = await hold();
    fault(planned);
    expect(book('used', 5_000)).toBe('booked');
    await until(() => expect(last(saleId)).toMatchObject({ type: 'captured' }));
    const { captured, cancelled, events } = await opened.bench.payment();
    expect([captured, cancelled]).toEqual([5_000, whole - 5_000]);
    expect(events.map(({ name }) => name)).toEqual([
      'CREATED',
      'AUTHORIZED',
      'CAPTURED',
      'CANCELLED',
    ]);
  });

  test('is not captured a second time when the service no longer remembers the key', async () => {
    await hold();
    const { reference } = await opened.bench.payment();
    fault({ operation: 'captureEpayment', kind: 'resetAfter' });
    const part = { amountMinor: 5_000, currency: 'DKK' } as const;
    expect(await opened.bench.counter.capture(reference, part, 0, whole)).toMatchObject({
      kind: 'unknown',
    });
    await opened.bench.simulator.advance(3 * dayMs);
    expect(await opened.bench.counter.capture(reference, part, 0, whole)).toEqual({ kind: 'done' });
    expect(await opened.bench.payment()).toMatchObject({
      captured: 5_000,
      cancelled: whole - 5_000,
    });
  });
});
