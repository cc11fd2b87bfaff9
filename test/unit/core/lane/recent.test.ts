import { afterEach, beforeEach, expect, test } from 'vitest';
import { managerRefundId } from '../../../../main/core/domain/ids.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

async function pay(amountMinor: number): Promise<string> {
  world.pollAnswers = [{ ...reserved, amountMinor }];
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  await world.clock.pass(2_000);
  return answer.sale.saleId;
}
const amounts = (): number[] => world.lane.snapshot().recent.map(({ amountMinor }) => amountMinor);

test('the last ten payments, newest first; what is under way is none of them yet', async () => {
  for (let amount = 1; amount <= 12; amount += 1) await pay(amount);
  expect(amounts()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  world.commands.requestSale({ ...money, amountMinor: 99 });
  await settled();
  expect(amounts()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4]);
});

test('are there again after a restart, with how each one ended', async () => {
  await pay(500);
  const answer = world.commands.requestSale(money);
  world.commands.tillLost(answer.accepted ? answer.sale.saleId : '');
  await settled();
  world.commands.requestSale({ ...money, amountMinor: 700 });
  await settled();
  const before = world.lane.snapshot().recent;
  expect(before.map(({ outcome }) => outcome)).toEqual([
    { paid: false, reason: 'tillGone' },
    { paid: true },
  ]);
  world.close();
  world = await new World(world.folder).open();
  const [interrupted, ...rest] = world.lane.snapshot().recent;
  expect(interrupted).toMatchObject({
    amountMinor: 700,
    outcome: { paid: false, reason: 'interrupted' },
  });
  expect(rest).toEqual(before);
});

test('say what was refunded of them, as soon as that is decided', async () => {
  const saleId = await pay(1234);
  const refund = {
    actionId: 'refund-1',
    sale: { saleId },
    amountMinor: 234,
    note: null,
    name: 'Ada',
  };
  expect(world.lane.refundByManager(refund)).toMatchObject({ accepted: true });
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 0 }]);
  world.refundPollAnswers = [{ kind: 'seen', status: 'cancelledByService' }];
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 0 }]);
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  expect(world.lane.refundByManager({ ...refund, actionId: 'refund-2' })).toMatchObject({
    accepted: true,
  });
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().recent).toMatchObject([{ saleId, refundedMinor: 234 }]);
});

test('say how sure that is: a cancel that nobody has confirmed is told as one, and what the service contradicts is not shown as an end at all', async () => {
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  const answer = world.commands.requestSale(money);
  const saleId = answer.accepted ? answer.sale.saleId : '';
  await settled();
  world.commands.tillLost(saleId);
  const shown = (): unknown[] => [
    world.lane.snapshot().result?.known,
    world.lane.snapshot().recent[0]?.certainty,
  ];
  expect(shown()).toEqual(['perhapsApproved', 'decided']);
  world.settleAnswer = { kind: 'done' };
  await world.clock.pass(2_000);
  expect(shown()).toEqual(['notMoved', 'confirmed']);

  world.settleAnswer = { kind: 'refused', reason: 'other', code: '1304', detail: '1304' };
  world.pollAnswers = [reserved, { ...reserved, status: 'expired' }];
  world.commands.requestSale(money);
  await world.clock.pass(1_500);
  expect(shown()).toEqual(['moving', 'decided']);
  await world.clock.pass(1_000);
  expect(shown()).toEqual([undefined, 'contested']);
});

test('a refund says how sure its end is, too', async () => {
  const saleId = await pay(1234);
  const refund = {
    actionId: 'refund-1',
    sale: { saleId },
    amountMinor: 234,
    note: null,
    name: 'Ada',
  };
  const shown = (): unknown => world.lane.snapshot().refund?.certainty;
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  world.lane.refundByManager(refund);
  await settled();
  world.lane.cancelRefundByManager(managerRefundId('refund-1'));
  await settled();
  expect(shown()).toBe('decided');
  world.settleAnswer = { kind: 'done' };
  await world.clock.pass(2_000);
  expect(shown()).toBe('confirmed');
  world.settleAnswer = { kind: 'refused', reason: 'other', code: '1351', detail: '1351' };
  world.refundPollAnswers.push({ kind: 'seen', status: 'reserved' });
  world.lane.refundByManager({ ...refund, actionId: 'refund-2' });
  await world.clock.pass(1_500);
  expect(shown()).toBe('decided');
  world.refundPollAnswers.push({ kind: 'seen', status: 'cancelledByService' });
  await world.clock.pass(5_000);
  expect(world.lane.snapshot().refund).toBeNull();
  expect(world.lane.snapshot().unsettled).toMatchObject([{ problem: 'refundLost' }]);
});

test('money that is not settled says since when, also after a restart', async () => {
  world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  await world.clock.pass(60_000);
  world.pollAnswers = [reserved];
  world.commands.requestSale(money);
  await world.clock.pass(1_000);
  const decidedMs = world.clock.wallMs();
  await world.clock.pass(10_000);
  expect(world.lane.snapshot().unsettled).toMatchObject([
    { intent: 'capture', sinceMs: decidedMs },
  ]);
  world.close();
  const again = new World(world.folder);
  again.settleAnswer = { kind: 'unknown', detail: 'no answer' };
  void again.open();
  await again.clock.pass(5_000);
  expect(again.lane.snapshot().unsettled).toMatchObject([
    { intent: 'capture', sinceMs: decidedMs },
  ]);
  world = again;
});
