import type { OutputOf } from '../../../preload/procedures.ts';
import type { HourTotals, LaneTotals, OpenMoney } from '../../../preload/procedures/day.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { never, nowMs } from '../stage.ts';
import { dayMs, hourMs, minuteMs, managerScene, refuses, todayMs } from './manager-shared.ts';
import { anew, type State } from './state.ts';

type Day = OutputOf<'day'>;
type Closing = OutputOf<'closing'>;

const lane = (
  laneId: string,
  name: string,
  currency: 'DKK' | 'EUR',
  count: number,
): LaneTotals => ({
  laneId,
  name,
  currency,
  payments: { count, sumMinor: count * 18_735 },
  refunds: { count: Math.floor(count / 20), sumMinor: Math.floor(count / 20) * 4_900 },
});
const lanes = [
  lane('1', 'Check-out 1', 'DKK', 148),
  lane('2', 'Itsepalvelukassa 2', 'DKK', 61),
  lane('3', 'Kiosk', 'EUR', 7),
];
const hours: HourTotals[] = Array.from({ length: 7 }, (_, index) => index + 8).map((hour) => ({
  laneId: '1',
  hourMs: todayMs + hour * hourMs,
  currency: 'DKK',
  payments: { count: hour, sumMinor: ((hour * 7_919) % 97) * 10_000 },
  refunds: { count: hour === 12 ? 1 : 0, sumMinor: hour === 12 ? 4_900 : 0 },
}));
const money: OpenMoney = {
  kind: 'sale',
  saleId: '5a1e0000-0000-4000-8000-000000000001',
  orderId: '1-001042-5a1e0000',
  laneId: '1',
  atMs: nowMs - 6 * minuteMs,
  amountMinor: 49_900,
  currency: 'DKK',
  intent: 'capture',
  needsPerson: false,
  byTill: false,
};
const open: OpenMoney[] = [
  money,
  { ...money, intent: null },
  { ...money, intent: 'cancel', needsPerson: true },
  {
    ...money,
    kind: 'refund',
    orderId: '1-R001040-4ef00000',
    intent: 'capture',
    needsPerson: true,
    laneId: '2',
    byTill: true,
  },
];
const today: Day = {
  day: '2026-11-21',
  today: '2026-11-21',
  fromMs: todayMs,
  toMs: todayMs + dayMs,
  lanes,
  hours,
  open: [],
  newestClosing: 41,
  lastClosing: { number: 41, toMs: todayMs - 4 * hourMs },
  overlaps: [],
};
const overlap = {
  number: 40,
  atMs: todayMs - 28 * hourMs,
  laneId: '2',
  lanes: lanes.filter(({ laneId }) => laneId === '2'),
};
/** One till, one sum. */
export const dayOf = (sumMinor: number): Day => ({
  ...today,
  lanes: [
    {
      laneId: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      payments: { count: 1, sumMinor },
      refunds: { count: 0, sumMinor: 0 },
    },
  ],
  hours: [],
});
const closing: Closing = {
  shop: { name: 'Hansens Købmand', address: 'Nørregade 12, 1165 København K', vat: 'DK12345678' },
  number: 42,
  atMs: nowMs,
  overlaps: [],
  by: 'Bo Kristensen-Nørgaard',
  laneId: null,
  fromMs: todayMs - 4 * hourMs,
  toMs: nowMs,
  lanes,
  hours,
  open,
};
const closings = Array.from({ length: 12 }, (_, index) => ({
  ...closing,
  number: 41 - index,
  atMs: todayMs - (4 + index * 24) * hourMs,
  laneId: index === 2 ? '2' : null,
  ...(index === 2 && { by: '', till: 'serial:/dev/ttyUSB0' }),
}));
const quiet: Day = { ...today, lanes: [], hours: [], newestClosing: 0, lastClosing: null };

/** Setup has tried both lanes in kroner, and refunded that at one of them. */
const withTests = lanes.map((one, index) => ({
  ...one,
  ...(index < 2 && {
    tests: {
      payments: { count: index + 1, sumMinor: (index + 1) * 100 },
      refunds: { count: index, sumMinor: index * 100 },
    },
  }),
}));

const answers = { day: () => today, closings: () => ({ closings }), closing: () => closing };
const at = '#day';
const begin = (page: Parameters<NonNullable<State['reach']>>[0]): Promise<void> =>
  page.getByTestId('close-day').click();

/** The day's figures, and its end. */
export const day: readonly State[] = [
  { name: 'day', at, scene: managerScene(answers), main: true },
  { name: 'day-open', at, scene: managerScene({ ...answers, day: () => ({ ...today, open }) }) },
  {
    name: 'day-tests',
    at,
    scene: managerScene({ ...answers, day: () => ({ ...today, lanes: withTests }) }),
  },
  {
    name: 'day-nothing',
    at,
    scene: managerScene({ day: () => quiet, closings: () => ({ closings: [] }) }),
  },
  { name: 'day-loading', at, scene: managerScene({ day: never, closings: never }) },
  {
    name: 'day-failed',
    at,
    scene: managerScene({ ...answers, day: refuses(new Refusal('failed', 'disk')) }),
    reach: anew,
  },
  {
    name: 'day-wrong',
    at,
    scene: managerScene(answers),
    reach: (page) => page.getByTestId('day').fill('2027-01-05'),
  },
  {
    name: 'close',
    at,
    scene: managerScene({ ...answers, day: () => ({ ...today, open }) }),
    reach: begin,
    main: true,
  },
  { name: 'close-first', at, scene: managerScene({ ...answers, day: () => quiet }), reach: begin },
  {
    name: 'close-overlap',
    at,
    scene: managerScene({ ...answers, day: () => ({ ...today, overlaps: [overlap] }) }),
    reach: begin,
  },
  ...(['paymentUnderWay', 'clockBehind'] as const).map(
    (code): State => ({
      name: `close-${code}`,
      at,
      likeAnother: true,
      scene: managerScene({ ...answers, closeDay: refuses(new Refusal(code, '')) }),
      reach: async (page) => {
        await begin(page);
        await page.getByTestId('close-confirm').click();
        await page.getByTestId('close-refused').waitFor();
      },
    }),
  ),
  {
    name: 'closed',
    at,
    scene: managerScene({ ...answers, closeDay: () => closing }),
    main: true,
    reach: async (page) => {
      await begin(page);
      await page.getByTestId('close-confirm').click();
      await page.getByTestId('print-report').waitFor();
    },
  },
  {
    name: 'report-by-till',
    at,
    scene: managerScene({
      ...answers,
      closing: () => ({
        ...closing,
        by: '',
        till: 'serial:/dev/ttyUSB0',
        laneId: '1',
        lanes: lanes.slice(0, 1),
      }),
    }),
    reach: async (page) => {
      await page.getByTestId('closing').first().click();
      await page.getByTestId('print-report').waitFor();
    },
  },
  {
    name: 'report-tests',
    at,
    scene: managerScene({ ...answers, closing: () => ({ ...closing, lanes: withTests }) }),
    reach: async (page) => {
      await page.getByTestId('closing').first().click();
      await page.getByTestId('print-report').waitFor();
    },
  },
  {
    name: 'report-nothing',
    at,
    scene: managerScene({
      ...answers,
      closing: () => ({
        ...closing,
        shop: { name: null, address: null, vat: null },
        number: 1,
        fromMs: 0,
        lanes: [],
        hours: [],
        open: [],
      }),
    }),
    reach: async (page) => {
      await page.getByTestId('closing').first().click();
      await page.getByTestId('print-report').waitFor();
    },
  },
];
