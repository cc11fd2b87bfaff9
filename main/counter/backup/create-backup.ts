import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import { freshName, putInPlace } from '../../support/atomic-file.ts';
import { maxSettingsBytes, readBoundedFile } from '../../support/bounded-file.ts';
import { BackupError } from './backup-error.ts';
import { type Copies, copiesOf, type Copy } from './copies.ts';
import { filesElsewhere } from './files-elsewhere.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { writeSealed } from './sealed-file.ts';

export interface CreateOptions {
  readonly dataFolder: string;
  /** Path of the settings; null when they are in the data folder. */
  readonly settings: string | null;
  readonly file: string;
  readonly passphrase: string;
  readonly version: string;
  readonly nowMs: number;
  /** See `writeSealed`. */
  readonly cost?: number;
  /** Limit of all its files together, in bytes. */
  readonly maxBytes?: number;
  /** Called with the size of all files together, before the backup is written. May throw. */
  readonly before?: (bytes: number) => void;
}

/** The files together are larger than `maxBytes`. */
export class TooLargeError extends BackupError {}

/**
 * Makes a sealed copy of a data folder, also while a daemon uses it. @throws BackupError; then no
 * file is left
 */
export async function createBackup(options: CreateOptions): Promise<Manifest> {
  const { dataFolder, file } = options;
  if (existsSync(file))
    throw new BackupError(`${file}: is there already: name another file, or remove it`);
  if (!relative(resolve(dataFolder), resolve(file)).startsWith('..'))
    throw new BackupError(`${file}: must not be in the data folder: a broken disk would take both`);
  return await writeBackup(options);
}

/**
 * As {@link createBackup}, for a file that is moved away afterwards: it may be in the data folder,
 * under a name that backups leave out.
 */
export async function writeBackup({
  dataFolder,
  settings,
  file,
  passphrase,
  version,
  nowMs,
  cost,
  maxBytes = Infinity,
  before,
}: CreateOptions): Promise<Manifest> {
  const copies = copiesOf(dataFolder);
  try {
    const files = withSettings(copies, settings);
    const settingsFolder = settings === null ? dataFolder : dirname(settings);
    const text = files.find(({ path }) => path === 'settings.json')?.content;
    const manifest = manifestOf({
      tillbeacon: version,
      madeAtMs: nowMs,
      from: hostname(),
      journalLayout: copies.journalLayout,
      unsettled: copies.unsettled,
      files: files.map(({ path, bytes }) => ({ path, bytes })),
      missing: [
        ...(text instanceof Uint8Array
          ? filesElsewhere(Buffer.from(text).toString(), { dataFolder, settingsFolder })
          : []),
        ...copies.skipped,
      ],
    });
    const bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    if (bytes > maxBytes)
      throw new TooLargeError(`there are ${bytes} bytes to keep: at most ${maxBytes} are allowed`);
    before?.(bytes);
    await writeWhole(file, (opened) =>
      writeSealed(opened, { content: contentOf(manifest, files), passphrase, cost }),
    );
    return manifest;
  } finally {
    copies.remove();
  }
}

function withSettings({ files }: Copies, settings: string | null): readonly Copy[] {
  if (settings === null) return files;
  try {
    const content = readBoundedFile(settings, maxSettingsBytes);
    return [
      ...files.filter(({ path }) => path !== 'settings.json'),
      { path: 'settings.json', bytes: content.length, content },
    ];
  } catch (error) {
    throw new BackupError(`${settings}: cannot be read: ${messageOf(error)}`);
  }
}

/** The complete file is there, or none. */
async function writeWhole(file: string, write: (opened: number) => Promise<void>): Promise<void> {
  const fresh = freshName(file);
  try {
    const opened = openSync(fresh, 'wx', 0o600);
    try {
      await write(opened);
    } finally {
      closeSync(opened);
    }
    putInPlace(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (error instanceof BackupError) throw error;
    throw new BackupError(
      `${join(dirname(file), basename(file))}: cannot be written: ${messageOf(error)}`,
    );
  }
}

function* contentOf(manifest: Manifest, files: readonly Copy[]): Generator<Uint8Array> {
  const list = Buffer.from(JSON.stringify(manifest));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(list.length);
  yield length;
  yield list;
  for (const copy of files) yield* partsOf(copy);
}

function* partsOf({ path, bytes, content }: Copy): Generator<Uint8Array> {
  if (content instanceof Uint8Array) return yield content;
  const opened = openSync(content.file, 'r');
  try {
    for (let left = bytes; left > 0; ) {
      const part = Buffer.alloc(Math.min(left, 65_536));
      const read = readSync(opened, part, 0, part.length, null);
      if (read === 0)
        throw new BackupError(`${path} was changed while it was copied: make the backup again`);
      yield part.subarray(0, read);
      left -= read;
    }
  } finally {
    closeSync(opened);
  }
}
