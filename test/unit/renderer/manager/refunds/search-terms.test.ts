import { describe, expect, test } from 'vitest';
import type { InputOf } from '../../../../../preload/procedures.ts';
import type { SaleSummary } from '../../../../../preload/procedures/refunds.ts';
import { searchTermsIn, periodOf } from '../../../../../renderer/manager/refunds/search-terms.ts';
import { PaymentPages } from '../../../../../renderer/manager/refunds/payment-pages.ts';

const uuid = '6A7CE3A5-cc5e-4d22-85f9-f2524d7ebdc3';

const endings = (text: string) => [
  { orderIdEnding: text },
  { refundOrderIdEnding: text },
  { paymentIdEnding: text },
];
const named = (...texts: readonly string[]) => texts.map((text) => ({ orderIdBeginning: text }));

describe('what is typed into the one search field', () => {
  test.each([
    ['nothing', 'en', '  ', [{}]],
    ['an amount in the language’s notation', 'da', '1.234,50', [{ amountMinor: 123_450 }]],
    ['an amount with its currency', 'da', '1.234,50 kr.', [{ amountMinor: 123_450 }]],
    ['an amount behind its currency', 'en', '€12.5', [{ amountMinor: 1_250 }]],
    [
      'an amount with a no-break space, as Intl writes it',
      'fi',
      '1\u00a0234,50\u00a0€',
      [{ amountMinor: 123_450 }],
    ],
    [
      'a number that may be a receipt or an amount',
      'en',
      '250',
      [{ receiptNumber: 250 }, { amountMinor: 25_000 }],
    ],
    [
      'four digits, which an id may end with as well',
      'en',
      '2500',
      [{ receiptNumber: 2_500 }, { amountMinor: 250_000 }, ...endings('2500')],
    ],
    [
      'a receipt’s number as it is printed',
      'en',
      '0042',
      [{ receiptNumber: 42 }, ...endings('0042')],
    ],
    ['a whole amount that is no receipt', 'en', '12500 kr', [{ amountMinor: 1_250_000 }]],
    ['an order id', 'en', ' 1-000042-5a1e0000 ', [{ orderIdEnding: '1-000042-5a1e0000' }]],
    [
      'an order id of a lane with a dash in its name',
      'en',
      'bar-2-000042-5a1e0000',
      [{ orderIdEnding: 'bar-2-000042-5a1e0000' }],
    ],
    [
      'an order id of what the cashier called it',
      'da',
      'Bord 4, på gården-000042-5A1E0000',
      [{ orderIdEnding: 'Bord 4, på gården-000042-5A1E0000' }],
    ],
    ['what the cashier called it', 'da', 'Bord 4', named('Bord 4', 'BORD 4', 'bord 4')],
    ['its beginning in small letters', 'en', 'ord-77', named('ord-77', 'ORD-77')],
    ['an order id’s beginning', 'en', '1-000042', [{ orderIdBeginning: '1-000042' }]],
    [
      'more of its beginning',
      'en',
      'bar-2-000042-5A1e',
      [{ orderIdBeginning: 'bar-2-000042-5a1e' }],
    ],
    [
      'an order id’s end, or a payment id’s',
      'en',
      'D532AC88',
      [...endings('d532ac88'), ...named('D532AC88', 'd532ac88')],
    ],
    [
      'an order id’s end, shortened by somebody',
      'en',
      '…042-d532ac88',
      [
        { orderIdEnding: '042-d532ac88' },
        { refundOrderIdEnding: '042-d532ac88' },
        ...named('042-d532ac88', '042-D532AC88'),
      ],
    ],
    [
      'a uuid: a sale’s or a payment’s',
      'en',
      uuid,
      [
        { saleId: uuid.toLowerCase() },
        { paymentIdEnding: uuid.toLowerCase() },
        { refundOrderIdEnding: uuid.toLowerCase() },
      ],
    ],
    [
      'the end of an order id, a refund’s or a payment id',
      'en',
      'EBDC3',
      [...endings('ebdc3'), ...named('EBDC3', 'ebdc3')],
    ],
    [
      'the end of a payment id, shortened by somebody',
      'en',
      '…d7ebdc3',
      [...endings('d7ebdc3'), ...named('d7ebdc3', 'D7EBDC3')],
    ],
    [
      'more of its end, with a dash',
      'en',
      '85f9-f2524d7ebdc3',
      [
        { refundOrderIdEnding: '85f9-f2524d7ebdc3' },
        { paymentIdEnding: '85f9-f2524d7ebdc3' },
        ...named('85f9-f2524d7ebdc3', '85F9-F2524D7EBDC3'),
      ],
    ],
    [
      'a refund’s order id',
      'en',
      '1-R000042-5A1E0000',
      [
        { orderIdEnding: '1-r000042-5a1e0000' },
        { refundOrderIdEnding: '1-r000042-5a1e0000' },
        ...named('1-R000042-5A1E0000', '1-r000042-5a1e0000'),
      ],
    ],
  ] as const)('%s', (_what, language, text, clues) => {
    expect(searchTermsIn(language, text)).toEqual(clues);
  });

  test.each(['xy', '0', '0,00', '12,345,6', '2026-11-21', '1-00004', '----', 'a'.repeat(21)])(
    '%j is none of the things that payments are found by',
    (text) => {
      expect(searchTermsIn('en', text)).toBeNull();
    },
  );
});

test('days are asked for with both ends included, and not backwards', () => {
  expect(periodOf('', '')).toEqual({});
  expect(periodOf('2026-11-21', '2026-11-21')).toEqual({
    fromMs: new Date(2026, 10, 21).getTime(),
    toMs: new Date(2026, 10, 22).getTime(),
  });
  expect(periodOf('', '2026-12-31')).toEqual({ toMs: new Date(2027, 0, 1).getTime() });
  expect(periodOf('2026-11-22', '2026-11-21')).toBeNull();
});

describe('what several questions find', () => {
  const sale = (atMs: number): SaleSummary => ({
    saleId: `3d500000-0000-4000-8000-${String(atMs).padStart(12, '0')}`,
    laneId: '1',
    atMs,
    amountMinor: 250,
    currency: 'DKK',
    state: 'paid',
    capturedMinor: null,
    receiptNumber: 1,
    orderId: `1-${atMs}`,
    paymentId: null,
    refundedMinor: 0,
    refundedAtTillMinor: 0,
  });
  /** A journal that answers two at a time. */
  const journal =
    (books: Readonly<Record<number, readonly number[]>>, asked: InputOf<'findSales'>[] = []) =>
    (question: InputOf<'findSales'>) => {
      asked.push(question);
      const all = books[question.receiptNumber ?? 0] ?? [];
      const from = Number(question.after ?? 0);
      const sales = all.slice(from, from + 2).map(sale);
      return Promise.resolve({
        ok: true as const,
        value: { sales, next: from + 2 < all.length ? String(from + 2) : null },
      });
    };
  const found = async (answer: Promise<unknown>): Promise<PaymentPages> => {
    const value = await answer;
    if (value instanceof PaymentPages) return value;
    throw new Error(JSON.stringify(value));
  };
  const times = ({ sales }: PaymentPages): number[] => sales.map(({ atMs }) => atMs);

  test('is one list, newest first, each payment once', async () => {
    const both = await found(
      PaymentPages.find(journal({ 1: [50, 30], 2: [50, 40] }), [
        { receiptNumber: 1 },
        { receiptNumber: 2 },
      ]),
    );
    expect(times(both)).toEqual([50, 40, 30]);
    expect(both.hasMore).toBe(false);
  });

  test('grows by pages without a gap: what is older than the end of a list that goes on, waits', async () => {
    const asked: InputOf<'findSales'>[] = [];
    const first = await found(
      PaymentPages.find(journal({ 1: [90, 80, 70, 60], 2: [85, 10], 3: [95] }, asked), [
        { receiptNumber: 1 },
        { receiptNumber: 2 },
        { receiptNumber: 3 },
      ]),
    );
    expect(times(first)).toEqual([95, 90, 85, 80]);
    expect(first.hasMore).toBe(true);
    const all = await found(first.more());
    expect(times(all)).toEqual([95, 90, 85, 80, 70, 60, 10]);
    expect(all.hasMore).toBe(false);
    expect(asked.map(({ receiptNumber, after }) => [receiptNumber, after])).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [1, '2'],
    ]);
  });

  test('is refused as a whole when one of them is', async () => {
    const refused = {
      ok: false as const,
      code: 'failed' as const,
      field: null,
      message: '',
      facts: {},
    };
    const ask = (question: InputOf<'findSales'>) =>
      question.receiptNumber === 1 ? journal({ 1: [1] })(question) : Promise.resolve(refused);
    expect(await PaymentPages.find(ask, [{ receiptNumber: 1 }, { receiptNumber: 2 }])).toBe(
      refused,
    );
  });

  test('shows what is known of one of them since', async () => {
    const before = await found(PaymentPages.find(journal({ 1: [50, 30] }), [{ receiptNumber: 1 }]));
    const after = before.with({ ...sale(30), refundedMinor: 100 });
    expect(after.sales.map(({ refundedMinor }) => refundedMinor)).toEqual([0, 100]);
    expect(after.with(sale(99)).sales).toHaveLength(2);
  });
});
