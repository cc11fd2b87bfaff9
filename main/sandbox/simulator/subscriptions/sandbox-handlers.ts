/** The users of the app, as the sandbox lets merchants play them (document 4, section 3.1). */
import * as op from '../../../wallet/v10/subscriptions/sandbox-operations.ts';
import { type Handler, handler } from '../face.ts';
import { type Merchant, ServiceError } from '../world.ts';
import { acceptAgreement, cancelByUser, rejectAgreement } from './agreements.ts';
import type { Book, Provider } from './book.ts';
import { acceptOneOff, rejectOneOff } from './one-offs.ts';
import { rejectByUser } from './payments.ts';

/** A merchant, and the user who is being played, where the request says so. */
export interface Player {
  readonly merchant: Merchant;
  readonly phoneNumber: string | null;
}

const playerHandler = handler<Player>();

export function subscriptionSandboxHandlers(book: Book): Handler[] {
  return [
    playerHandler(op.simulateAgreementDecision, ({ caller, path, body }) => {
      const agreement = ownThing(book.agreements.get(path.agreementId), caller);
      if (body.status === 'Accepted') acceptAgreement(book, agreement, caller.phoneNumber);
      else rejectAgreement(book, agreement);
    }),
    playerHandler(op.simulateAgreementCancellation, ({ caller, path }) => cancelByUser(book, ownThing(book.agreements.get(path.agreementId), caller))),
    playerHandler(op.simulateOneOffDecision, ({ caller, path, body }) => {
      const oneOff = ownThing(book.oneOffs.get(path.paymentId), caller);
      if (oneOff.agreementId !== path.agreementId) throw new ServiceError(404, null, '');
      if (body[0]?.value === 'Accepted') acceptOneOff(book, oneOff);
      else rejectOneOff(book, oneOff);
    }),
    playerHandler(op.simulatePaymentRejection, ({ caller, path }) => rejectByUser(book, ownThing(book.payments.get(path.paymentId), caller))),
  ];
}

function ownThing<Thing extends { provider: Provider }>(thing: Thing | undefined, { merchant }: Player): Thing {
  if (thing?.provider.merchant !== merchant) throw new ServiceError(404, null, '');
  return thing;
}
