import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { syncFolder } from '../../support/atomic-file.ts';
import { whileHeld } from '../../support/held-file.ts';
import { completeRestore, restoredMark, unfinishedRestore } from './backup-contents.ts';

/** Moves what a complete restore has left. @throws Error one did not come so far, in plain words */
export function finishRestore(folder: string): void {
  const from = join(folder, completeRestore);
  if (existsSync(from)) {
    for (const name of readdirSync(from)) renameSync(join(from, name), join(folder, name));
    syncFolder(folder);
    rmdirSync(from);
  }
  if (existsSync(join(folder, unfinishedRestore)))
    throw new Error(
      `a restore into ${folder} was interrupted: restore it again (npm run backup -- restore), or remove ${join(folder, unfinishedRestore)}`,
    );
}

/**
 * The folder that a running program restores into. The next start puts it in the place of the data
 * folder.
 */
export const restoredBeside = (dataFolder: string): string => `${dataFolder}.restored`;

/**
 * Puts what was restored beside an empty data folder in its place, before anything is opened there.
 * After a kill in between the next start does the rest. An incomplete restore is removed.
 */
export function takeRestored(dataFolder: string, log: Log): void {
  const restored = restoredBeside(dataFolder);
  const before = `${dataFolder}.empty`;
  if (existsSync(restored)) {
    const problem = problemOf(restored);
    if (problem !== null) {
      rmSync(restored, { recursive: true, force: true });
      log.warn(
        { detail: problem },
        'the restored files are incomplete: removing them, nothing was restored',
      );
    } else if (existsSync(join(dataFolder, 'settings.json'))) {
      log.error(
        { restored, dataFolder },
        'the restored files are not used: the counter was set up meanwhile',
      );
    } else {
      if (existsSync(dataFolder)) {
        rmSync(before, { recursive: true, force: true });
        whileHeld(() => renameSync(dataFolder, before));
      }
      whileHeld(() => renameSync(restored, dataFolder));
      syncFolder(dirname(dataFolder));
      log.info({ dataFolder }, 'the counter was restored');
    }
  }
  rmSync(before, { recursive: true, force: true });
}

function problemOf(restored: string): string | null {
  try {
    finishRestore(restored);
  } catch (error) {
    return messageOf(error);
  }
  return existsSync(join(restored, restoredMark)) ? null : 'it has no note of its restore';
}
