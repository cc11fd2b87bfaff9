/** What the thread that makes a backup is given, and how it ends. */
export interface BackupTask {
  readonly dataFolder: string;
  /** Path of the settings; null when they are in the data folder. */
  readonly settings: string | null;
  /** Which it makes. */
  readonly file: string;
  readonly passphrase: string;
  readonly version: string;
  readonly nowMs: number;
  /** Of what it holds. */
  readonly mostBytes: number;
  /** See `SealedWriter`. */
  readonly cost?: number;
}

export type BackupMade =
  | { readonly ok: true; readonly unsettled: number; readonly missing: readonly string[]; readonly bytes: number }
  | { readonly ok: false; readonly code: 'noRoom' | 'tooLarge' | 'notMade'; readonly message: string };
