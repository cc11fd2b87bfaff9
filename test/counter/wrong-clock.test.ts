import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournalReader } from '../../main/core/journal/reader.ts';
import { Counter } from '../support/counter.ts';
import { until } from '../support/processes.ts';

/** Package `faketime`: has a process see another time, which the test changes while it runs. */
const library = ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu']
  .map((folder) => join(folder, 'faketime', 'libfaketime.so.1'))
  .find((file) => {
    try {
      return readdirSync(join(file, '..')).length > 0;
    } catch {
      return false;
    }
  });

let folder: string;
let counter: Counter;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-clock-'));
});
afterEach(async () => {
  await counter?.close();
  rmSync(folder, { recursive: true, force: true });
});

const offsetFile = (): string => join(folder, 'offset');
const setClock = (atMs: number): void =>
  writeFileSync(offsetFile(), `${Math.round((atMs - Date.now()) / 1_000)}`);
const setRight = (): void => writeFileSync(offsetFile(), '+0');
const shifted = (): Record<string, string> => ({
  LD_PRELOAD: library ?? '',
  FAKETIME_TIMESTAMP_FILE: offsetFile(),
  FAKETIME_NO_CACHE: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  NO_FAKE_STAT: '1',
});

const readiness = async (): Promise<string> =>
  (await fetch(`${counter.started.screens}/readyz`)).text();
const paid = { ended: { by: 'completion' }, refused: null };

async function pay(amountMinor: number): Promise<void> {
  const payment = counter.till.pay(amountMinor, 'DKK');
  await counter.customerPays();
  expect(await payment).toMatchObject(paid);
  await counter.serviceSays('Captured');
}

/** When each event of the journal was written, and the closings. */
function written(): {
  readonly events: readonly number[];
  readonly closings: readonly { atMs: number; toMs: number }[];
} {
  const reader = openJournalReader(join(counter.folder, 'data', 'journal.sqlite'));
  try {
    const sales = [...reader.between(0, Number.MAX_SAFE_INTEGER)].map(
      ({ sale: { saleId } }) => saleId,
    );
    return {
      events: [...new Set(sales)].flatMap((saleId) => reader.story(saleId).map(({ atMs }) => atMs)),
      closings: reader.closings(),
    };
  } finally {
    reader.close();
  }
}

const isNow = (atMs: number): boolean => Math.abs(atMs - Date.now()) < 300_000;

describe.skipIf(library === undefined)(
  'a computer without a battery for its clock (needs faketime)',
  () => {
    test.each([
      ['1970', 60_000],
      ['2000', Date.UTC(2000, 0, 1)],
    ])(
      'starts in %s: the service’s date counts, and nothing changes when the clock jumps',
      async (_year, startsMs) => {
        setClock(startsMs);
        counter = await Counter.open({ transport: 'tcp', environment: shifted() });
        await counter.daemon.logs(
          "this computer's clock is wrong: the time is the wallet service's until it is set",
        );
        await counter.till.register({ currency: 'DKK' });
        await pay(1_010);
        expect(written().events.filter((atMs) => !isNow(atMs))).toEqual([]);

        setRight();
        await counter.daemon.logs("this computer's clock is right again");
        expect(await counter.till.reverse(1)).toMatchObject(paid);
        await until(
          async () => (await counter.state()).refunds.some(({ status }) => status === 'Captured'),
          'the refund to be captured',
        );
        expect((await counter.till.endOfDay()).ended?.by).toBe('completion');
        await pay(250);

        const { events, closings } = written();
        expect(events.filter((atMs) => !isNow(atMs))).toEqual([]);
        expect(closings.map(({ atMs, toMs }) => [isNow(atMs), isNow(toMs)])).toEqual([
          [true, true],
        ]);
      },
    );

    test('takes no payment and closes no day while nothing tells the time, and does when the clock jumps', async () => {
      setClock(Date.UTC(2000, 0, 1));
      counter = await Counter.open({
        transport: 'tcp',
        environment: shifted(),
        serviceEnvironment: shifted(),
      });
      await until(
        async () => (await readiness()).includes("this computer's clock is wrong"),
        'the lane to name the clock',
      );
      await counter.till.register({ currency: 'DKK' });
      expect((await counter.till.pay(1_010, 'DKK')).ended?.by).not.toBe('completion');
      expect((await counter.till.endOfDay()).ended?.by).not.toBe('completion');
      expect((await counter.state()).payments).toEqual([]);
      expect(written()).toEqual({ events: [], closings: [] });

      setRight();
      await until(
        async () => (await readiness()).includes('takes payments'),
        'the lane to be ready',
      );
      await pay(1_010);
      expect((await counter.till.endOfDay()).ended?.by).toBe('completion');
      expect(written().events.every(isNow)).toBe(true);
    });
  },
);
