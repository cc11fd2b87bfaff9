import type { Currency } from './money.ts';

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

/** Why no money moves. One sentence for the cashier and one result code for the till belong to each. */
export type NotPaidReason =
  /** The request was on the customer's phone and was refused there. */
  | 'declinedByCustomer'
  /** The customer left before the amount was on the phone. */
  | 'cancelledByCustomer'
  | 'cancelledByTill'
  | 'cancelledByCashier'
  /** A cancel stayed unanswered, and the cashier would not wait any longer: what the customer sees is not known. */
  | 'leftByCashier'
  /** Card refused, or nobody acted: the service does not say which. */
  | 'cancelledByService'
  /** The reservation ran out. */
  | 'expired'
  /** Our own deadline. */
  | 'timedOut'
  | 'tillGone'
  /** The till never acknowledged the result. */
  | 'notDelivered'
  /** The daemon was restarted in the middle. */
  | 'interrupted'
  /** The service would not create the payment. */
  | 'refusedByService'
  /** Credentials, store or point of sale are not allowed to take payments. */
  | 'notOnboarded'
  | 'serviceUnreachable'
  /** The service reserved something else than was asked. */
  | 'amountMismatch'
  /** The service took money that nobody here had decided to take: a person must see to it. */
  | 'unclear';

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

/** Why no money goes back. One sentence for the cashier and one result code for the till belong to each. */
export type NotRefundedReason =
  /** 1354. */
  | 'notCaptured'
  /** 1365. */
  | 'currencyDiffers'
  /** 1366: more than 90 days. */
  | 'tooOld'
  /** 1367, or our own books: more than is left of the payment. */
  | 'amountTooHigh'
  /** 1368: the store's balance does not cover it. */
  | 'balanceTooLow'
  | 'refusedByService'
  | 'notOnboarded'
  | 'serviceUnreachable'
  | 'cancelledByTill'
  | 'cancelledByManager'
  /** The provider ended it. */
  | 'cancelledByService'
  /** It was not reserved in time. */
  | 'timedOut'
  | 'tillGone'
  /** The till never acknowledged the result. */
  | 'notDelivered'
  /** The daemon was restarted in the middle. */
  | 'interrupted'
  /** The service paid out what nobody here had decided to pay out: a person must see to it. */
  | 'unclear';
