/** Refunds of app payments: paid out at once (document 4, section 4). */
import { type Book, conflict, type Payment, type Refund } from './book.ts';
import { ledgerFacts } from './payments.ts';

export function issueRefund(book: Book, payment: Payment, about: Pick<Refund, 'amountMinor' | 'reference' | 'description'>): Refund {
  const { world } = book;
  const { amountMinor } = about;
  const { point, phone } = payment;
  if (payment.state !== 'captured') throw conflict('invalid_payment_state', 'The payment is not captured');
  if (world.clock.monotonicMs() - payment.capturedAtMs > world.policy.refundWindowMs)
    throw conflict('availability_duration_expired', 'The payment is too old to be refunded');
  const leftMinor = payment.capturedMinor - payment.refundedMinor;
  if (amountMinor > leftMinor) throw conflict('amount_too_large', `The refunds would exceed the payment, of which ${leftMinor} is left`);
  if (amountMinor > point.balanceMinor) throw conflict('amount_exceeds_available_funds', 'The balance of the payment point is too low');
  payment.refundedMinor += amountMinor;
  point.balanceMinor -= amountMinor;
  if (phone !== null) phone.balanceMinor += amountMinor;
  const refund: Refund = { ...about, refundId: world.ids.uuid(), payment, createdOn: world.at(), remainingMinor: leftMinor - amountMinor };
  book.refunds.set(refund.refundId, refund);
  const facts = ledgerFacts(payment);
  const message = about.description === null ? {} : { message: about.description };
  const told = { ...facts.about, ...message, merchantReference: about.reference, refundId: refund.refundId };
  world.ledger.record({ ...facts, type: 'Refund', amountMinor: -amountMinor, about: told });
  return refund;
}
