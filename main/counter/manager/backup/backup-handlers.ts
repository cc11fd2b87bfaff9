/**
 * Implements `preload/procedures/backup.ts`: the copy is made in a thread, and fetched by the page
 * from its file.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { Log } from '../../../core/domain/log.ts';
import type { DownloadStore } from '../../server/download-store.ts';
import type { Handlers } from '../../server/router.ts';
import { freshName } from '../../../support/atomic-file.ts';
import { inThread } from './backup-thread.ts';
import { type BackupMade, type BackupTask, maxBackupBytes } from './backup-tasks.ts';

export interface BackupHandlersOptions {
  readonly dataFolder: string;
  /** Path of the settings file, also when it is in the data folder; null without a file. */
  readonly settingsFile: string | null;
  readonly version: string;
  readonly downloads: DownloadStore;
  readonly clock: Clock;
  readonly log: Log;
  /** Replaces the thread in tests. */
  readonly make?: (task: BackupTask) => Promise<BackupMade>;
}

export function backupHandlers({
  dataFolder,
  settingsFile,
  version,
  downloads,
  clock,
  log,
  make = inThread,
}: BackupHandlersOptions): Handlers {
  let isUnderWay = false;
  /**
   * The file of the backup before. A page that was closed leaves it, and there is never more than
   * one.
   */
  let former: string | null = null;
  return {
    async makeBackup({ passphrase }, session) {
      if (isUnderWay) throw new Refusal('underWay', 'a backup is being made');
      const { manager } = session;
      isUnderWay = true;
      if (former !== null) downloads.forget(former);
      // A temporary name: it is removed at the next start, and no backup contains it.
      const file = freshName(join(dataFolder, 'download.backup'));
      try {
        const isElsewhere =
          settingsFile !== null &&
          settingsFile !== join(dataFolder, 'settings.json') &&
          existsSync(settingsFile);
        const nowMs = clock.wallMs();
        const result = await make({
          kind: 'make',
          dataFolder,
          settings: isElsewhere ? settingsFile : null,
          file,
          passphrase,
          version,
          nowMs,
          maxBytes: maxBackupBytes,
        });
        if (!result.ok) {
          log.warn({ detail: result.message }, 'the backup of a manager could not be made');
          throw new Refusal(result.code, result.message);
        }
        // Another user of the screen must not get it.
        if (session.manager !== manager)
          throw new Refusal('pinNeeded', 'the manager who requested the backup has signed out');
        const { unsettled, missing, bytes } = result;
        const offer = downloads.offer(session, {
          name: nameOf(nowMs),
          type: 'application/octet-stream',
          content: { file, bytes },
        });
        former = offer.fileId;
        log.info({ bytes }, 'a backup was made for a manager');
        return { file: offer, unsettled, missing: [...missing] };
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      } finally {
        isUnderWay = false;
      }
    },
  };
}

/** The file's name, with the date in the shop's time zone. */
function nameOf(atMs: number): string {
  const at = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `tillbeacon-backup-${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}.backup`;
}
