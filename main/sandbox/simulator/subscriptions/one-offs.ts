/**
 * One-off payments and their changes of status (interface document 1, "One-off payment"; document
 * 4, section 3.3).
 */
import type { OperationBody } from '../../../wallets/http/operation.ts';
import { defaultExpirationMinutes } from '../../../wallets/v10/subscriptions/one-offs.ts';
import type { requestOneOff as requestOperation } from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';
import { maxPaymentMinor } from '../limits.ts';
import type { Phone } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import type { SimulatedAgreement, SimulatedOneOff } from './subscription-model.ts';
import { type SubscriptionRegistry, record, today } from './subscription-registry.ts';
import type { Reason } from './subscription-callbacks.ts';

const minuteMs = 60_000;
/** 6 days 23 hours 45 minutes. */
const reservationMs = ((6 * 24 + 23) * 60 + 45) * minuteMs;

/** The spelling is the documented one. */
const reservedReason: Reason = { code: 0, text: 'Payment succesfully reserved' };
const rejectedReason: Reason = { code: 50_001, text: 'Rejected by user' };
const expiredReason: Reason = { code: 50_008, text: 'Expired by system' };
const notReservedReason: Reason = {
  code: 50_013,
  text: 'Automatic reservation failed. User action is needed.',
};

type Terms = Pick<
  OperationBody<typeof requestOperation>,
  'amount' | 'external_id' | 'expiration_timeout_minutes'
> & {
  links?: OperationBody<typeof requestOperation>['links'];
  attachment_details?: OperationBody<typeof requestOperation>['attachment_details'];
  description?: string | null | undefined;
};

/** No status is documented for a higher amount. @throws ServiceError 400 */
export function checkOneOffAmount(
  { world }: SubscriptionRegistry,
  currency: SimulatedOneOff['currency'],
  amountMinor: number,
): void {
  const maxMinor = maxPaymentMinor[currency];
  if (world.rules >= 3 && amountMinor > maxMinor)
    throw new ServiceError(400, null, `amount: must be at most ${maxMinor / 100} ${currency}`);
}

/** Where the user goes on after a decision; null when nothing is named. */
export const redirectOf = ({ links, agreement }: SimulatedOneOff): string | null =>
  links.get('user-redirect') ?? agreement.links.get('user-redirect') ?? null;

/** Tells the provider's address at once, and the one-off payment's own link. */
function tell(
  registry: SubscriptionRegistry,
  oneOff: SimulatedOneOff,
  reason: Reason,
  rel: 'success-callback' | 'cancel-callback',
): void {
  registry.callbacks.oneOff(oneOff, reason);
  tellLink(registry, oneOff, reason, rel);
}

function tellLink(
  { callbacks, world }: SubscriptionRegistry,
  oneOff: SimulatedOneOff,
  reason: Reason,
  rel: 'success-callback' | 'cancel-callback',
): void {
  const url = oneOff.links.get(rel);
  if (world.rules >= 3 && url !== undefined) callbacks.oneOffLink(oneOff, url, reason);
}

/** The one-off payment waits for the user until it expires. */
export function addOneOff(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
  terms: Terms,
): SimulatedOneOff {
  const { clock, ids } = registry.world;
  const expirationTimeoutMinutes = terms.expiration_timeout_minutes ?? defaultExpirationMinutes;
  const oneOff: SimulatedOneOff = {
    type: 'OneOff',
    paymentId: ids.uuid(),
    provider: agreement.provider,
    agreementId: agreement.agreementId,
    agreement,
    links: new Map(terms.links?.map(({ rel, href }) => [rel, href])),
    currency: agreement.currency,
    externalId: terms.external_id,
    description: terms.description ?? null,
    transactionId: ids.uuid(),
    requestedOn: today(registry),
    expirationTimeoutMinutes,
    amountMinor: terms.amount,
    status: 'Requested',
    userSentTo: null,
    expiry: clock.after(expirationTimeoutMinutes * minuteMs, () => expire(registry, oneOff)),
    paidAtMs: null,
    refundedMinor: 0,
    refunds: [],
    attachment:
      terms.attachment_details == null ? null : { attachment_details: terms.attachment_details },
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
  if (agreement.status !== 'Accepted')
    throw new ServiceError(412, null, 'The agreement is not active');
  checkOneOffAmount(registry, agreement.currency, terms.amount);
  const oneOff = addOneOff(registry, agreement, terms);
  if (terms.auto_reserve === true && !reserve(registry, oneOff))
    registry.callbacks.oneOff(oneOff, notReservedReason);
  return oneOff;
}

const userOf = (registry: SubscriptionRegistry, { agreement }: SimulatedOneOff): Phone =>
  registry.world.phoneByNumber(agreement.phoneNumber ?? '');

/** @returns false when the balance of the user's card is too low */
export function reserve(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): boolean {
  const user = userOf(registry, oneOff);
  if (user.balanceMinor < oneOff.amountMinor) return false;
  user.balanceMinor -= oneOff.amountMinor;
  move(oneOff, 'Reserved');
  oneOff.expiry = registry.world.clock.after(reservationMs, () => expire(registry, oneOff));
  tell(registry, oneOff, reservedReason, 'success-callback');
  return true;
}

/** The user accepts the payment in the app. @throws ServiceError 409 */
export function acceptOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  mustBeRequested(oneOff);
  if (oneOff.agreement.status !== 'Accepted')
    throw new ServiceError(409, null, 'It is accepted together with its agreement');
  if (!reserve(registry, oneOff))
    throw new ServiceError(409, null, 'The card of the user cannot pay so much');
  oneOff.userSentTo = redirectOf(oneOff);
}

export function rejectOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  mustBeRequested(oneOff);
  const page = oneOff.links.get('cancel-redirect');
  if (registry.world.rules >= 3 && page !== undefined)
    throw new ServiceError(409, null, `It is rejected on the page of the merchant: ${page}`);
  move(oneOff, 'Rejected');
  tell(registry, oneOff, rejectedReason, 'cancel-callback');
  oneOff.userSentTo = redirectOf(oneOff);
}

/** "Captured only once and never above the authorised amount." */
export function captureOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status !== 'Reserved')
    throw new ServiceError(
      409,
      null,
      `A one-off payment that is ${oneOff.status} cannot be captured`,
    );
  move(oneOff, 'Captured');
  oneOff.paidAtMs = registry.world.clock.monotonicMs();
  record(registry, 'Payment', oneOff, oneOff.amountMinor, oneOff.externalId);
}

/** Cancelling twice changes nothing. */
export function cancelOneOff(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status === 'Canceled') return;
  if (oneOff.status !== 'Requested' && oneOff.status !== 'Reserved')
    throw new ServiceError(
      400,
      null,
      `A one-off payment that is ${oneOff.status} cannot be cancelled`,
    );
  release(registry, oneOff);
  move(oneOff, 'Canceled');
}

export function expire(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  release(registry, oneOff);
  move(oneOff, 'Expired');
  registry.callbacks.payments([{ payment: oneOff, reason: expiredReason }]);
  tellLink(registry, oneOff, expiredReason, 'cancel-callback');
}

function release(registry: SubscriptionRegistry, oneOff: SimulatedOneOff): void {
  if (oneOff.status === 'Reserved') userOf(registry, oneOff).balanceMinor += oneOff.amountMinor;
}

function mustBeRequested({ status }: SimulatedOneOff): void {
  if (status !== 'Requested')
    throw new ServiceError(409, null, `A one-off payment that is ${status} cannot be decided on`);
}

function move(oneOff: SimulatedOneOff, status: SimulatedOneOff['status']): void {
  oneOff.expiry();
  oneOff.status = status;
}
