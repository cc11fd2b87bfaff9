/** What crosses between the daemon and the thread that reconciles: matching a year holds a thread for a second, and payments must not wait for it. */
import type { RelayedLine } from '../../domain/log.ts';
import type { profileNamed } from '../../wallet/v10/profile.ts';
import type { Reconciliation } from './reconciliation.ts';

export interface WorkerData {
  readonly storePath: string;
  readonly journalPath: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly profile: Parameters<typeof profileNamed>[0];
  readonly storeIds: readonly string[];
  readonly posNames: readonly string[];
}

export type Method = Exclude<keyof Reconciliation, 'close'>;
export type Arguments<Name extends Method> = Parameters<Reconciliation[Name]>;
export type Result<Name extends Method> = Awaited<ReturnType<Reconciliation[Name]>>;

export interface Call {
  readonly id: number;
  readonly method: Method | 'close';
  readonly args: readonly unknown[];
}

export type FromWorker =
  | { readonly type: 'result'; readonly id: number; readonly result: unknown }
  | { readonly type: 'error'; readonly id: number; readonly message: string }
  | ({ readonly type: 'log' } & RelayedLine);
