import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { PaymentEvent } from '../settlement/payment.ts';
import type { RefundEvent } from '../settlement/refund.ts';
import { json, number, orNull, query, type RowOf, text } from '../../support/sql-rows.ts';

/**
 * A row of `events` on disk. `body` is JSON; `seal` is null when it was written by a
 * version that did not seal.
 */
export const storedEvent = {
  seq: number,
  atMs: number,
  laneId: text,
  saleId: text,
  refundOrderId: orNull(text),
  type: text,
  body: text,
  seal: orNull(text),
};
export type StoredEvent = RowOf<typeof storedEvent>;

/**
 * The payment or refund that an event belongs to; `refundOrderId` is null for the payment itself.
 */
export type EventOwner = Pick<StoredEvent, 'laneId' | 'saleId' | 'refundOrderId'>;

export const eventColumns = 'seq, at_ms, lane_id, sale_id, refund_order_id, type, body, seal';

const halfDigits = 20;
const digest = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, halfDigits);
const ownHalf = ({
  seq,
  atMs,
  laneId,
  saleId,
  refundOrderId,
  type,
  body,
}: Omit<StoredEvent, 'seal'>): string =>
  digest(JSON.stringify([seq, atMs, laneId, saleId, refundOrderId, type, body]));

/**
 * The first half is a hash of the row, the second a hash of that and the previous seal, so that a
 * changed, missing or exchanged row is noticed. It protects against accidents, not against forgery.
 */
export function sealOf(before: string | null, row: Omit<StoredEvent, 'seal'>): string {
  const own = ownHalf(row);
  return own + digest(`${before}${own}`);
}

/**
 * Whether this row is unchanged. Its neighbours may be damaged: one intact half of the seal
 * is enough.
 */
export function isAsWritten(row: StoredEvent, before: StoredEvent | null): boolean {
  if (row.seal === null) return true;
  const own = ownHalf(row);
  return (
    row.seal.startsWith(own) ||
    row.seal.slice(halfDigits) === digest(`${before?.seal ?? null}${own}`)
  );
}

/** The table `events`. Writes are part of the caller's transaction. */
export function eventLog(db: DatabaseSync) {
  const selectLast = query(
    db,
    "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'events') AS seq, (SELECT seal FROM events ORDER BY seq DESC LIMIT 1) AS seal",
    { seq: orNull(number), seal: orNull(text) },
  );
  const insert = db.prepare(`INSERT INTO events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const selectOfSale = query(
    db,
    'SELECT body FROM events WHERE sale_id = ? AND refund_order_id IS NULL ORDER BY seq',
    { body: json<PaymentEvent>() },
  );
  const selectOfRefund = query(
    db,
    'SELECT body FROM events WHERE refund_order_id = ? ORDER BY seq',
    { body: json<RefundEvent>() },
  );
  const selectStory = query(
    db,
    `SELECT ${eventColumns} FROM events WHERE sale_id = ? ORDER BY seq`,
    storedEvent,
  );
  return {
    /** @returns the `seq` of the first event */
    append(
      owner: EventOwner,
      atMs: number,
      events: readonly (PaymentEvent | RefundEvent)[],
    ): number {
      const last = selectLast.first();
      const firstSeq = (last?.seq ?? 0) + 1;
      let seal = last?.seal ?? null;
      events.forEach((event, index) => {
        const row = {
          ...owner,
          seq: firstSeq + index,
          atMs,
          type: event.type,
          body: JSON.stringify(event),
        };
        seal = sealOf(seal, row);
        insert.run(
          row.seq,
          atMs,
          row.laneId,
          row.saleId,
          row.refundOrderId,
          row.type,
          row.body,
          seal,
        );
      });
      return firstSeq;
    },
    ofSale: (saleId: string): PaymentEvent[] => selectOfSale.all(saleId).map(({ body }) => body),
    ofRefund: (refundOrderId: string): RefundEvent[] =>
      selectOfRefund.all(refundOrderId).map(({ body }) => body),
    story: (saleId: string): StoredEvent[] => selectStory.all(saleId),
  };
}

/** Parses the event of a row. */
export const eventIn = ({ body }: Pick<StoredEvent, 'body'>): PaymentEvent | RefundEvent =>
  json<PaymentEvent | RefundEvent>()(body);

export type EventLog = ReturnType<typeof eventLog>;
