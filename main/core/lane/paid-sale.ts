import type { Journal, PaidSale } from '../journal/journal.ts';
import { replayPayment } from '../settlement/apply.ts';
import { bookingOf, capturedMinorOf } from '../settlement/reservation.ts';
import { refundedElsewhere } from '../settlement/refundable.ts';
import type { Payment, PaymentEvent } from '../settlement/payment.ts';

/** The current state of a sale of any lane; null for an unknown id. */
export function paymentOfSale(journal: Journal, saleId: string): Payment | null {
  const events = journal.story(saleId).filter((entry) => entry.refundOrderId === null);
  // Events without a refund's order id are the payment's.
  return events.length === 0
    ? null
    : replayPayment(events.map(({ event }) => event as PaymentEvent));
}

/**
 * The paid sale with this id: after 9999 sales a receipt number belongs to another one. The lane
 * that took it may have been removed.
 */
export function paidSaleOf(journal: Journal, saleId: string): PaidSale | null {
  const payment = paymentOfSale(journal, saleId);
  if (payment?.kind !== 'paid' && payment?.kind !== 'capturing' && payment?.kind !== 'elsewhere')
    return null;
  const refunds = journal.refundsOf(saleId).filter(({ kind }) => kind !== 'notRefunded');
  const refundedMinor = refunds.reduce((sum, { request }) => sum + request.amountMinor, 0);
  const { sale, paymentId } = payment;
  const booked = bookingOf(payment);
  return {
    sale,
    paymentId,
    capturedMinor: capturedMinorOf(payment),
    captured: payment.kind !== 'capturing',
    refundedMinor,
    elsewhereMinor: refundedElsewhere(payment),
    ...(booked && { booked }),
  };
}
