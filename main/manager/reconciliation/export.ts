/** Rows as a file for a spreadsheet: CSV (RFC 4180, UTF-8 with a byte order mark) or Excel. A row at a time: a year is more than fits comfortably in memory. */
import { writeXlsxStream } from 'hucre/xlsx';
import { type Cell, cellsOf, columns, type ExportOptions, localTime } from './export-sheet.ts';
import type { WholeRow } from './opened.ts';

const lettersAtOnce = 256 * 1024;
const widths = [22, 16, 20, 30, 14, 14, 14, 10, 14, 10, 24, 20, 40];

/** @throws what `rows` throws */
export function exportRows(rows: AsyncIterable<WholeRow>, options: ExportOptions): Promise<Uint8Array> {
  return options.format === 'csv' ? csv(rows, options) : xlsx(rows, options);
}

async function csv(rows: AsyncIterable<WholeRow>, options: ExportOptions): Promise<Uint8Array> {
  const { separator } = options.csv;
  const parts: Buffer[] = [];
  // Without the mark Excel takes it for the system's old character set.
  let text = '\uFEFF';
  const line = (cells: readonly Cell[]): void => {
    text += `${cells.map((cell) => csvField(cell, options.csv)).join(separator)}\r\n`;
    if (text.length > lettersAtOnce) flush();
  };
  const flush = (): void => {
    parts.push(Buffer.from(text, 'utf8'));
    text = '';
  };
  line(columns.map((column) => ({ text: options.words.columns[column] })));
  for await (const row of rows) line(cellsOf(row, options));
  flush();
  return joined(parts);
}

/** A text that a spreadsheet would take for a formula is told to be one: names and references come from elsewhere. */
const formula = /^[=+\-@\t\r\n|]/;

function csvField(cell: Cell, { separator, decimal }: ExportOptions['csv']): string {
  if (cell === null) return '';
  const text =
    'text' in cell ? cell.text.replace(formula, "'$&") : 'timeMs' in cell ? localTime(cell.timeMs) : (cell.amountMinor / 100).toFixed(2).replace('.', decimal);
  return text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function xlsx(rows: AsyncIterable<WholeRow>, options: ExportOptions): Promise<Uint8Array> {
  const stream = writeXlsxStream(sheetRows(rows, options), {
    name: sheetName(options.words.name),
    columns: columns.map((column, index) => ({
      header: options.words.columns[column],
      width: widths[index] as number,
      ...(column.endsWith('Amount') || column === 'difference' || column === 'fee' ? { numFmt: '#,##0.00' } : {}),
      ...(column === 'time' || column === 'transferTime' ? { numFmt: 'yyyy-mm-dd hh:mm:ss' } : {}),
    })),
    freezePane: { rows: 1 },
  });
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return joined(parts);
}

async function* sheetRows(rows: AsyncIterable<WholeRow>, options: ExportOptions): AsyncGenerator<(string | number | Date | null)[]> {
  for await (const row of rows) yield cellsOf(row, options).map(xlsxValue);
}

function xlsxValue(cell: Cell): string | number | Date | null {
  if (cell === null) return null;
  if ('text' in cell) return cell.text;
  if ('amountMinor' in cell) return cell.amountMinor / 100;
  // Cells know no time zone: what the clock on the wall said, written as if it were UTC.
  const at = new Date(cell.timeMs);
  return new Date(cell.timeMs - at.getTimezoneOffset() * 60_000);
}

/** In memory of its own, so that it can be handed to another thread. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What Excel allows for one. */
const sheetName = (name: string): string => name.replaceAll(/[[\]*?:/\\]/g, ' ').slice(0, 31);
