import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../core/domain/errors.ts';
import { writeFileAtomically } from './atomic-file.ts';
import { createPrivateFile } from './private-file.ts';
import { sqliteCodeOf } from './sqlite-errors.ts';
import { Computer } from './this-computer.ts';

/** What a locked folder holds because of that. */
export const lockFiles: readonly string[] = ['daemon.lock', 'daemon.lock-journal', 'daemon.json'];

/** Another process has the folder. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/**
 * An exclusive lock of SQLite on an empty file: the operating system takes it back from a process
 * that is gone, however it went, on every system that SQLite runs on. The holder is named in a file
 * beside it.
 * @throws FolderInUseError, or an Error in plain words when it cannot be locked at all
 */
export function lockFolder(path: string): { close(): void } {
  let lock: DatabaseSync | null = null;
  try {
    const file = join(path, 'daemon.lock');
    createPrivateFile(file);
    lock = new DatabaseSync(file);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((sqliteCodeOf(error) ?? 0) % 256 !== sqliteBusy)
      throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, {
        cause: error,
      });
    throw new FolderInUseError(
      `the data folder ${path} is in use by ${holder(path)}: stop it first, or use another folder`,
      { cause: error },
    );
  }
}

const sqliteBusy = 5;

const holderPath = (folder: string): string => join(folder, 'daemon.json');

/**
 * Notes who has the folder, for others who find it locked. @param computer null when its id is not
 * known @throws when the disk is full
 */
export function noteHolder(folder: string, sinceMs: number, computer: Computer | null): void {
  writeFileAtomically(
    holderPath(folder),
    JSON.stringify({
      pid: process.pid,
      since: new Date(sinceMs).toISOString(),
      ...(computer && { computer }),
    }),
  );
}

const Holder = z.object({ pid: z.int(), since: z.string(), computer: Computer.optional() });

const readHolder = (folder: string): z.infer<typeof Holder> =>
  Holder.parse(JSON.parse(readFileSync(holderPath(folder), 'utf8')));

/**
 * The other computer that had the folder last, and since when; null when it was this one, or that
 * is not known.
 */
export function otherHolder(
  folder: string,
  here: Computer | null,
): { readonly name: string; readonly sinceMs: number } | null {
  try {
    const { computer, since } = readHolder(folder);
    return computer === undefined || here === null || computer.id === here.id
      ? null
      : { name: computer.name, sinceMs: Date.parse(since) || 0 };
  } catch {
    return null;
  }
}

function holder(folder: string): string {
  try {
    const { pid, since } = readHolder(folder);
    if (isRunning(pid)) return `another Tillbeacon: process ${pid}, since ${since}`;
    return `a program that holds its daemon.lock (process ${pid}, which had it last, is gone; see fuser -v ${join(folder, 'daemon.lock')})`;
  } catch {
    return 'another Tillbeacon';
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process belongs to another user.
    return systemCodeOf(error) === 'EPERM';
  }
}
