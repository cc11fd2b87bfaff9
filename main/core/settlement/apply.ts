import { isUnseen } from './payment-or-refund.ts';
import { isWaitedFor } from './outcome.ts';
import {
  isAmountOpen,
  type Payment,
  type PaymentEvent,
  type PaymentIn,
  type Reservation,
} from './payment.ts';
import { isOffered, type Refund, type RefundEvent } from './refund.ts';

/**
 * An event that cannot follow the state in the journal: either the journal is damaged, or this code
 * is wrong.
 */
export class ImpossibleEventError extends Error {
  override readonly name = 'ImpossibleEventError';
  readonly state: string;
  readonly event: string;
  constructor(
    state: string,
    event: string,
    of: 'payment' | 'refund' | 'payment or refund' = 'payment or refund',
  ) {
    super(`a ${of} that is ${state} cannot have ${event} happen to it`);
    this.state = state;
    this.event = event;
  }
}

/**
 * The payment after one more event. The only way in which a payment changes, live and after a
 * restart.
 */
export function applyToPayment(payment: Payment | null, event: PaymentEvent): Payment {
  if (payment === null) return firstPayment(event);
  const impossible = (): never => {
    throw new ImpossibleEventError(payment.kind, event.type, 'payment');
  };
  const { sale, reservation } = payment;
  const requested = reservation === undefined ? { sale } : { sale, reservation };
  switch (event.type) {
    case 'saleRequested':
    case 'foundAtService':
      return impossible();
    case 'refundsSeen':
      return payment.kind === 'elsewhere'
        ? { ...payment, refundedMinor: event.refundedMinor }
        : impossible();
    case 'createUnknown':
      if (payment.kind === 'creating')
        return { ...requested, kind: 'resolving', idempotencyKey: payment.idempotencyKey };
      return payment.kind === 'cancelling' && payment.paymentId === null ? payment : impossible();
    case 'pointOfSaleBlocked':
      return payment.kind === 'creating' ? { ...requested, kind: 'clearing' } : impossible();
    case 'createRepeated': {
      const { idempotencyKey } = event;
      return payment.kind === 'clearing'
        ? { ...requested, kind: 'creating', idempotencyKey, clearedBefore: true }
        : impossible();
    }
    case 'created': {
      const { paymentId, status } = event;
      if (payment.kind === 'cancelling' && payment.paymentId === null)
        return { ...payment, paymentId };
      if (payment.kind !== 'creating' && payment.kind !== 'resolving') return impossible();
      return { ...requested, paymentId, kind: 'awaiting', status, stop: null };
    }
    case 'statusSeen':
      return payment.kind === 'awaiting' ? { ...payment, status: event.status } : impossible();
    case 'stopRequested':
      return payment.kind === 'awaiting' ? { ...payment, stop: event.reason } : impossible();
    case 'holdIntended': {
      if (payment.kind !== 'awaiting') return impossible();
      const { expiresAtMs, partialCapturePossible } = event;
      return {
        sale,
        paymentId: payment.paymentId,
        kind: 'offering',
        reservation: { expiresAtMs, partialCapturePossible, captureMinor: null },
      };
    }
    case 'amountAgreed':
      if (payment.kind !== 'awaiting' || !isAmountOpen(sale)) return impossible();
      return {
        ...payment,
        sale: { ...sale, amountMinor: event.amountMinor, typedMinor: sale.amountMinor },
      };
    case 'captureIntended':
      if (payment.kind === 'held') return captureOfHeld(payment, event);
      if (payment.kind !== 'awaiting') return impossible();
      return {
        ...requested,
        paymentId: payment.paymentId,
        kind: 'offering',
        ...(event.partialCapturePossible && { partialCapturePossible: true }),
      };
    case 'tillAcknowledged':
      return payment.kind === 'offering' ? acknowledged(payment, event) : impossible();
    case 'bookingRequested':
      if (payment.kind !== 'held') return impossible();
      return { ...payment, reservation: { ...payment.reservation, booking: event.booking } };
    case 'cancelIntended':
      if (!isWaitedFor(payment) && payment.kind !== 'held') return impossible();
      return {
        ...(event.reason === 'cancelledByTill' ? requested : withoutBooking(payment)),
        paymentId: paymentIdOf(payment),
        kind: 'cancelling',
        idempotencyKey: 'idempotencyKey' in payment ? payment.idempotencyKey : sale.idempotencyKey,
        reason: event.reason,
        failedAttempts: 0,
      };
    case 'attemptFailed':
      return payment.kind === 'capturing' || payment.kind === 'cancelling'
        ? { ...payment, ...failed(payment, event) }
        : impossible();
    case 'captured':
      return payment.kind === 'capturing'
        ? { ...requested, paymentId: payment.paymentId, kind: 'paid' }
        : impossible();
    case 'ended':
      switch (payment.kind) {
        case 'creating':
        case 'resolving':
        case 'clearing':
        case 'awaiting':
        case 'held':
        case 'cancelling':
          return {
            ...(payment.kind === 'cancelling' ? requested : withoutBooking(payment)),
            paymentId: paymentIdOf(payment),
            kind: 'notPaid',
            reason: event.reason,
          };
        default:
          return impossible();
      }
    case 'foundLate':
      return payment.kind === 'notPaid' && payment.paymentId === null
        ? {
            ...requested,
            paymentId: event.paymentId,
            kind: 'cancelling',
            idempotencyKey: sale.idempotencyKey,
            reason: payment.reason,
            failedAttempts: 0,
          }
        : impossible();
    case 'pollDelayNamed':
      return payment;
    case 'personNeeded': {
      const paymentId = paymentIdOf(payment);
      if (paymentId === null || !contestable.has(payment.kind)) return impossible();
      return {
        ...(payment.kind === 'held' ? withoutBooking(payment) : requested),
        paymentId,
        kind: 'needsPerson',
        problem: event.problem,
        toldDone: payment.kind === 'capturing',
        ...(event.movedMinor !== undefined && { movedMinor: event.movedMinor }),
      };
    }
    default:
      event satisfies never;
      return impossible();
  }
}

function firstPayment(event: PaymentEvent): Payment {
  switch (event.type) {
    case 'saleRequested': {
      const { sale } = event;
      const { idempotencyKey } = sale;
      return { kind: 'creating', sale, idempotencyKey, clearedBefore: false };
    }
    case 'foundAtService': {
      const { sale, paymentId, refundedMinor } = event;
      return { kind: 'elsewhere', sale, paymentId, refundedMinor };
    }
    default:
      throw new ImpossibleEventError('not begun', event.type);
  }
}

/** The booking stays only where it decided the reservation. */
function captureOfHeld(
  { sale, paymentId, reservation: { booking, ...rest } }: PaymentIn<'held'>,
  event: Extract<PaymentEvent, { type: 'captureIntended' }>,
): PaymentIn<'capturing'> {
  const reservation: Reservation = {
    ...rest,
    ...(event.by === undefined && booking !== undefined && { booking }),
    captureMinor: event.amountMinor ?? sale.amountMinor,
  };
  return { sale, paymentId, reservation, kind: 'capturing', failedAttempts: 0 };
}

function acknowledged(
  { sale, paymentId, reservation, partialCapturePossible }: PaymentIn<'offering'>,
  { handedOutMinor: captureMinor }: Extract<PaymentEvent, { type: 'tillAcknowledged' }>,
): Payment {
  if (reservation !== undefined) return { sale, paymentId, reservation, kind: 'held' };
  if (captureMinor === undefined || partialCapturePossible !== true)
    return { sale, paymentId, kind: 'capturing', failedAttempts: 0 };
  const part = { expiresAtMs: null, partialCapturePossible, captureMinor };
  return { sale, paymentId, reservation: part, kind: 'capturing', failedAttempts: 0 };
}

function withoutBooking({ sale, reservation }: Payment): Pick<Payment, 'sale' | 'reservation'> {
  if (reservation === undefined) return { sale };
  const { booking: _, ...rest } = reservation;
  return { sale, reservation: rest };
}

const paymentIdOf = (payment: Payment): string | null =>
  'paymentId' in payment ? payment.paymentId : null;

/** The refund after one more event; see `applyToPayment`. */
export function applyToRefund(refund: Refund | null, event: RefundEvent): Refund {
  if (refund === null) {
    if (event.type !== 'refundRequested') throw new ImpossibleEventError('not begun', event.type);
    const { request } = event;
    return { kind: 'creating', request, idempotencyKey: request.idempotencyKey };
  }
  const impossible = (): never => {
    throw new ImpossibleEventError(refund.kind, event.type, 'refund');
  };
  const { request } = refund;
  switch (event.type) {
    case 'refundRequested':
      return impossible();
    case 'createUnknown':
      if (refund.kind === 'creating')
        return { request, kind: 'resolving', idempotencyKey: refund.idempotencyKey };
      return refund.kind === 'cancelling' && refund.refundId === null ? refund : impossible();
    case 'created': {
      const { refundId } = event;
      if (refund.kind === 'cancelling' && refund.refundId === null) return { ...refund, refundId };
      return refund.kind === 'creating' || refund.kind === 'resolving'
        ? { request, refundId, kind: 'awaiting' }
        : impossible();
    }
    case 'captureIntended': {
      if (refund.kind !== 'awaiting') return impossible();
      const { refundId } = refund;
      return isOffered(refund)
        ? { request, refundId, kind: 'offering' }
        : { request, refundId, kind: 'capturing', failedAttempts: 0 };
    }
    case 'tillAcknowledged':
      return refund.kind === 'offering'
        ? { request, refundId: refund.refundId, kind: 'capturing', failedAttempts: 0 }
        : impossible();
    case 'cancelIntended':
      if (!isWaitedFor(refund)) return impossible();
      return {
        request,
        refundId: refundIdOf(refund),
        kind: 'cancelling',
        idempotencyKey: request.idempotencyKey,
        reason: event.reason,
        failedAttempts: 0,
      };
    case 'attemptFailed':
      return refund.kind === 'capturing' || refund.kind === 'cancelling'
        ? { ...refund, ...failed(refund, event) }
        : impossible();
    case 'captured':
      // A refund in one step that is open at the service is paid out next.
      return refund.kind === 'capturing' || refund.kind === 'awaiting' || isUnseen(refund)
        ? { request, refundId: refund.refundId, kind: 'refunded' }
        : impossible();
    case 'foundInPortal': {
      if (!isUnseen(refund)) return impossible();
      const { refundId } = refund;
      return event.refunded
        ? { request, refundId, kind: 'refunded' }
        : { request, refundId, kind: 'notRefunded', reason: 'cancelledByService' };
    }
    case 'ended':
      switch (refund.kind) {
        case 'creating':
        case 'resolving':
        case 'awaiting':
        case 'cancelling':
          return {
            request,
            refundId: refundIdOf(refund),
            kind: 'notRefunded',
            reason: event.reason,
          };
        default:
          return impossible();
      }
    case 'foundLate':
      return refund.kind === 'notRefunded' && refund.refundId === null
        ? {
            request,
            refundId: event.refundId,
            kind: 'cancelling',
            idempotencyKey: request.idempotencyKey,
            reason: refund.reason,
            failedAttempts: 0,
          }
        : impossible();
    case 'pollDelayNamed':
      return refund;
    case 'personNeeded': {
      const refundId = refundIdOf(refund);
      if (refundId === null || !contestable.has(refund.kind)) return impossible();
      return {
        request,
        refundId,
        kind: 'needsPerson',
        problem: event.problem,
        toldDone: refund.kind === 'capturing',
      };
    }
    default:
      event satisfies never;
      return impossible();
  }
}

const refundIdOf = (refund: Refund): string | null =>
  'refundId' in refund ? refund.refundId : null;

/** States that the service can contradict. */
const contestable: ReadonlySet<Payment['kind'] | Refund['kind']> = new Set([
  'awaiting',
  'held',
  'capturing',
  'cancelling',
]);

interface Attempts {
  readonly failedAttempts: number;
  readonly refusals?: number;
}

const failed = (
  { failedAttempts, refusals = 0 }: Attempts,
  { refused }: Extract<PaymentEvent, { type: 'attemptFailed' }>,
): Attempts => ({
  failedAttempts: failedAttempts + 1,
  ...(refused && { refusals: refusals + 1 }),
});

export const replayPayment = (events: Iterable<PaymentEvent>): Payment =>
  replay(events, applyToPayment);

export const replayRefund = (events: Iterable<RefundEvent>): Refund =>
  replay(events, applyToRefund);

function replay<State, Event>(
  events: Iterable<Event>,
  applyTo: (state: State | null, event: Event) => State,
): State {
  let state: State | null = null;
  for (const event of events) state = applyTo(state, event);
  if (state === null) throw new ImpossibleEventError('not begun', 'nothing');
  return state;
}
