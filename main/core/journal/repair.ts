import { existsSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { mayArriveLate } from '../settlement/outcome.ts';
import { unreadableState } from './check.ts';
import {
  eventColumns,
  eventLog,
  isAsWritten,
  sealOf,
  type StoredEvent,
  storedEvent,
} from './event-log.ts';
import { number, orNull, query, text } from '../../support/sql-rows.ts';
import { emptyRepairFile, exchange, leftAs, nameForDamaged } from './files.ts';
import { Inspection, type InspectedState } from './inspection.ts';
import type { JournalDamage, LostSale } from './journal.ts';
import { type PageRecord, isWithoutFrames, readWal, recordsIn } from './pages.ts';
import { isClosedRefund, refundsTable } from './refunds-table.ts';
import { beginsPayment, isClosedPayment, salesTable } from './sales-table.ts';
import { migrate } from './schema.ts';

/** Limits the list for a journal that is damaged throughout. */
const maxLost = 1_000;

/**
 * Builds a new journal from the intact parts of a damaged one: every sale with all its events and
 * refunds, numbered as before. The damaged file is kept beside it, with the date in its name. A
 * power cut at any moment leaves either the damaged journal or the repaired one.
 * @param problem the damage in words
 */
export function repair(path: string, problem: string, atMs: number): JournalDamage {
  const building = emptyRepairFile(path);
  const db = new DatabaseSync(building);
  const aside = nameForDamaged(path, atMs);
  let damage: JournalDamage;
  try {
    migrate(db);
    db.exec('PRAGMA temp_store = FILE; BEGIN');
    const endMayBeMissing = collect(db, path);
    const lost = findLost(db, endMayBeMissing);
    const { lastSeq, ...saved } = copyWhole(db, lost);
    damage = {
      atMs,
      problem,
      repaired: true,
      ...saved,
      lost: listOf(db, lost),
      keptAt: existsSync(path) ? aside : null,
    };
    db.prepare('INSERT INTO repairs (at_ms, last_seq, body) VALUES (?, ?, ?)').run(
      atMs,
      lastSeq,
      JSON.stringify(damage),
    );
    db.exec('COMMIT');
  } finally {
    db.close();
  }
  exchange(path, building, aside);
  return damage;
}

/**
 * Collects every record that looks like one of our rows, from every readable page.
 * @returns whether the newest events may be missing without leaving a gap, because the write-ahead
 * log is gone or incomplete
 */
function collect(db: DatabaseSync, path: string): boolean {
  db.exec(`
    CREATE TEMP TABLE found (seq INTEGER PRIMARY KEY, at_ms, lane_id, sale_id, refund_order_id, type, body, seal);
    CREATE TEMP TABLE listed_sales (sale_id TEXT PRIMARY KEY, number, lane_id, payment_id, state, receipt_number, trace_number);
    CREATE TEMP TABLE listed_refunds (refund_order_id TEXT PRIMARY KEY, sale_id, state);
  `);
  const intoFound = db.prepare('INSERT OR IGNORE INTO found VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const intoSales = db.prepare('INSERT OR REPLACE INTO listed_sales VALUES (?, ?, ?, ?, ?, ?, ?)');
  const intoRefunds = db.prepare('INSERT OR REPLACE INTO listed_refunds VALUES (?, ?, ?)');
  const intoRepairs = db.prepare(
    'INSERT OR IGNORE INTO repairs (number, at_ms, last_seq, body) VALUES (?, ?, ?, ?)',
  );
  const intoBookings = db.prepare(
    'INSERT OR IGNORE INTO bookings (number, sale_id, lane_id, receipt_number, trace_number) VALUES (?, ?, ?, ?, ?)',
  );
  const intoManagerRecords = managerRecordsSaver(db);
  const intoSequence = db.prepare(
    "INSERT OR REPLACE INTO sqlite_sequence (name, seq) VALUES ('events', CAST(? AS INTEGER))",
  );
  let lastSeq = 0;
  for (const { rowId, values } of recordsIn(path)) {
    if (isEvent(rowId, values)) {
      const [, atMs, laneId, saleId, type, body, refundOrderId = null, seal = null] = values;
      intoFound.run(
        rowId,
        number(atMs),
        text(laneId),
        text(saleId),
        refundOrderId,
        text(type),
        text(body),
        seal,
      );
      lastSeq = Math.max(lastSeq, rowId);
    } else if (isListedSale(values)) {
      const [, saleId, laneId, paymentId, state, , , receiptNumber, traceNumber] = values;
      intoSales.run(
        text(saleId),
        rowId,
        text(laneId),
        orNull(text)(paymentId),
        text(state),
        number(receiptNumber),
        number(traceNumber),
      );
    } else if (isListedRefund(values))
      intoRefunds.run(text(values[1]), text(values[2]), text(values[5]));
    // Saved even if its reservation is lost: the numbers are on a receipt and must not be used
    // again.
    else if (rowId > 0 && shaped(values, '0ttnn')) intoBookings.run(rowId, ...values.slice(1));
    else if (isRepair(values))
      intoRepairs.run(rowId, number(values[1]), number(values[2]), text(values[3]));
    else if (values.length === 2 && values[0] === 'events' && typeof values[1] === 'number')
      lastSeq = Math.max(lastSeq, values[1]);
    else intoManagerRecords(rowId, values);
  }
  intoSequence.run(lastSeq);
  const logIsGone = leftAs(path) === 'open' && isWithoutFrames(`${path}-wal`);
  return logIsGone || !readWal(path).endIsThere;
}

type Values = PageRecord['values'];
const shaped = (values: Values, shape: string): boolean =>
  values.length === shape.length &&
  values.every((value, index) => {
    const is = value === null ? '0' : typeof value === 'number' ? 'n' : 't';
    return shape[index] === '?' ? is !== 'n' : shape[index] === is;
  });
// Version 1 had two columns fewer.
const isEvent = (rowId: number, values: Values): boolean =>
  rowId > 0 && (shaped(values, '0ntttt') || shaped(values, '0ntttt??'));
// Versions 1 and 2 had seven columns fewer, 3 and 4 three; an unreadable sale has them empty, and
// only a captured reservation has the last three.
const restsOfSales = ['', 'ntnt', '0000', 'ntnt000', 'ntntnnn', '0000000'];
const isListedSale = (values: Values): boolean =>
  shaped(values.slice(0, 9), '0tt?tnnnn') &&
  restsOfSales.some((rest) => shaped(values.slice(9), rest));
const isListedRefund = (values: Values): boolean =>
  shaped(values.slice(0, 12), '0ttt?tnnnnnn') &&
  ['', 'nt', '00'].some((rest) => shaped(values.slice(12), rest));

const isRepair = (values: Values): boolean => shaped(values, '0nnt') && parses(text(values[3]));

/**
 * Saves what managers wrote, and the counters, so that no number is used twice. @returns a function
 * that takes any record
 */
function managerRecordsSaver(db: DatabaseSync): (rowId: number, values: Values) => void {
  const tables = [
    {
      name: 'manager_actions',
      columns: 'manager, action, subject, detail, at_ms',
      shape: '0tt?tn',
      json: 4,
    },
    {
      name: 'closings',
      columns: 'lane_id, from_ms, to_ms, manager, report, at_ms',
      shape: '0?nnttn',
      json: 5,
    },
    {
      name: 'reconciliation_notes',
      columns: 'subject, manager, text, at_ms',
      shape: '0tttn',
      json: null,
    },
  ].map((table) => ({
    ...table,
    insert: db.prepare(
      `INSERT OR IGNORE INTO ${table.name} (number, ${table.columns}) VALUES (${Array.from(table.shape, () => '?').join()})`,
    ),
  }));
  const numbered = new Set(['sales', ...tables.map(({ name }) => name)]);
  const sequenceQuery = db.prepare(
    'UPDATE sqlite_sequence SET seq = max(seq, CAST(? AS INTEGER)) WHERE name = ?',
  );
  const giveFirst = db.prepare(
    'INSERT INTO sqlite_sequence (seq, name) VALUES (CAST(? AS INTEGER), ?)',
  );
  return (rowId, values) => {
    const [first, second] = values;
    if (
      typeof first === 'string' &&
      numbered.has(first) &&
      values.length === 2 &&
      typeof second === 'number'
    ) {
      if (sequenceQuery.run(second, first).changes === 0) giveFirst.run(second, first);
      return;
    }
    const table = tables.find(
      ({ shape, json }) => shaped(values, shape) && (json === null || parses(text(values[json]))),
    );
    table?.insert.run(rowId, ...values.slice(1));
  };
}

function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/** Why the events of a sale are incomplete, by sale id. */
type Lost = Map<string, string>;

/**
 * A sale is intact when all events of it and of its refunds are, and nothing indicates that there
 * were more.
 */
function findLost(db: DatabaseSync, endMayBeMissing: boolean): Lost {
  const lost: Lost = new Map();
  const lose = (saleId: string, why: string): void =>
    void (lost.has(saleId) || lost.set(saleId, why));
  const saleListed = db.prepare('SELECT state FROM listed_sales WHERE sale_id = ?');
  const refundListed = db.prepare('SELECT state FROM listed_refunds WHERE refund_order_id = ?');
  const compare = (
    saleId: string,
    listed: StatementSync,
    id: string,
    state: string,
    isOpen: boolean,
  ): void => {
    const listedAs = listed.get(id)?.['state'];
    if (listedAs !== undefined && listedAs !== state)
      lose(saleId, `it was ${String(listedAs)} when it was whole, its events end with ${state}`);
    if (
      isOpen &&
      (endMayBeMissing || (listedAs === undefined && lastGap > (lastSeqOf.get(id) ?? 0)))
    )
      lose(saleId, 'its end may be missing');
  };
  const compareState = (now: InspectedState): void => {
    if ('payment' in now) {
      const { kind, sale } = now.payment;
      compare(sale.saleId, saleListed, sale.saleId, kind, !isClosedPayment(now.payment));
    } else {
      const { kind, request } = now.refund;
      compare(
        request.saleId,
        refundListed,
        request.refundOrderId,
        kind,
        !isClosedRefund(now.refund),
      );
    }
  };
  const told = (row: StoredEvent, now: InspectedState): void => {
    const isClosed = 'payment' in now ? isClosedPayment(now.payment) : isClosedRefund(now.refund);
    if (!isClosed) return void lastSeqOf.set(row.refundOrderId ?? row.saleId, row.seq);
    lastSeqOf.delete(row.refundOrderId ?? row.saleId);
    // A payment that may have arrived late is compared after the last event was read.
    const mayGoOn = mayArriveLate('payment' in now ? now.payment : now.refund);
    if (!mayGoOn) compareState(now);
  };
  const lastSeqOf = new Map<string, number>();
  let lastGap = 0;
  const inspection = new Inspection({ inspectedState: told, sealed: isAsWritten });
  for (const row of foundRows(db)) {
    if (row.seq !== inspection.lastSeq + 1) lastGap = row.seq;
    inspection.take(row);
    for (const { saleId, says } of inspection.findings.splice(0))
      if (saleId !== null) lose(saleId, says);
  }
  const given = lastSeqIn(db);
  if (given > inspection.lastSeq) lastGap = given + 1;
  for (const now of inspection.unended()) compareState(now);
  const saleIds = (sql: string): string[] =>
    query(db, sql, { saleId: text })
      .all()
      .map(({ saleId }) => saleId);
  for (const saleId of saleIds(
    "SELECT DISTINCT sale_id FROM found WHERE sale_id NOT IN (SELECT sale_id FROM found WHERE type IN ('saleRequested', 'foundAtService'))",
  ))
    lose(saleId, 'its beginning is missing');
  const without = (table: string, key: string): string =>
    `SELECT sale_id FROM ${table} AS listed WHERE NOT EXISTS (SELECT 1 FROM found WHERE found.${key} = listed.${key})`;
  db.exec(
    'CREATE INDEX temp.found_by_sale ON found (sale_id); CREATE INDEX temp.found_by_refund ON found (refund_order_id)',
  );
  for (const saleId of saleIds(
    `${without('listed_sales', 'sale_id')} AND state != '${unreadableState}'`,
  ))
    lose(saleId, 'its events are missing');
  for (const saleId of saleIds(without('listed_refunds', 'refund_order_id')))
    lose(saleId, 'the events of a refund are missing');
  return lost;
}

function copyWhole(
  db: DatabaseSync,
  lost: Lost,
): Pick<JournalDamage, 'savedEvents' | 'savedSales' | 'unreadableEvents'> & {
  readonly lastSeq: number;
} {
  const log = eventLog(db);
  const sales = salesTable(db, log);
  const refunds = refundsTable(db, log, sales);
  const insert = db.prepare(`INSERT INTO events (${eventColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const lastSeq = lastSeqIn(db);
  const listedNumber = query(db, 'SELECT number FROM listed_sales WHERE sale_id = ?', { number });
  let copiedCount = 0;
  /**
   * The listed number where it is readable; numbers always follow the order in which the sales
   * began.
   */
  const numberOf = (saleId: string): number => {
    const listed = listedNumber.first(saleId)?.number ?? 0;
    copiedCount = Math.max(copiedCount + 1, listed <= lastSeq ? listed : 0);
    return copiedCount;
  };
  const inspection = new Inspection({
    sealed: () => true,
    inspectedState(row, now) {
      if ('payment' in now)
        sales.project(
          row.laneId,
          row.saleId,
          now.payment,
          beginsPayment(row) ? { number: numberOf(row.saleId), atMs: row.atMs } : null,
        );
      else
        refunds.project(
          row.laneId,
          now.refund.request.refundOrderId,
          now.refund,
          row.type === 'refundRequested' ? { number: row.seq, atMs: row.atMs } : null,
        );
    },
  });
  let seal: string | null = null;
  for (const row of foundRows(db)) {
    if (lost.has(row.saleId)) continue;
    seal = sealOf(seal, row);
    insert.run(
      row.seq,
      row.atMs,
      row.laneId,
      row.saleId,
      row.refundOrderId,
      row.type,
      row.body,
      seal,
    );
    inspection.take(row);
    const [finding] = inspection.findings;
    if (finding !== undefined) throw new Error(`event ${finding.seq}: ${finding.says}`);
  }
  listLost(db);
  db.prepare("UPDATE sqlite_sequence SET seq = CAST(? AS INTEGER) WHERE name = 'events'").run(
    lastSeq,
  );
  return {
    savedEvents: inspection.events,
    savedSales: inspection.sales,
    unreadableEvents: lastSeq - inspection.events,
    lastSeq,
  };
}

/**
 * Lists the sales that could not be saved, because their numbers are on receipts and must not be
 * used again.
 */
function listLost(db: DatabaseSync): void {
  const usedNumber = db.prepare('SELECT 1 FROM sales WHERE number = ?');
  const insert = db.prepare(
    `INSERT INTO sales (number, sale_id, lane_id, payment_id, state, closed, decided, receipt_number, trace_number)
     SELECT ?, sale_id, lane_id, NULL, '${unreadableState}', 1, 0, receipt_number, trace_number FROM listed_sales WHERE sale_id = ?`,
  );
  const selectLost = query(
    db,
    'SELECT sale_id, number FROM listed_sales WHERE sale_id NOT IN (SELECT sale_id FROM sales) ORDER BY number',
    {
      saleId: text,
      number,
    },
  );
  for (const listed of selectLost.all()) {
    let freeNumber = listed.number;
    while (usedNumber.get(freeNumber) !== undefined) freeNumber += 1;
    insert.run(freeNumber, listed.saleId);
  }
}

/**
 * The remaining facts of the sales that could not be saved, so that a person can look them up at
 * the service.
 */
function listOf(db: DatabaseSync, lost: Lost): LostSale[] {
  const listed = query(
    db,
    'SELECT state, payment_id, receipt_number FROM listed_sales WHERE sale_id = ?',
    {
      state: text,
      paymentId: orNull(text),
      receiptNumber: number,
    },
  );
  const request = query(
    db,
    "SELECT lane_id, at_ms, body FROM found WHERE sale_id = ? AND type IN ('saleRequested', 'foundAtService')",
    {
      laneId: text,
      atMs: number,
      body: text,
    },
  );
  return Array.from(lost.entries().take(maxLost), ([saleId, why]) => {
    const row = listed.first(saleId);
    const firstRequest = request.first(saleId);
    return {
      saleId,
      why,
      laneId: firstRequest?.laneId ?? null,
      state: row?.state ?? null,
      paymentId: row?.paymentId ?? null,
      receiptNumber: row?.receiptNumber ?? null,
      atMs: firstRequest?.atMs ?? null,
      ...amountIn(firstRequest?.body),
    };
  });
}

/** Saves each readable field of a damaged event. */
const WithAmount = z.object({
  sale: z.object({
    orderId: z.string().nullable().catch(null),
    amountMinor: z.int().nullable().catch(null),
    currency: z.string().nullable().catch(null),
  }),
});

function amountIn(
  body: string | undefined,
): Pick<LostSale, 'orderId' | 'amountMinor' | 'currency'> {
  try {
    return WithAmount.parse(JSON.parse(body ?? '')).sale;
  } catch {
    return { orderId: null, amountMinor: null, currency: null };
  }
}

const lastSeqIn = (db: DatabaseSync): number =>
  query(db, "SELECT seq FROM sqlite_sequence WHERE name = 'events'", { seq: number }).first()
    ?.seq ?? 0;

function* foundRows(db: DatabaseSync): Generator<StoredEvent> {
  yield* query(db, `SELECT ${eventColumns} FROM found ORDER BY seq`, storedEvent).iterate();
}
