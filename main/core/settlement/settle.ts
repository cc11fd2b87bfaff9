/** The second half of `decide`: what was decided is repeated until the service has confirmed it. */
import type { Capabilities } from './capabilities.ts';
import {
  type AnyDecision,
  type AnyEffect,
  type AnyEvent,
  type AnyInput,
  type AnySettlement,
  type AnyTerms,
  idIn,
  idOf,
  kindOf,
  type State,
} from './kinds.ts';
import { capturedMinorOf } from './reservation.ts';
import { isLookedUpOftenEnough, isRefusedForGood, retryDelayMs } from './retry.ts';
import type { SettleAnswer } from './settlement.ts';

export const nothing: AnyDecision = { events: [], effects: [] };
export const decision = (
  events: readonly AnyEvent[],
  effects: readonly AnyEffect[] = [],
): AnyDecision => ({ events, effects });
export const onlyEffects = (...effects: readonly AnyEffect[]): AnyDecision => decision([], effects);

/**
 * Ends it when no money moves and none could have moved: the outcome is told, and nothing is left
 * to do at the service.
 */
export const end = (reason: AnyTerms['reason']): AnyDecision =>
  decision([{ type: 'ended', reason }], [{ type: 'conclude' }]);

/** A payment's status is the first of its flow, until a poll tells more. */
export function createdEvent(state: AnySettlement, found: AnyTerms['id']): AnyEvent {
  if ('refundId' in found) return { type: 'created', refundId: found.refundId };
  const isPrepared = 'sale' in state && state.sale.flow === 'prepare';
  return {
    type: 'created',
    paymentId: found.paymentId,
    status: isPrepared ? 'prepared' : 'initiated',
  };
}

export function whileCapturing(
  state: State<'capturing'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  const lost = decision([{ type: 'personNeeded', problem: kindOf(state).lost }]);
  const again = (input: Confirmation): AnyDecision =>
    notShown(state, input, capabilities) ?? waitToRetry(state, capabilities);
  switch (input.type) {
    case 'captureAnswered':
      return onSettleAnswer(state, idIn(state), input.answer, { type: 'captured' }, capabilities);
    case 'polled':
      if (input.status === 'captured')
        return decision([
          otherCaptured(state, input, 'otherAmountCaptured') ?? { type: 'captured' },
        ]);
      return isCancelled(input.status) || isRefusedForGood(state.refusals ?? 0)
        ? lost
        : again(input);
    case 'pollNotFound':
      return notShown(state, input, capabilities) ?? lost;
    case 'pollFailed':
      return again(input);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'capture', ...idIn(state) });
    default:
      return nothing;
  }
}

/**
 * The longest pause is far less than the 24 hours after which the service pays a refund out by
 * itself (document 4, section 1.4).
 */
export function whileCancelling(
  state: State<'cancelling'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  const id = idOf(state);
  if (id === null) return whileCancellingUnidentified(state, input, capabilities);
  const ended: AnyEvent = { type: 'ended', reason: state.reason };
  switch (input.type) {
    case 'cancelAnswered':
      return input.answer.kind === 'notFound'
        ? decision([ended])
        : onSettleAnswer(state, id, input.answer, ended, capabilities);
    case 'polled':
      if (input.status === 'captured') return decision([unasked(state, input)]);
      return isCancelled(input.status)
        ? decision([ended])
        : (notShown(state, input, capabilities) ?? waitToRetry(state, capabilities));
    case 'pollNotFound':
      return notShown(state, input, capabilities) ?? decision([ended]);
    case 'pollFailed':
      return attemptFailed(state, input.detail, capabilities);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'cancel', ...id });
    default:
      return nothing;
  }
}

/**
 * It was decided against while the create request was still unanswered, so the first step is to
 * find out whether there is anything to cancel.
 */
function whileCancellingUnidentified(
  state: State<'cancelling'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  const ended = decision([{ type: 'ended', reason: state.reason }]);
  const identify: AnyEffect = { type: 'identify', idempotencyKey: state.idempotencyKey };
  const found = (id: AnyTerms['id']): AnyDecision =>
    decision([createdEvent(state, id)], [{ type: 'cancel', ...idIn(id) }]);
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return found(input.answer);
        case 'blocked':
        case 'refused':
          return ended;
        case 'unknown':
          return decision([{ type: 'createUnknown', detail: input.answer.detail }], [identify]);
      }
      break;
    case 'lookedUp':
      if (input.found !== null) return found(input.found);
      if (isLookedUpOftenEnough(state.failedAttempts)) return ended;
      return attemptFailed(
        state,
        'the service knows none; the request may still be on its way',
        capabilities,
      );
    case 'lookUpFailed':
      return attemptFailed(state, input.detail, capabilities);
    case 'retryDue':
    case 'restarted':
      return onlyEffects(identify);
    default:
      return nothing;
  }
}

/**
 * The create request arrived after the service had said that there is none. The outcome was told
 * long ago, so it is cancelled.
 */
export function whileNotDone(
  state: State<'notPaid' | 'notRefunded'>,
  input: AnyInput,
): AnyDecision {
  if (idOf(state) !== null || input.type !== 'lookedUp' || input.found === null) return nothing;
  const id = idIn(input.found);
  return decision([{ type: 'foundLate', ...id }], [{ type: 'cancel', ...id }]);
}

/**
 * The common end of capture and cancel: done; or accepted or refused, then the state is asked for;
 * or unknown, then it is repeated.
 */
function onSettleAnswer(
  state: State<'capturing' | 'cancelling'>,
  id: AnyTerms['id'],
  answer: SettleAnswer,
  done: AnyEvent,
  capabilities: Capabilities,
): AnyDecision {
  const refused = (detail: string): AnyDecision =>
    decision(
      [{ type: 'attemptFailed', detail, ...(capabilities.keepsRefusals && { refused: true }) }],
      [{ type: 'poll', ...id }],
    );
  switch (answer.kind) {
    case 'done':
      return decision([done]);
    case 'accepted':
      return onlyEffects({ type: 'poll', ...id, confirms: true });
    case 'notFound':
      return refused(`the service does not know the ${kindOf(state).noun}`);
    case 'refused':
      return refused(answer.detail);
    case 'unknown':
      return attemptFailed(state, answer.detail, capabilities);
  }
}

type Confirmation = Extract<AnyInput, { type: 'polled' | 'pollNotFound' | 'pollFailed' }>;

/**
 * The poll after an accepted attempt shows no effect, so that the attempt has failed. null when the
 * poll has another reason.
 */
function notShown(
  state: State<'capturing' | 'cancelling'>,
  { confirms, ...input }: Confirmation,
  capabilities: Capabilities,
): AnyDecision | null {
  if (confirms === undefined) return null;
  const seen =
    'status' in input
      ? `says "${input.status}"`
      : 'detail' in input
        ? `was asked, without an answer: ${input.detail}`
        : 'does not know it';
  return attemptFailed(state, `the service accepted the request, and then ${seen}`, capabilities);
}

const waitToRetry = (
  { failedAttempts }: State<'capturing' | 'cancelling'>,
  capabilities: Capabilities,
): AnyDecision =>
  onlyEffects({ type: 'wait', delayMs: retryDelayMs(failedAttempts, capabilities) });

function attemptFailed(
  { failedAttempts }: State<'capturing' | 'cancelling'>,
  detail: string,
  capabilities: Capabilities,
): AnyDecision {
  return decision(
    [{ type: 'attemptFailed', detail }],
    [{ type: 'wait', delayMs: retryDelayMs(failedAttempts + 1, capabilities) }],
  );
}

/** Money moved although nobody here decided so. */
export const unasked = (state: AnySettlement, polled: AnyTerms['seen']): AnyEvent =>
  otherCaptured(state, polled, kindOf(state).unasked) ?? {
    type: 'personNeeded',
    problem: kindOf(state).unasked,
  };

/**
 * Somebody may capture another amount in the service's portal than was asked for; null when the
 * amounts agree, as far as is known.
 */
function otherCaptured(
  state: AnySettlement,
  polled: AnyTerms['seen'],
  problem: AnyTerms['problem'],
): AnyEvent | null {
  const movedMinor = 'capturedMinor' in polled ? polled.capturedMinor : undefined;
  if (movedMinor === undefined || !('sale' in state) || movedMinor === capturedMinorOf(state))
    return null;
  return { type: 'personNeeded', problem, movedMinor };
}

const isCancelled = (status: AnyTerms['seen']['status']): boolean =>
  status === 'cancelledByUser' ||
  status === 'cancelledByClient' ||
  status === 'cancelledByService' ||
  status === 'expired';
