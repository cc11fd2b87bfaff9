import { afterEach, beforeEach, expect, test } from 'vitest';
import { paymentId } from '../settlement/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, World } from './support.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.remove());

test('a clean-up that outlives its sale leaves the next one alone', async () => {
  let goOn = (): void => {};
  world.clearWaitsFor = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  world.createAnswer = { kind: 'blocked' };
  const first = world.commands.requestSale(money);
  if (!first.accepted) throw new Error(first.reason);
  await settled();
  world.commands.abortSale(first.sale.saleId);
  world.createAnswer = { kind: 'created', paymentId };
  const next = world.commands.requestSale(money);
  if (!next.accepted) throw new Error(next.reason);
  await settled();
  world.openPayments = [{ paymentId, orderId: next.sale.orderId, isActive: true }];
  goOn();
  await settled();
  expect(world.whatLeft()).toEqual(['create', 'notPaid', 'create']);
  expect(world.lane.snapshot().current?.payment).toMatchObject({ kind: 'awaiting', paymentId });
});
