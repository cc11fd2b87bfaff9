import type { Capabilities } from './capabilities.ts';
import type { PaymentTerms } from './payment.ts';
import type { RefundTerms } from './refund.ts';
import type {
  Decision,
  Effect,
  Settlement,
  SettlementEvent,
  SettlementInput,
  Terms,
} from './settlement.ts';

/** A payment or a refund: what the machine works on. */
export type AnyTerms = { readonly [Name in keyof Terms]: PaymentTerms[Name] | RefundTerms[Name] };
export type AnySettlement = Settlement<AnyTerms>;
export type AnyEvent = SettlementEvent<AnyTerms>;
export type AnyInput = SettlementInput<AnyTerms>;
export type AnyEffect = Effect<AnyTerms>;
export type AnyDecision = Decision<AnyTerms>;
export type State<Kind extends AnySettlement['kind']> = Extract<
  AnySettlement,
  { readonly kind: Kind }
>;

/** What tells a payment and a refund apart, as values. */
interface Kind {
  readonly noun: 'payment' | 'refund';
  readonly done: AnyTerms['done'];
  readonly notDone: AnyTerms['notDone'];
  /** Told as done, and ended at the service without money. */
  readonly lost: AnyTerms['problem'];
  /** Money moved although nobody here decided so. */
  readonly unasked: AnyTerms['problem'];
  /**
   * A customer can approve it until it is cancelled: a request to stop waits for one more poll,
   * which may show that the customer was faster.
   */
  readonly isApprovedByCustomer: boolean;
}

const payment: Kind = {
  noun: 'payment',
  done: 'paid',
  notDone: 'notPaid',
  lost: 'captureLost',
  unasked: 'capturedUnasked',
  isApprovedByCustomer: true,
};

const refund: Kind = {
  noun: 'refund',
  done: 'refunded',
  notDone: 'notRefunded',
  lost: 'refundLost',
  unasked: 'paidOutUnasked',
  isApprovedByCustomer: false,
};

export const kindOf = (state: AnySettlement): Kind => ('sale' in state ? payment : refund);

/**
 * Whoever asked for it has to acknowledge the outcome before money moves. A manager's action is the
 * decision itself.
 */
export const isOffered = (state: AnySettlement): boolean =>
  'sale' in state || state.request.by.kind === 'till';

/** The create request moves the money at once. */
export const isOneStep = (state: AnySettlement, { refunds }: Capabilities): boolean =>
  'request' in state && refunds === 'oneStep';

/**
 * A refund that the service took and does not show: it is looked for on, and a manager may have
 * found it.
 */
export const isUnseen = (state: AnySettlement): state is State<'needsPerson'> =>
  state.kind === 'needsPerson' && state.problem === 'refundUnseen';

/** What was asked for: the fields that each next state takes over. */
export function aboutOf(state: AnySettlement): AnyTerms['about'] {
  if (!('sale' in state)) return { request: state.request };
  return state.reservation === undefined
    ? { sale: state.sale }
    : { sale: state.sale, reservation: state.reservation };
}

/** The id alone, without the other fields of a state, an answer or an event. */
export const idIn = (found: AnyTerms['id']): AnyTerms['id'] =>
  'paymentId' in found ? { paymentId: found.paymentId } : { refundId: found.refundId };

export const idOrNullOf = (state: AnySettlement): AnyTerms['idOrNull'] =>
  'sale' in state
    ? { paymentId: 'paymentId' in state ? state.paymentId : null }
    : { refundId: 'refundId' in state ? state.refundId : null };

/** The id at the service; null when there is none or it is not known. */
export function idOf(state: AnySettlement): AnyTerms['id'] | null {
  const id = idOrNullOf(state);
  if ('paymentId' in id) return id.paymentId === null ? null : { paymentId: id.paymentId };
  return id.refundId === null ? null : { refundId: id.refundId };
}
