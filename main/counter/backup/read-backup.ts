import { closeSync, fstatSync, openSync } from 'node:fs';
import { messageOf } from '../../core/domain/errors.ts';
import { BackupError, damaged } from './backup-error.ts';
import { type Manifest, maxManifestBytes, readManifest } from './manifest.ts';
import { SealedReader } from './sealed-file.ts';

/** Takes one file. `close` is called whether it was complete (`end`) or not. */
interface Taker {
  take(part: Uint8Array): void;
  end(): void;
  close(): void;
}

export interface OpenedBackup {
  readonly manifest: Manifest;
  /**
   * Each file in turn, in parts; complete when it resolves.
   * @throws BackupError when the backup is damaged
   */
  readFiles(taker: (path: string) => Taker): Promise<void>;
  close(): void;
}

const partBytes = 65_536;

/** @throws BackupError */
export async function openBackup(
  file: string,
  passphrase: string,
  version: string,
): Promise<OpenedBackup> {
  const opened = opening(file);
  try {
    const sealed = await SealedReader.open(opened, passphrase);
    const length = (await sealed.read(4)).readUInt32BE();
    if (length > maxManifestBytes) throw damaged('its list is too long');
    const manifest = readManifest((await inParts(sealed, length)).toString(), version);
    const size = manifest.files.reduce((sum, { bytes }) => sum + bytes, length);
    // Nothing is compressed: what it lists cannot be more than what it is.
    if (size > fstatSync(opened).size) throw damaged('its end is missing');
    return {
      manifest,
      async readFiles(taker) {
        for (const { path, bytes } of manifest.files) {
          const taking = taker(path);
          try {
            for (let left = bytes; left > 0; left -= Math.min(left, partBytes))
              taking.take(await sealed.read(Math.min(left, partBytes)));
            taking.end();
          } finally {
            taking.close();
          }
        }
        await sealed.end();
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

async function inParts(sealed: SealedReader, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = length; left > 0; left -= Math.min(left, partBytes))
    parts.push(await sealed.read(Math.min(left, partBytes)));
  return Buffer.concat(parts);
}

/** Reads a whole backup and keeps nothing. @throws BackupError */
export async function verifyBackup(
  file: string,
  passphrase: string,
  version: string,
): Promise<Manifest> {
  const backup = await openBackup(file, passphrase, version);
  try {
    await backup.readFiles(() => ({ take() {}, end() {}, close() {} }));
    return backup.manifest;
  } finally {
    backup.close();
  }
}
