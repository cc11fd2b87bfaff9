import type { NotRefundedReason, RefundProblem, RefundTicket } from '../domain/sale.ts';
import type { Decision, Settlement, SettlementEvent, SettlementInput } from './settlement.ts';

/**
 * What was asked for. All of it is on disk before the first request leaves.
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
export interface FoundInPortal {
  readonly type: 'foundInPortal';
  readonly refunded: boolean;
  readonly by: string;
}

export interface RefundTerms {
  readonly about: { readonly request: RefundRequest };
  readonly begun: { readonly type: 'refundRequested'; readonly request: RefundRequest };
  readonly id: { readonly refundId: string };
  readonly idOrNull: { readonly refundId: string | null };
  readonly created: { readonly refundId: string };
  readonly seen: { readonly status: RefundStatus };
  readonly stop: RefundStopReason;
  readonly reason: NotRefundedReason;
  /** Every documented refusal (document 4, section 1.10: 1354, 1365 to 1368), and the rest. */
  readonly refusal: Extract<
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
  readonly problem: RefundProblem;
  readonly done: 'refunded';
  readonly notDone: 'notRefunded';
  readonly ownState: never;
  readonly ownEvent: FoundInPortal;
  readonly ownInput: FoundInPortal;
}

export type Refund = Settlement<RefundTerms>;
export type RefundEvent = SettlementEvent<RefundTerms>;
export type RefundInput = SettlementInput<RefundTerms>;
export type RefundDecision = Decision<RefundTerms>;
