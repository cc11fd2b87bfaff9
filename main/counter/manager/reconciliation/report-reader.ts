/** What reads a service's report into the store, whichever service it is. */
import type { Span } from './period.ts';
import type { ReconciliationStore } from './store.ts';

export interface ReadProgress {
  readonly doneTransfers: number;
  readonly totalTransfers: number | null;
  readonly transactions: number;
}

export interface ReportRequest {
  readonly store: ReconciliationStore;
  readonly span: Span;
  /** Request everything again, also what is final. */
  readonly again: boolean;
  readonly signal: AbortSignal;
  readonly progress: (progress: ReadProgress) => void;
}

/** Reads a service's report into the store. */
export interface ReportReader {
  /** Where money is reported, as the store names it; none: nothing is ever read. */
  readonly points: readonly string[];
  /**
   * @throws what Transport.call throws, or the reason of `signal`; what was read until then is kept
   */
  read(request: ReportRequest): Promise<void>;
}
