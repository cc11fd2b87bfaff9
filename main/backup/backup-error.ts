/** Why a backup was not made, read or restored, for whoever asked. Nothing was changed. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export const damaged = (what: string): BackupError => new BackupError(`the file is damaged: ${what}. Take another copy of it; nothing was restored`);
