import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { reserved, World } from '../../core/lane/support.ts';
import {
  actionId,
  ask,
  dayMs,
  openManagerWorld,
  replaceWorld,
  value,
  world,
} from './manager-world.ts';

openManagerWorld();

describe('reservations that are held', () => {
  const reservedAction = 'ac700000-0000-4000-8000-000000000009';
  const reservedId = screenPaymentId(reservedAction);

  beforeEach(async () => {
    await replaceWorld(new World(undefined, { plannedCaptureDelay: 'LessThan24Hours' }));
    world.pollAnswers = [
      { ...reserved, expiresAtMs: world.clock.wallMs() + 7 * dayMs, partialCapturePossible: true },
    ];
    world.lane.payByHand({
      actionId: reservedAction,
      amountMinor: 1234,
      orderText: null,
      reserve: true,
    });
    await world.clock.pass(2_000);
  });

  const whole = { laneId: '1', saleId: reservedId } as const;

  test('are listed with their last day, are open in the day, and are not paid', async () => {
    expect(await value('reservations', {})).toMatchObject({
      reservations: [
        {
          saleId: reservedId,
          laneName: 'Check-out 1',
          amountMinor: 1234,
          expiresAtMs: world.clock.wallMs() - 2_000 + 7 * dayMs,
          isEndingSoon: false,
        },
      ],
    });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      lanes: [],
      open: [{ saleId: reservedId, intent: 'held', needsPerson: false }],
    });
    expect(await value('saleStory', { saleId: reservedId })).toMatchObject({
      sale: { state: 'held', capturedMinor: null },
      notRefundable: 'held',
      reason: null,
    });
    expect(
      await ask('refund', { actionId, saleId: reservedId, amountMinor: 1, note: 'x' }),
    ).toMatchObject({ ok: false, code: 'held' });
  });

  test('are captured with less: the day and lists show what was captured, the payment both', async () => {
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_000 })).toMatchObject({
      ok: true,
    });
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_000 })).toMatchObject({
      ok: true,
    });
    await world.clock.pass(1_000);
    expect(await value('reservations', {})).toEqual({ reservations: [] });
    expect(await value('day', { day: null, laneId: null })).toMatchObject({
      lanes: [{ payments: { count: 1, sumMinor: 1_000 } }],
      open: [],
    });
    expect(await value('findSales', { saleId: reservedId })).toMatchObject({
      sales: [{ amountMinor: 1234, capturedMinor: 1_000, state: 'paid' }],
    });
    expect(await value('saleStory', { saleId: reservedId })).toMatchObject({
      sale: { amountMinor: 1234, capturedMinor: 1_000 },
      leftMinor: 1_000,
    });
    expect(await ask('cancelReservation', whole)).toMatchObject({
      ok: false,
      code: 'notHeld',
      field: 'saleId',
    });
  });

  test('count on the day on which they are captured, and in the closing after it, once', async () => {
    const before = await value('closeDay', { laneId: null });
    expect(before).toMatchObject({ lanes: [], open: [{ saleId: reservedId, intent: 'held' }] });
    const [reservedOn] = [(await value('day', { day: null, laneId: null })).day];
    world.pollAnswers = Array.from({ length: 20 }, () => ({ ...reserved, expiresAtMs: null }));
    await world.clock.pass(2 * dayMs);
    await ask('captureReservation', { ...whole, amountMinor: 1_000 });
    await world.clock.pass(1_000);
    expect((await value('day', { day: reservedOn ?? null, laneId: null })).lanes).toEqual([]);
    expect((await value('day', { day: null, laneId: null })).lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 1_000 } },
    ]);
    expect((await value('closeDay', { laneId: null })).lanes).toMatchObject([
      { payments: { count: 1, sumMinor: 1_000 } },
    ]);
    await world.clock.pass(1_000);
    expect((await value('closeDay', { laneId: null })).lanes).toEqual([]);
  });

  test('are refused by field and rule when the amount is not in them', async () => {
    expect(await ask('captureReservation', { ...whole, amountMinor: 1_235 })).toMatchObject({
      ok: false,
      code: 'amountTooHigh',
      field: 'amountMinor',
    });
    expect(await ask('captureReservation', { ...whole, amountMinor: 0 })).toMatchObject({
      ok: false,
      code: 'invalid',
      field: 'amountMinor',
    });
    expect(
      await ask('captureReservation', { ...whole, laneId: '7', amountMinor: 1 }),
    ).toMatchObject({ ok: false, code: 'laneNotReady', field: 'laneId' });
    expect(await ask('cancelReservation', whole)).toMatchObject({ ok: true });
    expect(await ask('captureReservation', { ...whole, amountMinor: 1 })).toMatchObject({
      ok: false,
      code: 'notHeld',
    });
  });
});
