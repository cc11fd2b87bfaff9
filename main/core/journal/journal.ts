import type { Payment, PaymentEvent, Sale } from '../settlement/payment.ts';
import type { Refund, RefundEvent } from '../settlement/refund.ts';
import type { FinishedBooking, FinishedRefund, FinishedPayment } from '../domain/sale.ts';

/** One event of the journal. `seq` gives the order; the wall clock is only for people. */
export interface JournalEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly laneId: string;
  readonly saleId: string;
  /** null for an event of the payment itself. */
  readonly refundOrderId: string | null;
  readonly event: PaymentEvent | RefundEvent;
}

/** A sale that is not final at the service or that needs a person, with all its events so far. */
export interface OpenSale {
  readonly saleId: string;
  readonly events: readonly PaymentEvent[];
}

/** The same for a refund. */
export interface OpenRefund {
  readonly refundOrderId: string;
  readonly events: readonly RefundEvent[];
}

/** A sale that is paid, or whose capture is decided and repeated until it is confirmed. */
export interface PaidSale {
  readonly sale: Sale;
  readonly paymentId: string;
  /** The captured amount. A reservation can be captured in part. */
  readonly capturedMinor: number;
  /** Confirmed by the service. */
  readonly captured: boolean;
  /**
   * Sum of the refunds that are done or may still succeed: all except those that ended without
   * money going back.
   */
  readonly refundedMinor: number;
  /** See `refundable`; null when it is missing. */
  readonly elsewhereMinor?: number | null;
  /**
   * The numbers on the receipt of a till that captured a reservation; the sale's when it is
   * missing.
   */
  readonly booked?: SaleNumbers;
}

/**
 * Payments and refunds that ended because the service did not know them: the newest ones, oldest
 * first. Their requests may still arrive.
 */
export interface Unfound {
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
}

/**
 * The numbers of a lane's next sale or refund. Failed sales use up numbers too (ZVT PA00P015,
 * receipt and trace numbers).
 */
export interface SaleNumbers {
  readonly receiptNumber: number;
  readonly traceNumber: number;
}

/** A field that is null matches any. */
export interface ReservationNumbers {
  readonly receiptNumber: number | null;
  readonly traceNumber: number | null;
}

/**
 * The append-only event log that is written before anything is acted on. Synchronous: when `append`
 * returns, the events survive a power cut.
 */
export interface Journal {
  /** @throws JournalWriteError when nothing was written; then none of it may be acted on */
  append(laneId: string, saleId: string, events: readonly PaymentEvent[]): void;
  /** The lane's open sales in the order in which they began. */
  openSales(laneId: string): OpenSale[];
  /** Like `append`, for a refund. The first append begins with `refundRequested`. */
  appendRefund(laneId: string, refundOrderId: string, events: readonly RefundEvent[]): void;
  /** The lane's open refunds in the order in which they began. */
  openRefunds(laneId: string): OpenRefund[];
  /** The current states of a sale's refunds, oldest first. */
  refundsOf(saleId: string): Refund[];
  /** The refund with this order id, of any sale and lane; null if unknown. */
  refundOfOrder(refundOrderId: string): Refund | null;
  /**
   * The latest paid sale of this lane whose receipt has this number: of a reservation that a till
   * captured, the capture's; null if unknown.
   */
  paidSale(laneId: string, receiptNumber: number): PaidSale | null;
  /** The events of a sale and its refunds, oldest first; empty for an unknown sale. */
  story(saleId: string): JournalEntry[];
  nextNumbers(laneId: string): SaleNumbers;
  /** The sales of this lane, newest first. */
  newestSales(laneId: string, most: number): Payment[];
  /**
   * The latest reservation of this lane with this receipt number, this trace number, or both, also
   * one that has ended; null if unknown.
   */
  reservation(laneId: string, numbers: ReservationNumbers): Payment | null;
  /**
   * The last sale, refund or booking of this lane that a till asked for and whose outcome is
   * decided.
   */
  lastDecided(laneId: string): FinishedPayment | FinishedRefund | FinishedBooking | null;
  /** The sale with this payment id of the service; null if unknown. */
  saleOfPayment(paymentId: string): Sale | null;
  /** The payment with this order id; null if unknown. */
  paymentOfOrder(orderId: string): Payment | null;
  unfound(laneId: string): Unfound;
  close(): void;
}

/**
 * Damage that was found in the file. After a repair, everything intact is in use again; the damaged
 * file is kept at `keptAt`.
 */
export interface JournalDamage {
  readonly atMs: number;
  /** The damage in words. */
  readonly problem: string;
  /** false when the damage was found while payments went on; then the next start repairs it. */
  readonly repaired: boolean;
  readonly savedSales: number;
  readonly savedEvents: number;
  /** Counted by the gaps in their numbers. */
  readonly unreadableEvents: number;
  /**
   * Sales with missing or unreadable events, their own or a refund's: a person must look them up at
   * the service.
   */
  readonly lost: readonly LostSale[];
  /** Path of the damaged file; null when it was missing or is still in use. */
  readonly keptAt: string | null;
}

/** The remaining facts of a sale whose events cannot be read; unknown facts are null. */
export interface LostSale {
  readonly saleId: string;
  readonly why: string;
  readonly laneId: string | null;
  /** The state in the table of sales. */
  readonly state: string | null;
  readonly paymentId: string | null;
  readonly orderId: string | null;
  readonly receiptNumber: number | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly atMs: number | null;
}

/** The disk refused the write, so no request about the sale may be sent. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
  constructor(cause: unknown) {
    super(
      `the journal could not be written: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** The file exists but cannot be used. */
export class JournalOpenError extends Error {
  override readonly name = 'JournalOpenError';
  constructor(path: string, cause: unknown) {
    super(
      `the journal ${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}
