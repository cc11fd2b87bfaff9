import type { LaneView } from '../../preload/contract.ts';

const saleId = '5a1e0000-0000-4000-8000-000000000001';
const money = { saleId, amountMinor: 123_450, currency: 'DKK', by: 'till' } as const;
const onItsWay = { ...money, remainingMs: 87_000, qr: null, canCancel: true } as const;
export const code = 'walletpos://pos?id=0b7f0e33-6166-442f-8cc9-e4c20ae427ba&source=qr';

type CustomerLane = Pick<LaneView, 'state' | 'customer'>;
const shop: LaneView['customer'] = {
  shopName: 'Hansens Købmand',
  logo: '/shop/logo?v=1',
  picture: null,
  language: null,
  checkIn: null,
};
const during = <State extends LaneView['state']>(
  state: State,
): { state: State; customer: CustomerLane['customer'] } => ({ state, customer: shop });

/** Everything that a customer can see. */
export const customerStates = {
  idle: { state: { kind: 'idle' }, customer: shop },
  picture: { state: { kind: 'idle' }, customer: { ...shop, picture: '/shop/picture?v=1' } },
  nameless: { state: { kind: 'idle' }, customer: { ...shop, shopName: null, logo: null } },
  notReady: during({ kind: 'notReady', reason: 'starting', detail: null }),
  away: during({ kind: 'notReady', reason: 'serviceUnreachable', detail: null, sinceMs: 0 }),
  scanFirst: {
    state: { kind: 'idle' },
    customer: { ...shop, checkIn: { qr: code, isCheckedIn: false } },
  },
  checkedIn: {
    state: { kind: 'idle' },
    customer: { ...shop, checkIn: { qr: code, isCheckedIn: true } },
  },
  contactingService: during({ kind: 'contactingService', ...onItsWay }),
  waitingForCustomer: during({ kind: 'waitingForCustomer', ...onItsWay, qr: code }),
  unanswered: during({ kind: 'waitingForCustomer', ...onItsWay, unansweredMs: 8_000 }),
  customerFound: during({ kind: 'customerFound', ...onItsWay }),
  agreeing: during({ kind: 'customerFound', ...onItsWay, by: 'cashier', toAgree: true }),
  approveInApp: during({ kind: 'approveInApp', ...onItsWay }),
  confirming: during({ kind: 'confirming', ...onItsWay, canCancel: false }),
  cancelling: during({ kind: 'cancelling', ...onItsWay, canCancel: false, mayLeaveInMs: 43_000 }),
  paid: during({ kind: 'paid', ...money }),
  reserved: during({ kind: 'reserved', ...money, by: 'cashier' }),
  notPaid: during({ kind: 'notPaid', ...money, reason: 'declinedByCustomer', known: 'notMoved' }),
} as const satisfies Record<string, CustomerLane>;

export type CustomerState = keyof typeof customerStates;

/** Displays: a counter's, a large one and one of 7 inches, each in landscape and portrait. */
export const displaySizes = [
  [1024, 768],
  [1920, 1080],
  [800, 480],
  [768, 1024],
  [480, 800],
] as const;
