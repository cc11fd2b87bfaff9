/**
 * The format of backups that Tillbeacon 0.1.0 made. It is read, and no longer written. scrypt makes
 * the keys, AES-256-GCM seals chunks of 64 KiB. The nonce holds the number of the chunk and whether
 * it is the last, so that chunks which were exchanged, repeated or cut off show.
 *
 * Header: magic, version (1 byte), log2 of scrypt's cost (1), salt (16), the nonces' beginning (7),
 * the first 8 bytes of the SHA-256 of all that, HMAC-SHA256 of all that (32). The first sum tells
 * damage, the second a wrong passphrase.
 */
import { createDecipheriv, createHmac, hash, scryptSync, timingSafeEqual } from 'node:crypto';
import { readSync } from 'node:fs';
import { BackupError, damaged, wrongPassphrase } from './backup-error.ts';

const magic = Buffer.from('Tillbeacon backup\n');
const version = 1;
const sumBytes = 8;
const headBytes = magic.length + 1 + 1 + 16 + 7;
const headerBytes = headBytes + sumBytes + 32;
const tagBytes = 16;
const sealedBytes = 65_536 + tagBytes;
/** The file states its own cost, which may be hostile. The maximum takes 256 MB of memory. */
const costs = { min: 12, max: 18 };

/** @param start of the file */
export const isFirstFormat = (start: Uint8Array): boolean =>
  magic.equals(start.subarray(0, magic.length));

/**
 * @returns the content, in parts that are authenticated
 * @throws BackupError newer, damaged, wrong passphrase
 */
export function openFirstFormat(file: number, passphrase: string): Generator<Uint8Array> {
  const header = readUpTo(file, headerBytes);
  const head = header.subarray(0, headBytes);
  const written = header[magic.length] ?? 0;
  if (written > version)
    throw new BackupError(
      `the file was written by a newer Tillbeacon (version ${written} of its format, this one knows ${version})`,
      {
        problem: 'newer',
      },
    );
  const cost = header[magic.length + 1] ?? 0;
  const sum = Buffer.from(hash('sha256', head, 'buffer')).subarray(0, sumBytes);
  const isWhole =
    header.length === headerBytes &&
    written === version &&
    sum.equals(header.subarray(headBytes, headBytes + sumBytes));
  if (!isWhole || cost < costs.min || cost > costs.max)
    throw damaged('its beginning is not as it was written');
  const N = 2 ** cost;
  const keys = scryptSync(passphrase, head.subarray(magic.length + 2, magic.length + 18), 64, {
    N,
    r: 8,
    p: 1,
    maxmem: 256 * N * 8,
  });
  const proof = createHmac('sha256', keys.subarray(32)).update(head).digest();
  if (!timingSafeEqual(proof, header.subarray(headBytes + sumBytes))) throw wrongPassphrase();
  return openChunks(file, {
    key: keys.subarray(0, 32),
    noncePrefix: header.subarray(headBytes - 7, headBytes),
  });
}

interface Opening {
  readonly key: Uint8Array;
  readonly noncePrefix: Uint8Array;
}

function* openChunks(file: number, opening: Opening): Generator<Uint8Array> {
  let ahead: Buffer = Buffer.alloc(0);
  for (let number = 0, isLast = false; !isLast; number += 1) {
    // One byte more than a chunk tells that it is not the last.
    ahead = Buffer.concat([ahead, readUpTo(file, sealedBytes + 1 - ahead.length)]);
    isLast = ahead.length <= sealedBytes;
    yield openChunk(ahead.subarray(0, sealedBytes), { ...opening, number, isLast });
    ahead = ahead.subarray(sealedBytes);
  }
}

function openChunk(
  sealed: Buffer,
  {
    key,
    noncePrefix,
    number,
    isLast,
  }: Opening & { readonly number: number; readonly isLast: boolean },
): Uint8Array {
  if (sealed.length < tagBytes) throw damaged('it ends too early');
  const nonce = Buffer.alloc(12);
  nonce.set(noncePrefix);
  nonce.writeUInt32BE(number, 7);
  nonce[11] = isLast ? 1 : 0;
  const decipher = createDecipheriv('aes-256-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  const plain = decipher.update(sealed.subarray(0, -tagBytes));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch (error) {
    throw damaged(
      isLast
        ? 'it was changed, or its end is missing'
        : `it was changed behind byte ${number * sealedBytes}`,
      error,
    );
  }
}

function readUpTo(file: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  let filled = 0;
  for (let read = -1; read !== 0 && filled < count; filled += read)
    read = readSync(file, bytes, filled, count - filled, null);
  return bytes.subarray(0, filled);
}
