import { lockFiles } from '../../support/folder-lock.ts';

/**
 * A restore collects its files in `unfinishedRestore`, renames it to `completeRestore`, and moves
 * them into place. `restoredMark` stays until a manager confirms the restore.
 */
export const unfinishedRestore = 'restore.unfinished';
export const completeRestore = 'restore.complete';
export const restoredMark = 'restored.json';

/** Files that belong to this computer or this moment, or are made again. */
const left: ReadonlySet<string> = new Set([
  ...lockFiles,
  unfinishedRestore,
  completeRestore,
  restoredMark,
  'first-manager-code.txt',
  'journal.before-update.sqlite',
  'settings.before-update.json',
  'journal.sqlite.open',
  'journal.sqlite.repaired',
  'journal.sqlite.repairing',
  'journal.sqlite.reserve',
  'recordings',
  'log',
  'updates',
  'recording.json',
  'lost+found',
]);

/** @param path relative to the data folder, with slashes */
export function isBackedUp(path: string): boolean {
  const [first = ''] = path.toLowerCase().split('/');
  // Logs of SQLite are part of the copy of their file; `.new` is a file that is being replaced.
  return !left.has(first) && !/\.(sqlite|db)-(wal|shm|journal)$|\.new$/.test(path.toLowerCase());
}

/** Damaged journals are kept as they are. */
export const isDatabase = (path: string): boolean =>
  /\.(sqlite|db)$/.test(path) && !path.includes('damaged');
