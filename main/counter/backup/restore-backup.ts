/**
 * A restore collects all files in `restore.unfinished`, renames that to `restore.complete` when all
 * are on disk, and then moves them into place. Killed before the renaming, nothing was restored;
 * killed after it, the next start of the daemon moves the rest.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import { silentLog } from '../../core/domain/log.ts';
import { newestVersion } from '../../core/journal/schema.ts';
import { syncFolder } from '../../support/atomic-file.ts';
import { freeBytesNow } from '../../support/disk-space.ts';
import { lockFiles, lockFolder } from '../../support/folder-lock.ts';
import { takeFolder } from '../../support/private-folder.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';
import { type OpenedBackup, openBackup } from './read-backup.ts';
import type { Restored } from './restored-folder.ts';
import { finishRestore } from './finish-restore.ts';
import { completeRestore, restoredMark, unfinishedRestore } from './backup-contents.ts';

interface RestoreOptions {
  readonly file: string;
  readonly dataFolder: string;
  readonly passphrase: string;
  readonly version: string;
}

/** Into an empty folder, or one that is made. @throws BackupError; then nothing was changed */
export async function restoreBackup({
  file,
  dataFolder,
  passphrase,
  version,
}: RestoreOptions): Promise<Manifest> {
  const backup = await openBackup(file, passphrase, version);
  try {
    const { manifest } = backup;
    if ((manifest.journalLayout ?? 0) > newestVersion)
      throw new BackupError(
        'the backup was made by a newer Tillbeacon: install that one here first',
        { problem: 'newer' },
      );
    checkEmpty(dataFolder);
    const release = take(dataFolder);
    try {
      checkRoom(dataFolder, manifest);
      await collect(join(dataFolder, unfinishedRestore), backup, manifest);
      renameSync(join(dataFolder, unfinishedRestore), join(dataFolder, completeRestore));
      syncFolder(dataFolder);
      finishRestore(dataFolder);
    } catch (error) {
      rmSync(join(dataFolder, unfinishedRestore), { recursive: true, force: true });
      release.undo();
      throw error instanceof BackupError
        ? error
        : new BackupError(`${dataFolder}: cannot be written: ${messageOf(error)}`);
    }
    release.keep();
    return manifest;
  } finally {
    backup.close();
  }
}

const mayBeThere: ReadonlySet<string> = new Set([...lockFiles, unfinishedRestore, 'lost+found']);

function checkEmpty(folder: string): void {
  if (!existsSync(folder)) return;
  const names = namesIn(folder);
  const [other] = names.filter((name) => !mayBeThere.has(name));
  if (other === undefined) return;
  // It may be a running daemon's, and says so then.
  if (names.includes('daemon.lock')) locked(folder).close();
  if (names.includes(completeRestore))
    throw new BackupError(`${folder}: holds a restored counter already: start the daemon`);
  throw new BackupError(
    `${folder}: is not empty, it holds ${other}: name an empty folder, or one that is not there yet`,
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new BackupError(`${folder}: cannot be used: ${messageOf(error)}`);
  }
}

function locked(folder: string): { close(): void } {
  try {
    return lockFolder(folder);
  } catch (error) {
    throw new BackupError(messageOf(error));
  }
}

/** The folder is closed to other users and daemons. */
function take(folder: string): { undo(): void; keep(): void } {
  const existed = existsSync(folder);
  const hadLock = existsSync(join(folder, 'daemon.lock'));
  try {
    takeFolder(folder, { keeps: /./, log: silentLog });
  } catch (error) {
    throw new BackupError(`${folder}: cannot be used: ${messageOf(error)}`);
  }
  const lock = locked(folder);
  return {
    keep: () => lock.close(),
    undo() {
      lock.close();
      if (!hadLock) rmSync(join(folder, 'daemon.lock'), { force: true });
      if (!existed) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function checkRoom(folder: string, { files }: Manifest): void {
  const neededBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (freeBytesNow(folder) < neededBytes)
    throw new BackupError(
      `${folder}: its disk has too little room: ${Math.ceil(neededBytes / 1024 ** 2)} MB are needed`,
      { problem: 'noRoom' },
    );
}

async function collect(
  into: string,
  backup: OpenedBackup,
  { madeAtMs, from, unsettled }: Manifest,
): Promise<void> {
  // A restore that was killed has left it.
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { mode: 0o700 });
  const folders = new Set([into]);
  await backup.readFiles((path) => {
    const file = join(into, path);
    for (let above = dirname(file); above !== into; above = dirname(above)) folders.add(above);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const opened = openSync(file, 'wx', 0o600);
    return {
      take: (part) => writeAll(opened, part),
      end: () => fsyncSync(opened),
      close: () => closeSync(opened),
    };
  });
  const mark: Restored = { madeAtMs, from, unsettled };
  writeFileSync(join(into, restoredMark), `${JSON.stringify(mark)}\n`, {
    mode: 0o600,
    flush: true,
  });
  for (const folder of folders) syncFolder(folder);
}

function writeAll(file: number, part: Uint8Array): void {
  for (let written = 0; written < part.length; ) written += writeSync(file, part, written);
}
