/**
 * The answer to each outcome and each refusal. `ErrorCondition` as Nexo defines its values (Adyen's
 * adyen-java-api-library, `ErrorConditionType`).
 */
import type {
  MoneyKnown,
  NotPaidReason,
  NotRefundedReason,
  RefundTicket,
} from '../../core/domain/sale.ts';
import { refundDaysOf } from '../../core/settlement/capabilities.ts';
import type {
  ClosingAnswer,
  RefundAnswerWithId,
  PaymentAnswerWithId,
} from '../../core/lane/till-port.ts';

export type ErrorCondition =
  | 'Aborted'
  | 'Busy'
  | 'Cancel'
  | 'InProgress'
  | 'MessageFormat'
  | 'NotAllowed'
  | 'NotFound'
  | 'Refusal'
  | 'UnavailableDevice'
  | 'UnavailableService'
  | 'UnreachableHost';

export interface Response {
  readonly Result: 'Success' | 'Partial' | 'Failure';
  readonly ErrorCondition?: ErrorCondition;
  /** Form-encoded. */
  readonly AdditionalResponse?: string;
}

/** Why a request is refused, or has failed. */
export interface NexoRefusal {
  readonly condition: ErrorCondition;
  readonly message: string;
}

export const success = (facts: Readonly<Record<string, string | number>> = {}): Response => ({
  Result: 'Success',
  ...(Object.keys(facts).length > 0 && { AdditionalResponse: formEncoded(facts) }),
});

export const failure = (
  { condition, message }: NexoRefusal,
  facts: Readonly<Record<string, string | number>> = {},
): Response => ({
  Result: 'Failure',
  ErrorCondition: condition,
  AdditionalResponse: formEncoded({ message, ...facts }),
});

/** Spaces as %20 and not as a plus sign, because some tills show the text undecoded. */
export const formEncoded = (said: Readonly<Record<string, string | number>>): string =>
  Object.entries(said)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value).toWellFormed())}`)
    .join('&');

export const malformed = (message: string): NexoRefusal => ({
  condition: 'MessageFormat',
  message,
});
export const notFound = (message: string): NexoRefusal => ({ condition: 'NotFound', message });
export const notOffered = (message: string): NexoRefusal => ({
  condition: 'UnavailableService',
  message,
});

export const inProgress: NexoRefusal = {
  condition: 'InProgress',
  message: 'It is not decided yet. Ask again with a TransactionStatus request.',
};

export const nameUsed: NexoRefusal = {
  condition: 'NotAllowed',
  message:
    'This SaleID and ServiceID were used for another request within 48 hours. Nothing has begun.',
};

/** Why nothing was paid or refunded. */
const ended: Readonly<Record<NotPaidReason | NotRefundedReason | 'held', NexoRefusal>> = {
  declinedByCustomer: { condition: 'Cancel', message: 'The customer declined.' },
  cancelledByCustomer: { condition: 'Cancel', message: 'The customer cancelled.' },
  cancelledByTill: { condition: 'Aborted', message: 'Aborted by the sale system.' },
  cancelledByCashier: { condition: 'Cancel', message: "Cancelled on the cashier's screen." },
  cancelledByManager: { condition: 'Cancel', message: 'Cancelled by a manager.' },
  leftByCashier: { condition: 'Cancel', message: "Cancelled on the cashier's screen." },
  cancelledByService: { condition: 'Refusal', message: 'Refused by the wallet service.' },
  expired: { condition: 'Cancel', message: 'The customer did not pay in time.' },
  timedOut: { condition: 'Cancel', message: 'The customer did not pay in time.' },
  tillGone: { condition: 'Cancel', message: 'The sale system was gone.' },
  notDelivered: { condition: 'Cancel', message: 'The result could not be told.' },
  interrupted: { condition: 'Cancel', message: 'Interrupted by a restart of the terminal.' },
  refusedByService: { condition: 'Refusal', message: 'Refused by the wallet service.' },
  notOnboarded: {
    condition: 'Refusal',
    message: 'The wallet service does not let this shop do that.',
  },
  credentialsRefused: {
    condition: 'Refusal',
    message: "The wallet service does not accept this shop's keys.",
  },
  serviceUnreachable: {
    condition: 'UnreachableHost',
    message: 'The wallet service did not answer.',
  },
  serviceBusy: {
    condition: 'UnreachableHost',
    message: 'The wallet service takes no more requests for now.',
  },
  codeNotShown: {
    condition: 'UnreachableHost',
    message: 'The code for the customer could not be shown.',
  },
  amountMismatch: { condition: 'Refusal', message: 'The wallet service reserved another amount.' },
  notCaptured: { condition: 'Refusal', message: 'The payment is not captured yet.' },
  currencyDiffers: { condition: 'Refusal', message: 'The payment has another currency.' },
  tooOld: { condition: 'Refusal', message: 'The payment is too old to be refunded.' },
  amountTooHigh: { condition: 'Refusal', message: 'It is more than is left of the payment.' },
  balanceTooLow: { condition: 'Refusal', message: "The shop's balance does not cover it." },
  unclear: { condition: 'Refusal', message: 'A manager has to see to it.' },
  // A till of this protocol cannot ask for a reservation.
  held: { condition: 'Refusal', message: 'It is reserved and not paid.' },
};

export const notPaid: Readonly<Record<NotPaidReason | 'held', NexoRefusal>> = ended;
/**
 * A refund waits for no customer, so that `timedOut` has another message. @param refund names the
 * provider, which says how old a payment may be
 */
export function notRefunded(
  reason: NotRefundedReason,
  refund: Pick<RefundTicket, 'service'>,
): NexoRefusal {
  if (reason === 'timedOut')
    return {
      condition: 'UnreachableHost',
      message: 'The wallet service did not reserve it in time.',
    };
  if (reason === 'tooOld')
    return {
      condition: 'Refusal',
      message: `The payment is more than ${refundDaysOf(refund)} days old.`,
    };
  return ended[reason];
}

/** The state of the money, as the till gets it with the result. */
export const moneyWords: Readonly<Record<MoneyKnown, string>> = {
  undecided: 'undecided',
  reserved: 'reserved',
  moving: 'decided, and not confirmed by the wallet service yet',
  moved: 'moved',
  perhapsUnheard: 'not moved; a request may still be on its way',
  perhapsApproved: 'not moved; the customer may have approved, which is cancelled',
  releasing: 'not moved; what was reserved is being released',
  notMoved: 'not moved',
  lost: 'contested by the wallet service: see the manager',
  otherAmount: 'another amount was captured in the portal of the wallet service: see the manager',
  unseen: 'not known: the wallet service does not show the refund, see the manager',
  unasked: 'contested by the wallet service: see the manager',
};

type Reason<Answer> = Answer extends { readonly accepted: false; readonly reason: infer Of }
  ? Of
  : never;

/** Why a payment or refund is not begun. */
const notBegun: Readonly<Record<Reason<PaymentAnswerWithId | RefundAnswerWithId>, NexoRefusal>> = {
  busy: { condition: 'Busy', message: 'The lane is busy. Nothing has begun.' },
  notReady: {
    condition: 'UnavailableDevice',
    message: 'The lane is not ready. Nothing has begun.',
  },
  serviceUnreachable: {
    condition: 'UnreachableHost',
    message: 'The wallet service does not answer. Nothing has begun.',
  },
  wrongCurrency: malformed('Currency is not the one of this lane. Nothing has begun.'),
  amountTooSmall: malformed('The amount is too small. Nothing has begun.'),
  amountTooHigh: malformed('The amount is too high. Nothing has begun.'),
  storageFailed: {
    condition: 'UnavailableDevice',
    message: 'The disk takes nothing more. Nothing has begun.',
  },
  noReservations: notOffered('Payments cannot be reserved here.'),
  noOpenAmounts: notOffered('The amount has to be given.'),
  noAgeLimits: notOffered('The wallet service checks no age.'),
  unknownReceipt: notFound(
    'No paid payment of this lane has this POITransactionID, or it is too old for a refund.',
  ),
  alreadyRefunded: { condition: 'Refusal', message: 'The payment is refunded already.' },
  amountDiffers: { condition: 'Refusal', message: 'It is not the whole payment.' },
  overTillLimit: { condition: 'NotAllowed', message: 'It is more than a till may refund.' },
  refundOpen: { condition: 'Busy', message: 'Another refund of this payment is not decided yet.' },
  nameUsed,
};

export const saleRefusals: Readonly<Record<Reason<PaymentAnswerWithId>, NexoRefusal>> = notBegun;
/** A refund's amount is too high when it is more than is left of its payment. */
export const notReversed: Readonly<Record<Reason<RefundAnswerWithId>, NexoRefusal>> = {
  ...notBegun,
  amountTooHigh: ended.amountTooHigh,
};

export const notClosed: Readonly<
  Record<Extract<ClosingAnswer, { closed: false }>['reason'], NexoRefusal>
> = {
  busy: { condition: 'Busy', message: 'A payment or refund is under way. The day is not closed.' },
  noClosings: notOffered('This lane has no closings.'),
  notReady: {
    condition: 'UnavailableService',
    message: 'It is not known what time it is. The day is not closed.',
  },
  storageFailed: {
    condition: 'UnavailableDevice',
    message: 'The disk takes nothing more. The day is not closed.',
  },
};
