/**
 * Copies everything that a backup holds of a data folder, in a consistent state, also while a
 * daemon uses the folder.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/domain/errors.ts';
import { openJournalReader } from '../../core/journal/reader.ts';
import { newestVersion } from '../../core/journal/schema.ts';
import { freshName } from '../../support/atomic-file.ts';
import { createPrivateFile } from '../../support/private-file.ts';
import { requireRoom } from '../../support/disk-space.ts';
import { isSafePath } from '../../support/safe-path.ts';
import { isCorrupt } from '../../support/sqlite-errors.ts';
import { BackupError } from './backup-error.ts';
import { isBackedUp, isDatabase } from './backup-contents.ts';

export interface Copy {
  /** Relative, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly content: Uint8Array | { readonly file: string };
}

export interface Copies {
  readonly files: readonly Copy[];
  readonly journalLayout: number | null;
  readonly unsettled: number;
  /** Paths that are not regular files, or have names that other systems do not support. */
  readonly skipped: readonly string[];
  /** Removes the copies of databases. */
  remove(): void;
}

/** Limit of a file that is not a database: settings, lists, pictures. */
const maxInMemoryBytes = 8_000_000;

/** @throws BackupError */
export function copiesOf(folder: string): Copies {
  if (existsSync(join(folder, 'journal.sqlite.repaired')))
    throw new BackupError(
      `${folder}: a repair of the journal was interrupted: start the daemon, which finishes it, and then make the backup`,
    );
  const { paths, skipped } = everythingIn(folder);
  if (!paths.some((path) => path.endsWith('.json') || isDatabase(path)))
    throw new BackupError(`${folder}: is not a data folder of Tillbeacon: nothing in it is known`);
  checkRoom(folder, paths.filter(isDatabase));
  const copiedDatabases: string[] = [];
  const remove = (): void => {
    for (const file of copiedDatabases) rmSync(file, { force: true });
  };
  try {
    const files = paths.flatMap((path): Copy[] => {
      if (isDatabase(path)) return [copyOfDatabase(folder, path, copiedDatabases)];
      const copy = copyOfFile(folder, path);
      return copy === null ? [] : [copy];
    });
    return { files, ...lookInto(files), skipped, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function everythingIn(folder: string): {
  readonly paths: readonly string[];
  readonly skipped: readonly string[];
} {
  const skipped: string[] = [];
  const walk = (below: string): string[] =>
    readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (!isBackedUp(path)) return [];
      if (!isSafePath(path) || !(entry.isFile() || entry.isDirectory())) {
        skipped.push(path);
        return [];
      }
      return entry.isDirectory() ? walk(path) : [path];
    });
  try {
    return { paths: walk(''), skipped };
  } catch (error) {
    throw new BackupError(`${folder}: cannot be read: ${messageOf(error)}`);
  }
}

/** The copies must not take the room that the journal needs. */
function checkRoom(folder: string, databases: readonly string[]): void {
  const neededBytes = databases.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
  try {
    requireRoom(folder, neededBytes);
  } catch (error) {
    throw new BackupError(messageOf(error), { cause: error });
  }
}

/**
 * One consistent state: SQLite reads in a transaction while others go on writing. The copy's name
 * is one that a start of the daemon clears away.
 */
function copyOfDatabase(folder: string, path: string, made: string[]): Copy {
  const file = freshName(join(folder, path));
  made.push(file);
  createPrivateFile(file);
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(join(folder, path), { readOnly: true, timeout: 10_000 });
    db.prepare('VACUUM INTO ?').run(file);
  } catch (error) {
    if (isCorrupt(error))
      throw new BackupError(
        `${path} is damaged: start the daemon, which repairs it, and then make the backup`,
      );
    throw new BackupError(`${path} could not be copied: ${messageOf(error)}`);
  } finally {
    db?.close();
  }
  return { path, bytes: statSync(file).size, content: { file } };
}

/** @returns null when it is gone: files come and go while a daemon runs */
function copyOfFile(folder: string, path: string): Copy | null {
  let opened: number | null = null;
  try {
    opened = openSync(join(folder, path), 'r');
    const { size } = fstatSync(opened);
    // Large files are only added to, so that what is there now stays.
    if (size > maxInMemoryBytes)
      return { path, bytes: size, content: { file: join(folder, path) } };
    const content = readFileSync(opened);
    return { path, bytes: content.length, content };
  } catch (error) {
    if (!existsSync(join(folder, path))) return null;
    throw new BackupError(`${path} could not be read: ${messageOf(error)}`);
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/**
 * The journal's copy is read through: what is whole now and sealed is whole when it is restored.
 */
function lookInto(files: readonly Copy[]): Pick<Copies, 'journalLayout' | 'unsettled'> {
  const journal = files.find(({ path }) => path === 'journal.sqlite')?.content;
  if (journal === undefined || !('file' in journal)) return { journalLayout: null, unsettled: 0 };
  const reader = openJournalReader(journal.file);
  try {
    const { problems } = reader.check();
    if (problems.length > 0)
      throw new BackupError(
        `the journal is damaged: ${problems[0]}. Start the daemon, which repairs it, and then make the backup`,
      );
    const { sales, needPerson } = reader.open();
    return { journalLayout: newestVersion, unsettled: new Set([...sales, ...needPerson]).size };
  } finally {
    reader.close();
  }
}
