import { statfsSync, type StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Cancel, Clock } from '../core/domain/clock.ts';
import { messageOf } from '../core/domain/errors.ts';
import type { Log } from '../core/domain/log.ts';

const lowBytes = 1024 ** 3;
/** Below this, the next payments use up the journal's reserve. */
const fullBytes = 32 * 1024 ** 2;

export interface FreeSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** What a user who is not root may take counts as free. */
const spaceIn = ({ bavail, blocks, bsize }: StatsFs): FreeSpace => ({
  freeBytes: bavail * bsize,
  totalBytes: blocks * bsize,
});

/** null when it cannot be determined. */
export async function freeSpace(folder: string): Promise<FreeSpace | null> {
  try {
    return spaceIn(await statfs(folder));
  } catch {
    return null;
  }
}

/** @throws when it cannot be determined */
export const freeBytes = async (folder: string): Promise<number> =>
  spaceIn(await statfs(folder)).freeBytes;

/** @throws when it cannot be determined */
export const freeBytesNow = (folder: string): number => spaceIn(statfsSync(folder)).freeBytes;

/** What backups and updates leave for payments. */
const leftFree = 256 * 1024 ** 2;

export class NoRoomError extends Error {}

/**
 * @param bytes that are to be written @throws NoRoomError in plain words where they would not leave
 * enough for payments
 */
export function requireRoom(folder: string, bytes: number): void {
  const neededMb = Math.ceil((bytes + leftFree) / 1024 ** 2);
  const free = Math.floor(freeBytesNow(folder) / 1024 ** 2);
  if (free < neededMb)
    throw new NoRoomError(
      `${folder}: not enough disk space: ${free} MB free, ${neededMb} MB needed temporarily`,
    );
}

export type DiskState = 'enough' | 'low' | 'full' | 'unknown';

export function diskStateOf(free: FreeSpace | null): DiskState {
  if (free === null) return 'unknown';
  return free.freeBytes < fullBytes ? 'full' : free.freeBytes < lowBytes ? 'low' : 'enough';
}

interface DiskWatchOptions {
  /** The journal's folder. */
  readonly folder: string;
  readonly changed: () => void;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces {@link freeSpace} in tests. */
  readonly look?: (folder: string) => Promise<FreeSpace | null>;
}

const lookedAtEveryMs = 60_000;

/** Looks at the disk of the data folder once a minute, so that it is told before it is full. */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #state: DiskState = 'unknown';
  #cancel: Cancel = () => {};
  #isClosed = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** Looks now, and repeatedly until it is closed. */
  start(): void {
    void this.#look().catch((error: unknown) =>
      this.#options.log.error({ detail: messageOf(error) }, 'free disk space could not be read'),
    );
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #look(): Promise<void> {
    const { folder, changed, clock, log, look = freeSpace } = this.#options;
    const free = await look(folder);
    if (this.#isClosed) return;
    this.#cancel = clock.after(lookedAtEveryMs, () => this.start());
    const state = diskStateOf(free);
    if (state === this.#state) return;
    if (state === 'low' || state === 'full')
      log.warn(
        { freeBytes: free?.freeBytes },
        `the disk of the journal is ${state === 'full' ? 'full' : 'filling up'}`,
      );
    this.#state = state;
    changed();
  }
}
