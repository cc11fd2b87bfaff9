import type { NotPaidReason } from '../primitives/sale.ts';
import type { CreateAnswer, Decision, Effect, Payment, PaymentEvent, PaymentInput, Sale, SettleAnswer, StopReason, WalletStatus } from './payment.ts';

type State<Kind extends Payment['kind']> = Extract<Payment, { kind: Kind }>;
type Polled = Extract<PaymentInput, { type: 'polled' }>;

const nothing: Decision = { events: [], effects: [] };
const decision = (events: readonly PaymentEvent[], effects: readonly Effect[]): Decision => ({ events, effects });
const onlyEffects = (...effects: readonly Effect[]): Decision => decision([], effects);

/** A capture or cancel that was not confirmed is repeated for days: quickly at first, then every five minutes. */
const firstRetryMs = 500;
const longestRetryMs = 300_000;
export function retryDelayMs(failedAttempts: number): number {
  return Math.min(longestRetryMs, firstRetryMs * 2 ** Math.max(0, failedAttempts - 1));
}

/**
 * "There is none" is no proof while the answer to the create request is missing: the request may still be on its way, and arrive when the
 * service has been asked. So it is asked for some minutes before that is believed.
 */
const mostLookUps = 9;
/** null: it is believed. */
export function lookAgainDelayMs(failedAttempts: number): number | null {
  return failedAttempts + 1 < mostLookUps ? retryDelayMs(failedAttempts + 1) : null;
}
export const notThereYet = 'the service knows none; the request may still be on its way';

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
      return giveUp('interrupted', { type: 'lookUp' });
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

function createdEvent(sale: Sale, paymentId: string): PaymentEvent {
  return { type: 'created', paymentId, status: sale.flow === 'prepare' ? 'prepared' : 'initiated' };
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
      return giveUp('interrupted', { type: 'lookUp' });
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
      return decision([{ type: 'personNeeded', problem: 'capturedUnasked' }], [{ type: 'conclude', outcome: { paid: false, reason: 'refusedByService' } }]);
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

function whileCapturing(payment: State<'capturing'>, input: PaymentInput): Decision {
  const { paymentId } = payment;
  switch (input.type) {
    case 'captureAnswered':
      return onSettleAnswer(payment, input.answer, { type: 'captured' }, { type: 'poll', paymentId });
    case 'polled':
      if (input.status === 'captured') return decision([{ type: 'captured' }], []);
      if (isCancelled(input.status)) return decision([{ type: 'personNeeded', problem: 'captureLost' }], []);
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(payment.failedAttempts) });
    case 'pollNotFound':
      return decision([{ type: 'personNeeded', problem: 'captureLost' }], []);
    case 'pollFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(payment.failedAttempts) });
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'capture', paymentId });
    default:
      return nothing;
  }
}

function whileCancelling(payment: State<'cancelling'>, paymentId: string, input: PaymentInput): Decision {
  const ended: PaymentEvent = { type: 'ended', reason: payment.reason };
  switch (input.type) {
    case 'cancelAnswered':
      if (input.answer.kind === 'notFound') return decision([ended], []);
      return onSettleAnswer(payment, input.answer, ended, { type: 'poll', paymentId });
    case 'polled':
      if (input.status === 'captured') return decision([{ type: 'personNeeded', problem: 'capturedUnasked' }], []);
      if (isCancelled(input.status)) return decision([ended], []);
      return onlyEffects(payment.failedAttempts === 0 ? { type: 'cancel', paymentId } : { type: 'wait', delayMs: retryDelayMs(payment.failedAttempts) });
    case 'pollNotFound':
      return decision([ended], []);
    case 'pollFailed':
      return decision([{ type: 'attemptFailed', detail: input.detail }], [{ type: 'wait', delayMs: retryDelayMs(payment.failedAttempts + 1) }]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'cancel', paymentId });
    default:
      return nothing;
  }
}

/** The till was told "not paid" while the create request was still unanswered: first find out whether there is anything to cancel. */
function whileCancellingUnidentified(payment: State<'cancelling'>, input: PaymentInput): Decision {
  const ended = decision([{ type: 'ended', reason: payment.reason }], []);
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return decision([createdEvent(payment.sale, input.answer.paymentId)], [{ type: 'cancel', paymentId: input.answer.paymentId }]);
        case 'blocked':
        case 'refused':
          return ended;
        case 'unknown':
          return decision([{ type: 'createUnknown', detail: input.answer.detail }], [{ type: 'lookUp' }]);
      }
      break;
    case 'lookedUp': {
      if (input.found !== null) return decision([createdEvent(payment.sale, input.found.paymentId)], [{ type: 'cancel', paymentId: input.found.paymentId }]);
      const delayMs = lookAgainDelayMs(payment.failedAttempts);
      return delayMs === null ? ended : decision([{ type: 'attemptFailed', detail: notThereYet }], [{ type: 'wait', delayMs }]);
    }
    case 'lookUpFailed':
      return decision([{ type: 'attemptFailed', detail: input.detail }], [{ type: 'wait', delayMs: retryDelayMs(payment.failedAttempts + 1) }]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'lookUp' });
    default:
      return nothing;
  }
}

/** The create request arrived when "there is none" was believed already: the till was told "not paid" long ago, so nobody claims it. */
function whileNotPaid({ paymentId: known }: State<'notPaid'>, input: PaymentInput): Decision {
  if (known !== null || input.type !== 'lookedUp' || input.found === null) return nothing;
  const { paymentId } = input.found;
  return decision([{ type: 'foundLate', paymentId }], [{ type: 'cancel', paymentId }]);
}

/** The common end of capture and cancel: done, or refused (then the state is asked for), or unknown (then it is repeated). */
function onSettleAnswer(payment: State<'capturing' | 'cancelling'>, answer: SettleAnswer, done: PaymentEvent, ask: Effect): Decision {
  switch (answer.kind) {
    case 'done':
      return decision([done], []);
    case 'notFound':
      return decision([{ type: 'attemptFailed', detail: 'the service does not know the payment' }], [ask]);
    case 'refused':
      return decision([{ type: 'attemptFailed', detail: answer.detail }], [ask]);
    case 'unknown':
      return decision([{ type: 'attemptFailed', detail: answer.detail }], [{ type: 'wait', delayMs: retryDelayMs(payment.failedAttempts + 1) }]);
  }
}

function isCancelled(status: WalletStatus): boolean {
  return status === 'cancelledByUser' || status === 'cancelledByClient' || status === 'cancelledByService' || status === 'expired';
}
