import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { Journal, JournalDamage } from '../../../../main/core/journal/journal.ts';
import { damageNoted } from '../../../../main/core/journal/manager-records.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  copyAsAfterPowerCut,
  fill,
  Folder,
  noReserve,
  paid,
  refundNumbered,
  refundRequested,
  saleNumbered,
  takeover,
} from './support.ts';

const clock = new ManualClock();
const pageBytes = 4096;

/** A journal with so many paid sales, closed as it should be. */
function closedJournal(folder: Folder, sales: number): void {
  const journal = openSqliteJournal(folder.journal, clock);
  fill(journal, 1, sales);
  journal.close();
}

/** Opens the journal again. @returns it, and the damage that was found */
function reopen(path: string): { journal: Journal; damage: JournalDamage | null } {
  let damage: JournalDamage | null = null;
  const journal = openSqliteJournal(path, clock, {
    reserve: noReserve,
    damaged: (found) => (damage = found),
  });
  return { journal, damage };
}

function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const content = readFileSync(path);
  content.set(bytes, at);
  writeFileSync(path, content);
}

/** Changes one row, as a flipped bit could. */
function change(path: string, seq: number, set: string): void {
  const db = new DatabaseSync(path);
  const trigger = db
    .prepare("SELECT sql FROM sqlite_schema WHERE name = 'events_stay_as_they_are'")
    .get()?.['sql'] as string;
  db.exec(
    `DROP TRIGGER events_stay_as_they_are; UPDATE events SET ${set} WHERE seq = ${seq}; ${trigger}`,
  );
  db.close();
}

/**
 * The number of a sale's request in a journal that `fill` made, with six events for each sale, and
 * five more for a refund of every tenth.
 */
const requestSeq = (n: number): number => (n - 1) * 6 + Math.floor((n - 1) / 10) * 5 + 1;

/** Checks that every remaining sale is whole, paid, and belongs to its receipt. */
function wholeSales(journal: Journal, upTo: number): number[] {
  return Array.from({ length: upTo }, (_, index) => index + 1).filter((n) => {
    const story = journal.story(saleNumbered(n).saleId);
    if (story.length === 0) return false;
    expect(
      story.filter(({ refundOrderId }) => refundOrderId === null).map(({ event }) => event),
    ).toEqual(paid(saleNumbered(n)));
    expect(journal.paidSale('1', n)).toMatchObject({
      sale: saleNumbered(n),
      captured: true,
      refundedMinor: n % 10 === 0 ? 100 : 0,
    });
    return true;
  });
}

test('a journal that is whole is opened as it is', () => {
  using folder = new Folder();
  closedJournal(folder, 30);
  const { journal, damage } = reopen(folder.journal);
  expect(damage).toBeNull();
  expect(wholeSales(journal, 30)).toHaveLength(30);
  journal.close();
});

test('after a power cut everything acknowledged is there, and nothing counts as damage', () => {
  using folder = new Folder();
  const running = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  fill(running, 1, 30);
  const after = join(folder.path, 'after.sqlite');
  copyAsAfterPowerCut(folder.journal, after);
  running.close();
  const { journal, damage } = reopen(after);
  expect(damage).toBeNull();
  expect(wholeSales(journal, 30)).toHaveLength(30);
  journal.close();
});

test('of a file that was cut off, what is before the cut is used, and the damaged file is kept beside it with its date', () => {
  using folder = new Folder();
  closedJournal(folder, 120);
  const pages = statSync(folder.journal).size / pageBytes;
  truncateSync(folder.journal, Math.floor(pages / 2) * pageBytes + 1_000);
  const cut = readFileSync(folder.journal);
  const { journal, damage } = reopen(folder.journal);
  const saved = wholeSales(journal, 120);
  expect(damage).toMatchObject({ repaired: true, savedSales: saved.length });
  expect(saved.length).toBeGreaterThan(5);
  expect(damage?.keptAt).toMatch(/journal\.damaged-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite$/);
  expect(readFileSync(damage?.keptAt as string)).toEqual(cut);
  journal.close();
  expect(reopen(folder.journal).damage).toBeNull();
});

// Starts once for each page of the file.
test('flipped bytes in any page cost no more than the sales in it; nothing wrong is ever told', {
  timeout: 30_000,
}, () => {
  using folder = new Folder();
  closedJournal(folder, 60);
  const whole = readFileSync(folder.journal);
  const pages = whole.length / pageBytes;
  for (let page = 0; page < pages; page += 1) {
    const content = Buffer.from(whole);
    for (let at = page * pageBytes + 300; at < (page + 1) * pageBytes; at += 97)
      content[at] = (content[at] as number) ^ 0x55;
    const path = join(folder.path, `page-${page}.sqlite`);
    writeFileSync(path, content);
    const { journal, damage } = reopen(path);
    const saved = wholeSales(journal, 60);
    expect([page, saved.length], `page ${page}: ${damage?.problem}`).toEqual([
      page,
      expect.toSatisfy((n: number) => n >= 50),
    ]);
    if (saved.length < 60) expect(damage, `page ${page}`).not.toBeNull();
    journal.close();
  }
});

test('one changed letter in an amount is noticed, although SQLite finds nothing wrong', () => {
  using folder = new Folder();
  closedJournal(folder, 20);
  change(
    folder.journal,
    requestSeq(7),
    `body = replace(body, '"amountMinor":1234', '"amountMinor":9234')`,
  );
  const { journal, damage } = reopen(folder.journal);
  expect(damage?.lost).toMatchObject([
    {
      saleId: saleNumbered(7).saleId,
      orderId: saleNumbered(7).orderId,
      state: 'paid',
      receiptNumber: 7,
    },
  ]);
  expect(wholeSales(journal, 20)).toHaveLength(19);
  journal.close();
});

test('a journal that is damaged again remembers the first time; numbers of lost sales are not given out again, later ones go on', () => {
  using folder = new Folder();
  closedJournal(folder, 25);
  change(folder.journal, requestSeq(7), "body = 'gone'");
  reopen(folder.journal).journal.close();
  change(folder.journal, requestSeq(25), "body = 'gone too'");
  const { journal, damage } = reopen(folder.journal);
  expect(damage?.lost.map(({ receiptNumber }) => receiptNumber)).toEqual([25]);
  expect(wholeSales(journal, 25)).toHaveLength(23);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 26, traceNumber: 26 });
  fill(journal, 26, 27);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 28, traceNumber: 28 });
  journal.close();
  const reader = openJournalReader(folder.journal);
  expect(
    reader.repairs().map(({ lost }) => lost.map(({ receiptNumber }) => receiptNumber)),
  ).toEqual([[7], [25]]);
  expect(reader.check().problems).toEqual([]);
  reader.close();
});

test('repaired damage is told at every start until a manager has noted it; of all of it that was not noted the lost sales are told together', async () => {
  using folder = new Folder();
  closedJournal(folder, 25);
  const start = () => openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  const told = (): readonly (number | null)[] | undefined => {
    const journal = start();
    const damage = journal.damageToNote();
    journal.close();
    return damage?.lost.map(({ receiptNumber }) => receiptNumber);
  };
  expect(told()).toBeUndefined();
  change(folder.journal, requestSeq(7), "body = 'gone'");
  expect([told(), told()]).toEqual([[7], [7]]);
  await clock.pass(1_000);
  change(folder.journal, requestSeq(25), "body = 'gone too'");
  expect([told(), told()]).toEqual([
    [7, 25],
    [7, 25],
  ]);
  const journal = start();
  const note = (subject: string) =>
    journal.keepAction({ manager: 'Anna', action: damageNoted, subject, detail: {} });
  note('17');
  expect(journal.damageToNote()?.lost).toHaveLength(2);
  note(String(journal.damageToNote()?.atMs));
  expect(journal.damageToNote()).toBeNull();
  journal.close();
  expect(told()).toBeUndefined();
  await clock.pass(1_000);
  change(folder.journal, requestSeq(3), "body = 'gone again'");
  expect([told(), told()]).toEqual([[3], [3]]);
});

test('a damaged seal costs nothing: its other half tells that the row is as it was', () => {
  using folder = new Folder();
  closedJournal(folder, 20);
  change(folder.journal, 31, "seal = 'x' || substr(seal, 2)");
  const { journal, damage } = reopen(folder.journal);
  expect(damage).toMatchObject({
    problem: expect.stringContaining('event 31'),
    savedSales: 20,
    lost: [],
  });
  expect(wholeSales(journal, 20)).toHaveLength(20);
  journal.close();
});

test('a destroyed header, and a file full of garbage: as many sales as can be read, none of the second', () => {
  using folder = new Folder();
  closedJournal(folder, 40);
  overwrite(folder.journal, 0, Buffer.alloc(100, 0xee));
  const { journal, damage } = reopen(folder.journal);
  expect(damage).toMatchObject({ savedSales: 40, lost: [] });
  expect(wholeSales(journal, 40)).toHaveLength(40);
  journal.close();
  writeFileSync(
    folder.journal,
    'this is not a database, it is a letter to my aunt and long enough to be one'.repeat(200),
  );
  const garbage = reopen(folder.journal);
  expect(garbage.damage).toMatchObject({ savedSales: 0 });
  expect(readFileSync(garbage.damage?.keptAt as string, 'utf8')).toMatch(/^this is not a database/);
  garbage.journal.append('1', saleNumbered(1).saleId, paid(saleNumbered(1)));
  garbage.journal.close();
});

test('a file of no length that had a life before is told; one that never had is just new', () => {
  using folder = new Folder();
  closedJournal(folder, 3);
  truncateSync(folder.journal, 0);
  const { journal, damage } = reopen(folder.journal);
  expect(damage).toMatchObject({ problem: 'it is empty or gone', savedSales: 0 });
  journal.close();
  const fresh = join(folder.path, 'fresh.sqlite');
  writeFileSync(fresh, '');
  const opened = reopen(fresh);
  expect(opened.damage).toBeNull();
  opened.journal.close();
});

/** A running journal's files: the first sales are in the file, the rest in the log. */
function afterPowerCut(folder: Folder, rest: (journal: Journal) => void): string {
  closedJournal(folder, 20);
  const running = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  rest(running);
  const path = join(folder.path, 'after.sqlite');
  copyAsAfterPowerCut(folder.journal, path);
  running.close();
  return path;
}

test('garbage in the middle of the log: what is behind it is read all the same', () => {
  using folder = new Folder();
  const path = afterPowerCut(folder, (running) => fill(running, 21, 50));
  const { size } = statSync(`${path}-wal`);
  overwrite(`${path}-wal`, Math.floor(size / 3), Buffer.alloc(600, 0xaa));
  const { journal, damage } = reopen(path);
  expect(damage).toMatchObject({ problem: 'its write-ahead log is damaged in the middle' });
  expect(wholeSales(journal, 50).length).toBeGreaterThanOrEqual(49);
  expect(existsSync(`${damage?.keptAt}-wal`)).toBe(true);
  journal.close();
});

test('a log that begins with garbage is read by its pages', () => {
  using folder = new Folder();
  const path = afterPowerCut(folder, (running) => fill(running, 21, 50));
  overwrite(`${path}-wal`, 0, Buffer.alloc(32, 0xaa));
  const { journal, damage } = reopen(path);
  expect(damage).toMatchObject({
    problem: 'the beginning of its write-ahead log cannot be read',
    savedSales: 50,
  });
  expect(wholeSales(journal, 50)).toHaveLength(50);
  journal.close();
});

test('a log of garbage alone: what the file holds is used, and a payment whose end may be missing is left to a person', () => {
  using folder = new Folder();
  const lost = saleNumbered(21);
  const path = afterPowerCut(folder, (running) => {
    running.append('1', lost.saleId, takeover(lost).slice(0, 3));
    // Does what a checkpoint would.
    new DatabaseSync(folder.journal).exec('PRAGMA wal_checkpoint(TRUNCATE)');
    running.append('1', lost.saleId, takeover(lost).slice(3));
  });
  writeFileSync(`${path}-wal`, Buffer.alloc(20_000, 0x5a));
  const { journal, damage } = reopen(path);
  expect(journal.openSales('1')).toEqual([]);
  expect(damage?.lost).toMatchObject([
    {
      saleId: lost.saleId,
      why: 'its end may be missing',
      orderId: lost.orderId,
      amountMinor: 1234,
    },
  ]);
  expect(wholeSales(journal, 20)).toHaveLength(20);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 22, traceNumber: 22 });
  journal.close();
});

test('a log that is gone after a power cut is noticed; one that another program has put away in order is not missed', () => {
  using folder = new Folder();
  const open = saleNumbered(21);
  const path = afterPowerCut(folder, (running) => {
    running.append('1', open.saleId, [asked(open)]);
    new DatabaseSync(folder.journal).exec('PRAGMA wal_checkpoint(TRUNCATE)');
    fill(running, 22, 25);
  });
  rmSync(`${path}-wal`);
  const { journal, damage } = reopen(path);
  expect(damage).toMatchObject({
    problem: 'its write-ahead log is gone',
    savedSales: 20,
    lost: [{ saleId: open.saleId }],
  });
  journal.close();

  const orderly = join(folder.path, 'orderly.sqlite');
  const running = openSqliteJournal(orderly, clock, { reserve: noReserve });
  fill(running, 1, 5);
  const after = join(folder.path, 'orderly-after.sqlite');
  copyAsAfterPowerCut(orderly, after);
  running.close();
  const browser = new DatabaseSync(after);
  browser.exec('SELECT count(*) FROM events');
  browser.close();
  expect(existsSync(`${after}-wal`)).toBe(false);
  const opened = reopen(after);
  expect(opened.damage).toBeNull();
  expect(wholeSales(opened.journal, 5)).toHaveLength(5);
  opened.journal.close();
});

test('a process that was killed before it wrote anything leaves no damage', () => {
  using folder = new Folder();
  closedJournal(folder, 5);
  const idle = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  const after = join(folder.path, 'after.sqlite');
  copyAsAfterPowerCut(folder.journal, after);
  idle.close();
  const { journal, damage } = reopen(after);
  expect(damage).toBeNull();
  journal.close();
});

test('a sale whose refund cannot be read is not saved: nobody could say how much of it is left', () => {
  using folder = new Folder();
  const of = saleNumbered(1);
  const running = openSqliteJournal(folder.journal, clock, { reserve: noReserve });
  running.append('1', of.saleId, paid(of));
  const refund = refundNumbered(1, of, { note: 'a torn bag' });
  running.appendRefund('1', refund.refundOrderId, [refundRequested(refund)]);
  fill(running, 2, 3);
  running.close();
  change(folder.journal, 7, "body = replace(body, 'a torn bag', 'a worn bag')");
  const { journal, damage } = reopen(folder.journal);
  expect(damage?.lost).toMatchObject([{ saleId: of.saleId, receiptNumber: 1 }]);
  expect(journal.paidSale('1', 1)).toBeNull();
  expect(wholeSales(journal, 3)).toEqual([2, 3]);
  journal.close();
});

test('a power cut in the middle of the repair leaves one journal, and never the old log beside the new file', () => {
  using folder = new Folder();
  closedJournal(folder, 20);
  overwrite(folder.journal, 0, Buffer.alloc(100, 0xee));
  reopen(folder.journal).journal.close();
  const repaired = readFileSync(folder.journal);
  // The state between the two renames: the damaged file is aside or not, and the repaired one is
  // complete.
  writeFileSync(`${folder.journal}.repaired`, repaired);
  writeFileSync(folder.journal, 'the damaged one');
  writeFileSync(`${folder.journal}-wal`, 'its log');
  const { journal, damage } = reopen(folder.journal);
  expect(damage).toBeNull();
  expect(wholeSales(journal, 20)).toHaveLength(20);
  journal.close();
  expect(
    readdirSync(folder.path).filter((name) => name.includes('.damaged-') && name.endsWith('-wal')),
  ).toHaveLength(1);
});

test('damage that shows while payments go on is told once, and the next start repairs it', async () => {
  using folder = new Folder();
  const path = folder.journal;
  closedJournal(folder, 800); // more than a start reads
  const found: JournalDamage[] = [];
  change(path, requestSeq(3), `body = replace(body, '"amountMinor":1234', '"amountMinor":1274')`);
  const running = openSqliteJournal(path, clock, {
    damaged: (damage) => found.push(damage),
    checkSlowly: true,
  });
  expect(found).toEqual([]);
  await clock.pass(600_000);
  expect(found).toMatchObject([{ repaired: false, problem: expect.stringContaining('changed') }]);
  running.append('1', saleNumbered(801).saleId, paid(saleNumbered(801)));
  running.close();
  const { journal, damage } = reopen(path);
  expect(damage).toMatchObject({
    repaired: true,
    savedSales: 800,
    lost: [{ saleId: saleNumbered(3).saleId }],
  });
  expect(journal.paidSale('1', 801)).not.toBeNull();
  journal.close();
});
