import { accessSync, constants } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { replay } from '../domain/settlement/apply.ts';
import type { Payment, Sale } from '../domain/settlement/payment.ts';
import type { Refund } from '../domain/settlement/refund.ts';
import { checkAll, isDamage, problemBeforeOpening, unreadableState, type WholeCheck } from './check.ts';
import { eventLog } from './event-log.ts';
import { leftAs } from './files.ts';
import { type JournalDamage, type JournalEntry, JournalOpenError } from './journal.ts';
import { officeReader } from './office.ts';
import { newestVersion, versionOf } from './schema.ts';
import { salesSearch } from './search.ts';

/** A sale as a person asks for it. */
export interface SaleRecord {
  readonly askedAtMs: number;
  readonly payment: Payment;
  readonly refunds: readonly RefundRecord[];
}

export interface RefundRecord {
  readonly askedAtMs: number;
  readonly refund: Refund;
}

export interface Wanted {
  /** A whole id of a sale, a payment, an order or a refund, or at least the last four characters of one; with `laneId` a receipt number. */
  readonly text: string;
  readonly laneId: string | null;
}

export { shortestEnding } from './search.ts';

/** What support, bookkeeping and managers read. Never writes: the daemon may be running. */
export type JournalReader = ReturnType<typeof openJournalReader>;

/** @throws JournalOpenError when it is not there, cannot be read, or is of another version */
export function openJournalReader(path: string) {
  const db = openReadOnly(path);
  const log = eventLog(db);
  const refundsOf = db.prepare('SELECT refund_order_id, at_ms FROM refunds WHERE sale_id = ? ORDER BY number');
  const askedAt = db.prepare("SELECT at_ms FROM events WHERE sale_id = ? AND type = 'saleRequested'");

  const refunds = (saleId: string): RefundRecord[] =>
    refundsOf.all(saleId).map((row) => ({ askedAtMs: row['at_ms'] as number, refund: replay(log.ofRefund(row['refund_order_id'] as string)) }));

  const sale = (saleId: string): SaleRecord => ({
    askedAtMs: askedAt.get(saleId)?.['at_ms'] as number,
    payment: replay(log.ofSale(saleId)),
    refunds: refunds(saleId),
  });

  return {
    sale,
    ...salesSearch(db),
    ...officeReader(db),

    story: (saleId: string): JournalEntry[] => log.story(saleId).map(({ body, ...row }) => ({ ...row, event: JSON.parse(body) as JournalEntry['event'] })),

    /** The sales that may be meant, oldest first. */
    find({ text, laneId }: Wanted): string[] {
      const rows =
        laneId === null
          ? db
              .prepare(
                `SELECT DISTINCT sale_id FROM events WHERE type IN ('saleRequested', 'created', 'refundRequested') AND (
                  sale_id LIKE :ending ESCAPE '\\' OR refund_order_id LIKE :ending ESCAPE '\\'
                  OR body ->> '$.sale.orderId' LIKE :ending ESCAPE '\\' OR body ->> '$.paymentId' LIKE :ending ESCAPE '\\'
                  OR body ->> '$.refundId' LIKE :ending ESCAPE '\\') ORDER BY seq`,
              )
              .all({ ending: `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}` })
          : db
              .prepare(
                `SELECT sale_id, number FROM sales WHERE lane_id = :lane AND receipt_number = :receipt AND state != '${unreadableState}'
                 UNION SELECT sale_id, 0 FROM refunds WHERE lane_id = :lane AND receipt_number = :receipt ORDER BY number`,
              )
              .all({ lane: laneId, receipt: Number(text) });
      return [...new Set(rows.map((row) => row['sale_id'] as string))];
    },

    /** Asked for in the period, in that order; `toMs` is the first moment behind it. A refund counts by its own time. */
    *between(fromMs: number, toMs: number): Generator<{ readonly askedAtMs: number; readonly sale: Sale; readonly of: Payment | Refund }> {
      const asked = db.prepare(
        "SELECT at_ms, sale_id, refund_order_id FROM events WHERE type IN ('saleRequested', 'refundRequested') AND at_ms >= ? AND at_ms < ? ORDER BY seq",
      );
      for (const row of asked.iterate(fromMs, toMs)) {
        const payment = replay(log.ofSale(row['sale_id'] as string));
        const refundOrderId = row['refund_order_id'] as string | null;
        yield { askedAtMs: row['at_ms'] as number, sale: payment.sale, of: refundOrderId === null ? payment : replay(log.ofRefund(refundOrderId)) };
      }
    },

    /** The whole journal; not quick where it is large. */
    check(): WholeCheck {
      let problem = problemBeforeOpening(path);
      // A log that is being written may look torn for a moment.
      for (let again = 0; problem !== null && again < 3; again += 1) problem = problemBeforeOpening(path);
      // One picture of it, while the daemon may write on.
      db.exec('BEGIN');
      const { problems, ...counts } = checkAll(db);
      db.exec('ROLLBACK');
      const suspect = leftAs(path) === 'suspect' ? ['damage was met while payments went on: the next start repairs it'] : [];
      return { ...counts, problems: [...(problem === null ? [] : [problem]), ...suspect, ...problems] };
    },

    /** What was lost before, oldest first. */
    repairs: (): JournalDamage[] =>
      db
        .prepare('SELECT body FROM repairs ORDER BY number')
        .all()
        .map((row) => JSON.parse(row['body'] as string) as JournalDamage),

    /** What is not at its end, or needs a person. */
    open(): { readonly sales: string[]; readonly needPerson: string[] } {
      const rows = db.prepare('SELECT sale_id, state FROM sales WHERE closed = 0 UNION SELECT sale_id, state FROM refunds WHERE closed = 0').all();
      const of = (needsPerson: boolean): string[] => [
        ...new Set(rows.filter((row) => (row['state'] === 'needsPerson') === needsPerson).map((row) => row['sale_id'] as string)),
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
      throw new Error(`it is of version ${version}, and this Tillbeacon reads version ${newestVersion}; a start of the daemon brings an older one forward`);
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
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'there is no such file';
    return code === 'EACCES' ? 'its folder is closed to you; whom the daemon runs as can read it' : message;
  }
}
