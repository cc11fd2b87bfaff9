/** The outcome of a payment or a refund, and what is known of its money. */
import type {
  Certainty,
  MoneyKnown,
  NotPaidReason,
  NotRefundedReason,
  RefundOutcome,
  SaleOutcome,
} from '../domain/sale.ts';
import { type AnySettlement, idOf, isUnseen, type State } from './kinds.ts';
import type { Payment } from './payment.ts';
import { capturedMinorOf } from './reservation.ts';
import type { Refund } from './refund.ts';

/**
 * What whoever asked for it was told, or will be: null while it is undecided, and of another
 * counter's payment. `unclear` of a refund that nobody sees may still become "refunded".
 */
export function outcomeOf(payment: Payment): SaleOutcome | null;
export function outcomeOf(refund: Refund): RefundOutcome | null;
export function outcomeOf(state: AnySettlement): AnyOutcome | null {
  const outcome = (isDone: boolean, reason: NotPaidReason | NotRefundedReason): AnyOutcome => {
    if ('sale' in state) return isDone ? { paid: true } : { paid: false, reason };
    return isDone ? { refunded: true } : { refunded: false, reason };
  };
  if (isWaitedFor(state)) return null;
  switch (state.kind) {
    case 'capturing':
    case 'paid':
    case 'refunded':
      return outcome(true, 'unclear');
    case 'cancelling':
    case 'notPaid':
    case 'notRefunded':
      return outcome(false, state.reason);
    case 'needsPerson':
      return outcome(state.toldDone, 'unclear');
    case 'held':
      return { paid: false, reason: 'held' };
    case 'elsewhere':
      return null;
  }
}

type AnyOutcome =
  | Extract<SaleOutcome, { paid: true }>
  | Extract<RefundOutcome, { refunded: true }>
  | { readonly paid: false; readonly reason: NotPaidReason | NotRefundedReason | 'held' }
  | { readonly refunded: false; readonly reason: NotPaidReason | NotRefundedReason };

export const undecidedStates = [
  'creating',
  'resolving',
  'clearing',
  'awaiting',
  'offering',
] as const satisfies readonly AnySettlement['kind'][];
const undecided: ReadonlySet<AnySettlement['kind']> = new Set(undecidedStates);
type Undecided = Extract<AnySettlement, { readonly kind: (typeof undecidedStates)[number] }>;

/** Whether it is undecided, and whoever asked for it waits for an answer. */
export const isWaitedFor = (state: AnySettlement): state is Undecided => undecided.has(state.kind);

/**
 * Whether it is held for days: nobody waits for it, and it stays as it is until somebody decides.
 */
export const isHeld = ({ kind }: AnySettlement): boolean => kind === 'held';

/** Whether the service agrees, so that nobody has anything left to do about it. */
export const isSettled = ({ kind }: AnySettlement): boolean =>
  kind === 'paid' ||
  kind === 'refunded' ||
  kind === 'notPaid' ||
  kind === 'notRefunded' ||
  kind === 'elsewhere';

/** Whether this daemon has nothing left to do about it at the service. */
export const isFinal = (state: AnySettlement): boolean =>
  isSettled(state) || (state.kind === 'needsPerson' && !isUnseen(state));

/**
 * Whether it ended with nothing known at the service. The create request may arrive there later
 * than anybody waited for it.
 */
export const mayArriveLate = (state: AnySettlement): boolean =>
  (state.kind === 'notPaid' || state.kind === 'notRefunded') && idOf(state) === null;

/** Whether it is decided against, and the service does not know it. */
export const isUnidentified = (state: AnySettlement): boolean =>
  mayArriveLate(state) || (state.kind === 'cancelling' && idOf(state) === null);

/** Whether it is too late to stop it: the decision for the money is made, or is about to be. */
export const isTooLateToStop = ({ kind }: AnySettlement): boolean =>
  kind === 'offering' ||
  kind === 'held' ||
  kind === 'capturing' ||
  kind === 'paid' ||
  kind === 'refunded';

/** Reasons that follow from what the service had reserved. */
const afterReserved: ReadonlySet<NotPaidReason | NotRefundedReason> = new Set([
  'notDelivered',
  'amountMismatch',
]);

const knownByProblem = {
  captureLost: 'lost',
  refundLost: 'lost',
  otherAmountCaptured: 'otherAmount',
  refundUnseen: 'unseen',
  capturedUnasked: 'unasked',
  paidOutUnasked: 'unasked',
} as const;

/** What is known of the money. The words of every screen, till and receipt follow from this. */
export function knownOf(state: AnySettlement): MoneyKnown {
  if (isWaitedFor(state)) return 'undecided';
  switch (state.kind) {
    case 'held':
      return 'reserved';
    case 'capturing':
      return 'moving';
    case 'paid':
    case 'refunded':
    case 'elsewhere':
      return 'moved';
    case 'cancelling':
      if (idOf(state) === null) return 'perhapsUnheard';
      return ('reservation' in state && state.reservation !== undefined) ||
        afterReserved.has(state.reason)
        ? 'releasing'
        : 'perhapsApproved';
    case 'notPaid':
    case 'notRefunded':
      return 'notMoved';
    case 'needsPerson':
      return knownByProblem[state.problem];
  }
}

const certainties = {
  undecided: 'confirmed',
  reserved: 'confirmed',
  moving: 'decided',
  moved: 'confirmed',
  perhapsUnheard: 'decided',
  perhapsApproved: 'decided',
  releasing: 'decided',
  notMoved: 'confirmed',
  lost: 'contested',
  otherAmount: 'contested',
  unseen: 'contested',
  unasked: 'contested',
} as const satisfies Readonly<Record<MoneyKnown, Certainty>>;

/** What is known when the service contradicts what was told, or does not show it. */
export type ContestedKnown = {
  [Known in MoneyKnown]: (typeof certainties)[Known] extends 'contested' ? Known : never;
}[MoneyKnown];
export const isContested = (known: MoneyKnown): known is ContestedKnown =>
  certainties[known] === 'contested';

/** How certain the outcome is, where there is one. */
export const certaintyOf = (state: AnySettlement): Certainty => certainties[knownOf(state)];

/** What the service says was captured, where that is not what was requested. */
export const movedOf = (state: AnySettlement): { readonly movedMinor?: number } =>
  state.kind === 'needsPerson' && state.movedMinor !== undefined
    ? { movedMinor: state.movedMinor }
    : {};

/**
 * What a person has to settle: what was decided, and the amount. For money that moved unasked, it
 * is the amount that moved.
 */
export function contestedOf(state: State<'needsPerson'>) {
  const { problem } = state;
  const askedMinor = 'sale' in state ? capturedMinorOf(state) : state.request.amountMinor;
  const isUnasked = problem === 'capturedUnasked' || problem === 'paidOutUnasked';
  if (isUnasked)
    return { intent: 'cancel', problem, amountMinor: state.movedMinor ?? askedMinor } as const;
  return { intent: 'capture', problem, amountMinor: askedMinor, ...movedOf(state) } as const;
}
