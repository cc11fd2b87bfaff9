import { chmodSync, closeSync, constants, type Dirent, fchmodSync, fstatSync, lstatSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../domain/log.ts';
import { messageOf } from '../domain/errors.ts';

interface PrivateFolderOptions {
  /** The names of what this program reads and writes in it. */
  readonly keeps: RegExp;
  readonly log: Log;
}

const othersMay = 0o077;
/** As of /tmp: anybody may put something into it. */
const isShared = 0o1000;

/**
 * Makes a folder for this user alone, or takes one that is there and closes it, with everything in it, to others. On Windows it is as its place is.
 * @throws Error in plain words where that would be wrong
 */
export function takeFolder(path: string, { keeps, log }: PrivateFolderOptions): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const user = process.getuid?.();
  if (user === undefined) return;
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const { uid, mode } = fstatSync(folder);
    if (uid !== user && uid !== root)
      throw new Error(`it belongs to user ${uid}, and this is user ${user}: start it as that user, or take it over: chown -R ${user} ${path}`);
    if (uid === user && (mode & othersMay) !== 0) checkUse(path, mode, keeps);
    let count = uid === user ? closed(path, mode, log, (closedMode) => fchmodSync(folder, closedMode)) : 0;
    const entries = readdirSync(path, { withFileTypes: true });
    checkOwners(path, entries, { keeps, user });
    for (const entry of entries) count += closeEntry(path, entry, log);
    if (count > 0) log.info({ folder: path, closed: count }, 'other users of this computer could get at files of this folder: now only this user can');
  } finally {
    closeSync(folder);
  }
}

const root = 0;

/** Whoever put it there knows it, or made it up. A link is its maker's. */
function checkOwners(path: string, entries: readonly Dirent[], { keeps, user }: { keeps: RegExp; user: number }): void {
  for (const { name } of entries) {
    if (!keeps.test(name)) continue;
    const uid = lstatSync(join(path, name), { throwIfNoEntry: false })?.uid ?? user;
    if (uid !== user && uid !== root)
      throw new Error(`${name} in it belongs to user ${uid}: remove it, or if it is the right one: chown ${user} ${join(path, name)}`);
  }
}

/** A folder that somebody named by mistake: closing it would take it from everybody else. */
function checkUse(path: string, mode: number, keeps: RegExp): void {
  if ((mode & isShared) !== 0) throw new Error('everybody shares it: name a folder of its own');
  const entries = readdirSync(path, { withFileTypes: true });
  if (entries.some(({ name }) => keeps.test(name))) return;
  const other = entries.find((entry) => entry.isDirectory() && entry.name !== 'lost+found');
  if (other !== undefined) throw new Error(`it holds other things, such as ${other.name}: name a folder of its own, or close this one: chmod 700 ${path}`);
}

/** A file, or a folder of this user with its files. @returns how many were open to others */
function closeEntry(folder: string, entry: Dirent, log: Log): number {
  const path = join(folder, entry.name);
  if (entry.isFile()) return closeToOthers(path, log);
  if (!entry.isDirectory() || lstatSync(path, { throwIfNoEntry: false })?.uid !== process.getuid?.()) return 0;
  const itself = closeToOthers(path, log);
  const files = readdirSync(path, { withFileTypes: true }).filter((one) => one.isFile());
  return files.reduce<number>((sum, { name }) => sum + closeToOthers(join(path, name), log), itself);
}

/**
 * Takes every right on a file of this user from others. By its name, which is safe in a folder that they cannot write to. Not through a
 * descriptor: to close one would end the locks that this process has on the file, SQLite's too (POSIX).
 * @returns 1: it was open to them, 0: it was not, or is so still
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
    // Some file systems take a mode and keep theirs.
    if ((statSync(path).mode & othersMay) === 0) return 1;
    throw new Error('its file system keeps no modes');
  } catch (error) {
    log.warn({ path, detail: messageOf(error) }, 'this could not be closed to other users of this computer');
    return 0;
  }
}
