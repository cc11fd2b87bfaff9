/**
 * The sandbox operations, by which merchants trigger the actions of users (document 4, section
 * 3.1).
 */
import * as op from '../../../wallets/v10/subscriptions/subscription-sandbox-operations.ts';
import { type Handler, handler } from '../api-module.ts';
import type { Merchant } from '../merchant.ts';
import { ServiceError } from '../service-error.ts';
import { acceptAgreement, cancelByUser, rejectAgreement } from './agreements.ts';
import type { Provider } from './subscription-model.ts';
import type { SubscriptionRegistry } from './subscription-registry.ts';
import { acceptOneOff, rejectOneOff } from './one-offs.ts';
import { rejectByUser } from './subscription-payments.ts';

/** The merchant, and the user on whose behalf the request acts, if it names one. */
export interface SandboxUser {
  readonly merchant: Merchant;
  readonly phoneNumber: string | null;
}

const sandboxHandler = handler<SandboxUser>();

export function subscriptionSandboxHandlers(registry: SubscriptionRegistry): Handler[] {
  return [
    sandboxHandler(op.simulateAgreementDecision, ({ caller, path, body }) => {
      const agreement = ownThing(registry.agreements.get(path.agreementId), caller);
      if (body.status === 'Accepted')
        acceptAgreement(registry, agreement, {
          phoneNumber: caller.phoneNumber,
          notificationsOn: body.notifications_on,
        });
      else rejectAgreement(registry, agreement);
    }),
    sandboxHandler(op.simulateAgreementCancellation, ({ caller, path }) =>
      cancelByUser(registry, ownThing(registry.agreements.get(path.agreementId), caller)),
    ),
    sandboxHandler(op.simulateOneOffDecision, ({ caller, path, body }) => {
      const oneOff = ownThing(registry.oneOffs.get(path.paymentId), caller);
      if (oneOff.agreementId !== path.agreementId) throw new ServiceError(404, null, '');
      if (body[0]?.value === 'Accepted') acceptOneOff(registry, oneOff);
      else rejectOneOff(registry, oneOff);
    }),
    sandboxHandler(op.simulatePaymentRejection, ({ caller, path }) =>
      rejectByUser(registry, ownThing(registry.payments.get(path.paymentId), caller)),
    ),
  ];
}

function ownThing<Thing extends { provider: Provider }>(
  thing: Thing | undefined,
  { merchant }: SandboxUser,
): Thing {
  if (thing?.provider.merchant !== merchant) throw new ServiceError(404, null, '');
  return thing;
}
