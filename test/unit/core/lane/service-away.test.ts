import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { laneView } from '../../../../main/counter/server/lane-view.ts';
import { saleRefusal, refundRefusal } from '../../../../main/tills/zvt/result-codes.ts';
import type { LaneState } from '../../../../preload/contract.ts';
import { money, reserved, World } from './support.ts';

const actionId = '5a1e0000-0000-4000-8000-000000000077';
const refundAction = '5a1e0000-0000-4000-8000-000000000078';
const sinceMs = Date.UTC(2026, 10, 21, 13, 3);
const refused = { accepted: false, reason: 'serviceUnreachable' };

let world: World;
const screen = (): LaneState => laneView(world.lane.snapshot()).state;
async function sell(): Promise<number> {
  world.pollAnswers = [reserved];
  const answer = world.commands.requestSale(money);
  await world.clock.pass(20_000);
  return answer.accepted ? answer.sale.receiptNumber : 0;
}

beforeEach(async () => {
  world = await new World(undefined, {
    checkInFirst: true,
    plannedCaptureDelay: 'LessThan14Days',
  }).open();
});
afterEach(() => world.remove());

describe('while the service is away', () => {
  test('everybody is refused at once, and nothing is created', async () => {
    const receiptNumber = await sell();
    const before = world.whatLeft().length;
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(world.commands.requestSale(money)).toEqual(refused);
    expect(
      world.commands.requestRefund({ receiptNumber, amountMinor: null, currency: 'DKK' }),
    ).toEqual(refused);
    expect(world.lane.payByHand({ actionId, amountMinor: 100, orderText: null })).toEqual(refused);
    expect(
      world.lane.refundByManager({
        actionId: refundAction,
        sale: { receiptNumber },
        amountMinor: null,
        note: null,
        name: 'Bo',
      }),
    ).toEqual(refused);
    expect(world.commands.readiness()).toBe('notReady');
    await world.clock.pass(10_000);
    expect(world.whatLeft()).toHaveLength(before);
    expect(world.journal.openSales('1')).toEqual([]);
    expect(world.journal.openRefunds('1')).toEqual([]);
  });

  test('the till hears "no connection", and no code that makes it act by itself', () => {
    for (const { code, words } of [
      saleRefusal('serviceUnreachable'),
      refundRefusal('serviceUnreachable'),
    ]) {
      expect(code).toBe(0xa3);
      expect(words).not.toBeNull();
    }
  });

  test('the screens say so and since when, and nobody is invited', () => {
    world.lane.showsCode();
    expect(world.lane.snapshot().checkIn).not.toBeNull();
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(screen()).toEqual({
      kind: 'notReady',
      reason: 'serviceUnreachable',
      detail: null,
      sinceMs,
    });
    expect(world.lane.snapshot().checkIn).toBeNull();
  });

  test('the check-in is not looked up', async () => {
    world.lane.showsCode();
    await world.clock.pass(5_000);
    world.serviceSays({ awaySinceMs: sinceMs });
    const before = world.checkInLookUps;
    await world.clock.pass(60_000);
    expect(world.checkInLookUps).toBe(before);
  });

  test('all of it ends when the service answers', async () => {
    world.serviceSays({ awaySinceMs: sinceMs });
    world.serviceSays({ awaySinceMs: null });
    expect(screen()).toEqual({ kind: 'idle' });
    expect(world.commands.readiness()).toBe('ready');
    expect(await sell()).toBeGreaterThan(0);
  });

  test('a diagnosis of the till is told so, also while a payment runs', () => {
    expect(world.commands.hindrance()).toBeNull();
    world.commands.requestSale(money);
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(world.commands.readiness()).toBe('busy');
    expect(world.commands.hindrance()).toBe('serviceUnreachable');
  });

  test.each([
    [{ kind: 'unreachable', detail: 'ECONNREFUSED' }, 'serviceUnreachable'],
    [{ kind: 'credentialsRefused', detail: '401' }, 'needsPerson'],
    [{ kind: 'pointOfSaleRefused', detail: '403' }, 'needsPerson'],
  ] as const)('a lane that is answered %j at its opening: %s', async (answer, hindrance) => {
    const closed = new World();
    closed.openAnswer = answer;
    void closed.lane.start();
    expect(closed.lane.tillRequests.hindrance()).toBe('starting');
    await closed.clock.pass(1_000);
    expect(closed.lane.tillRequests.hindrance()).toBe(hindrance);
    closed.remove();
  });

  test('a full disk is told first: a person must act', () => {
    world.diskWorks = false;
    world.commands.requestSale(money);
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(screen()).toMatchObject({ kind: 'notReady', reason: 'storageFailed' });
  });

  test('an action that was accepted before is answered as before', async () => {
    const receiptNumber = await sell();
    const byHand = { actionId, amountMinor: 100, orderText: null };
    const refund = {
      actionId: refundAction,
      sale: { receiptNumber },
      amountMinor: null,
      note: null,
      name: 'Bo',
    };
    world.pollAnswers = [reserved];
    expect(world.lane.payByHand(byHand).accepted).toBe(true);
    await world.clock.pass(20_000);
    expect(world.lane.refundByManager(refund).accepted).toBe(true);
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(world.lane.payByHand(byHand).accepted).toBe(true);
    expect(world.lane.refundByManager(refund).accepted).toBe(true);
    expect(world.lane.refundByManager({ ...refund, amountMinor: 7 })).toMatchObject({
      accepted: false,
      reason: 'actionUsed',
    });
  });
});

describe('what has begun goes on', () => {
  test('a payment ends as it would', async () => {
    world.pollAnswers = [reserved];
    expect(world.commands.requestSale(money).accepted).toBe(true);
    world.serviceSays({ awaySinceMs: sinceMs });
    expect(screen()).toMatchObject({ kind: 'contactingService' });
    await world.clock.pass(2_000);
    expect(world.captured).toEqual([money]);
    expect(screen()).toMatchObject({ kind: 'paid' });
    await world.clock.pass(20_000);
    expect(screen()).toMatchObject({ kind: 'notReady' });
  });

  test('a cancel is tried, also one of a reservation that is held, and its capture', async () => {
    world.pollAnswers = [reserved, reserved];
    for (const id of [actionId, refundAction]) {
      expect(
        world.lane.payByHand({
          actionId: id,
          amountMinor: money.amountMinor,
          orderText: null,
          reserve: true,
        }).accepted,
      ).toBe(true);
      await world.clock.pass(20_000);
    }
    expect(world.commands.requestSale(money).accepted).toBe(true);
    world.serviceSays({ awaySinceMs: sinceMs });
    const saleId = world.lane.snapshot().current?.payment.sale.saleId ?? '';
    world.pollAnswers = [{ kind: 'seen', status: 'initiated', amountMinor: null, currency: null }];
    expect(world.lane.cancelByCashier(saleId)).toBe('cancelling');
    await world.clock.pass(20_000);
    expect(world.whatLeft()).toContain('cancel');
    expect(
      world.lane.captureReservation(screenPaymentId(actionId), money.amountMinor, 'Bo'),
    ).toEqual({ accepted: true });
    expect(world.lane.releaseReservation(screenPaymentId(refundAction))).toEqual({
      accepted: true,
    });
    await world.clock.pass(2_000);
    expect(world.captured).toEqual([money]);
    expect(world.whatLeft().filter((what) => what === 'cancel')).toHaveLength(2);
  });

  test('a capture that is not confirmed is repeated', async () => {
    world.pollAnswers = [reserved];
    world.settleAnswer = { kind: 'unknown', detail: 'ECONNREFUSED' };
    world.commands.requestSale(money);
    await world.clock.pass(2_000);
    world.serviceSays({ awaySinceMs: sinceMs });
    const before = world.captured.length;
    await world.clock.pass(60_000);
    expect(world.captured.length).toBeGreaterThan(before);
    world.settleAnswer = { kind: 'done' };
    await world.clock.pass(60_000);
    expect(world.lane.snapshot().unsettled).toEqual([]);
  });
});

describe('a payment about which the service does not answer', () => {
  const unanswered = async (): Promise<void> => {
    world.pollAnswers = [{ kind: 'seen', status: 'initiated', amountMinor: null, currency: null }];
    world.commands.requestSale(money);
    await world.clock.pass(1_500);
    expect(screen()).toMatchObject({ kind: 'waitingForCustomer', qr: 'qr' });
    world.serviceSays({ unansweredForMs: 8_000 });
  };

  test('is told with its seconds, and the customer is asked for nothing', async () => {
    await unanswered();
    expect(screen()).toMatchObject({
      kind: 'waitingForCustomer',
      qr: null,
      unansweredMs: 8_000,
      canCancel: true,
    });
  });

  test('is told as before once there is an answer', async () => {
    await unanswered();
    world.serviceSays({ unansweredForMs: null });
    expect(screen()).toMatchObject({ kind: 'waitingForCustomer', qr: 'qr' });
    expect(screen()).not.toHaveProperty('unansweredMs');
  });

  test('a cancel has words of its own for it', async () => {
    await unanswered();
    world.lane.cancelByCashier(world.lane.snapshot().current?.payment.sale.saleId ?? '');
    expect(screen()).toMatchObject({ kind: 'cancelling' });
    expect(screen()).not.toHaveProperty('unansweredMs');
  });
});
