/** Files for spreadsheets: CSV as RFC 4180 has it. */
import { stringify } from 'csv-stringify/sync';

/** A number is an amount in major units, and is written with two decimals. */
export type CsvCell = string | number | null;

export interface CsvOptions {
  readonly separator: string;
  readonly decimal: string;
  /** Whether the file begins with a byte order mark. Without it, Excel reads a file in the system's old character set. */
  readonly byteOrderMark: boolean;
}

/** The form that programs read. */
export const plainCsv: CsvOptions = { separator: ',', decimal: '.', byteOrderMark: false };

const rowsAtOnce = 500;

/** The file in parts. What a person wrote or the service sent is never taken for a formula by a spreadsheet: such a text is given an apostrophe. */
export async function* csvParts(rows: AsyncIterable<readonly CsvCell[]> | Iterable<readonly CsvCell[]>, options: CsvOptions): AsyncGenerator<string> {
  const { separator, decimal, byteOrderMark } = options;
  let waiting: (readonly CsvCell[])[] = [];
  const part = (): string =>
    stringify(waiting, {
      delimiter: separator,
      record_delimiter: 'windows',
      escape_formulas: true,
      cast: { number: (value) => value.toFixed(2).replace('.', decimal) },
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
