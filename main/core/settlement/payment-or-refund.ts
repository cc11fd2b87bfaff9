/** For code that carries payments and refunds alike. */
import type { Payment, PaymentEffect, PaymentEvent, PaymentId, PaymentInput } from './payment.ts';
import type {
  Refund,
  RefundEffect,
  RefundEvent,
  RefundId,
  RefundIn,
  RefundInput,
} from './refund.ts';
import type { Decision } from './settlement.ts';

export type Settlement = Payment | Refund;
export type SettlementEvent = PaymentEvent | RefundEvent;
export type SettlementInput = PaymentInput | RefundInput;
export type SettlementEffect = PaymentEffect | RefundEffect;
export type SettlementDecision = Decision<SettlementEvent, SettlementEffect>;
/** The id at the service, under its name. */
export type ServiceId = PaymentId | RefundId;
export type SettlementIn<Kind extends Settlement['kind']> = Extract<
  Settlement,
  { readonly kind: Kind }
>;

export const isPayment = (state: Settlement): state is Payment => 'sale' in state;

export const nounOf = (state: Settlement): 'payment' | 'refund' =>
  isPayment(state) ? 'payment' : 'refund';

/**
 * A refund that the service took and does not show: it is looked for on, and a manager may have
 * found it.
 */
export const isUnseen = (state: Settlement): state is RefundIn<'needsPerson'> =>
  state.kind === 'needsPerson' && state.problem === 'refundUnseen';

/** Whether its id at the service is known. */
export const isIdentified = (state: Settlement): boolean =>
  ('paymentId' in state && state.paymentId !== null) ||
  ('refundId' in state && state.refundId !== null);

/** The id alone, without the other fields of a state, an answer or an effect. */
export const idIn = (source: ServiceId): ServiceId =>
  'paymentId' in source ? { paymentId: source.paymentId } : { refundId: source.refundId };
