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

/** A sale that has ended, as a repeated receipt tells it. */
export interface FinishedSale {
  readonly sale: SaleTicket;
  readonly outcome: SaleOutcome;
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
  | 'amountMismatch';
