import { describe, expect, test } from 'vitest';
import { chosen, isLong, someOf } from '../support/long.ts';
import { seenPairs } from './coverage.ts';
import { memoryDisk, sqliteDisk } from './disk.ts';
import { reachableRefundPairs } from './reachable-refunds.ts';
import { reachablePaymentPairs } from './reachable.ts';
import { SimulatedTime } from './time.ts';
import { failureSeeds } from './seeds.ts';
import { runShop } from './shop.ts';
import { type Ended, simulate } from './simulate.ts';
import { serviceNames } from '../../main/core/domain/sale.ts';

const freshMs = (isLong ? 600 : 10) * 1000;

describe('not one øre is lost', () => {
  test.each(failureSeeds)(
    'in the run with seed $seed on $service, where once $what',
    async ({ seed, service }) => {
      expect((await runShop({ seed, service })).broken).toEqual([]);
    },
  );

  test(
    'in shops that nobody has seen before',
    async () => {
      const seed = chosen(2 ** 31, 'shops');
      const broken: Ended[] = [];
      const { runs, payments, refunds, restarts } = await simulate({
        runs: Number.POSITIVE_INFINITY,
        seed,
        maxMs: freshMs,
        ended: (run) => void (run.broken.length > 0 && broken.push(run)),
      });
      process.stdout.write(
        `simulation: ${runs} shops from seed ${seed}, ${payments} payments, ${refunds} refunds, ${restarts} restarts\n`,
      );
      expect(broken).toEqual([]);
      if (isLong) expect(payments).toBeGreaterThan(10_000);
    },
    freshMs + 60_000,
  );

  test('and nothing reached a machine there that is held to be impossible', () => {
    // The check takes seconds for each service.
    for (const service of someOf(serviceNames, 1)) {
      expect(
        new Set(seenPairs[service].payment.keys()).difference(reachablePaymentPairs(service)),
      ).toEqual(new Set());
      expect(
        new Set(seenPairs[service].refund.keys()).difference(reachableRefundPairs(service)),
      ).toEqual(new Set());
    }
  });
});

test('in shops that change their service, money of the one before is settled, and given back there', async () => {
  const broken: Ended[] = [];
  const { changes, carriedOver, formerRefunds } = await simulate({
    runs: 3,
    seed: 1000,
    service: 'change',
    ended: (run) => void (run.broken.length > 0 && broken.push(run)),
  });
  expect(broken).toEqual([]);
  expect(changes).toBeGreaterThanOrEqual(3);
  expect(carriedOver).toBeGreaterThan(0);
  expect(formerRefunds).toBeGreaterThan(0);
});

describe('a run', () => {
  test('is the same whenever its seed is the same, to the last word of its story', async () => {
    const tell = async (): Promise<string[]> => {
      const story: string[] = [];
      await runShop({ seed: 12, story });
      return story;
    };
    const first = await tell();
    expect(first.length).toBeGreaterThan(100);
    expect(await tell()).toEqual(first);
  });

  test('is the same whether somebody listens or not', async () => {
    for (let seed = 40; seed < 60; seed += 1)
      expect(await runShop({ seed, story: [] })).toEqual(await runShop({ seed }));
  });

  test('is the same on the journal in memory and on the one in SQLite', async () => {
    for (const seed of [21, 22, 23]) {
      const inMemory: string[] = [];
      const inSqlite: string[] = [];
      await runShop({ seed, sqliteEvery: seed + 1, story: inMemory });
      await runShop({ seed, sqliteEvery: 1, story: inSqlite });
      expect(inSqlite).toEqual(inMemory);
    }
  });

  test('would tell of a journal that says something else than was written', () => {
    for (const disk of [memoryDisk(), sqliteDisk()]) {
      const journal = disk.open(new SimulatedTime());
      expect(disk.contents()).toEqual([]);
      expect(journal.lastDecided('1')).toBeNull();
      disk.close();
    }
  });
});
