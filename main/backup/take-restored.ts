import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { syncFolder } from '../support/atomic-file.ts';
import { whileHeld } from '../support/held-file.ts';
import { finishRestore } from './restore.ts';
import { restoredMark } from './what-is-kept.ts';

/** Where a program that uses its data folder is restored to; the next start has it in the place of that folder. */
export const restoredBeside = (dataFolder: string): string => `${dataFolder}.restored`;

/**
 * What was restored beside an empty data folder takes its place, before anything is opened there. Killed in between, the next start does the rest; what
 * was not restored to its end is removed.
 */
export function takeRestored(dataFolder: string, log: Log): void {
  const restored = restoredBeside(dataFolder);
  const before = `${dataFolder}.empty`;
  if (existsSync(restored)) {
    const problem = problemOf(restored);
    if (problem !== null) {
      rmSync(restored, { recursive: true, force: true });
      log.warn({ detail: problem }, 'what was restored is not whole: it is removed, and nothing was restored');
    } else if (existsSync(join(dataFolder, 'settings.json'))) {
      log.error({ restored, dataFolder }, 'what was restored is not used: the counter has been set up meanwhile');
    } else {
      if (existsSync(dataFolder)) {
        rmSync(before, { recursive: true, force: true });
        whileHeld(() => renameSync(dataFolder, before));
      }
      whileHeld(() => renameSync(restored, dataFolder));
      syncFolder(dirname(dataFolder));
      log.info({ dataFolder }, 'the counter is restored');
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
