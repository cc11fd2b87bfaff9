/** What the thread that reconciles is started with. Matching a year takes a second of one thread, and payments must not wait for it. */
import type { CallingSystem, SalesUnitKeys } from '../../wallet/epayment/access.ts';
import type { profileNamed } from '../../wallet/v10/profile.ts';

export type WorkerData = ReportsAccess & {
  readonly storePath: string;
  readonly journalPath: string;
};

/** Where this counter's reports are read. `posNames`: what its own payments are told by; of ePayment, its lanes. */
export type ReportsAccess = { readonly baseUrl: string; readonly posNames: readonly string[] } & (
  | { readonly apiKey: string; readonly profile: Parameters<typeof profileNamed>[0]; readonly storeIds: readonly string[] }
  | { readonly keys: SalesUnitKeys; readonly system: CallingSystem }
);
