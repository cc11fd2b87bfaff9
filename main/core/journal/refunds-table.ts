import type { DatabaseSync } from 'node:sqlite';
import { applyToRefund, replayRefund } from '../settlement/apply.ts';
import { certaintyOf, refundOutcomeOf } from '../settlement/outcome.ts';
import type { Refund, RefundEvent, RefundRequest } from '../settlement/refund.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { FinishedRefund } from '../domain/sale.ts';
import { number, query, text } from '../../support/sql-rows.ts';
import type { EventLog } from './event-log.ts';
import type { OpenRefund } from './journal.ts';
import { maxUnfound, numbered, type Numbered, type SalesTable } from './sales-table.ts';

/** A refund that needs a person stays open, as a payment does. */
export const isClosedRefund = (refund: Refund): boolean =>
  refund.kind === 'refunded' || refund.kind === 'notRefunded';

/** The columns of a row of `refunds` that change. */
function refundProjectionOf(refund: Refund) {
  return {
    refundId: 'refundId' in refund ? refund.refundId : null,
    state: refund.kind,
    closed: isClosedRefund(refund) ? 1 : 0,
    decided: refundOutcomeOf(refund) === null ? 0 : 1,
  };
}

const ofRefund = { refundOrderId: text };

/** The table `refunds`, and the current states of refunds. */
export function refundsTable(db: DatabaseSync, log: EventLog, sales: SalesTable) {
  const insert = db.prepare(`
    INSERT INTO refunds (number, refund_order_id, sale_id, lane_id, refund_id, state, closed, decided, by_till, amount_minor, receipt_number, trace_number, at_ms, currency)
    VALUES (:number, :refundOrderId, :saleId, :laneId, :refundId, :state, :closed, :decided, :byTill, :amountMinor, :receiptNumber, :traceNumber, :atMs, :currency)`);
  const update = db.prepare(
    'UPDATE refunds SET refund_id = :refundId, state = :state, closed = :closed, decided = :decided WHERE refund_order_id = :refundOrderId',
  );
  const selectOpen = query(
    db,
    'SELECT refund_order_id FROM refunds WHERE lane_id = ? AND closed = 0 ORDER BY number',
    ofRefund,
  );
  const selectOfSale = query(
    db,
    'SELECT refund_order_id FROM refunds WHERE sale_id = ? ORDER BY number',
    ofRefund,
  );
  const selectRefunded = query(
    db,
    "SELECT coalesce(sum(amount_minor), 0) AS minor FROM refunds WHERE sale_id = ? AND state != 'notRefunded'",
    {
      minor: number,
    },
  );
  const selectLast = query(
    db,
    'SELECT number AS seq, receipt_number, trace_number FROM refunds WHERE lane_id = ? ORDER BY number DESC LIMIT 1',
    numbered,
  );
  const selectLastDecided = query(
    db,
    'SELECT number AS seq, refund_order_id FROM refunds WHERE lane_id = ? AND decided = 1 AND by_till = 1 ORDER BY number DESC LIMIT 1',
    { ...ofRefund, seq: number },
  );
  const selectIsThere = db.prepare('SELECT 1 FROM refunds WHERE refund_order_id = ?');
  const selectUnfound = query(
    db,
    `SELECT refund_order_id FROM refunds
    WHERE lane_id = ? AND state = 'notRefunded' AND refund_id IS NULL
      AND EXISTS (SELECT 1 FROM events WHERE events.refund_order_id = refunds.refund_order_id AND type = 'attemptFailed')
    ORDER BY number DESC LIMIT ${maxUnfound}`,
    ofRefund,
  );
  const underWay = new Map<string, Refund>();

  const refundOf = (refundOrderId: string): Refund =>
    underWay.get(refundOrderId) ?? replayRefund(log.ofRefund(refundOrderId));
  const refundedMinor = (saleId: string): number => selectRefunded.first(saleId)?.minor ?? 0;

  /**
   * The last safeguard, behind the checks of the callers: the journal never holds more refunds than
   * were paid.
   */
  function demandCover({ saleId, paymentId, amountMinor, currency }: RefundRequest): void {
    const payment = sales.paymentOf(saleId);
    if (payment.kind !== 'paid' && payment.kind !== 'capturing' && payment.kind !== 'elsewhere')
      throw new Error(`a refund of a sale that is not paid: it is ${payment.kind}`);
    if (payment.paymentId !== paymentId || payment.sale.currency !== currency)
      throw new Error('a refund of something else than the sale that it names');
    if (!Number.isSafeInteger(amountMinor) || amountMinor < 1)
      throw new Error(`a refund of ${amountMinor}`);
    const elsewhereMinor = payment.kind === 'elsewhere' ? payment.refundedMinor : 0;
    const leftMinor = capturedMinorOf(payment) - elsewhereMinor - refundedMinor(saleId);
    if (amountMinor > leftMinor)
      throw new Error(`a refund of ${amountMinor}, and only ${leftMinor} is left of the payment`);
  }

  /**
   * @param begun given for a new refund, whose number is the seq of its request; null for one that
   * has a row
   */
  function project(
    laneId: string,
    refundOrderId: string,
    refund: Refund,
    begun: { readonly number: number; readonly atMs: number } | null,
  ): void {
    const row = { refundOrderId, ...refundProjectionOf(refund) };
    if (begun === null) update.run(row);
    else {
      const { saleId, by, amountMinor, receiptNumber, traceNumber, currency } = refund.request;
      const byTill = by.kind === 'till' ? 1 : 0;
      insert.run({
        ...row,
        ...begun,
        saleId,
        laneId,
        byTill,
        amountMinor,
        receiptNumber,
        traceNumber,
        currency,
      });
    }
  }

  return {
    refundedMinor,

    project,

    /** Part of the caller's transaction. @returns what to call once it is committed */
    append(
      laneId: string,
      refundOrderId: string,
      atMs: number,
      events: readonly RefundEvent[],
    ): () => void {
      const [first] = events;
      if (first === undefined) throw new Error('an append without events');
      if (first.type === 'refundRequested') demandCover(first.request);
      let now = applyToRefund(
        first.type === 'refundRequested' ? null : refundOf(refundOrderId),
        first,
      );
      for (const event of events.slice(1)) now = applyToRefund(now, event);
      const number = log.append(
        { laneId, saleId: now.request.saleId, refundOrderId },
        atMs,
        events,
      );
      project(
        laneId,
        refundOrderId,
        now,
        first.type === 'refundRequested' ? { number, atMs } : null,
      );
      return () =>
        void (isClosedRefund(now)
          ? underWay.delete(refundOrderId)
          : underWay.set(refundOrderId, now));
    },

    open(laneId: string): OpenRefund[] {
      return selectOpen
        .all(laneId)
        .map(({ refundOrderId }) => ({ refundOrderId, events: log.ofRefund(refundOrderId) }));
    },

    ofOrder: (refundOrderId: string): Refund | null =>
      selectIsThere.get(refundOrderId) === undefined ? null : refundOf(refundOrderId),

    /** Refunds that ended because the service did not know them. */
    unfound: (laneId: string): Refund[] =>
      selectUnfound
        .all(laneId)
        .map(({ refundOrderId }) => refundOf(refundOrderId))
        .toReversed(),

    ofSale: (saleId: string): Refund[] =>
      selectOfSale.all(saleId).map(({ refundOrderId }) => refundOf(refundOrderId)),

    last: (laneId: string): Numbered | null => selectLast.first(laneId),

    /** Among those that a till asked for. */
    lastDecided(
      laneId: string,
    ): { readonly seq: number; readonly finished: FinishedRefund } | null {
      const row = selectLastDecided.first(laneId);
      if (row === null) return null;
      const refund = refundOf(row.refundOrderId);
      const outcome = refundOutcomeOf(refund);
      return outcome === null
        ? null
        : {
            seq: row.seq,
            finished: { refund: refund.request, outcome, certainty: certaintyOf(refund) },
          };
    },
  };
}
