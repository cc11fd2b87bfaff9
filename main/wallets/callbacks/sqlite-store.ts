import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { minorUnits } from '../../core/domain/money.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { parseJson } from '../http/json.ts';
import { withoutBlanks } from '../v10/app-payments/webhook.ts';
import { isOlder, openUntilMs } from './lifecycle.ts';
import { invoiceDetails } from './readers.ts';
import {
  type CallbackRecord,
  kinds,
  origins,
  type RejectedRecord,
  scanned,
  type StoredRecord,
} from './callback-record.ts';
import {
  type Arrival,
  type CallbackStore,
  type OpenSubject,
  StoreOpenError,
  StoreWriteError,
} from './callback-store.ts';

/**
 * `records` is the truth and only grows, but for check-ins, which are worth nothing after minutes.
 * `subjects` is what follows from it, kept in the same transaction: the current state, and `seen`,
 * the fingerprints of all records of the subject. So one look into one tree answers both questions
 * that a record raises: is it new, and is it newer. That is what makes a million records a matter
 * of a minute.
 */
const schema = `
  BEGIN;
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    received_at_ms INTEGER NOT NULL,
    origin TEXT NOT NULL,
    changed INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    external_id TEXT,
    status TEXT NOT NULL,
    status_text TEXT,
    code TEXT,
    amount_minor INTEGER,
    currency TEXT,
    at_ms INTEGER,
    sequence INTEGER,
    agreement_id TEXT,
    payment_id TEXT,
    raw TEXT NOT NULL
  ) STRICT;
  CREATE INDEX records_checkin ON records (seq) WHERE kind = 'checkin';
  CREATE TABLE subjects (
    subject_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    seq INTEGER NOT NULL,
    status TEXT NOT NULL,
    at_ms INTEGER,
    sequence INTEGER,
    open_until_ms INTEGER,
    seen BLOB NOT NULL,
    PRIMARY KEY (subject_id, kind)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subjects_open ON subjects (open_until_ms) WHERE open_until_ms IS NOT NULL;
  CREATE TABLE rejected (
    number INTEGER PRIMARY KEY,
    received_at_ms INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    reason TEXT NOT NULL,
    raw TEXT NOT NULL,
    fingerprint BLOB NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE completeness (id INTEGER PRIMARY KEY CHECK (id = 1), until_ms INTEGER NOT NULL) STRICT;
  PRAGMA user_version = 1;
  COMMIT;
`;
export const schemaVersion = 1;

/**
 * No documented life has more than a handful; a sender that goes mad must not make one row grow
 * without end.
 */
const maxRecordsOfASubject = 1_000;
/**
 * Of those that the service has signed, and of the others, which anybody can send: neither pushes
 * the other out.
 */
const maxCheckIns = 1_000;
const forever = Number.MAX_SAFE_INTEGER;
const fingerprintBytes = 8;
const noFingerprint = new Uint8Array();

const textOrNull = z.string().nullable();
const wholeOrNull = z.int().nullable();
export const RecordRow = z
  .object({
    seq: z.int(),
    received_at_ms: z.int(),
    origin: z.enum(origins),
    changed: z.literal([0, 1]),
    kind: z.enum(kinds),
    subject_id: z.string(),
    external_id: textOrNull,
    status: z.string(),
    status_text: textOrNull,
    code: textOrNull,
    amount_minor: z.int().transform(minorUnits).nullable(),
    currency: textOrNull,
    at_ms: wholeOrNull,
    sequence: wholeOrNull,
    agreement_id: textOrNull,
    payment_id: textOrNull,
    raw: z.string(),
  })
  .transform(
    (row): StoredRecord => ({
      seq: row.seq,
      receivedAtMs: row.received_at_ms,
      origin: row.origin,
      changed: row.changed === 1,
      record: {
        kind: row.kind,
        subjectId: row.subject_id,
        externalId: row.external_id,
        status: row.status,
        statusText: row.status_text,
        code: row.code,
        amountMinor: row.amount_minor,
        currency: row.currency,
        atMs: row.at_ms,
        sequence: row.sequence,
        agreementId: row.agreement_id,
        paymentId: row.payment_id,
        ...(row.kind === 'invoice'
          ? invoiceDetails(parseJson(row.raw))
          : { paymentAtMs: null, links: [] }),
        raw: row.raw,
      },
    }),
  );
const SubjectRow = z
  .object({
    status: z.string(),
    at_ms: wholeOrNull,
    sequence: wholeOrNull,
    seen: z.instanceof(Uint8Array),
  })
  .transform(({ at_ms, ...row }) => ({ ...row, atMs: at_ms }));
const OpenRow = z
  .object({
    kind: z.enum(kinds),
    subject_id: z.string(),
    status: z.string(),
    agreement_id: textOrNull,
    payment_id: textOrNull,
  })
  .transform(
    ({ kind, subject_id, status, agreement_id, payment_id }): OpenSubject => ({
      kind,
      subjectId: subject_id,
      status,
      agreementId: agreement_id,
      paymentId: payment_id,
    }),
  );
export const RejectedRow = z
  .object({
    number: z.int(),
    received_at_ms: z.int(),
    endpoint: z.string(),
    reason: z.string(),
    raw: z.string(),
  })
  .transform(
    ({ received_at_ms, ...row }): RejectedRecord => ({ ...row, receivedAtMs: received_at_ms }),
  );
export const LastRow = z.object({ seq: wholeOrNull, number: wholeOrNull });
const CompleteRow = z.object({ until_ms: z.int() });
export const VersionRow = z.object({ user_version: z.int() });

/**
 * The callbacks in one SQLite file, each arrival one durable commit.
 * @param busyTimeoutMs how long another process (a backup, support's tools) may hold the file
 * before an arrival fails; everybody waits meanwhile
 * @throws StoreOpenError
 */
export function openSqliteStore(path: string, { busyTimeoutMs = 1_000 } = {}): CallbackStore {
  const db = openDatabase(path, busyTimeoutMs);
  const insertRecord = db.prepare(`INSERT INTO records VALUES (NULL${', ?'.repeat(16)})`);
  const selectSubject = db.prepare(
    'SELECT status, at_ms, sequence, seen FROM subjects WHERE subject_id = ? AND kind = ?',
  );
  const insertSubject = db.prepare('INSERT INTO subjects VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const updateSubject = db.prepare(
    'UPDATE subjects SET seq = ?, status = ?, at_ms = ?, sequence = ?, open_until_ms = ?, seen = ? WHERE subject_id = ? AND kind = ?',
  );
  const updateSeen = db.prepare('UPDATE subjects SET seen = ? WHERE subject_id = ? AND kind = ?');
  const insertRejected = db.prepare(
    'INSERT OR IGNORE INTO rejected (received_at_ms, endpoint, reason, raw, fingerprint) VALUES (?, ?, ?, ?, ?)',
  );
  const forgetCheckIns = db.prepare(
    `DELETE FROM records WHERE kind = 'checkin' AND (status = '${scanned}') = :isSigned AND seq <=
      (SELECT seq FROM records WHERE kind = 'checkin' AND (status = '${scanned}') = :isSigned ORDER BY seq DESC LIMIT 1 OFFSET :kept)`,
  );
  const selectScan = db.prepare(
    `SELECT seq FROM records WHERE kind = 'checkin' AND status = '${scanned}' AND raw = ? LIMIT 1`,
  );
  const selectSince = db.prepare('SELECT * FROM records WHERE seq > ? ORDER BY seq LIMIT ?');
  const selectState = db.prepare(
    'SELECT records.* FROM subjects JOIN records USING (seq) WHERE subjects.subject_id = ? AND subjects.kind = ?',
  );
  const selectOpen = db.prepare(
    'SELECT subjects.kind, subjects.subject_id, subjects.status, agreement_id, payment_id FROM subjects JOIN records USING (seq) WHERE open_until_ms > ? ORDER BY seq',
  );
  const selectRejected = db.prepare(
    'SELECT number, received_at_ms, endpoint, reason, raw FROM rejected WHERE number > ? ORDER BY number LIMIT ?',
  );
  const selectLast = db.prepare(
    'SELECT (SELECT max(seq) FROM records) AS seq, (SELECT max(number) FROM rejected) AS number',
  );
  const selectComplete = db.prepare('SELECT until_ms FROM completeness');
  const noteComplete = db.prepare(
    'INSERT INTO completeness VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET until_ms = excluded.until_ms',
  );

  let writable = true;

  function insert(
    record: CallbackRecord,
    { origin, receivedAtMs }: Arrival,
    changed: boolean,
  ): number {
    const {
      kind,
      subjectId,
      externalId,
      status,
      statusText,
      code,
      amountMinor,
      currency,
      atMs,
      sequence,
      agreementId,
      paymentId,
      raw,
    } = record;
    const values = [
      receivedAtMs,
      origin,
      changed ? 1 : 0,
      kind,
      subjectId,
      externalId,
      status,
      statusText,
      code,
    ] as const;
    return Number(
      insertRecord.run(
        ...values,
        amountMinor,
        currency,
        atMs,
        sequence,
        agreementId,
        paymentId,
        raw,
      ).lastInsertRowid,
    );
  }

  /** False: it was there already, or is a read that says nothing new. */
  function addOne(record: CallbackRecord, arrival: Arrival): boolean {
    const { kind, subjectId, status, sequence } = record;
    if (kind === 'checkin') {
      // An attacker who captured a signed message can send it again.
      if (status === scanned && selectScan.get(record.raw) !== undefined) return false;
      insert(record, arrival, true);
      forgetCheckIns.run({ isSigned: status === scanned ? 1 : 0, kept: maxCheckIns });
      return true;
    }
    const isRead = arrival.origin === 'read';
    // A read is what holds at the moment of asking, whenever it came about.
    const atMs = isRead ? arrival.receivedAtMs : record.atMs;
    const untilMs = openUntilMs(record, arrival.receivedAtMs);
    const openUntil = untilMs === 0 ? null : Math.min(untilMs, forever);
    const fingerprint = isRead ? noFingerprint : fingerprintOf(record);
    const row = selectSubject.get(subjectId, kind);
    if (row === undefined) {
      insertSubject.run(
        subjectId,
        kind,
        insert(record, arrival, true),
        status,
        atMs,
        sequence,
        openUntil,
        fingerprint,
      );
      return true;
    }
    const { seen: seenBefore, ...known } = SubjectRow.parse(row);
    if (!isRead && includes(seenBefore, fingerprint)) return false;
    const older = isOlder(kind, { status, atMs, sequence, origin: arrival.origin }, known);
    const changed = !older && status !== known.status;
    if (isRead && !changed) return false;
    const seq = insert(record, arrival, changed);
    const seen = Buffer.concat([seenBefore, fingerprint]).subarray(
      -maxRecordsOfASubject * fingerprintBytes,
    );
    if (older) updateSeen.run(seen, subjectId, kind);
    else updateSubject.run(seq, status, atMs, sequence, openUntil, seen, subjectId, kind);
    return true;
  }

  return {
    add(arrival) {
      const { records, rejected = [], receivedAtMs } = arrival;
      let stored = 0;
      try {
        db.exec('BEGIN IMMEDIATE');
        for (const record of records) if (addOne(record, arrival)) stored += 1;
        for (const { endpoint, reason, raw } of rejected)
          insertRejected.run(
            receivedAtMs,
            endpoint,
            reason,
            raw,
            hash('sha256', withoutBlanks(`${endpoint} ${reason} ${raw}`), 'buffer'),
          );
        db.exec('COMMIT');
        writable = true;
      } catch (cause) {
        writable = false;
        rollBack(db);
        throw new StoreWriteError(cause);
      }
      return { stored, repeated: records.length - stored };
    },
    since: (seq, limit = 1_000) => selectSince.all(seq, limit).map((row) => RecordRow.parse(row)),
    state(kind, subjectId) {
      const row = selectState.get(subjectId.toLowerCase(), kind);
      return row === undefined ? null : RecordRow.parse(row);
    },
    openSubjects: (sinceMs) => selectOpen.all(sinceMs).map((row) => OpenRow.parse(row)),
    rejected: (number = 0, limit = 1_000) =>
      selectRejected.all(number, limit).map((row) => RejectedRow.parse(row)),
    completeUntilMs() {
      const row = selectComplete.get();
      return row === undefined ? null : CompleteRow.parse(row).until_ms;
    },
    completeUntil(atMs) {
      try {
        noteComplete.run(atMs);
      } catch (cause) {
        throw new StoreWriteError(cause);
      }
    },
    health() {
      const { seq, number } = LastRow.parse(selectLast.get());
      return { lastSeq: seq ?? 0, lastRejected: number ?? 0, writable };
    },
    close: () => db.close(),
  };
}

/**
 * What makes two records of a subject the same one, however they were written: not the raw text,
 * which may differ between two deliveries, and not blanks, which a signature of app payments leaves
 * out.
 */
function fingerprintOf({
  status,
  code,
  amountMinor,
  currency,
  atMs,
  sequence,
  externalId,
}: CallbackRecord): Uint8Array {
  return hash(
    'sha1',
    JSON.stringify([
      status,
      code,
      amountMinor,
      currency,
      atMs,
      sequence,
      externalId && withoutBlanks(externalId),
    ]),
    'buffer',
  ).subarray(0, fingerprintBytes);
}

function includes(seen: Uint8Array, fingerprint: Uint8Array): boolean {
  for (let at = 0; at < seen.length; at += fingerprintBytes)
    if (Buffer.compare(seen.subarray(at, at + fingerprintBytes), fingerprint) === 0) return true;
  return false;
}

function openDatabase(path: string, busyTimeoutMs: number): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createPrivateFile(path);
    db = new DatabaseSync(path);
    // FULL: in WAL mode the default would lose the last commits in a power cut. The cache holds the
    // tree of a million subjects, and a checkpoint waits for 64 MB: a page of that tree changes
    // many times between two checkpoints and is written once.
    db.exec(
      `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -131072;`,
    );
    db.exec('PRAGMA wal_autocheckpoint = 16384;');
    const version = VersionRow.parse(db.prepare('PRAGMA user_version').get()).user_version;
    if (version > schemaVersion)
      throw new Error(
        `it was written by a newer Tillbeacon (version ${version} of its layout, this one knows ${schemaVersion})`,
      );
    if (version < schemaVersion) db.exec(schema);
    return db;
  } catch (cause) {
    db?.close();
    throw new StoreOpenError(path, cause);
  }
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // Nothing was begun, or SQLite has already rolled back by itself.
  }
}
