/** The callbacks' file for those who only read it, also while the receiver writes. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Kind, RejectedRecord, StoredRecord } from './callback-record.ts';
import { LastRow, RecordRow, RejectedRow, schemaVersion, VersionRow } from './sqlite-store.ts';
import { type CallbackStore, StoreOpenError } from './callback-store.ts';

/** What `latest` leaves out; nothing where a field is null. */
export interface WantedRecords {
  readonly kind: Kind | null;
  /** A normalized status (`insideStatus`). */
  readonly status: string | null;
  /** When the latest word about it arrived; `toMs` is exclusive. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** An agreement and everything of it. */
  readonly agreementId: string | null;
  /** A payment and its refunds. */
  readonly paymentId: string | null;
}

export interface CallbackReader extends Pick<CallbackStore, 'since'> {
  /**
   * The latest word about each thing, and every check-in; at most the newest `limit`, in the order
   * of arrival.
   */
  latest(wanted: WantedRecords, limit: number): StoredRecord[];
  /**
   * Everything that was said about what has this identifier, of the service or the merchant's own;
   * in the order of arrival.
   */
  story(id: string): StoredRecord[];
  record(seq: number): StoredRecord | null;
  /** Returns the newest `limit` rejected records of the period, in the order of arrival. */
  rejected(period: Pick<WantedRecords, 'fromMs' | 'toMs'>, limit: number): RejectedRecord[];
  rejectedRecord(number: number): RejectedRecord | null;
  /** The number of the last record; 0 for an empty file. */
  lastSeq(): number;
  /** The file was removed or exchanged: what is written now is not seen here any more. */
  isReplaced(): boolean;
  close(): void;
}

/** @throws StoreOpenError */
export function openSqliteReader(path: string): CallbackReader {
  const db = openReadOnly(path);
  const opened = identityOf(path);
  const selectSince = db.prepare('SELECT * FROM records WHERE seq > ? ORDER BY seq LIMIT ?');
  const selectRecord = db.prepare('SELECT * FROM records WHERE seq = ?');
  // From the newest on, and only as far as the limit: the file may have millions.
  const selectLatest = db.prepare(`
    SELECT * FROM records WHERE
      (kind = 'checkin' OR EXISTS (SELECT 1 FROM subjects WHERE subjects.subject_id = records.subject_id AND subjects.kind = records.kind AND subjects.seq = records.seq))
      AND kind = coalesce(:kind, kind) AND status = coalesce(:status, status)
      AND received_at_ms >= coalesce(:fromMs, received_at_ms) AND received_at_ms < coalesce(:toMs, received_at_ms + 1)
      AND (:agreementId IS NULL OR agreement_id = :agreementId OR (kind = 'agreement' AND subject_id = :agreementId))
      AND (:paymentId IS NULL OR payment_id = :paymentId OR (kind IN ('payment', 'oneOff', 'appPayment') AND subject_id = :paymentId))
    ORDER BY seq DESC LIMIT :limit`);
  const selectStory = db.prepare(
    'SELECT * FROM records WHERE subject_id = ? OR external_id = ? ORDER BY seq',
  );
  const selectRejected = db.prepare(`
    SELECT number, received_at_ms, endpoint, reason, raw FROM rejected
    WHERE received_at_ms >= coalesce(:fromMs, received_at_ms) AND received_at_ms < coalesce(:toMs, received_at_ms + 1) ORDER BY number DESC LIMIT :limit`);
  const selectRejectedRecord = db.prepare(
    'SELECT number, received_at_ms, endpoint, reason, raw FROM rejected WHERE number = ?',
  );
  const selectLast = db.prepare('SELECT max(seq) AS seq, 0 AS number FROM records');

  return {
    since: (seq, limit = 1_000) => selectSince.all(seq, limit).map((row) => RecordRow.parse(row)),
    latest: ({ agreementId, paymentId, ...wanted }, limit) =>
      selectLatest
        .all({
          ...wanted,
          agreementId: agreementId?.toLowerCase() ?? null,
          paymentId: paymentId?.toLowerCase() ?? null,
          limit,
        })
        .map((row) => RecordRow.parse(row))
        .reverse(),
    story: (id) => selectStory.all(id.toLowerCase(), id).map((row) => RecordRow.parse(row)),
    record(seq) {
      const row = selectRecord.get(seq);
      return row === undefined ? null : RecordRow.parse(row);
    },
    rejected: ({ fromMs, toMs }, limit) =>
      selectRejected
        .all({ fromMs, toMs, limit })
        .map((row) => RejectedRow.parse(row))
        .reverse(),
    rejectedRecord(number) {
      const row = selectRejectedRecord.get(number);
      return row === undefined ? null : RejectedRow.parse(row);
    },
    lastSeq: () => LastRow.parse(selectLast.get()).seq ?? 0,
    isReplaced: () => identityOf(path) !== opened,
    close: () => db.close(),
  };
}

function openReadOnly(path: string): DatabaseSync {
  let db: DatabaseSync | null = null;
  try {
    if (identityOf(path) === null)
      throw new Error('there is no such file: the receiver creates it at its first start');
    db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const version = VersionRow.parse(db.prepare('PRAGMA user_version').get()).user_version;
    if (version !== schemaVersion)
      throw new Error(
        `its layout is version ${version}, and this Tillbeacon reads version ${schemaVersion}`,
      );
    return db;
  } catch (cause) {
    db?.close();
    throw new StoreOpenError(path, cause);
  }
}

/** Identifies the file that has this name now; null when the name is free. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw new Error(messageOf(error), { cause: error });
  }
}
