import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Log } from '../../../../main/core/domain/log.ts';
import { money, reserved, World } from './support.ts';

const issued = { kind: 'seen', status: 'issuedToUser', ...money } as const;
const lines: string[] = [];
const keep = (fields: unknown, message: string): void =>
  void lines.push(JSON.stringify(fields) + message);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };

let world: World;
afterEach(() => world.remove());

test('the till is told of who paid, with the result: what was looked up at any time, once', async () => {
  world = await new World().open();
  world.pollAnswers = [
    { ...issued, customer: { loyaltyIds: null, receiptToken: null } },
    { ...issued, customer: { loyaltyIds: ['LOYAL-4711'], receiptToken: null } },
    { ...reserved, customer: { loyaltyIds: null, receiptToken: 'receipts-of-04' } },
  ];
  world.commands.requestSale(money);
  await world.clock.pass(2_000);
  expect(world.lane.snapshot().current?.customer).toMatchObject({
    loyaltyIds: ['LOYAL-4711'],
    receiptToken: null,
  });
  await world.clock.pass(1_000);
  expect(world.customers).toEqual([{ loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' }]);

  // The next customer is somebody else.
  world.pollAnswers = [issued, reserved];
  await world.clock.pass(20_000);
  world.commands.requestSale(money);
  await world.clock.pass(1_000);
  expect(world.lane.snapshot().current?.customer).toMatchObject({
    loyaltyIds: null,
    receiptToken: null,
  });
  await world.clock.pass(1_000);
  expect(world.customers[1]).toEqual({ loyaltyIds: null, receiptToken: null });
});

test('who paid stands in no log and in no journal', async () => {
  world = await new World(undefined, {}, log).open();
  world.pollAnswers = [
    { ...reserved, customer: { loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' } },
  ];
  world.commands.requestSale(money);
  await world.clock.pass(5_000);
  expect(world.customers).toHaveLength(1);
  const written = [
    ...lines,
    ...readdirSync(world.folder).map((name) => readFileSync(join(world.folder, name), 'latin1')),
  ].join('\n');
  expect(written).toContain('captureIntended');
  expect(written).not.toMatch(/LOYAL-4711|receipts-of-04/);
});
