/** How an update of this program stands. `version` is null when no other version is wanted. */
export interface UpdateStatus {
  readonly state: 'upToDate' | 'downloading' | 'waiting' | 'failed' | 'expired' | 'takenBack';
  readonly version: string | null;
  /** For support; null when nothing went wrong. */
  readonly detail: string | null;
}
