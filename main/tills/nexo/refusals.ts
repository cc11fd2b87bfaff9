import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { json, number, orNull, query, text } from '../../support/sql-rows.ts';
import { beganAfter, isStillUsed, type MessageName, type Place } from './names.ts';
import type { TransactionId } from './messages.ts';

/** Limit for one terminal: more than its tills send in two days. */
export const maxRefusals = 5_000;
/**
 * Of one terminal. More than 27 refused reversals a day for a year, which is as long as any
 * provider refunds a payment.
 */
export const maxReversals = 10_000;
/** Limit for one terminal, of aborts and protected reconciliations. */
const maxBound = 10_000;

export interface RefusalsOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A reversal of a payment, as one message: a till that uses the name again means another payment,
 * or says another time.
 */
export interface ReversalMessage extends MessageName {
  readonly paymentId: string;
  /** null when the message says nothing of its time. */
  readonly sale: TransactionId | null;
}

interface Refused {
  readonly body: object;
  readonly atMs: number;
  /** The time that the message says; null when it says none, or an earlier version kept it. */
  readonly saidMs: number | null;
}

type Table = 'refusals' | 'reversals' | 'bound';

/**
 * The answers to messages that a lane refused, of which the journal knows nothing. The same message
 * again, from its till or replayed from a recording, must begin nothing. Written to disk before the
 * answer is sent. Names and limits are a terminal's own, so that no other terminal's refusals push
 * them out.
 *
 * `bound`: what a message without a time was about, for good. Sent again when names are used anew,
 * it is about the same thing, and nothing else.
 */
export class Refusals {
  readonly #options: RefusalsOptions;
  readonly #kept: Readonly<Record<Table, RefusalTable>>;
  /** null when the file cannot be opened; refusals are then known until this process ends. */
  readonly #db: DatabaseSync | null;
  /** By terminal and kind, the latest time of a dropped entry. */
  readonly #forgotten: Map<string, number>;

  constructor(options: RefusalsOptions) {
    this.#options = options;
    const { db, kept, forgotten } = opened(options);
    this.#db = db;
    this.#kept = {
      refusals: new RefusalTable('refusals', maxRefusals, kept.refusals),
      reversals: new RefusalTable('reversals', maxReversals, kept.reversals),
      bound: new RefusalTable('bound', maxBound, kept.bound),
    };
    this.#forgotten = forgotten;
  }

  /** @param saidMs the time that the message says */
  keep(
    kind: 'payment' | 'refund',
    place: Place,
    named: MessageName,
    body: object,
    saidMs: number | null = null,
  ): void {
    const nowMs = this.#options.clock.wallMs();
    // A message that says a later time is of now only then.
    this.#keep('refusals', kind, place, nameOf(kind, place, named), {
      body,
      atMs: Math.max(nowMs, saidMs ?? nowMs),
      saidMs,
    });
  }

  before(kind: 'payment' | 'refund', place: Place, named: MessageName): object | null {
    const refused =
      this.#kept.refusals.get(nameOf(kind, place, named)) ??
      this.#kept.refusals.get(oldNameOf(kind, place, named));
    return refused !== undefined && isStillUsed(refused.atMs, this.#options.clock.wallMs())
      ? refused.body
      : null;
  }

  /**
   * Whether a message that says this time may have been refused without being known here any more.
   */
  mayHaveForgotten(kind: 'payment' | 'refund', place: Place, saidMs: number): boolean {
    return saidMs <= (this.#forgotten.get(forgottenAs(kind, place)) ?? Number.NEGATIVE_INFINITY);
  }

  keepReversal(place: Place, reversal: ReversalMessage, body: object): void {
    this.#keep('reversals', 'reversal', place, reversalNameOf(place, reversal), {
      body,
      atMs: this.#options.clock.wallMs(),
      saidMs: null,
    });
  }

  reversalBefore(place: Place, reversal: ReversalMessage): object | null {
    const { reversals } = this.#kept;
    return (
      (
        reversals.get(reversalNameOf(place, reversal)) ??
        reversals.get(oldReversalNameOf(place, reversal))
      )?.body ?? null
    );
  }

  /**
   * Whether a reversal of a payment that began then may have been refused without being known here
   * any more.
   */
  hasForgotten(place: Place, paymentStartedAtMs: number): boolean {
    const forgottenMs = [forgottenAs('reversal', place), forgottenBefore].flatMap(
      (of) => this.#forgotten.get(of) ?? [],
    );
    return forgottenMs.some((atMs) => !beganAfter(paymentStartedAtMs, atMs));
  }

  /** @param message what tells it from every other message of the terminal */
  bind(place: Place, message: readonly string[], to: object): void {
    this.#keep('bound', 'bound', place, boundNameOf(place, message), {
      body: to,
      atMs: this.#options.clock.wallMs(),
      saidMs: null,
    });
  }

  boundTo(place: Place, message: readonly string[]): object | null {
    return this.#kept.bound.get(boundNameOf(place, message))?.body ?? null;
  }

  close(): void {
    this.#db?.close();
  }

  #keep(table: Table, kind: string, place: Place, name: string, refused: Refused): void {
    const dropped = this.#kept[table].keep(place.poiId, name, refused);
    const { log, clock } = this.#options;
    const forgets =
      dropped !== null &&
      (table === 'reversals' || isStillUsed(dropped.refused.atMs, clock.wallMs()));
    const as = forgottenAs(kind, place);
    const forgottenMs = forgets
      ? Math.max(
          dropped.refused.saidMs ?? dropped.refused.atMs,
          this.#forgotten.get(as) ?? Number.NEGATIVE_INFINITY,
        )
      : null;
    if (forgottenMs !== null) this.#forgotten.set(as, forgottenMs);
    try {
      if (this.#db !== null)
        write(this.#db, table, name, refused, dropped && { name: dropped.name, as, forgottenMs });
    } catch (error) {
      log.error(
        { detail: messageOf(error) },
        'a refused Nexo message could not be written down: it is known only until the next start',
      );
    }
  }
}

/** A table of the file, in memory. The oldest entry of a terminal makes room for its new one. */
class RefusalTable {
  readonly table: Table;
  readonly #max: number;
  readonly #refused: Map<string, Refused>;
  /** The names of each terminal, oldest first. */
  readonly #names = new Map<string, Set<string>>();

  constructor(table: Table, max: number, refused: Map<string, Refused>) {
    this.table = table;
    this.#max = max;
    this.#refused = refused;
    for (const name of refused.keys()) this.#namesOf(placeIn(name)).add(name);
  }

  get(name: string): Refused | undefined {
    return this.#refused.get(name);
  }

  keep(poiId: string, name: string, refused: Refused): Dropped | null {
    const names = this.#namesOf(poiId);
    names.delete(name);
    names.add(name);
    this.#refused.set(name, refused);
    const [oldest] = names;
    const last = oldest === undefined ? undefined : this.#refused.get(oldest);
    if (names.size <= this.#max || oldest === undefined || last === undefined) return null;
    names.delete(oldest);
    this.#refused.delete(oldest);
    return { name: oldest, refused: last };
  }

  #namesOf(poiId: string): Set<string> {
    const names = this.#names.get(poiId) ?? new Set();
    this.#names.set(poiId, names);
    return names;
  }
}

interface Dropped {
  readonly name: string;
  readonly refused: Refused;
}

interface Forgetting {
  readonly name: string;
  readonly as: string;
  readonly forgottenMs: number | null;
}

function write(
  db: DatabaseSync,
  table: Table,
  name: string,
  { body, atMs, saidMs }: Refused,
  dropped: Forgetting | null,
): void {
  db.prepare(
    `INSERT OR REPLACE INTO ${table} (name, body, at_ms, said_ms) VALUES (?, ?, ?, ?)`,
  ).run(name, JSON.stringify(body), atMs, saidMs);
  if (dropped === null) return;
  // First, so that a crash in between forgets nothing unnoticed.
  if (dropped.forgottenMs !== null)
    db.prepare('INSERT OR REPLACE INTO forgotten_of (name, at_ms) VALUES (?, ?)').run(
      dropped.as,
      dropped.forgottenMs,
    );
  db.prepare(`DELETE FROM ${table} WHERE name = ?`).run(dropped.name);
}

/**
 * No name of an earlier version begins with it: those begin with a kind, or with the id of a lane.
 */
const ofPoi = '\u0000poi';
const nameOf = (kind: string, { poiId }: Place, { saleId, serviceId }: MessageName): string =>
  JSON.stringify([ofPoi, poiId, kind, saleId, serviceId]);
const oldNameOf = (kind: string, { lane }: Place, { saleId, serviceId }: MessageName): string =>
  JSON.stringify([kind, lane.id, saleId, serviceId]);

const timeOf = (sale: TransactionId | null) => sale && [sale.TransactionID, sale.TimeStamp];
const reversalNameOf = (
  { poiId }: Place,
  { saleId, serviceId, paymentId, sale }: ReversalMessage,
): string => JSON.stringify([ofPoi, poiId, saleId, serviceId, paymentId, timeOf(sale)]);
const oldReversalNameOf = (
  { lane }: Place,
  { saleId, serviceId, paymentId, sale }: ReversalMessage,
): string => JSON.stringify([lane.id, saleId, serviceId, paymentId, timeOf(sale)]);

const boundNameOf = ({ poiId }: Place, message: readonly string[]): string =>
  JSON.stringify([ofPoi, poiId, ...message]);

/** The terminal in a name; of an earlier version none, so that these are never dropped. */
function placeIn(name: string): string {
  const parts: unknown = JSON.parse(name);
  return Array.isArray(parts) && parts[0] === ofPoi ? String(parts[1]) : ofPoi;
}

const forgottenAs = (kind: string, { poiId }: Place): string => JSON.stringify([kind, poiId]);
/** The key of an earlier version, which did not tell lanes apart. */
const forgottenBefore = 'reversals of all lanes';

interface Opened {
  readonly kept: Readonly<Record<Table, Map<string, Refused>>>;
  readonly forgotten: Map<string, number>;
  readonly db: DatabaseSync | null;
}

/**
 * A damaged file is replaced by an empty one: taking payments matters more than knowing old
 * refusals.
 */
function opened({ path, log }: RefusalsOptions): Opened {
  try {
    return read(path);
  } catch (error) {
    log.error(
      { path, detail: messageOf(error) },
      'the file of refused Nexo messages is damaged: it is replaced by an empty one',
    );
  }
  try {
    for (const ending of ['', '-journal']) rmSync(`${path}${ending}`, { force: true });
    return read(path);
  } catch (error) {
    log.error(
      { path, detail: messageOf(error) },
      'refused Nexo messages cannot be written down: they are known only until the next start',
    );
    return {
      kept: { refusals: new Map(), reversals: new Map(), bound: new Map() },
      forgotten: new Map(),
      db: null,
    };
  }
}

const columns =
  '(name TEXT NOT NULL UNIQUE, body TEXT NOT NULL, at_ms INTEGER NOT NULL, said_ms INTEGER) STRICT';

function read(path: string): Opened {
  createPrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    // EXTRA, so that a power cut loses nothing that was written. Earlier versions know the first
    // table, the first two, and not the column said_ms.
    db.exec(`
      PRAGMA synchronous = EXTRA;
      CREATE TABLE IF NOT EXISTS refusals ${columns};
      CREATE TABLE IF NOT EXISTS reversals ${columns};
      CREATE TABLE IF NOT EXISTS bound ${columns};
      CREATE TABLE IF NOT EXISTS forgotten (id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS forgotten_of (name TEXT PRIMARY KEY, at_ms INTEGER NOT NULL) STRICT`);
    for (const table of ['refusals', 'reversals'] as const) addTime(db, table);
    const forgotten = new Map(
      query(db, 'SELECT name, at_ms FROM forgotten_of', { name: text, atMs: number })
        .all()
        .map(({ name, atMs }) => [name, atMs]),
    );
    const before = query(db, 'SELECT at_ms FROM forgotten', { atMs: number }).first();
    if (before !== null) forgotten.set(forgottenBefore, before.atMs);
    return {
      kept: {
        refusals: rowsOf(db, 'refusals'),
        reversals: rowsOf(db, 'reversals'),
        bound: rowsOf(db, 'bound'),
      },
      forgotten,
      db,
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function addTime(db: DatabaseSync, table: Table): void {
  const has = query(db, `SELECT name FROM pragma_table_info('${table}') WHERE name = 'said_ms'`, {
    name: text,
  }).first();
  if (has === null) db.exec(`ALTER TABLE ${table} ADD COLUMN said_ms INTEGER`);
}

function rowsOf(db: DatabaseSync, table: Table): Map<string, Refused> {
  const row = { name: text, body: json<object>(), atMs: number, saidMs: orNull(number) };
  const rows = query(
    db,
    `SELECT name, body, at_ms, said_ms FROM ${table} ORDER BY rowid`,
    row,
  ).all();
  return new Map(rows.map(({ name, ...refused }) => [name, refused]));
}
