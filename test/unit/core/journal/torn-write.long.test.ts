import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Journal, JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent } from '../../../../main/core/settlement/payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  copyAsAfterPowerCut,
  fill,
  Folder,
  noReserve,
  saleNumbered,
  takeover,
} from './support.ts';

/**
 * A power cut takes bytes that were not yet made safe, and those alone: of the last write any part,
 * in any order. A killed process loses none, and may be between any two steps.
 */

const clock = new ManualClock();
const frameBytes = 4096 + 24;
const of = saleNumbered(21);
const story = takeover(of);

/** The events of the open sale after a start on such a log. */
function startWith(
  folder: Folder,
  { from, log, withIndex }: { from: string; log: Uint8Array; withIndex: boolean },
) {
  const path = join(folder.path, 'after.sqlite');
  for (const ending of ['', '-wal', '-shm', '.open']) rmSync(`${path}${ending}`, { force: true });
  copyAsAfterPowerCut(from, path);
  writeFileSync(`${path}-wal`, log);
  if (!withIndex) rmSync(`${path}-shm`);
  const found: JournalDamage[] = [];
  const journal = openSqliteJournal(path, clock, {
    reserve: noReserve,
    damaged: (damage) => found.push(damage),
  });
  const open = journal.openSales('1').map(({ events }) => events);
  journal.close();
  return { open, found };
}

/** The log before and after one more write, with a sale open. */
function write(folder: Folder, events: readonly PaymentEvent[], more: (journal: Journal) => void) {
  const journal = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  fill(journal, 1, 20);
  journal.append('1', of.saleId, events);
  const before = join(folder.path, 'before.sqlite');
  copyAsAfterPowerCut(folder.journal, before);
  more(journal);
  const log = readFileSync(`${folder.journal}-wal`);
  journal.close();
  const bytesLeft = statSync(`${before}-wal`).size;
  return { before, log, keptBytes: bytesLeft, frames: (log.length - bytesLeft) / frameBytes };
}

test.each([1, 3])(
  'whatever part of the write of event %i is lost: no damage, and every event before it is there',
  (count) => {
    using folder = new Folder();
    const before = story.slice(0, count);
    const torn = write(folder, before, (journal) =>
      journal.append('1', of.saleId, story.slice(count, count + 1)),
    );
    for (let lost = 1; lost < 2 ** torn.frames; lost += 1) {
      const log = Buffer.from(torn.log);
      for (let frame = 0; frame < torn.frames; frame += 1)
        if ((lost & (1 << frame)) !== 0)
          log.fill(
            0,
            torn.keptBytes + frame * frameBytes,
            torn.keptBytes + (frame + 1) * frameBytes,
          );
      const { open, found } = startWith(folder, {
        from: torn.before,
        log,
        withIndex: lost % 2 === 0,
      });
      expect(found, `without the frames ${lost.toString(2)}`).toEqual([]);
      expect(open).toEqual([before]);
    }
  },
);

test('what is left of a torn write behind the one that came after it is no damage', () => {
  using folder = new Folder();
  const before = story.slice(0, 3);
  const timedOut: PaymentEvent = { type: 'stopRequested', reason: 'timedOut' };
  const another = saleNumbered(22);
  const torn = write(folder, before, (journal) =>
    journal.append('1', another.saleId, [asked(another)]),
  );
  const restarted = openSqliteJournal(torn.before, clock, { reserve: noReserve });
  restarted.append('1', of.saleId, [timedOut]);
  const next = readFileSync(`${torn.before}-wal`);
  const crashed = join(folder.path, 'crashed.sqlite');
  copyAsAfterPowerCut(torn.before, crashed);
  restarted.close();
  expect(torn.log.length - next.length).toBeGreaterThan(frameBytes);
  const log = Buffer.concat([next, torn.log.subarray(next.length)]);
  const { open, found } = startWith(folder, { from: crashed, log, withIndex: true });
  expect(found).toEqual([]);
  expect(open).toEqual([[...before, timedOut]]);
});

test.each(['before', 'after'])(
  'a process killed at its end, just %s it says that it has ended, leaves no damage, and what is open',
  async (moment) => {
    using folder = new Folder();
    const code = (path: string): string =>
      JSON.stringify(new URL(`../../../../main/${path}`, import.meta.url).href);
    const script = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { rmSync } = fs;
    fs.rmSync = (path, options) => {
      if (${moment === 'after'}) rmSync(path, options);
      if (path.endsWith('.open')) process.kill(process.pid, 'SIGKILL');
    };
    syncBuiltinESMExports();
    const { openSqliteJournal } = await import(${code('core/journal/sqlite-journal.ts')});
    const { systemClock } = await import(${code('core/domain/clock.ts')});
    const journal = openSqliteJournal(${JSON.stringify(folder.journal)}, systemClock);
    journal.append('1', ${JSON.stringify(of.saleId)}, ${JSON.stringify(story)});
    journal.close();`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)));
    expect(signal).toBe('SIGKILL');
    const found: JournalDamage[] = [];
    const journal = openSqliteJournal(folder.journal, clock, {
      reserve: noReserve,
      damaged: (damage) => found.push(damage),
    });
    expect(found).toEqual([]);
    expect(journal.openSales('1').map(({ events }) => events)).toEqual([story]);
    journal.close();
  },
);
