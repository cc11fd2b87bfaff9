/** An opened period: sums, transfers, and rows by their place in a sort order. */
import type { DatabaseSync } from 'node:sqlite';
import {
  Category,
  type CurrencySummary,
  type Filter,
  type Row,
  RowKind,
  type Sort,
  type Summary,
  type Transfer,
} from '../../../../preload/procedures/reconciliation.ts';
import { flag, number, oneOf, orNull, query, type RowOf, text } from '../../../support/sql-rows.ts';
import { type MatchOptions, matchInto } from './match.ts';

const lookAt = "('missing', 'bankOnly', 'differs')";
/** How many sort orders are kept; each is a list of row numbers. */
const maxOrders = 6;

export type OpenedPeriod = ReturnType<typeof openPeriod>;
/** A row with the additional facts for its export and its details. */
export interface WholeRow extends Row {
  readonly subject: string;
  readonly saleId: string | null;
  readonly paymentId: string | null;
  readonly noteTexts: string | null;
}

const count = { count: number };
const category = oneOf(Category.options);
const kind = oneOf(RowKind.options);
const group = {
  currency: text,
  category,
  kind,
  transferred: flag,
  count: number,
  bank: number,
  fee: number,
  charged: number,
  ours: number,
};
const transferredSum = { currency: text, count: number, minor: number };
const transfer = {
  transferId: text,
  reference: orNull(text),
  atMs: number,
  totalMinor: number,
  currency: text,
  transactions: number,
  feesMinor: number,
  lookAt: number,
  addsUp: flag,
};
const wholeRow = {
  rowId: number,
  category,
  kind,
  atMs: number,
  orderId: orNull(text),
  laneId: orNull(text),
  posName: orNull(text),
  currency: text,
  oursMinor: orNull(number),
  bankMinor: orNull(number),
  feeMinor: number,
  transferReference: orNull(text),
  transferAtMs: orNull(number),
  isTest: flag,
  notes: number,
  subject: text,
  saleId: orNull(text),
  paymentId: orNull(text),
  noteTexts: orNull(text),
};
let lastNumber = 0;

/** @param db the store's, with the journal attached */
export function openPeriod(db: DatabaseSync, options: MatchOptions) {
  const table = `opened_${(lastNumber += 1)}`;
  matchInto(db, table, options);
  const { fromMs, toMs } = options.span;
  const orders = new Map<string, { readonly name: string; readonly total: number }>();

  /** The rows of a filter in a sort order: computed once, then read by place. */
  function orderOf(filter: Filter, sort: Sort): { readonly name: string; readonly total: number } {
    const key = JSON.stringify([
      filter.category,
      filter.transferId,
      filter.text,
      sort.by,
      sort.descending,
    ]);
    const existing = orders.get(key);
    if (existing !== undefined) {
      orders.delete(key);
      orders.set(key, existing);
      return existing;
    }
    const name = `order_${(lastNumber += 1)}`;
    const where = ['TRUE'];
    const values: Record<string, string> = {};
    if (filter.category === 'lookAt') where.push(`category IN ${lookAt}`);
    else if (filter.category !== 'all')
      where.push(`category = '${Category.parse(filter.category)}'`);
    if (filter.transferId !== null) {
      where.push(
        'transfer_number = (SELECT number FROM transfers WHERE transfer_id = :transferId)',
      );
      values['transferId'] = filter.transferId;
    }
    if (filter.text !== '') {
      where.push("orderId LIKE :text ESCAPE '\\'");
      values['text'] = `%${filter.text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    }
    const needsOrderId = filter.text !== '' || sort.by === 'order';
    const direction = sort.descending ? 'DESC' : 'ASC';
    const by = {
      time: '',
      amount: 'coalesce(bank_minor, ours_minor)',
      order: 'orderId',
      category: 'category',
    }[sort.by];
    const from = needsOrderId
      ? `(SELECT whole.*, ${orderId} AS orderId FROM temp.${table} AS whole ${sides('whole')})`
      : `temp.${table}`;
    db.exec(`CREATE TEMP TABLE ${name} (place INTEGER PRIMARY KEY, row_id INTEGER NOT NULL)`);
    const { changes } = db
      .prepare(
        `INSERT INTO temp.${name} (row_id) SELECT row_id FROM ${from} WHERE ${where.join(' AND ')}
          ORDER BY ${by === '' ? '' : `${by} ${direction}, `}at_ms ${by === '' ? direction : 'DESC'}, row_id`,
      )
      .run(values);
    const order = { name, total: Number(changes) };
    orders.set(key, order);
    for (const [old, { name: oldName }] of [...orders].slice(0, -maxOrders)) {
      db.exec(`DROP TABLE temp.${oldName}`);
      orders.delete(old);
    }
    return order;
  }

  const selectRow = (from: string, where: string): string => `
    SELECT whole.*, ${orderId} AS order_id, coalesce(lines.subject, ${orderId}) AS subject, lines.pos_name,
      transfers.reference AS transfer_reference, transfers.at_ms AS transfer_at_ms,
      coalesce(p.lane_id, f.lane_id) AS lane_id, coalesce(p.sale_id, f.sale_id) AS sale_id, coalesce(p.payment_id, lines.payment_id) AS payment_id,
      coalesce(p.is_test, f.is_test, 0) AS is_test,
      (SELECT count(*) FROM settled_notes WHERE subject = coalesce(lines.subject, ${orderId})) AS notes,
      (SELECT group_concat(manager || ': ' || text, ' | ' ORDER BY number) FROM settled_notes WHERE subject = coalesce(lines.subject, ${orderId})) AS note_texts
    FROM ${from} ${sides('whole')} LEFT JOIN transfers ON transfers.number = whole.transfer_number WHERE ${where}`;
  const selectOne = query(db, selectRow(`temp.${table} AS whole`, 'whole.row_id = ?'), wholeRow);

  return {
    summary(): Omit<Summary, 'period' | 'problem' | 'formerProblem' | 'asOfMs'> {
      const groups = query(
        db,
        `SELECT currency, category, kind, transfer_number IS NOT NULL AS transferred, count(*) AS count, sum(coalesce(bank_minor, 0)) AS bank,
            sum(fee_minor) AS fee, total(fee_minor != 0) AS charged, sum(coalesce(ours_minor, 0)) AS ours FROM temp.${table} GROUP BY currency, category, kind, transferred`,
        group,
      ).all();
      const transferred = query(
        db,
        'SELECT currency, count(*) AS count, sum(total_minor) AS minor FROM transfers WHERE at_ms >= ? AND at_ms < ? GROUP BY currency',
        transferredSum,
      ).all(fromMs, toMs);
      const currencies = [
        ...new Set([...transferred, ...groups].map(({ currency }) => currency)),
      ].sort();
      const counts = perCategory(() => 0);
      for (const group of groups) counts[group.category] += group.count;
      return {
        rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
        counts,
        currencies: currencies.map((currency) =>
          currencySummary(
            currency,
            transferred.find((group) => group.currency === currency),
            groups.filter((group) => group.currency === currency),
          ),
        ),
      };
    },

    transfers(from: number, most: number): { total: number; transfers: Transfer[] } {
      const total =
        query(
          db,
          'SELECT count(*) AS count FROM transfers WHERE at_ms >= ? AND at_ms < ?',
          count,
        ).first(fromMs, toMs)?.count ?? 0;
      const transfers = query(
        db,
        `WITH odd AS (SELECT transfer_number, count(*) AS count FROM temp.${table} WHERE category IN ${lookAt} GROUP BY transfer_number)
          SELECT transfers.*, count(lines.number) AS transactions, coalesce(sum(lines.amount_minor + lines.fee_minor), 0) = transfers.total_minor AS adds_up,
            coalesce(sum(iif(lines.type IN ('TransactionFee', 'ServiceFee'), lines.amount_minor, lines.fee_minor)), 0) AS fees_minor,
            coalesce(odd.count, 0) AS look_at
          FROM (SELECT * FROM transfers WHERE at_ms >= ? AND at_ms < ? ORDER BY at_ms DESC, number LIMIT ? OFFSET ?) AS transfers
            LEFT JOIN lines ON lines.transfer_number = transfers.number LEFT JOIN odd ON odd.transfer_number = transfers.number
          GROUP BY transfers.number ORDER BY transfers.at_ms DESC, transfers.number`,
        transfer,
      ).all(fromMs, toMs, most, from);
      return { total, transfers };
    },

    rows(
      filter: Filter,
      sort: Sort,
      from: number,
      most: number,
    ): { total: number; rows: WholeRow[] } {
      const { name, total } = orderOf(filter, sort);
      const rows = query(
        db,
        `${selectRow(`temp.${name} AS places JOIN temp.${table} AS whole ON whole.row_id = places.row_id`, 'place > ? AND place <= ?')} ORDER BY place`,
        wholeRow,
      ).all(from, from + most);
      return { total, rows };
    },

    row: (rowId: number): WholeRow | null => selectOne.first(rowId),

    close(): void {
      for (const { name } of orders.values()) db.exec(`DROP TABLE temp.${name}`);
      db.exec(`DROP TABLE temp.${table}`);
    },
  };
}

const orderId = 'coalesce(lines.reference, p.order_id, f.order_id)';
/** Joins both sides to a row. */
const sides = (row: string): string => `
  LEFT JOIN lines ON lines.number = ${row}.line_number
  LEFT JOIN settled_payments AS p ON ${row}.kind = 'payment' AND p.number = ${row}.number
  LEFT JOIN settled_refunds AS f ON ${row}.kind = 'refund' AND f.number = ${row}.number`;

// Object.fromEntries forgets the names of its entries.
const perCategory = <Value>(make: () => Value): Record<Category, Value> =>
  Object.fromEntries(Category.options.map((category) => [category, make()])) as Record<
    Category,
    Value
  >;

function currencySummary(
  currency: string,
  transferred: RowOf<typeof transferredSum> | undefined,
  groups: readonly RowOf<typeof group>[],
): CurrencySummary {
  const categories = perCategory(() => ({ count: 0, bankMinor: 0, oursMinor: 0 }));
  const inTransfers = {
    payments: { count: 0, minor: 0 },
    refunds: { count: 0, minor: 0 },
    fees: { count: 0, minor: 0 },
    others: { count: 0, minor: 0 },
  };
  for (const group of groups) {
    const sums = categories[group.category];
    sums.count += group.count;
    sums.bankMinor += group.bank;
    sums.oursMinor += group.ours;
    if (!group.transferred) continue;
    const sum = inTransfers[sumOf[group.kind]];
    sum.count += group.count;
    sum.minor += group.bank;
    inTransfers.fees.count += group.charged;
    inTransfers.fees.minor += group.fee;
  }
  const transferredMinor = transferred?.minor ?? 0;
  const explainedMinor = Object.values(inTransfers).reduce((sum, { minor }) => sum + minor, 0);
  const transfers = transferred?.count ?? 0;
  return {
    currency,
    transfers,
    transferredMinor,
    ...inTransfers,
    unexplainedMinor: transferredMinor - explainedMinor,
    categories,
  };
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
