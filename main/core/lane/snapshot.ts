import type { BeaconType } from '../domain/beacons.ts';
import { isPayment, type Settlement } from '../settlement/payment-or-refund.ts';
import { type ContestedKnown, contestedOf, moneyKnownOf } from '../settlement/outcome.ts';
import type { Claimant, Payment } from '../settlement/payment.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { Refund } from '../settlement/refund.ts';
import type { NotReadyReason } from '../domain/reasons.ts';
import type { Currency, Money } from '../domain/money.ts';
import type {
  Certainty,
  CustomerFacts,
  MoneyKnown,
  PersonProblem,
  RefundOutcome,
  RefundProblem,
  PaymentOutcome,
  UnsettledKnown,
} from '../domain/sale.ts';
import type { PaymentProgress, TillLink } from './till-port.ts';
import type { CheckInShown } from './check-in.ts';
import type { RecentSale } from './recent-sales.ts';
import type { DisplayCode } from './sale-code.ts';
import type { CustomerOnScreen } from './sale-customer.ts';

/** The state of a lane, for screens and programs. */
export interface LaneSnapshot {
  readonly laneId: string;
  readonly name: string;
  readonly currency: Currency;
  readonly condition: LaneCondition;
  /** The sale that the till, or the cashier, waits for. */
  readonly current: CurrentSale | null;
  /** The last sale's outcome, while it is to be shown. */
  readonly result: ResultOnScreen | null;
  /** The last sales that are decided, newest first. */
  readonly recent: readonly RecentSale[];
  /**
   * The refund under way, a till's or a manager's, or how the last one ended, while that is to be
   * shown.
   */
  readonly refund: RefundShown | null;
  /** What a customer's phone can find the lane by. */
  readonly beacons: readonly BeaconType[];
  /** What the QR code at this counter says. */
  readonly qr: string | null;
  /**
   * The check-in of a customer who comes before the amount; null when the screens do not ask for
   * it.
   */
  readonly checkIn: CheckInShown | null;
  /** Whether the service has a code for each payment; see `Capabilities`. */
  readonly codePerPayment?: boolean;
  /** The customer named at the counter; missing or null when nobody is named here. */
  readonly named?: CustomerOnScreen | null;
  /** Whether a customer may type their own number now. */
  readonly takesNumber?: boolean;
  /** The till's sticker; missing or null when it has none. `code` is null while it is not known. */
  readonly sticker?: { readonly code: DisplayCode | null } | null;
  /** `sinceMs`: when the link's state began, by the wall clock. */
  readonly till: TillLink & { readonly sinceMs: number; readonly address: string };
  /** Payments and refunds that are decided and not yet confirmed by the service. */
  readonly unsettled: readonly Unsettled[];
  /** The till's latest request that was refused meanwhile, or null. */
  readonly tried: Money | null;
  readonly journalDamage: DamageShown | null;
  /** Whether payments can be reserved here, to be captured later. */
  readonly takesReservations: boolean;
  /** Reservations that are held for days, oldest first. */
  readonly reservations: readonly HeldReservation[];
}

/** A payment that is reserved, and neither captured nor cancelled yet. */
export interface HeldReservation extends Money {
  readonly saleId: string;
  readonly orderId: string;
  readonly receiptNumber: number;
  readonly startedAtMs: number;
  readonly by: Claimant;
  /** See `Reservation`. */
  readonly expiresAtMs: number | null;
  readonly partialCapturePossible: boolean;
  /** Whether less than a day is left. */
  readonly isEndingSoon: boolean;
}

export interface CurrentSale {
  readonly payment: Payment;
  /** For the till; shown on no screen. */
  readonly customer: CustomerFacts;
  /**
   * The payment's own code, at a service that has one for each: `awaited` while it is on its way,
   * null when there is none.
   */
  readonly code: DisplayCode | 'awaited' | null;
  readonly remainingMs: number;
  /**
   * For how long the service has not answered about it, in milliseconds; null when it has, or while
   * the wait is usual.
   */
  readonly unansweredMs: number | null;
  /**
   * Milliseconds until the cashier may leave it although the cancel is unanswered; null when nobody
   * has asked to cancel.
   */
  readonly mayLeaveInMs: number | null;
}

export interface ResultOnScreen extends Money {
  readonly saleId: string;
  readonly by: Claimant;
  /** See `Sale`. */
  readonly isTest?: true;
  readonly outcome: PaymentOutcome;
  /**
   * The state of the money. Once the service contradicts it, screens show it as `unsettled`
   * instead.
   */
  readonly known: Exclude<MoneyKnown, ContestedKnown>;
}

/** What people at the counter have to know about a damaged journal. */
export interface DamageShown {
  /** false when a restart repairs it. */
  readonly repaired: boolean;
  /** Number of sales whose events are incomplete. */
  readonly lostSales: number;
}

export interface RefundShown {
  readonly refund: Refund;
  /** null while it is undecided. */
  readonly outcome: RefundOutcome | null;
  /** With `contested` it is shown as `unsettled` instead. */
  readonly certainty: Exclude<Certainty, 'contested'>;
  readonly remainingMs: number;
}

export type LaneCondition =
  | { readonly kind: 'open' }
  | {
      readonly kind: 'notReady';
      readonly reason: NotReadyReason;
      readonly detail: string | null;
      /** Since when, by the wall clock; only for a service that is known to be away. */
      readonly sinceMs?: number;
    };

export type { NotReadyReason } from '../domain/reasons.ts';

export interface Unsettled extends Money {
  readonly kind: 'sale' | 'refund';
  readonly saleId: string;
  /** For a refund, the order id of the refund. */
  readonly orderId: string;
  /** For a refund: `capture` when it is paid out. */
  readonly intent: 'capture' | 'cancel';
  readonly known: UnsettledKnown;
  readonly problem: PersonProblem | RefundProblem | null;
  /** What the service says was captured, where that is not what was requested. */
  readonly movedMinor?: number;
  /** When it was decided, by the wall clock. */
  readonly sinceMs: number;
}

/**
 * How far a waited-for sale is, for the till and the screens; null once the till is being told the
 * outcome.
 */
export function progressOf(payment: Payment): PaymentProgress | null {
  switch (payment.kind) {
    case 'creating':
    case 'resolving':
    case 'clearing':
      return 'contactingService';
    case 'awaiting':
      if (payment.stop !== null) return 'cancelling';
      if (payment.status === 'paired') return 'customerFound';
      return payment.status === 'issuedToUser' ? 'approveInApp' : 'waitingForCustomer';
    case 'offering':
    case 'held':
    case 'capturing':
    case 'cancelling':
    case 'paid':
    case 'notPaid':
    case 'elsewhere':
    case 'needsPerson':
      return null;
  }
}

/**
 * Null while it is not for people: quick confirmations never reach a screen. What does is money
 * whose first attempt has failed, that a cashier has left before it was answered, or that a person
 * must look after.
 */
export function unsettledOf(state: Settlement): Omit<Unsettled, 'sinceMs'> | null {
  const { saleId, currency } = isPayment(state) ? state.sale : state.request;
  const amountMinor = isPayment(state) ? capturedMinorOf(state) : state.request.amountMinor;
  const ids = isPayment(state)
    ? ({ kind: 'sale', orderId: state.sale.orderId } as const)
    : ({ kind: 'refund', orderId: state.request.refundOrderId } as const);
  const facts = { ...ids, saleId, amountMinor, currency, problem: null };
  const known = moneyKnownOf(state);
  switch (known) {
    case 'moving':
      return 'failedAttempts' in state && state.failedAttempts > 0
        ? { ...facts, intent: 'capture', known }
        : null;
    case 'perhapsUnheard':
    case 'perhapsApproved':
    case 'releasing':
      return state.kind === 'cancelling' &&
        (state.failedAttempts > 0 || state.reason === 'leftByCashier')
        ? { ...facts, intent: 'cancel', known }
        : null;
    case 'lost':
    case 'otherAmount':
    case 'unseen':
    case 'unasked':
      if (state.kind !== 'needsPerson') return null;
      return { ...facts, ...contestedOf(state), known };
    default:
      return null;
  }
}
