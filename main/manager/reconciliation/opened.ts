/** An opened period, as it is asked about: sums, transfers, and rows by their place in any order. */
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import {
  Category,
  type CurrencySummary,
  type Filter,
  type Row,
  type RowKind,
  type Sort,
  type Summary,
  type Transfer,
} from '../../../preload/procedures/reconciliation.ts';
import { type MatchOptions, matchInto } from './match.ts';

const lookAt = "('missing', 'bankOnly', 'differs')";
/** As many orders of the rows are kept: each is a list of numbers. */
const mostOrders = 6;

export type OpenedPeriod = ReturnType<typeof openPeriod>;
/** A row with what only its export and its story need. */
export interface WholeRow extends Row {
  readonly subject: string;
  readonly saleId: string | null;
  readonly paymentId: string | null;
  readonly noteTexts: string | null;
}

type Found = Record<string, SQLOutputValue>;
let lastNumber = 0;

/** @param db the store's, with the journal attached */
export function openPeriod(db: DatabaseSync, options: MatchOptions) {
  const table = `opened_${(lastNumber += 1)}`;
  matchInto(db, table, options);
  const { fromMs, toMs } = options.span;
  const orders = new Map<string, { readonly name: string; readonly total: number }>();

  /** The rows of a filter in an order: made once, then asked by place. */
  function orderOf(filter: Filter, sort: Sort): { readonly name: string; readonly total: number } {
    const key = JSON.stringify([filter.category, filter.transferId, filter.text, sort.by, sort.descending]);
    const known = orders.get(key);
    if (known !== undefined) {
      orders.delete(key);
      orders.set(key, known);
      return known;
    }
    const name = `order_${(lastNumber += 1)}`;
    const where = ['TRUE'];
    const values: Record<string, string> = {};
    if (filter.category === 'lookAt') where.push(`category IN ${lookAt}`);
    else if (filter.category !== 'all') where.push(`category = '${Category.parse(filter.category)}'`);
    if (filter.transferId !== null) {
      where.push('transfer_number = (SELECT number FROM transfers WHERE transfer_id = :transferId)');
      values['transferId'] = filter.transferId;
    }
    if (filter.text !== '') {
      where.push("orderId LIKE :text ESCAPE '\\'");
      values['text'] = `%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    }
    const needsOrderId = filter.text !== '' || sort.by === 'order';
    const direction = sort.descending ? 'DESC' : 'ASC';
    const by = { time: '', amount: 'coalesce(bank_minor, ours_minor)', order: 'orderId', category: 'category' }[sort.by];
    const from = needsOrderId ? `(SELECT whole.*, ${orderId} AS orderId FROM temp.${table} AS whole ${sides('whole')})` : `temp.${table}`;
    db.exec(`CREATE TEMP TABLE ${name} (place INTEGER PRIMARY KEY, row_id INTEGER NOT NULL)`);
    const { changes } = db
      .prepare(
        `INSERT INTO temp.${name} (row_id) SELECT row_id FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${by === '' ? '' : `${by} ${direction}, `}at_ms ${by === '' ? direction : 'DESC'}, row_id`,
      )
      .run(values);
    const made = { name, total: Number(changes) };
    orders.set(key, made);
    for (const [old, { name: oldName }] of [...orders].slice(0, -mostOrders)) {
      db.exec(`DROP TABLE temp.${oldName}`);
      orders.delete(old);
    }
    return made;
  }

  const selectRow = (from: string, where: string): string => `
    SELECT whole.*, ${orderId} AS orderId, coalesce(lines.subject, ${orderId}) AS subject, lines.pos_name AS posName,
      transfers.reference AS transferReference, transfers.at_ms AS transferAtMs,
      coalesce(p.lane_id, f.lane_id) AS laneId, coalesce(p.sale_id, f.sale_id) AS saleId, coalesce(p.payment_id, lines.payment_id) AS paymentId,
      (SELECT count(*) FROM settled_notes WHERE subject = coalesce(lines.subject, ${orderId})) AS notes,
      (SELECT group_concat(manager || ': ' || text, ' | ' ORDER BY number) FROM settled_notes WHERE subject = coalesce(lines.subject, ${orderId})) AS noteTexts
    FROM ${from} ${sides('whole')} LEFT JOIN transfers ON transfers.number = whole.transfer_number WHERE ${where}`;
  const selectOne = db.prepare(selectRow(`temp.${table} AS whole`, 'whole.row_id = ?'));

  return {
    summary(): Omit<Summary, 'period' | 'problem' | 'asOfMs'> {
      const groups = db
        .prepare(
          `SELECT currency, category, kind, transfer_number IS NOT NULL AS transferred, count(*) AS count, sum(coalesce(bank_minor, 0)) AS bank,
            sum(fee_minor) AS fee, total(fee_minor != 0) AS charged, sum(coalesce(ours_minor, 0)) AS ours FROM temp.${table} GROUP BY currency, category, kind, transferred`,
        )
        .all();
      const transferred = db
        .prepare('SELECT currency, count(*) AS count, sum(total_minor) AS minor FROM transfers WHERE at_ms >= ? AND at_ms < ? GROUP BY currency')
        .all(fromMs, toMs);
      const currencies = [...new Set([...transferred, ...groups].map((group) => group['currency'] as string))].sort();
      const counts = perCategory(() => 0);
      for (const group of groups) counts[group['category'] as Category] += group['count'] as number;
      return {
        rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
        counts,
        currencies: currencies.map((currency) =>
          currencySummary(
            currency,
            transferred.find((group) => group['currency'] === currency),
            groups.filter((group) => group['currency'] === currency),
          ),
        ),
      };
    },

    transfers(from: number, count: number): { total: number; transfers: Transfer[] } {
      const total = db.prepare('SELECT count(*) AS count FROM transfers WHERE at_ms >= ? AND at_ms < ?').get(fromMs, toMs)?.['count'] as number;
      const found = db
        .prepare(
          `WITH odd AS (SELECT transfer_number, count(*) AS count FROM temp.${table} WHERE category IN ${lookAt} GROUP BY transfer_number)
          SELECT transfers.*, count(lines.number) AS count, coalesce(sum(lines.amount_minor + lines.fee_minor), 0) AS sum,
            coalesce(sum(iif(lines.type IN ('TransactionFee', 'ServiceFee'), lines.amount_minor, lines.fee_minor)), 0) AS fees,
            coalesce(odd.count, 0) AS lookAt
          FROM (SELECT * FROM transfers WHERE at_ms >= ? AND at_ms < ? ORDER BY at_ms DESC, number LIMIT ? OFFSET ?) AS transfers
            LEFT JOIN lines ON lines.transfer_number = transfers.number LEFT JOIN odd ON odd.transfer_number = transfers.number
          GROUP BY transfers.number ORDER BY transfers.at_ms DESC, transfers.number`,
        )
        .all(fromMs, toMs, count, from);
      return { total, transfers: found.map(transferOf) };
    },

    rows(filter: Filter, sort: Sort, from: number, count: number): { total: number; rows: WholeRow[] } {
      const { name, total } = orderOf(filter, sort);
      const found = db
        .prepare(
          `${selectRow(`temp.${name} AS places JOIN temp.${table} AS whole ON whole.row_id = places.row_id`, 'place > ? AND place <= ?')} ORDER BY place`,
        )
        .all(from, from + count);
      return { total, rows: found.map(rowOf) };
    },

    row(rowId: number): WholeRow | null {
      const found = selectOne.get(rowId);
      return found === undefined ? null : rowOf(found);
    },

    close(): void {
      for (const { name } of orders.values()) db.exec(`DROP TABLE temp.${name}`);
      db.exec(`DROP TABLE temp.${table}`);
    },
  };
}

const orderId = 'coalesce(lines.reference, p.order_id, f.order_id)';
/** What the two sides say of a row beside its amounts. */
const sides = (row: string): string => `
  LEFT JOIN lines ON lines.number = ${row}.line_number
  LEFT JOIN settled_payments AS p ON ${row}.kind = 'payment' AND p.number = ${row}.number
  LEFT JOIN settled_refunds AS f ON ${row}.kind = 'refund' AND f.number = ${row}.number`;

const perCategory = <Value>(make: () => Value): Record<Category, Value> =>
  Object.fromEntries(Category.options.map((category) => [category, make()])) as Record<Category, Value>;

function currencySummary(currency: string, transferred: Found | undefined, groups: readonly Found[]): CurrencySummary {
  const categories = perCategory(() => ({ count: 0, bankMinor: 0, oursMinor: 0 }));
  const inTransfers = { payments: { count: 0, minor: 0 }, refunds: { count: 0, minor: 0 }, fees: { count: 0, minor: 0 }, others: { count: 0, minor: 0 } };
  for (const group of groups) {
    const [count, bank, ours] = [group['count'] as number, group['bank'] as number, group['ours'] as number];
    const category = categories[group['category'] as Category];
    category.count += count;
    category.bankMinor += bank;
    category.oursMinor += ours;
    if (group['transferred'] !== 1) continue;
    const sum = inTransfers[sumOf[group['kind'] as RowKind]];
    sum.count += count;
    sum.minor += bank;
    inTransfers.fees.count += group['charged'] as number;
    inTransfers.fees.minor += group['fee'] as number;
  }
  const transferredMinor = (transferred?.['minor'] as number | undefined) ?? 0;
  const told = Object.values(inTransfers).reduce((sum, { minor }) => sum + minor, 0);
  const transfers = (transferred?.['count'] as number | undefined) ?? 0;
  return { currency, transfers, transferredMinor, ...inTransfers, unexplainedMinor: transferredMinor - told, categories };
}

const sumOf: Readonly<Record<RowKind, 'payments' | 'refunds' | 'fees' | 'others'>> = {
  payment: 'payments',
  refund: 'refunds',
  transactionFee: 'fees',
  serviceFee: 'fees',
  returned: 'others',
  adjustment: 'others',
  other: 'others',
};

function transferOf(found: Found): Transfer {
  return {
    transferId: found['transfer_id'] as string,
    reference: found['reference'] as string | null,
    atMs: found['at_ms'] as number,
    totalMinor: found['total_minor'] as number,
    currency: found['currency'] as string,
    transactions: found['count'] as number,
    feesMinor: found['fees'] as number,
    lookAt: found['lookAt'] as number,
    addsUp: found['sum'] === found['total_minor'],
  };
}

function rowOf(found: Found): WholeRow {
  return {
    rowId: found['row_id'] as number,
    category: found['category'] as Category,
    kind: found['kind'] as RowKind,
    atMs: found['at_ms'] as number,
    orderId: found['orderId'] as string | null,
    laneId: found['laneId'] as string | null,
    posName: found['posName'] as string | null,
    currency: found['currency'] as string,
    oursMinor: found['ours_minor'] as number | null,
    bankMinor: found['bank_minor'] as number | null,
    feeMinor: found['fee_minor'] as number,
    transferReference: found['transferReference'] as string | null,
    transferAtMs: found['transferAtMs'] as number | null,
    notes: found['notes'] as number,
    subject: found['subject'] as string,
    saleId: found['saleId'] as string | null,
    paymentId: found['paymentId'] as string | null,
    noteTexts: found['noteTexts'] as string | null,
  };
}
