import {
  type LaneState,
  type LaneView,
  maxLoyaltyIdLength,
  maxLoyaltyIds,
  type ScreenName,
  type ServiceKind,
} from '../../../preload/contract.ts';
import { outsideText } from '../../core/domain/outside-text.ts';
import { maskedNumber } from '../../core/domain/named-customer.ts';
import { refundDaysOf } from '../../core/settlement/capabilities.ts';
import { isToBeAgreed } from '../../core/settlement/payment-decisions.ts';
import { claimantOf } from '../../core/settlement/payment.ts';
import { type LaneSnapshot, progressOf, type RefundShown } from '../../core/lane/snapshot.ts';

/** The shop's part, the same for every lane. */
export type ShopShown = Omit<LaneView['customer'], 'checkIn' | 'numberPad'>;
const noShop: ShopShown = { shopName: null, logo: null, picture: null, language: null };

/** A lane as its screens may see it: one clear state, and the money that is not settled yet. */
export function laneView(
  lane: LaneSnapshot,
  shop: ShopShown = noShop,
  service: ServiceKind = 'real',
): LaneView {
  return {
    laneId: lane.laneId,
    name: lane.name,
    currency: lane.currency,
    state: laneState(lane),
    beacons: [...lane.beacons],
    service,
    customer: {
      ...shop,
      checkIn: lane.checkIn && checkInView(lane.checkIn),
      ...(lane.takesNumber === true && { numberPad: true }),
    },
    till: {
      address: lane.till.address,
      link: lane.till.state,
      detail: lane.till.detail,
      heardAtMs: lane.till.heardAtMs,
    },
    refund: lane.refund && refundView(lane.refund),
    unsettled: lane.unsettled.map(({ problem, ...facts }) => ({
      ...facts,
      needsPerson: problem !== null,
    })),
    recent: lane.recent.map(({ outcome, capturedMinor = null, ...sale }) => ({
      ...sale,
      ...(capturedMinor !== null && { capturedMinor }),
      reason: outcome.paid ? null : outcome.reason,
    })),
    ...loyaltyOf(lane),
    ...(lane.codePerPayment === true && { codePerPayment: true }),
    ...(lane.named != null && { named: customerNamedView(lane.named, lane.sticker != null) }),
    ...(lane.tried !== null && { tried: lane.tried }),
    takesReservations: lane.takesReservations,
    openReservations: lane.reservations.length,
    reservationsEnding: endingOf(lane),
    journalDamage: lane.journalDamage,
  };
}

/**
 * Whose loyalty ids are shown: of the customer of the payment under way, or of who has checked in
 * for the next one.
 */
function loyaltyOf({ current, checkIn }: LaneSnapshot): Pick<LaneView, 'loyaltyIds'> {
  const loyaltyIds = current === null ? checkIn?.loyaltyIds : current.customer.loyaltyIds;
  return loyaltyIds === undefined ? {} : { loyaltyIds: loyaltyIds && loyaltyIdsView(loyaltyIds) };
}

/** Another program's texts: cleaned, and bounded so that they do not fill the screen. */
function loyaltyIdsView(ids: readonly string[]): string[] {
  const cleanIds = ids
    .slice(0, maxLoyaltyIds)
    .map((id) => outsideText(id, maxLoyaltyIdLength).trim());
  return cleanIds.filter((id) => id !== '');
}

function endingOf({ reservations }: LaneSnapshot): LaneView['reservationsEnding'] {
  const ends = reservations
    .filter(({ isEndingSoon }) => isEndingSoon)
    .flatMap(({ expiresAtMs }) => expiresAtMs ?? []);
  return ends.length === 0 ? null : { count: ends.length, firstMs: Math.min(...ends) };
}

type Audience = 'customer' | 'staff' | 'cashier';
/**
 * The audience of each field of a lane. A new field does not compile until somebody decides it
 * here. `customer`: every screen, also displays in the network. `staff`: every screen but those.
 */
const audience: Readonly<Record<keyof LaneView, Audience>> = {
  laneId: 'customer',
  name: 'customer',
  currency: 'customer',
  state: 'customer',
  beacons: 'customer',
  service: 'customer',
  customer: 'customer',
  till: 'customer',
  codePerPayment: 'customer',
  named: 'customer',
  refund: 'staff',
  unsettled: 'staff',
  recent: 'staff',
  tried: 'staff',
  takesReservations: 'staff',
  openReservations: 'staff',
  reservationsEnding: 'staff',
  journalDamage: 'staff',
  computer: 'staff',
  loyaltyIds: 'cashier',
};

/** What the contract requires although customers do not see it. */
const emptyForCustomer = {
  refund: null,
  unsettled: [],
  recent: [],
  openReservations: 0,
  reservationsEnding: null,
  takesReservations: false,
  journalDamage: null,
} satisfies Partial<LaneView>;

/** The lane as one kind of screen sees it. */
export function forScreen(screen: ScreenName, lane: LaneView): LaneView {
  if (screen === 'customer') return forCustomer(lane);
  return screen === 'cashier' ? lane : fieldsFor(lane, ['customer', 'staff']);
}

/** The view for customers and for displays in the network, of fields that they may see. */
export function forCustomer(lane: LaneView): LaneView {
  const { state, customer, till, named, ...others } = fieldsFor(lane, ['customer']);
  const { shopName, logo, picture, language, apps, numberPad, checkIn } = customer;
  return {
    ...others,
    ...emptyForCustomer,
    state: stateForCustomer(state),
    customer: {
      shopName,
      logo,
      picture,
      language,
      checkIn,
      ...(apps !== undefined && { apps }),
      ...(numberPad !== undefined && { numberPad }),
    },
    till: { address: '', link: till.link, detail: null, heardAtMs: null },
    ...(named !== undefined && {
      named: {
        isNamed: named.isNamed,
        number: null,
        isSent: named.isSent,
        refused: null,
        ...(named.sticker !== undefined && { sticker: named.sticker }),
      },
    }),
  };
}

/** The fields of a lane that this audience sees. */
function fieldsFor(lane: LaneView, audiences: readonly Audience[]): LaneView {
  const fields = Object.entries(lane).filter(
    ([field]) =>
      Object.hasOwn(audience, field) && audiences.includes(audience[field as keyof LaneView]),
  );
  // The required fields that a customer does not see are filled in by the caller.
  return Object.fromEntries(fields) as LaneView;
}

const customerNamedView = (
  { customer, isSent, refused }: NonNullable<LaneSnapshot['named']>,
  hasSticker: boolean,
): LaneView['named'] => ({
  isNamed: customer !== null,
  number: customer && maskedNumber(customer),
  isSent,
  refused,
  ...(hasSticker && { sticker: customer?.kind === 'sticker' ? 'scanned' : 'there' }),
});

const checkInView = ({
  code,
  isCheckedIn,
}: NonNullable<LaneSnapshot['checkIn']>): LaneView['customer']['checkIn'] =>
  code?.kind === 'picture'
    ? { qr: null, ownCode: code, isCheckedIn }
    : { qr: code?.text ?? null, isCheckedIn };

const fieldsOfAmount = ['kind', 'saleId', 'amountMinor', 'currency', 'by'] as const;
const fieldsOnItsWay = [
  ...fieldsOfAmount,
  'remainingMs',
  'qr',
  'ownCode',
  'unansweredMs',
  'canCancel',
  'isReservation',
] as const;
/** The fields of each state that a customer may see. */
const customerFields: {
  readonly [Kind in LaneState['kind']]: readonly (keyof Extract<LaneState, { kind: Kind }>)[];
} = {
  notReady: ['kind', 'reason', 'sinceMs'],
  idle: ['kind'],
  contactingService: fieldsOnItsWay,
  waitingForCustomer: fieldsOnItsWay,
  customerFound: [...fieldsOnItsWay, 'toAgree'],
  approveInApp: fieldsOnItsWay,
  confirming: fieldsOnItsWay,
  cancelling: [...fieldsOnItsWay, 'mayLeaveInMs'],
  paid: fieldsOfAmount,
  reserved: fieldsOfAmount,
  notPaid: [...fieldsOfAmount, 'reason', 'known'],
};

function stateForCustomer(state: LaneState): LaneState {
  if (state.kind === 'notPaid' && state.known !== 'notMoved') {
    // Not confirmed by the service yet: the customer's phone may still show the payment.
    const { saleId, amountMinor, currency, by } = state;
    return {
      kind: 'cancelling',
      saleId,
      amountMinor,
      currency,
      by,
      remainingMs: 0,
      qr: null,
      canCancel: false,
      mayLeaveInMs: 0,
    };
  }
  const fields: readonly string[] = customerFields[state.kind];
  const publicFields = Object.fromEntries(
    Object.entries(state).filter(([field]) => fields.includes(field)),
  );
  // These are the fields of this very kind, which the compiler cannot see.
  const picked = publicFields as LaneState;
  if (state.kind === 'notReady') return { ...picked, detail: null } as LaneState;
  return picked;
}

/** A sale under way comes first, then what just happened, then whether the next one can. */
function laneState(lane: LaneSnapshot): LaneState {
  if (lane.current !== null) {
    const { payment, code, remainingMs, mayLeaveInMs } = lane.current;
    const { saleId, amountMinor, currency, isTest, plannedCaptureDelay } = payment.sale;
    const progress = progressOf(payment) ?? 'confirming';
    // Customers are not expected before there is something to scan.
    const kind =
      progress === 'waitingForCustomer' && code === 'awaited' ? 'contactingService' : progress;
    // A cancel has its own text for that, and the till does not depend on the service.
    const unansweredMs =
      kind === 'cancelling' || kind === 'confirming' ? null : lane.current.unansweredMs;
    // The code is shown only while scanning it can lead somewhere.
    const isScanned = kind === 'waitingForCustomer' && unansweredMs === null;
    const ownCode = isScanned
      ? typeof code === 'object' && code !== null
        ? code
        : (lane.sticker?.code ?? null)
      : null;
    const qr = isScanned && ownCode === null ? lane.qr : null;
    const is = {
      ...(isTest && { isTest }),
      ...(plannedCaptureDelay !== undefined && { isReservation: true as const }),
    };
    const facts = {
      saleId,
      amountMinor,
      currency,
      by: claimantOf(payment.sale),
      ...is,
      remainingMs,
      qr,
    };
    const onItsWay = {
      ...facts,
      ...(ownCode !== null && { ownCode }),
      ...(unansweredMs !== null && { unansweredMs }),
    };
    if (isToBeAgreed(payment) && claimantOf(payment.sale) === 'cashier')
      return { kind: 'customerFound', ...onItsWay, canCancel: true, toAgree: true };
    if (kind === 'contactingService' && progress === 'waitingForCustomer')
      return { kind, ...onItsWay, canCancel: true, isFetchingCode: true };
    return kind === 'cancelling'
      ? { kind, ...onItsWay, canCancel: false, mayLeaveInMs: mayLeaveInMs ?? 0 }
      : { kind, ...onItsWay, canCancel: kind !== 'confirming' };
  }
  if (lane.result !== null) {
    const { outcome, known, ...sale } = lane.result;
    // "Paid" once it is decided: goods are handed over before the service confirms the capture.
    if (outcome.paid) return { kind: 'paid', ...sale };
    return outcome.reason === 'held'
      ? { kind: 'reserved', ...sale }
      : { kind: 'notPaid', ...sale, reason: outcome.reason, known };
  }
  return lane.condition.kind === 'open' ? { kind: 'idle' } : lane.condition;
}

function refundView({ refund, outcome, certainty }: RefundShown): LaneView['refund'] {
  const { saleId, refundOrderId, amountMinor, currency } = refund.request;
  const facts = { saleId, refundOrderId, amountMinor, currency };
  if (outcome === null) return { kind: 'refunding', ...facts };
  const isConfirmed = certainty === 'confirmed';
  return outcome.refunded
    ? { kind: 'refunded', ...facts, isConfirmed }
    : {
        kind: 'notRefunded',
        ...facts,
        reason: outcome.reason,
        refundDays: refundDaysOf(refund.request),
        isConfirmed,
      };
}
