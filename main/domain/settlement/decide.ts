import type { NotPaidReason } from '../sale.ts';
import type { CreateAnswer, Decision, Effect, Payment, PaymentEvent, PaymentInput, Sale, StopReason } from './payment.ts';
import { retryDelayMs } from './retry.ts';
import {
  createdEvent,
  decision,
  nothing,
  onlyEffects,
  type State,
  whileCancelling,
  whileCancellingUnidentified,
  whileCapturing,
  whileNotPaid,
} from './settle.ts';

type Polled = Extract<PaymentInput, { type: 'polled' }>;

/** The first decision: intent on disk, then the request. */
export function begin(sale: Sale): Decision {
  return decision([{ type: 'saleRequested', sale }], [{ type: 'create', idempotencyKey: sale.idempotencyKey }]);
}

/**
 * What follows when `input` happens to `payment`. Pure. The caller writes the events to disk, then carries out the effects;
 * each effect's answer comes back as an input. An input that means nothing in a state (a late answer, a second abort) changes nothing.
 */
export function decide(payment: Payment, input: PaymentInput): Decision {
  switch (payment.kind) {
    case 'creating':
      return whileCreating(payment, input);
    case 'resolving':
      return whileResolving(payment, input);
    case 'clearing':
      return whileClearing(payment, input);
    case 'awaiting':
      return whileAwaiting(payment, input);
    case 'offering':
      return whileOffering(payment, input);
    case 'capturing':
      return whileCapturing(payment, input);
    case 'cancelling':
      return payment.paymentId === null ? whileCancellingUnidentified(payment, input) : whileCancelling(payment, payment.paymentId, input);
    case 'notPaid':
      return whileNotPaid(payment, input);
    case 'paid':
    case 'needsPerson':
      return nothing;
  }
}

/** No money moves and none could have: the till is told, nothing is left to do at the service. */
function end(reason: NotPaidReason): Decision {
  return decision([{ type: 'ended', reason }], [{ type: 'conclude', outcome: { paid: false, reason } }]);
}

/** The decision against the money is final once it is on disk, so the till need not wait for the service to confirm it. */
function giveUp(reason: NotPaidReason, ...next: readonly Effect[]): Decision {
  return decision([{ type: 'cancelIntended', reason }], [{ type: 'conclude', outcome: { paid: false, reason } }, ...next]);
}

function whileCreating(payment: State<'creating'>, input: PaymentInput): Decision {
  switch (input.type) {
    case 'createAnswered':
      return onCreateAnswer(payment, input.answer);
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: payment.idempotencyKey });
    default:
      return nothing;
  }
}

function onCreateAnswer(payment: State<'creating'>, answer: CreateAnswer): Decision {
  switch (answer.kind) {
    case 'created':
      return decision([createdEvent(payment.sale, answer.paymentId)], [{ type: 'poll', paymentId: answer.paymentId }]);
    case 'blocked':
      // Once only: a point of sale that is blocked again is in somebody else's hands.
      return payment.clearedBefore ? end('refusedByService') : decision([{ type: 'pointOfSaleBlocked' }], [{ type: 'clearPointOfSale' }]);
    case 'refused':
      return end(answer.reason);
    case 'unknown':
      return decision([{ type: 'createUnknown', detail: answer.detail }], [{ type: 'lookUp' }]);
  }
}

function whileResolving(payment: State<'resolving'>, input: PaymentInput): Decision {
  switch (input.type) {
    case 'lookedUp':
      // The till need not wait for that to be certain.
      if (input.found === null) return giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1) });
      return decision([createdEvent(payment.sale, input.found.paymentId)], [{ type: 'poll', paymentId: input.found.paymentId }]);
    case 'lookUpFailed':
      return giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1) });
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: payment.idempotencyKey });
    default:
      return nothing;
  }
}

function whileClearing(_payment: State<'clearing'>, input: PaymentInput): Decision {
  switch (input.type) {
    case 'cleared':
      // A new key: the first attempt was answered, so this is a new request for the same sale.
      return decision([{ type: 'createRepeated', idempotencyKey: input.newIdempotencyKey }], [{ type: 'create', idempotencyKey: input.newIdempotencyKey }]);
    case 'clearFailed':
      return end('serviceUnreachable');
    case 'stopRequested':
      return end(input.reason); // the service refused to create it: there is nothing to cancel
    case 'restarted':
      return end('interrupted');
    default:
      return nothing;
  }
}

function whileAwaiting(payment: State<'awaiting'>, input: PaymentInput): Decision {
  const { paymentId } = payment;
  switch (input.type) {
    case 'polled':
      return onPollWhileAwaiting(payment, input);
    case 'pollFailed':
      return payment.stop === null ? onlyEffects({ type: 'poll', paymentId }) : giveUp(payment.stop, { type: 'cancel', paymentId });
    case 'pollNotFound':
      return giveUp(payment.stop ?? 'refusedByService', { type: 'cancel', paymentId });
    case 'readyRefused':
      // 1303: it is no longer merely prepared; the next poll says what it is.
      return input.code === '1303' ? nothing : giveUp('refusedByService', { type: 'cancel', paymentId });
    case 'stopRequested':
      return onStopWhileAwaiting(payment, input.reason);
    case 'restarted':
      // Whatever it is by now: the decision is made, and a poll would have to wait.
      return giveUp('interrupted', { type: 'cancel', paymentId });
    default:
      return nothing;
  }
}

function onStopWhileAwaiting(payment: State<'awaiting'>, reason: StopReason): Decision {
  switch (reason) {
    case 'tillGone':
    case 'interrupted':
      // Nobody is left who could be told "paid".
      return giveUp(reason, { type: 'cancel', paymentId: payment.paymentId });
    case 'leftByCashier':
      // The poll that was to tell does not come back. How long it is waited for, the lane measures.
      return payment.stop === null ? nothing : giveUp(reason, { type: 'cancel', paymentId: payment.paymentId });
    case 'cancelledByTill':
    case 'cancelledByCashier':
    case 'timedOut':
      // A poll is always under way here; if it shows that the customer was faster, the sale ends as paid.
      return payment.stop === null ? decision([{ type: 'stopRequested', reason }], []) : nothing;
  }
}

function onPollWhileAwaiting(payment: State<'awaiting'>, polled: Polled): Decision {
  const { paymentId, sale, stop } = payment;
  switch (polled.status) {
    case 'prepared':
    case 'initiated':
    case 'paired':
    case 'issuedToUser': {
      if (stop !== null) return giveUp(stop, { type: 'cancel', paymentId });
      const events: PaymentEvent[] = polled.status === payment.status ? [] : [{ type: 'statusSeen', status: polled.status }];
      const effects: Effect[] = [{ type: 'poll', paymentId }];
      // Repeated at each poll while it is needed: its own answer may have been lost.
      if (sale.flow === 'prepare' && polled.status === 'paired') effects.unshift({ type: 'ready', paymentId });
      return decision(events, effects);
    }
    case 'unknown':
      return stop === null ? onlyEffects({ type: 'poll', paymentId }) : giveUp(stop, { type: 'cancel', paymentId });
    case 'reserved':
      if (polled.amountMinor !== sale.amountMinor || polled.currency !== sale.currency) return giveUp('amountMismatch', { type: 'cancel', paymentId });
      return decision([{ type: 'captureIntended' }], [{ type: 'offerPaid' }]);
    case 'captured':
      return decision([{ type: 'personNeeded', problem: 'capturedUnasked' }], [{ type: 'conclude', outcome: { paid: false, reason: 'unclear' } }]);
    case 'cancelledByUser':
      return end(payment.status === 'issuedToUser' ? 'declinedByCustomer' : 'cancelledByCustomer');
    case 'cancelledByClient':
      return end(stop ?? 'cancelledByService');
    case 'cancelledByService':
      return end('cancelledByService');
    case 'expired':
      return end('expired');
  }
}

function whileOffering(payment: State<'offering'>, input: PaymentInput): Decision {
  const { paymentId } = payment;
  switch (input.type) {
    case 'tillAnswered':
      return input.acknowledged
        ? decision(
            [{ type: 'tillAcknowledged' }],
            [
              { type: 'conclude', outcome: { paid: true } },
              { type: 'capture', paymentId },
            ],
          )
        : giveUp('notDelivered', { type: 'cancel', paymentId });
    case 'restarted':
      // Whatever it is by now: the decision is made, and a poll would have to wait.
      return giveUp('interrupted', { type: 'cancel', paymentId });
    default:
      return nothing;
  }
}
