/**
 * Refunds. A reserved one is captured after a day unless it is cancelled (document 4, section 1.4).
 */
import { ledgerFields, setStatus } from './point-of-sale-payments.ts';
import type { SimulatedPayment, SimulatedRefund } from './point-of-sale-model.ts';
import { ServiceError } from '../service-error.ts';
import type { World } from '../world.ts';

export function applyRefundExpiry(world: World, refund: SimulatedRefund): SimulatedRefund {
  if (refund.status === 'Reserved' && refund.expiresAtMs <= world.clock.monotonicMs())
    payOut(world, refund, 'ExpiredAndCaptured', refund.expiresAtMs);
  return refund;
}

function payOut(
  world: World,
  refund: SimulatedRefund,
  status: 'Captured' | 'ExpiredAndCaptured',
  atMs?: number,
): void {
  move(world, refund, status, atMs);
  const { payment, amountMinor, refundOrderId } = refund;
  if (payment.phone !== null) payment.phone.balanceMinor += amountMinor;
  const facts = ledgerFields(world, payment);
  world.ledger.record({
    ...facts,
    type: 'Refund',
    amountMinor: -amountMinor,
    about: { ...facts.about, merchantReference: refundOrderId },
  });
}

function move(
  world: World,
  refund: SimulatedRefund,
  status: string,
  atMs = world.clock.monotonicMs(),
): void {
  const expiresAtMs =
    status === 'Reserved' ? atMs + world.policy.refundCaptureMs : Number.POSITIVE_INFINITY;
  setStatus(world, refund, status, atMs, expiresAtMs, () => applyRefundExpiry(world, refund));
}

export function createRefund(
  world: World,
  payment: SimulatedPayment,
  about: { refundOrderId: string; amountMinor: number; currency: string },
): SimulatedRefund {
  if (payment.status !== 'Captured')
    throw new ServiceError(409, '1354', 'The payment is not captured');
  if (about.currency !== payment.terms?.currency)
    throw new ServiceError(409, '1365', 'The currency is not that of the payment');
  if (world.clock.monotonicMs() - payment.capturedAtMs > world.policy.refundWindowMs)
    throw new ServiceError(409, '1366', 'The payment is too old to be refunded');
  if (about.amountMinor > payment.capturedMinor - payment.refundedMinor)
    throw new ServiceError(409, '1367', 'The refunds would exceed the payment');
  const store = world.stores.get(payment.pos.storeId);
  if (store !== undefined && about.amountMinor > store.balanceMinor)
    throw new ServiceError(409, '1368', 'The balance of the store is too low');
  const refund: SimulatedRefund = {
    refundId: world.ids.uuid(),
    payment,
    ...about,
    status: '',
    expiresAtMs: Number.POSITIVE_INFINITY,
    expiryTimer: null,
    history: [],
  };
  world.refunds.set(refund.refundId, refund);
  payment.refunds.push(refund);
  payment.refundedMinor += about.amountMinor;
  if (store !== undefined) store.balanceMinor -= about.amountMinor;
  move(world, refund, 'Initiated');
  const reserve = (): void => {
    if (refund.status === 'Initiated') move(world, refund, 'Reserved');
  };
  if (world.policy.refundReservationMs === 0) reserve();
  else world.clock.after(world.policy.refundReservationMs, reserve);
  return refund;
}

export function captureRefund(world: World, refund: SimulatedRefund): void {
  applyRefundExpiry(world, refund);
  if (refund.status === 'Captured') return;
  if (refund.status !== 'Reserved')
    throw new ServiceError(409, '1351', 'The refund is not reserved');
  payOut(world, refund, 'Captured');
}

export function cancelRefund(world: World, refund: SimulatedRefund): void {
  applyRefundExpiry(world, refund);
  if (refund.status === 'CancelledByClient') return;
  if (refund.status !== 'Reserved' && refund.status !== 'Initiated')
    throw new ServiceError(409, '1352', `A refund that is ${refund.status} cannot be cancelled`);
  move(world, refund, 'CancelledByClient');
  refund.payment.refundedMinor -= refund.amountMinor;
  const store = world.stores.get(refund.payment.pos.storeId);
  if (store !== undefined) store.balanceMinor += refund.amountMinor;
}
