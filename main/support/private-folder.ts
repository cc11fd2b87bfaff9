import {
  chmodSync,
  closeSync,
  constants,
  type Dirent,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../core/domain/log.ts';
import { messageOf } from '../core/domain/errors.ts';
import { requireLocalDisk } from './local-disk.ts';
import { makeFolder } from './make-folder.ts';

interface PrivateFolderOptions {
  /** The names that this program uses in its data folder. */
  readonly keeps: RegExp;
  readonly log: Log;
}

const othersMay = 0o077;
/** The sticky bit, as /tmp has it: anybody may create files in it. */
const isShared = 0o1000;

/**
 * Creates a folder that only this user may access, or closes an existing one with everything in it.
 * On Windows the rights are inherited.
 * @throws Error in plain words when the folder must not be used
 */
export function takeFolder(path: string, { keeps, log }: PrivateFolderOptions): void {
  requireLocalDisk(path);
  makeFolder(path, 0o700);
  const user = process.getuid?.();
  if (user === undefined) return;
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const { uid, mode } = fstatSync(folder);
    if (uid !== user && uid !== root)
      throw new Error(
        `it belongs to user ${uid}, and this is user ${user}: start it as that user, or take it over: chown -R ${user} ${path}`,
      );
    if (uid === user && (mode & othersMay) !== 0) checkUse(path, mode, keeps);
    let count =
      uid === user ? closed(path, mode, log, (closedMode) => fchmodSync(folder, closedMode)) : 0;
    const entries = readdirSync(path, { withFileTypes: true });
    checkOwners(path, entries, { keeps, user });
    for (const entry of entries) count += closeEntry(path, entry, log);
    if (count > 0)
      log.info(
        { folder: path, closed: count },
        'other users of this computer could access files of this folder: now only this user can',
      );
  } finally {
    closeSync(folder);
  }
}

const root = 0;

/** A file that another user put there may be known or forged. A link belongs to who made it. */
function checkOwners(
  path: string,
  entries: readonly Dirent[],
  { keeps, user }: { keeps: RegExp; user: number },
): void {
  for (const { name } of entries) {
    if (!keeps.test(name)) continue;
    const uid = lstatSync(join(path, name), { throwIfNoEntry: false })?.uid ?? user;
    if (uid !== user && uid !== root)
      throw new Error(
        `${name} in it belongs to user ${uid}: remove it, or if it is the right one: chown ${user} ${join(path, name)}`,
      );
  }
}

/** A shared folder that was named by mistake: closing it would lock out everybody else. */
function checkUse(path: string, mode: number, keeps: RegExp): void {
  if ((mode & isShared) !== 0)
    throw new Error('all users share it: use a folder only for Tillbeacon');
  const entries = readdirSync(path, { withFileTypes: true });
  if (entries.some(({ name }) => keeps.test(name))) return;
  const other = entries.find((entry) => entry.isDirectory() && entry.name !== 'lost+found');
  if (other !== undefined)
    throw new Error(
      `it contains other files, such as ${other.name}: use a folder only for Tillbeacon, or close this one with chmod 700 ${path}`,
    );
}

/** Closes a file, or a folder with its files. @returns how many were open to others */
function closeEntry(folder: string, entry: Dirent, log: Log): number {
  const path = join(folder, entry.name);
  if (entry.isFile()) return closeToOthers(path, log);
  if (
    !entry.isDirectory() ||
    lstatSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()
  )
    return 0;
  const itself = closeToOthers(path, log);
  const files = readdirSync(path, { withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce<number>(
    (sum, { name }) => sum + closeToOthers(join(path, name), log),
    itself,
  );
}

/**
 * Removes all rights of others on a file. By name, which is safe in a folder that they cannot write
 * to, and not through a descriptor, because closing one would release the locks this process holds
 * on the file, SQLite's too (POSIX).
 * @returns 1 when it was open and is closed now, else 0
 */
export function closeToOthers(path: string, log: Log): 0 | 1 {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isSymbolicLink() || stat.uid !== process.getuid?.()) return 0;
  return closed(path, stat.mode, log, (mode) => chmodSync(path, mode));
}

function closed(path: string, mode: number, log: Log, change: (mode: number) => void): 0 | 1 {
  if ((mode & othersMay) === 0) return 0;
  try {
    change(mode & 0o7700);
    // Some file systems accept a mode and ignore it.
    if ((statSync(path).mode & othersMay) === 0) return 1;
    throw new Error('its file system stores no permissions');
  } catch (error) {
    log.warn(
      { path, detail: messageOf(error) },
      'permissions could not be changed: other users of this computer may have access',
    );
    return 0;
  }
}
