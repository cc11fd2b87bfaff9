/**
 * The states of a payment, and the changes that its sales unit and its customer can make (document
 * 5, sections 2.6, 2.8 and 2.9).
 */
import { epaymentCapabilities } from '../../../wallets/epayment/point-of-sale/epayment-capabilities.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import {
  checkDigits,
  digitsOf,
  type Epayments,
  type EventName,
  type SimulatedEpayment,
} from './epayment-registry.ts';
import { announce } from './epayment-webhooks.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
export const openMs = 10 * minuteMs;
/** How long a reservation can be captured; longer in Norway. */
const captureMs = { DKK: 14 * dayMs, EUR: 14 * dayMs, NOK: 180 * dayMs } as const;
const refundMs = epaymentCapabilities.refundDays * dayMs;
/**
 * Amounts of the test environment (document 5, section 6.2): the card is refused, and the customer
 * may pick another one.
 */
const refusedCards: ReadonlySet<number> = new Set([151, 182, 183, 184, 186, 187, 197]);
/** Another such amount: the outcome of the approval is not known for an hour. */
const slowAmount = 201;

const refuse = (code: string, message: string): ServiceError =>
  new ServiceError(400, code, message);

export const reservedMinorOf = ({ state, amountMinor }: SimulatedEpayment): number =>
  state === 'AUTHORIZED' ? amountMinor : 0;
const restMinorOf = (payment: SimulatedEpayment): number =>
  reservedMinorOf(payment) - payment.capturedMinor - payment.cancelledMinor;

interface Happened {
  readonly amountMinor?: number;
  readonly key?: string | null;
  readonly success?: boolean;
}

/** Adds an event to the payment's log, and sends it to the webhooks that are registered for it. */
function note(
  epayments: Epayments,
  payment: SimulatedEpayment,
  name: EventName,
  { amountMinor = payment.amountMinor, key = null, success = true }: Happened = {},
) {
  const { ids } = epayments.world;
  const pspReference = name === 'CREATED' ? payment.pspReference : ids.uuid();
  const event = {
    name,
    pspReference,
    amountMinor,
    at: epayments.world.at(),
    idempotencyKey: key,
    success,
  };
  payment.events.push(event);
  announce(epayments, payment, event);
}

function move(
  epayments: Epayments,
  payment: SimulatedEpayment,
  state: SimulatedEpayment['state'],
  key: string | null = null,
): void {
  payment.state = state;
  payment.isApproving = false;
  payment.cancelTimer();
  note(epayments, payment, state, { key });
}

/** @param forMs how long it can be approved */
export function opened(
  epayments: Epayments,
  payment: SimulatedEpayment,
  key: string,
  forMs: number,
): void {
  note(epayments, payment, 'CREATED', { key });
  payment.cancelTimer = epayments.world.clock.after(forMs, () =>
    move(epayments, payment, 'EXPIRED'),
  );
}

function checkOpen(payment: SimulatedEpayment): void {
  if (payment.state !== 'CREATED')
    throw new ServiceError(
      409,
      null,
      `A payment that is ${payment.state} cannot be approved or refused`,
    );
}

/** @throws ServiceError when the payment is not open, or its request went to another phone */
function checkPhone(payment: SimulatedEpayment, phone: Phone): void {
  checkOpen(payment);
  if (payment.phone !== null && payment.phone.phoneNumber !== phone.phoneNumber)
    throw new ServiceError(409, null, 'The request went to another phone');
}

export function beginApproval(payment: SimulatedEpayment, phone: Phone): void {
  checkPhone(payment, phone);
  payment.phone = phone;
  payment.isApproving = true;
}

/** @returns whether the card was taken; otherwise the customer may pick another one */
export function approve(epayments: Epayments, payment: SimulatedEpayment, phone: Phone): boolean {
  const { clock } = epayments.world;
  const { amountMinor } = payment;
  checkPhone(payment, phone);
  // Only now is it known who scanned the code, and so whether the customer is old enough.
  checkDigits(epayments, digitsOf(phone.phoneNumber), payment.minAge);
  beginApproval(payment, phone);
  if (amountMinor === slowAmount) {
    clock.after(60 * minuteMs, () => {
      if (payment.isApproving) authorize(epayments, payment, phone);
    });
    return false;
  }
  if (refusedCards.has(amountMinor) || amountMinor > phone.balanceMinor) {
    payment.isApproving = false;
    note(epayments, payment, 'AUTHORIZED', { success: false });
    return false;
  }
  authorize(epayments, payment, phone);
  return true;
}

function authorize(epayments: Epayments, payment: SimulatedEpayment, phone: Phone): void {
  phone.balanceMinor -= payment.amountMinor;
  const { clock } = epayments.world;
  payment.authorizedAtMs = clock.monotonicMs();
  move(epayments, payment, 'AUTHORIZED');
  payment.cancelTimer = clock.after(captureMs[payment.currency], () => runOut(epayments, payment));
}

/** The customer's refusal. @throws ServiceError when the payment is not open */
export function reject(epayments: Epayments, payment: SimulatedEpayment): void {
  checkOpen(payment);
  move(epayments, payment, 'ABORTED');
}

function runOut(epayments: Epayments, payment: SimulatedEpayment): void {
  if (restMinorOf(payment) === 0) return;
  payment.hasRunOut = true;
  release(epayments, payment, null);
}

function release(epayments: Epayments, payment: SimulatedEpayment, key: string | null): void {
  const amountMinor = restMinorOf(payment);
  payment.cancelledMinor += amountMinor;
  if (payment.phone !== null) payment.phone.balanceMinor += amountMinor;
  note(epayments, payment, 'CANCELLED', { amountMinor, key });
}

/** To be called before every change. @throws ServiceError 423 while the payment has locks left */
export function unlock(payment: SimulatedEpayment): void {
  if (payment.locks === 0) return;
  payment.locks -= 1;
  throw new ServiceError(423, null, 'The payment is locked');
}

/** @param key idempotency key; null for a change in the portal */
export function cancel(
  epayments: Epayments,
  payment: SimulatedEpayment,
  onlyOpen: boolean,
  key: string | null,
): void {
  const { state, capturedMinor } = payment;
  if (payment.isApproving) throw refuse('6250', 'The customer is approving');
  if (state === 'CREATED') return move(epayments, payment, 'TERMINATED', key);
  if (state !== 'AUTHORIZED')
    throw refuse('6190', `A payment that is ${state} cannot be cancelled`);
  if (onlyOpen) throw refuse('6060', 'The payment is reserved');
  if (restMinorOf(payment) > 0) return release(epayments, payment, key);
  throw capturedMinor > 0
    ? refuse('6040', 'The payment is captured')
    : refuse('6050', 'Nothing is reserved');
}

interface Part {
  readonly amountMinor: number;
  readonly currency: string;
}

function checkCurrency(payment: SimulatedEpayment, { currency }: Part): void {
  if (currency !== payment.currency)
    throw refuse('4040', 'The currency is not that of the payment');
}

export function capture(
  epayments: Epayments,
  payment: SimulatedEpayment,
  part: Part,
  key: string | null,
): void {
  const { state, unit, capturedMinor, cancelledMinor, hasRunOut, captureRefusal } = payment;
  const { amountMinor } = part;
  checkCurrency(payment, part);
  if (state !== 'AUTHORIZED') throw refuse('6080', `A payment that is ${state} cannot be captured`);
  const restMinor = restMinorOf(payment);
  if (restMinor === 0 && capturedMinor > 0) throw refuse('6170', 'The payment is captured already');
  if (restMinor === 0 && cancelledMinor > 0)
    throw hasRunOut
      ? refuse('6100', 'It is too late to capture')
      : refuse('6070', 'The payment is cancelled');
  if (amountMinor > restMinor) throw refuse('6090', 'The amount is above what is left');
  if (amountMinor < restMinor && !unit.mayCaptureParts)
    throw refuse('6140', 'Only the whole amount can be captured');
  if (captureRefusal !== null) throw refuse(captureRefusal, 'The capture failed');
  payment.capturedMinor += amountMinor;
  note(epayments, payment, 'CAPTURED', { amountMinor, key });
}

export function refund(
  epayments: Epayments,
  payment: SimulatedEpayment,
  part: Part,
  key: string | null,
): void {
  const { unit, capturedMinor, refundedMinor, authorizedAtMs, phone } = payment;
  const { amountMinor } = part;
  checkCurrency(payment, part);
  if (!unit.mayRefund) throw refuse('5100', 'The sales unit may not refund');
  if (capturedMinor === 0) throw refuse('6020', 'Nothing is captured');
  if (epayments.world.clock.monotonicMs() - authorizedAtMs > refundMs)
    throw refuse('6220', 'It is too late to refund');
  if (refundedMinor + amountMinor > capturedMinor)
    throw refuse('6150', 'The amount is above what is left');
  payment.refundedMinor += amountMinor;
  if (phone !== null) phone.balanceMinor += amountMinor;
  note(epayments, payment, 'REFUNDED', { amountMinor, key });
}
