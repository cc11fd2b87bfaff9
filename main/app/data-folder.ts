import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import { createPrivateFile } from '../support/private-file.ts';
import { removeUnfinished, writeFileAtomically } from '../support/atomic-file.ts';
import { takeFolder } from '../support/private-folder.ts';
import { messageOf, systemCodeOf } from '../domain/errors.ts';
import { sqliteCodeOf } from '../support/sqlite-errors.ts';
import { z } from 'zod';
import { pairedPort } from './screens-port.ts';

/** The files that a daemon reads and writes in its folder. */
const kept =
  /^(journal\.|reconciliation\.sqlite|daemon\.(lock|json)$|(deletions|managers|recreations|screens-port|setup-draft|settings|till-languages|till-tokens|settings\.previous)\.json$|first-manager-code\.txt$|recordings$|recording\.json$|simulator\.books)/;
const picturesFolder = 'shop';

/** Everything that a daemon keeps, in one folder: used by one daemon at a time, and closed to other users. */
export interface DataFolder {
  readonly path: string;
  /** It had a journal before this start. */
  readonly wasUsed: boolean;
  readonly journal: string;
  readonly managers: string;
  /** Hashes of the tokens of tills over HTTP. */
  readonly tillTokens: string;
  /** What the tills have chosen. */
  readonly tillLanguages: string;
  /** The one-time code with which the first manager is made. */
  readonly firstManagerCode: string;
  /** The port of its screens. */
  readonly screensPort: string;
  /** Points of sale that are being re-created. */
  readonly recreations: string;
  /** The events of the embedded simulator. */
  readonly simulatedBooks: string;
  /** What the reporting interface sent; it can be read again. */
  readonly reconciliation: string;
  /** What goes over the tills' lines: a folder. */
  readonly recordings: string;
  /** Until when a manager has it recorded. */
  readonly recording: string;
  /** Releases the lock. */
  close(): void;
}

/** Another daemon has the folder: there is one that owns its journal. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  /** Where the screens of the one that has it are; null: unknown. */
  readonly screensPort: number | null;
  constructor(path: string, cause: unknown) {
    super(`the data folder ${path} is in use by ${holder(path)}; two daemons would share tills and payments`, { cause });
    this.screensPort = pairedPort(screensPortIn(path));
  }
}

const lockIn = (folder: string): string => join(folder, 'daemon.lock');
const screensPortIn = (folder: string): string => join(folder, 'screens-port.json');

/** To be asked before anything in the folder is written. @throws DataFolderInUseError */
export function requireFree(path: string): void {
  if (existsSync(lockIn(path))) lockFolder(path).close();
}

/** @throws Error in plain words when the folder cannot be made or is not this user's, or another daemon has it */
export function openDataFolder(path: string, clock: Clock, log: Log): DataFolder {
  try {
    // Before anything in the folder is opened, even the lock: whoever can open the lock can hold it.
    takeFolder(path, { keeps: kept, log });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, { cause: error });
  }
  const lock = lockFolder(path);
  noteHolder(path, clock, log);
  removeUnfinished(path);
  const pictures = join(path, picturesFolder);
  if (lstatSync(pictures, { throwIfNoEntry: false })?.isDirectory() === true) removeUnfinished(pictures);
  return {
    path,
    wasUsed: existsSync(join(path, 'journal.sqlite')),
    journal: join(path, 'journal.sqlite'),
    simulatedBooks: join(path, 'simulator.books'),
    managers: join(path, 'managers.json'),
    tillTokens: join(path, 'till-tokens.json'),
    tillLanguages: join(path, 'till-languages.json'),
    firstManagerCode: join(path, 'first-manager-code.txt'),
    screensPort: screensPortIn(path),
    recreations: join(path, 'recreations.json'),
    reconciliation: join(path, 'reconciliation.sqlite'),
    recordings: join(path, 'recordings'),
    recording: join(path, 'recording.json'),
    close: () => lock.close(),
  };
}

/**
 * An exclusive lock of SQLite on an empty file: the operating system takes it back from a process that is gone, however it went, on every
 * system that SQLite runs on. The holder is named in a file beside it.
 */
function lockFolder(path: string): DatabaseSync {
  let lock: DatabaseSync | null = null;
  try {
    const file = lockIn(path);
    createPrivateFile(file);
    lock = new DatabaseSync(file);
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    if ((sqliteCodeOf(error) ?? 0) % 256 !== sqliteBusy) throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, { cause: error });
    throw new DataFolderInUseError(path, error);
  }
}

const sqliteBusy = 5;

const holderPath = (folder: string): string => join(folder, 'daemon.json');

/** A failure is only logged: a full disk must not keep the daemon from settling what has begun. */
function noteHolder(folder: string, clock: Clock, log: Log): void {
  try {
    writeFileAtomically(holderPath(folder), JSON.stringify({ pid: process.pid, since: new Date(clock.wallMs()).toISOString() }));
  } catch (error) {
    log.warn({ path: holderPath(folder), detail: messageOf(error) }, 'who has the data folder could not be noted in it');
  }
}

const Holder = z.object({ pid: z.int(), since: z.string() });

function holder(folder: string): string {
  try {
    const { pid, since } = Holder.parse(JSON.parse(readFileSync(holderPath(folder), 'utf8')));
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
    // Another user's.
    return systemCodeOf(error) === 'EPERM';
  }
}
