import type { Capabilities } from './capabilities.ts';
import { decideOneStep } from './one-step.ts';
import {
  isOffered,
  type Refund,
  type RefundDecision,
  type RefundIn,
  type RefundInput,
  type RefundRequest,
} from './refund.ts';
import { retryDelayMs } from './retry.ts';
import {
  decision,
  end,
  giveUp,
  nothing,
  onlyEffects,
  whileCancelling,
  whileCancellingUnidentified,
  whileCapturing,
} from './settle.ts';

/** The first decision: intent on disk, then the request. */
export const beginRefund = (request: RefundRequest): RefundDecision =>
  decision(
    [{ type: 'refundRequested', request }],
    [{ type: 'create', idempotencyKey: request.idempotencyKey }],
  );

/** What follows when `input` happens to a refund; see `decidePayment`. */
export function decideRefund(
  refund: Refund,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision {
  const inOneStep =
    capabilities.refunds === 'oneStep' ? decideOneStep(refund, input, capabilities) : null;
  if (inOneStep !== null) return inOneStep;
  switch (refund.kind) {
    case 'creating':
      return whileCreating(refund, input);
    case 'resolving':
      return whileResolving(refund, input, capabilities);
    case 'awaiting':
      return whileAwaiting(refund, input);
    case 'offering':
      return whileOffering(refund, input);
    case 'capturing':
      if (input.type === 'polled' && input.status === 'captured')
        return decision([{ type: 'captured' }]);
      return whileCapturing(
        refund,
        { refundId: refund.refundId },
        { type: 'personNeeded', problem: 'refundLost' } as const,
        input,
        capabilities,
      );
    case 'cancelling':
      return whileGivenUp(refund, input, capabilities);
    case 'notRefunded':
      return whileNotRefunded(refund, input);
    case 'refunded':
    case 'needsPerson':
      return nothing;
  }
}

const poll = ({ refundId }: RefundIn<'awaiting'>) => ({ type: 'poll', refundId }) as const;
const cancel = ({ refundId }: RefundIn<'awaiting' | 'offering'>) =>
  ({ type: 'cancel', refundId }) as const;
/** Called only with the decision to capture on disk. */
const capture = ({ refundId }: RefundIn<'awaiting' | 'offering'>) =>
  [{ type: 'conclude' }, { type: 'capture', refundId }] as const;

const opened = (refundId: string): RefundDecision =>
  decision([{ type: 'created', refundId }], [{ type: 'poll', refundId }]);

function whileCreating(refund: RefundIn<'creating'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return opened(input.answer.refundId);
        case 'refused':
          return end(input.answer.reason);
        case 'unknown':
          return decision(
            [{ type: 'createUnknown', detail: input.answer.detail }],
            [{ type: 'lookUp' }],
          );
      }
      break;
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: refund.idempotencyKey });
    default:
      return nothing;
  }
}

function whileResolving(
  refund: RefundIn<'resolving'>,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision {
  // Do not make the till wait for certainty.
  const unreachable = (): RefundDecision =>
    giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1, capabilities) });
  switch (input.type) {
    case 'lookedUp':
      return input.found === null ? unreachable() : opened(input.found.refundId);
    case 'lookUpFailed':
      return unreachable();
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: refund.idempotencyKey });
    default:
      return nothing;
  }
}

function whileAwaiting(refund: RefundIn<'awaiting'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'polled':
      return onPollWhileAwaiting(refund, input.status);
    case 'pollFailed':
      return input.credentialsRefused
        ? giveUp('credentialsRefused', cancel(refund))
        : onlyEffects(poll(refund));
    case 'pollNotFound':
      return giveUp('refusedByService', cancel(refund));
    case 'stopRequested':
      return giveUp(input.reason, cancel(refund));
    case 'restarted':
      return giveUp('interrupted', cancel(refund));
    default:
      return nothing;
  }
}

function onPollWhileAwaiting(
  refund: RefundIn<'awaiting'>,
  status: Extract<RefundInput, { type: 'polled' }>['status'],
): RefundDecision {
  switch (status) {
    case 'initiated':
    case 'missing':
    case 'unknown':
      return onlyEffects(poll(refund));
    case 'reserved':
      return isOffered(refund)
        ? decision([{ type: 'captureIntended' }], [{ type: 'offer' }])
        : decision([{ type: 'captureIntended' }], capture(refund));
    case 'captured':
      return decision(
        [{ type: 'personNeeded', problem: 'paidOutUnasked' }],
        [{ type: 'conclude' }],
      );
    case 'cancelledByClient':
    case 'cancelledByService':
      return end('cancelledByService');
  }
}

function whileOffering(refund: RefundIn<'offering'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'tillAnswered':
      if (!input.acknowledged) return giveUp('notDelivered', cancel(refund));
      return decision([{ type: 'tillAcknowledged' }], capture(refund));
    case 'restarted':
      return giveUp('interrupted', cancel(refund));
    default:
      return nothing;
  }
}

function whileGivenUp(
  refund: RefundIn<'cancelling'>,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision {
  const { refundId, reason } = refund;
  const ended = { type: 'ended', reason } as const;
  if (refundId === null) {
    const createdId = idNamedBy(input);
    return createdId === null
      ? whileCancellingUnidentified(refund, ended, input, capabilities)
      : decision(
          [{ type: 'created', refundId: createdId }],
          [{ type: 'cancel', refundId: createdId }],
        );
  }
  if (input.type === 'polled' && input.status === 'captured')
    return decision([{ type: 'personNeeded', problem: 'paidOutUnasked' }]);
  return whileCancelling(refund, { refundId }, ended, input, capabilities);
}

/**
 * The create request arrived after the service had denied it. The till was told "not refunded" long
 * ago, so the refund is cancelled.
 */
function whileNotRefunded(refund: RefundIn<'notRefunded'>, input: RefundInput): RefundDecision {
  if (refund.refundId !== null || input.type !== 'lookedUp' || input.found === null) return nothing;
  const { refundId } = input.found;
  return decision([{ type: 'foundLate', refundId }], [{ type: 'cancel', refundId }]);
}

function idNamedBy(input: RefundInput): string | null {
  if (input.type === 'lookedUp') return input.found?.refundId ?? null;
  return input.type === 'createAnswered' && input.answer.kind === 'created'
    ? input.answer.refundId
    : null;
}
