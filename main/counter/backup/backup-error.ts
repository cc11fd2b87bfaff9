/** The problems that screens have words for. Any other is shown by its message. */
export type BackupProblem = 'notABackup' | 'newer' | 'wrongPassphrase' | 'damaged' | 'noRoom';

/** The reason why a backup was not made, read or restored. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly problem: BackupProblem | null;

  constructor(
    message: string,
    {
      problem = null,
      cause,
    }: { readonly problem?: BackupProblem | null; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.problem = problem;
  }
}

export const damaged = (what: string, cause?: unknown): BackupError =>
  new BackupError(`the file is damaged: ${what}. Take another copy of it; nothing was restored`, {
    problem: 'damaged',
    cause,
  });

export const wrongPassphrase = (): BackupError =>
  new BackupError('the passphrase is not the one with which the file was made', {
    problem: 'wrongPassphrase',
  });
