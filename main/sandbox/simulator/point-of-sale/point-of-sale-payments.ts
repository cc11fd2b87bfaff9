/** Payments and their changes of status (document 4, sections 1.3, 1.11 and 8). */
import type { Phone } from '../phone.ts';
import type {
  Caller,
  Expiring,
  PaymentTerms,
  PointOfSale,
  SimulatedPayment,
} from './point-of-sale-model.ts';
import { mayPayInStore } from '../limits.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

const activeStatuses: ReadonlySet<string> = new Set([
  'Prepared',
  'Initiated',
  'Paired',
  'IssuedToUser',
]);

/** Ends a payment whose status has expired. */
export function applyExpiry(world: World, payment: SimulatedPayment): SimulatedPayment {
  if (payment.expiresAtMs <= world.clock.monotonicMs()) {
    const endedAtMs = payment.expiresAtMs;
    if (payment.status === 'Reserved') {
      release(payment, agreedTerms(payment).amountMinor);
      move(world, payment, 'ExpiredAndCancelled', endedAtMs);
    } else if (activeStatuses.has(payment.status))
      move(world, payment, world.profile.cancelledByProvider, endedAtMs);
  }
  return payment;
}

/** The terms of a payment that has left Prepared and Paired. */
function agreedTerms({ paymentId, terms }: SimulatedPayment): PaymentTerms {
  if (terms === null) throw new Error(`payment ${paymentId} has no terms yet`);
  return terms;
}

/** Returns a reserved amount that is not captured to the card. */
function release(payment: SimulatedPayment, amountMinor: number): void {
  if (payment.phone !== null) payment.phone.balanceMinor += amountMinor;
}

/**
 * The reporting fields of a movement at a point of sale (document 3, "Reporting records"); its
 * payment point is the store.
 */
export function ledgerFields(world: World, payment: SimulatedPayment) {
  const { pos, phone } = payment;
  const store = world.stores.get(pos.storeId);
  return {
    product: 'PointOfSale' as const,
    merchantVat: pos.owner.merchantVat,
    paymentPointId: pos.storeId,
    currency: agreedTerms(payment).currency,
    about: {
      posName: pos.name,
      beaconId: pos.beaconId,
      brandName: store?.brandName ?? '',
      brandId: store?.merchantBrandId ?? '',
      locationId: store?.merchantLocationId ?? '',
      // The reports of points of sale contain no names and phone numbers.
      loyaltyId: phone?.loyaltyIds[0] ?? '',
    },
  };
}

export function setStatus(
  world: World,
  expiring: Expiring,
  status: string,
  atMs: number,
  expiresAtMs: number,
  end: () => void,
): void {
  expiring.status = status;
  expiring.history.push({ status, at: world.at(atMs) });
  expiring.expiresAtMs = expiresAtMs;
  expiring.expiryTimer?.();
  expiring.expiryTimer = Number.isFinite(expiresAtMs)
    ? world.clock.after(expiresAtMs - world.clock.monotonicMs(), end)
    : null;
}

function move(
  world: World,
  payment: SimulatedPayment,
  status: string,
  atMs = world.clock.monotonicMs(),
): void {
  const { pos } = payment;
  const { inactivityMs, reservationMs } = world.policy;
  const expiresAtMs = activeStatuses.has(status)
    ? atMs + inactivityMs
    : status === 'Reserved'
      ? atMs + reservationMs
      : Number.POSITIVE_INFINITY;
  setStatus(world, payment, status, atMs, expiresAtMs, () => applyExpiry(world, payment));
  if (pos.active === payment && !activeStatuses.has(status)) {
    pos.active = null;
    // The end of a payment ends the customer's check-in.
    pos.checkIn = null;
  }
  if (!activeStatuses.has(status) && status !== 'Reserved') pos.open.delete(payment);
  world.changed(pos);
}

export function currentCheckIn(world: World, pos: PointOfSale): Phone | null {
  if (pos.active !== null) applyExpiry(world, pos.active);
  if (pos.checkIn === null) return null;
  const stillThere =
    pos.active?.phone?.phoneNumber === pos.checkIn.phone.phoneNumber ||
    world.clock.monotonicMs() < pos.checkIn.atMs + world.policy.checkInMs;
  if (!stillThere) pos.checkIn = null;
  return pos.checkIn?.phone ?? null;
}

/** @param terms null when the payment is prepared and gets its terms with `ready` */
export function createPayment(
  world: World,
  pos: PointOfSale,
  orderId: string,
  terms: PaymentTerms | null,
): SimulatedPayment {
  const store = world.stores.get(pos.storeId);
  if (store?.activated === false) throw new ServiceError(409, '1204', 'The store is not activated');
  if (pos.active !== null) applyExpiry(world, pos.active);
  if (pos.active !== null)
    throw new ServiceError(409, '1301', 'A payment is already active at this point of sale');
  const payment: SimulatedPayment = {
    paymentId: world.ids.uuid(),
    pos,
    orderId,
    terms,
    status: '',
    expiresAtMs: Number.POSITIVE_INFINITY,
    expiryTimer: null,
    phone: null,
    capturedMinor: 0,
    captureCount: 0,
    refundedMinor: 0,
    history: [],
    refunds: [],
    capturedAtMs: 0,
  };
  world.payments.set(payment.paymentId, payment);
  pos.active = payment;
  pos.open.add(payment);
  const ofOrder = pos.paymentsByOrder.get(orderId);
  if (ofOrder === undefined) pos.paymentsByOrder.set(orderId, [payment]);
  else ofOrder.push(payment);
  const phone = currentCheckIn(world, pos);
  if (terms === null) {
    move(world, payment, 'Prepared');
    if (phone !== null) pair(world, payment, phone);
  } else if (phone === null) move(world, payment, 'Initiated');
  else issue(world, payment, phone);
  return payment;
}

function pair(world: World, payment: SimulatedPayment, phone: Phone): void {
  payment.phone = phone;
  move(world, payment, 'Paired');
}

function issue(world: World, payment: SimulatedPayment, phone: Phone): void {
  payment.phone = phone;
  move(world, payment, 'IssuedToUser');
}

/**
 * "All other calls are naturally idempotent" (document 4, section 1.8), so `ready` with the same
 * terms again changes nothing.
 */
function wasMadeReady(
  { history, status, terms: agreed }: SimulatedPayment,
  terms: PaymentTerms,
): boolean {
  const isSame = JSON.stringify(agreed) === JSON.stringify(terms);
  return (
    history[0]?.status === 'Prepared' &&
    isSame &&
    ['Initiated', 'IssuedToUser', 'Reserved', 'Captured'].includes(status)
  );
}

export function ready(world: World, payment: SimulatedPayment, terms: PaymentTerms): void {
  applyExpiry(world, payment);
  if (wasMadeReady(payment, terms)) return;
  if (payment.status !== 'Prepared' && payment.status !== 'Paired')
    throw new ServiceError(409, '1303', 'The payment must be prepared before it is made ready');
  payment.terms = terms;
  move(world, payment, payment.status === 'Prepared' ? 'Initiated' : 'IssuedToUser');
}

export function capture(world: World, payment: SimulatedPayment, amountMinor: number): void {
  applyExpiry(world, payment);
  if (payment.status === 'Captured') {
    if (amountMinor === payment.capturedMinor) return;
    throw new ServiceError(409, '1307', 'The payment is already captured with another amount');
  }
  if (payment.status !== 'Reserved')
    throw new ServiceError(409, '1304', 'The payment is not reserved');
  const { amountMinor: reservedMinor, merchantPaymentLabel } = agreedTerms(payment);
  if (amountMinor > reservedMinor)
    throw new ServiceError(409, '1305', 'The amount is above what is reserved');
  if (amountMinor < reservedMinor && payment.phone?.partialCapture !== true)
    throw new ServiceError(409, '1308', 'A partial capture is not possible for this payment');
  release(payment, reservedMinor - amountMinor);
  payment.capturedMinor = amountMinor;
  payment.captureCount += 1;
  payment.capturedAtMs = world.clock.monotonicMs();
  payment.pos.captured.push(payment);
  move(world, payment, 'Captured');
  const facts = ledgerFields(world, payment);
  const label = merchantPaymentLabel === null ? {} : { merchantPaymentLabel };
  world.ledger.record({
    ...facts,
    type: 'Payment',
    amountMinor,
    about: { ...facts.about, ...label, merchantReference: payment.orderId },
  });
}

export function cancel(world: World, payment: SimulatedPayment): void {
  applyExpiry(world, payment);
  if (payment.status === 'CancelledByClient') return;
  if (!activeStatuses.has(payment.status) && payment.status !== 'Reserved')
    throw new ServiceError(409, '1300', `A payment that is ${payment.status} cannot be cancelled`);
  if (payment.status === 'Reserved') release(payment, agreedTerms(payment).amountMinor);
  move(world, payment, 'CancelledByClient');
}

// Actions in the customer's app

export function checkIn(world: World, pos: PointOfSale, phone: Phone): void {
  if (pos.active !== null) applyExpiry(world, pos.active);
  const payment = pos.active;
  if (payment === null && pos.requirePaymentBeforeCheckin)
    throw new ServiceError(409, '1099', 'There is no payment to check in for');
  pos.checkIn = { phone, atMs: world.clock.monotonicMs() };
  if (payment?.status === 'Prepared') pair(world, payment, phone);
  else if (payment?.status === 'Initiated') issue(world, payment, phone);
  else world.changed(pos);
}

export function accept(world: World, pos: PointOfSale, phone: Phone): void {
  const payment = pos.active && applyExpiry(world, pos.active);
  if (payment?.status !== 'IssuedToUser' || payment.phone?.phoneNumber !== phone.phoneNumber)
    throw new ServiceError(409, '1099', 'There is no payment on this phone to accept');
  const { amountMinor, restrictions } = agreedTerms(payment);
  const disallowed =
    phone.card === 'debit' ? restrictions?.debitCardDisallowed : restrictions?.creditCardDisallowed;
  if (
    disallowed === true ||
    amountMinor > payment.phone.balanceMinor ||
    !mayPayInStore(world, payment.phone, amountMinor)
  )
    return move(world, payment, world.profile.cancelledByProvider);
  payment.phone.balanceMinor -= amountMinor;
  move(world, payment, 'Reserved');
}

export function cancelByUser(world: World, pos: PointOfSale): void {
  const payment = pos.active && applyExpiry(world, pos.active);
  if (payment?.status !== 'IssuedToUser' && payment?.status !== 'Paired')
    throw new ServiceError(409, '1099', 'There is no payment on a phone to cancel');
  move(world, payment, 'CancelledByUser');
}

/** Ends the check-in. A payment that is on the phone stays there. */
export function leave(world: World, pos: PointOfSale): void {
  if (pos.active !== null) applyExpiry(world, pos.active);
  if (pos.active !== null) return;
  pos.checkIn = null;
  world.changed(pos);
}

export function findPayment(world: World, paymentId: string): SimulatedPayment | undefined {
  const payment = world.payments.get(paymentId.toLowerCase());
  return payment && applyExpiry(world, payment);
}

/**
 * @throws ServiceError 403 with the operation's code when it belongs to another integrator or
 * merchant
 */
export function checkOwner(
  pos: PointOfSale,
  caller: Caller,
  otherIntegrator: string,
  otherMerchant: string,
): void {
  if (pos.owner.integratorId !== caller.integratorId)
    throw new ServiceError(403, otherIntegrator, 'It belongs to another integrator');
  if (pos.owner.merchantVat !== caller.merchantVat)
    throw new ServiceError(403, otherMerchant, 'It belongs to another merchant');
}
