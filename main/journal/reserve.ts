import { randomFillSync } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { writePrivately } from '../support/private-file.ts';

/** Room on the disk that is given up when it is full, so that what has begun can be finished: some 140 events with their share of the indexes. */
const reserveBytes = 4 * 1024 * 1024;

/** Before a sale begins there is a reserve; when the disk is full, it is given up for the sales that have begun. */
export interface Reserve {
  /** Made, if there is none. @returns false: there is no room for it */
  keep(): boolean;
  /** @returns false: there was none */
  release(): boolean;
}

export function fileReserve(path: string): Reserve {
  let kept = statSync(path, { throwIfNoEntry: false })?.size === reserveBytes;
  return {
    keep() {
      if (kept) return true;
      try {
        // Nothing that a file system could keep in less room.
        writePrivately(path, randomFillSync(Buffer.allocUnsafe(reserveBytes)));
        kept = true;
      } catch {
        rmSync(path, { force: true });
      }
      return kept;
    },
    release() {
      if (!kept) return false;
      rmSync(path, { force: true });
      kept = false;
      return true;
    },
  };
}
