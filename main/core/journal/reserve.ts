import { randomFillSync } from 'node:crypto';
import { rmSync, statSync } from 'node:fs';
import { writePrivately } from '../../support/private-file.ts';

/**
 * Disk space that is released when the disk is full, so that open payments can be finished: room
 * for about 140 events with their indexes.
 */
const reserveBytes = 4 * 1024 * 1024;

/** Kept before a sale begins, and released on a full disk for the sales that have begun. */
export interface Reserve {
  /** Creates the reserve if it is missing. @returns false when the disk has no space for it */
  keep(): boolean;
  /** @returns false when the reserve was missing */
  release(): boolean;
}

export function fileReserve(path: string): Reserve {
  let kept = statSync(path, { throwIfNoEntry: false })?.size === reserveBytes;
  return {
    keep() {
      if (kept) return true;
      try {
        // Random bytes: a file system could compress anything else.
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
