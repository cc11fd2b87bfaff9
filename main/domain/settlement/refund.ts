/**
 * A refund as data: the second machine beside the payment. What it is about, the states it can be in, what can happen to it, what follows.
 * Everything is plain and serialisable; `decideRefund` and `applyRefund` are the only logic.
 *
 * The service pays a reserved refund out by itself after 24 hours (document 4, section 1.4): one that nobody decided is cancelled long before.
 */
import type { NotRefundedReason, RefundOutcome, RefundTicket } from '../sale.ts';
import { retryDelayMs } from './retry.ts';

/** What was asked for. All of it is on disk before the first request leaves. */
export interface RefundRequest extends RefundTicket {
  readonly laneId: string;
  /** Of the service. */
  readonly paymentId: string;
  /** Of the create request; repeated unchanged. */
  readonly idempotencyKey: string;
  /** A till takes the outcome over before money moves; a manager's action is the decision itself. */
  readonly by: RefundedBy;
  /** For the books; what a manager wrote. */
  readonly note: string | null;
  /** How long reserving may take, from `startedAtMs`. A duration: measured monotonically. */
  readonly deadlineMs: number;
}

/** `from`: the till's address; left out by earlier versions. */
export type RefundedBy = { readonly kind: 'till'; readonly from?: string } | { readonly kind: 'manager'; readonly name: string };

/** The service's refund states in our words (document 4, section 1.4). `unknown`: a state the documents do not name. */
export type RefundStatus = 'initiated' | 'reserved' | 'captured' | 'cancelledByClient' | 'cancelledByService' | 'unknown';

export type RefundStopReason = Extract<NotRefundedReason, 'cancelledByTill' | 'cancelledByManager' | 'timedOut' | 'tillGone' | 'interrupted'>;

/** A refund's state has exactly the fields that it needs. */
export type Refund =
  /** The create request is under way. */
  | { readonly kind: 'creating'; readonly request: RefundRequest }
  /** Whether it was created is not known: the refunds of the payment are being looked through. */
  | { readonly kind: 'resolving'; readonly request: RefundRequest }
  /** Open at the service, polled until it is reserved. */
  | { readonly kind: 'awaiting'; readonly request: RefundRequest; readonly refundId: string }
  /** Reserved, capture intended; the till is being told. Never for a manager. */
  | { readonly kind: 'offering'; readonly request: RefundRequest; readonly refundId: string }
  /** Decided for good: the money goes out. Captured until it is confirmed. */
  | { readonly kind: 'capturing'; readonly request: RefundRequest; readonly refundId: string; readonly failedAttempts: number }
  /** Decided for good: no money goes out. Cancelled until it is confirmed. `refundId` null: whether there is one is not known yet. */
  | {
      readonly kind: 'cancelling';
      readonly request: RefundRequest;
      readonly refundId: string | null;
      readonly reason: NotRefundedReason;
      readonly failedAttempts: number;
    }
  | { readonly kind: 'refunded'; readonly request: RefundRequest; readonly refundId: string }
  | { readonly kind: 'notRefunded'; readonly request: RefundRequest; readonly refundId: string | null; readonly reason: NotRefundedReason }
  /** The service contradicts what was decided, for good: a person must act. */
  | {
      readonly kind: 'needsPerson';
      readonly request: RefundRequest;
      readonly refundId: string;
      readonly problem: RefundProblem;
      readonly toldRefunded: boolean;
    };

/** paidOutUnasked: the money went out although we had cancelled. refundLost: we said "refunded", and it was cancelled at the service. */
export type RefundProblem = 'paidOutUnasked' | 'refundLost';

/** What is written to the journal, in the order in which it became true. */
export type RefundEvent =
  | { readonly type: 'refundRequested'; readonly request: RefundRequest }
  | { readonly type: 'createUnknown'; readonly detail: string }
  | { readonly type: 'created'; readonly refundId: string }
  | { readonly type: 'captureIntended' }
  | { readonly type: 'tillAcknowledged' }
  | { readonly type: 'cancelIntended'; readonly reason: NotRefundedReason }
  | { readonly type: 'attemptFailed'; readonly detail: string }
  | { readonly type: 'captured' }
  | { readonly type: 'ended'; readonly reason: NotRefundedReason }
  /** As of a payment. */
  | { readonly type: 'foundLate'; readonly refundId: string }
  | { readonly type: 'personNeeded'; readonly problem: RefundProblem };

/** What happens to a refund: answers to its effects, people, time. */
export type RefundInput =
  | { readonly type: 'createAnswered'; readonly answer: CreateRefundAnswer }
  /** The answer to `lookUp` and `identify`: the refund with our order id among those of the payment; null when there is none. */
  | { readonly type: 'lookedUp'; readonly found: { readonly refundId: string } | null }
  | { readonly type: 'lookUpFailed'; readonly detail: string }
  | { readonly type: 'polled'; readonly status: RefundStatus }
  /** The service does not know the refund. */
  | { readonly type: 'pollNotFound' }
  | { readonly type: 'pollFailed'; readonly detail: string }
  | { readonly type: 'stopRequested'; readonly reason: RefundStopReason }
  | { readonly type: 'tillAnswered'; readonly acknowledged: boolean }
  | { readonly type: 'captureAnswered'; readonly answer: RefundSettleAnswer }
  | { readonly type: 'cancelAnswered'; readonly answer: RefundSettleAnswer }
  | { readonly type: 'retryDue' }
  | { readonly type: 'restarted' };

export type CreateRefundAnswer =
  | { readonly kind: 'created'; readonly refundId: string }
  | { readonly kind: 'refused'; readonly reason: RefusedReason }
  | { readonly kind: 'unknown'; readonly detail: string };

/** Every documented refusal (document 4, section 1.10: 1354, 1365 to 1368), and the rest. */
export type RefusedReason = Extract<
  NotRefundedReason,
  'notCaptured' | 'currencyDiffers' | 'tooOld' | 'amountTooHigh' | 'balanceTooLow' | 'refusedByService' | 'notOnboarded'
>;

export type RefundSettleAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly detail: string }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'unknown'; readonly detail: string };

/** What is to be done once the events of the same decision are on disk. Each is answered by an input. */
export type RefundEffect =
  | { readonly type: 'create' }
  | { readonly type: 'lookUp' }
  /** As of a payment. */
  | { readonly type: 'identify' }
  | { readonly type: 'poll'; readonly refundId: string }
  /** Only of a till. */
  | { readonly type: 'offerRefunded' }
  | { readonly type: 'conclude'; readonly outcome: RefundOutcome }
  | { readonly type: 'capture'; readonly refundId: string }
  | { readonly type: 'cancel'; readonly refundId: string }
  /** Then `retryDue`. */
  | { readonly type: 'wait'; readonly delayMs: number };

export interface RefundDecision {
  readonly events: readonly RefundEvent[];
  readonly effects: readonly RefundEffect[];
}

/** Nothing about it is left to do at the service, for this daemon. */
export function isFinalRefund(refund: Refund): boolean {
  return refund.kind === 'refunded' || refund.kind === 'notRefunded' || refund.kind === 'needsPerson';
}

/** As `mayArriveLate`, of a refund: one that arrives late would pay out by itself. */
export function mayRefundArriveLate(refund: Refund): boolean {
  return refund.kind === 'notRefunded' && refund.refundId === null;
}

/** Undecided: the till, or the manager, waits for an answer. */
export function isRefundWaitedFor(refund: Refund): boolean {
  return refundOutcomeOf(refund) === null;
}

/** What these have given back, as far as that is decided. Of one that is under way, being cancelled or in dispute nobody can say that yet. */
export function givenBackMinor(refunds: readonly Refund[]): number {
  return refunds.reduce((sum, { kind, request }) => (kind === 'capturing' || kind === 'refunded' ? sum + request.amountMinor : sum), 0);
}

/** What these may give back, as long as nobody knows how they end; and when that should be known, as far as anybody can tell: null without a person. */
export function openMoney(refunds: readonly Refund[]): { readonly openMinor: number; readonly knownInMs: number | null } {
  const ends = refunds.filter(isOpenMoney).map((refund) => ({ minor: refund.request.amountMinor, knownInMs: endKnownInMs(refund) }));
  const isForPerson = ends.some((end) => end.knownInMs === null);
  return {
    openMinor: ends.reduce((sum, { minor }) => sum + minor, 0),
    knownInMs: isForPerson ? null : Math.max(0, ...ends.map((end) => end.knownInMs as number)),
  };
}

/** In whole minutes, for people. */
export const minutesUntilKnown = ({ knownInMs }: { readonly knownInMs: number | null }): number | null =>
  knownInMs === null ? null : Math.ceil(knownInMs / 60_000);

const isOpenMoney = ({ kind }: Refund): boolean => kind !== 'capturing' && kind !== 'refunded' && kind !== 'notRefunded';

/** Of an attempt at the service: as long as a request and its repetitions may take. */
const attemptMs = 15_000;

function endKnownInMs(refund: Refund): number | null {
  if (refund.kind === 'needsPerson') return null;
  return refund.kind === 'cancelling' ? retryDelayMs(refund.failedAttempts) + attemptMs : refund.request.deadlineMs;
}

/** What whoever asked for it was told, or will be: null while it is undecided. */
export function refundOutcomeOf(refund: Refund): RefundOutcome | null {
  switch (refund.kind) {
    case 'capturing':
    case 'refunded':
      return { refunded: true };
    case 'cancelling':
    case 'notRefunded':
      return { refunded: false, reason: refund.reason };
    case 'needsPerson':
      return refund.toldRefunded ? { refunded: true } : { refunded: false, reason: 'unclear' };
    case 'creating':
    case 'resolving':
    case 'awaiting':
    case 'offering':
      return null;
  }
}
