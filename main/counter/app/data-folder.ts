import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { finishRestore } from '../backup/finish-restore.ts';
import { noteCopied, RestoredFolder } from '../backup/restored-folder.ts';
import type { Clock } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { removeUnfinished } from '../../support/atomic-file.ts';
import { managerFiles } from '../manager/people/managers-file.ts';
import {
  FolderInUseError,
  lockFolder,
  noteHolder,
  otherHolder,
} from '../../support/folder-lock.ts';
import { takeFolder } from '../../support/private-folder.ts';
import { thisComputer } from '../../support/this-computer.ts';
import { pairedPort } from './screens-port.ts';

/** The files that a daemon reads and writes in its folder. */
const ownFileNames = [
  /^journal\./,
  /^(reconciliation|nexo-refusals)\.sqlite/,
  /^daemon\.(lock|json)$/,
  /^(deletions|known-screens|made-stickers|managers|recording|recreations|restored|screens-port|setup-draft|settings|settings\.previous|tested-lanes|till-languages|till-tokens)\.json$/,
  /^terminal-ids\.json$/,
  /^(first-manager-code|unlock-managers)\.txt$/,
  /^(recordings|updates|log)$/,
  /^restore\./,
  /^simulator\.books/,
];
const ownFiles = new RegExp(ownFileNames.map(({ source }) => source).join('|'));
const picturesFolder = 'shop';

/**
 * Everything that a daemon keeps, in one folder: used by one daemon at a time, and closed to other
 * users.
 */
export interface DataFolder {
  readonly path: string;
  /** Whether it had a journal before this start. */
  readonly wasUsed: boolean;
  readonly journal: string;
  readonly managers: string;
  /** Hashes of the tokens of tills over HTTP. */
  readonly tillTokens: string;
  /** Messages of tills that were refused, so that they begin nothing later. */
  readonly nexoRefusals: string;
  /** The languages that the tills have chosen. */
  readonly tillLanguages: string;
  /** The terminal ids of lanes at their tills. */
  readonly terminalIds: string;
  /** The one-time code with which the first manager is made. */
  readonly firstManagerCode: string;
  /** The port of its screens. */
  readonly screensPort: string;
  /** Points of sale that are being created anew. */
  readonly recreations: string;
  /** Stickers that were made at the service. */
  readonly madeStickers: string;
  /** The events of the embedded simulator. */
  readonly simulatedBooks: string;
  /** Reports of the service, which can be read again. */
  readonly reconciliation: string;
  /** Folder of the recordings of the tills' lines. */
  readonly recordings: string;
  /** Until when a manager has the lines recorded. */
  readonly recording: string;
  /** Folder of newer versions. */
  readonly updates: string;
  /** Whether it came from another computer, and waits to be confirmed. */
  readonly restored: RestoredFolder;
  /** Releases the lock. */
  close(): void;
}

/** Another daemon has the folder and its journal. */
export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
  /** Port of the screens of the process that has the folder; null when it is unknown. */
  readonly screensPort: number | null;
  constructor(path: string, cause: FolderInUseError) {
    super(cause.message, { cause });
    this.screensPort = pairedPort(screensPortIn(path));
  }
}

const screensPortIn = (folder: string): string => join(folder, 'screens-port.json');

/**
 * Checks that no daemon has the folder, before anything in it is written. @throws
 * DataFolderInUseError
 */
export function requireFree(path: string): void {
  if (existsSync(join(path, 'daemon.lock'))) lockDataFolder(path).close();
}

/**
 * @param computer that this process runs on; null when its id is not known
 * @throws Error in plain words when the folder cannot be made, is not this user's or not on a disk
 * of this computer, or another daemon has it
 */
export function openDataFolder(
  path: string,
  clock: Clock,
  log: Log,
  computer = thisComputer(),
): DataFolder {
  try {
    // Close the folder to other users before anything in it is opened, also before the lock:
    // another user who can open the lock can hold it.
    takeFolder(path, { keeps: ownFiles, log });
  } catch (error) {
    throw new Error(`the data folder ${path} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const lock = lockDataFolder(path);
  const other = otherHolder(path, computer);
  try {
    // A profile that roams, a cloned disk, a folder that somebody copied: the other computer may
    // still have the same journal.
    if (other !== null && existsSync(join(path, 'journal.sqlite'))) noteCopied(path, other);
  } catch (error) {
    lock.close();
    throw new Error(
      `the data folder ${path} was used on ${other?.name} before, and that cannot be noted in it: ${messageOf(error)}`,
      { cause: error },
    );
  }
  try {
    noteHolder(path, clock.wallMs(), computer);
  } catch (error) {
    // A full disk must not keep the daemon from settling what has begun.
    log.warn(
      { path, detail: messageOf(error) },
      'the owner of the data folder could not be noted in it',
    );
  }
  try {
    finishRestore(path);
  } catch (error) {
    lock.close();
    throw error;
  }
  removeUnfinished(path);
  const pictures = join(path, picturesFolder);
  if (lstatSync(pictures, { throwIfNoEntry: false })?.isDirectory() === true)
    removeUnfinished(pictures);
  return {
    path,
    wasUsed: existsSync(join(path, 'journal.sqlite')),
    journal: join(path, 'journal.sqlite'),
    simulatedBooks: join(path, 'simulator.books'),
    managers: join(path, managerFiles.managers),
    tillTokens: join(path, 'till-tokens.json'),
    nexoRefusals: join(path, 'nexo-refusals.sqlite'),
    tillLanguages: join(path, 'till-languages.json'),
    terminalIds: join(path, 'terminal-ids.json'),
    firstManagerCode: join(path, 'first-manager-code.txt'),
    screensPort: screensPortIn(path),
    recreations: join(path, 'recreations.json'),
    madeStickers: join(path, 'made-stickers.json'),
    reconciliation: join(path, 'reconciliation.sqlite'),
    recordings: join(path, 'recordings'),
    recording: join(path, 'recording.json'),
    updates: join(path, 'updates'),
    restored: new RestoredFolder(path, log),
    close: () => lock.close(),
  };
}

/** @throws DataFolderInUseError */
function lockDataFolder(path: string): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(path);
  } catch (error) {
    throw error instanceof FolderInUseError ? new DataFolderInUseError(path, error) : error;
  }
}
