import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { number, orNull, query, text } from '../../support/sql-rows.ts';

/**
 * Whether everything in one journal is in another one too, as in a copy of what it was earlier.
 * Each event's seal is over all events before it, so the last one tells. A journal that is
 * missing, empty or without a seal at its end: only the first two are part of any other.
 * @throws when one of them cannot be read
 */
export function isPartOf(path: string, whole: string): boolean {
  if (!existsSync(path)) return true;
  const last = readRow(path, 'SELECT seq, seal FROM events ORDER BY seq DESC LIMIT 1');
  if (last === null) return true;
  if (last.seal === null || !existsSync(whole)) return false;
  return readRow(whole, 'SELECT seq, seal FROM events WHERE seq = ?', last.seq)?.seal === last.seal;
}

function readRow(
  path: string,
  sql: string,
  ...given: number[]
): { readonly seq: number; readonly seal: string | null } | null {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  try {
    return query(db, sql, { seq: number, seal: orNull(text) }).first(...given);
  } finally {
    db.close();
  }
}
