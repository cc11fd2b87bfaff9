import type { DatabaseSync } from 'node:sqlite';

/**
 * `events` is the truth and only grows (the triggers see to it). `sales` and `refunds` are what can be derived from it, kept beside it in
 * the same transaction, so that neither a start nor a question grows with the number of payments.
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
 * Refunds, and seals. `seal` is over the row and the seal before it, so that a changed or missing row shows; rows that an older version wrote
 * have none. `refunds.number` is the `seq` of the request. `repairs` tells what was lost when, for whoever reads the journal later.
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

/** One for each step: the first makes version 1 of nothing. */
const migrations: readonly ((db: DatabaseSync) => void)[] = [(db) => db.exec(version1), (db) => db.exec(version2)];

export const newestVersion = migrations.length;

export const versionOf = (db: DatabaseSync): number => db.prepare('PRAGMA user_version').get()?.['user_version'] as number;

/** Forward to the newest version, in one transaction or not at all. @throws Error when the file is newer than this code */
export function migrate(db: DatabaseSync): void {
  const version = versionOf(db);
  if (version === newestVersion) return;
  if (version > newestVersion) throw new Error(`it was written by a newer Tillbeacon (version ${version} of its layout, this one knows ${newestVersion})`);
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
    // Nothing was begun, or SQLite has already rolled back by itself.
  }
}
