/**
 * The journal's payments and refunds as views of the reconciliation's database, so that both sides
 * are joined in SQL. Read-only.
 */
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ServiceName } from '../domain/sale.ts';
import { testOrderText } from '../domain/service-text.ts';
import { flag, query } from '../../support/sql-rows.ts';
import { JournalOpenError } from './journal.ts';
import { newestVersion } from './schema.ts';

/**
 * Where the money is according to the journal. captured: confirmed by the service. capturing:
 * decided, repeated until it is confirmed. lost: told as moved, and contradicted by the service.
 * not: it does not move. A refund that the service does not show may still move.
 */
const stands = (done: string, owner: string): string => `
  CASE state WHEN '${done}' THEN 'captured' WHEN 'capturing' THEN 'capturing'
    WHEN 'needsPerson' THEN CASE (SELECT body ->> '$.problem' FROM journal.events
      WHERE ${owner} AND type = 'personNeeded' ORDER BY seq DESC LIMIT 1)
      WHEN 'captureLost' THEN 'lost' WHEN 'otherAmountCaptured' THEN 'lost' WHEN 'refundLost' THEN 'lost' WHEN 'refundUnseen' THEN 'capturing' ELSE 'not' END
    ELSE 'not' END AS stands`;

/**
 * The refund of `settled_refunds` that the service knows by this id, as its number; NULL: there is
 * none. By way of its payment, whose ids are indexed.
 * @param refundId an SQL expression, as `paymentId`
 */
export const refundIs = (refundId: string, paymentId: string): string =>
  `(SELECT number FROM settled_refunds WHERE refund_id = ${refundId}
    AND sale_id = (SELECT sale_id FROM journal.sales WHERE ${paymentIs(paymentId)} LIMIT 1) LIMIT 1)`;

/**
 * Whether a row of `sales` is a test payment of setup. The beginning of its order id, which has an
 * index, leaves out all others without a look at their events.
 * @param schema that of the journal's tables, with its dot
 */
export const isTestSale = (schema: '' | 'journal.'): string => `
  (order_id >= '${testOrderText}-' AND order_id < '${testOrderText}.' AND EXISTS (
    SELECT 1 FROM ${schema}events WHERE events.sale_id = sales.sale_id AND type = 'saleRequested' AND body ->> '$.sale.isTest'))`;

/**
 * A condition on `settled_payments` that an index of the journal can answer. @param id an SQL
 * expression for the service's payment id
 */
export const paymentIs = (id: string): string =>
  `substr(payment_id, -4) = substr(${id}, -4) AND payment_id = ${id}`;

/**
 * Shows the journal at `path` as three views of `db`, without other counters' payments. Each row of
 * the first two is one payment or one refund: `number`, `order_id` (of a refund its own),
 * `payment_id` (of a payment), `refund_id` (of a refund), `sale_id`, `lane_id`, `at_ms` (when it
 * was asked for; of a reservation, when it was decided to be captured), `amount_minor` (positive;
 * what is captured or given back), `reserved_minor` (of a payment), `currency`, `is_test`,
 * `stands`. The third are the notes: `number`, `subject`, `manager`, `text`.
 * @throws JournalOpenError when it cannot be read, or is of another version
 */
export function attachSettled(db: DatabaseSync, path: string): void {
  try {
    db.prepare('ATTACH ? AS journal').run(`${pathToFileURL(path).href}?mode=ro`);
    const version = db.prepare('PRAGMA journal.user_version').get()?.['user_version'];
    if (version !== newestVersion)
      throw new Error(
        `it is of version ${String(version)}, and this Tillbeacon reads version ${newestVersion}`,
      );
    db.exec(`
      CREATE TEMP VIEW settled_payments AS SELECT number, order_id, payment_id, sale_id, lane_id, coalesce(captured_at_ms, at_ms) AS at_ms,
        coalesce(captured_minor, amount_minor) AS amount_minor, amount_minor AS reserved_minor, currency,
        ${isTestSale('journal.')} AS is_test,
        ${stands('paid', 'sale_id = sales.sale_id AND refund_order_id IS NULL')} FROM journal.sales WHERE order_id IS NOT NULL AND state != 'elsewhere';
      CREATE TEMP VIEW settled_refunds AS SELECT number, refund_order_id AS order_id, refund_id, sale_id, lane_id, at_ms, amount_minor, currency,
        EXISTS (SELECT 1 FROM journal.sales WHERE sales.sale_id = refunds.sale_id AND ${isTestSale('journal.')}) AS is_test,
        ${stands('refunded', 'refund_order_id = refunds.refund_order_id')} FROM journal.refunds WHERE at_ms IS NOT NULL;
      CREATE TEMP VIEW settled_notes AS SELECT number, subject, manager, text FROM journal.reconciliation_notes;`);
  } catch (error) {
    throw error instanceof JournalOpenError ? error : new JournalOpenError(path, error);
  }
}

/**
 * Selects by the service, which the first event names; v10 when it is missing, as in earlier
 * versions that knew no other.
 */
const isOf = (owner: string, first: string, field: string): string => `
  coalesce((SELECT body ->> '$.${field}.service' FROM journal.events WHERE ${owner} AND type = '${first}' LIMIT 1), 'v10') = :service`;

/**
 * Leaves out most payments of the other service without a look at their events, which takes forty
 * times as long: ePayment knows a payment by the reference that we make of its order id, the
 * point-of-sale interface gives it another id.
 */
const mayBeOf = `coalesce((substr(payment_id, -8) = substr(order_id, -8)) = (:service = 'epayment'), 1)`;

/**
 * Whether money of this service moved then, by this journal. @param db with the journal attached
 */
export function isAnySettledAt(
  db: DatabaseSync,
  service: ServiceName,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): boolean {
  const then = "at_ms >= :fromMs AND at_ms < :toMs AND stands != 'not'";
  const settledRows = query(
    db,
    `SELECT EXISTS (SELECT 1 FROM settled_payments AS ours WHERE ${then} AND ${mayBeOf} AND ${isOf('sale_id = ours.sale_id AND refund_order_id IS NULL', 'saleRequested', 'sale')})
      OR EXISTS (SELECT 1 FROM settled_refunds AS ours WHERE ${then} AND ${isOf('refund_order_id = ours.order_id', 'refundRequested', 'request')}) AS is_any`,
    { isAny: flag },
  );
  return settledRows.first({ service, fromMs, toMs })?.isAny === true;
}
