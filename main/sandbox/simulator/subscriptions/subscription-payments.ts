/**
 * Subscription payments and their changes of status (interface document 1, "Subscription payment").
 */
import { z } from 'zod';
import {
  daysBetween,
  PaymentRequest,
  paymentKey,
  PlainPaymentRequest,
} from '../../../wallets/v10/subscriptions/subscription-payments.ts';
import { maxPaymentMinor, mayPayBySubscription } from '../limits.ts';
import { ServiceError } from '../service-error.ts';
import type {
  Provider,
  SimulatedAgreement,
  SimulatedSubscriptionPayment,
} from './subscription-model.ts';
import { type SubscriptionRegistry, record, today } from './subscription-registry.ts';
import type { Reason } from './subscription-callbacks.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const announcedFromMs = (3 * 60 + 15) * minuteMs;

const because = (code: number, text: string | null): Reason => ({ code, text });
const executed = because(0, '');
const failed = because(50_000, '');
const rejectedByUser = because(50_001, 'Rejected by user.');
const declinedByMerchant = because(50_002, 'Declined by merchant.');
const agreementCanceled = because(50_005, 'Declined by system: Agreement was canceled.');

/**
 * Accepts every payment whose fields are valid, and declines those that cannot be taken right
 * after.
 */
export function requestPayments(
  registry: SubscriptionRegistry,
  provider: Provider,
  items: readonly unknown[],
) {
  const payments: SimulatedSubscriptionPayment[] = [];
  const rejected: { external_id: string | null; error_description: string }[] = [];
  const schema = registry.world.rules < 3 ? PlainPaymentRequest : PaymentRequest;
  for (const item of items) {
    const parsed = schema.safeParse(item);
    if (parsed.success) payments.push(newPayment(registry, provider, parsed.data));
    else
      rejected.push({
        external_id: externalIdOf(item),
        error_description: messageOf(parsed.error),
      });
  }
  const declined: { payment: SimulatedSubscriptionPayment; reason: Reason }[] = [];
  for (const payment of payments) {
    const reason = reasonToDecline(registry, payment);
    if (reason === null) schedule(registry, payment);
    else {
      payment.status = 'Declined';
      declined.push({ payment, reason });
    }
  }
  registry.callbacks.payments(declined);
  return { payments, rejected };
}

function newPayment(
  registry: SubscriptionRegistry,
  provider: Provider,
  request: PaymentRequest,
): SimulatedSubscriptionPayment {
  const { ids } = registry.world;
  const agreementId = request.agreement_id.toLowerCase();
  const stored = registry.agreements.get(agreementId);
  const agreement = stored?.provider === provider ? stored : null;
  const payment: SimulatedSubscriptionPayment = {
    type: 'Regular',
    paymentId: ids.uuid(),
    provider,
    agreementId,
    agreement,
    currency: agreement?.currency ?? provider.merchant.currency,
    externalId: request.external_id,
    description: request.description,
    transactionId: ids.uuid(),
    dueDate: request.due_date,
    gracePeriodDays: request.grace_period_days ?? 1,
    amountMinor: request.amount,
    status: 'Pending',
    paidAtMs: null,
    refundedMinor: 0,
    refunds: [],
    attachment: null,
  };
  registry.payments.set(payment.paymentId, payment);
  agreement?.payments.push(payment);
  return payment;
}

const keyOf = ({ agreementId, dueDate, externalId }: SimulatedSubscriptionPayment): string =>
  paymentKey({ agreement_id: agreementId, due_date: dueDate, external_id: externalId });

/** The documented reasons of the rows "request received", in the order of their checks. */
function reasonToDecline(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): Reason | null {
  const { agreement } = payment;
  const { latestDueDateDays } = registry.world.profile.limits;
  if (agreement === null) return because(50_010, 'Agreement does not exist.');
  if (agreement.status !== 'Accepted')
    return because(50_003, 'Declined by system: Agreement is not Active state.');
  const days = daysBetween(today(registry), payment.dueDate);
  if (days < 1)
    return because(50_011, 'Due date of the payment must be at least 1 day in the future.');
  if (days > latestDueDateDays)
    return because(
      50_012,
      `Due date must be no more than ${latestDueDateDays} days in the future.`,
    );
  if (registry.pendingByKey.has(keyOf(payment)))
    return because(50_004, 'Declined by system: Another payment is already due.');
  if (registry.blockedUsers.has(agreement.phoneNumber ?? ''))
    return because(50_009, 'Declined due to user status.');
  // No code is documented for a higher amount.
  if (payment.amountMinor > maxPaymentMinor[payment.currency])
    return because(50_006, 'Declined by system.');
  return null;
}

function schedule(
  { pending, pendingByKey }: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): void {
  pendingByKey.set(keyOf(payment), payment);
  const sameDay = pending.get(payment.dueDate);
  if (sameDay === undefined) pending.set(payment.dueDate, new Set([payment]));
  else sameDay.add(payment);
}

function end(
  { pending, pendingByKey }: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
  status: SimulatedSubscriptionPayment['status'],
): void {
  payment.status = status;
  pendingByKey.delete(keyOf(payment));
  const sameDay = pending.get(payment.dueDate);
  sameDay?.delete(payment);
  if (sameDay?.size === 0) pending.delete(payment.dueDate);
}

/** Why a payment cannot be taken now; null when it can. */
function obstacle(
  { world }: SubscriptionRegistry,
  { agreement, amountMinor }: SimulatedSubscriptionPayment,
): string | null {
  if (agreement?.status !== 'Accepted') return 'The agreement is not active';
  const user = world.phoneByNumber(agreement.phoneNumber ?? '');
  if (user.balanceMinor < amountMinor) return 'The card of the user cannot pay so much';
  return mayPayBySubscription(world, user, amountMinor) ? null : 'The user has reached the limit';
}

/**
 * Makes the payment `Suspended` when the attempt fails. @returns null when it is still to be taken
 */
export function tryToExecute(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): Reason | null {
  if (obstacle(registry, payment) === null) return execute(registry, payment);
  if (registry.world.rules >= 2) payment.status = 'Suspended';
  return null;
}

/**
 * "The payment could not be processed and can be completed manually" (document 1, "Subscription
 * payment request", rule 4).
 */
export function payByHand(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): void {
  if (payment.status !== 'Suspended')
    throw new ServiceError(412, null, `A payment that is ${payment.status} cannot be paid by hand`);
  const why = obstacle(registry, payment);
  if (why !== null) throw new ServiceError(412, null, why);
  announce(registry, [{ payment, reason: execute(registry, payment) }]);
}

function execute(registry: SubscriptionRegistry, payment: SimulatedSubscriptionPayment): Reason {
  const { world } = registry;
  const user = world.phoneByNumber(payment.agreement?.phoneNumber ?? '');
  user.balanceMinor -= payment.amountMinor;
  world.spending.add(user.phoneNumber, world.at(), payment.amountMinor);
  end(registry, payment, 'Executed');
  payment.paidAtMs = registry.world.clock.monotonicMs();
  record(registry, 'Payment', payment, payment.amountMinor, payment.externalId);
  return executed;
}

/** Announces payments that were taken or failed by callback, "after 03:15 on the due date". */
export function announce(
  { callbacks, world }: SubscriptionRegistry,
  ended: readonly { payment: SimulatedSubscriptionPayment; reason: Reason }[],
): void {
  const waitMs = announcedFromMs - (world.clock.wallMs() % dayMs);
  if (ended.length > 0 && waitMs > 0) world.clock.after(waitMs, () => callbacks.payments(ended));
  else callbacks.payments(ended);
}

export function fail(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): Reason {
  end(registry, payment, 'Failed');
  return failed;
}

/**
 * The status of a refusal: 400 for the merchant (document 1, "Endpoints", rows 14 and 15), 409 for
 * the user in the sandbox.
 */
type Refusal = 400 | 409;

function mustBePending({ status }: SimulatedSubscriptionPayment, refusal: Refusal): void {
  if (status !== 'Pending')
    throw new ServiceError(refusal, null, `A payment that is ${status} cannot be changed any more`);
}

/**
 * "During the 1-day period it is shown in the activity list" (document 1, "Subscription payment"):
 * the day before its due date.
 */
export const isShown = (
  registry: SubscriptionRegistry,
  { status, dueDate }: SimulatedSubscriptionPayment,
): boolean =>
  status === 'Pending' && (registry.world.rules < 2 || daysBetween(today(registry), dueDate) === 1);

function mustBeShown(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
  what: 'rejected' | 'declined',
): void {
  const refusal = what === 'declined' ? 400 : 409;
  mustBePending(payment, refusal);
  if (isShown(registry, payment)) return;
  throw new ServiceError(
    refusal,
    null,
    `A payment that is due on ${payment.dueDate} can be ${what} on the day before alone`,
  );
}

/** Declining twice changes nothing. */
export function declineByMerchant(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): void {
  if (payment.status === 'Declined') return;
  mustBeShown(registry, payment, 'declined');
  end(registry, payment, 'Declined');
  registry.callbacks.payments([{ payment, reason: declinedByMerchant }]);
}

export function rejectByUser(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment,
): void {
  mustBeShown(registry, payment, 'rejected');
  end(registry, payment, 'Rejected');
  registry.callbacks.payments([{ payment, reason: rejectedByUser }]);
}

export function lowerAmount(payment: SimulatedSubscriptionPayment, amountMinor: number): void {
  mustBePending(payment, 400);
  if (amountMinor >= payment.amountMinor)
    throw new ServiceError(400, null, 'amount: must be less than the pending amount');
  payment.amountMinor = amountMinor;
}

/**
 * Ends the pending payments of an agreement on any day: the document limits this to the day before
 * the due date, and does not say what becomes of the other payments. When the user cancelled, reads
 * have Rejected and the callback has Declined (document 1, row 50005). A Suspended payment can only
 * be executed or fail, so it fails after its last attempt.
 */
export function endWithAgreement(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
  by: 'user' | 'merchant' | 'system',
): void {
  const payments = agreement.payments.filter(({ status }) => status === 'Pending');
  for (const payment of payments) end(registry, payment, by === 'user' ? 'Rejected' : 'Declined');
  registry.callbacks.payments(
    payments.map((payment) => ({ payment, reason: { ...agreementCanceled, status: 'Declined' } })),
  );
}

function externalIdOf(item: unknown): string | null {
  const read = z.object({ external_id: z.string() }).safeParse(item);
  return read.success ? read.data.external_id : null;
}

function messageOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => `${path.join('.') || 'payment'}: ${message}`)
    .join('; ');
}
