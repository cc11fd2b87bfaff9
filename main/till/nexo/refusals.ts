import { rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../domain/clock.ts';
import { messageOf } from '../../domain/errors.ts';
import type { Log } from '../../domain/log.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { json, number, query, text } from '../../support/sql-rows.ts';
import type { HttpLane } from '../http/lane.ts';
import { isStillUsed, type Named } from './names.ts';

/** More than a shop's tills send in two days. */
const mostRefusals = 5_000;

export interface RefusalsOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
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
  readonly #kept: Map<string, Refused>;
  /** null when the file cannot be opened; refusals are then known until this process ends. */
  readonly #db: DatabaseSync | null;

  constructor(options: RefusalsOptions) {
    this.#options = options;
    ({ kept: this.#kept, db: this.#db } = opened(options));
  }

  keep(kind: 'payment' | 'refund', lane: HttpLane, named: Named, body: object): void {
    const name = nameOf(kind, lane, named);
    const atMs = this.#options.clock.wallMs();
    this.#kept.delete(name);
    this.#kept.set(name, { body, atMs });
    const [oldest] = this.#kept.keys();
    const dropped = this.#kept.size > mostRefusals && oldest !== undefined ? oldest : null;
    if (dropped !== null) this.#kept.delete(dropped);
    try {
      this.#db?.prepare('INSERT OR REPLACE INTO refusals (name, body, at_ms) VALUES (?, ?, ?)').run(name, JSON.stringify(body), atMs);
      if (dropped !== null) this.#db?.prepare('DELETE FROM refusals WHERE name = ?').run(dropped);
    } catch (error) {
      this.#options.log.error({ detail: messageOf(error) }, 'a refused Nexo message could not be written down: it is known only until the next start');
    }
  }

  before(kind: 'payment' | 'refund', lane: HttpLane, named: Named): object | null {
    const refused = this.#kept.get(nameOf(kind, lane, named));
    return refused !== undefined && isStillUsed(refused.atMs, this.#options.clock.wallMs()) ? refused.body : null;
  }

  close(): void {
    this.#db?.close();
  }
}

const nameOf = (kind: string, lane: HttpLane, { saleId, serviceId }: Named): string => JSON.stringify([kind, lane.id, saleId, serviceId]);

interface Opened {
  readonly kept: Map<string, Refused>;
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
    return { kept: new Map(), db: null };
  }
}

function read(path: string): Opened {
  createPrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    // EXTRA, so that a power cut loses nothing that was written.
    db.exec('PRAGMA synchronous = EXTRA; CREATE TABLE IF NOT EXISTS refusals (name TEXT NOT NULL UNIQUE, body TEXT NOT NULL, at_ms INTEGER NOT NULL) STRICT');
    const rows = query(db, 'SELECT name, body, at_ms FROM refusals ORDER BY rowid', { name: text, body: json<object>(), atMs: number }).all();
    return { kept: new Map(rows.map(({ name, ...refused }) => [name, refused])), db };
  } catch (error) {
    db.close();
    throw error;
  }
}
