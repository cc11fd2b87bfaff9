import type { NotPaidReason, OrderDetails, PersonProblem, PlannedCaptureDelay, SaleTicket, ServiceName } from '../sale.ts';
import type { ChangeRefusal, Decision, Settlement, SettlementEvent, SettlementInput, WaitingStatus } from './settlement.ts';

/** Initiate: the amount goes out at once. Prepare: the customer is found first, then the amount (interface document 2, "What the service does"). */
export type Flow = 'initiate' | 'prepare';

/** What was asked for. All of it is on disk before the first request leaves. */
export interface Sale extends SaleTicket, OrderDetails {
  readonly laneId: string;
  readonly posId: string;
  /** The service that the payment is created, settled and refunded at; v10 when it is missing. Unknown to earlier versions. */
  readonly service?: ServiceName;
  readonly flow: Flow;
  /** Key of the create request; repeated unchanged. */
  readonly idempotencyKey: string;
  /** How long the customer has, from `startedAtMs`. A duration: measured monotonically by the lane. */
  readonly deadlineMs: number;
  /** Who asked for it and is told how it ends; a till when it is missing, as in earlier versions. */
  readonly by?: Claimant;
  /** What the cashier had typed; set once the amount was agreed after the check-in (`amountAgreed`), and `amountMinor` is what was agreed. */
  readonly typedMinor?: number;
  /** A till asked for it that gives the amount once the customer is found: until then `amountMinor` is what is known so far. Unknown to earlier versions. */
  readonly amountFollows?: true;
  /** The till's address, e.g. `192.168.1.40:50122`. Missing in earlier versions and in payments by hand. */
  readonly from?: string;
  /** Set for a reservation, which is held until somebody decides to capture or to cancel it. Without it, the payment is captured as soon as it is reserved. */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
}

/** What the service said about a reservation, and what was decided about it. */
export interface Reservation {
  /** When the service lets it expire, by the wall clock; null when the service did not say. */
  readonly expiresAtMs: number | null;
  /** Less than the amount can be captured; once, and the rest is released. */
  readonly partialCapturePossible: boolean;
  /** The amount that is captured; null while nobody has decided. */
  readonly captureMinor: number | null;
  /** While it is held: the till's last request, which the till may not have taken over. Afterwards: the request that decided it, if a till's did. */
  readonly booking?: Booking;
}

/** What a till asks to be done with a reservation. On disk before the till is told: its numbers are never given again. */
export interface Booking {
  readonly kind: 'capture' | 'release';
  /** What is captured, or given back. */
  readonly amountMinor: number;
  /** The receipt number of the booking itself. */
  readonly receiptNumber: number;
  readonly traceNumber: number;
  readonly startedAtMs: number;
  /** The till's address. */
  readonly from?: string;
}

/** cashier: by hand, on the screen; no till ever hears of it. */
export type Claimant = 'till' | 'cashier';

export const claimantOf = (sale: Sale): Claimant => sale.by ?? 'till';

/**
 * A cashier agrees the amount once the customer is found, and it is sent then (document 4, section 1.5: loyalty). A till's is sent as it was asked
 * for, unless the till has said that the amount follows: most protocols cannot.
 */
export const isAmountOpen = (sale: Sale): boolean =>
  (claimantOf(sale) === 'cashier' || sale.amountFollows === true) && sale.flow === 'prepare' && sale.typedMinor === undefined;

/** The service's payment states in our words (document 4, section 1.3). `unknown`: a state the documents do not name. */
export type WalletStatus = WaitingStatus | 'reserved' | 'captured' | 'cancelledByUser' | 'cancelledByClient' | 'cancelledByService' | 'expired' | 'unknown';

/** Why an unfinished payment is to end. `leftByCashier`: at once, although an earlier request to cancel it is not answered yet. */
export type StopReason = Extract<NotPaidReason, 'cancelledByTill' | 'cancelledByCashier' | 'leftByCashier' | 'timedOut' | 'tillGone' | 'interrupted'>;

/** Why a reservation is given back. */
export type ReleaseReason = Extract<NotPaidReason, 'cancelledByManager' | 'cancelledByTill'>;

/** The customer was named, and nobody may be asked here at all. */
export type ReadyRefusal = ChangeRefusal | Extract<NotPaidReason, 'notOnboarded' | 'credentialsRefused'>;

export interface PaymentTerms {
  /** `reservation`: from when it is reserved on, of a sale with a planned capture delay; of any other once less than its amount is to be captured. */
  readonly about: { readonly sale: Sale; readonly reservation?: Reservation };
  readonly begun: { readonly type: 'saleRequested'; readonly sale: Sale };
  readonly id: { readonly paymentId: string };
  readonly idOrNull: { readonly paymentId: string | null };
  readonly created: { readonly paymentId: string; readonly status: WaitingStatus };
  readonly seen: {
    readonly status: WalletStatus;
    readonly amountMinor: number | null;
    readonly currency: string | null;
    /** When a reserved payment expires; missing when the service did not say. */
    readonly expiresAtMs?: number | null;
    readonly partialCapturePossible?: boolean;
    /** How much of a captured payment was captured; missing when the service does not say. */
    readonly capturedMinor?: number;
    /**
     * Whether the customer ended it, by refusing on the phone or by leaving before the amount was there. Missing when it follows from the states seen before.
     */
    readonly declined?: boolean;
  };
  readonly stop: StopReason;
  readonly reason: NotPaidReason;
  readonly refusal: Extract<NotPaidReason, 'refusedByService' | 'notOnboarded' | 'credentialsRefused' | 'serviceBusy'>;
  readonly problem: PersonProblem;
  readonly done: 'paid';
  readonly notDone: 'notPaid';
  /** Another payment blocks the point of sale (409/1301) and is being cleaned up. */
  readonly ownState:
    | { readonly kind: 'clearing' }
    /** Another counter's, captured, as the service told: this one only refunds it. `refundedMinor`: by refunds that are not in this journal. */
    | { readonly kind: 'elsewhere'; readonly paymentId: string; readonly refundedMinor: number }
    /** Reserved, and whoever asked for it knows: nothing happens until it is to be captured or cancelled, or the service lets it expire. */
    | { readonly kind: 'held'; readonly paymentId: string; readonly reservation: Reservation };
  readonly ownEvent: /**
   * The first event of a payment that the service knows and this journal does not. Of its sale, what the service does not tell is empty: numbers are 0,
   * and `startedAtMs` is when it was found.
   */
    | { readonly type: 'foundAtService'; readonly sale: Sale; readonly paymentId: string; readonly refundedMinor: number }
    /** The service names another sum than before. */
    | { readonly type: 'refundsSeen'; readonly refundedMinor: number }
    | { readonly type: 'pointOfSaleBlocked' }
    | { readonly type: 'createRepeated'; readonly idempotencyKey: string }
    | { readonly type: 'statusSeen'; readonly status: WaitingStatus }
    | { readonly type: 'stopRequested'; readonly reason: StopReason }
    /** Reserved; decided to hold it, once whoever asked for it has been told. */
    | ({ readonly type: 'holdIntended' } & Omit<Reservation, 'captureMinor' | 'booking'>)
    /** Changes nothing about the money. Unknown to earlier versions. */
    | { readonly type: 'bookingRequested'; readonly booking: Booking }
    /** The customer was found, and whoever asked for the payment keeps its amount or changes it. Final. Unknown to earlier versions. */
    | { readonly type: 'amountAgreed'; readonly amountMinor: number };
  readonly ownInput:
    | { readonly type: 'cleared'; readonly newIdempotencyKey: string }
    | { readonly type: 'clearFailed'; readonly detail: string }
    /** It has a code of its own, and that cannot be shown: nobody can approve it. */
    | { readonly type: 'codeMissing'; readonly detail: string }
    | { readonly type: 'readyRefused'; readonly reason: ReadyRefusal; readonly detail: string }
    | { readonly type: 'bookingRequested'; readonly booking: Booking }
    /**
     * Of a reservation that is held, by the manager that `by` names; left out: by the till, which has taken its booking over. The decision itself.
     * @see whyNotCaptured
     */
    | { readonly type: 'captureRequested'; readonly amountMinor: number; readonly by?: string }
    | { readonly type: 'releaseRequested'; readonly reason: ReleaseReason }
    | { readonly type: 'amountAgreed'; readonly amountMinor: number };
}

export type Payment = Settlement<PaymentTerms>;
export type PaymentEvent = SettlementEvent<PaymentTerms>;
export type PaymentInput = SettlementInput<PaymentTerms>;
export type PaymentDecision = Decision<PaymentTerms>;
