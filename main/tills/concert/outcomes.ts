import type { NotPaidReason, PaymentOutcome, PaymentTicket } from '../../core/domain/sale.ts';
import type { PaymentAnswer } from '../../core/lane/till-port.ts';
import { refused, type ConcertOutcome, paidOutcome, WHY, type Why } from './request.ts';

const notPaid: Readonly<Record<NotPaidReason, Why>> = {
  declinedByCustomer: WHY.refused,
  cancelledByCustomer: WHY.abandoned,
  cancelledByTill: WHY.abandonedByOperator,
  cancelledByCashier: WHY.abandonedByOperator,
  cancelledByManager: WHY.abandonedByOperator,
  leftByCashier: WHY.abandonedByOperator,
  cancelledByService: WHY.refused,
  expired: WHY.timedOut,
  timedOut: WHY.timedOut,
  tillGone: WHY.notCompleted,
  notDelivered: WHY.notCompleted,
  interrupted: WHY.notCompleted,
  refusedByService: WHY.forbidden,
  notOnboarded: WHY.forbidden,
  credentialsRefused: WHY.forbidden,
  serviceUnreachable: WHY.notCompleted,
  serviceBusy: WHY.notCompleted,
  codeNotShown: WHY.notCompleted,
  amountMismatch: WHY.notCompleted,
  unclear: WHY.notCompleted,
};

type SaleRefusal = Extract<PaymentAnswer, { accepted: false }>['reason'];
const refusalReasons: Readonly<Record<SaleRefusal, Why>> = {
  busy: WHY.notCompleted,
  notReady: WHY.notCompleted,
  serviceUnreachable: WHY.notCompleted,
  wrongCurrency: WHY.currencyNotSupported,
  amountTooSmall: WHY.forbidden,
  amountTooHigh: WHY.forbidden,
  storageFailed: WHY.notCompleted,
  noReservations: WHY.unknownAction,
};

export const refusalOutcome = (reason: SaleRefusal): ConcertOutcome =>
  refused(refusalReasons[reason]);

export function concertOutcome(sale: PaymentTicket, outcome: PaymentOutcome): ConcertOutcome {
  if (outcome.paid) return paidOutcome(sale);
  // A till of this protocol cannot ask for a reservation, so `held` does not occur.
  return refused(outcome.reason === 'held' ? WHY.notCompleted : notPaid[outcome.reason]);
}
