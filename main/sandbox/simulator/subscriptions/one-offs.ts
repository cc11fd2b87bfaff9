/** One-off payments and their changes of status (interface document 1, "One-off payment"; document 4, section 3.3). */
import type { OperationBody } from '../../../wallet/http/operation.ts';
import { usualExpirationMinutes } from '../../../wallet/v10/subscriptions/one-offs.ts';
import type { requestOneOff as requestOperation } from '../../../wallet/v10/subscriptions/payment-operations.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { SimulatedAgreement, SimulatedOneOff } from './model.ts';
import { type SubscriptionRegistry, record, today } from './registry.ts';
import type { Reason } from './callbacks.ts';

const minuteMs = 60_000;
/** 6 days 23 hours 45 minutes. */
const reservationMs = ((6 * 24 + 23) * 60 + 45) * minuteMs;

/** The spelling is the documented one. */
const reservedReason: Reason = { code: 0, text: 'Payment succesfully reserved' };
const rejectedReason: Reason = { code: 50_001, text: 'Rejected by user' };
const expiredReason: Reason = { code: 50_008, text: 'Expired by system' };
const notReservedReason: Reason = { code: 50_013, text: 'Automatic reservation failed. User action is needed.' };

type Terms = Pick<OperationBody<typeof requestOperation>, 'amount' | 'external_id' | 'expiration_timeout_minutes'> & {
  description?: string | null | undefined;
};

/** The one-off payment waits for the user until it expires. */
export function addOneOff(registry: SubscriptionRegistry, agreement: SimulatedAgreement, terms: Terms): SimulatedOneOff {
  const { clock, ids } = registry.world;
  const expirationTimeoutMinutes = terms.expiration_timeout_minutes ?? usualExpirationMinutes;
  const oneOff: SimulatedOneOff = {
    type: 'OneOff',
    paymentId: ids.uuid(),
    provider: agreement.provider,
    agreementId: agreement.agreementId,
    agreement,
    currency: agreement.currency,
    externalId: terms.external_id,
    description: terms.description ?? null,
    transactionId: ids.uuid(),
    requestedOn: today(registry),
    expirationTimeoutMinutes,
    amountMinor: terms.amount,
    status: 'Requested',
    expiry: clock.after(expirationTimeoutMinutes * minuteMs, () => expire(registry, oneOff)),
    paidAtMs: null,
    refundedMinor: 0,
    refunds: [],
    attachment: null,
  };
  registry.oneOffs.set(oneOff.paymentId, oneOff);
  agreement.oneOffs.push(oneOff);
  return oneOff;
}

export function requestOneOff(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
  terms: Terms & { auto_reserve?: boolean | undefined },
): SimulatedOneOff {
  if (!agreement.provider.enabled) throw new ServiceError(412, null, 'The provider is not enabled');
  if (agreement.status !== 'Accepted') throw new ServiceError(412, null, 'The agreement is not active');
  const oneOff = addOneOff(registry, agreement, terms);
  if (terms.auto_reserve === true && !reserve(registry, oneOff)) registry.callbacks.oneOff(oneOff, notReservedReason);
  return oneOff;
}

const userOf = (registry: SubscriptionRegistry, { agreement }: SimulatedOneOff): Phone => registry.world.phoneByNumber(agreement.phoneNumber ?? '');

/** @returns false when the balance of the user's card is too low */
export function reserve(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): boolean {
  const user = userOf(registry, oneOff);
  if (user.balanceMinor < oneOff.amountMinor) return false;
  user.balanceMinor -= oneOff.amountMinor;
  move(oneOff, 'Reserved');
  oneOff.expiry = registry.world.clock.after(reservationMs, () => expire(registry, oneOff));
  registry.callbacks.oneOff(oneOff, reservedReason);
  return true;
}

/** The user accepts the payment in the app. @throws ServiceError 409 */
export function acceptOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  mustBeRequested(oneOff);
  if (oneOff.agreement.status !== 'Accepted') throw new ServiceError(409, null, 'It is accepted together with its agreement');
  if (!reserve(registry, oneOff)) throw new ServiceError(409, null, 'The card of the user cannot pay so much');
}

export function rejectOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  mustBeRequested(oneOff);
  move(oneOff, 'Rejected');
  registry.callbacks.oneOff(oneOff, rejectedReason);
}

/** "Captured only once and never above the authorised amount." */
export function captureOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status !== 'Reserved') throw new ServiceError(409, null, `A one-off payment that is ${oneOff.status} cannot be captured`);
  move(oneOff, 'Captured');
  oneOff.paidAtMs = registry.world.clock.monotonicMs();
  record(registry, 'Payment', oneOff, oneOff.amountMinor, oneOff.externalId);
}

/** A cancelled one-off payment stays as it is. */
export function cancelOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status === 'Canceled') return;
  if (oneOff.status !== 'Requested' && oneOff.status !== 'Reserved')
    throw new ServiceError(409, null, `A one-off payment that is ${oneOff.status} cannot be cancelled`);
  release(registry, oneOff);
  move(oneOff, 'Canceled');
}

export function expire(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  release(registry, oneOff);
  move(oneOff, 'Expired');
  registry.callbacks.payments([{ payment: oneOff, reason: expiredReason }]);
}

function release(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status === 'Reserved') userOf(registry, oneOff).balanceMinor += oneOff.amountMinor;
}

function mustBeRequested({ status }: SimulatedOneOff): void {
  if (status !== 'Requested') throw new ServiceError(409, null, `A one-off payment that is ${status} cannot be decided on`);
}

function move(oneOff: SimulatedOneOff, status: SimulatedOneOff['status']): void {
  oneOff.expiry();
  oneOff.status = status;
}
