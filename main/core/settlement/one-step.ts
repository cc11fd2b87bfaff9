/**
 * A refund at a service that cannot reserve one: the create request is the decision, and nothing
 * takes it back. The request is repeated with the same key until the service answers. The till is
 * told "refunded" only then, and a request to stop the refund changes nothing once it has left.
 */
import type { Capabilities } from './capabilities.ts';
import { isUnseen } from './payment-or-refund.ts';
import type { Refund, RefundDecision, RefundId, RefundIn, RefundInput } from './refund.ts';
import { retryDelayMs } from './retry.ts';
import { decision, end, nothing, onlyEffects } from './settle.ts';

/** The decision where a refund in one step differs; null where it is handled like any other. */
export function decideOneStep(
  refund: Refund,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision | null {
  switch (refund.kind) {
    case 'creating':
    case 'resolving':
      return untilCreated(refund, input, capabilities);
    case 'awaiting':
      return untilPaidOut(refund, input);
    case 'needsPerson':
      return isUnseen(refund) ? whileUnseen(refund, input) : null;
    default:
      return null;
  }
}

const poll = ({ refundId }: RefundId) => ({ type: 'poll', refundId }) as const;

function untilCreated(
  refund: RefundIn<'creating' | 'resolving'>,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision {
  const repeat = (detail: string): RefundDecision =>
    decision(refund.kind === 'creating' ? [{ type: 'createUnknown', detail }] : [], [
      { type: 'identify', idempotencyKey: refund.idempotencyKey },
    ]);
  const created = ({ refundId }: RefundId): RefundDecision =>
    decision([{ type: 'created', refundId }], [{ type: 'poll', refundId }]);
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return created(input.answer);
        case 'refused':
          return end(input.answer.reason);
        case 'unknown':
          return repeat(input.answer.detail);
      }
      break;
    case 'lookedUp':
      // The same request was sent again and refused: the first one created nothing either.
      return input.found === null ? end('refusedByService') : created(input.found);
    case 'lookUpFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(1, capabilities) });
    case 'retryDue':
      return repeat('no answer');
    case 'restarted':
      return repeat('the daemon was restarted');
    default:
      return nothing;
  }
}

function untilPaidOut(refund: RefundIn<'awaiting'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'polled':
      switch (input.status) {
        case 'captured':
          return decision([{ type: 'captured' }], [{ type: 'conclude' }]);
        case 'missing':
          return decision(
            [{ type: 'personNeeded', problem: 'refundUnseen' }],
            [{ type: 'conclude' }, pollLater],
          );
        case 'cancelledByService':
        case 'cancelledByClient':
          return end('cancelledByService');
        default:
          return onlyEffects(poll(refund));
      }
    case 'pollFailed':
    case 'pollNotFound':
    case 'restarted':
      return onlyEffects(poll(refund));
    default:
      return nothing;
  }
}

/**
 * The service is asked once an hour about a refund that a person has to settle. No setting changes
 * that: no till waits for it.
 */
const pollLater = { type: 'wait', delayMs: 60 * 60_000 } as const;

/**
 * The refund may still show and is then known; or a manager finds in the portal what became of it.
 */
function whileUnseen(refund: RefundIn<'needsPerson'>, input: RefundInput): RefundDecision {
  switch (input.type) {
    case 'polled':
      return input.status === 'captured'
        ? decision([{ type: 'captured' }])
        : onlyEffects(pollLater);
    case 'pollFailed':
    case 'pollNotFound':
      return onlyEffects(pollLater);
    case 'retryDue':
    case 'restarted':
      return onlyEffects(poll(refund));
    case 'foundInPortal':
      return decision([input]);
    default:
      return nothing;
  }
}
