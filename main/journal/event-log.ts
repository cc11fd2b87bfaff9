import { createHash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { PaymentEvent } from '../domain/settlement/payment.ts';
import type { RefundEvent } from '../domain/settlement/refund.ts';

/** A row of `events` as it is on disk. */
export interface StoredEvent {
  readonly seq: number;
  readonly atMs: number;
  readonly laneId: string;
  readonly saleId: string;
  readonly refundOrderId: string | null;
  readonly type: string;
  /** JSON. */
  readonly body: string;
  /** null: written by a version that did not seal. */
  readonly seal: string | null;
}

/** Whom an event belongs to: `refundOrderId` null, the payment itself. */
export type EventOwner = Pick<StoredEvent, 'laneId' | 'saleId' | 'refundOrderId'>;

export const eventColumns = 'seq, at_ms, lane_id, sale_id, refund_order_id, type, body, seal';

export function storedEvent(row: Record<string, SQLOutputValue>): StoredEvent {
  return {
    seq: row['seq'] as number,
    atMs: row['at_ms'] as number,
    laneId: row['lane_id'] as string,
    saleId: row['sale_id'] as string,
    refundOrderId: row['refund_order_id'] as string | null,
    type: row['type'] as string,
    body: row['body'] as string,
    seal: row['seal'] as string | null,
  };
}

const halfDigits = 20;
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, halfDigits);
const ownHalf = ({ seq, atMs, laneId, saleId, refundOrderId, type, body }: Omit<StoredEvent, 'seal'>): string =>
  digest(JSON.stringify([seq, atMs, laneId, saleId, refundOrderId, type, body]));

/** Its first half is over the row, its second over that and the seal before: a changed, a missing and an exchanged row all show. Against accidents, not forgers. */
export function sealOf(before: string | null, row: Omit<StoredEvent, 'seal'>): string {
  const own = ownHalf(row);
  return own + digest(`${before}${own}`);
}

/** Whether a row, by itself, is as it was written: either half of its seal is enough. */
export function isAsWritten(row: StoredEvent, before: StoredEvent | null): boolean {
  if (row.seal === null) return true;
  const own = ownHalf(row);
  return row.seal.startsWith(own) || row.seal.slice(halfDigits) === digest(`${before?.seal ?? null}${own}`);
}

/** The table `events`. Inside whatever transaction the caller has begun. */
export function eventLog(db: DatabaseSync) {
  const selectLast = db.prepare(
    "SELECT (SELECT seq FROM sqlite_sequence WHERE name = 'events') AS seq, (SELECT seal FROM events ORDER BY seq DESC LIMIT 1) AS seal",
  );
  const insert = db.prepare(`INSERT INTO events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const selectOfSale = db.prepare('SELECT body FROM events WHERE sale_id = ? AND refund_order_id IS NULL ORDER BY seq');
  const selectOfRefund = db.prepare('SELECT body FROM events WHERE refund_order_id = ? ORDER BY seq');
  const selectStory = db.prepare(`SELECT ${eventColumns} FROM events WHERE sale_id = ? ORDER BY seq`);
  return {
    /** The `seq` of the first of them. */
    append(owner: EventOwner, atMs: number, events: readonly (PaymentEvent | RefundEvent)[]): number {
      const last = selectLast.get();
      const firstSeq = ((last?.['seq'] as number | null) ?? 0) + 1;
      let seal = last?.['seal'] as string | null;
      events.forEach((event, index) => {
        const row = { ...owner, seq: firstSeq + index, atMs, type: event.type, body: JSON.stringify(event) };
        seal = sealOf(seal, row);
        insert.run(row.seq, atMs, row.laneId, row.saleId, row.refundOrderId, row.type, row.body, seal);
      });
      return firstSeq;
    },
    ofSale: (saleId: string): PaymentEvent[] => selectOfSale.all(saleId).map((row) => JSON.parse(row['body'] as string) as PaymentEvent),
    ofRefund: (refundOrderId: string): RefundEvent[] => selectOfRefund.all(refundOrderId).map((row) => JSON.parse(row['body'] as string) as RefundEvent),
    story: (saleId: string): StoredEvent[] => selectStory.all(saleId).map(storedEvent),
  };
}

export type EventLog = ReturnType<typeof eventLog>;
