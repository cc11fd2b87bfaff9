/**
 * A refund at a service that cannot reserve one: the create request is the decision, and nothing
 * takes it back. So it is asked about with the same key until the service tells what became of it,
 * nobody is told "refunded" before, and a request to stop it changes nothing once it has left.
 */
import type { Capabilities } from './capabilities.ts';
import {
  type AnyDecision,
  type AnyEffect,
  type AnyInput,
  type AnySettlement,
  type AnyTerms,
  idIn,
  isUnseen,
  type State,
} from './kinds.ts';
import { retryDelayMs } from './retry.ts';
import { createdEvent, decision, end, nothing, onlyEffects } from './settle.ts';

/** The decision where a refund in one step differs; null where it is handled like any other. */
export function decideOneStep(
  state: AnySettlement,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision | null {
  switch (state.kind) {
    case 'creating':
    case 'resolving':
      return untilCreated(state, input, capabilities);
    case 'awaiting':
      return untilPaidOut(idIn(state), input);
    case 'needsPerson':
      return isUnseen(state) ? whileUnseen(idIn(state), input) : null;
    default:
      return null;
  }
}

function untilCreated(
  state: State<'creating' | 'resolving'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  const identify: AnyEffect = { type: 'identify', idempotencyKey: state.idempotencyKey };
  const asked = (detail: string): AnyDecision =>
    decision(state.kind === 'creating' ? [{ type: 'createUnknown', detail }] : [], [identify]);
  const created = (id: AnyTerms['id']): AnyDecision =>
    decision([createdEvent(state, id)], [{ type: 'poll', ...idIn(id) }]);
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return created(input.answer);
        case 'blocked':
          return end('refusedByService');
        case 'refused':
          return end(input.answer.reason);
        case 'unknown':
          return asked(input.answer.detail);
      }
      break;
    case 'lookedUp':
      // The same request was sent again and refused: the first one created nothing either.
      return input.found === null ? end('refusedByService') : created(input.found);
    case 'lookUpFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(1, capabilities) });
    case 'retryDue':
      return asked('no answer');
    case 'restarted':
      return asked('the daemon was restarted');
    default:
      return nothing;
  }
}

function untilPaidOut(id: AnyTerms['id'], input: AnyInput): AnyDecision {
  switch (input.type) {
    case 'polled':
      if (input.status === 'captured')
        return decision([{ type: 'captured' }], [{ type: 'conclude' }]);
      if (input.status === 'missing')
        return decision(
          [{ type: 'personNeeded', problem: 'refundUnseen' }],
          [{ type: 'conclude' }, lookLater],
        );
      return input.status === 'cancelledByService' || input.status === 'cancelledByClient'
        ? end('cancelledByService')
        : onlyEffects({ type: 'poll', ...id });
    case 'pollFailed':
    case 'pollNotFound':
    case 'restarted':
      return onlyEffects({ type: 'poll', ...id });
    default:
      return nothing;
  }
}

/**
 * How often the service is asked about a refund that a person has to settle. There is no setting:
 * nobody waits for it, and it is one read an hour.
 */
const lookLater: AnyEffect = { type: 'wait', delayMs: 60 * 60_000 };

/**
 * The refund may still show and is then known; or a manager finds in the portal what became of it.
 */
function whileUnseen(id: AnyTerms['id'], input: AnyInput): AnyDecision {
  switch (input.type) {
    case 'polled':
      return input.status === 'captured'
        ? decision([{ type: 'captured' }])
        : onlyEffects(lookLater);
    case 'pollFailed':
    case 'pollNotFound':
      return onlyEffects(lookLater);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'poll', ...id });
    case 'foundInPortal':
      return decision([input]);
    default:
      return nothing;
  }
}
