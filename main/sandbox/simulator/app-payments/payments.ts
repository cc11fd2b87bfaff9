/** App payments: states and what moves them (interface document 3, "States and transitions"; document 4, section 4). */
import type { AppPaymentState } from '../../../wallet/v10/app-payments/schemas.ts';
import type { WebhookEvent } from '../../../wallet/v10/app-payments/webhook.ts';
import { type Phone, ServiceError } from '../world.ts';
import { type Book, conflict, keyOf, type Payment, type Point } from './book.ts';
import { announce } from './webhooks.ts';

/** "No user action 5–10 min". */
const inactivityMs = 10 * 60_000;

/** What reporting tells of a movement (document 3, "Reporting records"). */
export function ledgerFacts({ point, paymentId, phone }: Payment) {
  const { vat: merchantVat, currency } = point.merchant;
  const user = phone === null ? {} : { userPhoneNumber: phone.phoneNumber, userName: phone.userName };
  return { product: 'App payments' as const, merchantVat, paymentPointId: point.paymentPointId, currency, about: { paymentId, ...user } };
}

function move({ world }: Book, payment: Payment, state: AppPaymentState): void {
  payment.settle();
  payment.settle = () => {};
  payment.state = state;
  payment.history.push({ state, at: world.at() });
}

/** Unless something happens before. */
function expireAfter(book: Book, payment: Payment, delayMs: number): void {
  payment.settle = book.world.clock.after(delayMs, () => {
    release(payment);
    move(book, payment, 'cancelledBySystem');
    tell(book, payment, 'payment.expired');
  });
}

function tell(book: Book, { paymentId, point, reference }: Payment, event: WebhookEvent): void {
  announce(book, event, { merchantVat: point.merchant.vat, paymentPointId: point.paymentPointId, id: paymentId, reference });
}

/** What was reserved and is not taken. */
function release(payment: Payment, amountMinor = payment.amountMinor): void {
  if ((payment.state === 'reserved' || payment.state === 'captureStarted') && payment.phone !== null) payment.phone.balanceMinor += amountMinor;
}

export type Terms = Pick<Payment, 'idempotencyKey' | 'amountMinor' | 'reference' | 'description' | 'redirectUri'>;

export function initiate(book: Book, point: Point, terms: Terms): Payment {
  if (point.state !== 'active') throw conflict('invalid_payment_point', 'The payment point is not active');
  const payment: Payment = {
    ...terms,
    paymentId: book.world.ids.uuid(),
    point,
    state: 'initiated',
    history: [],
    phone: null,
    hangingCaptures: 0,
    capturedMinor: 0,
    capturedAtMs: 0,
    refundedMinor: 0,
    settle: () => {},
  };
  book.payments.set(payment.paymentId, payment);
  book.paymentByKey.set(keyOf(point.merchant, terms.idempotencyKey), payment);
  move(book, payment, 'initiated');
  expireAfter(book, payment, inactivityMs);
  return payment;
}

export function capture(book: Book, payment: Payment, amountMinor: number): void {
  const { state, phone } = payment;
  if (state === 'captured') {
    if (amountMinor === payment.capturedMinor) return;
    throw conflict('payment_captured_with_different_amount', 'The payment is already captured with another amount');
  }
  if (state !== 'reserved' && state !== 'captureStarted') throw conflict('invalid_payment_state', `A payment that is ${state} cannot be captured`);
  if (amountMinor > payment.amountMinor) throw conflict('amount_too_large', 'The amount is above what is reserved');
  if (amountMinor < payment.amountMinor && phone?.partialCapture !== true)
    throw conflict('partial_capture_disallowed', 'A partial capture is not possible for this payment');
  if (payment.hangingCaptures > 0) {
    payment.hangingCaptures -= 1;
    if (state === 'reserved') move(book, payment, 'captureStarted');
    throw new ServiceError(500, 'processing_error', 'Whether it was captured is not known; capture again');
  }
  release(payment, payment.amountMinor - amountMinor);
  payment.capturedMinor = amountMinor;
  payment.capturedAtMs = book.world.clock.monotonicMs();
  move(book, payment, 'captured');
  const facts = ledgerFacts(payment);
  const message = payment.description === null ? {} : { message: payment.description };
  book.world.ledger.record({ ...facts, type: 'Payment', amountMinor, about: { ...facts.about, ...message, merchantReference: payment.reference } });
}

/** "Cancel allowed in all states but captured": of what is cancelled already nothing changes. */
export function cancel(book: Book, payment: Payment): void {
  if (payment.state === 'captured') throw conflict('invalid_payment_state', 'A captured payment cannot be cancelled');
  if (payment.state.startsWith('cancelled')) return;
  release(payment);
  move(book, payment, 'cancelledByMerchant');
}

export function cancelInitiated(book: Book, payment: Payment): void {
  if (payment.state !== 'initiated') throw conflict('invalid_payment_state', `A payment that is ${payment.state} cannot be cancelled by its key`);
  cancel(book, payment);
}

// What a phone's owner does

function checkInitiated({ state }: Payment): void {
  if (state !== 'initiated') throw conflict('invalid_payment_state', `A payment that is ${state} is not on a phone`);
}

/** False when the phone's card cannot pay it: the user may try again until the payment has run out. */
export function accept(book: Book, payment: Payment, phone: Phone | null): boolean {
  checkInitiated(payment);
  if (phone !== null) {
    if (payment.amountMinor > phone.balanceMinor) return false;
    phone.balanceMinor -= payment.amountMinor;
  }
  payment.phone = phone;
  move(book, payment, 'reserved');
  expireAfter(book, payment, book.world.policy.reservationMs);
  tell(book, payment, 'payment.reserved');
  return true;
}

export function reject(book: Book, payment: Payment): void {
  checkInitiated(payment);
  move(book, payment, 'cancelledByUser');
  tell(book, payment, 'payment.cancelled_by_user');
}

/** Where the app sends the user when it is done ("Return link gets query `status`"). */
export function returnUri({ redirectUri }: Payment, status: 'successful' | 'failed' | 'rejected'): string {
  const uri = new URL(redirectUri);
  uri.searchParams.set('status', status);
  return uri.href;
}
