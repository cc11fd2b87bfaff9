import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { syncFolder, writeFileAtomically } from '../../support/atomic-file.ts';
import { restoredMark } from './backup-contents.ts';

/** The note in a data folder that was restored, or copied from another computer. */
export const Restored = z.object({
  /** When the backup was made. */
  madeAtMs: z.number(),
  /** On which computer. */
  from: z.string(),
  /** Payments and refunds that were not settled then. */
  unsettled: z.int().nonnegative(),
  /**
   * The folder itself was copied from that computer, without a backup. `madeAtMs` is when it was
   * last started there.
   */
  isCopy: z.literal(true).optional(),
});
export type Restored = z.infer<typeof Restored>;

/**
 * Notes that the folder was used on another computer before. A note that is there already stays.
 * @throws when it cannot be written
 */
export function noteCopied(
  folder: string,
  { name, sinceMs }: { readonly name: string; readonly sinceMs: number },
): void {
  const path = join(folder, restoredMark);
  if (existsSync(path)) return;
  const mark: Restored = { madeAtMs: sinceMs, from: name, unsettled: 0, isCopy: true };
  writeFileAtomically(path, `${JSON.stringify(mark)}\n`);
}

/**
 * A restored data folder waits until a manager has confirmed that the computer it came from takes
 * no payments any more. Until then no lane is opened: two computers with the same journal would
 * cancel each other's payments, and each would decide what is still undecided.
 */
export class RestoredFolder {
  readonly #folder: string;
  readonly #path: string;
  #waiting: Restored | null;

  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#path = join(folder, restoredMark);
    this.#waiting = read(this.#path, log);
    if (this.#waiting !== null)
      log.warn(
        { ...this.#waiting },
        'this data folder comes from another computer: no lane is opened until a manager has confirmed on the manager’s screen that the old computer takes no payments',
      );
  }

  /** null when nothing was restored, or it is confirmed. */
  get waiting(): Restored | null {
    return this.#waiting;
  }

  /** On disk when it returns. @throws when it cannot be written */
  confirm(): void {
    rmSync(this.#path, { force: true });
    syncFolder(this.#folder);
    this.#waiting = null;
  }
}

function read(path: string, log: Log): Restored | null {
  try {
    return Restored.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    log.warn(
      { path, detail: messageOf(error) },
      'the note of the restore could not be read: a manager has to confirm the restore',
    );
    return {
      madeAtMs: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0,
      from: '?',
      unsettled: 0,
    };
  }
}
