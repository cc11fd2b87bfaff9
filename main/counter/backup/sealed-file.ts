/**
 * A file that only a passphrase opens: an age file (age-encryption.org/v1) with a scrypt recipient,
 * so that the standard tool `age` opens it too. Backups of 0.1.0 have a format of their own
 * (`first-format.ts`).
 */
import { fdatasyncSync, readSync, writeSync } from 'node:fs';
import { ReadableStream as NodeStream } from 'node:stream/web';
import { Decrypter, Encrypter, type Stanza } from 'age-encryption';
import { systemCodeOf } from '../../core/domain/errors.ts';
import { BackupError, damaged, wrongPassphrase } from './backup-error.ts';
import { isFirstFormat, openFirstFormat } from './first-format.ts';

/** The version of the format follows. */
const magic = Buffer.from('age-encryption.org/');
const formatVersion = Buffer.from('v1\n');
/** The exponent of scrypt's N: about half a second and 128 MB for each guess. */
const defaultCost = 17;
/** 256 MB of memory, the default of `age`. The file states its own cost, which may be hostile. */
const maxCost = 18;
/** With one recipient it has 150 bytes. The library looks for its end in memory. */
const maxHeaderBytes = 65_536;
const partBytes = 65_536;
/**
 * The file is synced after so many bytes. Otherwise a commit of the journal waits for all that the
 * disk has not written yet.
 */
const maxUnsyncedBytes = 4 * 1024 ** 2;

/** Two keyboards may compose the same letter differently. */
const composed = (passphrase: string): string => passphrase.normalize('NFC');

interface SealedContent {
  /** Parts may be queued in memory, so each must be a separate buffer. */
  readonly content: Iterable<Uint8Array>;
  readonly passphrase: string;
  /** Replaced in tests. */
  readonly cost?: number | undefined;
}

/** @param file open for writing, and empty. @throws also what `content` throws */
export async function writeSealed(
  file: number,
  { content, passphrase, cost = defaultCost }: SealedContent,
): Promise<void> {
  const encrypter = new Encrypter();
  encrypter.setPassphrase(composed(passphrase));
  encrypter.setScryptWorkFactor(cost);
  // Node's stream is the same as the browser's, which the types do not know.
  const stream = NodeStream.from(content) as ReadableStream<Uint8Array>;
  let unsyncedBytes = 0;
  for await (const part of await encrypter.encrypt(stream)) {
    for (let written = 0; written < part.length; ) written += writeSync(file, part, written);
    unsyncedBytes += part.length;
    if (unsyncedBytes < maxUnsyncedBytes) continue;
    fdatasyncSync(file);
    unsyncedBytes = 0;
  }
}

/** Reads what was sealed. Gives out nothing that was not authenticated. */
export class SealedReader {
  readonly #parts: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #ahead: Uint8Array = Buffer.alloc(0);
  #ended = false;

  private constructor(parts: AsyncIterator<Uint8Array> | Iterator<Uint8Array>) {
    this.#parts = parts;
  }

  /**
   * @param file open for reading, at its beginning
   * @throws BackupError not a backup, newer, damaged, wrong passphrase
   */
  static async open(file: number, passphrase: string): Promise<SealedReader> {
    const start = Buffer.alloc(magic.length + formatVersion.length);
    const bytes = start.subarray(0, readSync(file, start, 0, start.length, 0));
    if (isFirstFormat(bytes)) return new SealedReader(openFirstFormat(file, composed(passphrase)));
    if (!magic.equals(bytes.subarray(0, magic.length)))
      throw new BackupError('the file is not a backup of Tillbeacon', { problem: 'notABackup' });
    const version = bytes.subarray(magic.length);
    if (version.length < formatVersion.length)
      throw damaged('its beginning is not as it was written');
    if (!formatVersion.equals(version))
      throw new BackupError('the file has a newer format of age than this Tillbeacon reads', {
        problem: 'newer',
      });
    return new SealedReader(await openAge(file, composed(passphrase)));
  }

  /** Exactly so many bytes, at most 64 KiB. @throws BackupError the file is damaged or too short */
  async read(count: number): Promise<Buffer> {
    while (this.#ahead.length < count) {
      if (this.#ended) throw damaged('it ends too early');
      await this.#readOn();
    }
    const bytes = this.#ahead.subarray(0, count);
    this.#ahead = this.#ahead.subarray(count);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** @throws BackupError when something follows */
  async end(): Promise<void> {
    while (!this.#ended && this.#ahead.length === 0) await this.#readOn();
    if (this.#ahead.length > 0) throw damaged('more follows than it lists');
  }

  async #readOn(): Promise<void> {
    const { done, value } = await this.#parts.next();
    if (done === true) this.#ended = true;
    else this.#ahead = this.#ahead.length === 0 ? value : Buffer.concat([this.#ahead, value]);
  }
}

async function openAge(file: number, passphrase: string): Promise<AsyncIterator<Uint8Array>> {
  const decrypter = new Decrypter();
  // They are asked in this order. The last one is asked when the passphrase did not fit.
  decrypter.addIdentity({ unwrapFileKey: checkRecipients });
  decrypter.addPassphrase(passphrase);
  decrypter.addIdentity({
    unwrapFileKey() {
      throw wrongPassphrase();
    },
  });
  const source = new SealedBytes(file);
  try {
    const opened = await decrypter.decrypt(new ReadableStream(source, { highWaterMark: 0 }));
    source.isHeaderRead = true;
    return checked(opened);
  } catch (error) {
    throw asDamage(error, 'its beginning is not as it was written');
  }
}

/** Before scrypt runs. @returns null: it opens nothing. @throws BackupError */
function checkRecipients([stanza, ...others]: readonly Stanza[]): null {
  if (stanza?.args[0] !== 'scrypt' || others.length > 0)
    throw new BackupError(
      'the file is not a backup of Tillbeacon: no passphrase opens it, but a key',
      { problem: 'notABackup' },
    );
  if (Number(stanza.args[2]) > maxCost)
    throw damaged(
      `it would take more memory to open than any backup of ours (scrypt, 2^${stanza.args[2]})`,
    );
  return null;
}

/**
 * The bytes of a file, as the library asks for them. It may ask once more after the file was
 * closed: what it reads then is dropped.
 */
class SealedBytes implements UnderlyingDefaultSource<Uint8Array> {
  readonly #file: number;
  #position = 0;
  isHeaderRead = false;

  constructor(file: number) {
    this.#file = file;
  }

  pull(controller: ReadableStreamDefaultController<Uint8Array>): void {
    if (!this.isHeaderRead && this.#position > maxHeaderBytes)
      throw damaged('its beginning is not as it was written');
    const bytes = Buffer.alloc(partBytes);
    const count = readSync(this.#file, bytes, 0, bytes.length, this.#position);
    this.#position += count;
    if (count === 0) controller.close();
    else controller.enqueue(bytes.subarray(0, count));
  }
}

async function* checked(opened: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const part of opened) {
      bytes += part.length;
      yield part;
    }
  } catch (error) {
    throw asDamage(
      error,
      `it was changed, or its end is missing, behind byte ${bytes} of its content`,
    );
  }
}

/** What the library throws says no more. Errors of the disk stay. */
function asDamage(error: unknown, what: string): unknown {
  return error instanceof BackupError || systemCodeOf(error) !== undefined
    ? error
    : damaged(what, error);
}
