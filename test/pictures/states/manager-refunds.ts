import { NotPaidReason, NotRefundedReason } from '../../../preload/contract.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  type SaleSummary,
  RefundState,
  SaleState,
  type StoryLine,
} from '../../../preload/procedures/refunds.ts';
import { never, nowMs } from '../stage.ts';
import { dayMs, minuteMs, managerScene, refuses } from './manager-shared.ts';
import { anew, type State } from './state.ts';

type Story = OutputOf<'saleStory'>;

function sale(index: number, about: Partial<SaleSummary> = {}): SaleSummary {
  return {
    saleId: `5a1e0000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
    laneId: index % 3 === 2 ? '2' : '1',
    atMs: nowMs - (index + 1) * 11 * minuteMs,
    amountMinor: 12_900 + index * 4_735,
    currency: 'DKK',
    state: 'paid',
    capturedMinor: null,
    receiptNumber: 1042 - index,
    orderId: `1-0010${42 - index}-5a1e0000`,
    paymentId: '0b7f0e33-6166-442f-8cc9-e4c20ae427ba',
    refundedMinor: 0,
    refundedAtTillMinor: 0,
    ...about,
  };
}

const sales: SaleSummary[] = [
  sale(0),
  ...SaleState.options.map((state, index) => sale(index + 1, { state })),
  sale(8, { refundedMinor: 5_000, refundedAtTillMinor: 1_000 }),
  sale(9, {
    currency: 'EUR',
    amountMinor: 999_999_999,
    refundedMinor: 999_999_999,
    refundedAtTillMinor: 999_999_999,
  }),
];
const paid = sale(0);

const line = (index: number, event: string, about: Partial<StoryLine> = {}): StoryLine => ({
  atMs: paid.atMs + index * 2_300,
  refundOrderId: null,
  event,
  reason: null,
  detail: null,
  ...about,
});

const story: Story = {
  sale: paid,
  by: 'till',
  from: '192.168.1.40:50122',
  laneName: 'Check-out 1',
  shop: { name: 'Hansens Købmand', address: 'Nørregade 12, 1165 København K', vat: 'DK12345678' },
  reason: null,
  story: [
    line(0, 'saleRequested'),
    line(1, 'created'),
    line(2, 'statusSeen', { reason: 'issuedToUser' }),
    line(3, 'captureIntended'),
    line(4, 'tillAcknowledged'),
    line(5, 'attemptFailed', {
      detail:
        'POST /v10/payments/0b7f0e33-6166-442f-8cc9-e4c20ae427ba/capture: 503 Service Unavailable',
    }),
    line(6, 'captured'),
  ],
  refunds: [],
  leftMinor: paid.amountMinor,
  refundedElsewhereMinor: null,
  refundableUntilMs: paid.atMs + 90 * dayMs,
  refundDays: 90,
  notRefundable: null,
  openMinor: 0,
  askAgainMinutes: null,
};

/** The same payment with other fields. */
export const storyOf = (about: Partial<Story>): Story => ({ ...story, ...about });

const orderOf = (index: number): string => `1-R00104${index}-4ef0000${index}`;
const manyRefunds: Story = {
  ...story,
  sale: { ...paid, refundedMinor: 9_000 },
  leftMinor: 3_900,
  refunds: RefundState.options.map((state, index) => ({
    refundOrderId: orderOf(index),
    laneId: '1',
    atMs: nowMs - (10 - index) * minuteMs,
    amountMinor: 1_500,
    currency: 'DKK',
    state,
    reason: state === 'notRefunded' ? 'balanceTooLow' : null,
    receiptNumber: 1043 + index,
    by: index % 2 === 0 ? 'Bo Kristensen-Nørgaard' : null,
    from:
      index === 1
        ? '192.168.1.40:50122'
        : index === 3
          ? 'serial:/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0'
          : null,
    note: index % 2 === 0 ? 'The customer brought the goods back, unused and in their box' : null,
    canCancel: state === 'open',
  })),
  story: [
    ...story.story,
    line(100, 'refundRequested', { refundOrderId: orderOf(4) }),
    line(101, 'refundRequested', { refundOrderId: orderOf(1) }),
    line(102, 'ended', { refundOrderId: orderOf(4), reason: 'balanceTooLow' }),
    line(103, 'personNeeded', { refundOrderId: orderOf(5), reason: 'refundLost' }),
  ],
};

/** Setup has tried the lane, and refunded that. */
const tried = sale(0, {
  isTest: true,
  orderId: 'test-001042-5a1e0000',
  amountMinor: 100,
  refundedMinor: 100,
});

const found = { findSales: () => ({ sales, next: 'more' }) };
const opened = (told: Story, about = {}) =>
  managerScene({ ...found, saleStory: () => told, ...about });
const one = `#refunds/${paid.saleId}`;

const posOf = (index: number): string => `905e0000-0000-4000-8000-00000000000${index}`;
const atService = Array.from({ length: 4 }, (_, index) => ({
  paymentId: `0b7f0e33-6166-442f-8cc9-e4c20ae427b${index}`,
  orderId: index === 2 ? 'Bord 4, på gården-000042-5a1e0000' : `7-00001${index}-0badcaf${index}`,
  posId: posOf(index % 2),
  amountMinor: 12_900 + index * 4_735,
  currency: 'DKK' as const,
  refundedMinor: index === 1 ? 5_000 : 0,
  saleId: index === 3 ? paid.saleId : null,
}));
const pointsOfSale = [
  { posId: posOf(0), name: 'Check-out 7' },
  { posId: posOf(1), name: 'Kundeservice og returvarer, stuen' },
];
const searched = (about = {}) =>
  managerScene({
    ...found,
    pointsOfSaleAtService: () => ({ pointsOfSale }),
    findAtService: () => ({ payments: atService, next: 4 }),
    ...about,
  });
const searchService: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('at-service').click();
  await page.locator('#service-point-of-sale').selectOption(posOf(1));
};
/** A payment that another counter took. */
const elsewhere: Story = {
  ...story,
  sale: {
    ...paid,
    state: 'elsewhere',
    receiptNumber: 0,
    orderId: '7-000012-0badcafe',
    refundedMinor: 2_000,
  },
  from: null,
  story: [
    line(0, 'foundAtService'),
    line(1, 'refundsSeen'),
    line(2, 'refundRequested', { refundOrderId: orderOf(0) }),
  ],
  refunds: [
    {
      refundOrderId: orderOf(0),
      laneId: '1',
      atMs: nowMs - minuteMs,
      amountMinor: 2_000,
      currency: 'DKK',
      state: 'refunded',
      reason: null,
      receiptNumber: 1043,
      by: 'Ada Lund',
      from: null,
      note: 'Goods returned',
      canCancel: false,
    },
  ],
  leftMinor: paid.amountMinor - 3_000,
  refundedElsewhereMinor: 1_000,
  refundableUntilMs: null,
};
const begin = (page: Parameters<NonNullable<State['reach']>>[0]): Promise<void> =>
  page.getByTestId('refund-begin').click();

/** Finding a payment, its story, and refunding it. */
export const refunds: readonly State[] = [
  { name: 'refunds', scene: managerScene(found), at: '#refunds', main: true },
  {
    name: 'refunds-tests',
    scene: managerScene({ findSales: () => ({ sales: [tried, ...sales.slice(1)], next: null }) }),
    at: '#refunds',
  },
  {
    name: 'payment-test',
    scene: opened({
      ...story,
      sale: tried,
      by: 'cashier',
      from: null,
      leftMinor: 0,
      notRefundable: 'allRefunded',
    }),
    at: one,
  },
  {
    name: 'refunds-none',
    scene: managerScene({ findSales: () => ({ sales: [], next: null }) }),
    at: '#refunds',
  },
  { name: 'refunds-loading', scene: managerScene({ findSales: never }), at: '#refunds' },
  {
    name: 'refunds-failed',
    scene: managerScene({ findSales: refuses(new Refusal('failed', 'disk')) }),
    at: '#refunds',
    reach: anew,
  },
  {
    name: 'refunds-notUnderstood',
    scene: managerScene(found),
    at: '#refunds',
    reach: async (page) => {
      await page.locator('#payment-search').fill('zzz');
      await page.getByTestId('find').click();
    },
  },
  {
    name: 'refunds-noneFound',
    scene: managerScene({
      findSales: ({ amountMinor }) => ({
        sales: amountMinor === undefined ? sales : [],
        next: null,
      }),
    }),
    at: '#refunds',
    reach: async (page) => {
      await page.locator('#payment-search').fill('98.75');
      await page.getByTestId('find').click();
      await page.getByTestId('none-found').waitFor();
    },
  },
  {
    name: 'refunds-atService',
    scene: searched(),
    at: '#refunds',
    main: true,
    reach: async (page) => {
      await searchService(page);
      await page.getByTestId('service-payments').waitFor();
    },
  },
  {
    name: 'refunds-atService-none',
    scene: searched({ findAtService: () => ({ payments: [], next: null }) }),
    at: '#refunds/service/7-000012-0badcafe',
  },
  {
    name: 'refunds-atService-refused',
    scene: searched({ findAtService: refuses(new Refusal('serviceSilent', '')) }),
    at: '#refunds',
    reach: async (page) => {
      await searchService(page);
      await page.getByTestId('service-refused').waitFor();
    },
  },
  {
    name: 'refunds-atService-notUnderstood',
    scene: searched(),
    at: '#refunds',
    reach: async (page) => {
      await page.getByTestId('at-service').click();
      await page.getByTestId('service-find').click();
      await page.locator('#service-search-problem span').waitFor();
    },
  },
  { name: 'payment-elsewhere', scene: opened(elsewhere), at: one },
  { name: 'payment', scene: opened(story), at: one, main: true },
  { name: 'payment-byHand', scene: opened({ ...story, by: 'cashier', from: null }), at: one },
  {
    name: 'payment-refundedWhole',
    scene: opened({
      ...story,
      sale: { ...paid, refundedMinor: paid.amountMinor },
      leftMinor: 0,
      notRefundable: 'allRefunded',
    }),
    at: one,
  },
  { name: 'payment-loading', scene: managerScene({ ...found, saleStory: never }), at: one },
  {
    name: 'payment-failed',
    scene: managerScene({ ...found, saleStory: refuses(new Refusal('notFound', 'gone')) }),
    at: one,
    reach: anew,
  },
  ...(
    ['notPaid', 'paymentOpen', 'allRefunded', 'refundOpen', 'tooOld', 'laneNotReady'] as const
  ).map(
    (notRefundable): State => ({
      name: `payment-${notRefundable}`,
      likeAnother: true,
      scene: opened({ ...story, notRefundable, openMinor: 4_836, askAgainMinutes: 2 }),
      at: one,
    }),
  ),
  ...SaleState.options
    .filter((state) => state !== 'paid' && state !== 'elsewhere')
    .map(
      (state): State => ({
        name: `payment-state-${state}`,
        likeAnother: true,
        scene: opened({ ...story, sale: { ...paid, state }, notRefundable: 'notPaid' }),
        at: one,
      }),
    ),
  {
    name: 'payment-reasons',
    // All of them in one story: they are short, and stand one below the other.
    scene: opened({
      ...story,
      sale: { ...paid, state: 'notPaid' },
      reason: 'serviceUnreachable',
      notRefundable: 'notPaid',
      story: NotPaidReason.options.map((reason, index) => line(index, 'ended', { reason })),
    }),
    at: one,
  },
  {
    name: 'payment-refundReasons',
    scene: opened({
      ...manyRefunds,
      refunds: NotRefundedReason.options.map((reason, index) => ({
        ...(manyRefunds.refunds[4] as Story['refunds'][number]),
        refundOrderId: `1-R${index}`,
        reason,
      })),
    }),
    at: one,
  },
  { name: 'payment-refunds', scene: opened(manyRefunds), at: one, main: true },
  {
    name: 'payment-refund-unseen',
    likeAnother: true,
    at: one,
    scene: opened({
      ...manyRefunds,
      story: [
        ...manyRefunds.story,
        line(104, 'personNeeded', { refundOrderId: orderOf(5), reason: 'refundUnseen' }),
      ],
    }),
  },
  { name: 'refund', scene: opened(story), at: one, reach: begin, main: true },
  {
    name: 'refund-broken',
    scene: opened(story),
    at: one,
    main: true,
    reach: async (page) => {
      await begin(page);
      await page
        .locator('tb-refund-dialog label', { has: page.locator('input[value="part"]') })
        .click();
      await page.locator('#refund-amount').fill('999999');
      await page
        .locator('tb-refund-dialog label', { has: page.locator('input[value="other"]') })
        .click();
      await page.getByTestId('refund-confirm').click();
      await page.locator('#refund-note-problem span').waitFor();
    },
  },
  {
    name: 'refund-refused',
    scene: opened(story, { refund: refuses(new Refusal('laneNotReady', '')) }),
    at: one,
    reach: async (page) => {
      await begin(page);
      await page
        .locator('tb-refund-dialog label', { has: page.locator('input[value="1"]') })
        .click();
      await page.getByTestId('refund-confirm').click();
      await page.getByTestId('refund-refused').waitFor();
    },
  },
  {
    name: 'refund-sending',
    scene: opened(story, { refund: never }),
    at: one,
    reach: async (page) => {
      await begin(page);
      await page
        .locator('tb-refund-dialog label', { has: page.locator('input[value="0"]') })
        .click();
      await page.getByTestId('refund-confirm').click();
    },
  },
];
