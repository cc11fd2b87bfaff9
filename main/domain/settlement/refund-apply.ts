import { ImpossibleEventError } from './apply.ts';
import type { Refund, RefundEvent } from './refund.ts';

/** The state after one more event. The only way in which a refund changes, live and after a restart. */
export function applyRefund(refund: Refund | null, event: RefundEvent): Refund {
  if (refund === null) {
    if (event.type !== 'refundRequested') throw new ImpossibleEventError('not begun', event.type, 'refund');
    return { kind: 'creating', request: event.request };
  }
  const impossible = (): never => {
    throw new ImpossibleEventError(refund.kind, event.type, 'refund');
  };
  const { request } = refund;
  const refundId = 'refundId' in refund ? refund.refundId : null;
  switch (event.type) {
    case 'refundRequested':
      return impossible();
    case 'createUnknown':
      if (refund.kind === 'creating') return { kind: 'resolving', request };
      return refund.kind === 'cancelling' && refundId === null ? refund : impossible();
    case 'created':
      if (refund.kind === 'cancelling' && refundId === null) return { ...refund, refundId: event.refundId };
      return refund.kind === 'creating' || refund.kind === 'resolving' ? { kind: 'awaiting', request, refundId: event.refundId } : impossible();
    case 'captureIntended':
      if (refund.kind !== 'awaiting') return impossible();
      // A manager's action is the decision itself: nobody has to take it over first.
      return request.by.kind === 'manager'
        ? { kind: 'capturing', request, refundId: refund.refundId, failedAttempts: 0 }
        : { kind: 'offering', request, refundId: refund.refundId };
    case 'tillAcknowledged':
      return refund.kind === 'offering' ? { kind: 'capturing', request, refundId: refund.refundId, failedAttempts: 0 } : impossible();
    case 'cancelIntended':
      switch (refund.kind) {
        case 'creating':
        case 'resolving':
        case 'awaiting':
        case 'offering':
          return { kind: 'cancelling', request, refundId, reason: event.reason, failedAttempts: 0 };
        default:
          return impossible();
      }
    case 'attemptFailed':
      return refund.kind === 'capturing' || refund.kind === 'cancelling' ? { ...refund, failedAttempts: refund.failedAttempts + 1 } : impossible();
    case 'captured':
      return refund.kind === 'capturing' ? { kind: 'refunded', request, refundId: refund.refundId } : impossible();
    case 'ended':
      switch (refund.kind) {
        case 'creating':
        case 'resolving':
        case 'awaiting':
        case 'cancelling':
          return { kind: 'notRefunded', request, refundId, reason: event.reason };
        default:
          return impossible();
      }
    case 'foundLate':
      return refund.kind === 'notRefunded' && refundId === null
        ? { kind: 'cancelling', request, refundId: event.refundId, reason: refund.reason, failedAttempts: 0 }
        : impossible();
    case 'personNeeded':
      switch (refund.kind) {
        case 'awaiting':
        case 'capturing':
          return { kind: 'needsPerson', request, refundId: refund.refundId, problem: event.problem, toldRefunded: refund.kind === 'capturing' };
        case 'cancelling':
          return refund.refundId === null
            ? impossible()
            : { kind: 'needsPerson', request, refundId: refund.refundId, problem: event.problem, toldRefunded: false };
        default:
          return impossible();
      }
  }
}

export function replayRefund(events: Iterable<RefundEvent>): Refund {
  let refund: Refund | null = null;
  for (const event of events) refund = applyRefund(refund, event);
  if (refund === null) throw new ImpossibleEventError('not begun', 'nothing', 'refund');
  return refund;
}
