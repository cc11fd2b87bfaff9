import type { Handlers } from '../../../main/counter/server/router.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  Category,
  type JobState,
  FormerProblem,
  ReadProblem,
  type Row,
  RowKind,
  type RowStory,
  type Summary,
  type Transfer,
} from '../../../preload/procedures/reconciliation.ts';
import { never, nowMs } from '../stage.ts';
import { dayMs, hourMs, minuteMs, managerScene, refuses } from './manager-shared.ts';
import type { State } from './state.ts';

const period = { from: '2026-11-01', to: '2026-11-30' };
export const ready: JobState = { kind: 'ready', period, problem: null };

function row(index: number): Row {
  const category = Category.options[index % Category.options.length] as Category;
  const kind =
    category === 'fee'
      ? 'serviceFee'
      : (RowKind.options[index % RowKind.options.length] as RowKind);
  const oursMinor = category === 'bankOnly' || category === 'fee' ? null : 12_900 + index * 473;
  return {
    rowId: index,
    category,
    kind,
    atMs: nowMs - index * 97 * minuteMs,
    orderId: category === 'fee' ? null : `1-0010${42 + index}-5a1e0000`,
    laneId: '1',
    posName: 'Check-out 1',
    currency: 'DKK',
    oursMinor,
    bankMinor:
      category === 'missing' || category === 'waiting'
        ? null
        : category === 'differs'
          ? 9_900
          : (oursMinor ?? 70_000),
    feeMinor: category === 'matched' ? -74 : 0,
    transferReference: '1234567890',
    transferAtMs: category === 'matched' ? nowMs - dayMs : null,
    isTest: false,
    notes: index % 5 === 2 ? 2 : 0,
  };
}
const rows = Array.from({ length: 40 }, (_, index) => row(index));
const counts = Object.fromEntries(
  Category.options.map((category) => [
    category,
    rows.filter((one) => one.category === category).length,
  ]),
) as Summary['counts'];
const none = Object.fromEntries(
  Category.options.map((category) => [category, 0]),
) as Summary['counts'];

function money(currency: string): Summary['currencies'][number] {
  return {
    currency,
    transfers: 4,
    transferredMinor: 18_473_500,
    payments: { count: 812, minor: 18_900_000 },
    refunds: { count: 9, minor: -210_000 },
    fees: { count: 812, minor: -212_500 },
    others: { count: 1, minor: -4_000 },
    unexplainedMinor: 0,
    categories: Object.fromEntries(
      Category.options.map((category) => [
        category,
        { count: counts[category], bankMinor: 1_000, oursMinor: 1_000 },
      ]),
    ) as Summary['currencies'][number]['categories'],
  };
}
export const summary: Summary = {
  period,
  problem: null,
  formerProblem: null,
  asOfMs: nowMs - 2 * hourMs,
  rows: rows.length,
  counts,
  currencies: [money('DKK')],
};
const well: Summary = { ...summary, counts: { ...none, matched: 40 } };
const waiting: Summary = {
  ...well,
  rows: 5,
  counts: { ...none, waiting: 5 },
  currencies: [
    {
      ...money('DKK'),
      transfers: 0,
      transferredMinor: 0,
      payments: { count: 0, minor: 0 },
      refunds: { count: 0, minor: 0 },
      fees: { count: 0, minor: 0 },
      others: { count: 0, minor: 0 },
      categories: Object.fromEntries(
        Category.options.map((category) => [
          category,
          {
            count: category === 'waiting' ? 5 : 0,
            bankMinor: 0,
            oursMinor: category === 'waiting' ? 123_450 : 0,
          },
        ]),
      ) as Summary['currencies'][number]['categories'],
    },
  ],
};
const nothing: Summary = { ...summary, asOfMs: null, rows: 0, counts: none, currencies: [] };

const transfer = (index: number): Transfer => ({
  transferId: `t${index}`,
  reference: `12345678${10 + index}`,
  atMs: nowMs - (index + 1) * dayMs,
  totalMinor: 4_613_200 + index * 31_700,
  currency: 'DKK',
  transactions: 203,
  feesMinor: -53_000,
  lookAt: index === 1 ? 3 : 0,
  addsUp: index !== 2,
});
const transfers = [0, 1, 2, 3].map(transfer);

export function reading(job: JobState, about: Summary = summary, answers: Handlers = {}) {
  return managerScene({
    reconciliationOpen: () => job,
    reconciliationState: () => ({ job, exported: null }),
    reconciliationSummary: () => about,
    reconciliationRows: ({ filter, from, count }) => {
      const those =
        about.rows === 0
          ? []
          : rows.filter(
              ({ category }) =>
                filter.category === 'all' ||
                category === filter.category ||
                (filter.category === 'lookAt' &&
                  about.counts[category] > 0 &&
                  ['missing', 'bankOnly', 'differs'].includes(category)),
            );
      const found = filter.text === '' ? those : [];
      return { total: found.length, rows: found.slice(from, from + count) };
    },
    reconciliationTransfers: () => ({ total: transfers.length, transfers }),
    ...answers,
  });
}

const told: RowStory = {
  row: row(4),
  subject: 'payment:1',
  saleId: '5a1e0000-0000-4000-8000-000000000001',
  paymentId: '0b7f0e33-6166-442f-8cc9-e4c20ae427ba',
  bank: [
    {
      kind: 'payment',
      atMs: nowMs - dayMs,
      amountMinor: 9_900,
      feeMinor: -74,
      currency: 'DKK',
      transferReference: '1234567890',
      transferAtMs: nowMs,
      posName: 'Check-out 1',
      label: 'Hansens Købmand, Rantakatu 14',
    },
    {
      kind: 'adjustment',
      atMs: nowMs - dayMs,
      amountMinor: -100,
      feeMinor: 0,
      currency: 'DKK',
      transferReference: null,
      transferAtMs: null,
      posName: null,
      label: null,
    },
  ],
  notes: [
    {
      number: 1,
      atMs: nowMs - hourMs,
      manager: 'Bo Kristensen-Nørgaard',
      text: 'Asked the provider, they look into it until Monday; case 4711-0815.',
    },
  ],
};
const saleStory = (): OutputOf<'saleStory'> => ({
  sale: {
    saleId: '5a1e0000-0000-4000-8000-000000000001',
    laneId: '1',
    atMs: nowMs - dayMs,
    amountMinor: 14_792,
    currency: 'DKK',
    state: 'paid',
    capturedMinor: null,
    receiptNumber: 1042,
    orderId: '1-001046-5a1e0000',
    paymentId: null,
    refundedMinor: 0,
    refundedAtTillMinor: 0,
  },
  by: 'till',
  from: null,
  laneName: 'Check-out 1',
  shop: { name: null, address: null, vat: null },
  reason: null,
  story: ['saleRequested', 'created', 'captureIntended', 'tillAcknowledged', 'captured'].map(
    (event, index) => ({
      atMs: nowMs - dayMs + index * 2_000,
      refundOrderId: null,
      event,
      reason: null,
      detail: null,
    }),
  ),
  refunds: [],
  leftMinor: 14_792,
  refundedElsewhereMinor: null,
  refundableUntilMs: nowMs + 80 * dayMs,
  refundDays: 90,
  notRefundable: null,
  openMinor: 0,
  askAgainMinutes: null,
});

const at = '#reconciliation';
const openRow: NonNullable<State['reach']> = async (page) => {
  await page.locator('tb-table .rows .row').first().click();
  await page.getByTestId('row-meaning').waitFor();
};

/** The reconciliation page. */
export const reconciliation: readonly State[] = [
  { name: 'reconciliation', at, scene: reading(ready), main: true },
  {
    name: 'reconciliation-tests',
    at,
    scene: reading(ready, summary, {
      reconciliationRows: () => ({
        total: 3,
        rows: [0, 2, 3].map((index) => ({
          ...row(index),
          isTest: index > 0,
          orderId: `test-00104${index}-5a1e0000`,
        })),
      }),
    }),
  },
  {
    name: 'reconciliation-well',
    at,
    scene: reading(ready, well, { reconciliationRows: () => ({ total: 0, rows: [] }) }),
  },
  {
    name: 'reconciliation-waiting',
    at,
    scene: reading(ready, waiting, { reconciliationRows: () => ({ total: 0, rows: [] }) }),
  },
  { name: 'reconciliation-nothing', at, scene: reading(ready, nothing) },
  {
    name: 'reconciliation-twoCurrencies',
    at,
    scene: reading(ready, {
      ...summary,
      currencies: [money('DKK'), { ...money('EUR'), unexplainedMinor: -1_250 }],
    }),
  },
  ...ReadProblem.options.map(
    (problem): State => ({
      name: `reconciliation-${problem}`,
      at,
      likeAnother: true,
      scene: reading(ready, { ...summary, problem }),
    }),
  ),
  ...FormerProblem.options.map(
    (formerProblem): State => ({
      name: `reconciliation-former-${formerProblem}`,
      at,
      ...(formerProblem !== 'unreachable' && { likeAnother: true }),
      scene: reading(ready, { ...summary, formerProblem }),
    }),
  ),
  { name: 'reconciliation-opening', at, scene: managerScene({ reconciliationOpen: never }) },
  {
    name: 'reconciliation-reading',
    at,
    scene: reading({
      kind: 'reading',
      period,
      doneTransfers: 12,
      totalTransfers: 31,
      transactions: 168_402,
    }),
    main: true,
  },
  { name: 'reconciliation-matching', at, scene: reading({ kind: 'matching', period }) },
  { name: 'reconciliation-cancelled', at, scene: reading({ kind: 'cancelled', period }) },
  {
    name: 'reconciliation-failed',
    at,
    scene: reading({ kind: 'failed', period, detail: 'SQLITE_FULL' }),
  },
  {
    name: 'reconciliation-notSetUp',
    at,
    scene: managerScene({ reconciliationOpen: refuses(new Refusal('notSetUp', '')) }),
  },
  {
    name: 'reconciliation-period',
    at,
    scene: reading(ready),
    reach: async (page) => {
      await page.getByTestId('reconciliation-period').selectOption('own');
      await page.getByTestId('reconciliation-from').fill('2026-11-21');
      await page.getByTestId('reconciliation-to').fill('2026-11-01');
      await page.getByTestId('reconciliation-show').click();
    },
  },
  {
    name: 'reconciliation-all',
    at,
    scene: reading(ready),
    reach: async (page) =>
      void (await page.getByTestId('reconciliation-filter').selectOption('all')),
  },
  {
    name: 'reconciliation-transfers',
    at,
    scene: reading(ready),
    reach: async (page) =>
      void (await page.getByTestId('reconciliation-filter').selectOption('transfers')),
  },
  {
    name: 'reconciliation-ofTransfer',
    at,
    scene: reading(ready),
    reach: async (page) => {
      await page.getByTestId('reconciliation-filter').selectOption('transfers');
      await page.locator('tb-table .rows .row', { hasText: '1234567811' }).click();
      await page.getByTestId('all-transfers').waitFor();
    },
  },
  {
    name: 'reconciliation-row',
    at,
    scene: reading(ready, summary, { reconciliationStory: () => told, saleStory }),
    reach: openRow,
    main: true,
  },
  {
    name: 'reconciliation-row-note',
    at,
    scene: reading(ready, summary, {
      reconciliationStory: () => ({ ...told, row: row(3), saleId: null, bank: [], notes: [] }),
    }),
    reach: async (page) => {
      await openRow(page);
      await page.getByTestId('save-note').click();
      await page.locator('#reconciliation-note-problem span').waitFor();
    },
  },
  {
    name: 'reconciliation-row-unknown',
    at,
    scene: reading(ready, summary, {
      reconciliationStory: () => ({
        ...told,
        row: { ...row(0), category: 'elsewhere', kind: 'payment', oursMinor: null },
        saleId: null,
        bank: [],
        notes: [],
      }),
    }),
    reach: openRow,
  },
  {
    name: 'reconciliation-exporting',
    at,
    scene: reading(ready, summary, {
      reconciliationState: () => ({ job: ready, exported: { rows: 120_000, of: 400_000 } }),
      reconciliationExport: never,
    }),
    reach: async (page) => {
      await page.getByTestId('export-csv').click();
      await page.getByRole('progressbar').waitFor();
      await page
        .locator('tb-dialog')
        .getByText(/120[\s,.\u00a0]?000/)
        .waitFor();
    },
  },
];
