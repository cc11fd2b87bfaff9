/**
 * A payment as data: what it is about, the states it can be in, what can happen to it, and what follows.
 * Everything here is plain and serialisable; `decide` and `apply` are the only logic.
 */
import type { NotPaidReason, SaleOutcome, SaleTicket } from '../sale.ts';

/** Initiate: the amount goes out at once. Prepare: the customer is found first, then the amount (interface document 2, "What the service does"). */
export type Flow = 'initiate' | 'prepare';

/** What was asked for. All of it is on disk before the first request leaves. */
export interface Sale extends SaleTicket {
  readonly laneId: string;
  readonly posId: string;
  readonly flow: Flow;
  /** Of the create request; repeated unchanged. */
  readonly idempotencyKey: string;
  /** How long the customer has, from `startedAtMs`. A duration: measured monotonically by the lane. */
  readonly deadlineMs: number;
  /** Who asked for it, and is told how it ends. Left out by earlier versions: a till. */
  readonly by?: Claimant;
  /** The till's address, e.g. `192.168.1.40:50122`. Left out by earlier versions, and of a payment by hand. */
  readonly from?: string;
}

/** cashier: by hand, on the screen; no till ever hears of it. */
export type Claimant = 'till' | 'cashier';

export const claimantOf = (sale: Sale): Claimant => sale.by ?? 'till';

/** The service's payment states in our words (document 4, section 1.3). `unknown`: a state the documents do not name. */
export type WalletStatus =
  | 'prepared'
  | 'initiated'
  | 'paired'
  | 'issuedToUser'
  | 'reserved'
  | 'captured'
  | 'cancelledByUser'
  | 'cancelledByClient'
  | 'cancelledByService'
  | 'expired'
  | 'unknown';

/** Before anybody approved anything. */
export type WaitingStatus = 'prepared' | 'initiated' | 'paired' | 'issuedToUser';

/** Who wants an unfinished payment to end. `leftByCashier`: to end now, although an earlier wish is not answered yet. */
export type StopReason = Extract<NotPaidReason, 'cancelledByTill' | 'cancelledByCashier' | 'leftByCashier' | 'timedOut' | 'tillGone' | 'interrupted'>;

/** A payment's state has exactly the fields that it needs. */
export type Payment =
  /** The create request is under way. */
  | { readonly kind: 'creating'; readonly sale: Sale; readonly idempotencyKey: string; readonly clearedBefore: boolean }
  /** Whether it was created is not known: being asked. */
  | { readonly kind: 'resolving'; readonly sale: Sale; readonly idempotencyKey: string }
  /** Another payment blocks the point of sale (409/1301) and is being cleaned up. */
  | { readonly kind: 'clearing'; readonly sale: Sale }
  /** Open at the service, polled. `stop`: somebody wants out; the next poll tells whether the customer was faster. */
  | { readonly kind: 'awaiting'; readonly sale: Sale; readonly paymentId: string; readonly status: WaitingStatus; readonly stop: StopReason | null }
  /** Reserved, capture intended; the till is being told. */
  | { readonly kind: 'offering'; readonly sale: Sale; readonly paymentId: string }
  /** The till took "paid" over: captured until it is confirmed. */
  | { readonly kind: 'capturing'; readonly sale: Sale; readonly paymentId: string; readonly failedAttempts: number }
  /**
   * Decided for good: no money. Cancelled until it is confirmed. `paymentId` null: whether there is one is not known yet; `idempotencyKey` is that
   * of the request that may have made it.
   */
  | {
      readonly kind: 'cancelling';
      readonly sale: Sale;
      readonly paymentId: string | null;
      readonly idempotencyKey: string;
      readonly reason: NotPaidReason;
      readonly failedAttempts: number;
    }
  | { readonly kind: 'paid'; readonly sale: Sale; readonly paymentId: string }
  | { readonly kind: 'notPaid'; readonly sale: Sale; readonly paymentId: string | null; readonly reason: NotPaidReason }
  /** The service contradicts what was decided, for good: a person must act. */
  | { readonly kind: 'needsPerson'; readonly sale: Sale; readonly paymentId: string; readonly problem: PersonProblem; readonly tillToldPaid: boolean };

/** captureLost: the till was told "paid", the reservation is gone. capturedUnasked: money was taken although nobody here decided so. */
export type PersonProblem = 'captureLost' | 'capturedUnasked';

/** What is written to the journal, in the order in which it became true. */
export type PaymentEvent =
  | { readonly type: 'saleRequested'; readonly sale: Sale }
  | { readonly type: 'createUnknown'; readonly detail: string }
  | { readonly type: 'pointOfSaleBlocked' }
  | { readonly type: 'createRepeated'; readonly idempotencyKey: string }
  | { readonly type: 'created'; readonly paymentId: string; readonly status: WaitingStatus }
  | { readonly type: 'statusSeen'; readonly status: WaitingStatus }
  | { readonly type: 'stopRequested'; readonly reason: StopReason }
  | { readonly type: 'captureIntended' }
  | { readonly type: 'tillAcknowledged' }
  | { readonly type: 'cancelIntended'; readonly reason: NotPaidReason }
  | { readonly type: 'attemptFailed'; readonly detail: string }
  | { readonly type: 'captured' }
  | { readonly type: 'ended'; readonly reason: NotPaidReason }
  /** After the end: the service, which was believed to have none, has one. Decided by this to be cancelled. */
  | { readonly type: 'foundLate'; readonly paymentId: string }
  | { readonly type: 'personNeeded'; readonly problem: PersonProblem };

/** What happens to a payment: answers to its effects, people, time. */
export type PaymentInput =
  | { readonly type: 'createAnswered'; readonly answer: CreateAnswer }
  /** The answer to `lookUp` and `identify`: the payment of this sale at the service; null when there is none. */
  | { readonly type: 'lookedUp'; readonly found: { readonly paymentId: string } | null }
  | { readonly type: 'lookUpFailed'; readonly detail: string }
  | { readonly type: 'cleared'; readonly newIdempotencyKey: string }
  | { readonly type: 'clearFailed'; readonly detail: string }
  | { readonly type: 'polled'; readonly status: WalletStatus; readonly amountMinor: number | null; readonly currency: string | null }
  /** The service does not know the payment. */
  | { readonly type: 'pollNotFound' }
  | { readonly type: 'pollFailed'; readonly detail: string }
  | { readonly type: 'readyRefused'; readonly code: string | null; readonly detail: string }
  | { readonly type: 'stopRequested'; readonly reason: StopReason }
  | { readonly type: 'tillAnswered'; readonly acknowledged: boolean }
  | { readonly type: 'captureAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'cancelAnswered'; readonly answer: SettleAnswer }
  | { readonly type: 'retryDue' }
  | { readonly type: 'restarted' };

export type CreateAnswer =
  | { readonly kind: 'created'; readonly paymentId: string }
  /** 409/1301. */
  | { readonly kind: 'blocked' }
  | { readonly kind: 'refused'; readonly reason: Extract<NotPaidReason, 'refusedByService' | 'notOnboarded'> }
  | { readonly kind: 'unknown'; readonly detail: string };

export type SettleAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** What is to be done once the events of the same decision are on disk. Each is answered by an input. */
export type Effect =
  | { readonly type: 'create'; readonly idempotencyKey: string }
  | { readonly type: 'lookUp' }
  /** What became of the create request, which may be sent again for that: only once the decision against what it makes is on disk. */
  | { readonly type: 'identify'; readonly idempotencyKey: string }
  | { readonly type: 'clearPointOfSale' }
  | { readonly type: 'ready'; readonly paymentId: string }
  /** Not before the service allows it. */
  | { readonly type: 'poll'; readonly paymentId: string }
  | { readonly type: 'offerPaid' }
  | { readonly type: 'conclude'; readonly outcome: SaleOutcome }
  | { readonly type: 'capture'; readonly paymentId: string }
  | { readonly type: 'cancel'; readonly paymentId: string }
  /** Then `retryDue`. */
  | { readonly type: 'wait'; readonly delayMs: number };

export interface Decision {
  readonly events: readonly PaymentEvent[];
  readonly effects: readonly Effect[];
}

/** Nothing about it is left to do at the service, for this daemon. */
export function isFinal(payment: Payment): boolean {
  return payment.kind === 'paid' || payment.kind === 'notPaid' || payment.kind === 'needsPerson';
}

/** It ended without a payment at the service that anybody knows of. The create request may arrive there later than anybody waited for it. */
export function mayArriveLate(payment: Payment): boolean {
  return payment.kind === 'notPaid' && payment.paymentId === null;
}

/** The till, or the cashier, waits for an answer; the lane takes no other sale. */
export function isWaitedFor(payment: Payment): boolean {
  switch (payment.kind) {
    case 'creating':
    case 'resolving':
    case 'clearing':
    case 'awaiting':
    case 'offering':
      return true;
    case 'capturing':
    case 'cancelling':
    case 'paid':
    case 'notPaid':
    case 'needsPerson':
      return false;
  }
}

/** What whoever asked for it was told, or will be: null while it is undecided. */
export function outcomeOf(payment: Payment): SaleOutcome | null {
  switch (payment.kind) {
    case 'capturing':
    case 'paid':
      return { paid: true };
    case 'cancelling':
    case 'notPaid':
      return { paid: false, reason: payment.reason };
    case 'needsPerson':
      return payment.tillToldPaid ? { paid: true } : { paid: false, reason: 'unclear' };
    case 'creating':
    case 'resolving':
    case 'clearing':
    case 'awaiting':
    case 'offering':
      return null;
  }
}
