import { rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TooLargeError, writeBackup } from '../../backup/create.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { NoRoomError, requireRoom } from '../../../support/disk-space.ts';
import type { BackupMade, BackupTask } from './worker-data.ts';

/**
 * Makes a backup in the data folder, from where the page downloads it. It blocks, so that it runs
 * in a thread of its own and payments do not wait.
 */
export async function makeBackup({
  kind: _kind,
  mostBytes,
  ...about
}: BackupTask): Promise<BackupMade> {
  const { file } = about;
  try {
    const { unsettled, missing } = await writeBackup({
      ...about,
      mostBytes,
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
