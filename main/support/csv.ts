/** Files for spreadsheets: CSV as RFC 4180 has it. */
import { stringify } from 'csv-stringify/sync';
import { plainLines, invisibleCharacters } from '../core/domain/outside-text.ts';

/** A number is an amount in major units, and is written with two decimals. */
export type CsvCell = string | number | null;

export interface CsvOptions {
  readonly separator: string;
  readonly decimal: string;
  /**
   * Whether the file begins with a byte order mark. Without it, Excel reads a file in the system's
   * old character set.
   */
  readonly byteOrderMark: boolean;
}

/** The form that programs read. */
export const plainCsv: CsvOptions = { separator: ',', decimal: '.', byteOrderMark: false };

const rowsAtOnce = 500;

/**
 * Where a spreadsheet may begin a cell, and with what it begins a formula. It may part cells at
 * another sign than the file does: where decimals have a comma, Excel takes the semicolon, and then
 * quotation marks within a cell protect nothing. Blanks and quotation marks may be dropped before
 * it looks.
 */
const cellBeginning = String.raw`^|[,;|\p{Cc}\u061b\u2028\u2029\uff0c\uff1b]`;
const formulaSigns = String.raw`=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20`;
const formula = new RegExp(
  `(${cellBeginning})(?=[\\s"${invisibleCharacters}]*[${formulaSigns}])`,
  'gu',
);

/**
 * A text in one line that no spreadsheet takes for a formula: an apostrophe stands before each sign
 * that could begin one.
 */
const withoutFormulas = (text: string): string =>
  plainLines(text.replaceAll(formula, "$1'")).replaceAll(/\r?\n/g, ' ');

/**
 * The file in parts. Every text is quoted, and what a person wrote or the service sent is never
 * taken for a formula by a spreadsheet.
 */
export async function* csvParts(
  rows: AsyncIterable<readonly CsvCell[]> | Iterable<readonly CsvCell[]>,
  options: CsvOptions,
): AsyncGenerator<string> {
  const { separator, decimal, byteOrderMark } = options;
  let waiting: (readonly CsvCell[])[] = [];
  const part = (): string =>
    stringify(waiting, {
      delimiter: separator,
      record_delimiter: 'windows',
      quoted_string: true,
      quoted_empty: false,
      cast: { string: withoutFormulas, number: (value) => value.toFixed(2).replace('.', decimal) },
    });
  if (byteOrderMark) yield '\uFEFF';
  for await (const row of rows) {
    waiting.push(row);
    if (waiting.length < rowsAtOnce) continue;
    yield part();
    waiting = [];
  }
  yield part();
}
