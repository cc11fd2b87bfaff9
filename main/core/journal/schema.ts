import type { DatabaseSync } from 'node:sqlite';
import { number, query } from '../../support/sql-rows.ts';

/**
 * `events` is the source of truth and append-only, which the triggers enforce. `sales` and
 * `refunds` are derived from it in the same transaction, so that neither a start nor a query slows
 * down with the number of payments.
 */
const version1 = `
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
`;

/**
 * Refunds, and seals. `seal` is over the row and the seal before it, so that a changed or missing
 * row shows; rows that an older version wrote have none. `refunds.number` is the `seq` of the
 * request. `repairs` records what was lost and when.
 */
const version2 = `
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
`;

/**
 * Columns that lists of sales show and search; and the tables of the manager's screens: actions,
 * closing reports, notes. The new columns are filled from the requests as far as these are
 * readable; damage is found and repaired later, not by the migration.
 */
const version3 = `
  ALTER TABLE sales ADD COLUMN at_ms INTEGER;
  ALTER TABLE sales ADD COLUMN order_id TEXT;
  ALTER TABLE sales ADD COLUMN amount_minor INTEGER;
  ALTER TABLE sales ADD COLUMN currency TEXT;
  ALTER TABLE refunds ADD COLUMN at_ms INTEGER;
  ALTER TABLE refunds ADD COLUMN currency TEXT;
  UPDATE sales SET (at_ms, order_id, amount_minor, currency) = (
    SELECT at_ms, body ->> '$.sale.orderId', CAST(body ->> '$.sale.amountMinor' AS INTEGER), body ->> '$.sale.currency'
    FROM events WHERE events.sale_id = sales.sale_id AND type = 'saleRequested' AND json_valid(body) ORDER BY seq LIMIT 1);
  UPDATE refunds SET (at_ms, currency) = (
    SELECT at_ms, body ->> '$.request.currency' FROM events WHERE seq = refunds.number AND json_valid(body));
  CREATE INDEX sales_by_order ON sales (order_id);
  DROP INDEX sales_by_payment;
  CREATE INDEX sales_by_payment_ending ON sales (substr(payment_id, -4));
  CREATE INDEX sales_by_time ON sales (at_ms, number, lane_id);
  CREATE INDEX sales_by_lane_and_time ON sales (lane_id, at_ms, number);
  CREATE INDEX sales_by_amount ON sales (amount_minor, at_ms, number, lane_id);
  CREATE INDEX sales_by_receipt_number ON sales (receipt_number, at_ms, number);
  CREATE INDEX sales_unfound ON sales (lane_id, number) WHERE state = 'notPaid' AND payment_id IS NULL;
  CREATE INDEX refunds_by_time ON refunds (at_ms, number);
  CREATE INDEX refunds_unfound ON refunds (lane_id, number) WHERE state = 'notRefunded' AND refund_id IS NULL;
  CREATE TABLE manager_actions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    manager TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT,
    detail TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE closings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    lane_id TEXT,
    from_ms INTEGER NOT NULL,
    to_ms INTEGER NOT NULL,
    manager TEXT NOT NULL,
    report TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE reconciliation_notes (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    subject TEXT NOT NULL,
    manager TEXT NOT NULL,
    text TEXT NOT NULL,
    at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX manager_actions_by_time ON manager_actions (at_ms);
  CREATE INDEX reconciliation_notes_by_subject ON reconciliation_notes (subject, number);
  ${['manager_actions', 'closings', 'reconciliation_notes'].map(grows).join('')}
`;

/**
 * The last characters of payment and refund ids, for ids that were read out or torn.
 */
const version4 = `
  CREATE INDEX sales_by_order_ending ON sales (lower(substr(order_id, -4)));
  CREATE INDEX refunds_by_order_ending ON refunds (lower(substr(refund_order_id, -4)));
`;

function grows(table: string): string {
  return `
  CREATE TRIGGER ${table}_are_kept BEFORE DELETE ON ${table} BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;
  CREATE TRIGGER ${table}_stay_as_they_are BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'the journal only grows'); END;`;
}

/**
 * For a held reservation: the captured amount, and the event that decided it. Totals count the
 * reservation at that event, perhaps days after the request. null: never held, or not captured.
 */
const version5 = `
  ALTER TABLE sales ADD COLUMN captured_minor INTEGER;
  ALTER TABLE sales ADD COLUMN captured_seq INTEGER;
  ALTER TABLE sales ADD COLUMN captured_at_ms INTEGER;
  CREATE INDEX sales_by_capture_time ON sales (captured_at_ms) WHERE captured_seq IS NOT NULL;
  CREATE INDEX sales_by_capture ON sales (captured_seq) WHERE captured_seq IS NOT NULL;
`;

/**
 * What tills asked to be done with reservations, with the numbers of their receipts, which are not
 * given again. `number` is the `seq` of the request. Derived from the events, as the other tables.
 */
const version6 = `
  CREATE TABLE bookings (
    number INTEGER PRIMARY KEY,
    sale_id TEXT NOT NULL,
    lane_id TEXT NOT NULL,
    receipt_number INTEGER NOT NULL,
    trace_number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX bookings_by_lane ON bookings (lane_id, number);
  CREATE INDEX bookings_by_receipt ON bookings (lane_id, receipt_number, number);
`;

/** Payments are summed up in blocks of so many numbers. */
export const blockSize = 1_024;
const isTaken = (row: string): string => `${row}state IN ('capturing', 'paid')`;
/**
 * What a row of `sales` counts as, with its sum; what a repair could not read counts as nothing.
 */
const takenSumSql = (row: string): string => `
  iif(${row}captured_seq IS NULL, 'payment', 'capture') AS kind,
  coalesce(${row}captured_seq, ${row}number) / ${blockSize} AS block,
  ${row}lane_id AS lane_id,
  iif(${row}captured_seq IS NULL, ${row}at_ms, ${row}captured_at_ms) / 3600000 * 3600000 AS hour_ms,
  ${row}currency AS currency,
  iif(${row}captured_seq IS NULL, ${row}amount_minor, ${row}captured_minor) AS minor`;
const isGivenBack = (row: string): string => `${row}state IN ('capturing', 'refunded')`;
const refundedSumSql = (row: string): string => `
  'refund' AS kind, ${row}number / ${blockSize} AS block, ${row}lane_id AS lane_id, ${row}at_ms / 3600000 * 3600000 AS hour_ms, ${row}currency AS currency,
  ${row}amount_minor AS minor`;
const isCountable = 'hour_ms IS NOT NULL AND currency IS NOT NULL AND minor IS NOT NULL';
const count = (sign: 1 | -1, facts: string, where: string): string => `
  INSERT INTO moved_totals SELECT kind, block, lane_id, hour_ms, currency, ${sign}, ${sign} * minor FROM (SELECT ${facts} WHERE ${where}) WHERE ${isCountable}
  ON CONFLICT DO UPDATE SET count = count + excluded.count, sum_minor = sum_minor + excluded.sum_minor;`;
const summedUp = (
  table: string,
  is: (row: string) => string,
  facts: (row: string) => string,
): string => `
  SELECT kind, block, lane_id, hour_ms, currency, count(*) AS count, sum(minor) AS sum_minor FROM (SELECT ${facts('')} FROM ${table} WHERE ${is('')})
  WHERE ${isCountable} GROUP BY kind, block, lane_id, hour_ms, currency`;
/** What `moved_totals` has to be. */
export const movedTotals = `${summedUp('sales', isTaken, takenSumSql)} UNION ALL ${summedUp('refunds', isGivenBack, refundedSumSql)}`;
const counted = (
  table: string,
  columns: string,
  is: (row: string) => string,
  facts: (row: string) => string,
): string => `
  CREATE TRIGGER ${table}_are_counted AFTER INSERT ON ${table} WHEN ${is('NEW.')} BEGIN ${count(1, facts('NEW.'), is('NEW.'))} END;
  CREATE TRIGGER ${table}_are_recounted AFTER UPDATE OF ${columns} ON ${table}
    WHEN ${is('OLD.')} OR ${is('NEW.')}
  BEGIN ${count(-1, facts('OLD.'), is('OLD.'))} ${count(1, facts('NEW.'), is('NEW.'))} END;`;

/**
 * What moved, by hour, for each block of numbers of `sales` and `refunds`, and of the events that
 * captured a reservation: reports count behind a number, however many there are. Kept by triggers,
 * so that each writer of the derived tables keeps it too.
 */
const version7 = `
  CREATE TABLE moved_totals (
    kind TEXT NOT NULL,
    block INTEGER NOT NULL,
    lane_id TEXT NOT NULL,
    hour_ms INTEGER NOT NULL,
    currency TEXT NOT NULL,
    count INTEGER NOT NULL,
    sum_minor INTEGER NOT NULL,
    PRIMARY KEY (kind, block, lane_id, hour_ms, currency)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO moved_totals ${movedTotals};
  ${counted('sales', 'state, amount_minor, captured_minor, captured_seq', isTaken, takenSumSql)}
  ${counted('refunds', 'state, amount_minor', isGivenBack, refundedSumSql)}
`;

/** One step for each version; the first creates version 1. */
const migrations: readonly ((db: DatabaseSync) => void)[] = [
  (db) => db.exec(version1),
  (db) => db.exec(version2),
  (db) => db.exec(version3),
  (db) => db.exec(version4),
  (db) => db.exec(version5),
  (db) => db.exec(version6),
  (db) => db.exec(version7),
];

export const newestVersion = migrations.length;

export const versionOf = (db: DatabaseSync): number =>
  query(db, 'PRAGMA user_version', { userVersion: number }).first()?.userVersion ?? 0;

/**
 * Migrates to the newest version, in one transaction. @throws Error when the file is newer than
 * this code
 */
export function migrate(db: DatabaseSync): void {
  const version = versionOf(db);
  if (version === newestVersion) return;
  if (version > newestVersion)
    throw new Error(
      `it was written by a newer Tillbeacon (version ${version} of its layout, this one knows ${newestVersion})`,
    );
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of migrations.slice(version)) step(db);
    db.exec(`PRAGMA user_version = ${newestVersion}; COMMIT;`);
  } catch (error) {
    rollBack(db);
    throw error;
  }
}

export function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // No transaction was open, or SQLite has already rolled it back.
  }
}
