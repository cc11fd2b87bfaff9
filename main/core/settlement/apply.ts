import {
  aboutOf,
  type AnyEvent,
  type AnySettlement,
  type AnyTerms,
  idIn,
  idOf,
  idOrNullOf,
  isOffered,
  isUnseen,
  kindOf,
} from './kinds.ts';
import { isWaitedFor } from './outcome.ts';
import { isAmountOpen, type Payment, type PaymentEvent } from './payment.ts';
import type { Refund, RefundEvent } from './refund.ts';

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
 * The state after one more event. The only way in which a payment or a refund changes, live and
 * after a restart.
 */
export function apply(payment: Payment | null, event: PaymentEvent): Payment;
export function apply(refund: Refund | null, event: RefundEvent): Refund;
export function apply(state: AnySettlement | null, event: AnyEvent): AnySettlement {
  return next(state, event);
}

function next(state: AnySettlement | null, event: AnyEvent): AnySettlement {
  if (state === null) {
    switch (event.type) {
      case 'saleRequested':
        return {
          kind: 'creating',
          sale: event.sale,
          idempotencyKey: event.sale.idempotencyKey,
          clearedBefore: false,
        };
      case 'foundAtService':
        return {
          kind: 'elsewhere',
          sale: event.sale,
          paymentId: event.paymentId,
          refundedMinor: event.refundedMinor,
        };
      case 'refundRequested':
        return {
          kind: 'creating',
          request: event.request,
          idempotencyKey: event.request.idempotencyKey,
          clearedBefore: false,
        };
      default:
        throw new ImpossibleEventError('not begun', event.type);
    }
  }
  const kind = kindOf(state);
  const impossible = (): never => {
    throw new ImpossibleEventError(state.kind, event.type, kind.noun);
  };
  const about = aboutOf(state);
  /** The booking stays only where it decided the reservation. */
  const decidedBy = (till: boolean): typeof about => (till ? about : withoutBooking(about));
  const id = idOf(state);
  switch (event.type) {
    case 'saleRequested':
    case 'foundAtService':
    case 'refundRequested':
      return impossible();
    case 'refundsSeen':
      return state.kind === 'elsewhere'
        ? { ...state, refundedMinor: event.refundedMinor }
        : impossible();
    case 'createUnknown':
      if (state.kind === 'creating')
        return { ...about, kind: 'resolving', idempotencyKey: state.idempotencyKey };
      return state.kind === 'cancelling' && id === null ? state : impossible();
    case 'pointOfSaleBlocked':
      return state.kind === 'creating' ? { ...about, kind: 'clearing' } : impossible();
    case 'createRepeated':
      return state.kind === 'clearing'
        ? { ...about, kind: 'creating', idempotencyKey: event.idempotencyKey, clearedBefore: true }
        : impossible();
    case 'created': {
      if (state.kind === 'cancelling' && id === null) return { ...state, ...idIn(event) };
      if (state.kind !== 'creating' && state.kind !== 'resolving') return impossible();
      return {
        ...about,
        ...idIn(event),
        kind: 'awaiting',
        status: 'status' in event ? event.status : 'initiated',
        stop: null,
      };
    }
    case 'statusSeen':
      return state.kind === 'awaiting' ? { ...state, status: event.status } : impossible();
    case 'stopRequested':
      return state.kind === 'awaiting' ? { ...state, stop: event.reason } : impossible();
    case 'holdIntended': {
      if (state.kind !== 'awaiting' || !('sale' in state)) return impossible();
      const { expiresAtMs, partialCapturePossible } = event;
      return {
        sale: state.sale,
        ...idIn(state),
        kind: 'offering',
        reservation: { expiresAtMs, partialCapturePossible, captureMinor: null },
      };
    }
    case 'amountAgreed':
      if (state.kind !== 'awaiting' || !('sale' in state) || !isAmountOpen(state.sale))
        return impossible();
      return {
        ...state,
        sale: { ...state.sale, amountMinor: event.amountMinor, typedMinor: state.sale.amountMinor },
      };
    case 'captureIntended':
      if (state.kind === 'held' && 'sale' in state) {
        const { booking, ...rest } = state.reservation;
        const ofTill = event.by === undefined && booking !== undefined && { booking };
        const reservation = {
          ...rest,
          ...ofTill,
          captureMinor: event.amountMinor ?? state.sale.amountMinor,
        };
        return {
          sale: state.sale,
          paymentId: state.paymentId,
          reservation,
          kind: 'capturing',
          failedAttempts: 0,
        };
      }
      if (state.kind !== 'awaiting') return impossible();
      if (!isOffered(state))
        return { ...about, ...idIn(state), kind: 'capturing', failedAttempts: 0 };
      return {
        ...about,
        ...idIn(state),
        kind: 'offering',
        ...(event.partialCapturePossible && { partialCapturePossible: true }),
      };
    case 'tillAcknowledged':
      if (state.kind !== 'offering') return impossible();
      if ('sale' in state && 'paymentId' in state) {
        const { sale, paymentId, reservation } = state;
        if (reservation !== undefined) return { sale, paymentId, reservation, kind: 'held' };
        if (event.handedOutMinor !== undefined && state.partialCapturePossible === true) {
          const part = {
            expiresAtMs: null,
            partialCapturePossible: true,
            captureMinor: event.handedOutMinor,
          };
          return { sale, paymentId, reservation: part, kind: 'capturing', failedAttempts: 0 };
        }
      }
      return { ...about, ...idIn(state), kind: 'capturing', failedAttempts: 0 };
    case 'bookingRequested':
      if (state.kind !== 'held' || !('sale' in state)) return impossible();
      return { ...state, reservation: { ...state.reservation, booking: event.booking } };
    case 'cancelIntended':
      if (!isWaitedFor(state) && state.kind !== 'held') return impossible();
      return {
        ...decidedBy(event.reason === 'cancelledByTill'),
        ...idOrNullOf(state),
        kind: 'cancelling',
        idempotencyKey: keyOf(state),
        reason: event.reason,
        failedAttempts: 0,
      };
    case 'attemptFailed':
      if (state.kind !== 'capturing' && state.kind !== 'cancelling') return impossible();
      return {
        ...state,
        failedAttempts: state.failedAttempts + 1,
        ...(event.refused && { refusals: (state.refusals ?? 0) + 1 }),
      };
    case 'captured':
      // What is open at the service of a refund in one step is paid out next.
      if (
        state.kind === 'capturing' ||
        (state.kind === 'awaiting' && kind.noun === 'refund') ||
        isUnseen(state)
      )
        return { ...about, ...idIn(state), kind: kind.done };
      return impossible();
    case 'foundInPortal':
      if (!isUnseen(state)) return impossible();
      return event.refunded
        ? { ...about, ...idIn(state), kind: kind.done }
        : { ...about, ...idIn(state), kind: kind.notDone, reason: 'cancelledByService' };
    case 'ended':
      switch (state.kind) {
        case 'creating':
        case 'resolving':
        case 'clearing':
        case 'awaiting':
        case 'held':
        case 'cancelling':
          return {
            ...decidedBy(state.kind === 'cancelling'),
            ...idOrNullOf(state),
            kind: kind.notDone,
            reason: event.reason,
          };
        default:
          return impossible();
      }
    case 'foundLate':
      if ((state.kind !== 'notPaid' && state.kind !== 'notRefunded') || id !== null)
        return impossible();
      return {
        ...about,
        ...idIn(event),
        kind: 'cancelling',
        idempotencyKey: keyOf(state),
        reason: state.reason,
        failedAttempts: 0,
      };
    case 'pollDelayNamed':
      return state;
    case 'personNeeded':
      if (id === null || !contestable.has(state.kind)) return impossible();
      return {
        ...decidedBy(state.kind !== 'held'),
        ...id,
        kind: 'needsPerson',
        problem: event.problem,
        toldDone: state.kind === 'capturing',
        ...(event.movedMinor !== undefined && { movedMinor: event.movedMinor }),
      };
  }
}

function withoutBooking(about: AnyTerms['about']): AnyTerms['about'] {
  if (!('sale' in about) || about.reservation === undefined) return about;
  const { booking: _, ...reservation } = about.reservation;
  return { ...about, reservation };
}

/** States that the service can contradict. */
const contestable: ReadonlySet<AnySettlement['kind']> = new Set([
  'awaiting',
  'held',
  'capturing',
  'cancelling',
]);

/** The key of the create request that may have created it. */
const keyOf = (state: AnySettlement): string =>
  'idempotencyKey' in state
    ? state.idempotencyKey
    : 'sale' in state
      ? state.sale.idempotencyKey
      : state.request.idempotencyKey;

export function replay(events: Iterable<PaymentEvent>): Payment;
export function replay(events: Iterable<RefundEvent>): Refund;
export function replay(events: Iterable<AnyEvent>): AnySettlement {
  let state: AnySettlement | null = null;
  for (const event of events) state = next(state, event);
  if (state === null) throw new ImpossibleEventError('not begun', 'nothing');
  return state;
}
