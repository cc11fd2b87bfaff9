import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Journal,
  JournalOpenError,
  JournalWriteError,
} from '../../../../main/core/journal/journal.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import type { PaymentEvent, Sale } from '../../../../main/core/settlement/payment.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { paymentId, sale } from '../settlement/support.ts';

let folder: string;
let journal: Journal;
const path = (): string => join(folder, 'journal.sqlite');
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-journal-'));
  journal = openSqliteJournal(path(), systemClock);
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true, force: true });
});

const saleNumbered = (n: number, about: Partial<Sale> = {}): Sale => ({
  ...sale,
  saleId: `5a1e0000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  receiptNumber: n,
  traceNumber: n,
  ...about,
});
const requested = (of: Sale): PaymentEvent => ({ type: 'saleRequested', sale: of });
const paidStory = (of: Sale): PaymentEvent[] => [
  requested(of),
  { type: 'created', paymentId, status: 'initiated' },
  { type: 'captureIntended' },
  { type: 'tillAcknowledged' },
  { type: 'captured' },
];
const reopen = (): void => {
  journal.close();
  journal = openSqliteJournal(path(), systemClock);
};

test('what was appended is there after the file was closed and opened again, in order', () => {
  journal.append('1', sale.saleId, [requested(sale)]);
  journal.append('1', sale.saleId, [{ type: 'created', paymentId, status: 'initiated' }]);
  reopen();
  expect(journal.story(sale.saleId).map(({ event }) => event.type)).toEqual([
    'saleRequested',
    'created',
  ]);
  expect(journal.openSales('1')).toEqual([
    {
      saleId: sale.saleId,
      events: [requested(sale), { type: 'created', paymentId, status: 'initiated' }],
    },
  ]);
});

test('a sale that has ended is open no more, one that needs a person still is', () => {
  journal.append('1', sale.saleId, paidStory(sale));
  expect(journal.openSales('1')).toEqual([]);
  const lost = saleNumbered(2);
  journal.append('1', lost.saleId, [
    ...paidStory(lost).slice(0, 4),
    { type: 'personNeeded', problem: 'captureLost' },
  ]);
  reopen();
  expect(journal.openSales('1').map(({ saleId }) => saleId)).toEqual([lost.saleId]);
});

test('lanes do not see each other', () => {
  journal.append('1', sale.saleId, [requested(sale)]);
  expect(journal.openSales('2')).toEqual([]);
  expect(journal.nextNumbers('2')).toEqual({ receiptNumber: 1, traceNumber: 1 });
});

test('numbers go on after a restart, failed sales count, and both wrap', () => {
  journal.append('1', sale.saleId, [
    requested(sale),
    { type: 'ended', reason: 'refusedByService' },
  ]);
  reopen();
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 2, traceNumber: 2 });
  const last = saleNumbered(2, { receiptNumber: 9_999, traceNumber: 999_999 });
  journal.append('1', last.saleId, [requested(last)]);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 1, traceNumber: 1 });
});

test('the last decided sale is the one that a repeated receipt tells, not one under way', () => {
  expect(journal.lastDecided('1')).toBeNull();
  journal.append('1', sale.saleId, paidStory(sale));
  const next = saleNumbered(2);
  journal.append('1', next.saleId, [requested(next)]);
  reopen();
  expect(journal.lastDecided('1')).toMatchObject({
    sale: { saleId: sale.saleId },
    outcome: { paid: true },
  });
  journal.append('1', next.saleId, [{ type: 'ended', reason: 'timedOut' }]);
  expect(journal.lastDecided('1')).toMatchObject({
    sale: { saleId: next.saleId },
    outcome: { paid: false, reason: 'timedOut' },
  });
});

test('a payment is found by the id that the service gave it', () => {
  journal.append('1', sale.saleId, paidStory(sale));
  expect(journal.saleOfPayment(paymentId)?.saleId).toBe(sale.saleId);
  expect(journal.saleOfPayment('fa1e0000-0000-4000-8000-00000000ffff')).toBeNull();
});

test('an event that contradicts what is there is refused, and nothing of its batch is kept', () => {
  journal.append('1', sale.saleId, [requested(sale)]);
  expect(() =>
    journal.append('1', sale.saleId, [
      { type: 'created', paymentId, status: 'initiated' },
      { type: 'captured' },
    ]),
  ).toThrow(JournalWriteError);
  reopen();
  expect(journal.story(sale.saleId)).toHaveLength(1);
  journal.append('1', sale.saleId, [{ type: 'created', paymentId, status: 'initiated' }]);
  expect(journal.story(sale.saleId)).toHaveLength(2);
});

test('nobody can change or remove an event', () => {
  journal.append('1', sale.saleId, [requested(sale)]);
  const intruder = new DatabaseSync(path());
  expect(() => intruder.exec('DELETE FROM events')).toThrow('only grows');
  expect(() => intruder.exec("UPDATE events SET body = '{}'")).toThrow('only grows');
  intruder.close();
});

test('a disk that refuses is an error of its own, and the journal works again afterwards', () => {
  const blocker = new DatabaseSync(path());
  blocker.exec('PRAGMA max_page_count'); // opens the file
  blocker.exec('BEGIN IMMEDIATE');
  const impatient = openSqliteJournal(path(), systemClock, { busyTimeoutMs: 10 });
  expect(() => impatient.append('1', sale.saleId, [requested(sale)])).toThrow(JournalWriteError);
  blocker.exec('ROLLBACK');
  blocker.close();
  impatient.append('1', sale.saleId, [requested(sale)]);
  expect(impatient.story(sale.saleId)).toHaveLength(1);
  impatient.close();
});

test('a newer journal is not touched', () => {
  const newer = new DatabaseSync(join(folder, 'newer.sqlite'));
  newer.exec('PRAGMA user_version = 99');
  newer.close();
  expect(() => openSqliteJournal(join(folder, 'newer.sqlite'), systemClock)).toThrow(
    /newer Tillbeacon/,
  );
  expect(() => openSqliteJournal(join(folder, 'newer.sqlite'), systemClock)).toThrow(
    JournalOpenError,
  );
});

test('what a killed process had acknowledged is there, every event of it', async () => {
  const file = join(folder, 'killed.sqlite');
  const script = `
    import { openSqliteJournal } from ${JSON.stringify(new URL('../../../../main/core/journal/sqlite-journal.ts', import.meta.url).href)};
    import { systemClock } from ${JSON.stringify(new URL('../../../../main/core/domain/clock.ts', import.meta.url).href)};
    const journal = openSqliteJournal(${JSON.stringify(file)}, systemClock);
    const sale = ${JSON.stringify(sale)};
    for (let n = 1; ; n += 1) {
      const saleId = '5a1e0000-0000-4000-8000-' + String(n).padStart(12, '0');
      journal.append('1', saleId, [{ type: 'saleRequested', sale: { ...sale, saleId, traceNumber: n } }]);
      process.stdout.write(n + '\\n');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > 200) {
        child.kill('SIGKILL');
        resolve();
      }
    });
  });
  await new Promise((resolve) => child.once('close', resolve));
  const acknowledged = Number(output.trim().split('\n').at(-1));
  const survived = openSqliteJournal(file, systemClock);
  expect(survived.openSales('1').length).toBeGreaterThanOrEqual(acknowledged);
  survived.close();
});
