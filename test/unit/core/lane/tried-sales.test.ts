import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Log, silentLog } from '../../../../main/core/domain/log.ts';
import { forCustomer, laneView } from '../../../../main/counter/server/lane-view.ts';
import { LaneView } from '../../../../preload/contract.ts';
import { settled } from '../../support/manual-clock.ts';
import { money, World } from './support.ts';

let world: World;
let logged: Record<string, unknown>[];
const log: Log = { ...silentLog, child: () => log, warn: (fields) => logged.push(fields) };
beforeEach(async () => {
  logged = [];
  world = await new World(undefined, {}, log).open();
});
afterEach(() => world.remove());

const request = (amountMinor: number) => ({ ...money, amountMinor, from: '192.168.1.40:50122' });
const shown = () => LaneView.parse(laneView(world.lane.snapshot()));

describe('what the till asks for while a payment is under way', () => {
  test('is refused, told to the cashier until the payment ends, and kept in the log; customers see nothing of it', async () => {
    const open = world.commands.requestSale(money);
    await settled();
    expect(shown().tried).toBeUndefined();
    const changes = world.changes;
    expect(world.commands.requestSale(request(700))).toEqual({ accepted: false, reason: 'busy' });
    expect(world.changes).toBe(changes + 1);
    expect(shown().tried).toEqual({ amountMinor: 700, currency: 'DKK' });
    expect(forCustomer(shown()).tried).toBeUndefined();
    expect(logged).toEqual([
      { reason: 'busy', amountMinor: 700, currency: 'DKK', from: '192.168.1.40:50122' },
    ]);
    world.commands.tillLost(open.accepted ? open.sale.saleId : '');
    await settled();
    expect(shown().tried).toBeUndefined();
  });

  test('is told once however often it is repeated, and of a flood only the first ones', () => {
    world.commands.requestSale(money);
    for (let index = 0; index < 50; index += 1) world.commands.saleTried(request(700));
    expect(logged).toHaveLength(1);
    const changes = world.changes;
    for (let index = 0; index < 1_000; index += 1) world.commands.saleTried(request(701 + index));
    expect(logged).toHaveLength(10);
    expect(world.changes).toBe(changes + 9);
  });

  test('is nothing while no payment is under way: the till’s own end is only on its way', () => {
    world.commands.saleTried(request(700));
    expect(shown().tried).toBeUndefined();
  });
});
