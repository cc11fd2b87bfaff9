import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { BackupError } from '../../backup/backup-error.ts';
import { TooLargeError, writeBackup } from '../../backup/create-backup.ts';
import { restoreBackup } from '../../backup/restore-backup.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { NoRoomError, requireRoom } from '../../../support/disk-space.ts';
import type { BackupMade, BackupTask, RestoreTask, Restoring } from './backup-tasks.ts';

/**
 * Makes a backup in the data folder, from where the page downloads it. It blocks, so it runs in a
 * separate thread and payments do not wait.
 */
export async function makeBackup({
  kind: _kind,
  maxBytes,
  ...about
}: BackupTask): Promise<BackupMade> {
  const { file } = about;
  try {
    const { unsettled, missing } = await writeBackup({
      ...about,
      maxBytes,
      before: (bytes) => requireRoom(dirname(file), bytes),
    });
    return { ok: true, unsettled, missing, bytes: statSync(file).size };
  } catch (error) {
    rmSync(file, { force: true });
    return { ok: false, code: codeOf(error), message: messageOf(error) };
  }
}

function codeOf(error: unknown): Extract<BackupMade, { ok: false }>['code'] {
  if (error instanceof TooLargeError) return 'tooLarge';
  const isForRoom =
    error instanceof NoRoomError || (error instanceof Error && error.cause instanceof NoRoomError);
  return isForRoom ? 'noRoom' : 'notMade';
}

/** Restores a backup. It blocks, so it runs in a separate thread. */
export async function restore({
  file,
  folder,
  passphrase,
  version,
}: RestoreTask): Promise<Restoring> {
  try {
    // An earlier restore that no start has put in place.
    rmSync(folder, { recursive: true, force: true });
    const { from, madeAtMs, unsettled, missing } = await restoreBackup({
      file,
      dataFolder: folder,
      passphrase,
      version,
    });
    return { ok: true, from, madeAtMs, unsettled, missing };
  } catch (error) {
    const code = (error instanceof BackupError ? error.problem : null) ?? 'notRestored';
    return { ok: false, code, message: messageOf(error) };
  }
}
