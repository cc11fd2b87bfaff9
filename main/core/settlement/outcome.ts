/** The outcome of a payment or a refund, and what is known of its money. */
import type {
  Certainty,
  MoneyKnown,
  NotPaidReason,
  NotRefundedReason,
  RefundOutcome,
  PaymentOutcome,
} from '../domain/sale.ts';
import {
  isIdentified,
  isPayment,
  isUnseen,
  type Settlement,
  type SettlementIn,
} from './payment-or-refund.ts';
import type { Payment } from './payment.ts';
import { capturedMinorOf } from './reservation.ts';
import type { Refund } from './refund.ts';

/**
 * The outcome that the till or the cashier is told: null while it is undecided, and of another
 * counter's payment.
 */
export function outcomeOf(payment: Payment): PaymentOutcome | null {
  if (isWaitedFor(payment)) return null;
  switch (payment.kind) {
    case 'capturing':
    case 'paid':
      return { paid: true };
    case 'cancelling':
    case 'notPaid':
      return { paid: false, reason: payment.reason };
    case 'needsPerson':
      return payment.toldDone ? { paid: true } : { paid: false, reason: 'unclear' };
    case 'held':
      return { paid: false, reason: 'held' };
    case 'elsewhere':
      return null;
  }
}

/**
 * The outcome that the till is told: null while it is undecided. `unclear` of a refund that the
 * service does not show may still become "refunded".
 */
export function refundOutcomeOf(refund: Refund): RefundOutcome | null {
  if (isWaitedFor(refund)) return null;
  switch (refund.kind) {
    case 'capturing':
    case 'refunded':
      return { refunded: true };
    case 'cancelling':
    case 'notRefunded':
      return { refunded: false, reason: refund.reason };
    case 'needsPerson':
      return refund.toldDone ? { refunded: true } : { refunded: false, reason: 'unclear' };
  }
}

export const undecidedStates = [
  'creating',
  'resolving',
  'clearing',
  'awaiting',
  'offering',
] as const satisfies readonly Settlement['kind'][];
const undecided: ReadonlySet<Settlement['kind']> = new Set(undecidedStates);
type Undecided = Extract<Settlement, { readonly kind: (typeof undecidedStates)[number] }>;

/** Whether it is undecided, so that the till or the cashier waits for an answer. */
export const isWaitedFor = (state: Settlement): state is Undecided => undecided.has(state.kind);

/**
 * Whether it is held for days, until a till or a manager decides. No till waits for it.
 */
export const isHeld = ({ kind }: Settlement): boolean => kind === 'held';

/** Whether the service has confirmed the outcome. */
export const isSettled = ({ kind }: Settlement): boolean =>
  kind === 'paid' ||
  kind === 'refunded' ||
  kind === 'notPaid' ||
  kind === 'notRefunded' ||
  kind === 'elsewhere';

/** Whether this daemon has nothing left to do about it at the service. */
export const isFinal = (state: Settlement): boolean =>
  isSettled(state) || (state.kind === 'needsPerson' && !isUnseen(state));

/**
 * Whether it ended with nothing known at the service. The create request may arrive there later
 * than anybody waited for it.
 */
export const mayArriveLate = (state: Settlement): boolean =>
  (state.kind === 'notPaid' || state.kind === 'notRefunded') && !isIdentified(state);

/** Whether it is decided against, and the service does not know it. */
export const isUnidentified = (state: Settlement): boolean =>
  mayArriveLate(state) || (state.kind === 'cancelling' && !isIdentified(state));

/** Whether it is too late to stop it: the decision for the money is made, or is about to be. */
export const isTooLateToStop = ({ kind }: Settlement): boolean =>
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

const moneyByProblem = {
  captureLost: 'lost',
  refundLost: 'lost',
  otherAmountCaptured: 'otherAmount',
  refundUnseen: 'unseen',
  capturedUnasked: 'unasked',
  paidOutUnasked: 'unasked',
} as const;

/** The state of the money. The words of every screen, till and receipt follow from this. */
export function moneyKnownOf(state: Settlement): MoneyKnown {
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
      if (!isIdentified(state)) return 'perhapsUnheard';
      return ('reservation' in state && state.reservation !== undefined) ||
        afterReserved.has(state.reason)
        ? 'releasing'
        : 'perhapsApproved';
    case 'notPaid':
    case 'notRefunded':
      return 'notMoved';
    case 'needsPerson':
      return moneyByProblem[state.problem];
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

/** The states in which the service contradicts the outcome that was told, or does not show it. */
export type ContestedKnown = {
  [Known in MoneyKnown]: (typeof certainties)[Known] extends 'contested' ? Known : never;
}[MoneyKnown];
export const isContested = (known: MoneyKnown): known is ContestedKnown =>
  certainties[known] === 'contested';

/** How certain the outcome is, where there is one. */
export const certaintyOf = (state: Settlement): Certainty => certainties[moneyKnownOf(state)];

/** What the service says was captured, where that is not what was requested. */
export const movedOf = (state: Settlement): { readonly movedMinor?: number } =>
  'movedMinor' in state && state.movedMinor !== undefined ? { movedMinor: state.movedMinor } : {};

/**
 * What a person has to settle: what was decided, and the amount. For money that moved unasked, it
 * is the amount that moved.
 */
export function contestedOf(state: SettlementIn<'needsPerson'>) {
  const { problem } = state;
  const requestedMinor = isPayment(state) ? capturedMinorOf(state) : state.request.amountMinor;
  const isUnasked = problem === 'capturedUnasked' || problem === 'paidOutUnasked';
  if (isUnasked)
    return {
      intent: 'cancel',
      problem,
      amountMinor: movedOf(state).movedMinor ?? requestedMinor,
    } as const;
  return { intent: 'capture', problem, amountMinor: requestedMinor, ...movedOf(state) } as const;
}
