import type { Currency } from './money.ts';
import type { NotPaidReason, NotRefundedReason } from './reasons.ts';

export type { NotPaidReason, NotRefundedReason } from './reasons.ts';

/** The facts of a sale that its receipt needs. */
export interface SaleTicket {
  readonly saleId: string;
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** 1 to 9999, then from 1 again. */
  readonly receiptNumber: number;
  /** 1 to 999999, then from 1 again. */
  readonly traceNumber: number;
  readonly startedAtMs: number;
}

/**
 * What a customer lets the shop know (document 4, section 1.2). null: the service has not looked it up yet; empty: there is none.
 * Somebody's own: handed on with the sale and forgotten with it, in no log and no journal.
 */
export interface CustomerFacts {
  readonly loyaltyIds: readonly string[] | null;
  /** For a service of digital receipts. */
  readonly receiptToken: string | null;
}

/**
 * How sure an outcome is. decided: we carry it through, and the service has not confirmed it yet. contested: the service says otherwise, and a
 * person must see to it.
 */
export type Certainty = 'decided' | 'confirmed' | 'contested';

/** A sale that has ended, as a repeated receipt tells it. */
export interface FinishedSale {
  readonly sale: SaleTicket;
  readonly outcome: SaleOutcome;
  readonly certainty: Certainty;
}

export type SaleOutcome = { readonly paid: true } | { readonly paid: false; readonly reason: NotPaidReason };

/** The facts of a refund that its receipt needs. */
export interface RefundTicket {
  /** Ours, unique for every attempt; also the service's `refundOrderId`. */
  readonly refundOrderId: string;
  /** The sale that is refunded, in whole or in part. */
  readonly saleId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** Its own, from the same rows as those of sales. */
  readonly receiptNumber: number;
  readonly traceNumber: number;
  /** Of the sale. */
  readonly originalReceiptNumber: number;
  readonly originalTraceNumber: number;
  readonly startedAtMs: number;
}

/** A refund that has ended, as a repeated receipt tells it. */
export interface FinishedRefund {
  readonly refund: RefundTicket;
  readonly outcome: RefundOutcome;
  readonly certainty: Certainty;
}

export type RefundOutcome = { readonly refunded: true } | { readonly refunded: false; readonly reason: NotRefundedReason };
