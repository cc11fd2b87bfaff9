/**
 * Actions, closing reports and notes of managers. Kept in the journal and append-only like its
 * events.
 */
import type { DatabaseSync } from 'node:sqlite';
import { json, number, orNull, query, text } from '../../support/sql-rows.ts';
import type { JournalDamage } from './journal.ts';

interface StoredRecord {
  /** Counts up in the order of writing. */
  readonly number: number;
  readonly atMs: number;
  readonly manager: string;
}

export interface ManagerAction extends StoredRecord {
  /** The name of the screen's procedure. */
  readonly action: string;
  /** The id of the payment or refund that the action concerns; null without one. */
  readonly subject: string | null;
  readonly detail: object;
}

/** `number` is printed on the report. */
export interface Closing extends StoredRecord {
  /** null for all lanes together. */
  readonly laneId: string | null;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** The report as it was printed. */
  readonly report: object;
}

export interface ReconciliationNote extends StoredRecord {
  /** The reported transaction that the note is about. */
  readonly subject: string;
  readonly text: string;
}

/** The action that acknowledges damage to the journal; its subject is the damage's `atMs`. */
export const damageNoted = 'damageNoted';

/** The `keep` methods throw JournalWriteError when nothing was written. */
export interface ManagerRecords {
  keepAction(action: Omit<ManagerAction, 'number' | 'atMs'>): ManagerAction;
  keepClosing(closing: Omit<Closing, 'number' | 'atMs'>): Closing;
  keepNote(note: Omit<ReconciliationNote, 'number' | 'atMs'>): ReconciliationNote;
  /**
   * The last repair that no manager has acknowledged, with the losses of all such repairs; null
   * without damage. A restart does not end the warning.
   */
  damageToNote(): JournalDamage | null;
}

const maxPageSize = 500;

/** Writes to the managers' tables, as part of the caller's transaction. */
export function managerRecordsTables(db: DatabaseSync) {
  const insertAction = db.prepare(
    'INSERT INTO manager_actions (manager, action, subject, detail, at_ms) VALUES (?, ?, ?, ?, ?)',
  );
  const insertClosing = db.prepare(
    'INSERT INTO closings (lane_id, from_ms, to_ms, manager, report, at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertNote = db.prepare(
    'INSERT INTO reconciliation_notes (subject, manager, text, at_ms) VALUES (?, ?, ?, ?)',
  );
  const selectRepairsToNote = query(
    db,
    `SELECT body FROM repairs WHERE number > coalesce((
       SELECT max(noted.number) FROM repairs AS noted JOIN manager_actions ON action = ? AND subject = CAST(noted.at_ms AS TEXT)), 0)
     ORDER BY number`,
    { body: json<JournalDamage>() },
  );
  const numberOf = ({ lastInsertRowid }: { lastInsertRowid: number | bigint }): number =>
    Number(lastInsertRowid);
  return {
    keepAction(atMs: number, action: Omit<ManagerAction, 'number' | 'atMs'>): ManagerAction {
      const { manager, action: what, subject, detail } = action;
      return {
        ...action,
        number: numberOf(insertAction.run(manager, what, subject, JSON.stringify(detail), atMs)),
        atMs,
      };
    },
    keepClosing(atMs: number, closing: Omit<Closing, 'number' | 'atMs'>): Closing {
      const { laneId, fromMs, toMs, manager, report } = closing;
      return {
        ...closing,
        number: numberOf(
          insertClosing.run(laneId, fromMs, toMs, manager, JSON.stringify(report), atMs),
        ),
        atMs,
      };
    },
    keepNote(atMs: number, note: Omit<ReconciliationNote, 'number' | 'atMs'>): ReconciliationNote {
      return {
        ...note,
        number: numberOf(insertNote.run(note.subject, note.manager, note.text, atMs)),
        atMs,
      };
    },
    damageToNote(): JournalDamage | null {
      const repairs = selectRepairsToNote.all(damageNoted).map(({ body }) => body);
      const last = repairs.at(-1);
      return last === undefined ? null : { ...last, lost: repairs.flatMap(({ lost }) => lost) };
    },
  };
}

const rowColumns = { number, atMs: number, manager: text };
const closing = {
  ...rowColumns,
  laneId: orNull(text),
  fromMs: number,
  toMs: number,
  report: json<object>(),
};

export function managerRecordsReader(db: DatabaseSync) {
  const selectActions = query(
    db,
    `SELECT * FROM manager_actions WHERE at_ms >= :fromMs AND at_ms < :toMs AND number < :before ORDER BY number DESC LIMIT ${maxPageSize}`,
    { ...rowColumns, action: text, subject: orNull(text), detail: json<object>() },
  );
  const selectClosings = query(
    db,
    `SELECT * FROM closings WHERE number < :before ORDER BY number DESC LIMIT ${maxPageSize}`,
    closing,
  );
  const selectClosing = query(db, 'SELECT * FROM closings WHERE number = ?', closing);
  const selectOverlapping = query(
    db,
    `SELECT * FROM closings WHERE (lane_id IS NULL) <> (:laneId IS NULL) AND to_ms > :fromMs AND from_ms < :toMs AND number < :before ORDER BY number`,
    closing,
  );
  const selectLastClosing = query(
    db,
    'SELECT * FROM closings WHERE lane_id IS ? ORDER BY number DESC LIMIT 1',
    closing,
  );
  const selectNewestClosing = query(db, 'SELECT coalesce(max(number), 0) AS number FROM closings', {
    number,
  });
  const selectNotes = query(
    db,
    'SELECT * FROM reconciliation_notes WHERE subject = ? ORDER BY number',
    { ...rowColumns, subject: text, text },
  );
  const all = Number.MAX_SAFE_INTEGER;
  return {
    /**
     * Newest first, at most `largestPage`. @param before the number of the last action on the
     * previous page
     */
    managerActions: ({
      fromMs,
      toMs,
      before = all,
    }: {
      readonly fromMs: number;
      readonly toMs: number;
      readonly before?: number;
    }): ManagerAction[] => selectActions.all({ fromMs, toMs, before }),
    /** Paged like `managerActions`. */
    closings: (before = all): Closing[] => selectClosings.all({ before }),
    closing: (closingNumber: number): Closing | null => selectClosing.first(closingNumber),
    /**
     * Earlier closings of the other series (of all lanes together, or of one) that a closing has
     * money in common with, oldest first.
     */
    overlappingClosings: (
      { laneId, fromMs, toMs }: Pick<Closing, 'laneId' | 'fromMs' | 'toMs'>,
      before = all,
    ): Closing[] => selectOverlapping.all({ laneId, fromMs, toMs, before }),
    /** The number of the newest closing; 0 without closings. */
    newestClosing: (): number => selectNewestClosing.first()?.number ?? 0,
    /**
     * The last closing of this lane, or of all lanes together for null; the next one begins where
     * it ended.
     */
    lastClosing: (laneId: string | null): Closing | null => selectLastClosing.first(laneId),
    /** Oldest first. */
    reconciliationNotes: (subject: string): ReconciliationNote[] => selectNotes.all(subject),
  };
}
