import type { NotRefundedReason, RefundProblem, RefundTicket } from '../domain/sale.ts';
import type {
  Cancelling,
  Capturing,
  Confirming,
  CreateAnswer,
  Decision,
  SharedEffect,
  SharedEvent,
  SharedInput,
} from './settlement.ts';

/**
 * The request for a refund. All of it is on disk before the first request is sent.
 *
 * The service pays a reserved refund out by itself after 24 hours (document 4, section 1.4): one
 * that nobody decided is cancelled long before.
 */
export interface RefundRequest extends RefundTicket {
  readonly laneId: string;
  /** The payment's id at the service. */
  readonly paymentId: string;
  /** Key of the create request; repeated unchanged. */
  readonly idempotencyKey: string;
  /**
   * A till has to acknowledge the outcome before money moves; a manager's action is the decision
   * itself.
   */
  readonly by: RefundedBy;
  /** What a manager wrote, for the bookkeeping. */
  readonly note: string | null;
  /** How long reserving may take from `startedAtMs`, as a duration by the monotonic clock. */
  readonly deadlineMs: number;
}

/** `from` is the till's address, which earlier versions did not record. `namedBy`: see `Sale`. */
export type RefundedBy =
  | { readonly kind: 'till'; readonly from?: string; readonly namedBy?: string }
  | { readonly kind: 'manager'; readonly name: string };

/**
 * The service's refund states in our words (document 4, section 1.4). `missing`: the service took
 * the request, and has not shown the refund for so long that it is not merely late. `unknown`: a
 * state the documents do not name.
 */
export type RefundStatus =
  | 'initiated'
  | 'missing'
  | 'reserved'
  | 'captured'
  | 'cancelledByClient'
  | 'cancelledByService'
  | 'unknown';

export type RefundStopReason = Extract<
  NotRefundedReason,
  'cancelledByTill' | 'cancelledByManager' | 'timedOut' | 'tillGone' | 'interrupted'
>;

/**
 * What a manager, named by `by`, found in the portal about a refund that the service does not show
 * (`refundUnseen`). Unknown to earlier versions.
 */
export interface PortalFinding {
  readonly type: 'foundInPortal';
  readonly refunded: boolean;
  readonly by: string;
}

/** Why the service would not create a refund: document 4, section 1.10 (1354, 1365 to 1368). */
export type RefundRefusal = Extract<
  NotRefundedReason,
  | 'notCaptured'
  | 'currencyDiffers'
  | 'tooOld'
  | 'amountTooHigh'
  | 'balanceTooLow'
  | 'refusedByService'
  | 'notOnboarded'
  | 'credentialsRefused'
  | 'serviceUnreachable'
>;

/** The id at the service. */
export interface RefundId {
  readonly refundId: string;
}

/** A refund. A state has exactly the fields that it needs. */
export type Refund = { readonly request: RefundRequest } & (
  | /** The create request is under way. */
  { readonly kind: 'creating'; readonly idempotencyKey: string }
  /** Whether it was created is not known, and the service is being asked. */
  | { readonly kind: 'resolving'; readonly idempotencyKey: string }
  /** Open at the service, polled. */
  | (RefundId & { readonly kind: 'awaiting' })
  /** Reserved, capture intended; the till is being told. */
  | (RefundId & { readonly kind: 'offering' })
  | (RefundId & Capturing)
  /** The id is null while it is not known whether there is one. */
  | (Cancelling<NotRefundedReason> & { readonly refundId: string | null })
  | (RefundId & { readonly kind: 'refunded' })
  | {
      readonly kind: 'notRefunded';
      readonly refundId: string | null;
      readonly reason: NotRefundedReason;
    }
  /** The service contradicts a final decision: a person acts. `toldDone`: "refunded" was told. */
  | (RefundId & {
      readonly kind: 'needsPerson';
      readonly problem: RefundProblem;
      readonly toldDone: boolean;
    })
);

/** A refund in one of its states. */
export type RefundIn<Kind extends Refund['kind']> = Extract<Refund, { readonly kind: Kind }>;

/**
 * Whether the till has to acknowledge the outcome before money moves. A manager's action is the
 * decision itself.
 */
export const isOffered = ({ request }: Refund): boolean => request.by.kind === 'till';

export type RefundEvent =
  | SharedEvent
  | { readonly type: 'refundRequested'; readonly request: RefundRequest }
  | (RefundId & { readonly type: 'created' })
  | { readonly type: 'captureIntended' }
  | { readonly type: 'tillAcknowledged' }
  | { readonly type: 'cancelIntended'; readonly reason: NotRefundedReason }
  | { readonly type: 'ended'; readonly reason: NotRefundedReason }
  /** See `PaymentEvent`. */
  | (RefundId & { readonly type: 'foundLate' })
  | { readonly type: 'personNeeded'; readonly problem: RefundProblem }
  | PortalFinding;

/** What a poll shows of a refund. */
export interface PolledRefund {
  readonly status: RefundStatus;
}

export type RefundInput =
  | SharedInput
  | {
      readonly type: 'createAnswered';
      readonly answer: CreateAnswer<RefundId, RefundRefusal | RefundStopReason>;
    }
  /** The answer to `lookUp` and `identify`: null when the service has no such refund. */
  | { readonly type: 'lookedUp'; readonly found: RefundId | null }
  | (PolledRefund & Confirming & { readonly type: 'polled' })
  | { readonly type: 'stopRequested'; readonly reason: RefundStopReason }
  | { readonly type: 'tillAnswered'; readonly acknowledged: boolean }
  | PortalFinding;

export type RefundEffect = SharedEffect<RefundId>;
export type RefundDecision = Decision<RefundEvent, RefundEffect>;
