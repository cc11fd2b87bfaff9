import { closeSync, fstatSync, openSync } from 'node:fs';
import { messageOf } from '../../core/domain/errors.ts';
import { BackupError, damaged } from './backup-error.ts';
import { type Manifest, mostManifestBytes, readManifest } from './manifest.ts';
import { SealedReader } from './sealed-file.ts';

/** Takes one file. `close` is called whether it was complete (`end`) or not. */
interface Taker {
  take(part: Uint8Array): void;
  end(): void;
  close(): void;
}

interface OpenedBackup {
  readonly manifest: Manifest;
  /**
   * Each file in turn, in parts; complete when it returns. @throws BackupError when the backup is
   * damaged
   */
  readFiles(taker: (path: string) => Taker): void;
  close(): void;
}

const partBytes = 65_536;

/** @throws BackupError */
export function openBackup(file: string, passphrase: string, version: string): OpenedBackup {
  const opened = opening(file);
  try {
    const sealed = new SealedReader(opened, passphrase);
    const length = sealed.read(4).readUInt32BE();
    if (length > mostManifestBytes) throw damaged('its list is too long');
    const manifest = readManifest(inParts(sealed, length).toString(), version);
    const size = manifest.files.reduce((sum, { bytes }) => sum + bytes, length);
    // Nothing is compressed: what it lists cannot be more than what it is.
    if (size > fstatSync(opened).size) throw damaged('its end is missing');
    return {
      manifest,
      readFiles(taker) {
        for (const { path, bytes } of manifest.files) {
          const taking = taker(path);
          try {
            for (let left = bytes; left > 0; left -= Math.min(left, partBytes))
              taking.take(sealed.read(Math.min(left, partBytes)));
            taking.end();
          } finally {
            taking.close();
          }
        }
        sealed.end();
      },
      close: () => closeSync(opened),
    };
  } catch (error) {
    closeSync(opened);
    throw error;
  }
}

function opening(file: string): number {
  let opened: number | null = null;
  try {
    opened = openSync(file, 'r');
    if (fstatSync(opened).isFile()) return opened;
  } catch (error) {
    throw new BackupError(`${file}: cannot be read: ${messageOf(error)}`);
  }
  closeSync(opened);
  throw new BackupError(`${file}: is not a file`);
}

function inParts(sealed: SealedReader, length: number): Buffer {
  const parts: Buffer[] = [];
  for (let left = length; left > 0; left -= Math.min(left, partBytes))
    parts.push(sealed.read(Math.min(left, partBytes)));
  return Buffer.concat(parts);
}

/** Reads a whole backup and keeps nothing. @throws BackupError */
export function verifyBackup(file: string, passphrase: string, version: string): Manifest {
  const backup = openBackup(file, passphrase, version);
  try {
    backup.readFiles(() => ({ take() {}, end() {}, close() {} }));
    return backup.manifest;
  } finally {
    backup.close();
  }
}
