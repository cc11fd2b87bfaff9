/**
 * Steps that payments and refunds share: what was decided is repeated until the service has
 * confirmed it.
 */
import type { Capabilities } from './capabilities.ts';
import {
  nounOf,
  type ServiceId,
  type SettlementIn,
  type SettlementInput,
} from './payment-or-refund.ts';
import { isLookedUpOftenEnough, isRefusedForGood, retryDelayMs } from './retry.ts';
import type { Decision, SettleAnswer, SharedEffect, SharedEvent } from './settlement.ts';

export const nothing: Decision<never, never> = { events: [], effects: [] };
export const decision = <Event, Effect = never>(
  events: readonly Event[],
  effects: readonly Effect[] = [],
): Decision<Event, Effect> => ({ events, effects });
export const onlyEffects = <Effect>(...effects: readonly Effect[]): Decision<never, Effect> => ({
  events: [],
  effects,
});

interface Ended<Reason> {
  readonly type: 'ended';
  readonly reason: Reason;
}

/**
 * Ends it when no money moves and none could have moved: the outcome is told, and nothing is left
 * to do at the service.
 */
export const end = <const Reason>(
  reason: Reason,
): Decision<Ended<Reason>, { readonly type: 'conclude' }> =>
  decision([{ type: 'ended', reason }], [{ type: 'conclude' }]);

/**
 * The decision against the money. It is final once it is on disk, so the till does not wait for the
 * service to confirm it.
 */
export const giveUp = <const Reason, Effect>(
  reason: Reason,
  ...next: readonly Effect[]
): Decision<
  { readonly type: 'cancelIntended'; readonly reason: Reason },
  { readonly type: 'conclude' } | Effect
> => decision([{ type: 'cancelIntended', reason }], [{ type: 'conclude' }, ...next]);

/**
 * Repeats a capture until a poll shows it. The caller decides about a poll that says "captured".
 * @param lost the event when the service has ended it without money
 */
export function whileCapturing<Id extends ServiceId, Lost>(
  state: SettlementIn<'capturing'>,
  id: Id,
  lost: Lost,
  input: SettlementInput,
  capabilities: Capabilities,
): Decision<SharedEvent | Lost, SharedEffect<Id>> {
  switch (input.type) {
    case 'captureAnswered':
      return onSettleAnswer(state, id, input.answer, { type: 'captured' } as const, capabilities);
    case 'polled':
      if (isCancelled(input.status) || isRefusedForGood(state.refusals ?? 0))
        return decision([lost]);
      return notShown(state, input, capabilities) ?? waitToRetry(state, capabilities);
    case 'pollNotFound':
      return notShown(state, input, capabilities) ?? decision([lost]);
    case 'pollFailed':
      return notShown(state, input, capabilities) ?? waitToRetry(state, capabilities);
    case 'retryDue':
    case 'restarted':
      return onlyEffects({ type: 'capture', ...id });
    default:
      return nothing;
  }
}

/**
 * Repeats a cancel until a poll shows it. The caller decides about a poll that says "captured".
 *
 * The longest pause is far less than the 24 hours after which the service pays a refund out by
 * itself (document 4, section 1.4).
 * @param ended the event once nothing is left at the service
 */
export function whileCancelling<Id extends ServiceId, End>(
  state: SettlementIn<'cancelling'>,
  id: Id,
  ended: End,
  input: SettlementInput,
  capabilities: Capabilities,
): Decision<SharedEvent | End, SharedEffect<Id>> {
  switch (input.type) {
    case 'cancelAnswered':
      return input.answer.kind === 'notFound'
        ? decision([ended])
        : onSettleAnswer(state, id, input.answer, ended, capabilities);
    case 'polled':
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
 * It was decided against while the create request was still unanswered: finds out whether there is
 * anything to cancel. The caller decides about an input that names the id.
 */
export function whileCancellingUnidentified<End>(
  state: SettlementIn<'cancelling'>,
  ended: End,
  input: SettlementInput,
  capabilities: Capabilities,
): Decision<SharedEvent | End, SharedEffect<never>> {
  const identify = { type: 'identify', idempotencyKey: state.idempotencyKey } as const;
  switch (input.type) {
    case 'createAnswered':
      return input.answer.kind === 'unknown'
        ? decision([{ type: 'createUnknown', detail: input.answer.detail }], [identify])
        : decision([ended]);
    case 'lookedUp':
      if (isLookedUpOftenEnough(state.failedAttempts)) return decision([ended]);
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
 * The common end of capture and cancel: done; or accepted or refused, then the state is polled; or
 * unknown, then it is repeated.
 */
function onSettleAnswer<Id extends ServiceId, Done>(
  state: SettlementIn<'capturing' | 'cancelling'>,
  id: Id,
  answer: SettleAnswer,
  done: Done,
  capabilities: Capabilities,
): Decision<SharedEvent | Done, SharedEffect<Id>> {
  const refused = (detail: string): Decision<SharedEvent, SharedEffect<Id>> =>
    decision<SharedEvent, SharedEffect<Id>>(
      [{ type: 'attemptFailed', detail, ...(capabilities.keepsRefusals && { refused: true }) }],
      [{ ...id, type: 'poll' }],
    );
  switch (answer.kind) {
    case 'done':
      return decision([done]);
    case 'accepted':
      return onlyEffects<SharedEffect<Id>>({ type: 'poll', ...id, confirms: true });
    case 'notFound':
      return refused(`the service does not know the ${nounOf(state)}`);
    case 'refused':
      return refused(answer.detail);
    case 'unknown':
      return attemptFailed(state, answer.detail, capabilities);
  }
}

/**
 * The poll after an accepted attempt shows no effect, so that the attempt has failed. null when the
 * poll has another reason.
 */
function notShown(
  state: SettlementIn<'capturing' | 'cancelling'>,
  { confirms, ...input }: Extract<SettlementInput, { readonly confirms?: true }>,
  capabilities: Capabilities,
): Decision<SharedEvent, SharedEffect<never>> | null {
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
  { failedAttempts }: SettlementIn<'capturing' | 'cancelling'>,
  capabilities: Capabilities,
): Decision<never, SharedEffect<never>> =>
  onlyEffects({ type: 'wait', delayMs: retryDelayMs(failedAttempts, capabilities) });

function attemptFailed(
  { failedAttempts }: SettlementIn<'capturing' | 'cancelling'>,
  detail: string,
  capabilities: Capabilities,
): Decision<SharedEvent, SharedEffect<never>> {
  return decision<SharedEvent, SharedEffect<never>>(
    [{ type: 'attemptFailed', detail }],
    [{ type: 'wait', delayMs: retryDelayMs(failedAttempts + 1, capabilities) }],
  );
}

const isCancelled = (status: Extract<SettlementInput, { type: 'polled' }>['status']): boolean =>
  status === 'cancelledByUser' ||
  status === 'cancelledByClient' ||
  status === 'cancelledByService' ||
  status === 'expired';
