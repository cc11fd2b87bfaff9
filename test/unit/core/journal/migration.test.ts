import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { eventLog } from '../../../../main/core/journal/event-log.ts';
import type { JournalDamage } from '../../../../main/core/journal/journal.ts';
import { openJournalReader } from '../../../../main/core/journal/reader.ts';
import { openSqliteJournal } from '../../../../main/core/journal/sqlite-journal.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import {
  asked,
  Folder,
  noReserve,
  paid,
  paidBack,
  refundNumbered,
  saleNumbered,
} from './support.ts';

const clock = new ManualClock();

/** The layout of Tillbeacon 0.1. */
const version1 = `
  BEGIN;
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    lane_id TEXT NOT NULL,
    sale_id TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_sale ON events (sale_id, seq);
  CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
  CREATE TRIGGER events_stay_as_they_are BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
  CREATE TABLE sales (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    sale_id TEXT NOT NULL UNIQUE,
    lane_id TEXT NOT NULL,
    payment_id TEXT,
    state TEXT NOT NULL,
    closed INTEGER NOT NULL,
    decided INTEGER NOT NULL,
    receipt_number INTEGER NOT NULL,
    trace_number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sales_by_lane ON sales (lane_id, number);
  CREATE INDEX sales_open ON sales (lane_id) WHERE closed = 0;
  CREATE INDEX sales_decided ON sales (lane_id, number) WHERE decided = 1;
  CREATE INDEX sales_by_payment ON sales (payment_id);
  PRAGMA user_version = 1;
  COMMIT;
`;
/** The additions of 0.2. */
const version2 = `
  BEGIN;
  ALTER TABLE events ADD COLUMN refund_order_id TEXT;
  ALTER TABLE events ADD COLUMN seal TEXT;
  CREATE INDEX events_by_refund ON events (refund_order_id, seq) WHERE refund_order_id IS NOT NULL;
  CREATE INDEX sales_by_receipt ON sales (lane_id, receipt_number, number);
  CREATE TABLE refunds (
    number INTEGER PRIMARY KEY,
    refund_order_id TEXT NOT NULL UNIQUE,
    sale_id TEXT NOT NULL,
    lane_id TEXT NOT NULL,
    refund_id TEXT,
    state TEXT NOT NULL,
    closed INTEGER NOT NULL,
    decided INTEGER NOT NULL,
    by_till INTEGER NOT NULL,
    amount_minor INTEGER NOT NULL,
    receipt_number INTEGER NOT NULL,
    trace_number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX refunds_by_lane ON refunds (lane_id, number);
  CREATE INDEX refunds_by_sale ON refunds (sale_id, number);
  CREATE INDEX refunds_open ON refunds (lane_id) WHERE closed = 0;
  CREATE INDEX refunds_decided ON refunds (lane_id, number) WHERE decided = 1 AND by_till = 1;
  CREATE TABLE repairs (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    last_seq INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  PRAGMA user_version = 2;
  COMMIT;
`;
const sold = saleNumbered(1);
const open = saleNumbered(2);

/** One sale that was paid, and one that was asked for. */
function journalOfVersion1(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; ${version1}`);
  const insert = db.prepare(
    'INSERT INTO events (at_ms, lane_id, sale_id, type, body) VALUES (?, ?, ?, ?, ?)',
  );
  for (const event of paid(sold))
    insert.run(1_000, '1', sold.saleId, event.type, JSON.stringify(event));
  insert.run(2_000, '1', open.saleId, 'saleRequested', JSON.stringify(asked(open)));
  const list = db.prepare(
    'INSERT INTO sales (sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  list.run(sold.saleId, '1', 'fa1e0000-0000-4000-8000-000000000001', 'paid', 1, 1, 1, 1);
  list.run(open.saleId, '1', null, 'creating', 0, 0, 2, 2);
  db.close();
}

/**
 * The journal of version 1 in the layout of version 2, with a refund that is done. All events are
 * sealed.
 */
function journalOfVersion2(path: string): void {
  journalOfVersion1(path);
  const db = new DatabaseSync(path);
  db.exec(version2);
  const refund = refundNumbered(1, sold);
  eventLog(db).append(
    { laneId: '1', saleId: sold.saleId, refundOrderId: refund.refundOrderId },
    3_000,
    paidBack(refund),
  );
  db.prepare("INSERT INTO refunds VALUES (8, ?, ?, '1', 'x', 'refunded', 1, 1, 1, 100, ?, ?)").run(
    refund.refundOrderId,
    sold.saleId,
    refund.receiptNumber,
    refund.traceNumber,
  );
  db.close();
}

function openIt(folder: Folder) {
  const found: JournalDamage[] = [];
  return {
    journal: openSqliteJournal(folder.journal, clock, {
      reserve: noReserve,
      damaged: (damage) => found.push(damage),
    }),
    found,
  };
}

test('a journal of version 1 goes on as it was, and takes refunds of the sales in it', () => {
  using folder = new Folder();
  journalOfVersion1(folder.journal);
  const { journal, found } = openIt(folder);
  expect(found).toEqual([]);
  expect(
    journal
      .story(sold.saleId)
      .map(({ atMs, event, refundOrderId }) => [atMs, event, refundOrderId]),
  ).toEqual(paid(sold).map((event) => [1_000, event, null]));
  expect(journal.openSales('1')).toEqual([{ saleId: open.saleId, events: [asked(open)] }]);
  expect(journal.nextNumbers('1')).toEqual({ receiptNumber: 3, traceNumber: 3 });
  const refund = refundNumbered(1, sold);
  journal.appendRefund('1', refund.refundOrderId, paidBack(refund));
  journal.append('1', open.saleId, [{ type: 'ended', reason: 'timedOut' }]);
  journal.close();
  const again = openIt(folder);
  expect(again.found).toEqual([]);
  expect(again.journal.paidSale('1', 1)).toMatchObject({ captured: true, refundedMinor: 100 });
  expect(again.journal.openSales('1')).toEqual([]);
  again.journal.close();
});

test.each([
  { from: 1, make: journalOfVersion1, refunds: { count: 0, sumMinor: 0 } },
  { from: 2, make: journalOfVersion2, refunds: { count: 1, sumMinor: 100 } },
])(
  'sales of version $from are found by what was asked for, and what managers write has its place',
  ({ make, refunds }) => {
    using folder = new Folder();
    make(folder.journal);
    const { journal, found } = openIt(folder);
    expect(found).toEqual([]);
    expect(journal.keepNote({ subject: 'x', manager: 'Anna', text: 'y' }).number).toBe(1);
    const reader = openJournalReader(folder.journal);
    expect(reader.check().problems).toEqual([]);
    const facts = { amountMinor: 1234, currency: 'DKK', laneId: '1' };
    expect(reader.findSales({}, { size: 10, after: null }).rows).toMatchObject([
      {
        ...facts,
        saleId: open.saleId,
        atMs: 2_000,
        orderId: open.orderId,
        state: 'creating',
        refundedMinor: 0,
      },
      {
        ...facts,
        saleId: sold.saleId,
        atMs: 1_000,
        orderId: sold.orderId,
        state: 'paid',
        refundedMinor: refunds.sumMinor,
      },
    ]);
    expect(reader.dayTotals({ fromMs: 0, toMs: 10_000 }).hours).toEqual([
      { laneId: '1', hourMs: 0, currency: 'DKK', payments: { count: 1, sumMinor: 1234 }, refunds },
    ]);
    expect(journal.saleOfPayment('fa1e0000-0000-4000-8000-000000000001')?.saleId).toBe(sold.saleId);
    reader.close();
    journal.close();
  },
);

test('a request that cannot be read does not stop the way forward: it is found damaged, and the rest is saved', () => {
  using folder = new Folder();
  journalOfVersion2(folder.journal);
  const db = new DatabaseSync(folder.journal);
  db.exec(
    "DROP TRIGGER events_stay_as_they_are; UPDATE events SET body = 'gone' WHERE seq IN (7, 8)",
  );
  db.close();
  const { journal, found } = openIt(folder);
  expect(found).toMatchObject([
    { repaired: true, lost: [{ saleId: open.saleId }, { saleId: sold.saleId }] },
  ]);
  journal.close();
});

test('events that no seal covers are still held against their number and their story', () => {
  using folder = new Folder();
  journalOfVersion1(folder.journal);
  const db = new DatabaseSync(folder.journal);
  db.exec('DROP TRIGGER events_are_kept; DELETE FROM events WHERE seq = 3');
  db.close();
  const { journal, found } = openIt(folder);
  expect(found).toMatchObject([
    { problem: 'event 4: events before it are missing', unreadableEvents: 1 },
  ]);
  journal.close();
});

test('a migration that fails leaves version 1 as it was', () => {
  using folder = new Folder();
  journalOfVersion1(folder.journal);
  const db = new DatabaseSync(folder.journal);
  // A table in the way of the new index.
  db.exec('CREATE TABLE sales_by_receipt (x)');
  expect(() => openIt(folder)).toThrow(/cannot be opened/);
  expect(db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  expect(db.prepare("SELECT count(*) AS columns FROM pragma_table_info('events')").get()).toEqual({
    columns: 6,
  });
  db.exec('DROP TABLE sales_by_receipt');
  db.close();
  const { journal, found } = openIt(folder);
  expect(found).toEqual([]);
  expect(journal.paidSale('1', 1)).not.toBeNull();
  journal.close();
  expect(existsSync(`${folder.journal}.repairing`)).toBe(false);
});
