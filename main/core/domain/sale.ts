import type { Currency } from './money.ts';
import type { NotPaidReason, NotRefundedReason } from './reasons.ts';

export type { NotPaidReason, NotRefundedReason, PersonProblem, RefundProblem } from './reasons.ts';

/**
 * The interfaces by which payments are made: v10, the point-of-sale interface of documents 2 and 4;
 * epayment, that of document 5.
 */
export const serviceNames = ['v10', 'epayment'] as const;
export type ServiceName = (typeof serviceNames)[number];

export const quantityUnits = ['PCS', 'KG', 'KM', 'MINUTE', 'LITRE', 'KWH'] as const;

/**
 * One thing that was bought. Of `totalMinor` `taxMinor` is tax; `taxRate` in hundredths of a
 * percent; `quantity` as text, e.g. `1.5`.
 */
export interface OrderLine {
  readonly name: string;
  readonly id?: string | undefined;
  readonly totalMinor: number;
  readonly taxMinor: number;
  readonly taxRate?: number | undefined;
  readonly quantity?: string | undefined;
  readonly unit?: (typeof quantityUnits)[number] | undefined;
  readonly unitPriceMinor?: number | undefined;
  readonly discountMinor?: number | undefined;
}

/** The goods that are paid for, as the till names them. */
export interface OrderDetails {
  /** They add up to the amount. */
  readonly lines?: readonly OrderLine[] | undefined;
  /** Age in years; younger customers cannot pay. */
  readonly minimumAge?: number | undefined;
}

/** The facts of a sale that its receipt needs. */
export interface PaymentTicket {
  readonly saleId: string;
  readonly orderId: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  /** See `receipt-number.ts`. */
  readonly receiptNumber: number;
  readonly traceNumber: number;
  readonly startedAtMs: number;
  /** Until when a reservation is held; null when the service did not say. */
  readonly heldUntilMs?: number | null;
}

/**
 * What a customer shares with the shop (document 4, section 1.2). null: the service has not looked
 * it up yet; empty: the service has no facts. Personal data: passed on with the sale and then
 * forgotten, never logged and never in the journal.
 */
export interface CustomerFacts {
  readonly loyaltyIds: readonly string[] | null;
  /** For a service of digital receipts. */
  readonly receiptToken: string | null;
}

const maxIdsForTill = 5;
const maxIdForTillLength = 60;
/**
 * The loyalty ids that a till is told. They come from outside: more or longer ones are left out, so
 * that they do not overflow a till's buffer.
 */
export const loyaltyIdsForTill = ({
  loyaltyIds,
}: Pick<CustomerFacts, 'loyaltyIds'>): readonly string[] =>
  (loyaltyIds ?? [])
    .filter((id) => id.length > 0 && id.length <= maxIdForTillLength)
    .slice(0, maxIdsForTill);

/**
 * How certain an outcome is. decided: we carry it through and the service has not confirmed it yet.
 * contested: the service contradicts, and a person must look into it.
 */
export type Certainty = 'decided' | 'confirmed' | 'contested';

/**
 * The states of the money that the service has not confirmed, or contradicts.
 * @see moneyKnown
 */
export const unsettledKnown = [
  'moving',
  'perhapsUnheard',
  'perhapsApproved',
  'releasing',
  'lost',
  'otherAmount',
  'unseen',
  'unasked',
] as const;
export type UnsettledKnown = (typeof unsettledKnown)[number];

/**
 * The state of the money, as far as it is known. "Moves": a payment is taken, a refund
 * is paid out. undecided: it may still end either way. reserved: at the service, for days. moving:
 * decided to move, reserved until the service confirms that it has. moved: the service confirmed
 * it. perhapsUnheard: decided against, and whether the service ever got the request is not known.
 * perhapsApproved: decided against, the service has it, and the customer may have approved it.
 * releasing: decided against, and what the service reserved is given back. notMoved: it is over,
 * nothing moved. lost: told as moving, and the service has ended it. otherAmount: told as moving,
 * and the service says that another amount has. unseen: the service took the request and does not
 * show what became of it. unasked: it moved although nobody here decided so.
 */
export const moneyKnown = [
  'undecided',
  'reserved',
  'moved',
  'notMoved',
  ...unsettledKnown,
] as const;
export type MoneyKnown = (typeof moneyKnown)[number];

/** A finished sale, as printed on a repeated receipt. */
export interface FinishedPayment {
  readonly sale: PaymentTicket;
  /** The amount that is captured if it is paid; without it, all of it is. */
  readonly capturedMinor?: number;
  /** What the service says was captured, where that is not what was told. */
  readonly movedMinor?: number;
  readonly outcome: PaymentOutcome;
  readonly certainty: Certainty;
}

/** held: reserved for days, to be captured or cancelled later. No money has moved. */
export type PaymentOutcome =
  | { readonly paid: true }
  | { readonly paid: false; readonly reason: NotPaidReason | 'held' };

/** Refunds and bookings have their own numbers, from the same sequence as sales. */
interface AfterSale {
  readonly receiptNumber: number;
  readonly traceNumber: number;
  /** Receipt number of the sale or of the reservation. */
  readonly originalReceiptNumber: number;
  readonly originalTraceNumber: number;
  readonly startedAtMs: number;
}

/** The facts of a refund that its receipt needs. */
export interface RefundTicket extends AfterSale {
  /** The payment's service; v10 when it is missing. Unknown to earlier versions. */
  readonly service?: ServiceName;
  /** Our own id, unique for every attempt; the service's `refundOrderId`. */
  readonly refundOrderId: string;
  /** The sale that is refunded, in whole or in part. */
  readonly saleId: string;
  /** Set for a refund of a test payment of setup. Unknown to earlier versions. */
  readonly isTest?: true;
  readonly amountMinor: number;
  readonly currency: Currency;
}

/** A finished refund, as printed on a repeated receipt. */
export interface FinishedRefund {
  readonly refund: RefundTicket;
  readonly outcome: RefundOutcome;
  readonly certainty: Certainty;
}

export type RefundOutcome =
  | { readonly refunded: true }
  | { readonly refunded: false; readonly reason: NotRefundedReason };

/** The facts of what a till decided about a reservation, for its receipt. */
export interface BookingTicket extends AfterSale {
  readonly saleId: string;
  readonly orderId: string;
  readonly kind: 'capture' | 'release';
  /** The amount that the booking captures or releases. */
  readonly amountMinor: number;
  readonly reservedMinor: number;
  readonly currency: Currency;
}

/** A booking that is decided, as told again. */
export interface FinishedBooking {
  readonly booking: BookingTicket;
  readonly certainty: Certainty;
}

/**
 * When the service may ask why a reservation is not captured yet (document 4, section 1.11). It
 * does not change how long it lasts.
 */
export const plannedCaptureDelays = ['LessThan24Hours', 'LessThan14Days'] as const;
export type PlannedCaptureDelay = (typeof plannedCaptureDelays)[number];
