import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import type { PaymentByHand } from '../../../../main/core/lane/by-hand.ts';
import type { PollAnswer } from '../../../../main/core/lane/wallet-port.ts';
import { settled } from '../../support/manual-clock.ts';
import { reserved, World } from './support.ts';

const dayMs = 24 * 3_600_000;
const settings = { plannedCaptureDelay: 'LessThan14Days' } as const;
const actionId = 'ac700000-0000-4000-8000-000000000001';
const saleId = screenPaymentId(actionId);

let world: World;
let heldAnswer: Extract<PollAnswer, { kind: 'seen' }>;
beforeEach(async () => {
  world = await new World(undefined, settings).open();
  heldAnswer = {
    ...reserved,
    expiresAtMs: world.clock.wallMs() + 7 * dayMs,
    partialCapturePossible: true,
  };
});
afterEach(() => world.remove());

const byHand = (about: Partial<PaymentByHand> = {}): PaymentByHand => ({
  actionId,
  amountMinor: 1234,
  orderText: null,
  reserve: true,
  ...about,
});
async function hold(): Promise<void> {
  world.pollAnswers = [heldAnswer];
  expect(world.lane.payByHand(byHand())).toMatchObject({ accepted: true });
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().reservations).toMatchObject([
    { saleId, amountMinor: 1234, partialCapturePossible: true, isEndingSoon: false },
  ]);
}
async function startAnew(): Promise<void> {
  world.close();
  world = await new World(world.folder, settings).open();
}

describe('a reservation', () => {
  test('is made where the lane takes them, and leaves the lane free', async () => {
    await hold();
    expect(world.whatLeft()).toEqual(['create']);
    const { current, result, unsettled, takesReservations, condition } = world.lane.snapshot();
    expect({ current, unsettled, takesReservations, condition }).toEqual({
      current: null,
      unsettled: [],
      takesReservations: true,
      condition: { kind: 'open' },
    });
    expect(result).toMatchObject({ saleId, outcome: { paid: false, reason: 'held' } });
    expect(world.lane.isUndecided).toBe(false);
    expect(world.lane.payByHand(byHand({ reserve: false }))).toEqual({
      accepted: false,
      reason: 'actionUsed',
    });
  });

  test('is refused by name where it does not', async () => {
    const other = await new World().open();
    expect(other.lane.payByHand(byHand())).toEqual({ accepted: false, reason: 'noReservations' });
    expect(other.whatLeft()).toEqual([]);
    other.remove();
  });

  test('is held across a restart, in which nothing is cancelled and the lane opens', async () => {
    await hold();
    world.close();
    world = new World(world.folder, settings);
    world.pollAnswers = [heldAnswer];
    world.openPayments = [
      {
        paymentId: 'fa1e0000-0000-4000-8000-000000000001',
        orderId: world.journal.newestSales('1', 1)[0]?.sale.orderId ?? '',
        isActive: true,
      },
    ];
    await world.open();
    await world.clock.pass(2_000);
    expect(world.lane.snapshot()).toMatchObject({
      condition: { kind: 'open' },
      reservations: [{ saleId }],
    });
    expect(world.whatLeft()).toEqual([]);
  });

  test('is asked about after a restart at the pace that the service named last, which is written once', async () => {
    world.pollAnswers = [
      { ...reserved, status: 'issuedToUser', pollDelayMs: 7_000 },
      { ...heldAnswer, pollDelayMs: 9_000 },
    ];
    world.lane.payByHand(byHand());
    await world.clock.pass(2_000);
    const restart = async (answer: PollAnswer): Promise<(number | null)[]> => {
      world.close();
      world = new World(world.folder, settings);
      world.pollAnswers = [answer];
      await world.open();
      await world.clock.pass(2_000);
      return world.waitedFirst;
    };
    expect(await restart({ ...heldAnswer, pollDelayMs: 9_000 })).toEqual([9_000]);
    expect(await restart(heldAnswer)).toEqual([9_000]);
    expect(await restart(heldAnswer)).toEqual([null]);
    const named = world.journal
      .story(saleId)
      .flatMap(({ event }) => (event.type === 'pollDelayNamed' ? [event.delayMs] : []));
    expect(named).toEqual([7_000, 9_000, null]);
  });

  test('that is all that is open at a restart ends when the service says so', async () => {
    await hold();
    world.close();
    world = new World(world.folder, settings);
    world.pollAnswers = [{ ...reserved, status: 'expired' }];
    await world.open();
    await world.clock.pass(2_000);
    expect(world.lane.snapshot()).toMatchObject({
      reservations: [],
      recent: [{ outcome: { paid: false, reason: 'expired' } }],
    });
  });

  test('is captured with less: the amount is on disk first, and is what a refund can give back', async () => {
    await hold();
    expect(world.lane.captureReservation(saleId, 1_000, 'Anna')).toEqual({ accepted: true });
    await settled();
    expect(world.onDiskWhen('capture')?.at(-1)).toBe('captureIntended');
    expect(world.captured).toEqual([{ amountMinor: 1_000, currency: 'DKK' }]);
    expect(world.lane.snapshot()).toMatchObject({
      reservations: [],
      result: null,
      recent: [{ outcome: { paid: true }, amountMinor: 1234, capturedMinor: 1_000 }],
    });
    expect(world.lane.captureReservation(saleId, 1_000, 'Anna')).toEqual({ accepted: true });
    expect(world.lane.captureReservation(saleId, 999, 'Anna')).toEqual({
      accepted: false,
      reason: 'notHeld',
    });
    expect(world.lane.releaseReservation(saleId)).toEqual({ accepted: false, reason: 'notHeld' });
    const refund = { sale: { saleId }, note: null, name: 'Anna' };
    expect(world.lane.refundByManager({ ...refund, actionId: 'r1', amountMinor: 1_001 })).toEqual({
      accepted: false,
      reason: 'amountTooHigh',
    });
    expect(
      world.lane.refundByManager({ ...refund, actionId: 'r2', amountMinor: null }),
    ).toMatchObject({ accepted: true, refund: { amountMinor: 1_000 } });
    expect(world.captured).toHaveLength(1);
  });

  test('is not captured with what the service does not allow, or the disk does not keep', async () => {
    heldAnswer = { ...reserved, expiresAtMs: null, partialCapturePossible: false };
    world.pollAnswers = [heldAnswer];
    world.lane.payByHand(byHand());
    await world.clock.pass(2_000);
    const refused = (amountMinor: number) =>
      world.lane.captureReservation(saleId, amountMinor, 'Anna');
    expect([1_235, 0, 1_000].map(refused)).toEqual(
      ['amountTooHigh', 'amountTooSmall', 'wholeAmountOnly'].map((reason) => ({
        accepted: false,
        reason,
      })),
    );
    world.diskWorks = false;
    expect(refused(1234)).toEqual({ accepted: false, reason: 'storageFailed' });
    expect(world.lane.releaseReservation(saleId)).toEqual({
      accepted: false,
      reason: 'storageFailed',
    });
    await world.clock.pass(10_000);
    expect(world.whatLeft()).toEqual(['create']);
    world.diskWorks = true;
    expect(refused(1234)).toEqual({ accepted: true });
  });

  test('is given back by a manager, again after a lost answer, and of no other lane', async () => {
    await hold();
    expect(world.lane.releaseReservation('ac700000-0000-4000-8000-000000000002')).toEqual({
      accepted: false,
      reason: 'notHeld',
    });
    expect(world.lane.releaseReservation(saleId)).toEqual({ accepted: true });
    await settled();
    expect(world.onDiskWhen('cancel')?.at(-1)).toBe('cancelIntended');
    await startAnew();
    expect(world.lane.releaseReservation(saleId)).toEqual({ accepted: true });
    expect(world.lane.snapshot()).toMatchObject({
      reservations: [],
      recent: [{ outcome: { paid: false, reason: 'cancelledByManager' } }],
    });
  });

  test('is warned about on its last day, and ends when the service says so', async () => {
    await hold();
    world.pollAnswers = Array.from({ length: 40 }, () => heldAnswer);
    await world.clock.pass(6 * dayMs - 60_000);
    expect(world.lane.snapshot().reservations).toMatchObject([{ isEndingSoon: false }]);
    await world.clock.pass(120_000);
    expect(world.lane.snapshot().reservations).toMatchObject([{ isEndingSoon: true }]);
    await world.clock.pass(dayMs);
    expect(world.lane.snapshot().reservations).toMatchObject([{ saleId }]);
    world.pollAnswers = [{ ...reserved, status: 'expired' }];
    await world.clock.pass(20 * 60_000);
    expect(world.lane.snapshot()).toMatchObject({
      reservations: [],
      recent: [{ outcome: { paid: false, reason: 'expired' } }],
    });
  });
});
