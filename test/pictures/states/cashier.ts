import { customerRefusals } from '../../../main/core/domain/named-customer.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import {
  NotPaidReason,
  NotReadyReason,
  NotRefundedReason,
  type LaneState,
  type LaneView,
} from '../../../preload/contract.ts';
import {
  beaconCombinations,
  type CashierState,
  cashierStates,
  checkInStates,
  namedStates,
  recentPayments,
  unsettledMoney,
} from '../../support/cashier-states.ts';
import { ownCodePicture } from '../../support/own-code.ts';
import { nowMs, restored, type Scene } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import type { State } from './state.ts';

const busy: LaneView = { ...quietLane, recent: recentPayments(nowMs) };
const scene = (about: Partial<LaneView>): Scene => ({ lanes: [{ ...busy, ...about }] });
const state = (about: LaneState): Scene => scene({ state: about });

const { saleId, amountMinor, currency, by } = cashierStates.paid;
const main: ReadonlySet<CashierState> = new Set([
  'idle',
  'waitingForCustomer',
  'unanswered',
  'agreeing',
  'approveInApp',
  'mayLeave',
  'paid',
]);
// Every state with these reasons is listed below.
const isReason = ({ kind }: LaneState): boolean => kind === 'notPaid' || kind === 'notReady';
const refund = {
  saleId,
  refundOrderId: '1-R001040-4ef00000',
  amountMinor: 4_900,
  currency: 'DKK',
} as const;

export const cashier: readonly State[] = [
  {
    name: 'ownCode',
    scene: scene({
      state: { ...cashierStates.waitingForCustomer, qr: null, ownCode: ownCodePicture },
      codePerPayment: true,
    }),
    main: true,
  },
  {
    name: 'ownCode-paid',
    likeAnother: true,
    scene: scene({ state: cashierStates.paid, codePerPayment: true }),
  },
  ...(Object.keys(cashierStates) as CashierState[])
    .filter((name) => !isReason(cashierStates[name]))
    .map(
      (name): State => ({
        name,
        scene: scene({
          state: cashierStates[name],
          ...(name === 'agreeing' && { loyaltyIds: ['LOYAL-4711', '5790001234567'] }),
        }),
        ...(main.has(name) && { main: true }),
      }),
    ),
  ...NotPaidReason.options.map(
    (reason): State => ({
      name: `notPaid-${reason}`,
      scene: state({
        kind: 'notPaid',
        saleId,
        amountMinor,
        currency,
        by,
        reason,
        known: 'notMoved',
      }),
      ...(reason === 'declinedByCustomer' ? { main: true } : { likeAnother: true }),
    }),
  ),
  {
    name: 'notPaid-notConfirmed',
    scene: state(cashierStates.cancelledNotConfirmed),
    likeAnother: true,
  },
  ...NotReadyReason.options.map(
    (reason): State => ({
      name: `notReady-${reason}`,
      ...(reason === 'serviceUnreachable'
        ? {
            scene: state({ kind: 'notReady', reason, detail: null, sinceMs: nowMs - 29 * 60_000 }),
            main: true,
          }
        : {
            scene: state({
              kind: 'notReady',
              reason,
              detail: 'EACCES: permission denied, open /dev/ttyUSB0',
            }),
            likeAnother: true,
          }),
    }),
  ),
  ...beaconCombinations.map((beacons): State => {
    const name = beacons.join('-');
    const isMain = name === 'QR-NFC-Bluetooth' || name === 'NFC';
    const waiting = beacons.includes('QR')
      ? cashierStates.waitingForCustomer
      : { ...cashierStates.waitingForCustomer, qr: null };
    return {
      name: `waitingForCustomer-${name}`,
      scene: scene({ state: waiting, beacons }),
      ...(isMain ? { main: true } : { likeAnother: true }),
    };
  }),
  ...beaconCombinations.map((beacons): State => {
    const { checkIn } = checkInStates.scanFirst.customer;
    const isMain = beacons.length === 1 || beacons.length === 3;
    const qr = beacons.includes('QR') ? (checkIn?.qr ?? null) : null;
    const customer = { ...quietLane.customer, checkIn: { qr, isCheckedIn: false } };
    const name = `scanFirst-${beacons.join('-')}`;
    return {
      name,
      scene: scene({ state: cashierStates.idle, customer, beacons }),
      ...(!isMain && { likeAnother: true }),
    };
  }),
  ...Object.entries(checkInStates).map(
    ([name, about]): State => ({
      name,
      scene: scene(about),
      ...(name === 'checkedIn' && { main: true }),
    }),
  ),
  ...Object.entries(namedStates).map(
    ([name, about]): State => ({
      name,
      scene: scene(about),
      ...(name === 'named-asked' && { main: true }),
    }),
  ),
  {
    name: 'named-sticker',
    scene: scene({
      ...namedStates['named-asked'],
      named: { ...namedStates['named-asked'].named, sticker: 'there' },
    }),
  },
  {
    name: 'named-sticker-scanned',
    scene: scene({
      state: cashierStates.idle,
      named: { ...namedStates['named-asked'].named, isNamed: true, sticker: 'scanned' },
    }),
  },
  {
    name: 'named-wrong-scan',
    scene: scene({
      state: cashierStates.idle,
      named: { ...namedStates['named-asked'].named, refused: 'otherWallet' },
    }),
  },
  {
    name: 'scanFirst-sticker',
    scene: scene({
      state: cashierStates.idle,
      customer: {
        ...quietLane.customer,
        checkIn: { qr: null, ownCode: ownCodePicture, isCheckedIn: false },
      },
    }),
  },
  ...customerRefusals.map(
    (refused): State => ({
      name: `named-refused-${refused}`,
      likeAnother: true,
      scene: scene({
        ...namedStates['named-refused'],
        named: { ...namedStates['named-refused'].named, refused },
      }),
    }),
  ),
  {
    name: 'fetchingCode',
    likeAnother: true,
    scene: state({ ...cashierStates.contactingService, isFetchingCode: true }),
  },
  { name: 'noLane', scene: { lanes: [] } },
  { name: 'notOpened', scene: { lanes: [], isSetUp: true } },
  { name: 'restored', scene: { lanes: [], restored } },
  {
    name: 'wrongLane',
    at: '&lane=9',
    scene: { lanes: [quietLane, { ...quietLane, laneId: '2', name: 'Check-out 2' }] },
  },
  { name: 'simulated', scene: scene({ service: 'simulated' }) },
  { name: 'test-service', likeAnother: true, scene: scene({ service: 'testUnchecked' }) },
  { name: 'newShop', scene: scene({ recent: [] }) },
  {
    name: 'largestAmount',
    scene: state({ ...cashierStates.waitingForCustomer, amountMinor: 999_999_999 }),
  },
  {
    name: 'till-absent',
    scene: scene({
      till: {
        address: 'serial:/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0',
        link: 'absent',
        detail: 'the port is not there',
        heardAtMs: null,
      },
    }),
  },
  {
    name: 'till-open',
    scene: scene({
      till: { address: 'tcp:127.0.0.1:20007', link: 'open', detail: null, heardAtMs: null },
    }),
  },
  {
    name: 'till-busy',
    scene: scene({
      till: {
        address: 'serial:usb:0403:6001:A50285BI',
        link: 'busy',
        detail: '/dev/ttyUSB0 is used by minicom (process 4711)',
        heardAtMs: nowMs - 60_000,
      },
    }),
  },
  {
    name: 'till-failed',
    likeAnother: true,
    scene: scene({
      till: {
        address: 'serial:usb:0403:6001:A50285BI',
        link: 'failed',
        detail: '/dev/ttyUSB0: Error setting custom baud rate',
        heardAtMs: null,
      },
    }),
  },
  {
    name: 'till-heard',
    scene: scene({
      till: {
        address: 'serial:/dev/ttyUSB0',
        link: 'connected',
        detail: null,
        heardAtMs: nowMs - 12_000,
      },
    }),
  },
  {
    name: 'till-heardLongAgo',
    likeAnother: true,
    scene: scene({
      till: {
        address: 'serial:/dev/ttyUSB0',
        link: 'connected',
        detail: null,
        heardAtMs: nowMs - 5 * 60_000,
      },
    }),
  },
  { name: 'reserving', scene: state({ ...cashierStates.waitingForCustomer, isReservation: true }) },
  {
    name: 'reserving-confirming',
    likeAnother: true,
    scene: state({ ...cashierStates.confirming, isReservation: true }),
  },
  {
    name: 'tried',
    scene: scene({
      state: cashierStates.waitingForCustomer,
      tried: { amountMinor: 700, currency: 'DKK' },
    }),
  },
  {
    name: 'unsettled',
    scene: scene({ state: cashierStates.waitingForCustomer, unsettled: unsettledMoney(nowMs) }),
    main: true,
  },
  {
    name: 'unsettled-needsPerson',
    scene: scene({
      unsettled: unsettledMoney(nowMs).map((money) => ({ ...money, needsPerson: true })),
    }),
  },
  {
    name: 'unsettled-otherAmount',
    likeAnother: true,
    scene: scene({
      unsettled: unsettledMoney(nowMs).map((money) =>
        money.kind === 'sale'
          ? { ...money, needsPerson: true, known: 'otherAmount' as const, movedMinor: 4_900 }
          : { ...money, needsPerson: true, known: 'unseen' as const },
      ),
    }),
  },
  {
    name: 'unsettled-four',
    scene: scene({
      unsettled: [
        ...unsettledMoney(nowMs),
        ...unsettledMoney(nowMs).map((money) => ({ ...money, needsPerson: true })),
      ],
    }),
  },
  { name: 'refunding', scene: scene({ refund: { kind: 'refunding', ...refund } }) },
  {
    name: 'refunded',
    scene: scene({ refund: { kind: 'refunded', ...refund, isConfirmed: true } }),
  },
  {
    name: 'refunded-notConfirmed',
    likeAnother: true,
    scene: scene({ refund: { kind: 'refunded', ...refund, isConfirmed: false } }),
  },
  {
    name: 'notRefunded-notConfirmed',
    likeAnother: true,
    scene: scene({
      refund: {
        kind: 'notRefunded',
        ...refund,
        reason: 'interrupted',
        refundDays: 90,
        isConfirmed: false,
      },
    }),
  },
  ...NotRefundedReason.options.map(
    (reason): State => ({
      name: `notRefunded-${reason}`,
      scene: scene({
        refund: { kind: 'notRefunded', ...refund, reason, refundDays: 90, isConfirmed: true },
      }),
      ...(reason !== 'refusedByService' && { likeAnother: true }),
    }),
  ),
  { name: 'damage-repaired', scene: scene({ journalDamage: { repaired: true, lostSales: 2 } }) },
  { name: 'computer', scene: scene({ computer: { clockOffSeconds: 4_000, disk: 'low' } }) },
  {
    name: 'computer-full',
    likeAnother: true,
    scene: scene({ computer: { clockOffSeconds: -90, disk: 'full' } }),
  },
  { name: 'damage', scene: scene({ journalDamage: { repaired: false, lostSales: 0 } }) },
  {
    name: 'everything',
    scene: scene({
      state: cashierStates.mayLeave,
      unsettled: unsettledMoney(nowMs),
      refund: { kind: 'refunding', ...refund },
      journalDamage: { repaired: true, lostSales: 1 },
    }),
  },
  {
    name: 'listed',
    scene: state(cashierStates.waitingForCustomer),
    reach: (page) => page.getByTestId('list').click(),
  },
  {
    name: 'byHand',
    scene: scene({}),
    main: true,
    reach: async (page) => {
      await page.getByTestId('by-hand').click();
      for (const key of ['1', '2', '3', '4', '5'])
        await page.locator(`tb-amount-pad [data-key="${key}"]`).click();
    },
  },
  {
    name: 'byHand-reserve',
    scene: scene({ takesReservations: true }),
    reach: async (page) => {
      await page.getByTestId('by-hand').click();
      for (const key of ['1', '2', '3', '4', '5'])
        await page.locator(`tb-amount-pad [data-key="${key}"]`).click();
      await page.getByTestId('reserve').check();
    },
  },
  {
    name: 'reservations-ending',
    scene: scene({
      takesReservations: true,
      openReservations: 3,
      reservationsEnding: { count: 2, firstMs: nowMs + 9 * 3_600_000 },
    }),
  },
  {
    name: 'byHand-nothing',
    scene: scene({}),
    reach: async (page) => {
      await page.getByTestId('by-hand').click();
      await page.getByTestId('take').click();
    },
  },
  {
    name: 'agreeing-lookingUp',
    likeAnother: true,
    scene: scene({ state: cashierStates.agreeing, loyaltyIds: null }),
  },
  {
    name: 'checkedIn-loyalty',
    scene: scene({ ...checkInStates.checkedIn, loyaltyIds: ['LOYAL-4711', '5790001234567'] }),
    main: true,
  },
  {
    name: 'approveInApp-loyalty',
    scene: scene({
      state: cashierStates.approveInApp,
      loyaltyIds: Array.from({ length: 10 }, (_, index) => String(index).repeat(60)),
    }),
  },
  {
    name: 'agreeing-refused',
    scene: {
      ...scene({ state: cashierStates.agreeing, loyaltyIds: [] }),
      answers: {
        agreeAmount() {
          throw new Refusal('amountTooSmall', '');
        },
      },
    },
    reach: async (page) => {
      await page.locator('tb-amount-pad [data-key="1"]').click();
      await page.getByTestId('send').click();
      await page.locator('#send-problem').filter({ hasText: /./ }).waitFor();
    },
  },
  {
    name: 'leaving',
    scene: scene({ state: cashierStates.mayLeave, unsettled: unsettledMoney(nowMs).slice(0, 1) }),
    main: true,
    reach: (page) => page.getByTestId('leave').click(),
  },
  {
    name: 'languages',
    scene: scene({}),
    reach: (page) => page.getByTestId('language').click(),
  },
];
