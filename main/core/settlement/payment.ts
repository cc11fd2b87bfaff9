import type {
  NotPaidReason,
  OrderDetails,
  PersonProblem,
  PlannedCaptureDelay,
  SaleTicket,
  ServiceName,
} from '../domain/sale.ts';
import type {
  ChangeRefusal,
  Decision,
  Settlement,
  SettlementEvent,
  SettlementInput,
  WaitingStatus,
} from './settlement.ts';

/**
 * Initiate: the amount is sent at once. Prepare: the customer is found first, then the amount is
 * sent (interface document 2, "What the service does").
 */
export type Flow = 'initiate' | 'prepare';

/** What was requested. All of it is on disk before the first request is sent. */
export interface Sale extends SaleTicket, OrderDetails {
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
   * Who asked for it and is told how it ends; a till when it is missing, as in earlier versions.
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
  /** Who named it: the id of a token of the HTTP API. Unknown to earlier versions. */
  readonly namedBy?: string;
  /**
   * Set for a reservation, which is held until somebody decides to capture or to cancel it. Without
   * it, the payment is captured as soon as it is reserved.
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
  /** The amount that is captured; null while nobody has decided. */
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

export interface PaymentTerms {
  /**
   * `reservation` is set from when it is reserved: for a sale with a planned capture delay, and for
   * any other once less than its amount is to be captured.
   */
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
     * Whether the customer ended it, by refusing on the phone or by leaving before the amount was
     * there. Missing when it follows from the states seen before.
     */
    readonly declined?: boolean;
  };
  readonly stop: StopReason;
  readonly reason: NotPaidReason;
  readonly refusal: Extract<
    NotPaidReason,
    'refusedByService' | 'notOnboarded' | 'credentialsRefused' | 'serviceBusy'
  >;
  readonly problem: PersonProblem;
  readonly done: 'paid';
  readonly notDone: 'notPaid';
  /** Another payment blocks the point of sale (409/1301) and is being cleaned up. */
  readonly ownState:
    | { readonly kind: 'clearing' }
    /**
     * A captured payment of another counter, as the service told it: here it is only refunded.
     * `refundedMinor`: by refunds that are not in this journal.
     */
    | { readonly kind: 'elsewhere'; readonly paymentId: string; readonly refundedMinor: number }
    /**
     * Reserved, and whoever asked for it was told: nothing happens until it is captured or
     * cancelled, or the service lets it expire.
     */
    | { readonly kind: 'held'; readonly paymentId: string; readonly reservation: Reservation };
  readonly ownEvent: /**
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
    | { readonly type: 'statusSeen'; readonly status: WaitingStatus }
    | { readonly type: 'stopRequested'; readonly reason: StopReason }
    /** Reserved; decided to hold it, once whoever asked for it has been told. */
    | ({ readonly type: 'holdIntended' } & Omit<Reservation, 'captureMinor' | 'booking'>)
    /** Changes nothing about the money. Unknown to earlier versions. */
    | { readonly type: 'bookingRequested'; readonly booking: Booking }
    /**
     * The customer was found, and whoever asked for the payment keeps its amount or changes it.
     * Final. Unknown to earlier versions.
     */
    | { readonly type: 'amountAgreed'; readonly amountMinor: number };
  readonly ownInput:
    | { readonly type: 'cleared'; readonly newIdempotencyKey: string }
    | { readonly type: 'clearFailed'; readonly detail: string }
    /** It has a code of its own that cannot be shown, so that nobody can approve it. */
    | { readonly type: 'codeMissing'; readonly detail: string }
    | { readonly type: 'readyRefused'; readonly reason: ReadyRefusal; readonly detail: string }
    | { readonly type: 'bookingRequested'; readonly booking: Booking }
    /**
     * Of a reservation that is held, by the manager that `by` names; left out: by the till, which
     * has taken its booking over. The decision itself.
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
