/** Agreements and their changes of state (interface document 1, "Agreement"). */
import type { OperationBody } from '../../../wallets/http/operation.ts';
import type {
  createAgreement as createOperation,
  updateAgreement as updateOperation,
} from '../../../wallets/v10/subscriptions/subscription-agreement-operations.ts';
import { ServiceError } from '../service-error.ts';
import type { Provider, SimulatedAgreement } from './subscription-model.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';
import type { Reason } from './subscription-callbacks.ts';
import {
  addOneOff,
  cancelOneOff,
  checkOneOffAmount,
  expire as expireOneOff,
  rejectOneOff,
  reserve,
} from './one-offs.ts';
import { endWithAgreement } from './subscription-payments.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/**
 * Callbacks call an accepted agreement Active, reads call it Accepted (document 1, "Agreement";
 * document 4, section 3.3).
 */
const accepted: Reason = { code: 0, text: '', status: 'Active' };
const rejected: Reason = { code: 40_000, text: 'Agreement rejected by user' };
const expired: Reason = { code: 40_001, text: 'Pending agreement expired' };
const canceledBy = {
  user: { code: 40_002, text: 'Agreement canceled by user' },
  merchant: { code: 40_003, text: 'Agreement canceled by merchant' },
  system: { code: 40_004, text: 'Agreement canceled by system.' },
} as const satisfies Record<string, Reason>;

export function createAgreement(
  registry: SubscriptionRegistry,
  provider: Provider,
  body: OperationBody<typeof createOperation>,
): SimulatedAgreement {
  const { clock, ids } = registry.world;
  if (body.one_off_payment) checkOneOffAmount(registry, body.currency, body.one_off_payment.amount);
  const agreement: SimulatedAgreement = {
    agreementId: ids.uuid(),
    provider,
    countryCode: body.country_code,
    currency: body.currency,
    expirationTimeoutMinutes: body.expiration_timeout_minutes,
    retentionPeriodHours: body.retention_period_hours ?? 0,
    mobilePhoneNumber: body.mobile_phone_number ?? null,
    // No default is documented for `notifications_on`. Without a choice the app pushes.
    notificationsOn: body.notifications_on ?? true,
    notificationsManaged: body.disable_notification_management !== true,
    amountMinor: body.amount ?? null,
    plan: body.plan,
    description: body.description ?? null,
    nextPaymentDate: body.next_payment_date ?? null,
    frequency: body.frequency ?? 0,
    externalId: body.external_id ?? null,
    links: new Map(body.links.map(({ rel, href }) => [rel, href])),
    status: 'Pending',
    createdAt: now(registry),
    acceptedAt: null,
    acceptedAtMs: 0,
    canceledAt: null,
    phoneNumber: null,
    expiry: clock.after(body.expiration_timeout_minutes * minuteMs, () =>
      expire(registry, agreement),
    ),
    userSentTo: null,
    oneOff: null,
    payments: [],
    oneOffs: [],
  };
  registry.agreements.set(agreement.agreementId, agreement);
  provider.agreements.push(agreement);
  if (body.one_off_payment) agreement.oneOff = addOneOff(registry, agreement, body.one_off_payment);
  return agreement;
}

export function updateAgreement(
  agreement: SimulatedAgreement,
  replacements: OperationBody<typeof updateOperation>,
): void {
  if (agreement.status !== 'Pending' && agreement.status !== 'Accepted')
    throw new ServiceError(400, null, `An agreement that is ${agreement.status} cannot be updated`);
  for (const replacement of replacements)
    switch (replacement.path) {
      case '/amount':
        agreement.amountMinor = replacement.value;
        break;
      case '/plan':
        agreement.plan = replacement.value;
        break;
      case '/description':
        agreement.description = replacement.value;
        break;
      case '/next_payment_date':
        agreement.nextPaymentDate = replacement.value;
        break;
      case '/frequency':
        agreement.frequency = replacement.value;
        break;
      case '/external_id':
        agreement.externalId = replacement.value;
        break;
      case '/success-callback':
      case '/cancel-callback':
      case '/cancel-redirect':
        agreement.links.set(replacement.path.slice(1), replacement.value);
    }
}

interface Acceptance {
  /** null for the user whom the merchant named, or the first test phone of the country. */
  readonly phoneNumber: string | null;
  /** The user's choice at sign-up; without one that of the merchant holds. */
  readonly notificationsOn?: boolean | undefined;
}

export function acceptAgreement(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
  { phoneNumber, notificationsOn }: Acceptance,
): void {
  mustBePending(agreement);
  const hasNoChoice = registry.world.rules >= 3 && !agreement.notificationsManaged;
  if (hasNoChoice && (notificationsOn ?? agreement.notificationsOn) !== agreement.notificationsOn)
    throw new ServiceError(412, null, 'The user cannot choose the notifications of this agreement');
  const { oneOff } = agreement;
  if (oneOff !== null && oneOff.status !== 'Requested')
    throw new ServiceError(412, null, `Its one-off payment is ${oneOff.status}`);
  agreement.phoneNumber = phoneNumber ?? expectedUser(registry, agreement);
  agreement.status = 'Accepted';
  // "Activated only when the user is successfully charged": the one-off payment of the agreement is
  // reserved first.
  if (oneOff !== null && !reserve(registry, oneOff)) {
    agreement.status = 'Pending';
    agreement.phoneNumber = null;
    throw new ServiceError(412, null, 'The card of the user cannot pay its one-off payment');
  }
  agreement.expiry();
  if (!hasNoChoice) agreement.notificationsOn = notificationsOn ?? agreement.notificationsOn;
  agreement.acceptedAt = now(registry);
  agreement.acceptedAtMs = registry.world.clock.monotonicMs();
  registry.callbacks.agreement(agreement, accepted);
  sendUserOn(agreement);
}

export function rejectAgreement(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
): void {
  mustBePending(agreement);
  agreement.expiry();
  agreement.status = 'Rejected';
  registry.callbacks.agreement(agreement, rejected);
  sendUserOn(agreement);
  if (agreement.oneOff?.status === 'Requested') rejectOneOff(registry, agreement.oneOff);
}

/**
 * "In both cases the user is then navigated to the link with rel user-redirect" (document 1,
 * "Agreement", rule 2).
 */
function sendUserOn(agreement: SimulatedAgreement): void {
  agreement.userSentTo = agreement.links.get('user-redirect') ?? null;
}

function expire(registry: SubscriptionRegistry, agreement: SimulatedAgreement): void {
  agreement.status = 'Expired';
  registry.callbacks.agreement(agreement, expired);
  if (agreement.oneOff?.status === 'Requested') expireOneOff(registry, agreement.oneOff);
}

/** Cancelling twice changes nothing. */
export function cancelByMerchant(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
): void {
  if (agreement.status === 'Canceled') return;
  if (agreement.status !== 'Pending') mustBeAccepted(agreement, 412);
  cancel(registry, agreement, 'merchant');
}

/**
 * Refused during the retention period, when the merchant has its own page for it, and while a
 * one-off payment is reserved.
 */
export function cancelByUser(registry: SubscriptionRegistry, agreement: SimulatedAgreement): void {
  mustBeAccepted(agreement, 409);
  if (
    registry.world.clock.monotonicMs() <
    agreement.acceptedAtMs + agreement.retentionPeriodHours * hourMs
  )
    throw new ServiceError(409, null, 'The retention period has not passed');
  const page = agreement.links.get('cancel-redirect');
  if (page !== undefined)
    throw new ServiceError(409, null, `It is cancelled on the page of the merchant: ${page}`);
  if (agreement.oneOffs.some(({ status }) => status === 'Reserved'))
    throw new ServiceError(409, null, 'A one-off payment is reserved');
  cancel(registry, agreement, 'user');
}

/** The user's choice in the agreement's details, which are not shown before it is accepted. */
export function switchNotifications(agreement: SimulatedAgreement, notificationsOn: boolean): void {
  mustBeAccepted(agreement, 409);
  if (!agreement.notificationsManaged)
    throw new ServiceError(409, null, 'The user cannot choose the notifications of this agreement');
  agreement.notificationsOn = notificationsOn;
}

/** Cancels the agreements of a user who was deleted. */
export function cancelAllOf(registry: SubscriptionRegistry, phoneNumber: string): void {
  for (const agreement of registry.agreements.values())
    if (agreement.phoneNumber === phoneNumber && agreement.status === 'Accepted')
      cancel(registry, agreement, 'system');
}

function cancel(
  registry: SubscriptionRegistry,
  agreement: SimulatedAgreement,
  by: 'user' | 'merchant' | 'system',
): void {
  agreement.expiry();
  agreement.status = 'Canceled';
  agreement.canceledAt = now(registry);
  registry.callbacks.agreement(agreement, canceledBy[by]);
  endWithAgreement(registry, agreement, by);
  for (const oneOff of agreement.oneOffs)
    if (oneOff.status === 'Requested' || oneOff.status === 'Reserved')
      cancelOneOff(registry, oneOff);
}

function expectedUser(
  { world }: SubscriptionRegistry,
  { mobilePhoneNumber, countryCode }: SimulatedAgreement,
): string {
  if (mobilePhoneNumber !== null) return `+${mobilePhoneNumber.replace('+', '')}`;
  const prefix = countryCode === 'DK' ? '+45' : '+358';
  return [...world.phones.keys()].find((number) => number.startsWith(prefix)) ?? prefix;
}

function mustBePending({ status }: SimulatedAgreement): void {
  if (status !== 'Pending')
    throw new ServiceError(412, null, `An agreement that is ${status} is not pending`);
}

/** @param refusal the status for the merchant differs from that for the user in the sandbox */
function mustBeAccepted({ status }: SimulatedAgreement, refusal: 409 | 412): void {
  if (status !== 'Accepted')
    throw new ServiceError(refusal, null, `An agreement that is ${status} is not active`);
}

function now({ world }: SubscriptionRegistry): string {
  return new Date(world.clock.wallMs()).toISOString();
}
