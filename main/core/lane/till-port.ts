import type { ClosingOfTill, ClosingTold, DayTotalsTold } from '../domain/day.ts';
import type { Currency, Money } from '../domain/money.ts';
import type { Payment } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import type { PortClaimer, tillLinks } from '../domain/till-links.ts';
import type {
  BookingTicket,
  CustomerFacts,
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
  OrderDetails,
  RefundOutcome,
  RefundTicket,
  PaymentOutcome,
  PaymentTicket,
} from '../domain/sale.ts';

export type {
  BookingTicket,
  CustomerFacts,
  FinishedBooking,
  FinishedRefund,
  FinishedPayment,
  NotPaidReason,
  NotRefundedReason,
  RefundOutcome,
  RefundTicket,
  PaymentOutcome,
  PaymentTicket,
} from '../domain/sale.ts';

/**
 * The port between a lane and its till, independent of the protocol. The till side turns bytes into
 * these requests; the lane answers each at once, from memory and disk, without waiting for the
 * network.
 *
 * ## What a till protocol has to do
 *
 * **Who decides.** The lane decides what is paid, the till whether it takes the result. A protocol
 * reads and writes bytes: it keeps no money, asks no service, and never makes one payment of two
 * requests because they are alike: two customers in a row do pay the same amount. A result is told
 * again only by a name that the protocol gives a payment.
 *
 * **What is on disk first.** `requestSale` returns when the sale is in the journal, and only then
 * may the till hear that it began. A result is offered when the intent to capture is in the
 * journal; "paid" is final when `conclude` is called, which is after the till's acknowledgement is
 * in the journal.
 *
 * **Offer and conclude.** One offer for each sale that could be paid, one conclusion for each sale.
 * Where the till acknowledges (ZVT: 80 00 to the status information), the offer carries the result,
 * `acknowledged` means that the till has taken it, and `conclude` ends its command. After
 * `notAcknowledged` it never hears "paid" for this sale.
 *
 * **A till that cannot acknowledge** (Concert over TCP: one answer, then nothing). Its answer is
 * final the moment it leaves. If it left with the offer and the daemon died before the journal had
 * it, the payment would be cancelled and the till would hold "paid". So the offer sends nothing: it
 * is `acknowledged` when the till's line still stands, and the answer leaves with `conclude`. What
 * can be lost then is the answer to a payment that was taken: cashier and manager see it as paid,
 * the till can ask again by the payment's name, and the money can be given back. The other way
 * round goods would leave unpaid, unseen.
 *
 * **Progress** is a courtesy: where the protocol has no words for it, nothing is said.
 *
 * **Lost.** `tillLost` is for a line that is gone for good, such as a closed connection: the lane
 * cancels what can still be cancelled. A cable that was pulled may come back: until the offer
 * nothing is lost. `conclude` is called also for a sale whose till is lost.
 *
 * **Readiness.** `busy` and `notReady` are told at once, in the protocol's words for "later"; a
 * payment that was refused as busy is reported with `saleTried`.
 *
 * **Bytes.** A peer on the line is a stranger until it speaks like a till: bounded in size,
 * number and time (`tcp-line.ts`, `serial-line.ts`), hung up on otherwise. What does not name its
 * payment, amount and currency without doubt is refused, and begins nothing.
 */
export interface LaneCommands {
  /** Starts a sale. When this returns `accepted`, the sale is in the journal. */
  requestSale(request: PaymentRequest): PaymentAnswer;
  /**
   * Called when the till asks for a sale while it waits for another result, and was told to wait.
   * Nothing begins.
   */
  saleTried(request: PaymentRequest): void;
  /**
   * Captures a reservation, or gives it back. When this returns `accepted`, the numbers are in the
   * journal and nothing is decided: the till is told first, and `endBooking` is called in any case.
   */
  requestBooking(request: BookingRequest): BookingAnswer;
  /**
   * `acknowledged`: the till has taken the result over, which decides. Otherwise the reservation
   * stays as it was.
   */
  endBooking(booking: BookingTicket, acknowledged: boolean): BookingEnd;
  /**
   * The undecided reservations of tills, oldest first; null on a lane that takes no reservations
   * and has none left.
   */
  openReservations(): readonly OpenReservation[] | null;
  /** Cancels a sale. `tooLate`: the customer was faster and the sale ends as paid. */
  abortSale(saleId: string): 'aborting' | 'tooLate';
  /** Starts a reversal or refund. When this returns `accepted`, the refund is in the journal. */
  requestRefund(request: RefundRequest): RefundAnswer;
  /** The same as `abortSale`, for a refund. */
  abortRefund(refundOrderId: string): 'aborting' | 'tooLate';
  /**
   * The till that started a sale or a refund is gone for good (a closed socket, not a pulled serial
   * cable).
   */
  tillLost(id: string): void;
  readiness(): 'ready' | 'busy' | 'notReady';
  /** What keeps payments from being taken, also while one runs; null when nothing does. */
  hindrance(): Hindrance | null;
  /**
   * The last finished sale, refund or booking that a till started, also across restarts; null when
   * there is none.
   */
  lastFinished(): FinishedPayment | FinishedRefund | FinishedBooking | null;
  /**
   * Closes the lane's day, as the manager's key does for this lane. When this returns `closed`, the
   * report is in the journal. What is reserved or not settled at the service stays so, and does not
   * stand in the way. @param from the till's address
   */
  closeDay(from: string): ClosingAnswer;
  /** The figures that a closing would report now; null when this lane has no closings. */
  dayTotals(): DayTotalsTold | null;
  /** The last closing of this lane, or null. */
  lastClosing(): ClosingTold | null;
  /**
   * What tills did at this lane under these receipt numbers; null when the lane keeps no record of
   * that.
   */
  finishedBetween(
    first: number,
    last: number,
  ): readonly (FinishedPayment | FinishedRefund | FinishedBooking)[] | null;
  /** Called when the state of the till's line changes. */
  tillLink(link: TillLink): void;
}

/**
 * `starting`: not opened at the service yet. `needsPerson`: nobody can pay until somebody acts,
 * such as when the service refuses the credentials.
 */
export type Hindrance = 'serviceUnreachable' | 'starting' | 'needsPerson';

export interface PaymentRequest {
  readonly amountMinor: number;
  readonly currency: Currency;
  /** Whether it is reserved, and captured or released later. */
  readonly reserve?: boolean;
  /** The till's address for the journal: `serial:/dev/ttyUSB0`, `192.168.1.40:50122`. */
  readonly from?: string;
}

export type PaymentAnswer =
  | { readonly accepted: true; readonly sale: PaymentTicket }
  | {
      readonly accepted: false;
      readonly reason:
        | 'busy'
        | 'notReady'
        | 'serviceUnreachable'
        | 'wrongCurrency'
        | 'amountTooSmall'
        | 'amountTooHigh'
        | 'storageFailed'
        | NoReservations;
    };

/** Payments cannot be reserved at this lane. */
type NoReservations = 'noReservations';

export interface BookingRequest {
  /**
   * The reservation, by its receipt number, its trace number, or both, which then both have to
   * match.
   */
  readonly receiptNumber: number | null;
  readonly traceNumber: number | null;
  /**
   * used: so much is captured, 0 releases all of it; unused: all but so much is captured; back: all
   * of it is released. An amount of null means all of it; for `back` it checks against a mistyped
   * number.
   */
  readonly what: { readonly kind: 'used' | 'unused' | 'back'; readonly amountMinor: number | null };
  /** null when the till named none. */
  readonly currency: Currency | null;
  /** See `PaymentRequest.from`. */
  readonly from?: string;
}

export type BookingAnswer =
  | { readonly accepted: true; readonly booking: BookingTicket }
  | { readonly accepted: false; readonly reason: BookingRefusal }
  /** The same was decided minutes ago: the till, which has perhaps not heard it, is told again. */
  | { readonly accepted: false; readonly reason: 'done'; readonly finished: FinishedBooking };

export type BookingRefusal =
  | 'busy'
  | 'notReady'
  | 'wrongCurrency'
  /** This lane has no reservation with these numbers. */
  | 'unknownReservation'
  | 'alreadyBooked'
  | 'reservationReleased'
  | 'reservationExpired'
  /** The service contradicts what was decided. */
  | 'unclear'
  /**
   * It is more than is reserved, or not the reserved amount where the till named that as a check.
   */
  | 'amountTooHigh'
  | 'amountDiffers'
  | 'wholeAmountOnly'
  | 'storageFailed';

/**
 * `notHeld`: meanwhile somebody else decided it, or it has expired. Nothing was decided but with
 * `booked`.
 */
export type BookingEnd = 'booked' | 'notAcknowledged' | 'notHeld' | 'storageFailed';

/**
 * `busy`: something is undecided, and will be within moments. `noClosings`: this lane has none.
 * `notReady`: the clock is wrong.
 */
export type ClosingAnswer =
  | { readonly closed: true; readonly closing: ClosingTold }
  | {
      readonly closed: false;
      readonly reason: 'busy' | 'noClosings' | 'notReady' | 'storageFailed';
    };

export interface OpenReservation {
  readonly receiptNumber: number;
  /** Whether less than a day is left. */
  readonly isEndingSoon: boolean;
}

export interface RefundRequest {
  /** The receipt number of the sale. */
  readonly receiptNumber: number;
  /** null for everything that is left. */
  readonly amountMinor: number | null;
  readonly currency: Currency;
  /**
   * Whether the amount has to be the whole payment's, as a check against a mistyped receipt number.
   */
  readonly wholeOnly?: boolean;
  /** Limit for all refunds of this sale together, in minor units; null for no limit. */
  readonly limitMinor?: number | null;
  /** See `PaymentRequest.from`. */
  readonly from?: string;
}

export type RefundAnswer =
  | { readonly accepted: true; readonly refund: RefundTicket }
  | {
      readonly accepted: false;
      readonly reason:
        | 'busy'
        | 'notReady'
        /** The wallet service is away. */
        | 'serviceUnreachable'
        | 'wrongCurrency'
        /** No paid sale of this lane has this receipt number, or it is too old for a refund. */
        | 'unknownReceipt'
        | 'alreadyRefunded'
        /** It is more than is left. */
        | 'amountTooHigh'
        /** With `wholeOnly`: it is not the whole payment. */
        | 'amountDiffers'
        /** It is more than `limitMinor`. */
        | 'overTillLimit'
        | 'amountTooSmall'
        | 'storageFailed';
    }
  | {
      readonly accepted: false;
      /**
       * The refundable amount is not known yet, because the outcome of another refund of the sale
       * is still unknown.
       */
      readonly reason: 'refundOpen';
      /** Minutes until it should be known; null when a person must clear it up. */
      readonly askAgainMinutes: number | null;
    };

/**
 * What a till asks that names each request itself, so that it can ask again, for months and across
 * restarts: however often a request arrives, it is one payment or refund, and its name is that
 * one's id.
 */
export interface RequestsWithIds extends LaneCommands {
  /** As `requestSale`, with an id of the till's own. @param id a uuid */
  requestNamedSale(id: string, request: PaymentRequestWithId): PaymentAnswerWithId;
  /**
   * Sends the amount of a sale whose amount follows, once the customer is found. This can be done
   * once; null when the sale is not under way.
   */
  agreeNamedAmount(saleId: string, amountMinor: number): AmountAnswer | null;
  /** As `requestRefund`, for a payment by its id. @param id a uuid */
  requestNamedRefund(id: string, request: RefundRequestWithId): RefundAnswerWithId;
  /** The payment's state; null when this lane has none with this id. */
  payment(saleId: string): Payment | null;
  /** The refund's state; null when this lane has none with this id. */
  refund(refundOrderId: string): Refund | null;
  /** The refunds of a payment of this lane, oldest first. */
  refundsOf(saleId: string): readonly Refund[];
  /**
   * The state of a payment of any lane; null for an unknown id. A till whose lane got another id
   * still finds its payments.
   */
  begunPayment(saleId: string): Payment | null;
  /** See `begunPayment`. */
  begunRefund(refundOrderId: string): Refund | null;
  /** What tills have closed since then at any lane, newest first. */
  closingsOfTills(sinceMs: number): readonly ClosingOfTill[];
  /** The closing with this number, of any lane; null if unknown. */
  closing(number: number): ClosingTold | null;
}

/** A service that does not take lines shows none. */
export interface PaymentRequestWithId extends PaymentRequest, OrderDetails {
  /**
   * Whether the amount is only what is known so far, and the final one follows once the customer is
   * found. Only on a lane of the flow `prepare`.
   */
  readonly amountFollows?: boolean;
  /** See `Sale`. */
  readonly namedBy?: string;
}

/** `amountFixed`: it cannot be changed, or not now. Nothing was changed but with `agreed`. */
export type AmountAnswer =
  | 'agreed'
  | 'amountTooSmall'
  | 'amountTooHigh'
  | 'amountFixed'
  | 'storageFailed';

export interface RefundRequestWithId extends Money {
  readonly saleId: string;
  /** See `PaymentRequest.from`. */
  readonly from?: string;
  /** See `Sale`. */
  readonly namedBy?: string;
}

/** The name was used for something else before. */
type NameUsed = { readonly accepted: false; readonly reason: 'nameUsed' };
/** `isRepeated`: it had begun before. */
export type PaymentAnswerWithId =
  | Exclude<PaymentAnswer, { accepted: true }>
  | { readonly accepted: false; readonly reason: 'noOpenAmounts' | 'noAgeLimits' }
  | NameUsed
  | { readonly accepted: true; readonly isRepeated: boolean };
/** See `PaymentAnswerWithId`. */
export type RefundAnswerWithId =
  | Exclude<RefundAnswer, { accepted: true }>
  | NameUsed
  | { readonly accepted: true; readonly isRepeated: boolean };

export type OfferAnswer = 'acknowledged' | 'notAcknowledged' | { readonly handedOutMinor: number };

/** Progress that a waiting till can be told. */
export type PaymentProgress =
  | 'contactingService'
  | 'waitingForCustomer'
  | 'customerFound'
  | 'approveInApp'
  | 'cancelling';

export interface TillLink {
  readonly state: (typeof tillLinks)[number];
  /** The problem, in words for a person, or null. */
  readonly detail: string | null;
  /** The program that took the port by itself; missing for any other, or none. */
  readonly claimer?: PortClaimer;
  /**
   * When something last came from it, by the wall clock; null before that, or when the line itself
   * tells whether it is there (TCP).
   */
  readonly heardAtMs: number | null;
}

/** One till, as seen by its lane. */
export interface Till {
  /** e.g. `serial:/dev/ttyUSB0`, `tcp:127.0.0.1:20007`; exact once open. */
  readonly address: string;
  /**
   * Starts to listen. A missing serial port is not an error: it is opened when it appears.
   * @throws when the settings can never work (e.g. the TCP port is taken)
   */
  open(commands: LaneCommands): Promise<void>;
  /** Stops listening and releases the port, within a second. */
  close(): Promise<void>;
  /** Tells the waiting till the progress of its sale. Never fails. */
  progress(saleId: string, progress: PaymentProgress): void;
  /**
   * Tells the till "paid" and resolves with whether it acknowledged. Called once per sale, after
   * the intent to capture is on disk. `notAcknowledged` is final: from then on the till is no
   * longer told "paid" for this sale. `handedOutMinor`: goods for this much alone have been handed
   * out, from 1 to the amount.
   * @param customer what the customer shares with the shop
   */
  offerPaid(sale: PaymentTicket, customer?: CustomerFacts): Promise<OfferAnswer>;
  /**
   * The same as `offerPaid` for a refund: called once, after the intent to pay it out is on disk.
   */
  offerRefunded(refund: RefundTicket): Promise<'acknowledged' | 'notAcknowledged'>;
  /** The same as `conclude` for a refund. */
  concludeRefund(refund: RefundTicket, outcome: RefundOutcome): void;
  /**
   * Ends the till's command: after an acknowledged offer with "paid", otherwise with the reason.
   * Called once per sale.
   * @param sale its amount is what is captured, which may be less than was asked for
   */
  conclude(sale: PaymentTicket, outcome: PaymentOutcome): void;
}
