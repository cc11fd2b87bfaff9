/** Payments: states and what moves them (document 4, sections 1.3, 1.11 and 8). */
import type { Cancel } from '../../../domain/clock.ts';
import type { Currency } from '../../../domain/money.ts';
import type { Caller, Payment, Phone, PointOfSale, World } from '../world.ts';
import { ServiceError } from '../world.ts';

const waiting: ReadonlySet<string> = new Set(['Prepared', 'Initiated', 'Paired', 'IssuedToUser']);

export interface PaymentTerms {
  readonly amountMinor: number;
  readonly currency: 'DKK' | 'EUR';
  readonly plannedCaptureDelay: string;
  readonly restrictions: Payment['restrictions'];
  readonly merchantPaymentLabel: string | null;
}

/** Brings a payment up to date: what the service would have done by itself until now. */
export function settle(world: World, payment: Payment): Payment {
  if (payment.endsAtMs <= world.clock.monotonicMs()) {
    const endedAtMs = payment.endsAtMs;
    if (payment.status === 'Reserved') {
      release(payment, payment.amountMinor as number);
      move(world, payment, 'ExpiredAndCancelled', endedAtMs);
    } else if (waiting.has(payment.status)) move(world, payment, world.profile.cancelledByProvider, endedAtMs);
  }
  return payment;
}

/** What was reserved on the card and is not taken. */
function release(payment: Payment, amountMinor: number): void {
  if (payment.phone !== null) payment.phone.balanceMinor += amountMinor;
}

/** What reporting tells of a movement at a point of sale (document 3, "Reporting records"); the payment point is the store. */
export function ledgerFacts(world: World, { pos, phone, currency }: Payment) {
  const store = world.stores.get(pos.storeId);
  return {
    product: 'PointOfSale' as const,
    merchantVat: pos.owner.merchantVat,
    paymentPointId: pos.storeId,
    currency: currency as Currency,
    about: {
      posName: pos.name,
      beaconId: pos.beaconId,
      brandName: store?.brandName ?? '',
      brandId: store?.merchantBrandId ?? '',
      locationId: store?.merchantLocationId ?? '',
      // Who paid is not told of a point of sale, only by which loyalty id.
      loyaltyId: phone?.loyaltyIds[0] ?? '',
    },
  };
}

/** What ends by itself does so at its time, whether anybody looks or not. */
export function endInTime(world: World, thing: { endsAtMs: number; ending: Cancel | null }, end: () => void): void {
  thing.ending?.();
  thing.ending = Number.isFinite(thing.endsAtMs) ? world.clock.after(thing.endsAtMs - world.clock.monotonicMs(), end) : null;
}

function move(world: World, payment: Payment, status: string, atMs = world.clock.monotonicMs()): void {
  const { pos } = payment;
  payment.status = status;
  payment.history.push({ status, at: world.at(atMs) });
  payment.endsAtMs = Number.POSITIVE_INFINITY;
  if (waiting.has(status)) payment.endsAtMs = atMs + world.policy.inactivityMs;
  if (status === 'Reserved') payment.endsAtMs = atMs + world.policy.reservationMs;
  endInTime(world, payment, () => settle(world, payment));
  if (pos.active === payment && !waiting.has(status)) {
    pos.active = null;
    // Who has paid, or walked away from it, is no longer at this counter.
    pos.checkIn = null;
  }
  if (!waiting.has(status) && status !== 'Reserved') pos.open.delete(payment);
  world.changed(pos);
}

export function currentCheckIn(world: World, pos: PointOfSale): Phone | null {
  if (pos.active !== null) settle(world, pos.active);
  if (pos.checkIn === null) return null;
  const stillThere = pos.active?.phone?.phoneNumber === pos.checkIn.phone.phoneNumber || world.clock.monotonicMs() < pos.checkIn.atMs + world.policy.checkInMs;
  if (!stillThere) pos.checkIn = null;
  return pos.checkIn?.phone ?? null;
}

/** @param terms null: prepared, the amount comes with `ready` */
export function createPayment(world: World, pos: PointOfSale, orderId: string, terms: PaymentTerms | null): Payment {
  const store = world.stores.get(pos.storeId);
  if (store?.activated === false) throw new ServiceError(409, '1204', 'The store is not activated');
  if (pos.active !== null) settle(world, pos.active);
  if (pos.active !== null) throw new ServiceError(409, '1301', 'A payment is already active at this point of sale');
  const payment: Payment = {
    paymentId: world.ids.uuid(),
    pos,
    orderId,
    amountMinor: null,
    currency: null,
    plannedCaptureDelay: null,
    restrictions: null,
    merchantPaymentLabel: null,
    status: '',
    endsAtMs: Number.POSITIVE_INFINITY,
    ending: null,
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
  pos.latestByOrder.set(orderId, payment);
  const phone = currentCheckIn(world, pos);
  if (terms === null) {
    move(world, payment, 'Prepared');
    if (phone !== null) pair(world, payment, phone);
  } else {
    Object.assign(payment, terms);
    if (phone === null) move(world, payment, 'Initiated');
    else issue(world, payment, phone);
  }
  return payment;
}

function pair(world: World, payment: Payment, phone: Phone): void {
  payment.phone = phone;
  move(world, payment, 'Paired');
}

function issue(world: World, payment: Payment, phone: Phone): void {
  payment.phone = phone;
  move(world, payment, 'IssuedToUser');
}

/** "All other calls are naturally idempotent" (document 4, section 1.8): the same terms once more change nothing. */
function wasMadeReady({ history, status, ...payment }: Payment, terms: PaymentTerms): boolean {
  const same = (Object.keys(terms) as (keyof PaymentTerms)[]).every((name) => JSON.stringify(payment[name]) === JSON.stringify(terms[name]));
  return history[0]?.status === 'Prepared' && same && ['Initiated', 'IssuedToUser', 'Reserved', 'Captured'].includes(status);
}

export function ready(world: World, payment: Payment, terms: PaymentTerms): void {
  settle(world, payment);
  if (wasMadeReady(payment, terms)) return;
  if (payment.status !== 'Prepared' && payment.status !== 'Paired') throw new ServiceError(409, '1303', 'The payment must be prepared before it is made ready');
  Object.assign(payment, terms);
  if (payment.status === 'Prepared') move(world, payment, 'Initiated');
  else issue(world, payment, payment.phone as Phone);
}

export function capture(world: World, payment: Payment, amountMinor: number): void {
  settle(world, payment);
  if (payment.status === 'Captured') {
    if (amountMinor === payment.capturedMinor) return;
    throw new ServiceError(409, '1307', 'The payment is already captured with another amount');
  }
  if (payment.status !== 'Reserved') throw new ServiceError(409, '1304', 'The payment is not reserved');
  const reservedMinor = payment.amountMinor as number;
  if (amountMinor > reservedMinor) throw new ServiceError(409, '1305', 'The amount is above what is reserved');
  if (amountMinor < reservedMinor && payment.phone?.partialCapture !== true)
    throw new ServiceError(409, '1308', 'A partial capture is not possible for this payment');
  release(payment, reservedMinor - amountMinor);
  payment.capturedMinor = amountMinor;
  payment.captureCount += 1;
  payment.capturedAtMs = world.clock.monotonicMs();
  payment.pos.captured.push(payment);
  move(world, payment, 'Captured');
  const facts = ledgerFacts(world, payment);
  const label = payment.merchantPaymentLabel === null ? {} : { merchantPaymentLabel: payment.merchantPaymentLabel };
  world.ledger.record({ ...facts, type: 'Payment', amountMinor, about: { ...facts.about, ...label, merchantReference: payment.orderId } });
}

export function cancel(world: World, payment: Payment): void {
  settle(world, payment);
  if (payment.status === 'CancelledByClient') return;
  if (!waiting.has(payment.status) && payment.status !== 'Reserved')
    throw new ServiceError(409, '1300', `A payment that is ${payment.status} cannot be cancelled`);
  if (payment.status === 'Reserved') release(payment, payment.amountMinor as number);
  move(world, payment, 'CancelledByClient');
}

// What a phone's owner does

export function checkIn(world: World, pos: PointOfSale, phone: Phone): void {
  if (pos.active !== null) settle(world, pos.active);
  const payment = pos.active;
  if (payment === null && pos.requirePaymentBeforeCheckin) throw new ServiceError(409, '1099', 'There is no payment to check in for');
  pos.checkIn = { phone, atMs: world.clock.monotonicMs() };
  if (payment?.status === 'Prepared') pair(world, payment, phone);
  else if (payment?.status === 'Initiated') issue(world, payment, phone);
  else world.changed(pos);
}

export function accept(world: World, pos: PointOfSale, phone: Phone): void {
  const payment = pos.active && settle(world, pos.active);
  if (payment?.status !== 'IssuedToUser' || payment.phone?.phoneNumber !== phone.phoneNumber)
    throw new ServiceError(409, '1099', 'There is no payment on this phone to accept');
  const disallowed = phone.card === 'debit' ? payment.restrictions?.debitCardDisallowed : payment.restrictions?.creditCardDisallowed;
  const amountMinor = payment.amountMinor as number;
  if (disallowed === true || amountMinor > payment.phone.balanceMinor) return move(world, payment, world.profile.cancelledByProvider);
  payment.phone.balanceMinor -= amountMinor;
  move(world, payment, 'Reserved');
}

export function cancelByUser(world: World, pos: PointOfSale): void {
  const payment = pos.active && settle(world, pos.active);
  if (payment?.status !== 'IssuedToUser' && payment?.status !== 'Paired') throw new ServiceError(409, '1099', 'There is no payment on a phone to cancel');
  move(world, payment, 'CancelledByUser');
}

/** Walks away without a word: nothing happens to a payment that is on the phone. */
export function leave(world: World, pos: PointOfSale): void {
  if (pos.active !== null) settle(world, pos.active);
  if (pos.active !== null) return;
  pos.checkIn = null;
  world.changed(pos);
}

export function findPayment(world: World, paymentId: string): Payment | undefined {
  const payment = world.payments.get(paymentId.toLowerCase());
  return payment && settle(world, payment);
}

/** 403 with the code of the operation when the payment belongs to somebody else. */
export function checkOwner(pos: PointOfSale, caller: Caller, otherIntegrator: string, otherMerchant: string): void {
  if (pos.owner.integratorId !== caller.integratorId) throw new ServiceError(403, otherIntegrator, 'It belongs to another integrator');
  if (pos.owner.merchantVat !== caller.merchantVat) throw new ServiceError(403, otherMerchant, 'It belongs to another merchant');
}
