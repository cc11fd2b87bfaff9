/** What the thread that reconciles is started with. Matching a year takes a second of one thread, and payments must not wait for it. */
import type { profileNamed } from '../../wallet/v10/profile.ts';

export interface WorkerData {
  readonly storePath: string;
  readonly journalPath: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: Parameters<typeof profileNamed>[0];
  readonly storeIds: readonly string[];
  readonly posNames: readonly string[];
}
