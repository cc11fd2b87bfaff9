import type {
  NotPaidReason,
  OrderDetails,
  PersonProblem,
  PlannedCaptureDelay,
  PaymentTicket,
  ServiceName,
} from '../domain/sale.ts';
import type {
  Cancelling,
  Capturing,
  ChangeRefusal,
  Confirming,
  CreateAnswer,
  Decision,
  SettleAnswer,
  SharedEffect,
  SharedEvent,
  SharedInput,
  WaitingStatus,
} from './settlement.ts';

/**
 * Initiate: the amount is sent at once. Prepare: the customer is found first, then the amount is
 * sent (interface document 2, "What the service does").
 */
export type Flow = 'initiate' | 'prepare';

/** The request for a payment. All of it is on disk before the first request is sent. */
export interface Sale extends PaymentTicket, OrderDetails {
  readonly laneId: string;
  readonly posId: string;
  /**
   * The service that the payment is created, settled and refunded at; v10 when it is missing.
   * Unknown to earlier versions.
   */
  readonly service?: ServiceName;
  readonly flow: Flow;
  /** Key of the create request; repeated unchanged. */
  readonly idempotencyKey: string;
  /**
   * How long the customer has from `startedAtMs`, as a duration that the lane measures by the
   * monotonic clock.
   */
  readonly deadlineMs: number;
  /**
   * Who made the request and hears the outcome. Missing: a till, as in earlier versions.
   */
  readonly by?: Claimant;
  /**
   * Set for a test payment of setup, for which nothing is handed over and which no till books. Its
   * order id begins with `testOrderText`. Unknown to earlier versions.
   */
  readonly isTest?: true;
  /**
   * The amount that the cashier had typed; set once it was agreed after the check-in
   * (`amountAgreed`). `amountMinor` is what was agreed.
   */
  readonly typedMinor?: number;
  /**
   * The till gives the amount once the customer is found; until then `amountMinor` is what is known
   * so far. Unknown to earlier versions.
   */
  readonly amountFollows?: true;
  /**
   * The till's address, e.g. `192.168.1.40:50122`. Missing in earlier versions and in payments by
   * hand.
   */
  readonly from?: string;
  /** The id of the token of the HTTP API that chose the id. Unknown to earlier versions. */
  readonly namedBy?: string;
  /**
   * Set for a reservation, which is held until a till or a manager captures or cancels it. Missing:
   * the payment is captured once it is reserved.
   */
  readonly plannedCaptureDelay?: PlannedCaptureDelay;
}

/** What the service said about a reservation, and what was decided about it. */
export interface Reservation {
  /** When the service lets it expire, by the wall clock; null when the service did not say. */
  readonly expiresAtMs: number | null;
  /**
   * Whether less than the amount can be captured. That can be done once, and the rest is released.
   */
  readonly partialCapturePossible: boolean;
  /** The amount that is captured; null before the decision. */
  readonly captureMinor: number | null;
  /**
   * While it is held: the till's last request, which the till may not have taken over. Afterwards:
   * the request that decided it, if a till's did.
   */
  readonly booking?: Booking;
}

/**
 * What a till wants done with a reservation. It is on disk before the till is told, so that its
 * numbers are never given again.
 */
export interface Booking {
  readonly kind: 'capture' | 'release';
  /** The amount that is captured, or released. */
  readonly amountMinor: number;
  /** The receipt number of the booking itself. */
  readonly receiptNumber: number;
  readonly traceNumber: number;
  readonly startedAtMs: number;
  /** The till's address. */
  readonly from?: string;
}

/** cashier: a payment by hand, which no till is told of. */
export type Claimant = 'till' | 'cashier';

export const claimantOf = (sale: Sale): Claimant => sale.by ?? 'till';

/**
 * A cashier agrees the amount once the customer is found, and it is sent then (document 4, section
 * 1.5: loyalty). A till's is sent as it was asked for, unless the till has said that the amount
 * follows: most protocols cannot.
 */
export const isAmountOpen = (sale: Sale): boolean =>
  (claimantOf(sale) === 'cashier' || sale.amountFollows === true) &&
  sale.flow === 'prepare' &&
  sale.typedMinor === undefined;

/**
 * The service's payment states in our words (document 4, section 1.3). `unknown`: a state the
 * documents do not name.
 */
export type WalletStatus =
  | WaitingStatus
  | 'reserved'
  | 'captured'
  | 'cancelledByUser'
  | 'cancelledByClient'
  | 'cancelledByService'
  | 'expired'
  | 'unknown';

/**
 * Why an unfinished payment is to end. `leftByCashier` ends it at once, although an earlier request
 * to cancel it is not answered yet.
 */
export type StopReason = Extract<
  NotPaidReason,
  | 'cancelledByTill'
  | 'cancelledByCashier'
  | 'leftByCashier'
  | 'timedOut'
  | 'tillGone'
  | 'interrupted'
>;

/** Why a reservation is released. */
export type ReleaseReason = Extract<NotPaidReason, 'cancelledByManager' | 'cancelledByTill'>;

/** The customer was named, but the sales unit may send nobody requests. */
export type ReadyRefusal =
  | ChangeRefusal
  | Extract<NotPaidReason, 'notOnboarded' | 'credentialsRefused'>;

/** Why the service would not create a payment. */
export type PaymentRefusal = Extract<
  NotPaidReason,
  'refusedByService' | 'notOnboarded' | 'credentialsRefused' | 'serviceBusy'
>;

/** The id at the service. */
export interface PaymentId {
  readonly paymentId: string;
}

/** The fields of every state: the request, and the reservation it led to. */
interface RequestedSale {
  readonly sale: Sale;
  /**
   * Set from when it is reserved: for a sale with a planned capture delay, and for any other once
   * less than its amount is to be captured.
   */
  readonly reservation?: Reservation;
}

/** A payment. A state has exactly the fields that it needs. */
export type Payment = RequestedSale &
  (
    | /** The create request is under way. */
    { readonly kind: 'creating'; readonly idempotencyKey: string; readonly clearedBefore: boolean }
    /** Whether it was created is not known, and the service is being asked. */
    | { readonly kind: 'resolving'; readonly idempotencyKey: string }
    /** Another payment blocks the point of sale (409/1301) and is being cleaned up. */
    | { readonly kind: 'clearing' }
    /**
     * Open at the service, polled. `stop`: somebody asked to end it; a poll or a cancel with a
     * condition tells whether the customer was faster, if it is answered soon.
     */
    | (PaymentId & {
        readonly kind: 'awaiting';
        readonly status: WaitingStatus;
        readonly stop: StopReason | null;
      })
    /**
     * Reserved, capture intended; the till or the cashier is being told. `partialCapturePossible`
     * is set only if the service said so.
     */
    | (PaymentId & { readonly kind: 'offering'; readonly partialCapturePossible?: true })
    /**
     * Reserved, and the till or the cashier was told: nothing happens until it is captured or
     * cancelled, or the service lets it expire.
     */
    | (PaymentId & { readonly kind: 'held'; readonly reservation: Reservation })
    | (PaymentId & Capturing)
    /** The id is null while it is not known whether there is one. */
    | (Cancelling<NotPaidReason> & { readonly paymentId: string | null })
    | (PaymentId & { readonly kind: 'paid' })
    | {
        readonly kind: 'notPaid';
        readonly paymentId: string | null;
        readonly reason: NotPaidReason;
      }
    /**
     * The service contradicts a final decision: a person must act. `toldDone`: "paid" was told.
     * `movedMinor`: see the event.
     */
    | (PaymentId & {
        readonly kind: 'needsPerson';
        readonly problem: PersonProblem;
        readonly toldDone: boolean;
        readonly movedMinor?: number;
      })
    /**
     * A captured payment of another counter, as the service told it: here it is only refunded.
     * `refundedMinor`: by refunds that are not in this journal.
     */
    | (PaymentId & { readonly kind: 'elsewhere'; readonly refundedMinor: number })
  );

/** A payment in one of its states. */
export type PaymentIn<Kind extends Payment['kind']> = Extract<Payment, { readonly kind: Kind }>;

export type PaymentEvent =
  | SharedEvent
  | { readonly type: 'saleRequested'; readonly sale: Sale }
  /**
   * The first event of a payment that the service knows and this journal does not. What the
   * service does not tell of its sale is empty: numbers are 0, and `startedAtMs` is when the
   * payment was found.
   */
  | {
      readonly type: 'foundAtService';
      readonly sale: Sale;
      readonly paymentId: string;
      readonly refundedMinor: number;
    }
  /** The service names another total than before. */
  | { readonly type: 'refundsSeen'; readonly refundedMinor: number }
  | { readonly type: 'pointOfSaleBlocked' }
  | { readonly type: 'createRepeated'; readonly idempotencyKey: string }
  | (PaymentId & { readonly type: 'created'; readonly status: WaitingStatus })
  | { readonly type: 'statusSeen'; readonly status: WaitingStatus }
  | { readonly type: 'stopRequested'; readonly reason: StopReason }
  /** Reserved; decided to hold it, once the till or the cashier has been told. */
  | ({ readonly type: 'holdIntended' } & Omit<Reservation, 'captureMinor' | 'booking'>)
  /** Changes nothing about the money. Unknown to earlier versions. */
  | { readonly type: 'bookingRequested'; readonly booking: Booking }
  /**
   * The customer was found, and the till or the cashier keeps the amount or changes it. Final.
   * Unknown to earlier versions.
   */
  | { readonly type: 'amountAgreed'; readonly amountMinor: number }
  /**
   * `amountMinor`: of a reservation; `by`: the manager's name, left out when a till decided.
   * `partialCapturePossible`: of any other payment, as the service said; left out: it did not say
   * so.
   */
  | {
      readonly type: 'captureIntended';
      readonly amountMinor?: number;
      readonly by?: string;
      readonly partialCapturePossible?: true;
    }
  /**
   * `handedOutMinor`: goods were handed out for so much only, as the till said: that is captured
   * where the service captures a part.
   */
  | { readonly type: 'tillAcknowledged'; readonly handedOutMinor?: number }
  | { readonly type: 'cancelIntended'; readonly reason: NotPaidReason }
  | { readonly type: 'ended'; readonly reason: NotPaidReason }
  /**
   * The service was believed to have none, and has one after the end. With this event it is decided
   * to cancel it.
   */
  | (PaymentId & { readonly type: 'foundLate' })
  /**
   * `movedMinor`: what the service says was captured, where that is not what was requested. Unknown
   * to earlier versions.
   */
  | {
      readonly type: 'personNeeded';
      readonly problem: PersonProblem;
      readonly movedMinor?: number;
    };

/** What a poll shows of a payment. */
export interface PolledPayment {
  readonly status: WalletStatus;
  readonly amountMinor: number | null;
  readonly currency: string | null;
  /** When a reserved payment expires; missing when the service did not say. */
  readonly expiresAtMs?: number | null;
  readonly partialCapturePossible?: boolean;
  /** How much of a captured payment was captured; missing when the service does not say. */
  readonly capturedMinor?: number;
  /**
   * Whether the customer ended it, by refusing on the phone or by leaving before the amount was
   * there. Missing when it follows from the states seen before.
   */
  readonly declined?: boolean;
}

export type PaymentInput =
  | SharedInput
  | {
      readonly type: 'createAnswered';
      readonly answer:
        | CreateAnswer<PaymentId, PaymentRefusal | StopReason>
        /** 409/1301: another payment is active at the point of sale. */
        | { readonly kind: 'blocked' };
    }
  /** The answer to `lookUp` and `identify`: null when the service has no such payment. */
  | { readonly type: 'lookedUp'; readonly found: PaymentId | null }
  | { readonly type: 'cleared'; readonly newIdempotencyKey: string }
  | { readonly type: 'clearFailed'; readonly detail: string }
  /** The code of the payment cannot be shown, so that nobody can approve it. */
  | { readonly type: 'codeMissing'; readonly detail: string }
  | { readonly type: 'readyRefused'; readonly reason: ReadyRefusal; readonly detail: string }
  | (PolledPayment & Confirming & { readonly type: 'polled' })
  | { readonly type: 'stopRequested'; readonly reason: StopReason }
  | { readonly type: 'cancelUnapprovedAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'amountAgreed'; readonly amountMinor: number }
  /** `handedOutMinor`: the till took the payment over for this amount only. */
  | {
      readonly type: 'tillAnswered';
      readonly acknowledged: boolean;
      readonly handedOutMinor?: number;
    }
  | { readonly type: 'bookingRequested'; readonly booking: Booking }
  /**
   * Captures a held reservation: `by` names the manager; left out, the till decided, which has
   * taken its booking over. The decision itself.
   * @see whyNotCaptured
   */
  | { readonly type: 'captureRequested'; readonly amountMinor: number; readonly by?: string }
  | { readonly type: 'releaseRequested'; readonly reason: ReleaseReason };

export type PaymentEffect =
  | SharedEffect<PaymentId>
  | { readonly type: 'clearPointOfSale' }
  /** Makes a prepared payment ready for approval. */
  | (PaymentId & { readonly type: 'ready' })
  /** Shows the code of a service that has one for each payment. Answered only when it fails. */
  | (PaymentId & { readonly type: 'showCode' })
  /**
   * Cancels only while the customer has not approved it. No decision is on disk before; the answer
   * decides.
   */
  | (PaymentId & { readonly type: 'cancelUnapproved' })
  /**
   * Ends the wait for a poll of a request to stop: `stopRequested` because of `timedOut` is the
   * input.
   */
  | { readonly type: 'endWait'; readonly delayMs: number }
  /**
   * Polls now and then, when it is about to expire, and when it should have expired; each time
   * `retryDue` is the input.
   */
  | { readonly type: 'watchReservation'; readonly expiresAtMs: number | null };

export type PaymentDecision = Decision<PaymentEvent, PaymentEffect>;
