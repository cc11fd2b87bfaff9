/**
 * Test endpoints of subscriptions: actions of a phone's owner, and those that only a test can do.
 */
import { z } from 'zod';
import { type TestEndpoint, testEndpoint } from '../api-module.ts';
import { limitsOf } from '../phone.ts';
import { ServiceError } from '../service-error.ts';
import {
  acceptAgreement,
  cancelAllOf,
  cancelByUser,
  rejectAgreement,
  switchNotifications,
} from './agreements.ts';
import { allProviders, type SubscriptionRegistry } from './subscription-registry.ts';
import { acceptOneOff, rejectOneOff } from './one-offs.ts';
import { payByHand, rejectByUser } from './subscription-payments.ts';

const ByUser = z.strictObject({ agreementId: z.guid(), phoneNumber: z.string().min(1).optional() });
const Acceptance = ByUser.extend({ notificationsOn: z.boolean().optional() });
const OfPayment = z.strictObject({ paymentId: z.guid() });
const ByHand = OfPayment.describe('The user pays a suspended payment by hand, on a day of grace.');
const Rejected = OfPayment.describe(
  'The user rejects a pending payment, on the day before its due date.',
);
const Notifications = z
  .strictObject({ agreementId: z.guid(), notificationsOn: z.boolean() })
  .describe(
    'The user switches the notifications of an agreement on or off, where the agreement lets them.',
  );
const User = z.strictObject({ phoneNumber: z.string().min(1) });
const OrNone = z.int().min(0).nullable().optional();
/** `identifiedBy` is applied before the limits. */
const UserSettings = z
  .strictObject({
    phoneNumber: z.string().min(1),
    balanceMinor: OrNone.describe(
      'What the card can still pay, at all interfaces. null: whatever is asked.',
    ),
    identifiedBy: z
      .enum(['identity', 'registrationNumber'])
      .optional()
      .describe(
        'Sets both limits to the documented ones: of a national digital identity or a photo, or of a civil registration number alone.',
      ),
    dayLimitMinor: OrNone.describe(
      'What may be paid on a day, in stores, by subscriptions and in the app. null: no limit.',
    ),
    monthLimitMinor: OrNone.describe(
      'What may be paid in a month by subscriptions. null: no limit.',
    ),
    yearLimitMinor: OrNone.describe(
      'What may be paid in a year before an app payment is refused. null: no limit.',
    ),
    appVersion: z
      .string()
      .regex(/^\d+\.\d+\.\d+$/)
      .optional()
      .describe(
        'Version of the app. Before 5.0.0 it pushes also what an agreement has switched off.',
      ),
  })
  .describe('Sets what a user can pay. What is left out stays.');
/** `balanceMinor` is the balance for refunds, in minor units. */
const ProviderSettings = z.strictObject({
  providerId: z.guid(),
  enabled: z.boolean().optional(),
  instantTransfers: z.boolean().optional(),
  balanceMinor: z.int().min(0).optional(),
});

export function subscriptionTestEndpoints(
  registry: SubscriptionRegistry,
): Record<string, TestEndpoint> {
  const { agreements, oneOffs, payments } = registry;
  return {
    'subscriptions/accept-agreement': testEndpoint(
      Acceptance,
      ({ agreementId, phoneNumber = null, notificationsOn }) =>
        decided(required(agreements, agreementId), (agreement) =>
          acceptAgreement(registry, agreement, { phoneNumber, notificationsOn }),
        ),
    ),
    'subscriptions/reject-agreement': testEndpoint(ByUser, ({ agreementId }) =>
      decided(required(agreements, agreementId), (agreement) =>
        rejectAgreement(registry, agreement),
      ),
    ),
    'subscriptions/cancel-agreement': testEndpoint(ByUser, ({ agreementId }) =>
      cancelByUser(registry, required(agreements, agreementId)),
    ),
    'subscriptions/set-notifications': testEndpoint(
      Notifications,
      ({ agreementId, notificationsOn }) =>
        switchNotifications(required(agreements, agreementId), notificationsOn),
    ),
    'subscriptions/accept-one-off': testEndpoint(OfPayment, ({ paymentId }) =>
      decided(required(oneOffs, paymentId), (oneOff) => acceptOneOff(registry, oneOff)),
    ),
    'subscriptions/reject-one-off': testEndpoint(OfPayment, ({ paymentId }) =>
      decided(required(oneOffs, paymentId), (oneOff) => rejectOneOff(registry, oneOff)),
    ),
    'subscriptions/reject-payment': testEndpoint(Rejected, ({ paymentId }) =>
      rejectByUser(registry, required(payments, paymentId)),
    ),
    'subscriptions/pay-by-hand': testEndpoint(ByHand, ({ paymentId }) =>
      payByHand(registry, required(payments, paymentId)),
    ),
    'subscriptions/set-user': testEndpoint(UserSettings, (settings) => setUser(registry, settings)),
    'subscriptions/delete-user': testEndpoint(User, ({ phoneNumber }) =>
      cancelAllOf(registry, phoneNumber),
    ),
    'subscriptions/block-user': testEndpoint(
      User,
      ({ phoneNumber }) => void registry.blockedUsers.add(phoneNumber),
    ),
    'subscriptions/unblock-user': testEndpoint(
      User,
      ({ phoneNumber }) => void registry.blockedUsers.delete(phoneNumber),
    ),
    'subscriptions/set-provider': testEndpoint(ProviderSettings, ({ providerId, ...settings }) => {
      const provider = allProviders(registry).find(
        (one) => one.providerId === providerId.toLowerCase(),
      );
      if (provider === undefined) throw new ServiceError(404, null, 'There is no such provider');
      Object.assign(provider, settings);
    }),
  };
}

/** @returns where the user goes on */
function decided<Thing extends { userSentTo: string | null }>(
  thing: Thing,
  decide: (thing: Thing) => void,
): { redirectUri: string | null } {
  decide(thing);
  return { redirectUri: thing.userSentTo };
}

/** Changes the user in place, because payments refer to their phone. */
function setUser(
  { world }: SubscriptionRegistry,
  { phoneNumber, identifiedBy, appVersion, ...amounts }: z.infer<typeof UserSettings>,
): void {
  const phone = world.phones.get(phoneNumber) ?? world.addPhone({ phoneNumber });
  if (identifiedBy !== undefined) Object.assign(phone, limitsOf[identifiedBy]);
  if (appVersion !== undefined) phone.appVersion = appVersion;
  for (const name of [
    'balanceMinor',
    'dayLimitMinor',
    'monthLimitMinor',
    'yearLimitMinor',
  ] as const) {
    const amountMinor = amounts[name];
    if (amountMinor !== undefined) phone[name] = amountMinor ?? Number.POSITIVE_INFINITY;
  }
}

function required<Thing>(things: ReadonlyMap<string, Thing>, id: string): Thing {
  const thing = things.get(id.toLowerCase());
  if (thing === undefined) throw new ServiceError(404, null, 'There is nothing of this id');
  return thing;
}
