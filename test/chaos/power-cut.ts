import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { Dice } from './dice.ts';

/**
 * A killed process loses no byte that it has written; a power cut may. What the journal has made
 * safe (fsync) is behind it for good, so only what is later is torn here: the frames of the
 * write-ahead log that its index does not know yet, for SQLite brings the index forward when the
 * log is safe, and tells nobody of a write before that (SQLite's "WAL File Format", sections 1 and
 * 2). To be called while nobody has the journal open.
 */

const walHeaderBytes = 32;
const frameHeaderBytes = 24;

export interface Lost {
  readonly frames: number;
  /** The lost data, in words. */
  readonly what: string;
}

const nothing = (why: string): Lost => ({ frames: 0, what: why });

export function cutPower(journal: string, dice: Dice): Lost {
  const log = `${journal}-wal`;
  const index = `${journal}-shm`;
  if (!existsSync(log) || !existsSync(index)) return nothing('there was nothing to lose');
  const file = openSync(log, 'r+');
  try {
    const { size } = fstatSync(file);
    const torn = tear(file, size, safeFrames(index, read(file, 0, walHeaderBytes)), dice);
    // The index is never synced: after a power cut it may be outdated or empty.
    const keepsIndex = dice.chance(0.5);
    if (!keepsIndex) rmSync(index);
    return {
      ...torn,
      what: `${torn.what}; the index of the log is ${keepsIndex ? 'as it was' : 'gone'}`,
    };
  } finally {
    closeSync(file);
  }
}

/**
 * null when the index belongs to another log, and the frames of this one are in the database
 * already.
 */
function safeFrames(index: string, walHeader: Buffer): number | null {
  const file = openSync(index, 'r');
  try {
    const header = read(file, 0, 48);
    const isOfThisLog =
      header.length === 48 &&
      header.equals(read(file, 48, 48)) &&
      header.subarray(32, 40).equals(walHeader.subarray(16, 24));
    return isOfThisLog ? header.readUInt32LE(16) : null;
  } finally {
    closeSync(file);
  }
}

function tear(file: number, size: number, safe: number | null, dice: Dice): Lost {
  if (safe === null || size < walHeaderBytes) return nothing('everything was safe');
  const header = read(file, 0, walHeaderBytes);
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
  const frameAt = (number: number): number => walHeaderBytes + number * frameBytes;
  const frames = Math.floor((size - walHeaderBytes) / frameBytes);
  const unsafe = Array.from(
    { length: Math.max(0, frames - safe) },
    (_, number) => safe + number,
  ).filter((number) =>
    // Frames with an older salt are left over from before the log was restarted.
    read(file, frameAt(number) + 8, 8).equals(header.subarray(16, 24)),
  );
  if (unsafe.length === 0) return nothing('everything was safe');
  const lost = unsafe.filter(() => dice.chance(0.5));
  for (const number of lost)
    writeSync(file, Buffer.alloc(frameBytes), 0, frameBytes, frameAt(number));
  const isCutOff = frameAt((unsafe.at(-1) as number) + 1) >= size && dice.chance(0.3);
  if (isCutOff) ftruncateSync(file, frameAt(dice.pick(unsafe)) + dice.between(0, frameBytes - 1));
  const what = `of ${frames} frames ${safe} were safe; of ${unsafe.length} others ${lost.length} are gone${isCutOff ? ', and the end of the file' : ''}`;
  return { frames: lost.length, what };
}

function read(file: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, at));
}
