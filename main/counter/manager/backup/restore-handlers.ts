/**
 * Implements the restore of `preload/procedures/backup.ts`: the file comes in parts, and is
 * restored beside the data folder in a thread.
 */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import { restoredBeside } from '../../backup/finish-restore.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { Handlers } from '../../server/router.ts';
import type { Session } from '../../server/session.ts';
import { freshName } from '../../../support/atomic-file.ts';
import { NoRoomError, requireRoom } from '../../../support/disk-space.ts';
import { inThread } from './backup-thread.ts';
import { maxBackupBytes, type RestoreTask, type Restoring } from './backup-tasks.ts';

/** The page needs time to show the result, and what is missing, before the restart. */
const restartsInMs = 4_000;

interface Upload {
  readonly session: Session;
  readonly file: string;
  /** Number of the next part; null when the file is complete. */
  next: number | null;
  bytes: number;
}

export interface RestoringOptions {
  readonly dataFolder: string;
  /** Whether the counter has neither settings nor events in its journal. */
  readonly isEmpty: () => boolean;
  /** Ends this program to be started again. */
  readonly restart: () => void;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Limit of the file in bytes; replaced in tests. */
  readonly most?: number;
  /** Replaces the thread in tests. */
  readonly restore?: (task: RestoreTask) => Promise<Restoring>;
}

export function restoringHandlers(options: RestoringOptions): {
  readonly handlers: Handlers;
  close(): void;
} {
  const {
    dataFolder,
    isEmpty,
    restart,
    version,
    clock,
    log,
    most = maxBackupBytes,
    restore = inThread,
  } = options;
  let upload: Upload | null = null;
  let isUnderWay = false;

  function forget(): void {
    if (upload !== null) rmSync(upload.file, { force: true });
    upload = null;
  }
  function requireEmpty(): void {
    if (isUnderWay) throw new Refusal('underWay', 'a backup is being restored');
    if (!isEmpty())
      throw new Refusal(
        'inUse',
        'only a counter that is not set up and has no payments can be restored',
      );
  }
  /** Only this user can read the file. The next start removes it if this program ends meanwhile. */
  function begin(session: Session): void {
    forget();
    const file = freshName(join(dataFolder, 'upload.backup'));
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
    upload = { session, file, next: 0, bytes: 0 };
  }

  const handlers: Handlers = {
    backupPart({ part, base64, last }, session) {
      requireEmpty();
      if (part === 0) begin(session);
      if (upload === null || upload.session !== session || upload.next !== part)
        throw new Refusal('notFound', 'this part does not follow the one before');
      const content = Buffer.from(base64, 'base64');
      try {
        if (upload.bytes + content.length > most)
          throw new Refusal('tooLarge', `a backup has at most ${most} bytes`);
        requireRoom(dataFolder, content.length);
        appendFileSync(upload.file, content);
      } catch (error) {
        forget();
        throw error instanceof NoRoomError ? new Refusal('noRoom', error.message) : error;
      }
      upload.bytes += content.length;
      upload.next = last ? null : part + 1;
      return {};
    },

    async restoreBackup({ passphrase }, session) {
      requireEmpty();
      if (upload === null || upload.session !== session || upload.next !== null)
        throw new Refusal('notFound', 'no file was sent');
      isUnderWay = true;
      const restored = await restore({
        kind: 'restore',
        file: upload.file,
        folder: restoredBeside(dataFolder),
        passphrase,
        version,
      }).catch((error: unknown) => {
        isUnderWay = false;
        throw error;
      });
      if (!restored.ok) {
        isUnderWay = false;
        const { code, message } = restored;
        log.warn({ detail: message }, 'a backup was not restored');
        throw new Refusal(code, message, code === 'wrongPassphrase' ? { field: 'passphrase' } : {});
      }
      forget();
      log.warn(
        { from: restored.from, madeAtMs: restored.madeAtMs },
        'a backup was restored: restarting with it',
      );
      // `isUnderWay` stays set, so that nothing else begins before the restart.
      clock.after(restartsInMs, restart);
      const { from, madeAtMs, unsettled, missing } = restored;
      return { from, madeAtMs, unsettled, missing: [...missing] };
    },
  };
  return { handlers, close: forget };
}
