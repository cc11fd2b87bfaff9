import type { DatabaseSync } from 'node:sqlite';
import { apply, replay } from '../domain/settlement/apply.ts';
import { certaintyOf, outcomeOf } from '../domain/settlement/outcome.ts';
import type { Payment, PaymentEvent, Sale } from '../domain/settlement/payment.ts';
import type { FinishedSale } from '../domain/sale.ts';
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

/** The table `sales`, and payments as they stand. */
export function salesBook(db: DatabaseSync, log: EventLog) {
  const insert = db.prepare(
    `INSERT INTO sales (number, sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number, at_ms, order_id, amount_minor, currency)
     VALUES (?, ?, ?, NULL, 'creating', 0, 0, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare('UPDATE sales SET payment_id = ?, state = ?, closed = ?, decided = ? WHERE sale_id = ?');
  const selectOpen = db.prepare('SELECT sale_id FROM sales WHERE lane_id = ? AND closed = 0 ORDER BY number');
  const selectPaid = db.prepare(
    "SELECT sale_id FROM sales WHERE lane_id = ? AND receipt_number = ? AND state IN ('capturing', 'paid') ORDER BY number DESC LIMIT 1",
  );
  const selectByPayment = db.prepare('SELECT sale_id FROM sales WHERE substr(payment_id, -4) = substr(:id, -4) AND payment_id = :id');
  const selectByOrder = db.prepare('SELECT sale_id FROM sales WHERE order_id = ?');
  // Of a refused one no look-up was needed. Counted in sales, not in days: a clock that was wrong must not hide one.
  const selectUnfound = db.prepare(`
    SELECT sale_id FROM sales
    WHERE lane_id = :lane AND state = 'notPaid' AND payment_id IS NULL AND number > (SELECT max(number) FROM sales) - ${newestSales}
      AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND refund_order_id IS NULL AND type = 'attemptFailed')
    ORDER BY number DESC LIMIT ${mostUnfound}`);
  // One that a repair could not save has no events; it was there before the repair.
  const withSeq = (which: string): string => `
    SELECT sale_id, receipt_number, trace_number,
      coalesce((SELECT min(seq) FROM events WHERE events.sale_id = sales.sale_id), (SELECT max(last_seq) FROM repairs), 0) AS seq
    FROM sales WHERE lane_id = ? ${which} ORDER BY number DESC LIMIT 1`;
  const selectLast = db.prepare(withSeq(''));
  // What a cashier took by hand is no till's.
  const byTill = `NOT EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id AND type = 'saleRequested' AND body ->> '$.sale.by' = 'cashier')`;
  const selectLastDecided = db.prepare(withSeq(`AND decided = 1 AND ${byTill}`));
  const selectNewest = db.prepare(
    'SELECT sale_id FROM sales WHERE lane_id = ? AND EXISTS (SELECT 1 FROM events WHERE events.sale_id = sales.sale_id) ORDER BY number DESC LIMIT ?',
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
      let payment = first.type === 'saleRequested' ? null : paymentOf(saleId);
      for (const event of events) payment = apply(payment, event);
      const now = payment as Payment;
      log.append({ laneId, saleId, refundOrderId: null }, atMs, events);
      project(laneId, saleId, now, first.type === 'saleRequested' ? { number: null, atMs } : null);
      return () => void (isClosedPayment(now) ? underWay.delete(saleId) : underWay.set(saleId, now));
    },

    open(laneId: string): OpenSale[] {
      return selectOpen.all(laneId).map((row) => {
        const saleId = row['sale_id'] as string;
        return { saleId, events: log.ofSale(saleId) };
      });
    },

    /** The latest, among those that carry this receipt number: numbers come again after 9999. */
    paid(laneId: string, receiptNumber: number): Extract<Payment, { kind: 'capturing' | 'paid' }> | null {
      const row = selectPaid.get(laneId, receiptNumber);
      if (row === undefined) return null;
      const payment = paymentOf(row['sale_id'] as string);
      return payment.kind === 'capturing' || payment.kind === 'paid' ? payment : null;
    },

    last(laneId: string): Numbered | null {
      const row = selectLast.get(laneId);
      if (row === undefined) return null;
      return { seq: row['seq'] as number, receiptNumber: row['receipt_number'] as number, traceNumber: row['trace_number'] as number };
    },

    newest: (laneId: string, most: number): Payment[] => selectNewest.all(laneId, most).map((row) => paymentOf(row['sale_id'] as string)),

    /** Of those that a till asked for. */
    lastDecided(laneId: string): { readonly seq: number; readonly finished: FinishedSale } | null {
      const row = selectLastDecided.get(laneId);
      if (row === undefined) return null;
      const payment = paymentOf(row['sale_id'] as string);
      const outcome = outcomeOf(payment);
      return outcome === null ? null : { seq: row['seq'] as number, finished: { sale: payment.sale, outcome, certainty: certaintyOf(payment) } };
    },

    ofOrder(orderId: string): Payment | null {
      const row = selectByOrder.get(orderId);
      return row === undefined ? null : paymentOf(row['sale_id'] as string);
    },

    /** Those that ended after look-ups which found none. */
    unfound: (laneId: string): Payment[] =>
      selectUnfound
        .all({ lane: laneId })
        .map((row) => paymentOf(row['sale_id'] as string))
        .toReversed(),

    ofPayment(paymentId: string): Sale | null {
      const row = selectByPayment.get({ id: paymentId });
      return row === undefined ? null : paymentOf(row['sale_id'] as string).sale;
    },
  };
}

export type SalesBook = ReturnType<typeof salesBook>;
