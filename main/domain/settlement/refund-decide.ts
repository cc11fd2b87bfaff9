import type { NotRefundedReason } from '../sale.ts';
import { lookAgainDelayMs, notThereYet, retryDelayMs } from './retry.ts';
import type {
  CreateRefundAnswer,
  Refund,
  RefundDecision,
  RefundEffect,
  RefundEvent,
  RefundInput,
  RefundRequest,
  RefundSettleAnswer,
  RefundStatus,
} from './refund.ts';

type State<Kind extends Refund['kind']> = Extract<Refund, { kind: Kind }>;

const nothing: RefundDecision = { events: [], effects: [] };
const decision = (events: readonly RefundEvent[], effects: readonly RefundEffect[]): RefundDecision => ({ events, effects });
const onlyEffects = (...effects: readonly RefundEffect[]): RefundDecision => decision([], effects);

/** The first decision: intent on disk, then the request. */
export function beginRefund(request: RefundRequest): RefundDecision {
  return decision([{ type: 'refundRequested', request }], [{ type: 'create' }]);
}

/**
 * What follows when `input` happens to `refund`. Pure, and to be used as `decide` is: the events go to disk, then the effects are
 * carried out, and each effect's answer comes back as an input. An input that means nothing in a state changes nothing.
 */
export function decideRefund(refund: Refund, input: RefundInput): RefundDecision {
  switch (refund.kind) {
    case 'creating':
      return whileCreating(input);
    case 'resolving':
      return whileResolving(input);
    case 'awaiting':
      return whileAwaiting(refund, input);
    case 'offering':
      return whileOffering(refund, input);
    case 'capturing':
      return whileCapturing(refund, input);
    case 'cancelling':
      return refund.refundId === null ? whileCancellingUnidentified(refund, input) : whileCancelling(refund, refund.refundId, input);
    case 'notRefunded':
      return whileNotRefunded(refund, input);
    case 'refunded':
    case 'needsPerson':
      return nothing;
  }
}

/** No money goes back and none could have: nothing is left to do at the service. */
function end(reason: NotRefundedReason): RefundDecision {
  return decision([{ type: 'ended', reason }], [{ type: 'conclude', outcome: { refunded: false, reason } }]);
}

/** The decision against the refund is final once it is on disk, so nobody need wait for the service to confirm it. */
function giveUp(reason: NotRefundedReason, ...next: readonly RefundEffect[]): RefundDecision {
  return decision([{ type: 'cancelIntended', reason }], [{ type: 'conclude', outcome: { refunded: false, reason } }, ...next]);
}

function whileCreating(input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'createAnswered':
      return onCreateAnswer(input.answer);
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify' });
    default:
      return nothing;
  }
}

function onCreateAnswer(answer: CreateRefundAnswer): RefundDecision {
  switch (answer.kind) {
    case 'created':
      return decision([{ type: 'created', refundId: answer.refundId }], [{ type: 'poll', refundId: answer.refundId }]);
    case 'refused':
      return end(answer.reason);
    case 'unknown':
      return decision([{ type: 'createUnknown', detail: answer.detail }], [{ type: 'lookUp' }]);
  }
}

function whileResolving(input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'lookedUp':
      if (input.found === null) return giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1) });
      return decision([{ type: 'created', refundId: input.found.refundId }], [{ type: 'poll', refundId: input.found.refundId }]);
    case 'lookUpFailed':
      return giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1) });
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify' });
    default:
      return nothing;
  }
}

function whileAwaiting({ request, refundId }: State<'awaiting'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'polled':
      return onPollWhileAwaiting(request, refundId, input.status);
    case 'pollFailed':
      return onlyEffects({ type: 'poll', refundId });
    case 'pollNotFound':
      return giveUp('refusedByService', { type: 'cancel', refundId });
    case 'stopRequested':
      // No customer can be faster here, so no poll need decide: what is reserved pays nothing out until we say so.
      return giveUp(input.reason, { type: 'cancel', refundId });
    case 'restarted':
      return giveUp('interrupted', { type: 'cancel', refundId });
    default:
      return nothing;
  }
}

function onPollWhileAwaiting(request: RefundRequest, refundId: string, status: RefundStatus): RefundDecision {
  switch (status) {
    case 'initiated':
    case 'unknown':
      return onlyEffects({ type: 'poll', refundId });
    case 'reserved':
      switch (request.by.kind) {
        case 'till':
          return decision([{ type: 'captureIntended' }], [{ type: 'offerRefunded' }]);
        case 'manager':
          return decision([{ type: 'captureIntended' }], payOut(refundId));
      }
      break;
    case 'captured':
      return decision([{ type: 'personNeeded', problem: 'paidOutUnasked' }], [{ type: 'conclude', outcome: { refunded: false, reason: 'unclear' } }]);
    case 'cancelledByClient':
    case 'cancelledByService':
      return end('cancelledByService');
  }
}

/** Only after the decision for it is on disk. */
function payOut(refundId: string): readonly RefundEffect[] {
  return [
    { type: 'conclude', outcome: { refunded: true } },
    { type: 'capture', refundId },
  ];
}

function whileOffering({ refundId }: State<'offering'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'tillAnswered':
      return input.acknowledged ? decision([{ type: 'tillAcknowledged' }], payOut(refundId)) : giveUp('notDelivered', { type: 'cancel', refundId });
    case 'restarted':
      return giveUp('interrupted', { type: 'cancel', refundId });
    default:
      return nothing;
  }
}

function whileCapturing(refund: State<'capturing'>, input: RefundInput): RefundDecision {
  const { refundId } = refund;
  switch (input.type) {
    case 'captureAnswered':
      return onSettleAnswer(refund, input.answer, { type: 'captured' }, { type: 'poll', refundId });
    case 'polled':
      if (input.status === 'captured') return decision([{ type: 'captured' }], []);
      if (isCancelled(input.status)) return decision([{ type: 'personNeeded', problem: 'refundLost' }], []);
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts) });
    case 'pollNotFound':
      return decision([{ type: 'personNeeded', problem: 'refundLost' }], []);
    case 'pollFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts) });
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'capture', refundId });
    default:
      return nothing;
  }
}

/** The longest pause between attempts is five minutes: far less than the 24 hours after which the service pays out by itself. */
function whileCancelling(refund: State<'cancelling'>, refundId: string, input: RefundInput): RefundDecision {
  const ended: RefundEvent = { type: 'ended', reason: refund.reason };
  switch (input.type) {
    case 'cancelAnswered':
      if (input.answer.kind === 'notFound') return decision([ended], []);
      return onSettleAnswer(refund, input.answer, ended, { type: 'poll', refundId });
    case 'polled':
      if (input.status === 'captured') return decision([{ type: 'personNeeded', problem: 'paidOutUnasked' }], []);
      if (isCancelled(input.status)) return decision([ended], []);
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts) });
    case 'pollNotFound':
      return decision([ended], []);
    case 'pollFailed':
      return decision([{ type: 'attemptFailed', detail: input.detail }], [{ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts + 1) }]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'cancel', refundId });
    default:
      return nothing;
  }
}

/** "Not refunded" was told while the create request was still unanswered: first find out whether there is anything to cancel. */
function whileCancellingUnidentified(refund: State<'cancelling'>, input: RefundInput): RefundDecision {
  const ended = decision([{ type: 'ended', reason: refund.reason }], []);
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return found(input.answer.refundId);
        case 'refused':
          return ended;
        case 'unknown':
          return decision([{ type: 'createUnknown', detail: input.answer.detail }], [{ type: 'identify' }]);
      }
      break;
    case 'lookedUp': {
      if (input.found !== null) return found(input.found.refundId);
      // A request that was on its way all the time may still arrive, and what it creates would pay out by itself.
      const delayMs = lookAgainDelayMs(refund.failedAttempts);
      return delayMs === null ? ended : decision([{ type: 'attemptFailed', detail: notThereYet }], [{ type: 'wait', delayMs }]);
    }
    case 'lookUpFailed':
      return decision([{ type: 'attemptFailed', detail: input.detail }], [{ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts + 1) }]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'identify' });
    default:
      return nothing;
  }
}

function found(refundId: string): RefundDecision {
  return decision([{ type: 'created', refundId }], [{ type: 'cancel', refundId }]);
}

/** The create request arrived when "there is none" was believed already: cancelled before it pays out by itself. */
function whileNotRefunded({ refundId: known }: State<'notRefunded'>, input: RefundInput): RefundDecision {
  if (known !== null || input.type !== 'lookedUp' || input.found === null) return nothing;
  const { refundId } = input.found;
  return decision([{ type: 'foundLate', refundId }], [{ type: 'cancel', refundId }]);
}

/** The common end of capture and cancel: done, or refused (then the state is asked for), or unknown (then it is repeated). */
function onSettleAnswer(refund: State<'capturing' | 'cancelling'>, answer: RefundSettleAnswer, done: RefundEvent, ask: RefundEffect): RefundDecision {
  switch (answer.kind) {
    case 'done':
      return decision([done], []);
    case 'notFound':
      return decision([{ type: 'attemptFailed', detail: 'the service does not know the refund' }], [ask]);
    case 'refused':
      return decision([{ type: 'attemptFailed', detail: answer.detail }], [ask]);
    case 'unknown':
      return decision([{ type: 'attemptFailed', detail: answer.detail }], [{ type: 'wait', delayMs: retryDelayMs(refund.failedAttempts + 1) }]);
  }
}

function isCancelled(status: RefundStatus): boolean {
  return status === 'cancelledByClient' || status === 'cancelledByService';
}
