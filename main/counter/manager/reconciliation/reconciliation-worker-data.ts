/**
 * What the thread that reconciles is started with. Matching a year takes a second of one thread,
 * and payments must not wait for it.
 */
import type { ServiceName } from '../../../core/domain/sale.ts';
import type { CallingSystem, SalesUnitKeys } from '../../../wallets/epayment/epayment-access.ts';
import type { profileNamed } from '../../../wallets/v10/v10-profile.ts';

export type WorkerData = ReportsAccess & {
  readonly storePath: string;
  readonly journalPath: string;
};

/** Where this counter's reports are read. */
export interface ReportsAccess {
  /** What its own payments are told by; of ePayment, its lanes. */
  readonly posNames: readonly string[];
  readonly inUse: ReportsSource;
  /**
   * The service before a change to the one in use; null when there was none. `source` is null when
   * the settings have no key for its reports.
   */
  readonly former: { readonly service: ServiceName; readonly source: ReportsSource | null } | null;
}

export type ReportsSource = { readonly baseUrl: string } & (
  | {
      readonly apiKey: string;
      readonly profile: Parameters<typeof profileNamed>[0];
      readonly storeIds: readonly string[];
    }
  | { readonly keys: SalesUnitKeys; readonly system: CallingSystem }
);
