import type { DatabaseSync } from 'node:sqlite';
import { apply, replay } from '../domain/settlement/apply.ts';
import { certaintyOf } from '../domain/settlement/certainty.ts';
import { outcomeOf, type Payment, type PaymentEvent, type Sale } from '../domain/settlement/payment.ts';
import type { FinishedSale } from '../domain/sale.ts';
import { number, query, text } from '../support/sql-rows.ts';
import type { EventLog } from './event-log.ts';
import type { OpenSale } from './journal.ts';

/** How far back it is looked for what ended because the service knew of none, and how many are. */
const newestSales = 5_000;
export const mostUnfound = 50;

/** What a lane's last number was, and when, in the order of all events. */
export interface Numbered {
  readonly seq: number;
  readonly receiptNumber: number;
  readonly traceNumber: number;
}

/** One that needs a person stays open: it must be seen again after a restart. */
export const isClosedPayment = (payment: Payment): boolean => payment.kind === 'paid' || payment.kind === 'notPaid';

/** What a row of `sales` says beside what never changes. */
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

/** The table `sales`, and payments as they stand. */
export function salesBook(db: DatabaseSync, log: EventLog) {
  const insert = db.prepare(
    `INSERT INTO sales (number, sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number, at_ms, order_id, amount_minor, currency)
     VALUES (?, ?, ?, NULL, 'creating', 0, 0, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare('UPDATE sales SET payment_id = ?, state = ?, closed = ?, decided = ? WHERE sale_id = ?');
  const selectOpen = query(db, 'SELECT sale_id FROM sales WHERE lane_id = ? AND closed = 0 ORDER BY number', ofSale);
  const selectPaid = query(
    db,
    "SELECT sale_id FROM sales WHERE lane_id = ? AND receipt_number = ? AND state IN ('capturing', 'paid') ORDER BY number DESC LIMIT 1",
    ofSale,
  );
  const selectByPayment = query(db, 'SELECT sale_id FROM sales WHERE substr(payment_id, -4) = substr(:id, -4) AND payment_id = :id', ofSale);
  const selectByOrder = query(db, 'SELECT sale_id FROM sales WHERE order_id = ?', ofSale);
  // Of a refused one no look-up was needed. Counted in sales, not in days: a clock that was wrong must not hide one.
  const selectUnfound = query(
    db,
    `SELECT sale_id FROM sales
    WHERE lane_id = :lane AND state = 'notPaid' AND payment_id IS NULL AND number > (SELECT max(number) FROM sales) - ${newestSales}
      AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND refund_order_id IS NULL AND type = 'attemptFailed')
    ORDER BY number DESC LIMIT ${mostUnfound}`,
    ofSale,
  );
  // One that a repair could not save has no events; it was there before the repair.
  const withSeq = (which: string): string => `
    SELECT sale_id, receipt_number, trace_number,
      coalesce((SELECT min(seq) FROM events WHERE events.sale_id = sales.sale_id), (SELECT max(last_seq) FROM repairs), 0) AS seq
    FROM sales WHERE lane_id = ? ${which} ORDER BY number DESC LIMIT 1`;
  const selectLast = query(db, withSeq(''), numbered);
  // What a cashier took by hand is no till's.
  const byTill = `NOT EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND type = 'saleRequested' AND body ->> '$.sale.by' = 'cashier')`;
  const selectLastDecided = query(db, withSeq(`AND decided = 1 AND ${byTill}`), { ...ofSale, seq: number });
  const selectNewest = query(
    db,
    'SELECT sale_id FROM sales WHERE lane_id = ? AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id) ORDER BY number DESC LIMIT ?',
    ofSale,
  );
  // Payments under way, so that an append need not read back what it just wrote. Final ones leave.
  const underWay = new Map<string, Payment>();

  const paymentOf = (saleId: string): Payment => underWay.get(saleId) ?? replay(log.ofSale(saleId));
  /** @param begun of a new sale, its number null: the next one; null: it is there already */
  function project(laneId: string, saleId: string, payment: Payment, begun: { readonly number: number | null; readonly atMs: number } | null): void {
    if (begun !== null) {
      const { receiptNumber, traceNumber, orderId, amountMinor, currency } = payment.sale;
      insert.run(begun.number, saleId, laneId, receiptNumber, traceNumber, begun.atMs, orderId, amountMinor, currency);
    }
    const { paymentId, state, closed, decided } = projectionOf(payment);
    update.run(paymentId, state, closed, decided, saleId);
  }

  return {
    paymentOf,

    /** Writes what can be derived. */
    project,

    /** Inside the caller's transaction. @returns what is to be kept in mind once that is committed */
    append(laneId: string, saleId: string, atMs: number, events: readonly PaymentEvent[]): () => void {
      const [first] = events;
      if (first === undefined) throw new Error('an append without events');
      let now = apply(first.type === 'saleRequested' ? null : paymentOf(saleId), first);
      for (const event of events.slice(1)) now = apply(now, event);
      log.append({ laneId, saleId, refundOrderId: null }, atMs, events);
      project(laneId, saleId, now, first.type === 'saleRequested' ? { number: null, atMs } : null);
      return () => void (isClosedPayment(now) ? underWay.delete(saleId) : underWay.set(saleId, now));
    },

    open(laneId: string): OpenSale[] {
      return selectOpen.all(laneId).map(({ saleId }) => ({ saleId, events: log.ofSale(saleId) }));
    },

    /** The latest, among those that carry this receipt number: numbers come again after 9999. */
    paid(laneId: string, receiptNumber: number): Extract<Payment, { kind: 'capturing' | 'paid' }> | null {
      const row = selectPaid.first(laneId, receiptNumber);
      if (row === null) return null;
      const payment = paymentOf(row.saleId);
      return payment.kind === 'capturing' || payment.kind === 'paid' ? payment : null;
    },

    last: (laneId: string): Numbered | null => selectLast.first(laneId),

    newest: (laneId: string, most: number): Payment[] => selectNewest.all(laneId, most).map(({ saleId }) => paymentOf(saleId)),

    /** Of those that a till asked for. */
    lastDecided(laneId: string): { readonly seq: number; readonly finished: FinishedSale } | null {
      const row = selectLastDecided.first(laneId);
      if (row === null) return null;
      const payment = paymentOf(row.saleId);
      const outcome = outcomeOf(payment);
      return outcome === null ? null : { seq: row.seq, finished: { sale: payment.sale, outcome, certainty: certaintyOf(payment) } };
    },

    ofOrder(orderId: string): Payment | null {
      const row = selectByOrder.first(orderId);
      return row && paymentOf(row.saleId);
    },

    /** Those that ended after look-ups which found none. */
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

export type SalesBook = ReturnType<typeof salesBook>;
