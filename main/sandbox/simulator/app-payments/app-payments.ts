/**
 * App payments: their states and transitions (interface document 3, "States and transitions";
 * document 4, section 4).
 */
import type { AppPaymentState } from '../../../wallets/v10/app-payments/app-payments-schemas.ts';
import type { WebhookEvent } from '../../../wallets/v10/app-payments/webhook.ts';
import { mayPayInApp } from '../limits.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import {
  type AppPaymentRegistry,
  conflict,
  keyOf,
  type SimulatedAppPayment,
  type Point,
} from './app-payment-registry.ts';
import { announce } from './app-payment-webhooks.ts';

/** "No user action 5–10 min". */
const inactivityMs = 10 * 60_000;

/** The fields of a movement's reporting record (document 3, "Reporting records"). */
export function ledgerFields({ point, paymentId }: SimulatedAppPayment) {
  const { vat: merchantVat, currency } = point.merchant;
  return {
    product: 'App payments' as const,
    merchantVat,
    paymentPointId: point.paymentPointId,
    currency,
    about: { paymentId },
  };
}

function move(
  { world }: AppPaymentRegistry,
  payment: SimulatedAppPayment,
  state: AppPaymentState,
): void {
  payment.cancelTimer();
  payment.cancelTimer = () => {};
  payment.state = state;
  payment.history.push({ state, at: world.at() });
}

/** The next transition cancels the timer. */
function expireAfter(
  registry: AppPaymentRegistry,
  payment: SimulatedAppPayment,
  delayMs: number,
): void {
  payment.cancelTimer = registry.world.clock.after(delayMs, () => {
    release(registry, payment);
    move(registry, payment, 'cancelledBySystem');
    tell(registry, payment, 'payment.expired');
  });
}

function tell(
  registry: AppPaymentRegistry,
  { paymentId, point, reference }: SimulatedAppPayment,
  event: WebhookEvent,
): void {
  announce(registry, event, {
    merchantVat: point.merchant.vat,
    paymentPointId: point.paymentPointId,
    id: paymentId,
    reference,
  });
}

/** Gives a reserved amount back to the phone's balance and limits. */
function release(
  { world }: AppPaymentRegistry,
  { state, phone, history, amountMinor }: SimulatedAppPayment,
  partMinor = amountMinor,
): void {
  if ((state !== 'reserved' && state !== 'captureStarted') || phone === null) return;
  phone.balanceMinor += partMinor;
  const reserved = history.find((moved) => moved.state === 'reserved');
  if (reserved !== undefined) world.appSpending.add(phone.phoneNumber, reserved.at, -partMinor);
}

export type Terms = Pick<
  SimulatedAppPayment,
  | 'idempotencyKey'
  | 'amountMinor'
  | 'reference'
  | 'description'
  | 'redirectUri'
  | 'customerPhoneNumber'
>;

export function initiate(
  registry: AppPaymentRegistry,
  point: Point,
  terms: Terms,
): SimulatedAppPayment {
  if (point.state !== 'active')
    throw conflict('invalid_payment_point', 'The payment point is not active');
  const payment: SimulatedAppPayment = {
    ...terms,
    paymentId: registry.world.ids.uuid(),
    point,
    state: 'initiated',
    history: [],
    phone: null,
    hangingCaptures: 0,
    capturedMinor: 0,
    capturedAtMs: 0,
    refundedMinor: 0,
    cancelTimer: () => {},
  };
  registry.payments.set(payment.paymentId, payment);
  registry.paymentByKey.set(keyOf(point.merchant, terms.idempotencyKey), payment);
  move(registry, payment, 'initiated');
  expireAfter(registry, payment, inactivityMs);
  return payment;
}

export function capture(
  registry: AppPaymentRegistry,
  payment: SimulatedAppPayment,
  amountMinor: number,
): void {
  const { state, phone } = payment;
  if (state === 'captured') {
    if (amountMinor === payment.capturedMinor) return;
    throw conflict(
      'payment_captured_with_different_amount',
      'The payment is already captured with another amount',
    );
  }
  if (state !== 'reserved' && state !== 'captureStarted')
    throw conflict('invalid_payment_state', `A payment that is ${state} cannot be captured`);
  if (amountMinor > payment.amountMinor)
    throw conflict('amount_too_large', 'The amount is above what is reserved');
  if (amountMinor < payment.amountMinor && phone?.partialCapture !== true)
    throw conflict(
      'partial_capture_disallowed',
      'A partial capture is not possible for this payment',
    );
  if (payment.hangingCaptures > 0) {
    payment.hangingCaptures -= 1;
    if (state === 'reserved') move(registry, payment, 'captureStarted');
    throw new ServiceError(
      500,
      'processing_error',
      'Whether it was captured is not known; capture again',
    );
  }
  release(registry, payment, payment.amountMinor - amountMinor);
  payment.capturedMinor = amountMinor;
  payment.capturedAtMs = registry.world.clock.monotonicMs();
  move(registry, payment, 'captured');
  const facts = ledgerFields(payment);
  const message = payment.description === null ? {} : { message: payment.description };
  registry.world.ledger.record({
    ...facts,
    type: 'Payment',
    amountMinor,
    about: { ...facts.about, ...message, merchantReference: payment.reference },
  });
}

/** "Cancel allowed in all states but captured". Cancelling twice changes nothing. */
export function cancel(registry: AppPaymentRegistry, payment: SimulatedAppPayment): void {
  if (payment.state === 'captured')
    throw conflict('invalid_payment_state', 'A captured payment cannot be cancelled');
  if (payment.state.startsWith('cancelled')) return;
  release(registry, payment);
  move(registry, payment, 'cancelledByMerchant');
}

export function cancelInitiated(registry: AppPaymentRegistry, payment: SimulatedAppPayment): void {
  if (payment.state !== 'initiated')
    throw conflict(
      'invalid_payment_state',
      `A payment that is ${payment.state} cannot be cancelled by its key`,
    );
  cancel(registry, payment);
}

function checkInitiated({ state }: SimulatedAppPayment): void {
  if (state !== 'initiated')
    throw conflict('invalid_payment_state', `A payment that is ${state} is not on a phone`);
}

/**
 * @returns false when the phone's balance or limits are too low; the user may try again until the
 * payment expires
 */
export function accept(
  registry: AppPaymentRegistry,
  payment: SimulatedAppPayment,
  phone: Phone | null,
): boolean {
  checkInitiated(payment);
  if (phone !== null) {
    const { amountMinor } = payment;
    if (amountMinor > phone.balanceMinor || !mayPayInApp(registry.world, phone, amountMinor))
      return false;
    phone.balanceMinor -= amountMinor;
    registry.world.appSpending.add(phone.phoneNumber, registry.world.at(), amountMinor);
  }
  payment.phone = phone;
  move(registry, payment, 'reserved');
  expireAfter(registry, payment, registry.world.policy.reservationMs);
  tell(registry, payment, 'payment.reserved');
  return true;
}

export function reject(registry: AppPaymentRegistry, payment: SimulatedAppPayment): void {
  checkInitiated(payment);
  move(registry, payment, 'cancelledByUser');
  tell(registry, payment, 'payment.cancelled_by_user');
}

/** Where the app sends the user when it is done ("Return link gets query `status`"). */
export function returnUri(
  { redirectUri }: SimulatedAppPayment,
  status: 'successful' | 'failed' | 'rejected',
): string {
  const uri = new URL(redirectUri);
  uri.searchParams.set('status', status);
  return uri.href;
}
