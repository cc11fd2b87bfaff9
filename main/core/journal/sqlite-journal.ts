import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { bookingOf, capturedMinorOf } from '../settlement/reservation.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { isDamage, problemAtStart, problemBeforeOpening, SlowCheck } from './check.ts';
import { isFull } from '../../support/sqlite-errors.ts';
import { eventIn, eventLog } from './event-log.ts';
import { finishExchange, leftAs, markAs, reservePath } from './files.ts';
import {
  type Journal,
  type JournalDamage,
  type JournalEntry,
  JournalOpenError,
  JournalWriteError,
  type PaidSale,
  type SaleNumbers,
} from './journal.ts';
import { type ManagerRecords, managerRecordsTables } from './manager-records.ts';
import { refundsTable } from './refunds-table.ts';
import { repair } from './repair.ts';
import { fileReserve, type Reserve } from './reserve.ts';
import { beginsPayment, salesTable } from './sales-table.ts';
import { migrate, rollBack } from './schema.ts';
import { number, query } from '../../support/sql-rows.ts';
import { messageOf, systemCodeOf } from '../domain/errors.ts';
import { numbersAfter } from '../domain/receipt-number.ts';

/**
 * Checks about a millisecond at a time with pauses for payments. 100,000 payments take some
 * minutes.
 */
const slowCheck = { firstAfterMs: 10_000, pauseMs: 50, rows: 100 } as const;

export interface JournalOptions {
  /**
   * How long another process (a backup, support's tools) may hold the file before an append fails.
   */
  readonly busyTimeoutMs?: number;
  /** Called when damage is found: at start, or later by a query or the slow check. */
  readonly damaged?: (damage: JournalDamage) => void;
  /** Checks the rest of a large journal in the background after the start. */
  readonly checkSlowly?: boolean;
  /** Called when the background check has found nothing. */
  readonly checked?: () => void;
  readonly reserve?: Reserve;
}

export interface SqliteJournal extends Journal, ManagerRecords {
  /** When the newest event was written; null in an empty journal. */
  newestAtMs(): number | null;
}

/**
 * The journal in one SQLite file, each append one durable commit. A damaged file is repaired first,
 * see `repair`.
 * @throws JournalOpenError when the file cannot be used for a reason other than damage
 */
export function openSqliteJournal(
  path: string,
  clock: Clock,
  options: JournalOptions = {},
): SqliteJournal {
  const { damaged = () => {}, checked = () => {}, checkSlowly = false } = options;
  const reserve = options.reserve ?? fileReserve(reservePath(path));
  const { db, log, sales, refunds, records } = openWithRoom(path, clock, options, reserve);
  const newestEvent = query(db, 'SELECT at_ms FROM events ORDER BY seq DESC LIMIT 1', {
    atMs: number,
  });
  let marked = false;
  let suspect = false;
  let cancelCheck: Cancel = () => {};

  function suspectDamage(problem: string): void {
    if (suspect) return;
    suspect = true;
    tryMark(path, 'suspect');
    damaged({
      atMs: clock.wallMs(),
      problem,
      repaired: false,
      savedSales: 0,
      savedEvents: 0,
      unreadableEvents: 0,
      lost: [],
      keptAt: null,
    });
  }

  /**
   * Writes in one transaction. A write that begins something must leave the reserve; one that
   * continues something may use it.
   */
  function durably<Result>(begins: boolean, write: () => () => Result): Result {
    if (begins && !reserve.keep())
      throw new JournalWriteError(
        new Error('the disk is full: what has begun can be finished, nothing new is begun'),
      );
    try {
      return transact(write);
    } catch (cause) {
      if (isDamage(cause)) suspectDamage(`a write met damage: ${messageOf(cause)}`);
      if (begins || !isDiskFull(cause) || !reserve.release()) throw new JournalWriteError(cause);
      try {
        return transact(write);
      } catch (again) {
        throw new JournalWriteError(again);
      }
    }
  }

  function transact<Result>(write: () => () => Result): Result {
    let committed: () => Result;
    try {
      db.exec('BEGIN IMMEDIATE');
      committed = write();
      db.exec('COMMIT');
    } catch (error) {
      rollBack(db);
      throw error;
    }
    const result = committed();
    // Only after the first commit: from here on a missing write-ahead log means damage.
    if (!marked && !suspect) tryMark(path, 'open');
    marked = true;
    return result;
  }

  function keep<Kept>(write: (atMs: number) => Kept): Kept {
    return durably(true, () => {
      const kept = write(clock.wallMs());
      return () => kept;
    });
  }

  function checkOn(check: SlowCheck): void {
    let ended: boolean;
    try {
      ended = check.next(slowCheck.rows);
    } catch (error) {
      return suspectDamage(messageOf(error));
    }
    const [problem] = check.problems();
    if (problem !== undefined) suspectDamage(problem);
    else if (ended) checked();
    else cancelCheck = clock.after(slowCheck.pauseMs, () => checkOn(check));
  }
  if (checkSlowly)
    cancelCheck = clock.after(slowCheck.firstAfterMs, () => checkOn(new SlowCheck(db)));

  return {
    append: (laneId, saleId, events) =>
      durably(events[0] !== undefined && beginsPayment(events[0]), () =>
        sales.append(laneId, saleId, clock.wallMs(), events),
      ),
    openSales: (laneId) => sales.open(laneId),
    appendRefund: (laneId, refundOrderId, events) =>
      durably(events[0]?.type === 'refundRequested', () =>
        refunds.append(laneId, refundOrderId, clock.wallMs(), events),
      ),
    openRefunds: (laneId) => refunds.open(laneId),
    refundsOf: (saleId) => refunds.ofSale(saleId),
    refundOfOrder: (refundOrderId) => refunds.ofOrder(refundOrderId),

    paidSale(laneId, receiptNumber): PaidSale | null {
      const payment = sales.paid(laneId, receiptNumber);
      if (payment === null) return null;
      const { sale, paymentId } = payment;
      const booked = bookingOf(payment);
      const refundedMinor = refunds.refundedMinor(sale.saleId);
      return {
        sale,
        paymentId,
        capturedMinor: capturedMinorOf(payment),
        captured: payment.kind === 'paid',
        refundedMinor,
        ...(booked && { booked }),
      };
    },

    story: (saleId): JournalEntry[] =>
      log.story(saleId).map(({ seq, atMs, laneId, refundOrderId, body }) => ({
        seq,
        atMs,
        laneId,
        saleId,
        refundOrderId,
        event: eventIn({ body }),
      })),

    nextNumbers: (laneId): SaleNumbers =>
      numbersAfter(later(sales.last(laneId), refunds.last(laneId))),

    newestAtMs: () => newestEvent.first()?.atMs ?? null,
    newestSales: (laneId, most) => sales.newest(laneId, most),
    reservation: (laneId, numbers) => sales.reservation(laneId, numbers),
    lastDecided: (laneId) =>
      later(later(sales.lastDecided(laneId), refunds.lastDecided(laneId)), sales.lastBooked(laneId))
        ?.finished ?? null,
    saleOfPayment: (paymentId) => sales.ofPayment(paymentId),
    paymentOfOrder: (orderId) => sales.ofOrder(orderId),
    unfound: (laneId) => ({ payments: sales.unfound(laneId), refunds: refunds.unfound(laneId) }),

    keepAction: (action) => keep((atMs) => records.keepAction(atMs, action)),
    keepClosing: (closing) => keep((atMs) => records.keepClosing(atMs, closing)),
    keepNote: (note) => keep((atMs) => records.keepNote(atMs, note)),
    damageToNote: () => records.damageToNote(),

    close() {
      cancelCheck();
      const left = leftAs(path);
      // Marked before the log is emptied: if the process dies in between, the log is still read. In
      // the other order its absence would look like damage.
      if (!suspect) tryMark(path, 'closed');
      // Another process still has the file open, or the disk is full: the events stay in the log.
      if (!emptyLog(db) && left === 'open') tryMark(path, 'open');
      db.close();
    },
  };
}

/** @returns false when the log could not be emptied */
function emptyLog(db: DatabaseSync): boolean {
  try {
    return db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
  } catch {
    return false;
  }
}

function later<A extends { readonly seq: number }, B extends { readonly seq: number }>(
  a: A | null,
  b: B | null,
): A | B | null {
  if (a === null || b === null) return a ?? b;
  return a.seq > b.seq ? a : b;
}

/**
 * Releases the reserve when the disk is too full to open the journal: open payments must be
 * finished.
 */
function openWithRoom(path: string, clock: Clock, options: JournalOptions, reserve: Reserve) {
  try {
    const opened = openWhole(path, clock, options);
    reserve.keep();
    return opened;
  } catch (error) {
    if (!(error instanceof JournalOpenError) || !isDiskFull(error.cause) || !reserve.release())
      throw error;
    return openWhole(path, clock, options);
  }
}

/** Opens the journal, after repairing and reporting damage. */
function openWhole(path: string, clock: Clock, { busyTimeoutMs = 2_000, damaged }: JournalOptions) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    finishExchange(path, clock.wallMs());
    const problem = problemBeforeOpening(path);
    const opened = problem ?? openChecked(path, busyTimeoutMs);
    if (typeof opened !== 'string') return opened;
    const damage = repair(path, opened, clock.wallMs());
    tryMark(path, 'closed');
    const repaired = openChecked(path, busyTimeoutMs);
    if (typeof repaired === 'string') throw new Error(`it was repaired, and still: ${repaired}`);
    damaged?.(damage);
    return repaired;
  } catch (cause) {
    throw new JournalOpenError(path, cause);
  }
}

/** @returns the opened journal, or the damage in words */
function openChecked(path: string, busyTimeoutMs: number) {
  createPrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    // FULL, because in WAL mode the default may lose the last commits in a power cut.
    db.exec(
      `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`,
    );
    migrate(db);
    const log = eventLog(db);
    const sales = salesTable(db, log);
    const refunds = refundsTable(db, log, sales);
    const problem = problemAtStart(db, log, path);
    if (problem !== null) {
      db.close();
      return problem;
    }
    return { db, log, sales, refunds, records: managerRecordsTables(db) };
  } catch (error) {
    db.close();
    if (isDamage(error)) return messageOf(error);
    throw error;
  }
}

/** The mark only helps to notice damage: a full disk must not keep the journal from opening. */
function tryMark(path: string, as: 'closed' | 'open' | 'suspect'): void {
  try {
    markAs(path, as);
  } catch {
    // The journal works without the mark.
  }
}

const isDiskFull = (error: unknown): boolean => systemCodeOf(error) === 'ENOSPC' || isFull(error);
