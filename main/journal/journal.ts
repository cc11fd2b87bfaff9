import type { PaymentEvent, Sale } from '../payment/payment.ts';
import type { FinishedSale } from '../primitives/sale.ts';

/** One line of the journal. `seq` orders everything; the wall clock is for people. */
export interface JournalEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly laneId: string;
  readonly saleId: string;
  readonly event: PaymentEvent;
}

/** A sale that has not reached its end at the service, or that needs a person, with its whole story so far. */
export interface OpenSale {
  readonly saleId: string;
  readonly events: readonly PaymentEvent[];
}

/** What a lane needs to number its next sale. Consumed by failed sales too (ZVT PA00P015, receipt and trace numbers). */
export interface SaleNumbers {
  readonly receiptNumber: number;
  readonly traceNumber: number;
}

/**
 * What happened, on disk before it is acted on. Append-only. Synchronous: when `append` returns, the events survive a power cut.
 */
export interface Journal {
  /** @throws JournalWriteError: nothing was written, and nothing of it may be acted on */
  append(laneId: string, saleId: string, events: readonly PaymentEvent[]): void;
  /** In the order in which they began. */
  openSales(laneId: string): OpenSale[];
  /** The story of one sale, oldest first; empty when there is none. */
  story(saleId: string): JournalEntry[];
  nextNumbers(laneId: string): SaleNumbers;
  /** The last sale of this lane whose outcome is decided. */
  lastDecidedSale(laneId: string): FinishedSale | null;
  /** The sale that a service payment belongs to; null when this journal never heard of it. */
  saleOfPayment(paymentId: string): Sale | null;
  close(): void;
}

/** The disk refused. No request about the sale may leave. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
  constructor(cause: unknown) {
    super(`the journal could not be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** The file is there and cannot be used. */
export class JournalOpenError extends Error {
  override readonly name = 'JournalOpenError';
  constructor(path: string, cause: unknown) {
    super(`the journal ${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
