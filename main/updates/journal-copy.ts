/**
 * The journal as it was before a newer version was tried. That version may bring it to a layout that the one before cannot read; as long as it has
 * recorded nothing, the copy takes the journal's place again. Otherwise nothing does: what was recorded may be money that is on its way.
 */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freshName, putInPlace, syncFolder } from '../support/atomic-file.ts';
import { createPrivateFile } from '../support/private-file.ts';

const copyOf = (journal: string): string => journal.replace(/(\.sqlite)?$/, '.before-update.sqlite');
const busyMs = 5_000;

/** The journal's layout; null when there is no journal, or it cannot be read now, which the daemon has to judge. */
export function layoutOf(journal: string): number | null {
  return existsSync(journal) ? asked(journal, (db) => Number(db.prepare('PRAGMA user_version').get()?.['user_version'])) : null;
}

/** While nothing else uses the journal. @throws when it cannot be read, or the disk is full */
export function keepCopy(journal: string): void {
  if (!existsSync(journal)) return;
  const copy = copyOf(journal);
  const fresh = freshName(copy);
  createPrivateFile(fresh);
  const db = new DatabaseSync(journal, { timeout: busyMs });
  try {
    db.prepare('VACUUM INTO ?').run(fresh);
    putInPlace(fresh, copy);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  } finally {
    db.close();
  }
}

/** Whether the journal holds nothing that the copy does not, and the copy is one that knows `layout` at most. */
export function copySuffices(journal: string, layout: number): boolean {
  const copy = copyOf(journal);
  const layoutOfCopy = layoutOf(copy);
  return layoutOfCopy !== null && layoutOfCopy <= layout && asked(journal, (db) => isWithin(db, copy)) === true;
}

/** Every event of the money is a row of `events`, in each layout; what a manager does is a row too. */
function isWithin(db: DatabaseSync, copy: string): boolean {
  db.prepare('ATTACH ? AS before').run(copy);
  const tables = db.prepare(String.raw`SELECT name FROM before.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`).all();
  const names = tables.map(({ name }) => `"${String(name)}"`);
  const isSame = (what: string): boolean =>
    db.prepare(`SELECT (SELECT ${what.replace('$', 'main')}) IS (SELECT ${what.replace('$', 'before')}) AS same`).get()?.['same'] === 1;
  return names.includes('"events"') && isSame('max(seq) FROM $.events') && names.every((name) => isSame(`count(*) FROM $.${name}`));
}

/** The copy in the journal's place, while nothing else uses either. */
export function putCopyBack(journal: string): void {
  // Closing the last connection empties the write-ahead log: SQLite must not apply it to the copy.
  asked(journal, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), false);
  for (const ending of ['-wal', '-shm']) rmSync(`${journal}${ending}`, { force: true });
  renameSync(copyOf(journal), journal);
  syncFolder(dirname(journal));
}

export function removeCopy(journal: string): void {
  rmSync(copyOf(journal), { force: true });
}

/** null when the question could not be asked. */
function asked<Answer>(path: string, question: (db: DatabaseSync) => Answer, readOnly = true): Answer | null {
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly, timeout: busyMs });
    return question(db);
  } catch {
    return null;
  } finally {
    db?.close();
  }
}
