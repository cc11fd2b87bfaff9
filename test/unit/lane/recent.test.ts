import { afterEach, beforeEach, expect, test } from 'vitest';
import { settled } from '../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

async function pay(amountMinor: number): Promise<string> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.desk.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(2_000);
  return answer.sale.saleId;
}
const amounts = (): number[] => world.lane.snapshot().recent.map(({ amountMinor }) => amountMinor);

test('the last ten payments, newest first; what is under way is none of them yet', async () => {
  for (let amount = 1; amount <= 12; amount += 1) await pay(amount);
  expect(amounts()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  world.desk.requestSale({ ...money, amountMinor: 99 });
  await settled();
  expect(amounts()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4]);
});

test('are there again after a restart, with how each one ended', async () => {
  await pay(500);
  const answer = world.desk.requestSale(money);
  world.desk.tillLost(answer.accepted ? answer.sale.saleId : '');
  await settled();
  world.desk.requestSale({ ...money, amountMinor: 700 });
  await settled();
  const before = world.lane.snapshot().recent;
  expect(before.map(({ outcome }) => outcome)).toEqual([{ paid: false, reason: 'tillGone' }, { paid: true }]);
  world.close();
  world = await new World(world.folder).open();
  const [interrupted, ...rest] = world.lane.snapshot().recent;
  expect(interrupted).toMatchObject({ amountMinor: 700, outcome: { paid: false, reason: 'interrupted' } });
  expect(rest).toEqual(before);
});

test('say what was refunded of them, as soon as that is decided', async () => {
  const saleId = await pay(1234);
  const refund = { actionId: 'refund-1', sale: { saleId }, amountMinor: 234, note: null, name: 'Ada' };
  expect(world.lane.refundByManager(refund)).toMatchObject({ accepted: true });
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 0 }]);
  world.refundPollAnswers = [{ kind: 'seen', status: 'cancelledByService' }];
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 0 }]);
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  expect(world.lane.refundByManager({ ...refund, actionId: 'refund-2' })).toMatchObject({ accepted: true });
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 234 }]);
});

test('money that is not settled says since when, also after a restart', async () => {
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  await world.clock.pass(60_000);
  world.pollAnswers = [reserved];
  world.desk.requestSale(money);
  await world.clock.pass(1_000);
  const decidedMs = world.clock.wallMs();
  await world.clock.pass(10_000);
  expect(world.lane.snapshot().unsettled).toMatchObject([{ intent: 'capture', sinceMs: decidedMs }]);
  world.close();
  const again = new World(world.folder);
  again.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  void again.open();
  await again.clock.pass(5_000);
  expect(again.lane.snapshot().unsettled).toMatchObject([{ intent: 'capture', sinceMs: decidedMs }]);
  world = again;
});
