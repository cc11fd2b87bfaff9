import type { LaneView } from '../../../preload/contract.ts';
import type { CheckInTestState } from '../../../preload/procedures/setup-payment.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import { nowMs } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { refuses } from './manager-shared.ts';
import type { State } from './state.ts';
import {
  beaconId,
  wallet,
  salesUnit,
  noFile,
  lane,
  inUse,
  leftBehind,
  overview,
} from './setup-shared.ts';

const testSaleId = '5e700000-0000-4000-8000-000000000001';
const testSale = {
  saleId: testSaleId,
  amountMinor: 100,
  currency: 'DKK',
  remainingMs: 100_000,
  qr: null,
  canCancel: true,
  by: 'cashier',
} as const;
const testPaid: LaneView['recent'][number] = {
  saleId: testSaleId,
  orderId: 'test-1-000001-0b7f0e33',
  receiptNumber: 1,
  startedAtMs: nowMs,
  by: 'cashier',
  amountMinor: 1,
  currency: 'DKK',
  reason: null,
  certainty: 'confirmed',
  refundedMinor: 0,
};
const toPaymentTest: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('test').first().click();
  await page.getByTestId('pay').waitFor();
};
const startPaymentTest: NonNullable<State['reach']> = async (page) => {
  // The made-up lane shows a payment of this id.
  await page.evaluate(
    (id) => Object.defineProperty(crypto, 'randomUUID', { configurable: true, value: () => id }),
    testSaleId,
  );
  await toPaymentTest(page);
  await page.getByTestId('pay').click();
  await page.locator('tb-payment-test [data-test]').waitFor();
};
const giveBack: NonNullable<State['reach']> = async (page) => {
  await startPaymentTest(page);
  await page.getByTestId('refund').click();
  await page.getByTestId('refunding').waitFor();
};
const atTest = { ...wallet, testService: true } as const;
/** The test payment, at a service for tests while it is under way, at a real service afterwards. */
const paymentTest = (name: string, lane: LaneView): State => ({
  name: `paymentTest-${name}`,
  at: '',
  scene: {
    ...overview(
      lane.recent.length > 0 || inUse === null ? {} : { inUse: { ...inUse, wallet: atTest } },
      {
        payForTest: ({ actionId }) => ({
          saleId: actionId,
          amountMinor: lane.recent.length > 0 ? 1 : 100,
          currency: 'DKK',
        }),
        refundTest: ({ actionId }) => ({ refundOrderId: actionId }),
      },
    ),
    lanes: [lane],
  },
  reach: startPaymentTest,
});

const nfcLane = {
  ...lane('1', 'Check-out 1'),
  beacons: ['NFC' as const, 'Bluetooth' as const],
  qr: null,
};
/** The test of a beacon, at a service for tests while it is under way. */
const beaconTest = (state: CheckInTestState['state'], kind: object = atTest): State => ({
  name: `checkInTest-${state}`,
  at: '',
  scene: overview(
    { inUse: { wallet: { ...wallet, ...kind }, lanes: [nfcLane] } },
    {
      startCheckInTest: () => ({
        state,
        laneId: '1',
        atMs: state === 'checkedIn' ? nowMs : null,
        remainingMs: 95_000,
      }),
      checkInTestState: () => ({ state, laneId: '1', atMs: null, remainingMs: 95_000 }),
      stopCheckInTest: () => ({}),
    },
  ),
  reach: async (page) => {
    await page.getByTestId('test-beacon').click();
    await page.getByTestId('start').click();
    await page.locator('tb-check-in-test [data-test]').waitFor();
  },
});

/** The overview of the lanes in use. */
export const overviewStates: readonly State[] = [
  { name: 'overview', at: '', scene: overview(), main: true },
  {
    name: 'overview-epayment',
    at: '',
    scene: overview({
      inUse: {
        wallet: { ...salesUnit, environment: 'test' },
        lanes: [{ ...lane('1', 'Check-out 1'), qr: null, beacons: [] }],
      },
    }),
  },
  {
    name: 'overview-one',
    at: '',
    scene: overview({
      inUse: { wallet: { kind: 'simulator' }, lanes: [lane('1', 'Check-out 1')] },
      recreating: ['1'],
    }),
  },
  {
    name: 'overview-refused',
    at: '',
    scene: overview({
      file: {
        ...noFile,
        state: 'refused',
        mistakes: [
          'lanes.0.currency: must be DKK or EUR, got "SEK"',
          'lanes.0.till.port: must be 0 to 65535, got 99999',
        ],
        atMs: nowMs,
      },
    }),
  },
  {
    name: 'overview-locked',
    at: '',
    scene: overview({
      file: {
        ...noFile,
        state: 'refused',
        mistakes: [
          "wallet.clientSecret: cannot be read back from this system's key store (KWallet is locked, or was another user's: first unlock it and start Tillbeacon again); enter it again",
        ],
        lockedKeyStore: 'KWallet',
        atMs: nowMs,
      },
    }),
  },
  {
    name: 'overview-notStarted',
    at: '',
    scene: overview({ starts: { with: 'nothing', system: 'linux' } }),
  },
  {
    name: 'overview-waiting',
    at: '',
    scene: overview({ file: { ...noFile, state: 'waiting', atMs: nowMs } }),
  },
  {
    name: 'overview-remove',
    at: '',
    scene: overview(),
    reach: (page) => page.getByTestId('remove').first().click(),
  },
  {
    name: 'overview-left',
    at: '',
    scene: overview(
      { leftBehind },
      {
        deletePointOfSale: refuses(
          new Refusal('noAnswer', 'no answer', { facts: { host: 'api.wallet.example' } }),
        ),
      },
    ),
    reach: async (page) => {
      await page.getByTestId('delete-left').click();
      await page.getByTestId('not-deleted').waitFor();
    },
  },
  { ...paymentTest('start', quietLane), reach: toPaymentTest },
  paymentTest('waiting', {
    ...quietLane,
    state: {
      kind: 'waitingForCustomer',
      ...testSale,
      qr: `walletpos://pos?id=${beaconId}&source=qr`,
    },
  }),
  paymentTest('waiting-NFC', {
    ...quietLane,
    beacons: ['NFC'],
    state: { kind: 'waitingForCustomer', ...testSale, qr: null },
  }),
  paymentTest('approve', { ...quietLane, state: { kind: 'approveInApp', ...testSale } }),
  paymentTest('captured', { ...quietLane, recent: [testPaid] }),
  paymentTest('notPaid', { ...quietLane, recent: [{ ...testPaid, reason: 'cancelledByService' }] }),
  {
    ...paymentTest('refunding', { ...quietLane, recent: [testPaid] }),
    reach: giveBack,
  },
  {
    ...paymentTest('refunded', {
      ...quietLane,
      refund: {
        kind: 'refunded',
        saleId: testSaleId,
        refundOrderId: testSaleId,
        amountMinor: 1,
        currency: 'DKK',
        isConfirmed: true,
      },
      recent: [{ ...testPaid, refundedMinor: 1 }],
    }),
    reach: giveBack,
  },
  beaconTest('waiting'),
  beaconTest('occupied', {}),
  beaconTest('checkedIn', {}),
  beaconTest('nobody', {}),
  { ...beaconTest('busy', {}), likeAnother: true },
  { ...beaconTest('neverFree', {}), likeAnother: true },
  { ...beaconTest('unanswered', {}), likeAnother: true },
  {
    name: 'overview-remove-last',
    at: '',
    scene: overview({ inUse: { wallet, lanes: [lane('1', 'Check-out 1')] } }),
    reach: (page) => page.getByTestId('remove').click(),
  },
];
