import type { Currency } from './money.ts';
import type { NotPaidReason, NotRefundedReason } from './reasons.ts';

export type { NotPaidReason, NotRefundedReason } from './reasons.ts';

/** The facts of a sale that its receipt needs. */
export interface SaleTicket {
  readonly saleId: string;
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** 1 to 9999, then 1 again. */
  readonly receiptNumber: number;
  /** 1 to 999999, then 1 again. */
  readonly traceNumber: number;
  readonly startedAtMs: number;
}

/**
 * What a customer shares with the shop (document 4, section 1.2). null: the service has not looked it up yet; empty: there is none.
 * Personal data: passed on with the sale and then forgotten, never logged and never in the journal.
 */
export interface CustomerFacts {
  readonly loyaltyIds: readonly string[] | null;
  /** For a service of digital receipts. */
  readonly receiptToken: string | null;
}

/**
 * How certain an outcome is. decided: we carry it through and the service has not confirmed it yet. contested: the service contradicts, and a
 * person must look into it.
 */
export type Certainty = 'decided' | 'confirmed' | 'contested';

/** A finished sale, as printed on a repeated receipt. */
export interface FinishedSale {
  readonly sale: SaleTicket;
  /** What is captured of it if it is paid; left out: all of it. */
  readonly capturedMinor?: number;
  readonly outcome: SaleOutcome;
  readonly certainty: Certainty;
}

/** held: reserved for days, to be captured or cancelled later. No money has moved. */
export type SaleOutcome = { readonly paid: true } | { readonly paid: false; readonly reason: NotPaidReason | 'held' };

/** The facts of a refund that its receipt needs. */
export interface RefundTicket {
  /** Our own id, unique for every attempt; the service's `refundOrderId`. */
  readonly refundOrderId: string;
  /** The sale that is refunded, in whole or in part. */
  readonly saleId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** The refund's own numbers, from the same sequence as those of sales. */
  readonly receiptNumber: number;
  readonly traceNumber: number;
  /** Of the sale. */
  readonly originalReceiptNumber: number;
  readonly originalTraceNumber: number;
  readonly startedAtMs: number;
}

/** A finished refund, as printed on a repeated receipt. */
export interface FinishedRefund {
  readonly refund: RefundTicket;
  readonly outcome: RefundOutcome;
  readonly certainty: Certainty;
}

export type RefundOutcome = { readonly refunded: true } | { readonly refunded: false; readonly reason: NotRefundedReason };

/** When the service may ask why a reservation is not captured yet (document 4, section 1.11). It does not change how long it lasts. */
export const plannedCaptureDelays = ['LessThan24Hours', 'LessThan14Days'] as const;
export type PlannedCaptureDelay = (typeof plannedCaptureDelays)[number];
