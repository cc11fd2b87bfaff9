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
  let hasReserve = statSync(path, { throwIfNoEntry: false })?.size === reserveBytes;
  return {
    keep() {
      if (hasReserve) return true;
      try {
        // Random bytes: a file system could compress anything else.
        writePrivately(path, randomFillSync(Buffer.allocUnsafe(reserveBytes)));
        hasReserve = true;
      } catch {
        rmSync(path, { force: true });
      }
      return hasReserve;
    },
    release() {
      if (!hasReserve) return false;
      rmSync(path, { force: true });
      hasReserve = false;
      return true;
    },
  };
}
