/**
 * The journal as it was before a newer version was tried. That version may bring it to a layout
 * that the one before cannot read; as long as it has recorded nothing, the copy takes the journal's
 * place again. Otherwise nothing does: what was recorded may be money that is on its way. The
 * settings are copied too: a newer version may have encrypted them in a new format.
 */
import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  freshName,
  putInPlace,
  syncFolder,
  writeFileAtomically,
} from '../../support/atomic-file.ts';
import { maxSettingsBytes, readBoundedFile } from '../../support/bounded-file.ts';
import { requireRoom } from '../../support/disk-space.ts';
import { createPrivateFile } from '../../support/private-file.ts';

const copyOf = (journal: string): string =>
  journal.replace(/(\.sqlite)?$/, '.before-update.sqlite');
const settingsCopyBeside = (journal: string): string =>
  join(dirname(journal), 'settings.before-update.json');
const busyMs = 5_000;

/** The journal's layout; 0 when the journal is missing. @throws when it cannot be read now */
export function layoutOf(journal: string): number {
  return existsSync(journal)
    ? queryJournal(journal, (db) =>
        Number(db.prepare('PRAGMA user_version').get()?.['user_version']),
      )
    : 0;
}

/**
 * While nothing else uses the journal. @throws when it cannot be read, or the disk has too little
 * room
 */
export function keepCopies(journal: string, settings: string): void {
  if (existsSync(settings))
    writeFileAtomically(settingsCopyBeside(journal), readBoundedFile(settings, maxSettingsBytes));
  if (!existsSync(journal)) return;
  requireRoom(dirname(journal), statSync(journal).size);
  const copy = copyOf(journal);
  const fresh = freshName(copy);
  createPrivateFile(fresh);
  try {
    queryJournal(journal, (db) => db.prepare('VACUUM INTO ?').run(fresh), false);
    putInPlace(fresh, copy);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/**
 * Whether the journal holds nothing that the copy does not, and the copy is one that knows `layout`
 * at most. @throws when either cannot be read now
 */
export function copySuffices(journal: string, layout: number): boolean {
  const copy = copyOf(journal);
  return (
    existsSync(copy) &&
    layoutOf(copy) <= layout &&
    queryJournal(journal, (db) => isWithin(db, copy))
  );
}

/**
 * Every event of the money is a row of `events`, in each layout; what a manager does is a row too.
 */
function isWithin(db: DatabaseSync, copy: string): boolean {
  const isSame = comparing(db, copy);
  const tables = db
    .prepare(
      String.raw`SELECT name FROM before.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`,
    )
    .all();
  const names = tables.map(({ name }) => `"${String(name)}"`);
  return (
    names.includes('"events"') &&
    isSame('max(seq) FROM $.events') &&
    names.every((name) => isSame(`count(*) FROM $.${name}`))
  );
}

/** @param what with `$` for the journal and for the copy */
function comparing(db: DatabaseSync, copy: string): (what: string) => boolean {
  db.prepare('ATTACH ? AS before').run(copy);
  return (what) =>
    db
      .prepare(
        `SELECT (SELECT ${what.replace('$', 'main')}) IS (SELECT ${what.replace('$', 'before')}) AS same`,
      )
      .get()?.['same'] === 1;
}

/**
 * The copy in the journal's place, while nothing else uses either. @throws when the disk refuses
 */
export function putCopyBack(journal: string): void {
  // Closing the last connection empties the write-ahead log: SQLite must not apply it to the copy.
  queryJournal(journal, (db) => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), false);
  for (const ending of ['-wal', '-shm']) rmSync(`${journal}${ending}`, { force: true });
  renameSync(copyOf(journal), journal);
  syncFolder(dirname(journal));
}

/**
 * Unless a person has changed something since: each change at a screen is a row of the journal.
 * @returns whether they were others
 */
export function putSettingsBack(journal: string, settings: string): boolean {
  const [settingsCopy, copy] = [settingsCopyBeside(journal), copyOf(journal)];
  if (!existsSync(settingsCopy) || !existsSync(copy)) return false;
  const before = readBoundedFile(settingsCopy, maxSettingsBytes);
  if (existsSync(settings) && readBoundedFile(settings, maxSettingsBytes).equals(before))
    return false;
  if (!queryJournal(journal, (db) => comparing(db, copy)('count(*) FROM $.manager_actions')))
    return false;
  writeFileAtomically(settings, before);
  return true;
}

export function removeCopies(journal: string): void {
  for (const copy of [copyOf(journal), settingsCopyBeside(journal)]) rmSync(copy, { force: true });
}

/** @throws when it could not be asked */
function queryJournal<Answer>(
  path: string,
  question: (db: DatabaseSync) => Answer,
  readOnly = true,
): Answer {
  const db = new DatabaseSync(path, { readOnly, timeout: busyMs });
  try {
    return question(db);
  } finally {
    db.close();
  }
}
