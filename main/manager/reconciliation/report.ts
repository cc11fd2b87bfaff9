/** A service's report as it is stored and matched, whichever service it is of. */
import type { Span } from './period.ts';
import type { ReconciliationStore } from './store.ts';

/** `amount`: minor units; into the merchant's account positive, out of it negative. */
export interface ReportLine {
  readonly type: string;
  readonly amount: number;
  readonly currencyCode: string;
  readonly timestamp: string;
  /** Of the payment or of the refund, as the journal has it. */
  readonly merchantReference?: string | null | undefined;
  readonly paymentId?: string | null | undefined;
  readonly refundId?: string | null | undefined;
  /** Where it was taken. */
  readonly posName?: string | null | undefined;
  readonly merchantPaymentLabel?: string | null | undefined;
}

export interface ReportTransfer {
  readonly id: string;
  readonly reference?: string | null | undefined;
  readonly date: string;
  readonly totalTransferredAmount: number;
  readonly currencyCode: string;
}

export interface ReadProgress {
  readonly doneTransfers: number;
  readonly totalTransfers: number | null;
  readonly transactions: number;
}

export interface AskedReport {
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
  /** @throws what Transport.call throws, or the reason of `signal`; what was read until then is kept */
  read(asked: AskedReport): Promise<void>;
}
