/**
 * Stores the answers of the reporting interface, in a separate file that may be deleted: they can
 * be read again. Customers' names and telephone numbers are not stored.
 */
import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createPrivateFile } from '../../../support/private-file.ts';
import { flag, number, query, text } from '../../../support/sql-rows.ts';
import { isCorrupt } from '../../../support/sqlite-errors.ts';
import { type PlacedLine, withFees } from './fees.ts';
import type { Span } from './period.ts';
import type { ReportLine, ReportTransfer } from './report.ts';

/**
 * Columns of lines: `point_id` only before the transfer; `fee_minor` the payment's fee; `repeated`
 * marks duplicates of a payment or refund, of which the first is matched; `subject` is the stable
 * key of notes when it differs from the reference.
 */
const layout = `
  CREATE TABLE transfers (
    number INTEGER PRIMARY KEY,
    transfer_id TEXT NOT NULL UNIQUE,
    point_id TEXT NOT NULL,
    reference TEXT,
    at_ms INTEGER NOT NULL,
    total_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    lines_read INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX transfers_by_time ON transfers (at_ms);
  CREATE TABLE lines (
    number INTEGER PRIMARY KEY,
    transfer_number INTEGER,
    point_id TEXT,
    type TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    fee_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    reference TEXT,
    payment_id TEXT,
    refund_id TEXT,
    pos_name TEXT,
    label TEXT,
    subject TEXT,
    repeated INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX lines_by_transfer ON lines (transfer_number);
  CREATE INDEX lines_by_reference ON lines (reference, type);
  CREATE INDEX lines_by_payment ON lines (payment_id) WHERE payment_id IS NOT NULL;
  CREATE INDEX lines_by_refund ON lines (refund_id) WHERE refund_id IS NOT NULL;
  CREATE TABLE days_read (point_id TEXT NOT NULL, day TEXT NOT NULL, at_ms INTEGER NOT NULL, settled INTEGER NOT NULL, PRIMARY KEY (point_id, day)) STRICT, WITHOUT ROWID;
`;
const layoutVersion = 2;

/** `number` is our own key, which lines refer to. */
export interface StoredTransfer {
  readonly number: number;
  readonly transferId: string;
}

export type ReconciliationStore = ReturnType<typeof openStore>;

/** @throws Error when the file cannot be used */
export function openStore(path: string) {
  const db = openFile(path);
  const insertTransfer = db.prepare(`
    INSERT INTO transfers (transfer_id, point_id, reference, at_ms, total_minor, currency, lines_read) VALUES (?, ?, ?, ?, ?, ?, 0)
    ON CONFLICT (transfer_id) DO UPDATE SET reference = excluded.reference, at_ms = excluded.at_ms, currency = excluded.currency,
      lines_read = iif(total_minor = excluded.total_minor, lines_read, 0), total_minor = excluded.total_minor`);
  const insertDay = db.prepare(
    'INSERT OR REPLACE INTO days_read (point_id, day, at_ms, settled) VALUES (?, ?, ?, ?)',
  );
  const selectDay = query(db, 'SELECT settled FROM days_read WHERE point_id = ? AND day = ?', {
    settled: flag,
  });
  const selectDays = query(
    db,
    'SELECT min(at_ms) AS at_ms, min(settled) AS settled FROM days_read WHERE day >= ? AND day <= ? GROUP BY day',
    {
      atMs: number,
      settled: flag,
    },
  );
  const selectTransfers = query(
    db,
    'SELECT number, transfer_id FROM transfers WHERE point_id = ? AND at_ms >= ? AND at_ms < ? AND (lines_read = 0 OR ?) ORDER BY at_ms',
    { number, transferId: text },
  );
  const selectTransfer = query(db, 'SELECT number FROM transfers WHERE transfer_id = ?', {
    number,
  });
  const forgetLines = db.prepare('DELETE FROM lines WHERE transfer_number = ?');
  const forgetWaiting = db.prepare(
    'DELETE FROM lines WHERE transfer_number IS NULL AND type = ? AND (reference = ? OR refund_id = ?)',
  );
  const forgetAllWaiting = db.prepare(
    'DELETE FROM lines WHERE transfer_number IS NULL AND point_id = ? AND at_ms >= ?',
  );
  const markRead = db.prepare('UPDATE transfers SET lines_read = 1 WHERE number = ?');
  const insertLine = db.prepare(`
    INSERT INTO lines (transfer_number, point_id, type, amount_minor, fee_minor, currency, at_ms, reference, payment_id, refund_id, pos_name, label, subject, repeated)
    VALUES (:transfer, :point, :type, :amount, :fee, :currency, :at, :reference, :payment, :refund, :posName, :label, :subject,
      EXISTS (SELECT 1 FROM lines WHERE reference = :reference AND type = :type AND NOT repeated)
      OR (:type = 'Payment' AND EXISTS (SELECT 1 FROM lines WHERE payment_id = :payment AND type = :type AND NOT repeated))
      OR (:type = 'Refund' AND EXISTS (SELECT 1 FROM lines WHERE refund_id = :refund AND type = :type AND NOT repeated)))`);

  function keepLine(
    pointId: string,
    transfer: StoredTransfer | null,
    { line, place, feeMinor }: PlacedLine,
  ): void {
    const { type, amount, currencyCode, timestamp } = line;
    const reference = line.merchantReference || null;
    const at = Date.parse(timestamp);
    const subject = subjectOf(
      line,
      `${transfer?.transferId ?? `waiting:${pointId}:${at}`}#${place}`,
    );
    insertLine.run({
      transfer: transfer?.number ?? null,
      point: transfer === null ? pointId : null,
      type,
      amount,
      fee: feeMinor,
      currency: currencyCode,
      at,
      reference,
      payment: line.paymentId || null,
      refund: line.refundId || null,
      posName: line.posName || null,
      label: line.merchantPaymentLabel || null,
      subject: subject === reference ? null : subject,
    });
  }

  return {
    db,

    /** Whether the day was read when nothing could be missing any more. */
    isDaySettled: (pointId: string, day: string): boolean =>
      selectDay.first(pointId, day)?.settled === true,

    /**
     * When these days were read: the oldest reading of a day that may still change, else the newest
     * reading; null when a day was never read.
     */
    readAtMs(days: readonly string[]): number | null {
      const dayRows = selectDays.all(days[0] ?? '', days.at(-1) ?? '');
      if (dayRows.length < days.length) return null;
      const open = dayRows.filter(({ settled }) => !settled);
      return open.length > 0
        ? Math.min(...open.map(({ atMs }) => atMs))
        : Math.max(...dayRows.map(({ atMs }) => atMs));
    },

    /** @returns its `number` */
    keepTransfer(
      pointId: string,
      { id, reference, date, totalTransferredAmount, currencyCode }: ReportTransfer,
    ): number {
      insertTransfer.run(
        id,
        pointId,
        reference ?? null,
        Date.parse(date),
        totalTransferredAmount,
        currencyCode,
      );
      return selectTransfer.first(id)?.number ?? 0;
    },

    keepTransfers(pointId: string, transfers: readonly ReportTransfer[]): void {
      transact(db, () => {
        for (const { id, reference, date, totalTransferredAmount, currencyCode } of transfers)
          insertTransfer.run(
            id,
            pointId,
            reference ?? null,
            Date.parse(date),
            totalTransferredAmount,
            currencyCode,
          );
      });
    },

    /** Transfers whose lines were not read yet, or all of them with `again`; oldest first. */
    unreadTransfers: (pointId: string, { fromMs, toMs }: Span, again: boolean): StoredTransfer[] =>
      selectTransfers.all(pointId, fromMs, toMs, again ? 1 : 0),

    /** Stores all lines of a transfer in one transaction. */
    keepTransferLines(
      pointId: string,
      transfer: StoredTransfer,
      lines: readonly ReportLine[],
    ): void {
      transact(db, () => {
        forgetLines.run(transfer.number);
        for (const placed of withFees(lines)) {
          const { type, merchantReference, refundId } = placed.line;
          forgetWaiting.run(type, merchantReference || null, refundId || null);
          keepLine(pointId, transfer, placed);
        }
        markRead.run(transfer.number);
      });
    },

    /** Replaces the lines without a transfer since then. */
    keepWaitingLines(pointId: string, sinceMs: number, lines: readonly ReportLine[]): void {
      transact(db, () => {
        forgetAllWaiting.run(pointId, sinceMs);
        for (const placed of withFees(lines)) keepLine(pointId, null, placed);
      });
    },

    /** Only call after all of them were read completely. */
    keepDays(
      pointId: string,
      days: readonly string[],
      atMs: number,
      isSettled: (day: string) => boolean,
    ): void {
      transact(db, () => {
        for (const day of days) insertDay.run(pointId, day, atMs, isSettled(day) ? 1 : 0);
      });
    },

    close: () => db.close(),
  };
}

/** The order id for payments and refunds, as in the journal. */
function subjectOf(
  { type, merchantReference, refundId, paymentId }: ReportLine,
  place: string,
): string {
  const subject = merchantReference || refundId || paymentId;
  if (!subject) return place;
  return type === 'Payment' || type === 'Refund' ? subject : `${type}:${subject}`;
}

function transact(db: DatabaseSync, write: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    write();
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

/** A file that is damaged or has another layout is created anew, because it is only a copy. */
function openFile(path: string): DatabaseSync {
  try {
    return openOrEmpty(path);
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    forgetStore(path);
    return openOrEmpty(path);
  }
}

function openOrEmpty(path: string): DatabaseSync {
  createPrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    // NORMAL, because what a power cut loses can be read again. Temporary tables hold the opened
    // periods, so they are kept in memory.
    db.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA busy_timeout = 2000;',
    );
    const version = db.prepare('PRAGMA user_version').get()?.['user_version'];
    if (version === layoutVersion) return db;
    for (const table of ['lines', 'transfers', 'days_read'])
      db.exec(`DROP TABLE IF EXISTS ${table}`);
    db.exec(`${layout} PRAGMA user_version = ${layoutVersion}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export function forgetStore(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}
