import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { laneView } from '../../../../main/counter/server/lane-view.ts';
import { money, reserved, World } from './support.ts';

const actionId = '5a1e0000-0000-4000-8000-000000000077';
const refundAction = '5a1e0000-0000-4000-8000-000000000078';
const refused = { accepted: false, reason: 'notReady' };

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

async function sell(): Promise<number> {
  world.pollAnswers = [reserved];
  const answer = world.commands.requestSale(money);
  await world.clock.pass(20_000);
  return answer.accepted ? answer.sale.receiptNumber : 0;
}

describe('while it is not known what time it is', () => {
  test('no payment, refund or closing begins, and nothing is created', async () => {
    const receiptNumber = await sell();
    const before = world.whatLeft().length;
    world.isTimeKnown = false;
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
    expect(world.lane.captureReservation(actionId, 100, 'Bo')).toEqual({
      accepted: false,
      reason: 'laneNotReady',
    });
    expect(world.commands.closeDay('tcp:10.0.0.5')).toEqual({ closed: false, reason: 'notReady' });
    await world.clock.pass(10_000);
    expect(world.whatLeft()).toHaveLength(before);
    expect(world.journal.openSales('1')).toEqual([]);
  });

  test('the screens name the clock, also while the service is away, and tills hear that a person must act', () => {
    world.isTimeKnown = false;
    world.serviceSays({ awaySinceMs: world.clock.wallMs() });
    expect(laneView(world.lane.snapshot()).state).toEqual({
      kind: 'notReady',
      reason: 'clockWrong',
      detail: null,
    });
    expect(world.commands.readiness()).toBe('notReady');
    expect(world.commands.hindrance()).toBe('needsPerson');
  });

  test('a payment that has begun is finished', async () => {
    world.pollAnswers = [reserved];
    expect(world.commands.requestSale(money)).toMatchObject({ accepted: true });
    world.isTimeKnown = false;
    await world.clock.pass(20_000);
    expect(world.outcomes).toEqual([expect.objectContaining({ paid: true })]);
    expect(world.journal.openSales('1')).toEqual([]);
  });

  test('nobody is invited to check in, and customers are again when the time is known', async () => {
    const other = await new World(undefined, { checkInFirst: true }).open();
    other.lane.showsCode();
    expect(other.lane.snapshot().checkIn).not.toBeNull();
    for (const isTimeKnown of [false, true]) {
      other.isTimeKnown = isTimeKnown;
      other.lane.serviceChanged();
      expect(other.lane.snapshot().checkIn !== null).toBe(isTimeKnown);
    }
    other.remove();
  });

  test('all of it ends when the time is known', async () => {
    world.isTimeKnown = false;
    world.isTimeKnown = true;
    expect(world.commands.readiness()).toBe('ready');
    expect(await sell()).toBeGreaterThan(0);
  });
});
