import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { apply, replay } from '../payment/apply.ts';
import { outcomeOf, type Payment, type PaymentEvent, type Sale } from '../payment/payment.ts';
import type { Clock } from '../primitives/clock.ts';
import type { FinishedSale } from '../primitives/sale.ts';
import { type Journal, type JournalEntry, JournalOpenError, JournalWriteError, type OpenSale, type SaleNumbers } from './journal.ts';

/**
 * `events` is the truth and only grows (the triggers see to it). `sales` is what can be derived from it, kept beside it in the same
 * transaction, so that neither a start nor a question grows with the number of payments.
 */
const schema = `
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
const schemaVersion = 1;

const largestReceiptNumber = 9_999;
const largestTraceNumber = 999_999;

/**
 * The journal in one SQLite file, each append one durable commit.
 * @param busyTimeoutMs how long another process (a backup, support's tools) may hold the file before an append fails
 * @throws JournalOpenError
 */
export function openSqliteJournal(path: string, clock: Clock, { busyTimeoutMs = 2_000 } = {}): Journal {
  const db = openDatabase(path, busyTimeoutMs);
  const insertEvent = db.prepare('INSERT INTO events (at_ms, lane_id, sale_id, type, body) VALUES (?, ?, ?, ?, ?)');
  const insertSale = db.prepare(
    "INSERT INTO sales (sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number) VALUES (?, ?, NULL, 'creating', 0, 0, ?, ?)",
  );
  const updateSale = db.prepare('UPDATE sales SET payment_id = ?, state = ?, closed = ?, decided = ? WHERE sale_id = ?');
  const selectOpen = db.prepare('SELECT sale_id FROM sales WHERE lane_id = ? AND closed = 0 ORDER BY number');
  const selectEvents = db.prepare('SELECT seq, at_ms, lane_id, body FROM events WHERE sale_id = ? ORDER BY seq');
  const selectNumbers = db.prepare('SELECT receipt_number, trace_number FROM sales WHERE lane_id = ? ORDER BY number DESC LIMIT 1');
  const selectLastDecided = db.prepare('SELECT sale_id FROM sales WHERE lane_id = ? AND decided = 1 ORDER BY number DESC LIMIT 1');
  const selectByPayment = db.prepare('SELECT sale_id FROM sales WHERE payment_id = ?');
  // Payments under way, so that an append need not read back what it just wrote. Final ones leave.
  const underWay = new Map<string, Payment>();

  const eventsOf = (saleId: string): PaymentEvent[] => selectEvents.all(saleId).map((row) => JSON.parse(row['body'] as string) as PaymentEvent);

  function write(laneId: string, saleId: string, events: readonly PaymentEvent[]): Payment {
    let payment = underWay.get(saleId) ?? (events[0]?.type === 'saleRequested' ? null : replay(eventsOf(saleId)));
    for (const event of events) {
      payment = apply(payment, event);
      insertEvent.run(clock.wallMs(), laneId, saleId, event.type, JSON.stringify(event));
      if (event.type === 'saleRequested') insertSale.run(saleId, laneId, event.sale.receiptNumber, event.sale.traceNumber);
    }
    if (payment === null) throw new Error('an append without events');
    const paymentId = 'paymentId' in payment ? payment.paymentId : null;
    updateSale.run(paymentId, payment.kind, isClosed(payment) ? 1 : 0, outcomeOf(payment) === null ? 0 : 1, saleId);
    return payment;
  }

  return {
    append(laneId, saleId, events) {
      let payment: Payment;
      try {
        db.exec('BEGIN IMMEDIATE');
        payment = write(laneId, saleId, events);
        db.exec('COMMIT');
      } catch (cause) {
        rollBack(db);
        throw new JournalWriteError(cause);
      }
      if (isClosed(payment)) underWay.delete(saleId);
      else underWay.set(saleId, payment);
    },

    openSales(laneId): OpenSale[] {
      return selectOpen.all(laneId).map((row) => {
        const saleId = row['sale_id'] as string;
        return { saleId, events: eventsOf(saleId) };
      });
    },

    story(saleId): JournalEntry[] {
      return selectEvents.all(saleId).map((row) => ({
        seq: row['seq'] as number,
        atMs: row['at_ms'] as number,
        laneId: row['lane_id'] as string,
        saleId,
        event: JSON.parse(row['body'] as string) as PaymentEvent,
      }));
    },

    nextNumbers(laneId): SaleNumbers {
      const last = selectNumbers.get(laneId);
      return {
        receiptNumber: (((last?.['receipt_number'] as number | undefined) ?? 0) % largestReceiptNumber) + 1,
        traceNumber: (((last?.['trace_number'] as number | undefined) ?? 0) % largestTraceNumber) + 1,
      };
    },

    lastDecidedSale(laneId): FinishedSale | null {
      const row = selectLastDecided.get(laneId);
      if (row === undefined) return null;
      const payment = replay(eventsOf(row['sale_id'] as string));
      const outcome = outcomeOf(payment);
      return outcome === null ? null : { sale: payment.sale, outcome };
    },

    saleOfPayment(paymentId): Sale | null {
      const row = selectByPayment.get(paymentId);
      return row === undefined ? null : replay(eventsOf(row['sale_id'] as string)).sale;
    },

    close: () => db.close(),
  };
}

/** One that needs a person stays open: it must be seen again after a restart. */
const isClosed = (payment: Payment): boolean => payment.kind === 'paid' || payment.kind === 'notPaid';

function openDatabase(path: string, busyTimeoutMs: number): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(path), { recursive: true });
    db = new DatabaseSync(path);
    // FULL: in WAL mode the default would lose the last commits in a power cut.
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
    const version = db.prepare('PRAGMA user_version').get()?.['user_version'] as number;
    if (version > schemaVersion) throw new Error(`it was written by a newer Tillbeacon (version ${version} of its layout, this one knows ${schemaVersion})`);
    if (version < schemaVersion) db.exec(schema);
    return db;
  } catch (cause) {
    db?.close();
    throw new JournalOpenError(path, cause);
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // Nothing was begun, or SQLite has already rolled back by itself.
  }
}
