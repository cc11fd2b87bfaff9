/**
 * Moves the app's folder once. On one disk that is a renaming. To another disk everything is
 * copied and compared before the old folder loses its name, and only then has the copy the new
 * name: whenever the power fails, either the old folder is in use or the new one. The next start
 * does the rest.
 *
 * | the old folder | the copy | the new folder | what a start does |
 * |---|---|---|---|
 * | there | | | rename it, or copy it |
 * | there | unfinished or complete | | remove the copy, which may be older, and copy it |
 * | renamed to `….moved` | complete | | compare it again, and rename it |
 * | renamed to `….moved` | | | refuse: somebody has removed the copy |
 * | renamed to `….moved` | | there | remove it |
 * | there | | there | remove it when all its payments are in the new one, otherwise refuse |
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  type Dirent,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { isPartOf } from '../../core/journal/part-of.ts';
import { syncFolder } from '../../support/atomic-file.ts';
import { lockFiles, lockFolder } from '../../support/folder-lock.ts';
import { whileHeld } from '../../support/held-file.ts';
import { requireLocalDisk } from '../../support/local-disk.ts';
import { makeFolder } from '../../support/make-folder.ts';

interface MoveOptions {
  readonly from: string;
  readonly to: string;
  readonly log: Log;
  /** Called after each step; tests end the process there. */
  readonly reached?: (step: string) => void;
}

/** @throws Error in plain words; then nothing is lost, and nothing at `to` is used */
export function moveFolder(options: MoveOptions): void {
  const { from, to, log } = options;
  const isUnfinished = existsSync(retiredOf(from)) || existsSync(workOf(to));
  if (!isUnfinished && !(existsSync(to) ? hasJournal(from) : existsSync(from))) return;
  requireLocalDisk(to);
  makeFolder(dirname(to));
  const lock = lockWork(workOf(to));
  try {
    move(options);
  } catch (error) {
    const why = messageOf(error);
    log.error({ from, to, detail: why }, 'data of this app could not be moved');
    throw new Error(`the data of this app could not be moved from ${from} to ${to}: ${why}`, {
      cause: error,
    });
  } finally {
    lock.close();
  }
  removeQuietly(workOf(to), log);
}

/** What the old folder is called when the copy is complete: no version of the app uses it. */
const retiredOf = (from: string): string => `${from}.moved`;
/** Holds the copy, and the lock of the process that moves. */
const workOf = (to: string): string => `${to}.moving`;
const copyIn = (to: string): string => join(workOf(to), 'copy');
const completeIn = (to: string): string => join(workOf(to), 'complete');

function lockWork(work: string): { close(): void } {
  makeFolder(work, 0o700);
  try {
    return lockFolder(work);
  } catch (error) {
    throw new Error('another process of this app is moving its data: wait until it has finished', {
      cause: error,
    });
  }
}

function move(options: MoveOptions): void {
  const { from, to, log, reached = () => {} } = options;
  if (existsSync(retiredOf(from)) && !existsSync(to)) putInPlace(options);
  if (existsSync(to)) return finish(options);
  if (!existsSync(from)) return;
  requireUnused(from);
  try {
    whileHeld(() => renameSync(from, to));
    for (const folder of new Set([dirname(from), dirname(to)])) syncFolder(folder);
    reached('renamed');
  } catch (error) {
    if (systemCodeOf(error) !== 'EXDEV') throw error;
    copyToOtherDisk(options);
    putInPlace(options);
    finish(options);
  }
  log.info({ from, to }, 'data of this app moved');
}

/** @throws FolderInUseError while an earlier version of the app runs */
function requireUnused(folder: string): void {
  const data = join(folder, 'data');
  if (existsSync(join(data, 'daemon.lock'))) lockFolder(data).close();
}

function copyToOtherDisk({ from, to, reached = () => {} }: MoveOptions): void {
  for (const left of [copyIn(to), completeIn(to)]) rmSync(left, { recursive: true, force: true });
  reached('cleared');
  // Held while it is copied, so that no earlier version writes to the journal meanwhile.
  const data = join(from, 'data');
  const lock = existsSync(data) ? lockFolder(data) : null;
  try {
    copyFolder(from, copyIn(to), reached);
  } finally {
    lock?.close();
  }
  renameSync(copyIn(to), completeIn(to));
  syncFolder(workOf(to));
  reached('copied');
  whileHeld(() => renameSync(from, retiredOf(from)));
  syncFolder(dirname(from));
  reached('retired');
}

/** The old folder has lost its name: only the copy may be used from here on. */
function putInPlace({ from, to, reached = () => {} }: MoveOptions): void {
  const [retired, complete] = [retiredOf(from), completeIn(to)];
  if (!existsSync(complete))
    throw new Error(
      `the copy is missing, and the original is called ${retired} now: rename it back`,
    );
  if (stampOf(retired) !== stampOf(complete)) {
    if (!existsSync(from)) whileHeld(() => renameSync(retired, from));
    throw new Error(
      'it changed during the copy: stop the other Tillbeacon, then start this one again',
    );
  }
  whileHeld(() => renameSync(complete, to));
  for (const folder of [workOf(to), dirname(to)]) syncFolder(folder);
  reached('in place');
}

/** With the new folder in use: removes the old one. */
function finish({ from, to, log, reached = () => {} }: MoveOptions): void {
  if (!existsSync(to)) return;
  if (existsSync(from) && hasJournal(from)) {
    if (!isPartOf(journalOf(from), journalOf(to)))
      throw new Error('both folders contain payments: keep the right one and rename the other');
    requireUnused(from);
    log.warn(
      { from },
      'removing an old copy of the data, which a roaming profile has brought back',
    );
    const retired = retiredOf(from);
    rmSync(retired, { recursive: true, force: true });
    whileHeld(() => renameSync(from, retired));
  }
  reached('finishing');
  removeQuietly(retiredOf(from), log);
}

const journalOf = (folder: string): string => join(folder, 'data', 'journal.sqlite');
const hasJournal = (folder: string): boolean => existsSync(journalOf(folder));

function removeQuietly(folder: string, log: Log): void {
  try {
    whileHeld(() => rmSync(folder, { recursive: true, force: true }));
  } catch (error) {
    log.warn(
      { folder, detail: messageOf(error) },
      'old data could not be removed after the move: the next start tries again',
    );
  }
}

/** What Chromium makes again. */
const cacheNames = /^(supervisor|Singleton\w+|lockfile|Crashpad|.*Cache.*)$/;

/** Files and folders to copy; links and lock files are not. */
const entriesOf = (folder: string, isTop: boolean): readonly Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).filter(
    (entry) =>
      (entry.isFile() || entry.isDirectory()) &&
      !lockFiles.includes(entry.name) &&
      !(isTop && cacheNames.test(entry.name)),
  );

function copyFolder(from: string, to: string, reached: (step: string) => void, isTop = true): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of entriesOf(from, isTop)) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target, reached, false);
    else copyFile(source, target);
    reached(`copy of ${entry.name}`);
  }
  syncFolder(to);
}

/** On disk, and the same as the source, when it returns. */
function copyFile(source: string, target: string): void {
  copyFileSync(source, target);
  const seconds = changedSeconds(source);
  utimesSync(target, seconds, seconds);
  const file = openSync(target, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (hashOf(target) !== hashOf(source))
    throw new Error(`${source} could not be copied: the copy differs`);
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const part = Buffer.alloc(1_048_576);
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, part); read > 0; read = readSync(file, part))
      hash.update(part.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

/** File systems round the time of the last change differently. */
const changedSeconds = (path: string): number => Math.floor(lstatSync(path).mtimeMs / 1_000);

/**
 * Differs when a file below has been written, made or removed; the same of a folder and its copy.
 */
function stampOf(folder: string, isTop = true): string {
  return entriesOf(folder, isTop)
    .map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return `${entry.name}/${stampOf(path, false)}`;
      return `${entry.name} ${lstatSync(path).size} ${changedSeconds(path)}`;
    })
    .toSorted()
    .join('\n');
}
