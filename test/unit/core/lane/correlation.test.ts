import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentCorrelation } from '../../../../main/core/domain/correlation.ts';
import { money, reserved, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

const requestSale = (amountMinor: number = money.amountMinor) => {
  const answer = world.commands.requestSale({ ...money, amountMinor });
  if (!answer.accepted) throw new Error(answer.reason);
  return answer.sale;
};
const calls = new Set([
  'create',
  'poll',
  'capture',
  'cancel',
  'createRefund',
  'pollRefund',
  'captureRefund',
]);
const idsOfCalls = (): (readonly [string, string | undefined])[] =>
  world.correlations.filter(([what]) => calls.has(what));

test('every call for a payment and its refund has the id of the sale; what follows from an answer has none', async () => {
  world.pollAnswers = [
    { kind: 'seen', status: 'issuedToUser', amountMinor: null, currency: null },
    reserved,
  ];
  const { saleId, receiptNumber } = requestSale();
  await world.clock.pass(2_000);
  world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  world.commands.requestRefund({ receiptNumber, amountMinor: null, currency: 'DKK' });
  await world.clock.pass(1_000);
  const made = ['create', 'poll', 'poll', 'capture', 'createRefund', 'pollRefund', 'captureRefund'];
  expect(idsOfCalls()).toEqual(made.map((what) => [what, saleId]));
  expect(world.correlations).toContainEqual(['offerPaid', undefined]);
  expect(currentCorrelation()).toBeUndefined();
});

test('so it is after a restart, with a journal of any version; the next payment has its own', async () => {
  const { saleId } = requestSale();
  await world.clock.pass(0);
  world.close();
  world = await new World(world.folder).open();
  await world.clock.pass(0);
  const next = requestSale(99);
  await world.clock.pass(0);
  expect(idsOfCalls()).toEqual([
    ['cancel', saleId],
    ['create', next.saleId],
    ['poll', next.saleId],
  ]);
});
