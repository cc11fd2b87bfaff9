import type { Currency, Money } from '../domain/money.ts';
import type { CustomerRefusal, NamedCustomer } from '../domain/named-customer.ts';
import type {
  CustomerFacts,
  OrderDetails,
  PlannedCaptureDelay,
  ServiceName,
} from '../domain/sale.ts';
import type { Capabilities } from '../settlement/capabilities.ts';
import type { Flow, PaymentRefusal, ReadyRefusal, WalletStatus } from '../settlement/payment.ts';
import type { ChangeRefusal } from '../settlement/settlement.ts';
import type { RefundStatus, RefundRefusal, RefundStopReason } from '../settlement/refund.ts';

/**
 * What the wallet service is to a lane: one point of sale and its payments. Every answer is plain
 * data; nothing throws for what the service or the network does, so that "unknown" cannot be
 * mistaken for "no".
 */
export interface PointOfSaleClient {
  /** The service's name. A payment that was begun there is asked about at no other. */
  readonly service: ServiceName;
  /** Set where a payment can say what was bought, and a minimum age. */
  readonly takesOrderDetails?: true;
  /** What the service can do, as data for the settlement machine. */
  readonly capabilities: Capabilities;
  /**
   * Finds or creates the point of sale, and reads its beacon back. To be repeated until it is
   * `open`.
   */
  open(): Promise<OpenAnswer>;
  create(request: CreateRequest): Promise<CreateAnswer>;
  /**
   * Makes a prepared payment ready for approval, for a service that finds nobody by itself by the
   * named customer.
   */
  ready(
    paymentId: string,
    terms: PaymentTermsAsked & OfOrder & { readonly customer?: NamedCustomer },
  ): Promise<ReadyAnswer>;
  /** The latest payment with this order id that is active or reserved. */
  lookUp(orderId: string): Promise<LookUpAnswer>;
  /**
   * Finds the result of an unanswered create request. If the service does not know it and no
   * customer is troubled by it, the request is repeated with its key. The decision against the
   * payment must be on disk before the call.
   */
  identify(request: IdentifyRequest): Promise<LookUpAnswer>;
  /**
   * Cancels abandoned active payments at this point of sale (409/1301; document 4, section 1.9).
   * Reserved ones are left alone.
   * @param mayCancel asked about each that is there, also the reserved ones, before anything is
   * done about it
   */
  clear(mayCancel?: (found: OpenPayment) => boolean): Promise<ClearAnswer>;
  /**
   * The payments at this point of sale that are active or reserved. Nothing is done about them.
   * @param isOfInterest asked about each before it is asked about at the service
   */
  listOpen(isOfInterest: (paymentId: string) => boolean): Promise<ListAnswer>;
  /**
   * A payment to be polled. Each call waits until the service allows the next one.
   * @param namedBefore the delay that the service has named for it before a restart; null: none, or
   * the usual one
   * @param orderId what the payment is for: an answer that names another order is `unknown`
   */
  watch(paymentId: string, namedBefore?: number | null, orderId?: string): PaymentWatch;
  /**
   * The check-in at this point of sale, to be looked up only while its QR code is shown, or setup
   * tests a beacon. Paced like a payment.
   */
  watchCheckIn(): CheckInWatch;
  /**
   * The picture of a code in a `created` or `found` answer, for the screens while its payment is
   * waited for. Only for a service whose codes are pictures.
   */
  codePicture?(address: string): Promise<CodePictureAnswer>;
  /**
   * Creates or finds the code of the lane's sticker. To be repeated until it is `there`. Only for a
   * lane that has one.
   */
  sticker?(): Promise<StickerAnswer>;
  /**
   * @param money what is captured: less than what is reserved only where the service says that it
   * can be
   * @param refusals how many requests to capture it were refused (none, if left out): where
   * refusals are kept, the next attempt has another key. After silence its key is the same
   * @param reservedMinor what is reserved: the rest is released. Left out: the same
   */
  capture(
    paymentId: string,
    money: Money & OfOrder,
    refusals?: number,
    reservedMinor?: number,
  ): Promise<SettleAnswer>;
  cancel(paymentId: string, asked: CancelAsked & OfOrder): Promise<SettleAnswer>;
  /**
   * @param stopped why it is to be stopped, or null; asked right before a request is sent that
   * cannot be taken back
   */
  createRefund(
    request: CreateRefundRequest,
    stopped?: () => RefundStopReason | null,
  ): Promise<CreateRefundAnswer>;
  /** The refund of the payment with this order id, in any state. */
  lookUpRefund(paymentId: string, refundOrderId: string): Promise<LookUpRefundAnswer>;
  /** See `identify`. */
  identifyRefund(request: IdentifyRefundRequest): Promise<LookUpRefundAnswer>;
  /**
   * See `watch`. @param of the refund as it was requested: an answer about another one is `unknown`
   */
  watchRefund(
    refundId: string,
    namedBefore?: number | null,
    of?: Pick<CreateRefundRequest, 'paymentId' | 'refundOrderId'>,
  ): RefundWatch;
  captureRefund(refundId: string): Promise<SettleAnswer>;
  cancelRefund(refundId: string): Promise<SettleAnswer>;
}

/**
 * What the payment is for. A payment that the service has told under another order is not changed.
 */
interface OfOrder {
  readonly orderId?: string;
}

/** Whether the wallet service answers, as far as is known: one for all lanes of a daemon. */
export interface ServiceContact {
  /**
   * Since when the service has been away, by the wall clock, once that is sure; null when it is
   * not. Nothing new is begun then; what has begun goes on.
   */
  readonly awaySinceMs: number | null;
  /**
   * How long the calls of this sale have had no answer, in milliseconds; null when they have one,
   * or while the wait is usual.
   */
  unansweredMs(saleId: string): number | null;
}

/**
 * The captured payments of the whole merchant, whichever counter took them. As above, nothing
 * throws.
 */
export interface MerchantPayments {
  /** The points of sale of these stores that can be read, in the order of the service. */
  pointsOfSale(storeIds: readonly string[]): Promise<PointsOfSaleAnswer>;
  /**
   * The ids of the captured payments with this order id, or at this point of sale. The service
   * names no times and no order.
   */
  captured(
    asked: { readonly orderId: string } | { readonly posId: string },
  ): Promise<CapturedAnswer>;
  /**
   * One payment with its refunds. @param known refunds whose state is known already: these are not
   * read
   */
  read(paymentId: string, known: ReadonlySet<string>): Promise<MerchantPaymentAnswer>;
}

export type PointsOfSaleAnswer =
  | {
      readonly kind: 'listed';
      readonly pointsOfSale: readonly { readonly posId: string; readonly name: string }[];
    }
  | { readonly kind: 'unknown'; readonly detail: string };

export type CapturedAnswer =
  | { readonly kind: 'listed'; readonly paymentIds: readonly string[] }
  | { readonly kind: 'unknown'; readonly detail: string };

export type MerchantPaymentAnswer =
  | { readonly kind: 'captured'; readonly payment: MerchantPayment }
  /** The merchant has no such payment. */
  | { readonly kind: 'notFound' }
  | { readonly kind: 'notCaptured' }
  | { readonly kind: 'unknown'; readonly detail: string };

export interface MerchantPayment extends Money {
  readonly paymentId: string;
  readonly orderId: string;
  readonly posId: string;
  /**
   * Refunds that are not cancelled, without the `known` ones. `name`: the order id, or the
   * request's key where the service stores only that.
   */
  readonly refunds: readonly { readonly name: string; readonly amountMinor: number }[];
}

export interface CreateRefundRequest extends Money {
  readonly paymentId: string;
  readonly refundOrderId: string;
  readonly idempotencyKey: string;
}

export type IdentifyRefundRequest = CreateRefundRequest & FirstSent;

export type CreateRefundAnswer =
  | { readonly kind: 'created'; readonly refundId: string }
  /** Document 4, section 1.10: 1354, 1365, 1366, 1367, 1368; the rest is one of the last two. */
  | {
      readonly kind: 'refused';
      readonly reason: RefundRefusal | RefundStopReason;
      readonly detail: string;
    }
  | { readonly kind: 'unknown'; readonly detail: string };

export type LookUpRefundAnswer =
  | { readonly kind: 'found'; readonly refundId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly detail: string };

export interface RefundWatch {
  /** Rejects only when `signal` is aborted. */
  poll(signal: AbortSignal): Promise<RefundPollAnswer>;
}

export type RefundPollAnswer =
  /** `captured`: by our request, or by the service after 24 hours (ExpiredAndCaptured). */
  | ({ readonly kind: 'seen'; readonly status: RefundStatus } & PollDelay)
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

export interface PaymentWatch {
  /** Rejects only when `signal` is aborted. */
  poll(signal: AbortSignal): Promise<PollAnswer>;
}

export interface PollDelay {
  /** Milliseconds until the next poll; the usual delay when it is missing. */
  readonly pollDelayMs?: number;
}

export interface CheckInWatch {
  /** Rejects only when `signal` is aborted. */
  poll(signal: AbortSignal): Promise<CheckInAnswer>;
}

export type CheckInAnswer =
  | { readonly kind: 'seen'; readonly isCheckedIn: boolean; readonly customer: CustomerFacts }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Without `plannedCaptureDelay`, a reserved payment is captured at once. */
export type PaymentTermsAsked = Money & { readonly plannedCaptureDelay?: PlannedCaptureDelay };

export interface CreateRequest extends PaymentTermsAsked, OrderDetails {
  readonly flow: Flow;
  readonly orderId: string;
  readonly idempotencyKey: string;
}

/**
 * When the first attempt was sent, or was about to be, which limits how long the service may know
 * its key.
 */
interface FirstSent {
  readonly startedAtMs: number;
}

export type IdentifyRequest = CreateRequest & FirstSent;

export interface CancelAsked {
  /**
   * true cancels only while the customer has not approved it: afterwards it is refused as
   * `approved`, and stays reserved. false releases a reservation, too.
   */
  readonly ifNotApproved: boolean;
  /** See `capture`; counts cancels with the same `ifNotApproved`. */
  readonly refusals?: number;
}

/** What a customer scans to find one payment. Never stored, and never used for another payment. */
export type PaymentCode =
  /** What the code says. */
  | { readonly kind: 'text'; readonly text: string }
  /** The address of its picture, for the daemon alone: no page loads it. */
  | { readonly kind: 'picture'; readonly address: string };

export type CodePictureAnswer =
  | { readonly kind: 'fetched'; readonly png: Uint8Array }
  /** The picture is missing or came too late. */
  | { readonly kind: 'unknown'; readonly detail: string };

export type StickerAnswer =
  | { readonly kind: 'there'; readonly code: PaymentCode }
  /** `refused` lasts until somebody changes the settings. */
  | { readonly kind: 'refused' | 'unknown'; readonly detail: string };

export type OpenAnswer =
  | {
      readonly kind: 'open';
      readonly posId: string /** What the QR code says; null without a QR beacon. */;
      readonly qr: string | null;
    }
  | {
      readonly kind: 'unreachable' | 'credentialsRefused' | 'pointOfSaleRefused';
      readonly detail: string;
    };

export type CreateAnswer =
  | {
      readonly kind: 'created';
      readonly paymentId: string /** Only of a service with a code per payment. */;
      readonly code?: PaymentCode;
    }
  /** 409/1301: another payment is active at this point of sale. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'refused'; readonly reason: PaymentRefusal; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string };

export type SettleAnswer =
  /** The answer itself shows that it is done. */
  | { readonly kind: 'done' }
  /** Taken by the service, whose answer does not show whether it did something. */
  | { readonly kind: 'accepted' }
  /** `code` is the service's own, for the log. */
  | {
      readonly kind: 'refused';
      readonly reason: ChangeRefusal;
      readonly code: string | null;
      readonly detail: string;
    }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** `customerRefused`: nothing was created; another customer can be named. */
export type ReadyAnswer =
  | Exclude<SettleAnswer, { kind: 'refused' }>
  | {
      readonly kind: 'refused';
      readonly reason: ReadyRefusal;
      readonly code: string | null;
      readonly detail: string;
    }
  | { readonly kind: 'customerRefused'; readonly reason: CustomerRefusal; readonly detail: string };

export type LookUpAnswer =
  /** `code` is set where the service tells it again. */
  | { readonly kind: 'found'; readonly paymentId: string; readonly code?: PaymentCode }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** A payment that is active or reserved at the service. */
export interface OpenPayment {
  readonly paymentId: string;
  readonly orderId: string;
}

export type ListAnswer =
  | { readonly kind: 'listed'; readonly payments: readonly OpenPayment[] }
  | { readonly kind: 'unknown'; readonly detail: string };

export type ClearAnswer =
  | { readonly kind: 'done'; readonly cancelledPaymentIds: readonly string[] }
  | { readonly kind: 'unknown'; readonly detail: string };

export type PollAnswer =
  | (PollDelay & {
      readonly kind: 'seen';
      readonly status: WalletStatus;
      readonly amountMinor: number | null;
      readonly currency: Currency | null;
      /**
       * Only for a reserved payment: when it expires, by the wall clock; null when the service did
       * not say.
       */
      readonly expiresAtMs?: number | null;
      readonly partialCapturePossible?: boolean;
      /**
       * Only for `cancelledByUser`: true when refused on the phone, false when the customer left
       * before the amount was there; missing when it is not known.
       */
      readonly declined?: boolean;
      /** Only for `captured`; missing when the service does not say how much. */
      readonly capturedMinor?: number;
      /** Missing when nothing is known of the customer. */
      readonly customer?: CustomerFacts;
    })
  | { readonly kind: 'notFound' }
  /**
   * `credentialsRefused`: for so long that nothing will be learned before somebody has mended them.
   */
  | { readonly kind: 'unknown'; readonly detail: string; readonly credentialsRefused?: true };

export type { WalletStatus as SeenStatus } from '../settlement/payment.ts';
