import type { Payment, PaymentEvent } from './payment.ts';

/** An event that cannot follow the state that the journal tells: the journal is damaged, or this code is. */
export class ImpossibleEventError extends Error {
  override readonly name = 'ImpossibleEventError';
  readonly state: string;
  readonly event: string;
  constructor(state: string, event: string, of: 'payment' | 'refund' = 'payment') {
    super(`a ${of} that is ${state} cannot have ${event} happen to it`);
    this.state = state;
    this.event = event;
  }
}

/** The state after one more event. The only way in which a payment changes, live and after a restart. */
export function apply(payment: Payment | null, event: PaymentEvent): Payment {
  if (payment === null) {
    if (event.type !== 'saleRequested') throw new ImpossibleEventError('not begun', event.type);
    return { kind: 'creating', sale: event.sale, idempotencyKey: event.sale.idempotencyKey, clearedBefore: false };
  }
  const impossible = (): never => {
    throw new ImpossibleEventError(payment.kind, event.type);
  };
  const { sale } = payment;
  const paymentId = 'paymentId' in payment ? payment.paymentId : null;
  const { idempotencyKey } = 'idempotencyKey' in payment ? payment : sale;
  switch (event.type) {
    case 'saleRequested':
      return impossible();
    case 'createUnknown':
      if (payment.kind === 'creating') return { kind: 'resolving', sale, idempotencyKey: payment.idempotencyKey };
      return payment.kind === 'cancelling' ? payment : impossible();
    case 'pointOfSaleBlocked':
      return payment.kind === 'creating' ? { kind: 'clearing', sale } : impossible();
    case 'createRepeated':
      return payment.kind === 'clearing' ? { kind: 'creating', sale, idempotencyKey: event.idempotencyKey, clearedBefore: true } : impossible();
    case 'created':
      if (payment.kind === 'cancelling') return { ...payment, paymentId: event.paymentId };
      return payment.kind === 'creating' || payment.kind === 'resolving'
        ? { kind: 'awaiting', sale, paymentId: event.paymentId, status: event.status, stop: null }
        : impossible();
    case 'statusSeen':
      return payment.kind === 'awaiting' ? { ...payment, status: event.status } : impossible();
    case 'stopRequested':
      return payment.kind === 'awaiting' ? { ...payment, stop: event.reason } : impossible();
    case 'captureIntended':
      return payment.kind === 'awaiting' ? { kind: 'offering', sale, paymentId: payment.paymentId } : impossible();
    case 'tillAcknowledged':
      return payment.kind === 'offering' ? { kind: 'capturing', sale, paymentId: payment.paymentId, failedAttempts: 0 } : impossible();
    case 'cancelIntended':
      switch (payment.kind) {
        case 'creating':
        case 'resolving':
        case 'clearing':
        case 'awaiting':
        case 'offering':
          return { kind: 'cancelling', sale, paymentId, idempotencyKey, reason: event.reason, failedAttempts: 0 };
        default:
          return impossible();
      }
    case 'attemptFailed':
      return payment.kind === 'capturing' || payment.kind === 'cancelling' ? { ...payment, failedAttempts: payment.failedAttempts + 1 } : impossible();
    case 'captured':
      return payment.kind === 'capturing' ? { kind: 'paid', sale, paymentId: payment.paymentId } : impossible();
    case 'ended':
      switch (payment.kind) {
        case 'creating':
        case 'resolving':
        case 'clearing':
        case 'awaiting':
        case 'cancelling':
          return { kind: 'notPaid', sale, paymentId, reason: event.reason };
        default:
          return impossible();
      }
    case 'foundLate':
      return payment.kind === 'notPaid' && paymentId === null
        ? { kind: 'cancelling', sale, paymentId: event.paymentId, idempotencyKey, reason: payment.reason, failedAttempts: 0 }
        : impossible();
    case 'personNeeded':
      if (payment.kind === 'capturing' || payment.kind === 'awaiting' || (payment.kind === 'cancelling' && paymentId !== null)) {
        return { kind: 'needsPerson', sale, paymentId: paymentId as string, problem: event.problem, tillToldPaid: payment.kind === 'capturing' };
      }
      return impossible();
  }
}

export function replay(events: Iterable<PaymentEvent>): Payment {
  let payment: Payment | null = null;
  for (const event of events) payment = apply(payment, event);
  if (payment === null) throw new ImpossibleEventError('not begun', 'nothing');
  return payment;
}
