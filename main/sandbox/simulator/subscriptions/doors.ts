/** What the owner of a phone can do about subscriptions, and what only a test can. */
import { z } from 'zod';
import { type Door, door } from '../face.ts';
import { ServiceError } from '../world.ts';
import { acceptAgreement, cancelAllOf, cancelByUser, rejectAgreement } from './agreements.ts';
import { allProviders, type Book } from './book.ts';
import { acceptOneOff, rejectOneOff } from './one-offs.ts';
import { rejectByUser } from './payments.ts';

const ByUser = z.strictObject({ agreementId: z.guid(), phoneNumber: z.string().min(1).optional() });
const OfPayment = z.strictObject({ paymentId: z.guid() });
const User = z.strictObject({ phoneNumber: z.string().min(1) });
/** `balanceMinor`: what is there for refunds. */
const ProviderSettings = z.strictObject({
  providerId: z.guid(),
  enabled: z.boolean().optional(),
  instantTransfers: z.boolean().optional(),
  balanceMinor: z.int().min(0).optional(),
});

export function subscriptionDoors(book: Book): Record<string, Door> {
  const { agreements, oneOffs, payments } = book;
  return {
    'subscriptions/accept-agreement': door(ByUser, ({ agreementId, phoneNumber = null }) => acceptAgreement(book, found(agreements, agreementId), phoneNumber)),
    'subscriptions/reject-agreement': door(ByUser, ({ agreementId }) => rejectAgreement(book, found(agreements, agreementId))),
    'subscriptions/cancel-agreement': door(ByUser, ({ agreementId }) => cancelByUser(book, found(agreements, agreementId))),
    'subscriptions/accept-one-off': door(OfPayment, ({ paymentId }) => acceptOneOff(book, found(oneOffs, paymentId))),
    'subscriptions/reject-one-off': door(OfPayment, ({ paymentId }) => rejectOneOff(book, found(oneOffs, paymentId))),
    'subscriptions/reject-payment': door(OfPayment, ({ paymentId }) => rejectByUser(book, found(payments, paymentId))),
    'subscriptions/delete-user': door(User, ({ phoneNumber }) => cancelAllOf(book, phoneNumber)),
    'subscriptions/block-user': door(User, ({ phoneNumber }) => void book.blockedUsers.add(phoneNumber)),
    'subscriptions/unblock-user': door(User, ({ phoneNumber }) => void book.blockedUsers.delete(phoneNumber)),
    'subscriptions/set-provider': door(ProviderSettings, ({ providerId, ...settings }) => {
      const provider = allProviders(book).find((one) => one.providerId === providerId.toLowerCase());
      if (provider === undefined) throw new ServiceError(404, null, 'There is no such provider');
      Object.assign(provider, settings);
    }),
  };
}

function found<Thing>(things: ReadonlyMap<string, Thing>, id: string): Thing {
  const thing = things.get(id.toLowerCase());
  if (thing === undefined) throw new ServiceError(404, null, 'There is nothing of this id');
  return thing;
}
