import type { DatabaseSync } from 'node:sqlite';
import { applyToPayment, replayPayment } from '../settlement/apply.ts';
import { certaintyOf, movedOf, outcomeOf } from '../settlement/outcome.ts';
import type { Payment, PaymentEvent, Sale } from '../settlement/payment.ts';
import { bookingOf, bookingTicket, capturedMinorOf } from '../settlement/reservation.ts';
import type { FinishedBooking, FinishedPayment } from '../domain/sale.ts';
import { number, query, text } from '../../support/sql-rows.ts';
import type { EventLog } from './event-log.ts';
import type { OpenSale, ReservationNumbers } from './journal.ts';

/**
 * Search window for payments that ended as unknown to the service: the newest 5,000 sales, at most
 * 50 matches.
 */
const newestSales = 5_000;
export const maxUnfound = 50;

/** A lane's last numbers, and their place in the order of all events. */
export interface Numbered {
  readonly seq: number;
  readonly receiptNumber: number;
  readonly traceNumber: number;
}

/** A payment that needs a person stays open, so that it is shown again after a restart. */
export const isClosedPayment = ({ kind }: Payment): boolean =>
  kind === 'paid' || kind === 'notPaid' || kind === 'elsewhere';

/** A payment's first event. */
export const beginsPayment = ({ type }: { readonly type: string }): boolean =>
  type === 'saleRequested' || type === 'foundAtService';

/** The columns of a row of `sales` that change. */
function projectionOf(payment: Payment) {
  return {
    paymentId: 'paymentId' in payment ? payment.paymentId : null,
    state: payment.kind,
    closed: isClosedPayment(payment) ? 1 : 0,
    decided: outcomeOf(payment) === null ? 0 : 1,
  };
}

const ofSale = { saleId: text };
export const numbered = { seq: number, receiptNumber: number, traceNumber: number };

/** The table `sales`, and the current states of payments. */
export function salesTable(db: DatabaseSync, log: EventLog) {
  const insert = db.prepare(
    `INSERT INTO sales (number, sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number, at_ms, order_id, amount_minor, currency)
     VALUES (:number, :saleId, :laneId, :paymentId, :state, :closed, :decided, :receiptNumber, :traceNumber, :atMs, :orderId, :amountMinor, :currency)`,
  );
  const update = db.prepare(
    'UPDATE sales SET payment_id = :paymentId, state = :state, closed = :closed, decided = :decided WHERE sale_id = :saleId',
  );
  const updateCaptured = db.prepare(`
    UPDATE sales SET captured_minor = :minor, (captured_seq, captured_at_ms) = (
      SELECT seq, at_ms FROM events WHERE events.sale_id = sales.sale_id AND refund_order_id IS NULL AND type = 'captureIntended' LIMIT 1)
    WHERE sale_id = :saleId AND captured_seq IS NULL`);
  const insertBookings = db.prepare(`
    INSERT OR IGNORE INTO bookings (number, sale_id, lane_id, receipt_number, trace_number)
    SELECT seq, sale_id, lane_id, body ->> '$.booking.receiptNumber', body ->> '$.booking.traceNumber'
    FROM events WHERE sale_id = ? AND refund_order_id IS NULL AND type = 'bookingRequested'`);
  const booked = { ...ofSale, ...numbered };
  const bookingsWhere = (which: string): string =>
    `SELECT sale_id, number AS seq, receipt_number, trace_number FROM bookings WHERE lane_id = ? ${which} ORDER BY number DESC LIMIT 50`;
  // A booking of a reservation that a repair could not save has no event; its numbers are on a
  // receipt all the same.
  const isWhole = 'AND EXISTS (SELECT 1 FROM events WHERE events.seq = bookings.number)';
  const selectLastBooking = query(db, bookingsWhere(''), booked);
  const selectBookings = query(db, bookingsWhere(isWhole), booked);
  const selectBooked = query(db, bookingsWhere(`AND receipt_number = ? ${isWhole}`), booked);
  const selectNumbered = query(
    db,
    `SELECT sale_id FROM sales WHERE lane_id = :lane AND (:receipt IS NULL OR receipt_number = :receipt) AND (:trace IS NULL OR trace_number = :trace)
      AND number > (SELECT max(number) FROM sales) - :window ORDER BY number DESC LIMIT 1`,
    ofSale,
  );
  const updateAmount = db.prepare(
    'UPDATE sales SET amount_minor = :amount WHERE sale_id = :sale AND amount_minor != :amount',
  );
  const selectOpen = query(
    db,
    'SELECT sale_id FROM sales WHERE lane_id = ? AND closed = 0 ORDER BY number',
    ofSale,
  );
  const selectPaid = query(
    db,
    "SELECT sale_id FROM sales WHERE lane_id = ? AND receipt_number = ? AND state IN ('capturing', 'paid') ORDER BY number DESC LIMIT 1",
    ofSale,
  );
  const selectByPayment = query(
    db,
    'SELECT sale_id FROM sales WHERE substr(payment_id, -4) = substr(:id, -4) AND payment_id = :id',
    ofSale,
  );
  const selectByOrder = query(db, 'SELECT sale_id FROM sales WHERE order_id = ?', ofSale);
  // A refused sale was never looked up. The window counts sales, not days: a wrong clock must not
  // hide one.
  const selectUnfound = query(
    db,
    `SELECT sale_id FROM sales
    WHERE lane_id = :lane AND state = 'notPaid' AND payment_id IS NULL AND number > (SELECT max(number) FROM sales) - ${newestSales}
      AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND refund_order_id IS NULL AND type = 'attemptFailed')
    ORDER BY number DESC LIMIT ${maxUnfound}`,
    ofSale,
  );
  // A sale that a repair could not save has no events; it counts as older than the repair.
  const withSeq = (which: string): string => `
    SELECT sale_id, receipt_number, trace_number,
      NOT EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id) AS is_lost,
      coalesce((SELECT min(seq) FROM events WHERE events.sale_id = sales.sale_id), (SELECT max(last_seq) FROM repairs), 0) AS seq
    FROM sales WHERE lane_id = ? ${which} ORDER BY number DESC LIMIT 1`;
  // Another counter's payment has no numbers of ours.
  const selectLast = query(db, withSeq("AND state != 'elsewhere'"), {
    ...numbered,
    isLost: number,
  });
  // Payments that a cashier started by hand are not the till's.
  const byTill = `NOT EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND type = 'saleRequested' AND body ->> '$.sale.by' = 'cashier')`;
  const selectLastDecided = query(db, withSeq(`AND decided = 1 AND ${byTill}`), {
    ...ofSale,
    seq: number,
  });
  const selectNewest = query(
    db,
    "SELECT sale_id FROM sales WHERE lane_id = ? AND state != 'elsewhere' AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id) ORDER BY number DESC LIMIT ?",
    ofSale,
  );
  // Caches open payments, so that an append does not read back its own events.
  const underWay = new Map<string, Payment>();

  const paymentOf = (saleId: string): Payment =>
    underWay.get(saleId) ?? replayPayment(log.ofSale(saleId));
  /**
   * @param begun given for a new sale, with null as its number for the next one; null for a sale
   * that has a row
   */
  function project(
    laneId: string,
    saleId: string,
    payment: Payment,
    begun: { readonly number: number | null; readonly atMs: number } | null,
  ): void {
    const row = { saleId, ...projectionOf(payment) };
    if (begun === null) update.run(row);
    else {
      const { receiptNumber, traceNumber, orderId, amountMinor, currency } = payment.sale;
      insert.run({
        ...row,
        ...begun,
        laneId,
        receiptNumber,
        traceNumber,
        orderId,
        amountMinor,
        currency,
      });
    }
    const minor = payment.reservation?.captureMinor ?? null;
    if (minor !== null) updateCaptured.run({ minor, saleId });
    if (payment.reservation !== undefined) insertBookings.run(saleId);
    if (payment.sale.typedMinor !== undefined)
      updateAmount.run({ amount: payment.sale.amountMinor, sale: saleId });
  }

  /** Whether this booking is what became of the reservation: its capture, or its release. */
  function isDecidedBy({
    saleId,
    receiptNumber,
    traceNumber,
  }: Numbered & { readonly saleId: string }): boolean {
    const booking = bookingOf(paymentOf(saleId));
    return booking?.receiptNumber === receiptNumber && booking.traceNumber === traceNumber;
  }

  return {
    paymentOf,

    project,

    /** Part of the caller's transaction. @returns what to call once it is committed */
    append(
      laneId: string,
      saleId: string,
      atMs: number,
      events: readonly PaymentEvent[],
    ): () => void {
      const [first] = events;
      if (first === undefined) throw new Error('an append without events');
      const begins = beginsPayment(first);
      let now = applyToPayment(begins ? null : paymentOf(saleId), first);
      for (const event of events.slice(1)) now = applyToPayment(now, event);
      log.append({ laneId, saleId, refundOrderId: null }, atMs, events);
      project(laneId, saleId, now, begins ? { number: null, atMs } : null);
      return () =>
        void (isClosedPayment(now) ? underWay.delete(saleId) : underWay.set(saleId, now));
    },

    open(laneId: string): OpenSale[] {
      return selectOpen.all(laneId).map(({ saleId }) => ({ saleId, events: log.ofSale(saleId) }));
    },

    /** The latest whose receipt has this number: numbers start again after 9999. */
    paid(
      laneId: string,
      receiptNumber: number,
    ): Extract<Payment, { kind: 'capturing' | 'paid' }> | null {
      const byBooking = selectBooked.all(laneId, receiptNumber).find((row) => isDecidedBy(row));
      const row = selectPaid.first(laneId, receiptNumber);
      const candidates = [byBooking, row]
        .flatMap((one) => (one == null ? [] : paymentOf(one.saleId)))
        .filter((payment) => receiptOf(payment).receiptNumber === receiptNumber);
      const payment = candidates.toSorted(
        (one, other) => receiptOf(other).startedAtMs - receiptOf(one).startedAtMs,
      )[0];
      return payment?.kind === 'capturing' || payment?.kind === 'paid' ? payment : null;
    },

    reservation(
      laneId: string,
      { receiptNumber, traceNumber }: ReservationNumbers,
    ): Payment | null {
      const row = selectNumbered.first({
        lane: laneId,
        receipt: receiptNumber,
        trace: traceNumber,
        window: newestSales,
      });
      const payment = row && paymentOf(row.saleId);
      return payment?.sale.plannedCaptureDelay === undefined ? null : payment;
    },

    lastBooked(
      laneId: string,
    ): { readonly seq: number; readonly finished: FinishedBooking } | null {
      const row = selectBookings.all(laneId).find((one) => isDecidedBy(one));
      const payment = row && paymentOf(row.saleId);
      const booking = payment && bookingOf(payment);
      return row && payment && booking
        ? {
            seq: row.seq,
            finished: {
              booking: bookingTicket(payment.sale, booking),
              certainty: certaintyOf(payment),
            },
          }
        : null;
    },

    /**
     * The last numbers that a sale, refund or booking got. The time of a sale that a repair could
     * not save is unknown: then the higher numbers are the later ones.
     */
    last(laneId: string): Numbered | null {
      const sale = selectLast.first(laneId);
      const booking = selectLastBooking.first(laneId);
      if (sale === null || booking === null) return sale ?? booking;
      const isBooking =
        sale.isLost === 1 ? booking.traceNumber > sale.traceNumber : booking.seq > sale.seq;
      return isBooking ? { ...booking, seq: Math.max(booking.seq, sale.seq) } : sale;
    },

    newest: (laneId: string, most: number): Payment[] =>
      selectNewest.all(laneId, most).map(({ saleId }) => paymentOf(saleId)),

    /** Among those that a till asked for. */
    lastDecided(
      laneId: string,
    ): { readonly seq: number; readonly finished: FinishedPayment } | null {
      const row = selectLastDecided.first(laneId);
      if (row === null) return null;
      const payment = paymentOf(row.saleId);
      const outcome = outcomeOf(payment);
      return outcome === null
        ? null
        : {
            seq: row.seq,
            finished: {
              sale: payment.sale,
              capturedMinor: capturedMinorOf(payment),
              ...movedOf(payment),
              outcome,
              certainty: certaintyOf(payment),
            },
          };
    },

    ofOrder(orderId: string): Payment | null {
      const row = selectByOrder.first(orderId);
      return row && paymentOf(row.saleId);
    },

    /** Payments that ended because the service did not know them. */
    unfound: (laneId: string): Payment[] =>
      selectUnfound
        .all({ lane: laneId })
        .map(({ saleId }) => paymentOf(saleId))
        .toReversed(),

    ofPayment(paymentId: string): Sale | null {
      const row = selectByPayment.first({ id: paymentId });
      return row && paymentOf(row.saleId).sale;
    },
  };
}

/**
 * The numbers on the receipt: for a reservation that a till captured, those of the capture.
 */
const receiptOf = (payment: Payment): Pick<Sale, 'receiptNumber' | 'startedAtMs'> =>
  bookingOf(payment) ?? payment.sale;

export type SalesTable = ReturnType<typeof salesTable>;
