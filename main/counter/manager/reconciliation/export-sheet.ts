/** The columns of an export, for both file formats. */
import { ExportColumn, type Row } from '../../../../preload/procedures/reconciliation.ts';
import type { WholeRow } from './opened.ts';

export interface ExportOptions {
  readonly format: 'csv' | 'xlsx';
  readonly csv: { readonly separator: string; readonly decimal: string };
  /** The names of lanes, by id. A removed lane has no name. */
  readonly laneNames: Readonly<Record<string, string>>;
  readonly words: {
    /** Name of the sheet. */
    readonly name: string;
    readonly columns: Readonly<Record<ExportColumn, string>>;
    readonly categories: Readonly<Record<Row['category'], string>>;
    readonly kinds: Readonly<Record<Row['kind'], string>>;
  };
}

export type Cell =
  | { readonly text: string }
  | { readonly amountMinor: number }
  | { readonly timeMs: number }
  | null;

export const columns = ExportColumn.options;

/** The row's cells in the order of {@link columns}. */
export function cellsOf(row: WholeRow, { words, laneNames }: ExportOptions): Cell[] {
  const cells: Record<ExportColumn, Cell> = {
    category: { text: words.categories[row.category] },
    kind: { text: words.kinds[row.kind] },
    time: { timeMs: row.atMs },
    orderId: text(row.orderId),
    lane: text(row.laneId === null ? row.posName : (laneNames[row.laneId] ?? row.laneId)),
    oursAmount: amount(row.oursMinor),
    bankAmount: amount(row.bankMinor),
    fee: row.feeMinor === 0 ? null : amount(row.feeMinor),
    difference:
      row.category === 'fee' || row.category === 'waiting'
        ? null
        : amount((row.bankMinor ?? 0) - (row.oursMinor ?? 0)),
    currency: { text: row.currency },
    transferReference: text(row.transferReference),
    transferTime: row.transferAtMs === null ? null : { timeMs: row.transferAtMs },
    test: text(row.isTest ? words.columns.test : null),
    notes: text(row.noteTexts),
  };
  return columns.map((column) => cells[column]);
}

const text = (value: string | null): Cell => (value === null ? null : { text: value });
const amount = (amountMinor: number | null): Cell =>
  amountMinor === null ? null : { amountMinor };
