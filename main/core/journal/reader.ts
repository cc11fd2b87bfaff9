import { accessSync, constants } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { replayPayment, replayRefund } from '../settlement/apply.ts';
import type { Payment, Sale } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import {
  checkAll,
  isDamage,
  problemBeforeOpening,
  unreadableState,
  type WholeCheck,
} from './check.ts';
import { flag, json, number, orNull, query, text as textColumn } from '../../support/sql-rows.ts';
import { eventIn, eventLog } from './event-log.ts';
import { leftAs } from './files.ts';
import { type JournalDamage, type JournalEntry, JournalOpenError } from './journal.ts';
import { managerRecordsReader } from './manager-records.ts';
import { receiptsReader } from './receipts.ts';
import { newestVersion, versionOf } from './schema.ts';
import { salesSearch } from './search.ts';
import { messageOf, systemCodeOf } from '../domain/errors.ts';

/** A sale with its refunds, as support and managers read it. */
export interface SaleRecord {
  readonly requestedAtMs: number;
  readonly payment: Payment;
  readonly refunds: readonly RefundRecord[];
}

export interface RefundRecord {
  readonly requestedAtMs: number;
  readonly refund: Refund;
}

export interface WantedSale {
  /**
   * The id of a sale, a payment, an order or a refund, or at least its last four characters; a
   * receipt number when `laneId` is given.
   */
  readonly text: string;
  readonly laneId: string | null;
}

/** An event at a payment, or at one of its refunds. */
export interface LaneChange {
  readonly seq: number;
  readonly saleId: string;
  readonly refundOrderId: string | null;
}

export { minEndingLength } from './search.ts';

/** Read-only access for support, bookkeeping and managers, also while the daemon runs. */
export type JournalReader = ReturnType<typeof openJournalReader>;

/** @throws JournalOpenError when the file is missing, cannot be read, or has another version */
export function openJournalReader(path: string) {
  const db = openReadOnly(path);
  const log = eventLog(db);
  const refundsOf = query(
    db,
    'SELECT refund_order_id, at_ms FROM refunds WHERE sale_id = ? ORDER BY number',
    { refundOrderId: textColumn, atMs: number },
  );
  const requestTime = query(
    db,
    "SELECT at_ms FROM events WHERE sale_id = ? AND type IN ('saleRequested', 'foundAtService') ORDER BY seq LIMIT 1",
    {
      atMs: number,
    },
  );

  const newest = query(db, 'SELECT max(seq) AS seq FROM events', { seq: orNull(number) });
  const changed = query(
    db,
    'SELECT seq, sale_id, refund_order_id FROM events WHERE seq > ? AND lane_id = ? ORDER BY seq LIMIT ?',
    {
      seq: number,
      saleId: textColumn,
      refundOrderId: orNull(textColumn),
    },
  );

  const refunds = (saleId: string): RefundRecord[] =>
    refundsOf.all(saleId).map(({ refundOrderId, atMs }) => ({
      requestedAtMs: atMs,
      refund: replayRefund(log.ofRefund(refundOrderId)),
    }));

  function requestedAtMs(saleId: string): number {
    const row = requestTime.first(saleId);
    if (row === null) throw new Error(`the journal has no sale ${saleId}`);
    return row.atMs;
  }

  const sale = (saleId: string): SaleRecord => ({
    requestedAtMs: requestedAtMs(saleId),
    payment: replayPayment(log.ofSale(saleId)),
    refunds: refunds(saleId),
  });

  return {
    sale,
    ...salesSearch(db),
    ...managerRecordsReader(db),
    ...receiptsReader(db, log),

    story: (saleId: string): JournalEntry[] =>
      log.story(saleId).map(({ body, ...row }) => ({ ...row, event: eventIn({ body }) })),

    /** The number of the last event; 0 in an empty journal. */
    newestSeq: (): number => newest.first()?.seq ?? 0,

    /** The changes of a lane after an event, oldest first. @param most limit of events */
    changesAfter: (laneId: string, seq: number, most: number): LaneChange[] =>
      changed.all(seq, laneId, most),

    /** The ids of matching sales, oldest first. */
    find({ text, laneId }: WantedSale): string[] {
      const rows =
        laneId === null
          ? query(
              db,
              `SELECT DISTINCT sale_id FROM events WHERE type IN ('saleRequested', 'foundAtService', 'created', 'refundRequested') AND (
                  sale_id LIKE :ending ESCAPE '\\' OR refund_order_id LIKE :ending ESCAPE '\\'
                  OR body ->> '$.sale.orderId' LIKE :ending ESCAPE '\\' OR body ->> '$.paymentId' LIKE :ending ESCAPE '\\'
                  OR body ->> '$.refundId' LIKE :ending ESCAPE '\\') ORDER BY seq`,
              { saleId: textColumn },
            ).all({ ending: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}` })
          : query(
              db,
              `SELECT sale_id, number FROM sales WHERE lane_id = :lane AND receipt_number = :receipt AND state != '${unreadableState}'
                 UNION SELECT sale_id, 0 FROM refunds WHERE lane_id = :lane AND receipt_number = :receipt ORDER BY number`,
              { saleId: textColumn },
            ).all({ lane: laneId, receipt: Number(text) });
      return [...new Set(rows.map(({ saleId }) => saleId))];
    },

    /**
     * Payments and refunds by the time of their requests, oldest first; `toMs` is exclusive.
     */
    *between(
      fromMs: number,
      toMs: number,
    ): Generator<{
      readonly requestedAtMs: number;
      readonly sale: Sale;
      readonly of: Payment | Refund;
    }> {
      const requests = query(
        db,
        "SELECT at_ms, sale_id, refund_order_id FROM events WHERE type IN ('saleRequested', 'refundRequested') AND at_ms >= ? AND at_ms < ? ORDER BY seq",
        { atMs: number, saleId: textColumn, refundOrderId: orNull(textColumn) },
      );
      for (const { atMs, saleId, refundOrderId } of requests.iterate(fromMs, toMs)) {
        const payment = replayPayment(log.ofSale(saleId));
        yield {
          requestedAtMs: atMs,
          sale: payment.sale,
          of: refundOrderId === null ? payment : replayRefund(log.ofRefund(refundOrderId)),
        };
      }
    },

    /** Checks the whole journal; slow when it is large. */
    check(): WholeCheck {
      let problem = problemBeforeOpening(path);
      // A log that the daemon is writing may look torn for a moment.
      for (let again = 0; problem !== null && again < 3; again += 1)
        problem = problemBeforeOpening(path);
      // One consistent view, while the daemon may go on writing.
      db.exec('BEGIN');
      const { problems, ...counts } = checkAll(db);
      db.exec('ROLLBACK');
      const suspect =
        leftAs(path) === 'suspect'
          ? ['damage was met while payments went on: the next start repairs it']
          : [];
      return {
        ...counts,
        problems: [...(problem === null ? [] : [problem]), ...suspect, ...problems],
      };
    },

    /** Earlier repairs, oldest first. */
    repairs: (): JournalDamage[] =>
      query(db, 'SELECT body FROM repairs ORDER BY number', { body: json<JournalDamage>() })
        .all()
        .map(({ body }) => body),

    /** Sales that are not final, and those that need a person. */
    open(): { readonly sales: string[]; readonly needPerson: string[] } {
      const rows = query(
        db,
        "SELECT sale_id, state = 'needsPerson' AS needs_person FROM sales WHERE closed = 0 UNION SELECT sale_id, state = 'needsPerson' FROM refunds WHERE closed = 0",
        { saleId: textColumn, needsPerson: flag },
      ).all();
      const of = (needsPerson: boolean): string[] => [
        ...new Set(
          rows.filter((row) => row.needsPerson === needsPerson).map(({ saleId }) => saleId),
        ),
      ];
      return { sales: of(false), needPerson: of(true) };
    },

    close: () => db.close(),
  };
}

function openReadOnly(path: string): DatabaseSync {
  const problem = unreadable(path);
  if (problem !== null) throw new JournalOpenError(path, new Error(problem));
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const version = versionOf(db);
    if (version !== newestVersion)
      throw new Error(
        `it is of version ${version}, and this Tillbeacon reads version ${newestVersion}; a start of the daemon brings an older one forward`,
      );
    return db;
  } catch (error) {
    db?.close();
    throw isDamage(error) ? error : new JournalOpenError(path, error);
  }
}

function unreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return null;
  } catch (error) {
    const [code, message] = [systemCodeOf(error), messageOf(error)];
    if (code === 'ENOENT') return 'there is no such file';
    return code === 'EACCES'
      ? 'its folder is closed to you; whom the daemon runs as can read it'
      : message;
  }
}
