import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { replay } from '../domain/settlement/apply.ts';
import { mayArriveLate } from '../domain/settlement/outcome.ts';
import { type EventLog, eventColumns, eventLog, storedEvent } from './event-log.ts';
import { bytesOf, leftAs, reservePath } from './files.ts';
import { Inspection, rowProblem, type Told } from './inspection.ts';
import { isWithoutFrames, readWal } from './pages.ts';
import { isClosedRefund } from './refunds-book.ts';
import { isClosedPayment } from './sales-book.ts';

/** What a start reads of a journal too large to be read as a whole: its newest events. */
const newestEvents = 2_000;
/** A journal of this size is read as a whole at each start: some 25 ms. */
const smallBytes = 1_500_000;
/** What is listed of a journal that is damaged all over. */
const mostFindings = 100;

/** What shows before SQLite has opened the file: opening may throw a damaged log away. @returns null: nothing is wrong */
export function problemBeforeOpening(path: string): string | null {
  const left = leftAs(path);
  const walPath = `${path}-wal`;
  const wal = readWal(path);
  // The reserve is made behind the first commit.
  if (bytesOf(path) === 0) return left !== 'closed' || bytesOf(walPath) > 0 || bytesOf(reservePath(path)) > 0 ? 'it is empty or gone' : null;
  // Another program that closed the file in an orderly way takes both away.
  if (left === 'open' && isWithoutFrames(walPath) && bytesOf(`${path}-shm`) > 0) return 'its write-ahead log is gone';
  return wal.problem;
}

/** As much as a start has time for. @returns null: nothing is wrong */
export function problemAtStart(db: DatabaseSync, log: EventLog, path: string): string | null {
  if (leftAs(path) === 'suspect' || bytesOf(path) <= smallBytes) return checkAll(db).problems[0] ?? null;
  return newestProblem(db) ?? openProblem(db, log);
}

function newestProblem(db: DatabaseSync): string | null {
  const newest = db
    .prepare(`SELECT ${eventColumns} FROM events ORDER BY seq DESC LIMIT ${newestEvents + 1}`)
    .all()
    .map(storedEvent)
    .toReversed();
  for (const [index, row] of newest.entries()) {
    const problem = index === 0 ? null : rowProblem(row, newest[index - 1] ?? null);
    if (problem !== null) return `event ${row.seq}: ${problem}`;
  }
  return missingEnd(db, newest.at(-1)?.seq ?? 0);
}

/** What is open is read without trusting an index: a payment that an index does not show would never be finished. */
function openProblem(db: DatabaseSync, log: EventLog): string | null {
  const open = (table: string, key: string, from: string) =>
    db.prepare(`SELECT ${key} AS id, state FROM ${table} ${from} WHERE closed = 0 ORDER BY number`).all() as { id: string; state: string }[];
  try {
    for (const { id, state } of open('sales', 'sale_id', 'NOT INDEXED'))
      if (replay(log.ofSale(id)).kind !== state) return `sale ${id}: its events tell another state`;
    for (const { id, state } of open('refunds', 'refund_order_id', 'NOT INDEXED'))
      if (replay(log.ofRefund(id)).kind !== state) return `refund ${id}: its events tell another state`;
    for (const [table, key] of [
      ['sales', 'sale_id'],
      ['refunds', 'refund_order_id'],
    ] as const)
      if (open(table, key, 'NOT INDEXED').length !== open(table, key, `INDEXED BY ${table}_open`).length) return `the index of open ${table} is damaged`;
    return null;
  } catch (error) {
    if (isStoryBroken(error) || isDamage(error)) return (error as Error).message;
    throw error;
  }
}

export interface WholeCheck {
  /** In words; empty: the journal is whole. */
  readonly problems: readonly string[];
  readonly events: number;
  readonly sales: number;
  readonly refunds: number;
}

/** Everything: SQLite's own pages, each event, each story, and that what was derived agrees. @throws only what is no damage */
export function checkAll(db: DatabaseSync): WholeCheck {
  const problems: string[] = [];
  const slow = new SlowCheck(db);
  try {
    for (const row of db.prepare('PRAGMA integrity_check(10)').all())
      if (row['integrity_check'] !== 'ok') problems.push(`SQLite: ${String(row['integrity_check']).replaceAll('\n', '; ')}`);
    while (!slow.next(10_000));
  } catch (error) {
    if (!isDamage(error)) throw error;
    problems.push(`SQLite: ${(error as Error).message}`);
  }
  const { events, sales, refunds } = slow.inspection;
  return { problems: [...problems, ...slow.problems()].slice(0, mostFindings), events, sales, refunds };
}

/** The whole journal in slices: between two of them payments are carried on. */
export class SlowCheck {
  readonly inspection: Inspection;
  readonly #db: DatabaseSync;
  readonly #select: { readonly slice: StatementSync; readonly sale: StatementSync; readonly refund: StatementSync };
  readonly #log: EventLog;
  readonly #disagreements: string[] = [];
  #ended = false;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#log = eventLog(db);
    this.#select = {
      slice: db.prepare(`SELECT ${eventColumns} FROM events WHERE seq > ? ORDER BY seq LIMIT ?`),
      sale: db.prepare('SELECT state, order_id AS fact, amount_minor, currency FROM sales WHERE sale_id = ?'),
      refund: db.prepare('SELECT state, sale_id AS fact, amount_minor, currency FROM refunds WHERE refund_order_id = ?'),
    };
    this.inspection = new Inspection({ told: (_row, told) => this.#compare(told, true) });
  }

  /** @returns true: the end was reached */
  next(rows: number): boolean {
    const slice = this.#select.slice.all(this.inspection.lastSeq, rows);
    for (const row of slice) this.inspection.take(storedEvent(row));
    if (slice.length === rows) return false;
    if (!this.#ended) this.#end();
    this.#ended = true;
    return true;
  }

  problems(): string[] {
    return [...this.inspection.findings.map(({ seq, says }) => `event ${seq}: ${says}`), ...this.#disagreements].slice(0, mostFindings);
  }

  #end(): void {
    const { inspection } = this;
    for (const told of inspection.unended()) this.#compare(told, false);
    const count = (table: string): number =>
      this.#db.prepare(`SELECT count(*) AS rows FROM ${table} WHERE state != '${unreadableState}'`).get()?.['rows'] as number;
    if (count('sales') !== inspection.sales) this.#disagreements.push(`${inspection.sales} sales have events, and ${count('sales')} are listed`);
    if (count('refunds') !== inspection.refunds) this.#disagreements.push(`${inspection.refunds} refunds have events, and ${count('refunds')} are listed`);
    const missing = missingEnd(this.#db, inspection.lastSeq);
    if (missing !== null) this.#disagreements.push(missing);
  }

  #compare(told: Told, onlyClosed: boolean): void {
    if ('payment' in told) {
      const { payment } = told;
      const { saleId, orderId, amountMinor, currency } = payment.sale;
      if (isClosedPayment(payment) !== onlyClosed) return;
      this.#demand('sale', saleId, mayArriveLate(payment) ? null : payment.kind, () => replay(this.#log.ofSale(saleId)).kind);
      this.#demandFacts('sale', saleId, [orderId, amountMinor, currency]);
    } else if (isClosedRefund(told.refund) === onlyClosed) {
      const { refund } = told;
      const { refundOrderId, saleId, amountMinor, currency } = refund.request;
      this.#demand('refund', refundOrderId, mayArriveLate(refund) ? null : refund.kind, () => replay(this.#log.ofRefund(refundOrderId)).kind);
      this.#demandFacts('refund', refundOrderId, [saleId, amountMinor, currency]);
    }
  }

  /**
   * What was read in the order of the table must be what a question by its id is answered.
   * @param read null: whatever it is by now, it may have been found late
   */
  #demand(what: 'sale' | 'refund', id: string, read: string | null, byId: () => string): void {
    const listed = this.#select[what].get(id)?.['state'];
    const told = attempt(byId);
    const state = read ?? told;
    if (told === null || told !== state) this.#disagreements.push(`${what} ${id}: the index of its events is damaged`);
    if (listed !== state) this.#disagreements.push(`${what} ${id}: its events tell ${state}, and it is listed as ${String(listed ?? 'nothing')}`);
  }

  /** What a list shows must be what was asked for. */
  #demandFacts(what: 'sale' | 'refund', id: string, facts: readonly (string | number)[]): void {
    const row = this.#select[what].get(id);
    if (row === undefined) return;
    const listed = [row['fact'], row['amount_minor'], row['currency']];
    if (listed.join() !== facts.join()) this.#disagreements.push(`${what} ${id}: it was ${facts.join(' ')}, and is listed as ${listed.join(' ')}`);
  }
}

/** null: the story contradicts itself. */
function attempt(state: () => string): string | null {
  try {
    return state();
  } catch (error) {
    if (isStoryBroken(error)) return null;
    throw error;
  }
}

/** Anything but SQLite's own errors: what is written there is no story. */
const isStoryBroken = (error: unknown): boolean => (error as { errcode?: number }).errcode === undefined;

/** How a repair lists a sale whose story could not be saved: its numbers are taken. */
export const unreadableState = 'unreadable';

function missingEnd(db: DatabaseSync, lastSeq: number): string | null {
  const given = (db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get()?.['seq'] as number | undefined) ?? 0;
  const repaired = (db.prepare('SELECT max(last_seq) AS seq FROM repairs').get()?.['seq'] as number | null) ?? 0;
  return given > lastSeq && given > repaired ? `events ${lastSeq + 1} to ${given} are missing` : null;
}

/** SQLITE_CORRUPT and SQLITE_NOTADB: the file itself, not the disk and not another process. */
export function isDamage(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && ((code & 0xff) === 11 || (code & 0xff) === 26);
}
