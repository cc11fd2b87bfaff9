/** What managers did, closed and noted: written by their screens, kept beside the payments, and append-only as these. */
import type { DatabaseSync } from 'node:sqlite';
import { json, number, orNull, query, text } from '../support/sql-rows.ts';
import type { JournalDamage } from './journal.ts';

interface Kept {
  /** In the order in which they were written. */
  readonly number: number;
  readonly atMs: number;
  readonly manager: string;
}

export interface ManagerAction extends Kept {
  /** What was done; the screens' own words. */
  readonly action: string;
  /** What it was done to: an id; null: nothing in particular. */
  readonly subject: string | null;
  /** Kept as JSON. */
  readonly detail: object;
}

/** `number` is the report's. */
export interface Closing extends Kept {
  /** null: all lanes. */
  readonly laneId: string | null;
  readonly fromMs: number;
  /** The first moment behind it. */
  readonly toMs: number;
  /** As it was printed; kept as JSON. */
  readonly report: object;
}

export interface ReconciliationNote extends Kept {
  /** What of the service's books it is about. */
  readonly subject: string;
  readonly text: string;
}

/** The action by which a manager says that damage was told to support; its subject is the damage's `atMs`. */
export const damageNoted = 'damageNoted';

/** What keeps something throws JournalWriteError, as `Journal.append`: nothing was kept. */
export interface Office {
  keepAction(action: Omit<ManagerAction, 'number' | 'atMs'>): ManagerAction;
  keepClosing(closing: Omit<Closing, 'number' | 'atMs'>): Closing;
  keepNote(note: Omit<ReconciliationNote, 'number' | 'atMs'>): ReconciliationNote;
  /** The last repair that no manager has noted, with what was lost in all of these; null: there is none. Restarts end no warning, people do. */
  damageToNote(): JournalDamage | null;
}

const largestOfficePage = 500;

/** The three tables. Inside whatever transaction the caller has begun. */
export function officeBook(db: DatabaseSync) {
  const insertAction = db.prepare('INSERT INTO manager_actions (manager, action, subject, detail, at_ms) VALUES (?, ?, ?, ?, ?)');
  const insertClosing = db.prepare('INSERT INTO closings (lane_id, from_ms, to_ms, manager, report, at_ms) VALUES (?, ?, ?, ?, ?, ?)');
  const insertNote = db.prepare('INSERT INTO reconciliation_notes (subject, manager, text, at_ms) VALUES (?, ?, ?, ?)');
  const selectRepairsToNote = query(
    db,
    `SELECT body FROM repairs WHERE number > coalesce((
       SELECT max(noted.number) FROM repairs AS noted JOIN manager_actions ON action = ? AND subject = CAST(noted.at_ms AS TEXT)), 0)
     ORDER BY number`,
    { body: json<JournalDamage>() },
  );
  const numberOf = ({ lastInsertRowid }: { lastInsertRowid: number | bigint }): number => Number(lastInsertRowid);
  return {
    keepAction(atMs: number, action: Omit<ManagerAction, 'number' | 'atMs'>): ManagerAction {
      const { manager, action: what, subject, detail } = action;
      return { ...action, number: numberOf(insertAction.run(manager, what, subject, JSON.stringify(detail), atMs)), atMs };
    },
    keepClosing(atMs: number, closing: Omit<Closing, 'number' | 'atMs'>): Closing {
      const { laneId, fromMs, toMs, manager, report } = closing;
      return { ...closing, number: numberOf(insertClosing.run(laneId, fromMs, toMs, manager, JSON.stringify(report), atMs)), atMs };
    },
    keepNote(atMs: number, note: Omit<ReconciliationNote, 'number' | 'atMs'>): ReconciliationNote {
      return { ...note, number: numberOf(insertNote.run(note.subject, note.manager, note.text, atMs)), atMs };
    },
    damageToNote(): JournalDamage | null {
      const repairs = selectRepairsToNote.all(damageNoted).map(({ body }) => body);
      const last = repairs.at(-1);
      return last === undefined ? null : { ...last, lost: repairs.flatMap(({ lost }) => lost) };
    },
  };
}

const kept = { number, atMs: number, manager: text };
const closing = { ...kept, laneId: orNull(text), fromMs: number, toMs: number, report: json<object>() };

/** Reads only. */
export function officeReader(db: DatabaseSync) {
  const selectActions = query(
    db,
    `SELECT * FROM manager_actions WHERE at_ms >= :fromMs AND at_ms < :toMs AND number < :before ORDER BY number DESC LIMIT ${largestOfficePage}`,
    { ...kept, action: text, subject: orNull(text), detail: json<object>() },
  );
  const selectClosings = query(db, `SELECT * FROM closings WHERE number < :before ORDER BY number DESC LIMIT ${largestOfficePage}`, closing);
  const selectClosing = query(db, 'SELECT * FROM closings WHERE number = ?', closing);
  const selectLastClosing = query(db, 'SELECT * FROM closings WHERE lane_id IS ? ORDER BY number DESC LIMIT 1', closing);
  const selectNotes = query(db, 'SELECT * FROM reconciliation_notes WHERE subject = ? ORDER BY number', { ...kept, subject: text, text });
  const all = Number.MAX_SAFE_INTEGER;
  return {
    /** Of a period, newest first, at most `largestOfficePage`; `before`: the number of the last one on the page before. */
    managerActions: ({ fromMs, toMs, before = all }: { readonly fromMs: number; readonly toMs: number; readonly before?: number }): ManagerAction[] =>
      selectActions.all({ fromMs, toMs, before }),
    /** Newest first, as `managerActions`. */
    closings: (before = all): Closing[] => selectClosings.all({ before }),
    closing: (closingNumber: number): Closing | null => selectClosing.first(closingNumber),
    /** Of this lane, or (null) of all lanes together: where the next one begins. */
    lastClosing: (laneId: string | null): Closing | null => selectLastClosing.first(laneId),
    /** Oldest first. */
    reconciliationNotes: (subject: string): ReconciliationNote[] => selectNotes.all(subject),
  };
}
