import type { LaneState, LaneView } from '../../preload/contract.ts';

const saleId = '5a1e0000-0000-4000-8000-000000000001';
const money = { saleId, amountMinor: 123_450, currency: 'DKK', by: 'till' } as const;
const onItsWay = { ...money, remainingMs: 87_000, qr: null, canCancel: true } as const;
const code = 'walletpos://pos?id=0b7f0e33-6166-442f-8cc9-e4c20ae427ba&source=qr';
const minuteMs = 60_000;

/** The last payments as a busy afternoon leaves them. */
export function recentPayments(nowMs: number): LaneView['recent'] {
  const row = (
    index: number,
    about: Partial<LaneView['recent'][number]> = {},
  ): LaneView['recent'][number] => ({
    saleId: `5a1e0000-0000-4000-8000-0000000001${String(index).padStart(2, '0')}`,
    orderId: `1-0000${10 + index}-5a1e0000`,
    receiptNumber: 1042 - index,
    startedAtMs: nowMs - index * 7 * minuteMs,
    amountMinor: 12_900 + index * 4_735,
    currency: 'DKK',
    by: 'till',
    reason: null,
    certainty: 'confirmed',
    refundedMinor: 0,
    ...about,
  });
  return [
    row(0),
    row(1, { reason: 'declinedByCustomer' }),
    row(2, { by: 'cashier', orderId: 'Table 4-000012-5a1e0000' }),
    row(3, { refundedMinor: 5_000 }),
    row(4, { reason: 'leftByCashier' }),
    row(5),
    row(6, { certainty: 'contested' }),
    row(7, { reason: 'cancelledByService' }),
    row(8, { by: 'cashier', refundedMinor: 50_780 }),
    row(9, { startedAtMs: nowMs - 26 * 60 * minuteMs }),
  ];
}

/** The combinations of beacons besides the code alone. */
export const beaconCombinations: readonly LaneView['beacons'][] = [
  ['NFC'],
  ['Bluetooth'],
  ['NFC', 'Bluetooth'],
  ['QR', 'NFC'],
  ['QR', 'Bluetooth'],
  ['QR', 'NFC', 'Bluetooth'],
];

/** Every state that a cashier can see. */
export const cashierStates = {
  idle: { kind: 'idle' },
  notReady: {
    kind: 'notReady',
    reason: 'serviceUnreachable',
    detail: 'ECONNREFUSED 127.0.0.1:443',
  },
  contactingService: { kind: 'contactingService', ...onItsWay },
  waitingForCustomer: { kind: 'waitingForCustomer', ...onItsWay, qr: code },
  unanswered: { kind: 'waitingForCustomer', ...onItsWay, unansweredMs: 8_000 },
  customerFound: { kind: 'customerFound', ...onItsWay },
  agreeing: { kind: 'customerFound', ...onItsWay, by: 'cashier', toAgree: true },
  approveInApp: { kind: 'approveInApp', ...onItsWay },
  confirming: { kind: 'confirming', ...onItsWay, canCancel: false },
  cancelling: { kind: 'cancelling', ...onItsWay, canCancel: false, mayLeaveInMs: 43_000 },
  mayLeave: { kind: 'cancelling', ...onItsWay, canCancel: false, mayLeaveInMs: 0 },
  paid: { kind: 'paid', ...money },
  paidByHand: { kind: 'paid', ...money, by: 'cashier' },
  reserved: { kind: 'reserved', ...money, by: 'cashier' },
  declined: { kind: 'notPaid', ...money, reason: 'declinedByCustomer', known: 'notMoved' },
  cancelled: { kind: 'notPaid', ...money, reason: 'cancelledByCashier', known: 'notMoved' },
  cancelledNotConfirmed: {
    kind: 'notPaid',
    ...money,
    reason: 'cancelledByCashier',
    known: 'perhapsUnheard',
  },
  notDelivered: { kind: 'notPaid', ...money, reason: 'notDelivered', known: 'releasing' },
  left: { kind: 'notPaid', ...money, reason: 'leftByCashier', known: 'perhapsApproved' },
} as const satisfies Record<string, LaneState>;

export type CashierState = keyof typeof cashierStates;

const withCheckIn = (isCheckedIn: boolean): LaneView['customer'] => ({
  shopName: null,
  logo: null,
  picture: null,
  language: null,
  checkIn: { qr: code, isCheckedIn },
});

/** The states of lanes whose customers may check in before there is an amount. */
export const checkInStates = {
  scanFirst: { state: cashierStates.idle, customer: withCheckIn(false) },
  checkedIn: { state: cashierStates.idle, customer: withCheckIn(true) },
  paidThenCheckedIn: { state: cashierStates.paid, customer: withCheckIn(true) },
} as const satisfies Record<string, Pick<LaneView, 'state' | 'customer'>>;

const waiting: LaneState = { ...cashierStates.waitingForCustomer, qr: null };
const nobody = { isNamed: false, number: null, isSent: false, refused: null } as const;

/** The states of lanes whose customers are named at the counter. */
export const namedStates = {
  'named-asked': { state: waiting, named: nobody },
  'named-refused': { state: waiting, named: { ...nobody, refused: 'codeRefused' } },
  'named-number': {
    state: { ...waiting, kind: 'approveInApp' },
    named: { ...nobody, isNamed: true, number: '•••• 1801', isSent: true },
  },
  'named-before': { state: cashierStates.idle, named: { ...nobody, isNamed: true } },
} as const satisfies Record<string, Pick<LaneView, 'state' | 'named'>>;

export function unsettledMoney(nowMs: number): LaneView['unsettled'] {
  const facts = { saleId, amountMinor: 49_900, currency: 'DKK', needsPerson: false } as const;
  return [
    {
      ...facts,
      kind: 'sale',
      intent: 'capture',
      known: 'moving',
      orderId: '1-001042-5a1e0000',
      sinceMs: nowMs - 5 * minuteMs,
    },
    {
      ...facts,
      kind: 'refund',
      intent: 'cancel',
      known: 'perhapsApproved',
      orderId: '1-R001040-4ef00000',
      sinceMs: nowMs - 90 * minuteMs,
    },
  ];
}
