import type { DatabaseSync } from 'node:sqlite';
import { replayPayment, replayRefund } from '../settlement/apply.ts';
import { certaintyOf, outcomeOf, refundOutcomeOf } from '../settlement/outcome.ts';
import { claimantOf } from '../settlement/payment.ts';
import { bookingOf, bookingTicket, capturedMinorOf } from '../settlement/reservation.ts';
import type { FinishedBooking, FinishedRefund, FinishedPayment } from '../domain/sale.ts';
import { number, orNull, query, text } from '../../support/sql-rows.ts';
import type { EventLog } from './event-log.ts';

type Finished = FinishedPayment | FinishedRefund | FinishedBooking;

/** Finds payments, refunds and bookings of tills by their receipt numbers. */
export function receiptsReader(db: DatabaseSync, log: EventLog) {
  const row = { kind: text, id: text, receiptNumber: number, seq: orNull(number) };
  const between = 'lane_id = :lane AND receipt_number BETWEEN :first AND :last';
  const selectNumbered = query(
    db,
    `SELECT 'sale' AS kind, sale_id AS id, receipt_number, (SELECT min(seq) FROM events WHERE events.sale_id = sales.sale_id) AS seq
       FROM sales INDEXED BY sales_by_receipt WHERE ${between} AND state != 'elsewhere'
     UNION ALL SELECT 'refund', refund_order_id, receipt_number, number FROM refunds WHERE ${between}
     UNION ALL SELECT 'booking', sale_id, receipt_number, number FROM bookings INDEXED BY bookings_by_receipt WHERE ${between}`,
    row,
  );

  function finished(kind: string, id: string, receiptNumber: number): Finished | null {
    if (kind === 'refund') {
      const refund = replayRefund(log.ofRefund(id));
      const outcome = refundOutcomeOf(refund);
      return outcome === null || refund.request.by.kind !== 'till'
        ? null
        : { refund: refund.request, outcome, certainty: certaintyOf(refund) };
    }
    const payment = replayPayment(log.ofSale(id));
    const booking = bookingOf(payment);
    if (kind === 'booking')
      return booking?.receiptNumber === receiptNumber
        ? { booking: bookingTicket(payment.sale, booking), certainty: certaintyOf(payment) }
        : null;
    const outcome = outcomeOf(payment);
    // When a till decided a reservation, the receipt is the decision's.
    if (outcome === null || booking !== null || claimantOf(payment.sale) !== 'till') return null;
    return {
      sale: payment.sale,
      capturedMinor: capturedMinorOf(payment),
      outcome,
      certainty: certaintyOf(payment),
    };
  }

  return {
    /** Receipt numbers start again, so each number stands for its latest use. */
    finishedBetween(laneId: string, first: number, last: number): Finished[] {
      const latest = new Map<
        number,
        { readonly kind: string; readonly id: string; readonly seq: number }
      >();
      // What a repair could not save has no event, and no receipt.
      for (const { seq, receiptNumber, ...of } of selectNumbered.all({ lane: laneId, first, last }))
        if (seq !== null && seq >= (latest.get(receiptNumber)?.seq ?? 0))
          latest.set(receiptNumber, { ...of, seq });
      return [...latest]
        .sort(([one], [other]) => one - other)
        .flatMap(([receiptNumber, { kind, id }]) => finished(kind, id, receiptNumber) ?? []);
    },
  };
}
