import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { replayPayment, replayRefund } from '../settlement/apply.ts';
import {
  type EventLog,
  eventColumns,
  eventLog,
  storedEvent,
  type StoredEvent,
} from './event-log.ts';
import { number, orNull, query, type Query, RowError, text } from '../../support/sql-rows.ts';
import { isCorrupt, sqliteCodeOf } from '../../support/sqlite-errors.ts';
import { mayArriveLate } from '../settlement/outcome.ts';
import { bytesOf, leftAs, reservePath } from './files.ts';
import { Inspection, rowProblem, type InspectedState } from './inspection.ts';
import { isWithoutFrames, readWal } from './pages.ts';
import { isClosedRefund } from './refunds-table.ts';
import { isClosedPayment } from './sales-table.ts';
import { movedTotals } from './schema.ts';
import { messageOf } from '../domain/errors.ts';

/** At start, only the newest events of a large journal are checked. */
const newestEvents = 2_000;
/** Up to this size the whole journal is checked at start, which takes about 25 ms. */
const smallBytes = 1_500_000;
/** Limits the list for a journal that is damaged throughout. */
const maxFindings = 100;

/**
 * Looks for damage before SQLite opens the file, because opening it may discard a damaged
 * write-ahead log. @returns the problem in words, or null
 */
export function problemBeforeOpening(path: string): string | null {
  const left = leftAs(path);
  const walPath = `${path}-wal`;
  const wal = readWal(path);
  // The reserve file is only created after the first commit.
  if (bytesOf(path) === 0)
    return left !== 'closed' || bytesOf(walPath) > 0 || bytesOf(reservePath(path)) > 0
      ? 'it is empty or gone'
      : null;
  // Another program that closed the database in an orderly way removes both files.
  if (left === 'open' && isWithoutFrames(walPath) && bytesOf(`${path}-shm`) > 0)
    return 'its write-ahead log is gone';
  return wal.problem;
}

/** Checks as much as a start has time for. @returns the problem in words, or null */
export function problemAtStart(db: DatabaseSync, log: EventLog, path: string): string | null {
  if (leftAs(path) === 'suspect' || bytesOf(path) <= smallBytes)
    return checkAll(db).problems[0] ?? null;
  return newestProblem(db) ?? openProblem(db, log);
}

function newestProblem(db: DatabaseSync): string | null {
  const newest = query(
    db,
    `SELECT ${eventColumns} FROM events ORDER BY seq DESC LIMIT ${newestEvents + 1}`,
    storedEvent,
  )
    .all()
    .toReversed();
  for (const [index, row] of newest.entries()) {
    const problem = index === 0 ? null : rowProblem(row, newest[index - 1] ?? null);
    if (problem !== null) return `event ${row.seq}: ${problem}`;
  }
  return missingEnd(db, newest.at(-1)?.seq ?? 0);
}

/**
 * Reads open payments and refunds without using an index: one that a damaged index hides would
 * never be finished.
 */
function openProblem(db: DatabaseSync, log: EventLog): string | null {
  const open = (table: string, key: string, from: string) =>
    query(db, `SELECT ${key} AS id, state FROM ${table} ${from} WHERE closed = 0 ORDER BY number`, {
      id: text,
      state: text,
    }).all();
  try {
    for (const { id, state } of open('sales', 'sale_id', 'NOT INDEXED'))
      if (replayPayment(log.ofSale(id)).kind !== state)
        return `sale ${id}: its events tell another state`;
    for (const { id, state } of open('refunds', 'refund_order_id', 'NOT INDEXED'))
      if (replayRefund(log.ofRefund(id)).kind !== state)
        return `refund ${id}: its events tell another state`;
    for (const [table, key] of [
      ['sales', 'sale_id'],
      ['refunds', 'refund_order_id'],
    ] as const)
      if (
        open(table, key, 'NOT INDEXED').length !==
        open(table, key, `INDEXED BY ${table}_open`).length
      )
        return `the index of open ${table} is damaged`;
    return null;
  } catch (error) {
    if (isStoryBroken(error) || isDamage(error)) return messageOf(error);
    throw error;
  }
}

export interface WholeCheck {
  /** Each problem in words; empty when the journal is intact. */
  readonly problems: readonly string[];
  readonly events: number;
  readonly sales: number;
  readonly refunds: number;
}

/**
 * Checks SQLite's pages, every event, every payment's history, and that the derived tables agree
 * with them. @throws only errors other than damage
 */
export function checkAll(db: DatabaseSync): WholeCheck {
  const problems: string[] = [];
  const slow = new SlowCheck(db);
  try {
    for (const row of db.prepare('PRAGMA integrity_check(10)').all())
      if (row['integrity_check'] !== 'ok')
        problems.push(`SQLite: ${String(row['integrity_check']).replaceAll('\n', '; ')}`);
    while (!slow.next(10_000));
    if (!areTotalsRight(db))
      problems.push('the totals of what moved are not those of the payments and refunds');
  } catch (error) {
    if (!isDamage(error)) throw error;
    problems.push(`SQLite: ${messageOf(error)}`);
  }
  const { events, sales, refunds } = slow.inspection;
  return {
    problems: [...problems, ...slow.problems()].slice(0, maxFindings),
    events,
    sales,
    refunds,
  };
}

function areTotalsRight(db: DatabaseSync): boolean {
  const storedTotals = 'SELECT * FROM moved_totals WHERE count != 0 OR sum_minor != 0';
  const differing = `SELECT 1 AS one FROM (SELECT * FROM (${movedTotals}) EXCEPT ${storedTotals}) UNION ALL SELECT 1 FROM (${storedTotals} EXCEPT SELECT * FROM (${movedTotals})) LIMIT 1`;
  return query(db, differing, { one: number }).first() === null;
}

/** Checks the whole journal in slices, so that payments go on in between. */
export class SlowCheck {
  readonly inspection: Inspection;
  readonly #db: DatabaseSync;
  readonly #select: {
    readonly slice: Query<StoredEvent>;
    readonly sale: StatementSync;
    readonly refund: StatementSync;
  };
  readonly #log: EventLog;
  readonly #disagreements: string[] = [];
  #ended = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#log = eventLog(db);
    this.#select = {
      slice: query(
        db,
        `SELECT ${eventColumns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
        storedEvent,
      ),
      sale: db.prepare(
        'SELECT state, order_id AS fact, amount_minor, currency FROM sales WHERE sale_id = ?',
      ),
      refund: db.prepare(
        'SELECT state, sale_id AS fact, amount_minor, currency FROM refunds WHERE refund_order_id = ?',
      ),
    };
    this.inspection = new Inspection({
      inspectedState: (_row, inspected) => this.#compare(inspected, true),
    });
  }

  /** @returns true when the end was reached */
  next(rows: number): boolean {
    const slice = this.#select.slice.all(this.inspection.lastSeq, rows);
    for (const row of slice) this.inspection.take(row);
    if (slice.length === rows) return false;
    if (!this.#ended) this.#end();
    this.#ended = true;
    return true;
  }

  problems(): string[] {
    return [
      ...this.inspection.findings.map(({ seq, says }) => `event ${seq}: ${says}`),
      ...this.#disagreements,
    ].slice(0, maxFindings);
  }

  #end(): void {
    const { inspection } = this;
    for (const told of inspection.unended()) this.#compare(told, false);
    const count = (table: string): number =>
      query(this.#db, `SELECT count(*) AS rows FROM ${table} WHERE state != '${unreadableState}'`, {
        rows: number,
      }).first()?.rows ?? 0;
    if (count('sales') !== inspection.sales)
      this.#disagreements.push(
        `${inspection.sales} sales have events, and ${count('sales')} are listed`,
      );
    if (count('refunds') !== inspection.refunds)
      this.#disagreements.push(
        `${inspection.refunds} refunds have events, and ${count('refunds')} are listed`,
      );
    const missing = missingEnd(this.#db, inspection.lastSeq);
    if (missing !== null) this.#disagreements.push(missing);
  }

  #compare(told: InspectedState, onlyClosed: boolean): void {
    if ('payment' in told) {
      const { payment } = told;
      const { saleId, orderId, amountMinor, currency } = payment.sale;
      if (isClosedPayment(payment) !== onlyClosed) return;
      this.#demand(
        'sale',
        saleId,
        mayArriveLate(payment) ? null : payment.kind,
        () => replayPayment(this.#log.ofSale(saleId)).kind,
      );
      this.#demandFacts('sale', saleId, [orderId, amountMinor, currency]);
    } else if (isClosedRefund(told.refund) === onlyClosed) {
      const { refund } = told;
      const { refundOrderId, saleId, amountMinor, currency } = refund.request;
      this.#demand(
        'refund',
        refundOrderId,
        mayArriveLate(refund) ? null : refund.kind,
        () => replayRefund(this.#log.ofRefund(refundOrderId)).kind,
      );
      this.#demandFacts('refund', refundOrderId, [saleId, amountMinor, currency]);
    }
  }

  /**
   * The state from reading the table in order must be the state that a lookup by id gives.
   * @param read null when the state may have changed since, because the request arrived late
   */
  #demand(what: 'sale' | 'refund', id: string, read: string | null, byId: () => string): void {
    const listed = this.#select[what].get(id)?.['state'];
    const told = attempt(byId);
    const state = read ?? told;
    if (told === null || told !== state)
      this.#disagreements.push(`${what} ${id}: the index of its events is damaged`);
    if (listed !== state)
      this.#disagreements.push(
        `${what} ${id}: its events tell ${state}, and it is listed as ${String(listed ?? 'nothing')}`,
      );
  }

  /** The listed facts must be those of the request. */
  #demandFacts(what: 'sale' | 'refund', id: string, facts: readonly (string | number)[]): void {
    const row = this.#select[what].get(id);
    if (row === undefined) return;
    const listed = [row['fact'], row['amount_minor'], row['currency']];
    if (listed.join() !== facts.join())
      this.#disagreements.push(
        `${what} ${id}: it was ${facts.join(' ')}, and is listed as ${listed.join(' ')}`,
      );
  }
}

/** @returns null when the events contradict each other */
function attempt(state: () => string): string | null {
  try {
    return state();
  } catch (error) {
    if (isStoryBroken(error)) return null;
    throw error;
  }
}

/** Any error that is not SQLite's: the events contradict each other. */
const isStoryBroken = (error: unknown): boolean => sqliteCodeOf(error) === undefined;

/**
 * State of a sale that a repair could not save. It stays listed so that its numbers are not used
 * again.
 */
export const unreadableState = 'unreadable';

function missingEnd(db: DatabaseSync, lastSeq: number): string | null {
  const lastGivenSeq =
    query(db, "SELECT seq FROM sqlite_sequence WHERE name = 'events'", { seq: number }).first()
      ?.seq ?? 0;
  const repaired =
    query(db, 'SELECT max(last_seq) AS seq FROM repairs', { seq: orNull(number) }).first()?.seq ??
    0;
  return lastGivenSeq > lastSeq && lastGivenSeq > repaired
    ? `events ${lastSeq + 1} to ${lastGivenSeq} are missing`
    : null;
}

/** The file itself, not the disk and not another process. */
export const isDamage = (error: unknown): boolean => error instanceof RowError || isCorrupt(error);
