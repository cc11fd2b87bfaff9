/** Refunds of app payments, which are paid out at once (document 4, section 4). */
import {
  type AppPaymentRegistry,
  conflict,
  type SimulatedAppPayment,
  type SimulatedAppRefund,
} from './app-payment-registry.ts';
import { ledgerFields } from './app-payments.ts';

export function issueRefund(
  registry: AppPaymentRegistry,
  payment: SimulatedAppPayment,
  about: Pick<SimulatedAppRefund, 'amountMinor' | 'reference' | 'description'>,
): SimulatedAppRefund {
  const { world } = registry;
  const { amountMinor } = about;
  const { point, phone } = payment;
  if (payment.state !== 'captured')
    throw conflict('invalid_payment_state', 'The payment is not captured');
  if (world.clock.monotonicMs() - payment.capturedAtMs > world.policy.refundWindowMs)
    throw conflict('availability_duration_expired', 'The payment is too old to be refunded');
  const leftMinor = payment.capturedMinor - payment.refundedMinor;
  if (amountMinor > leftMinor)
    throw conflict(
      'amount_too_large',
      `The refunds would exceed the payment, of which ${leftMinor} is left`,
    );
  if (amountMinor > point.balanceMinor)
    throw conflict('amount_exceeds_available_funds', 'The balance of the payment point is too low');
  payment.refundedMinor += amountMinor;
  point.balanceMinor -= amountMinor;
  if (phone !== null) phone.balanceMinor += amountMinor;
  const refund: SimulatedAppRefund = {
    ...about,
    refundId: world.ids.uuid(),
    payment,
    createdOn: world.at(),
    remainingMinor: leftMinor - amountMinor,
  };
  registry.refunds.set(refund.refundId, refund);
  const facts = ledgerFields(payment);
  const message = about.description === null ? {} : { message: about.description };
  const ledgerAbout = {
    ...facts.about,
    ...message,
    merchantReference: about.reference,
    refundId: refund.refundId,
  };
  world.ledger.record({ ...facts, type: 'Refund', amountMinor: -amountMinor, about: ledgerAbout });
  return refund;
}
