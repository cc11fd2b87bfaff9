import readExcel from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import {
  type Category,
  ExportColumn,
  type RowKind,
} from '../../../../../preload/procedures/reconciliation.ts';
import { exportRows } from '../../../../../main/counter/manager/reconciliation/export.ts';
import type { ExportOptions } from '../../../../../main/counter/manager/reconciliation/export-sheet.ts';
import type { WholeRow } from '../../../../../main/counter/manager/reconciliation/opened.ts';

const words = {
  name: 'Afstemning [2026]: alt/intet?',
  columns: Object.fromEntries(
    ExportColumn.options.map((column) => [column, `<${column}>`]),
  ) as Record<ExportColumn, string>,
  categories: {
    matched: 'Stemmer',
    waiting: 'w',
    missing: 'Mangler',
    bankOnly: 'Kun i banken',
    differs: 'd',
    fee: 'Gebyr',
    elsewhere: 'e',
  } satisfies Record<Category, string>,
  kinds: {
    payment: 'Betaling',
    refund: 'r',
    transactionFee: 't',
    serviceFee: 's',
    returned: 'x',
    adjustment: 'a',
    other: 'o',
  } satisfies Record<RowKind, string>,
};
const at = new Date(2026, 10, 21, 9, 5, 3).getTime();
const row: WholeRow = {
  rowId: 1,
  category: 'matched',
  kind: 'payment',
  atMs: at,
  orderId: '1-000001-abcd',
  laneId: '1',
  posName: 'Check-out 1',
  currency: 'DKK',
  oursMinor: 1_234_550,
  bankMinor: 1_234_500,
  feeMinor: -25,
  transferReference: '01000000010010101261',
  transferAtMs: at,
  isTest: false,
  notes: 0,
  subject: '1-000001-abcd',
  saleId: null,
  paymentId: null,
  noteTexts: null,
};
const danish = {
  format: 'csv',
  csv: { separator: ';', decimal: ',' },
  laneNames: { '1': 'Kasse 1' },
  words,
} as const satisfies ExportOptions;
async function* rows(...some: Partial<WholeRow>[]): AsyncGenerator<WholeRow> {
  for (const one of some) yield { ...row, ...one };
}
const csv = async (options: ExportOptions, ...some: Partial<WholeRow>[]): Promise<string[]> =>
  Buffer.from(await exportRows(rows(...some), options))
    .toString('utf8')
    .split('\r\n');

describe('CSV', () => {
  test('is UTF-8 with a mark, with the separator and the decimals of the language', async () => {
    const [head, first, end] = await csv(danish, {});
    expect(head).toBe(`\uFEFF${ExportColumn.options.map((column) => `"<${column}>"`).join(';')}`);
    const texts = ['Stemmer', 'Betaling', '2026-11-21 09:05:03', '1-000001-abcd', 'Kasse 1']
      .map((text) => `"${text}"`)
      .join(';');
    expect(first).toBe(
      `${texts};12345,50;12345,00;-0,25;-0,50;"DKK";"01000000010010101261";"2026-11-21 09:05:03";;`,
    );
    expect((await csv(danish, { isTest: true }))[1]).toMatch(/;"<test>";$/);
    expect(end).toBe('');
    expect((await csv({ ...danish, csv: { separator: ',', decimal: '.' } }, {}))[1]).toContain(
      ',12345.50,12345.00,-0.25,-0.50,"DKK",',
    );
  });

  test('quotes every text, in one line (RFC 4180)', async () => {
    const [, first] = await csv(danish, { noteTexts: 'Ana: "ja"; nej\nmåske', orderId: 'a;b' });
    expect(first).toMatch(/;"a;b";.*;"Ana: ""ja""; nej måske"$/);
    expect((await csv(danish, { noteTexts: 'Ana: "ja"; nej' }))[1]).toMatch(/;"Ana: ""ja""; nej"$/);
  });

  /** With each of these signs a spreadsheet begins a formula, at each of these places. */
  const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '−'];
  const places = [
    '',
    ' ',
    '"',
    '\t',
    '\r',
    '\n',
    '\u200b',
    'x;',
    'x,',
    'x|',
    'x\t',
    'x\r\n',
    'x\u2028',
    'x; "',
    'x;\u202e',
    'x;;',
  ];
  test.each(signs.flatMap((sign) => places.map((place) => `${place}${sign}1`)))(
    'tells a spreadsheet that %j is text',
    async (text) => {
      for (const separator of [';', ',']) {
        const [, first = ''] = await csv(
          { ...danish, csv: { separator, decimal: '.' } },
          { orderId: text },
        );
        for (const parted of [';', ',', '|', '\t', '\r', '\n', '\u2028'])
          for (const cell of first.split(parted))
            expect(cell.replaceAll(/^[\s"\p{C}]+/gu, '')).not.toMatch(/^[=+@＝＋－＠−]|^-\D/u);
        expect(first).toContain("'");
      }
    },
  );

  test.each(['Tom; 5', 'a=b', 'e-mail', '5-6', 'x, y', 'a+b', 'mail@shop'])(
    'leaves %j as it is',
    async (text) => {
      expect((await csv(danish, { orderId: text }))[1]).toContain(`"${text}"`);
    },
  );

  test('has nothing that acts on a terminal or turns the direction', async () => {
    const [, first] = await csv(danish, {
      noteTexts: 'paid \u001b]0;x\u0007\u009b2J\u202e00.1\u2066\u200b',
    });
    expect(first).not.toMatch(/[\p{C}]/u);
  });

  test('has no difference where there is nothing to compare', async () => {
    expect(
      (
        await csv(danish, {
          category: 'fee',
          kind: 'serviceFee',
          oursMinor: null,
          bankMinor: -50,
          feeMinor: 0,
        })
      )[1],
    ).toContain(';;-0,50;;;"DKK";');
    expect((await csv(danish, { category: 'missing', bankMinor: null, feeMinor: 0 }))[1]).toContain(
      ';12345,50;;;-12345,50;"DKK";',
    );
  });
});

describe('Excel', () => {
  test('is read back as it was written: texts as texts, amounts as numbers, times as the clock on the wall said', async () => {
    const file = await exportRows(
      rows(
        { orderId: '=1+1', noteTexts: 'Ana: æøå <&>\u001b\u202e!' },
        { category: 'missing', bankMinor: null, feeMinor: 0 },
      ),
      {
        ...danish,
        format: 'xlsx',
      },
    );
    const [sheet] = await readExcel(Buffer.from(file));
    expect(sheet?.sheet).toBe('Afstemning  2026   alt intet ');
    expect(sheet?.data.map((cells) => cells.map(toSecond))).toEqual([
      ExportColumn.options.map((column) => `<${column}>`),
      [
        'Stemmer',
        'Betaling',
        wall(at),
        '=1+1',
        'Kasse 1',
        12_345.5,
        12_345,
        -0.25,
        -0.5,
        'DKK',
        '01000000010010101261',
        wall(at),
        null,
        'Ana: æøå <&> !',
      ],
      [
        'Mangler',
        'Betaling',
        wall(at),
        '1-000001-abcd',
        'Kasse 1',
        12_345.5,
        null,
        null,
        -12_345.5,
        'DKK',
        '01000000010010101261',
        wall(at),
        null,
        null,
      ],
    ]);
  });

  test('ends with what its rows throw', async () => {
    async function* broken(): AsyncGenerator<WholeRow> {
      yield row;
      throw new Error('given up');
    }
    for (const format of ['csv', 'xlsx'] as const)
      await expect(exportRows(broken(), { ...danish, format })).rejects.toThrow('given up');
  });
});

/** A time in a cell is a fraction of a day, which loses the milliseconds. */
const toSecond = (cell: unknown): unknown =>
  cell instanceof Date ? new Date(Math.round(cell.getTime() / 1_000) * 1_000) : cell;

/** A cell has no time zone, so readers take it for UTC. */
const wall = (ms: number): Date => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
