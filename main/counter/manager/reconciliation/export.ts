/**
 * Exports rows for a spreadsheet, as CSV (RFC 4180, UTF-8 with a byte order mark) or Excel. Streams
 * them, because a year does not fit comfortably in memory.
 */
import { writeXlsxStream } from 'hucre/xlsx';
import type { ExportColumn } from '../../../../preload/procedures/reconciliation.ts';
import { toMajorUnits } from '../../../core/domain/money.ts';
import { plainLines } from '../../../core/domain/outside-text.ts';
import { type CsvCell, csvParts } from '../../../support/csv.ts';
import { localTime } from '../../../core/domain/local-time.ts';
import { type Cell, cellsOf, columns, type ExportOptions } from './export-sheet.ts';
import type { WholeRow } from './opened.ts';

/** Widths of the columns in characters. */
const widths: Readonly<Record<ExportColumn, number>> = {
  category: 22,
  kind: 16,
  time: 20,
  orderId: 30,
  lane: 14,
  oursAmount: 14,
  bankAmount: 14,
  fee: 10,
  difference: 14,
  currency: 10,
  transferReference: 24,
  transferTime: 20,
  test: 16,
  notes: 40,
};

/** @throws what `rows` throws */
export function exportRows(
  rows: AsyncIterable<WholeRow>,
  options: ExportOptions,
): Promise<Uint8Array> {
  return options.format === 'csv' ? csv(rows, options) : xlsx(rows, options);
}

async function csv(rows: AsyncIterable<WholeRow>, options: ExportOptions): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of csvParts(csvRows(rows, options), {
    ...options.csv,
    byteOrderMark: true,
  }))
    parts.push(Buffer.from(part, 'utf8'));
  return joined(parts);
}

async function* csvRows(
  rows: AsyncIterable<WholeRow>,
  options: ExportOptions,
): AsyncGenerator<CsvCell[]> {
  yield columns.map((column) => options.words.columns[column]);
  for await (const row of rows) yield cellsOf(row, options).map(csvValue);
}

function csvValue(cell: Cell): CsvCell {
  if (cell === null) return null;
  if ('text' in cell) return cell.text;
  return 'amountMinor' in cell ? toMajorUnits(cell.amountMinor) : localTime(cell.timeMs);
}

async function xlsx(rows: AsyncIterable<WholeRow>, options: ExportOptions): Promise<Uint8Array> {
  const stream = writeXlsxStream(sheetRows(rows, options), {
    name: sheetName(options.words.name),
    columns: columns.map((column) => ({
      header: options.words.columns[column],
      width: widths[column],
      ...(column.endsWith('Amount') || column === 'difference' || column === 'fee'
        ? { numFmt: '#,##0.00' }
        : {}),
      ...(column === 'time' || column === 'transferTime' ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {}),
    })),
    freezePane: { rows: 1 },
  });
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return joined(parts);
}

async function* sheetRows(
  rows: AsyncIterable<WholeRow>,
  options: ExportOptions,
): AsyncGenerator<(string | number | Date | null)[]> {
  for await (const row of rows) yield cellsOf(row, options).map(xlsxValue);
}

function xlsxValue(cell: Cell): string | number | Date | null {
  if (cell === null) return null;
  if ('text' in cell) return plainLines(cell.text);
  if ('amountMinor' in cell) return toMajorUnits(cell.amountMinor);
  // Cells have no time zone, so local time is written as if it were UTC.
  const at = new Date(cell.timeMs);
  return new Date(cell.timeMs - at.getTimezoneOffset() * 60_000);
}

/** Joins the parts in a new buffer, which can be transferred to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Excel's limits for the name of a sheet. */
const sheetName = (name: string): string => name.replaceAll(/[[\]*?:/\\]/g, ' ').slice(0, 31);
