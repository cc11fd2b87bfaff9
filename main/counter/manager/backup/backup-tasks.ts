/** The tasks of the thread for backups, and their results. */
import type { BackupProblem } from '../../backup/backup-error.ts';
import type { CreateOptions } from '../../backup/create-backup.ts';

export interface BackupTask extends Omit<CreateOptions, 'before'> {
  readonly kind: 'make';
  readonly maxBytes: number;
}

export type BackupMade =
  | {
      readonly ok: true;
      readonly unsettled: number;
      readonly missing: readonly string[];
      readonly bytes: number;
    }
  | {
      readonly ok: false;
      readonly code: 'noRoom' | 'tooLarge' | 'notMade';
      readonly message: string;
    };

export interface RestoreTask {
  readonly kind: 'restore';
  readonly file: string;
  /** The folder to restore into. An earlier restore in it is removed. */
  readonly folder: string;
  readonly passphrase: string;
  readonly version: string;
}

export type Restoring =
  | {
      readonly ok: true;
      readonly from: string;
      readonly madeAtMs: number;
      readonly unsettled: number;
      readonly missing: readonly string[];
    }
  | { readonly ok: false; readonly code: BackupProblem | 'notRestored'; readonly message: string };

/** Limit of a backup that a page downloads or uploads: the page holds the whole file. */
export const maxBackupBytes = 2 * 1024 ** 3;
