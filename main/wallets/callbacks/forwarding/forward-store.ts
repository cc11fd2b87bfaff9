/**
 * Stores the position of `forward` at each address, and its dead letters. Its file lies beside the
 * callbacks' file.
 */
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../../core/domain/errors.ts';
import { createPrivateFile } from '../../../support/private-file.ts';
import { number, query, text } from '../../../support/sql-rows.ts';
import { sqliteCodeOf } from '../../../support/sqlite-errors.ts';

const layout = `
  BEGIN;
  CREATE TABLE targets (url TEXT PRIMARY KEY, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE dead_letters (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL,
    seq INTEGER NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    reason TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    set_aside_at_ms INTEGER NOT NULL,
    resend INTEGER NOT NULL
  ) STRICT;
  PRAGMA user_version = 1;
  COMMIT;
`;
const layoutVersion = 1;

/** The message that forwards one record. */
export interface Message {
  readonly seq: number;
  /** The same each time the record is sent. */
  readonly id: string;
  readonly body: string;
}

export interface DeadLetter extends Message {
  readonly number: number;
  readonly url: string;
  /** Why the last attempt failed. */
  readonly reason: string;
  readonly attempts: number;
  readonly setAsideAtMs: number;
  /** 1 when it is to be sent again, otherwise 0. */
  readonly resend: number;
}

export type Failure = Pick<DeadLetter, 'reason' | 'attempts' | 'setAsideAtMs'>;

export type ForwardStore = ReturnType<typeof openForwardStore>;

/** @throws Error when the file cannot be used */
export function openForwardStore(path: string) {
  const db = openFile(path);
  const selectSeq = query(db, 'SELECT seq FROM targets WHERE url = ?', { seq: number });
  const putSeq = db.prepare(
    'INSERT INTO targets (url, seq) VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET seq = excluded.seq',
  );
  const insertDead = db.prepare(
    'INSERT INTO dead_letters (url, seq, id, body, reason, attempts, set_aside_at_ms, resend) VALUES (?, ?, ?, ?, ?, ?, ?, 0)',
  );
  const deadLetter = {
    number,
    url: text,
    seq: number,
    id: text,
    body: text,
    reason: text,
    attempts: number,
    setAsideAtMs: number,
    resend: number,
  };
  const selectDead = query(db, 'SELECT * FROM dead_letters ORDER BY number', deadLetter);
  const selectNext = query(
    db,
    'SELECT * FROM dead_letters WHERE url = ? AND resend = 1 ORDER BY number LIMIT 1',
    deadLetter,
  );
  const failedAgain = db.prepare(
    'UPDATE dead_letters SET reason = ?, attempts = attempts + ?, set_aside_at_ms = ?, resend = 0 WHERE number = ?',
  );
  const forget = db.prepare('DELETE FROM dead_letters WHERE number = ?');
  const markOne = db.prepare('UPDATE dead_letters SET resend = 1 WHERE number = ?');
  const markAll = db.prepare('UPDATE dead_letters SET resend = 1');

  return {
    /**
     * Number of the last record that was delivered to this address or set aside; null when nothing
     * was ever forwarded to it.
     */
    position: (url: string): number | null => selectSeq.first(url)?.seq ?? null,

    delivered: (url: string, seq: number): void => void putSeq.run(url, seq),

    /**
     * Moves the position in the same transaction, so that a record is neither lost nor set aside
     * twice.
     */
    setAside(
      url: string,
      { seq, id, body }: Message,
      { reason, attempts, setAsideAtMs }: Failure,
    ): void {
      db.exec('BEGIN IMMEDIATE');
      try {
        insertDead.run(url, seq, id, body, reason, attempts, setAsideAtMs);
        putSeq.run(url, seq);
        db.exec('COMMIT');
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },

    deadLetters: (): DeadLetter[] => selectDead.all(),
    /** The next record for `url` that is to be sent again. */
    nextToResend: (url: string): DeadLetter | null => selectNext.first(url),
    resent: (deadNumber: number): void => void forget.run(deadNumber),
    notResent: (deadNumber: number, { reason, attempts, setAsideAtMs }: Failure): void =>
      void failedAgain.run(reason, attempts, setAsideAtMs, deadNumber),

    /** @param which number of a dead letter; null for all of them @returns how many were marked */
    askToResend: (which: number | null): number =>
      Number((which === null ? markAll.run() : markOne.run(which)).changes),

    close: () => db.close(),
  };
}

function openFile(path: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    createPrivateFile(path);
    db = new DatabaseSync(path, { timeout: 5_000 });
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
    const version =
      query(db, 'PRAGMA user_version', { userVersion: number }).first()?.userVersion ?? 0;
    if (version > layoutVersion)
      throw new Error(
        `it was written by a newer Tillbeacon (version ${version} of its layout, this one knows ${layoutVersion})`,
      );
    if (version < layoutVersion) db.exec(layout);
    return db;
  } catch (error) {
    db?.close();
    throw new Error(
      `the file of the forwarded callbacks, ${path}, cannot be used: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/**
 * A lock that the operating system holds as long as this process runs, because two processes that
 * forward to the same address would send everything twice.
 * @returns a function that releases it; null when another process has it
 */
export function lockTarget(path: string): (() => void) | null {
  createPrivateFile(path);
  const lock = new DatabaseSync(path);
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if ((sqliteCodeOf(error) ?? 0) % 256 === sqliteBusy) return null;
    throw error;
  }
}

const sqliteBusy = 5;
