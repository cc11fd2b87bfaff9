import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { JournalWriteError } from '../../../../main/core/journal/journal.ts';
import { type JournalReader, openJournalReader } from '../../../../main/core/journal/reader.ts';
import type { Counted } from '../../../../main/core/journal/search.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { fill, Folder, noReserve, saleNumbered } from './support.ts';

const pageBytes = 4096;
const clock = new ManualClock();
const open = (folder: Folder) => openSqliteJournal(folder.journal, clock, { reserve: noReserve });

const refund = {
  manager: 'Anna',
  action: 'refund',
  subject: 'a3c7',
  detail: { amountMinor: 234, note: 'broken' },
};
const signIn = { manager: 'Bent', action: 'signIn', subject: null, detail: {} };
const day = { laneId: null, fromMs: 0, toMs: 86_400_000, manager: 'Anna', report: { payments: 7 } };
const lane = { ...day, laneId: '2', report: { payments: 3 } };
const note = { subject: 'transfer 01', manager: 'Anna', text: 'asked support on Monday' };

/** What the journal's reader returns. */
function told(folder: Folder) {
  const reader = openJournalReader(folder.journal);
  const all = {
    actions: reader.managerActions({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }),
    closings: reader.closings(),
    notes: reader.reconciliationNotes(note.subject),
    problems: reader.check().problems,
  };
  reader.close();
  return all;
}

test('what managers did, closed and noted is kept, numbered and dated, and read back', async () => {
  using folder = new Folder();
  const journal = open(folder);
  const firstMs = clock.wallMs();
  expect(journal.keepAction(refund)).toEqual({ ...refund, number: 1, atMs: firstMs });
  expect(journal.keepClosing(day)).toEqual({ ...day, number: 1, atMs: firstMs });
  expect(journal.keepNote(note)).toEqual({ ...note, number: 1, atMs: firstMs });
  await clock.pass(1_000);
  journal.keepAction(signIn);
  journal.keepClosing(lane);
  journal.keepNote({ ...note, subject: 'another' });
  journal.close();
  expect(told(folder)).toEqual({
    actions: [
      { ...signIn, number: 2, atMs: firstMs + 1_000 },
      { ...refund, number: 1, atMs: firstMs },
    ],
    closings: [
      { ...lane, number: 2, atMs: firstMs + 1_000 },
      { ...day, number: 1, atMs: firstMs },
    ],
    notes: [{ ...note, number: 1, atMs: firstMs }],
    problems: [],
  });
  const reader = openJournalReader(folder.journal);
  expect(reader.managerActions({ fromMs: firstMs, toMs: firstMs + 1_000 })).toHaveLength(1);
  expect(reader.managerActions({ fromMs: 0, toMs: firstMs + 9_000, before: 2 })).toMatchObject([
    { number: 1 },
  ]);
  expect(reader.closings(2)).toMatchObject([{ number: 1 }]);
  expect(reader.closing(2)).toMatchObject(lane);
  expect(reader.closing(3)).toBeNull();
  expect(reader.lastClosing(null)).toMatchObject({ number: 1 });
  expect(reader.lastClosing('2')).toMatchObject({ number: 2 });
  expect(reader.lastClosing('1')).toBeNull();
  reader.close();
});

test('nobody can change or remove it', () => {
  using folder = new Folder();
  const journal = open(folder);
  journal.keepAction(refund);
  journal.keepClosing(day);
  journal.keepNote(note);
  const intruder = new DatabaseSync(folder.journal);
  for (const table of ['manager_actions', 'closings', 'reconciliation_notes']) {
    expect(() => intruder.exec(`DELETE FROM ${table}`)).toThrow('only grows');
    expect(() => intruder.exec(`UPDATE ${table} SET at_ms = 1`)).toThrow('only grows');
  }
  intruder.close();
  journal.close();
});

test('what the disk refuses is not kept, and its number goes to the next', () => {
  using folder = new Folder();
  const blocker = new DatabaseSync(folder.journal);
  const journal = openSqliteJournal(folder.journal, clock, {
    reserve: noReserve,
    busyTimeoutMs: 10,
  });
  blocker.exec('BEGIN IMMEDIATE');
  expect(() => journal.keepClosing(day)).toThrow(JournalWriteError);
  blocker.exec('ROLLBACK');
  blocker.close();
  expect(journal.keepClosing(day).number).toBe(1);
  journal.close();
  const full = openSqliteJournal(folder.journal, clock, {
    reserve: { keep: () => false, release: () => false },
  });
  expect(() => full.keepAction(refund)).toThrow(/the disk is full/);
  full.close();
});

test('a repair keeps it; the number of a closing report that was lost is not given again', () => {
  using folder = new Folder();
  const journal = open(folder);
  fill(journal, 1, 5);
  journal.keepAction(refund);
  journal.keepAction(signIn);
  journal.keepClosing(day);
  journal.keepClosing(lane);
  journal.keepNote(note);
  journal.close();
  const before = told(folder);
  const content = readFileSync(folder.journal);
  content.fill(0xee, 0, 100);
  writeFileSync(folder.journal, content);
  open(folder).close();
  expect(told(folder)).toEqual(before);

  const again = readFileSync(folder.journal);
  const page = Math.floor(again.indexOf('{"payments":7}') / pageBytes);
  again.fill(0xee, page * pageBytes, (page + 1) * pageBytes);
  again.fill(0xee, 0, 100);
  writeFileSync(folder.journal, again);
  const repaired = open(folder);
  expect(told(folder)).toEqual({ ...before, closings: [] });
  expect(repaired.keepClosing(day).number).toBe(3);
  repaired.close();
});

test('after a repair a new sale is numbered behind those that were lost: it is in the next closing', () => {
  using folder = new Folder();
  const journal = open(folder);
  fill(journal, 1, 30);
  journal.close();
  const { counted } = totals(folder, {
    sale: 0,
    refund: 0,
    capture: 0,
    undecided: { sales: [], refunds: [] },
  });
  expect(counted.sale).toBe(30);
  const content = readFileSync(folder.journal);
  const lastId = saleNumbered(30).saleId;
  for (let at = content.indexOf(lastId); at >= 0; at = content.indexOf(lastId)) {
    const page = Math.floor(at / pageBytes);
    content.fill(0xee, page * pageBytes, (page + 1) * pageBytes);
  }
  writeFileSync(folder.journal, content);
  const repaired = open(folder);
  fill(repaired, 31, 31);
  repaired.close();
  expect(totals(folder, counted).hours).toMatchObject([{ payments: { count: 1 } }]);
});

function totals(folder: Folder, counted: Counted): ReturnType<JournalReader['totalsBehind']> {
  const reader = openJournalReader(folder.journal);
  const found = reader.totalsBehind(counted, { isHourly: true });
  reader.close();
  return found;
}
