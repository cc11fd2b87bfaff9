import { rmSync } from 'node:fs';
import { BackupError } from '../../backup/backup-error.ts';
import { restoreBackup } from '../../backup/restore.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import type { RestoreTask, Restoring } from './worker-data.ts';

/** Restores a backup. It blocks, so that it runs in a thread of its own. */
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
