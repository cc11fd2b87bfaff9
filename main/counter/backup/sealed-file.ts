/**
 * A file that only a passphrase opens: scrypt makes the keys, AES-256-GCM seals it in chunks of 64
 * KiB. The number of a chunk and whether it is the last are part of its nonce, so that chunks which
 * were exchanged, repeated or cut off show. Each file has keys of its own.
 *
 * Header: magic, version (1 byte), log2 of scrypt's cost (1), salt (16), the nonces' beginning (7),
 * the first 8 bytes of the SHA-256 of all that, HMAC-SHA256 of all that (32). The first sum tells
 * damage, the second a wrong passphrase.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  randomBytes,
  scryptSync,
  timingSafeEqual,
} from 'node:crypto';
import { fdatasyncSync, readSync, writeSync } from 'node:fs';
import { BackupError, damaged } from './backup-error.ts';

const magic = Buffer.from('Tillbeacon backup\n');
const newestVersion = 1;
const sumBytes = 8;
const headBytes = magic.length + 1 + 1 + 16 + 7;
const headerBytes = headBytes + sumBytes + 32;
const chunkBytes = 65_536;
const tagBytes = 16;
/**
 * After so many bytes the file is synced: otherwise a commit of the journal would have to wait for
 * all that the disk has not written yet.
 */
const chunksAhead = 64;
/**
 * About half a second and 128 MB for each guess. More is not read, because whoever made the file
 * chose it.
 */
const usualCost = 17;
const costs = { least: 12, most: 18 };

interface Keys {
  readonly chunks: Buffer;
  readonly header: Buffer;
}

function keysOf(passphrase: string, salt: Uint8Array, cost: number): Keys {
  const N = 2 ** cost;
  // Two keyboards may compose the same letter differently.
  const key = scryptSync(passphrase.normalize('NFC'), salt, 64, {
    N,
    r: 8,
    p: 1,
    maxmem: 256 * N * 8,
  });
  return { chunks: key.subarray(0, 32), header: key.subarray(32) };
}

const sumOf = (head: Uint8Array): Buffer =>
  Buffer.from(hash('sha256', head, 'buffer')).subarray(0, sumBytes);
const proofOf = (head: Uint8Array, { header }: Keys): Buffer =>
  createHmac('sha256', header).update(head).digest();

function nonceOf(header: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  header.copy(nonce, 0, headBytes - 7, headBytes);
  nonce.writeUInt32BE(number, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

export class SealedWriter {
  readonly #file: number;
  readonly #keys: Keys;
  readonly #header: Buffer;
  readonly #waiting = Buffer.alloc(chunkBytes);
  #filled = 0;
  #number = 0;

  /** @param file open for writing, and empty */
  constructor(file: number, passphrase: string, cost = usualCost) {
    const salt = randomBytes(16);
    const head = Buffer.concat([magic, Buffer.from([newestVersion, cost]), salt, randomBytes(7)]);
    this.#file = file;
    this.#keys = keysOf(passphrase, salt, cost);
    this.#header = Buffer.concat([head, sumOf(head), proofOf(head, this.#keys)]);
    writeAll(file, this.#header);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      // The last chunk is known as such when it is written, so a full one waits for what follows.
      if (this.#filled === chunkBytes) this.#seal(false);
      const part = bytes.subarray(at, at + chunkBytes - this.#filled);
      this.#waiting.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
    }
  }

  end(): void {
    this.#seal(true);
  }

  #seal(isLast: boolean): void {
    const cipher = createCipheriv(
      'aes-256-gcm',
      this.#keys.chunks,
      nonceOf(this.#header, this.#number, isLast),
    );
    writeAll(
      this.#file,
      Buffer.concat([
        cipher.update(this.#waiting.subarray(0, this.#filled)),
        cipher.final(),
        cipher.getAuthTag(),
      ]),
    );
    this.#number += 1;
    this.#filled = 0;
    if (this.#number % chunksAhead === 0) fdatasyncSync(this.#file);
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}

/** Gives out nothing that was not authenticated. */
export class SealedReader {
  readonly #file: number;
  readonly #keys: Keys;
  readonly #header: Buffer;
  /**
   * Read from the file, not opened yet. One byte more than a chunk tells that it is not the last.
   */
  #ahead: Buffer = Buffer.alloc(0);
  #opened: Buffer = Buffer.alloc(0);
  #number = 0;
  #ended = false;

  /**
   * @param file open for reading. @throws BackupError not a backup, newer, damaged, wrong
   * passphrase
   */
  constructor(file: number, passphrase: string) {
    this.#file = file;
    this.#header = readUpTo(file, headerBytes);
    const head = this.#header.subarray(0, headBytes);
    if (!magic.equals(this.#header.subarray(0, magic.length)))
      throw new BackupError('the file is not a backup of Tillbeacon', { problem: 'notABackup' });
    const version = this.#header[magic.length] ?? 0;
    if (version > newestVersion)
      throw new BackupError(
        `the file was written by a newer Tillbeacon (version ${version} of its format, this one knows ${newestVersion})`,
        {
          problem: 'newer',
        },
      );
    const cost = this.#header[magic.length + 1] ?? 0;
    const isWhole =
      this.#header.length === headerBytes &&
      version === newestVersion &&
      sumOf(head).equals(this.#header.subarray(headBytes, headBytes + sumBytes));
    if (!isWhole || cost < costs.least || cost > costs.most)
      throw damaged('its beginning is not as it was written');
    this.#keys = keysOf(passphrase, head.subarray(magic.length + 2, magic.length + 18), cost);
    if (!timingSafeEqual(proofOf(head, this.#keys), this.#header.subarray(headBytes + sumBytes)))
      throw new BackupError('the passphrase is not the one with which the file was made', {
        problem: 'wrongPassphrase',
      });
  }

  /**
   * Exactly so many bytes, at most a chunk. @throws BackupError when the file is damaged or ends
   * before
   */
  read(count: number): Buffer {
    while (this.#opened.length < count) {
      if (this.#ended) throw damaged('it ends too early');
      this.#opened = Buffer.concat([this.#opened, this.#next()]);
    }
    const bytes = this.#opened.subarray(0, count);
    this.#opened = this.#opened.subarray(count);
    return bytes;
  }

  /** @throws BackupError when something follows */
  end(): void {
    if (!this.#ended) this.#opened = Buffer.concat([this.#opened, this.#next()]);
    if (!this.#ended || this.#opened.length > 0) throw damaged('more follows than it lists');
  }

  #next(): Buffer {
    const sealedBytes = chunkBytes + tagBytes;
    this.#ahead = Buffer.concat([
      this.#ahead,
      readUpTo(this.#file, sealedBytes + 1 - this.#ahead.length),
    ]);
    const isLast = this.#ahead.length <= sealedBytes;
    const sealed = this.#ahead.subarray(0, sealedBytes);
    this.#ahead = this.#ahead.subarray(sealed.length);
    this.#ended = isLast;
    return this.#open(sealed, isLast);
  }

  #open(sealed: Buffer, isLast: boolean): Buffer {
    if (sealed.length < tagBytes) throw damaged('it ends too early');
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.#keys.chunks,
      nonceOf(this.#header, this.#number, isLast),
    );
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    this.#number += 1;
    const plain = decipher.update(sealed.subarray(0, -tagBytes));
    try {
      return Buffer.concat([plain, decipher.final()]);
    } catch (error) {
      const damage = damaged(
        isLast
          ? 'it was changed, or its end is missing'
          : `it was changed behind byte ${(this.#number - 1) * (chunkBytes + tagBytes)}`,
      );
      damage.cause = error;
      throw damage;
    }
  }
}

function readUpTo(file: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < count; filled += read)
    read = readSync(file, bytes, filled, count - filled, null);
  return bytes.subarray(0, filled);
}
