/**
 * Reads records out of a damaged SQLite file without SQLite: every leaf page of a table is read on
 * its own, so that a broken header, a broken tree or a truncated end only costs the pages that are
 * affected. The file format is SQLite's published one (sections "B-tree Pages", "Record Format" and
 * "WAL Frame Format"); frames of the write-ahead log replace the pages that they carry.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { bytesOf } from './files.ts';

export type RecordValue = number | string | null;
export interface PageRecord {
  readonly rowId: number;
  readonly values: readonly RecordValue[];
}

/** SQLite's default; the page size in the file's header may be damaged. */
const defaultPageBytes = 4096;
const fileHeaderBytes = 100;
const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const tableLeaf = 0x0d;
const maxRecordBytes = 1_000_000;

/**
 * After a power cut any part of the interrupted write may be on disk, in any order, and a shorter
 * later write leaves its end behind. Only a second commit proves that the frames before it were
 * complete once.
 */
const maxTornCommits = 1;

/** The contents of a write-ahead log. */
export interface WalContents {
  readonly pageBytes: number;
  /** The offset of the newest committed version of each page. */
  readonly pages: ReadonlyMap<number, number>;
  /** Frames behind a broken one: SQLite ignores them, but their records were written once. */
  readonly behindDamage: readonly number[];
  /** The problem in words, or null. */
  readonly problem: string | null;
  /** Whether the last commit is among the frames. */
  readonly endIsThere: boolean;
}

/** All readable records of all tables; the caller recognises its own by their columns. */
export function* recordsIn(path: string): Generator<PageRecord> {
  const wal = readWal(path);
  const file = openIfThere(path);
  const log = openIfThere(`${path}-wal`);
  try {
    const fileBytes = file === null ? 0 : fstatSync(file).size;
    const { pageBytes } = wal;
    const pageCount = Math.max(Math.ceil(fileBytes / pageBytes), ...wal.pages.keys());
    const page = (number: number): Buffer => {
      const inLog = wal.pages.get(number);
      if (inLog !== undefined && log !== null) return read(log, inLog, pageBytes);
      return file === null ? Buffer.alloc(0) : read(file, (number - 1) * pageBytes, pageBytes);
    };
    for (let number = 1; number <= pageCount; number += 1)
      yield* recordsOf(page(number), number === 1 ? fileHeaderBytes : 0, page);
    if (log !== null)
      for (const at of wal.behindDamage) yield* recordsOf(read(log, at, wal.pageBytes), 0, page);
  } finally {
    if (file !== null) closeSync(file);
    if (log !== null) closeSync(log);
  }
}

/** Whether the log has no frame at all, so that something written is missing from it. */
export const isWithoutFrames = (walPath: string): boolean => bytesOf(walPath) <= walHeaderBytes;

export function readWal(path: string): WalContents {
  const nothing = {
    pageBytes: defaultPageBytes,
    pages: new Map<number, number>(),
    behindDamage: [],
    endIsThere: true,
  };
  const log = openIfThere(`${path}-wal`);
  if (log === null) return { ...nothing, problem: null };
  try {
    const { size } = fstatSync(log);
    if (size <= walHeaderBytes) return { ...nothing, problem: null };
    const header = read(log, 0, walHeaderBytes);
    const pageBytes = header.readUInt32BE(8);
    const isKnownHeader =
      (header.readUInt32BE(0) & 0xff_ff_ff_fe) >>> 0 === 0x37_7f_06_82 &&
      pageBytes >= 512 &&
      pageBytes <= 65_536;
    const littleEndian = (header.readUInt32BE(0) & 1) === 0;
    let sum = checksum(header.subarray(0, 24), [0, 0], littleEndian);
    const headerWhole =
      isKnownHeader && sum[0] === header.readUInt32BE(24) && sum[1] === header.readUInt32BE(28);
    const bytesOfPage = isKnownHeader ? pageBytes : defaultPageBytes;
    const pages = new Map<number, number>();
    const uncommitted = new Map<number, number>();
    const behindDamage: number[] = [];
    let broken = !headerWhole;
    let commitsBehindDamage = 0;
    let frames = 0;
    let committedFrames = 0;
    let ofThisLog = 0;
    let endsWithCommit = true;
    const salt = headerWhole ? header.subarray(16, 24) : null;
    for (
      let at = walHeaderBytes;
      at + frameHeaderBytes + bytesOfPage <= size;
      at += frameHeaderBytes + bytesOfPage
    ) {
      const frame = read(log, at, frameHeaderBytes + bytesOfPage);
      const number = frame.readUInt32BE(0);
      const commits = frame.readUInt32BE(4) !== 0;
      // From before the log was restarted: these frames are in the database already.
      const ofThisRound = salt === null || frame.subarray(8, 16).equals(salt);
      if (ofThisRound) {
        ofThisLog += 1;
        endsWithCommit = commits;
      }
      if (!broken && ofThisRound) {
        sum = checksum(
          frame.subarray(frameHeaderBytes),
          checksum(frame.subarray(0, 8), sum, littleEndian),
          littleEndian,
        );
        if (sum[0] === frame.readUInt32BE(16) && sum[1] === frame.readUInt32BE(20)) {
          uncommitted.set(number, at + frameHeaderBytes);
          frames += 1;
          if (commits) {
            committedFrames = frames;
            for (const [page, where] of uncommitted) pages.set(page, where);
            uncommitted.clear();
          }
          continue;
        }
      }
      broken = true;
      if (!ofThisRound) continue;
      behindDamage.push(at + frameHeaderBytes);
      if (commits) commitsBehindDamage += 1;
    }
    const framesToldOf = framesByIndex(`${path}-shm`, header);
    const problem = !headerWhole
      ? 'the beginning of its write-ahead log cannot be read'
      : commitsBehindDamage > maxTornCommits
        ? 'its write-ahead log is damaged in the middle'
        : committedFrames < framesToldOf
          ? 'the end of its write-ahead log is gone'
          : null;
    return {
      pageBytes: bytesOfPage,
      pages,
      behindDamage,
      problem,
      endIsThere: problem === null || (headerWhole && endsWithCommit && ofThisLog >= framesToldOf),
    };
  } finally {
    closeSync(log);
  }
}

/**
 * How many frames the log's index says there are (`WalIndexHdr` of SQLite): it is updated after the
 * log is on disk, so it may be behind but never ahead. 0 when it belongs to another log or does not
 * exist.
 */
function framesByIndex(path: string, walHeader: Buffer): number {
  const index = openIfThere(path);
  if (index === null) return 0;
  try {
    const header = read(index, 0, 48);
    const copy = read(index, 48, 48);
    const whole =
      header.length === 48 &&
      header.equals(copy) &&
      header.subarray(32, 40).equals(walHeader.subarray(16, 24));
    return whole ? header.readUInt32LE(16) : 0;
  } finally {
    closeSync(index);
  }
}

function* recordsOf(
  page: Buffer,
  from: number,
  pageNumbered: (number: number) => Buffer,
): Generator<PageRecord> {
  if (page.length < from + 8 || page[from] !== tableLeaf) return;
  const cells = page.readUInt16BE(from + 3);
  for (let cell = 0; cell < cells && from + 8 + cell * 2 + 2 <= page.length; cell += 1) {
    const record = recordAt(page, page.readUInt16BE(from + 8 + cell * 2), pageNumbered);
    if (record !== null) yield record;
  }
}

/** @returns null when there is no record at this place */
function recordAt(
  page: Buffer,
  at: number,
  pageNumbered: (number: number) => Buffer,
): PageRecord | null {
  try {
    const [payloadBytes, afterPayload] = varint(page, at);
    const [rowId, begin] = varint(page, afterPayload);
    if (payloadBytes > maxRecordBytes) return null;
    const payload = payloadAt(page, begin, payloadBytes, pageNumbered);
    const [headerBytes, afterLength] = varint(payload, 0);
    const values: RecordValue[] = [];
    let value = headerBytes;
    for (let position = afterLength; position < headerBytes; ) {
      const [type, next] = varint(payload, position);
      const [read, bytes] = valueAt(payload, value, type);
      values.push(read);
      value += bytes;
      position = next;
    }
    return value === payloadBytes ? { rowId, values } : null;
  } catch {
    return null;
  }
}

/** A record that does not fit into a page continues in a chain of overflow pages. */
function payloadAt(
  page: Buffer,
  begin: number,
  bytes: number,
  pageNumbered: (number: number) => Buffer,
): Buffer {
  const usable = page.length;
  if (bytes <= usable - 35) return slice(page, begin, bytes);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((bytes - least) % (usable - 4));
  const local = fitting <= usable - 35 ? fitting : least;
  const parts = [slice(page, begin, local)];
  let next = page.readUInt32BE(begin + local);
  for (let left = bytes - local; left > 0; ) {
    const more = pageNumbered(next);
    const part = slice(more, 4, Math.min(left, usable - 4));
    parts.push(part);
    left -= part.length;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function valueAt(payload: Buffer, at: number, type: number): [RecordValue, number] {
  if (type === 0) return [null, 0];
  if (type <= 4 || type === 5 || type === 6) {
    const bytes = type <= 4 ? type : type === 5 ? 6 : 8;
    return [bytes === 8 ? Number(payload.readBigInt64BE(at)) : payload.readIntBE(at, bytes), bytes];
  }
  if (type === 8 || type === 9) return [type - 8, 0];
  if (type < 13 || type % 2 === 0)
    throw new RangeError('a kind of value that this journal does not hold');
  const bytes = (type - 13) / 2;
  return [slice(payload, at, bytes).toString('utf8'), bytes];
}

function varint(buffer: Buffer, at: number): [value: number, next: number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = buffer.readUInt8(at + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + index + 1];
  }
  throw new RangeError('a number that is too large to be meant');
}

function slice(buffer: Buffer, at: number, bytes: number): Buffer {
  if (at < 0 || at + bytes > buffer.length) throw new RangeError('behind the end');
  return buffer.subarray(at, at + bytes);
}

/** SQLite's checksum: two running sums over pairs of words. */
function checksum(
  bytes: Buffer,
  from: readonly [number, number],
  littleEndian: boolean,
): [number, number] {
  let [first, second] = from;
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first =
      (first + (littleEndian ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)) + second) >>> 0;
    second =
      (second +
        (littleEndian ? bytes.readUInt32LE(at + 4) : bytes.readUInt32BE(at + 4)) +
        first) >>>
      0;
  }
  return [first, second];
}

function openIfThere(path: string): number | null {
  return existsSync(path) ? openSync(path, 'r') : null;
}

/** The result is shorter at the end of the file. */
function read(file: number, at: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file, buffer, 0, bytes, at));
}
