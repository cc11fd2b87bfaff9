import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/clock.ts';
import { messageOf } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { json, number, query, text } from '../../support/sql-rows.ts';
import type { HttpLane } from '../http/lane.ts';
import { isStillUsed, beganAfter, type Named } from './names.ts';
import type { TransactionId } from './messages.ts';

/** More than a shop's tills send in two days. */
const mostRefusals = 5_000;
/** More than 27 refused reversals a day, for as long as any service refunds a payment (365 days). */
export const mostReversals = 10_000;

export interface RefusalsOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/** A reversal of a payment, as one message: a till that uses the name again means another payment, or says another time. */
export interface NamedReversal extends Named {
  readonly paymentId: string;
  /** null when the message says nothing of its time. */
  readonly sale: TransactionId | null;
}

interface Refused {
  readonly body: object;
  readonly atMs: number;
}

/**
 * The answers to messages that a lane refused, of which the journal knows nothing. The same message again, from its till or replayed from a recording, must
 * begin nothing. Written to disk before the answer is sent.
 */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #byName: Kept;
  /** Known for good, because a message without a time is never too old. */
  readonly #reversals: Kept;
  /** null when the file cannot be opened; refusals are then known until this process ends. */
  readonly #db: DatabaseSync | null;
  /** When the newest reversal was refused that is no longer kept; null when all are. */
  #forgottenMs: number | null;

  constructor(options: RefusalsOptions) {
    this.#options = options;
    const { db, refusals, reversals, forgottenMs } = opened(options);
    this.#db = db;
    this.#byName = new Kept('refusals', mostRefusals, refusals);
    this.#reversals = new Kept('reversals', mostReversals, reversals);
    this.#forgottenMs = forgottenMs;
  }

  keep(kind: 'payment' | 'refund', lane: HttpLane, named: Named, body: object): void {
    this.#keep(this.#byName, nameOf(kind, lane, named), body);
  }

  before(kind: 'payment' | 'refund', lane: HttpLane, named: Named): object | null {
    const refused = this.#byName.get(nameOf(kind, lane, named));
    return refused !== undefined && isStillUsed(refused.atMs, this.#options.clock.wallMs()) ? refused.body : null;
  }

  keepReversal(lane: HttpLane, reversal: NamedReversal, body: object): void {
    const dropped = this.#keep(this.#reversals, reversalNameOf(lane, reversal), body);
    if (dropped !== null) this.#forgottenMs = Math.max(dropped.atMs, this.#forgottenMs ?? dropped.atMs);
  }

  reversalBefore(lane: HttpLane, reversal: NamedReversal): object | null {
    return this.#reversals.get(reversalNameOf(lane, reversal))?.body ?? null;
  }

  /** Whether a reversal of a payment that began then may have been refused without being known here any more. */
  hasForgotten(paymentStartedAtMs: number): boolean {
    return this.#forgottenMs !== null && !beganAfter(paymentStartedAtMs, this.#forgottenMs);
  }

  close(): void {
    this.#db?.close();
  }

  /** @returns what was dropped for it */
  #keep(kept: Kept, name: string, body: object): Refused | null {
    const refused = { body, atMs: this.#options.clock.wallMs() };
    const dropped = kept.keep(name, refused);
    try {
      if (this.#db !== null) write(this.#db, kept.table, name, refused, dropped);
    } catch (error) {
      this.#options.log.error({ detail: messageOf(error) }, 'a refused Nexo message could not be written down: it is known only until the next start');
    }
    return dropped?.refused ?? null;
  }
}

/** A table of the file, in memory. The oldest entry makes room for a new one. */
class Kept {
  readonly table: 'refusals' | 'reversals';
  readonly #most: number;
  readonly #refused: Map<string, Refused>;

  constructor(table: Kept['table'], most: number, refused: Map<string, Refused>) {
    this.table = table;
    this.#most = most;
    this.#refused = refused;
  }

  get(name: string): Refused | undefined {
    return this.#refused.get(name);
  }

  keep(name: string, refused: Refused): Dropped | null {
    this.#refused.delete(name);
    this.#refused.set(name, refused);
    const [oldest] = this.#refused;
    if (this.#refused.size <= this.#most || oldest === undefined) return null;
    this.#refused.delete(oldest[0]);
    return { name: oldest[0], refused: oldest[1] };
  }
}

interface Dropped {
  readonly name: string;
  readonly refused: Refused;
}

function write(db: DatabaseSync, table: Kept['table'], name: string, { body, atMs }: Refused, dropped: Dropped | null): void {
  db.prepare(`INSERT OR REPLACE INTO ${table} (name, body, at_ms) VALUES (?, ?, ?)`).run(name, JSON.stringify(body), atMs);
  if (dropped === null) return;
  // First, so that a crash in between forgets nothing unnoticed.
  if (table === 'reversals')
    db.prepare('INSERT INTO forgotten (id, at_ms) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at_ms = max(at_ms, excluded.at_ms)').run(dropped.refused.atMs);
  db.prepare(`DELETE FROM ${table} WHERE name = ?`).run(dropped.name);
}

const nameOf = (kind: string, lane: HttpLane, { saleId, serviceId }: Named): string => JSON.stringify([kind, lane.id, saleId, serviceId]);

const reversalNameOf = (lane: HttpLane, { saleId, serviceId, paymentId, sale }: NamedReversal): string =>
  JSON.stringify([lane.id, saleId, serviceId, paymentId, sale && [sale.TransactionID, sale.TimeStamp]]);

interface Opened {
  readonly refusals: Map<string, Refused>;
  readonly reversals: Map<string, Refused>;
  readonly forgottenMs: number | null;
  readonly db: DatabaseSync | null;
}

/** A damaged file is replaced by an empty one: taking payments matters more than knowing old refusals. */
function opened({ path, log }: RefusalsOptions): Opened {
  try {
    return read(path);
  } catch (error) {
    log.error({ path, detail: messageOf(error) }, 'the file of refused Nexo messages is damaged: it is replaced by an empty one');
  }
  try {
    for (const ending of ['', '-journal']) rmSync(`${path}${ending}`, { force: true });
    return read(path);
  } catch (error) {
    log.error({ path, detail: messageOf(error) }, 'refused Nexo messages cannot be written down: they are known only until the next start');
    return { refusals: new Map(), reversals: new Map(), forgottenMs: null, db: null };
  }
}

const columns = '(name TEXT NOT NULL UNIQUE, body TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT';

function read(path: string): Opened {
  createPrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    // EXTRA, so that a power cut loses nothing that was written. Earlier versions know the first table alone.
    db.exec(`
      PRAGMA synchronous = EXTRA;
      CREATE TABLE IF NOT EXISTS refusals ${columns};
      CREATE TABLE IF NOT EXISTS reversals ${columns};
      CREATE TABLE IF NOT EXISTS forgotten (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT`);
    const forgotten = query(db, 'SELECT at_ms FROM forgotten', { atMs: number }).first();
    return { refusals: rowsOf(db, 'refusals'), reversals: rowsOf(db, 'reversals'), forgottenMs: forgotten?.atMs ?? null, db };
  } catch (error) {
    db.close();
    throw error;
  }
}

function rowsOf(db: DatabaseSync, table: Kept['table']): Map<string, Refused> {
  const rows = query(db, `SELECT name, body, at_ms FROM ${table} ORDER BY rowid`, { name: text, body: json<object>(), atMs: number }).all();
  return new Map(rows.map(({ name, ...refused }) => [name, refused]));
}
