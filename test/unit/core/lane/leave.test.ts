import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
let saleId: string;
beforeEach(async () => {
  world = await new World().open();
  const answer = world.commands.requestSale(money);
  if (!answer.accepted) throw new Error(answer.reason);
  ({ saleId } = answer.sale);
  await settled();
});
afterEach(() => world.remove());

describe('the way out of a cancel that nobody answers', () => {
  test('opens five seconds after it, by the monotonic clock, and not before anybody wished to cancel', async () => {
    expect(world.lane.leaveByCashier(saleId)).toBe('tooEarly');
    await world.clock.pass(70_000);
    expect(world.lane.leaveByCashier(saleId)).toBe('tooEarly');
    world.lane.cancelByCashier(saleId);
    expect(world.lane.snapshot().current).toMatchObject({ mayLeaveInMs: 5_000 });
    await world.clock.pass(4_999);
    expect(world.lane.leaveByCashier(saleId)).toBe('tooEarly');
    expect(world.lane.snapshot().current).toMatchObject({ mayLeaveInMs: 1 });
    await world.clock.pass(1);
    expect(world.lane.leaveByCashier(saleId)).toBe('left');
  });

  test('decides against the money: the till hears "not paid", it is cancelled, and the lane is free', async () => {
    world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    world.lane.cancelByCashier(saleId);
    await world.clock.pass(5_000);
    world.lane.leaveByCashier(saleId);
    expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel']);
    expect(world.onDiskWhen('notPaid')?.at(-1)).toBe('cancelIntended');
    expect(world.outcomes).toEqual([{ paid: false, reason: 'leftByCashier' }]);
    expect(world.commands.readiness()).toBe('ready');
    expect(world.commands.requestSale({ ...money, amountMinor: 99 })).toMatchObject({
      accepted: true,
    });
  });

  test('a customer who was faster after all is not charged: what is seen later changes nothing', async () => {
    world.lane.cancelByCashier(saleId);
    await world.clock.pass(5_000);
    world.pollAnswers = [reserved];
    world.lane.leaveByCashier(saleId);
    await world.clock.pass(5_000);
    expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel']);
    expect(world.journal.story(saleId).at(-1)?.event).toEqual({
      type: 'ended',
      reason: 'leftByCashier',
    });
  });

  test.each([
    ['a till', 'cancelledByTill', () => world.commands.abortSale(saleId)],
    ['a cashier', 'cancelledByCashier', () => world.lane.cancelByCashier(saleId)],
    ['the deadline', 'timedOut', () => world.clock.pass(120_000)],
  ])(
    'is taken by itself after ten seconds when %s ended it and no poll is due for an hour',
    async (_who, reason, end) => {
      await end();
      await world.clock.pass(9_999);
      expect(world.whatLeft()).toEqual(['create']);
      await world.clock.pass(1);
      expect(world.whatLeft()).toEqual(['create', 'notPaid', 'cancel']);
      expect(world.onDiskWhen('notPaid')?.slice(-2)).toEqual(['stopRequested', 'cancelIntended']);
      expect(world.outcomes).toEqual([{ paid: false, reason }]);
    },
  );

  test('leaves it in sight at once, until the service has confirmed it', async () => {
    const answered = Promise.withResolvers<{ kind: 'done' }>();
    Object.defineProperty(world, 'settleAnswer', { get: () => answered.promise });
    world.lane.cancelByCashier(saleId);
    await world.clock.pass(5_000);
    world.lane.leaveByCashier(saleId);
    const decidedMs = world.clock.wallMs();
    expect(world.lane.snapshot().unsettled).toMatchObject([
      { intent: 'cancel', amountMinor: 1234, sinceMs: decidedMs },
    ]);
    answered.resolve({ kind: 'done' });
    await settled();
    expect(world.lane.snapshot().unsettled).toEqual([]);
  });

  test('is no way out of what has ended, of another sale, or of a till that is being told "paid"', async () => {
    expect(world.lane.leaveByCashier('another')).toBe('unknownSale');
    world.commands.tillLost(saleId);
    expect(world.lane.leaveByCashier(saleId)).toBe('unknownSale');
    Object.defineProperty(world, 'tillAnswer', { get: () => new Promise(() => {}) });
    world.pollAnswers = [reserved];
    const next = world.commands.requestSale(money);
    await world.clock.pass(1_000);
    expect(next.accepted && world.lane.leaveByCashier(next.sale.saleId)).toBe('tooLate');
  });

  test('counts from the first wish to cancel, also a till’s or our own deadline', async () => {
    await world.clock.pass(120_000);
    expect(world.lane.snapshot().current).toMatchObject({ mayLeaveInMs: 5_000 });
    await world.clock.pass(3_000);
    world.lane.cancelByCashier(saleId);
    expect(world.lane.snapshot().current).toMatchObject({ mayLeaveInMs: 2_000 });
  });
});
