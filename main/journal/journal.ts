import type { Payment, PaymentEvent, Sale } from '../domain/settlement/payment.ts';
import type { Refund, RefundEvent } from '../domain/settlement/refund.ts';
import type { FinishedRefund, FinishedSale } from '../domain/sale.ts';

/** One line of the journal. `seq` orders everything; the wall clock is for people. */
export interface JournalEntry {
  readonly seq: number;
  readonly atMs: number;
  readonly laneId: string;
  readonly saleId: string;
  /** null: the event is the payment's own. */
  readonly refundOrderId: string | null;
  readonly event: PaymentEvent | RefundEvent;
}

/** A sale that has not reached its end at the service, or that needs a person, with its whole story so far. */
export interface OpenSale {
  readonly saleId: string;
  readonly events: readonly PaymentEvent[];
}

/** As `OpenSale`, of a refund. */
export interface OpenRefund {
  readonly refundOrderId: string;
  readonly events: readonly RefundEvent[];
}

/** Paid, or paid for sure: the till took it over and the capture is repeated until it is confirmed. */
export interface PaidSale {
  readonly sale: Sale;
  readonly paymentId: string;
  /** Confirmed by the service. */
  readonly captured: boolean;
  /** By refunds that are done or may still be: everything but those that ended without money going back. */
  readonly refundedMinor: number;
}

/** What ended because the service was asked often enough and knew of none: the newest ones, in the order in which they began. */
export interface Unfound {
  readonly payments: readonly Payment[];
  readonly refunds: readonly Refund[];
}

/** What a lane needs to number its next sale or refund. Consumed by failed sales too (ZVT PA00P015, receipt and trace numbers). */
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
  /** Of a refund; its first append begins with `refundRequested`. @throws JournalWriteError, as `append` */
  appendRefund(laneId: string, refundOrderId: string, events: readonly RefundEvent[]): void;
  /** Refunds that have not reached their end at the service, or that need a person, in the order in which they began. */
  openRefunds(laneId: string): OpenRefund[];
  /** What a sale's refunds stand at, oldest first. */
  refundsOf(saleId: string): Refund[];
  /** Of whatever sale and lane; null: this journal never heard of it. */
  refundOfOrder(refundOrderId: string): Refund | null;
  /** The latest paid sale of this lane with this receipt number; null when there is none. */
  paidSale(laneId: string, receiptNumber: number): PaidSale | null;
  /** The story of one sale and its refunds, oldest first; empty when there is none. */
  story(saleId: string): JournalEntry[];
  nextNumbers(laneId: string): SaleNumbers;
  /** Of this lane, newest first. */
  newestSales(laneId: string, most: number): Payment[];
  /** The last sale or refund of this lane that a till asked for and whose outcome is decided. */
  lastDecided(laneId: string): FinishedSale | FinishedRefund | null;
  /** The sale that a service payment belongs to; null when this journal never heard of it. */
  saleOfPayment(paymentId: string): Sale | null;
  /** The payment with our order id; null: this journal never heard of it. */
  paymentOfOrder(orderId: string): Payment | null;
  unfound(laneId: string): Unfound;
  close(): void;
}

/** The file was damaged. Repaired, what was whole is in use again; the rest is in `keptAt`. */
export interface JournalDamage {
  readonly atMs: number;
  /** What was met, in words. */
  readonly problem: string;
  /** false: the damage was met while payments went on; the next start repairs it. */
  readonly repaired: boolean;
  readonly savedSales: number;
  readonly savedEvents: number;
  /** As far as their numbers tell how many there were. */
  readonly unreadableEvents: number;
  /** Sales whose story is not whole, or that have a refund whose story is not: a person must look for them at the service. */
  readonly lost: readonly LostSale[];
  /** Where the damaged file is; null: there is none, it was gone or is still in use. */
  readonly keptAt: string | null;
}

/** What is still known of a sale whose story cannot be read; null: not even that. */
export interface LostSale {
  readonly saleId: string;
  readonly why: string;
  readonly laneId: string | null;
  /** As it was listed. */
  readonly state: string | null;
  readonly paymentId: string | null;
  readonly orderId: string | null;
  readonly receiptNumber: number | null;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  readonly atMs: number | null;
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
