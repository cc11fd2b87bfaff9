import type { Capabilities } from './capabilities.ts';
import {
  type AnyDecision,
  type AnyEffect,
  type AnyEvent,
  type AnyInput,
  type AnySettlement,
  type AnyTerms,
  idIn,
  isOffered,
  isOneStep,
  kindOf,
  type State,
} from './kinds.ts';
import { decideOneStep } from './one-step.ts';
import {
  isAmountOpen,
  type Payment,
  type PaymentDecision,
  type PaymentInput,
  type Sale,
} from './payment.ts';
import type { SettleAnswer } from './settlement.ts';
import type { Refund, RefundDecision, RefundInput, RefundRequest } from './refund.ts';
import { retryDelayMs } from './retry.ts';
import { whyNotCaptured } from './reservation.ts';
import {
  createdEvent,
  decision,
  end,
  nothing,
  onlyEffects,
  unasked,
  whileCancelling,
  whileCapturing,
  whileNotDone,
} from './settle.ts';

/** The first decision: intent on disk, then the request. */
export function begin(about: { readonly sale: Sale }): PaymentDecision;
export function begin(about: { readonly request: RefundRequest }): RefundDecision;
export function begin(about: AnyTerms['about']): AnyDecision {
  if ('sale' in about)
    return decision(
      [{ type: 'saleRequested', ...about }],
      [{ type: 'create', idempotencyKey: about.sale.idempotencyKey }],
    );
  return decision(
    [{ type: 'refundRequested', ...about }],
    [{ type: 'create', idempotencyKey: about.request.idempotencyKey }],
  );
}

/**
 * What follows when `input` happens to a payment or a refund. Pure. The caller writes the events to
 * disk, then carries out the effects; each effect's answer comes back as an input. An input that
 * means nothing in a state (a late answer, a second abort) changes nothing.
 */
export function decide(
  payment: Payment,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision;
export function decide(
  refund: Refund,
  input: RefundInput,
  capabilities: Capabilities,
): RefundDecision;
export function decide(
  state: AnySettlement,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  const inOneStep = isOneStep(state, capabilities)
    ? decideOneStep(state, input, capabilities)
    : null;
  if (inOneStep !== null) return inOneStep;
  switch (state.kind) {
    case 'creating':
      return whileCreating(state, input, capabilities);
    case 'resolving':
      return whileResolving(state, input, capabilities);
    case 'clearing':
      return whileClearing(input);
    case 'awaiting':
      return whileAwaiting(state, input, capabilities);
    case 'offering':
      return whileOffering(state, input);
    case 'held':
      return whileHeld(state, input, capabilities);
    case 'capturing':
      return whileCapturing(state, input, capabilities);
    case 'cancelling':
      return whileCancelling(state, input, capabilities);
    case 'notPaid':
    case 'notRefunded':
      return whileNotDone(state, input);
    case 'paid':
    case 'refunded':
    case 'elsewhere':
    case 'needsPerson':
      return nothing;
  }
}

/**
 * The decision against the money is final once it is on disk, so nobody need wait for the service
 * to confirm it.
 */
const giveUp = (reason: AnyTerms['reason'], ...next: readonly AnyEffect[]): AnyDecision =>
  decision([{ type: 'cancelIntended', reason }], [{ type: 'conclude' }, ...next]);

/** Called only with the decision to capture on disk. */
const capture = (id: AnyTerms['id']): readonly AnyEffect[] => [
  { type: 'conclude' },
  { type: 'capture', ...idIn(id) },
];
const cancel = (id: AnyTerms['id']): AnyEffect => ({ type: 'cancel', ...idIn(id) });
const poll = (id: AnyTerms['id']): AnyEffect => ({ type: 'poll', ...idIn(id) });

/**
 * The payment or refund is open at the service: it is polled, and its code is shown where it has
 * one.
 */
const opened = (
  state: AnySettlement,
  found: AnyTerms['id'],
  { codePerPayment }: Capabilities,
): AnyDecision =>
  decision(
    [createdEvent(state, found)],
    codePerPayment && 'sale' in state && state.sale.flow === 'initiate'
      ? [poll(found), { type: 'showCode', ...idIn(found) }]
      : [poll(found)],
  );

function whileCreating(
  state: State<'creating'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return opened(state, input.answer, capabilities);
        case 'blocked':
          // Cleared only once: a point of sale that is blocked again is in use by somebody else.
          return state.clearedBefore
            ? end('refusedByService')
            : decision([{ type: 'pointOfSaleBlocked' }], [{ type: 'clearPointOfSale' }]);
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
      return giveUp('interrupted', { type: 'identify', idempotencyKey: state.idempotencyKey });
    default:
      return nothing;
  }
}

function whileResolving(
  state: State<'resolving'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  // Whoever waits need not wait until it is certain.
  const givenUp = giveUp('serviceUnreachable', {
    type: 'wait',
    delayMs: retryDelayMs(1, capabilities),
  });
  switch (input.type) {
    case 'lookedUp':
      return input.found === null ? givenUp : opened(state, input.found, capabilities);
    case 'lookUpFailed':
      return givenUp;
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: state.idempotencyKey });
    default:
      return nothing;
  }
}

function whileClearing(input: AnyInput): AnyDecision {
  switch (input.type) {
    case 'cleared':
      // A new key: the first attempt was answered, so this is a new request for the same sale.
      return decision(
        [{ type: 'createRepeated', idempotencyKey: input.newIdempotencyKey }],
        [{ type: 'create', idempotencyKey: input.newIdempotencyKey }],
      );
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

function whileAwaiting(
  state: State<'awaiting'>,
  input: AnyInput,
  capabilities: Capabilities,
): AnyDecision {
  switch (input.type) {
    case 'polled':
      return onPollWhileAwaiting(state, input, capabilities);
    case 'pollFailed':
      return input.credentialsRefused
        ? giveUp(state.stop ?? 'credentialsRefused', cancel(state))
        : pollOrStop(state, capabilities);
    case 'pollNotFound':
      return giveUp(state.stop ?? 'refusedByService', cancel(state));
    case 'readyRefused':
      // It is not prepared any more: the next poll says what it is.
      if (input.reason === 'wrongState') return nothing;
      return giveUp(
        input.reason === 'notOnboarded' || input.reason === 'credentialsRefused'
          ? input.reason
          : 'refusedByService',
        cancel(state),
      );
    case 'amountAgreed':
      // A poll is under way as well, and repeats the request while it is needed.
      return isToBeAgreed(state)
        ? decision(
            [{ type: 'amountAgreed', amountMinor: input.amountMinor }],
            [{ type: 'ready', ...idIn(state) }],
          )
        : nothing;
    case 'stopRequested':
      return onStopWhileAwaiting(state, input.reason, capabilities);
    case 'cancelUnapprovedAnswered':
      return onCancelUnapproved(state, input.answer);
    case 'codeMissing':
      return state.stop === null ? giveUp('codeNotShown', cancel(state)) : nothing;
    case 'restarted':
      // Whatever its state is by now, the decision is made without waiting for a poll.
      return giveUp('interrupted', cancel(state));
    default:
      return nothing;
  }
}

/** Whether the customer is found and the amount can still be agreed. */
export const isToBeAgreed = (state: AnySettlement): boolean =>
  state.kind === 'awaiting' &&
  'sale' in state &&
  state.status === 'paired' &&
  state.stop === null &&
  isAmountOpen(state.sale);

/** Where the answer to a cancel tells who was first, a poll that does not tell decides nothing. */
function pollOrStop(
  state: State<'awaiting'>,
  { cancelTellsWhoWasFirst }: Capabilities,
): AnyDecision {
  return state.stop === null || cancelTellsWhoWasFirst
    ? onlyEffects(poll(state))
    : giveUp(state.stop, cancel(state));
}

/**
 * How long a request to stop waits for a poll. One is due each second (document 4, section 1.7),
 * but a service may name an hour, and nobody at the counter waits for that: it is cancelled then,
 * which takes back a reservation too.
 */
const stopPatienceMs = 10_000;
/**
 * How long a stop waits for the answer of a cancel with a condition, which is not queued. A till's
 * own timeout is longer (document 5, section 8.5).
 */
const cancelPatienceMs = 5_000;

/**
 * The cancel with a condition was answered. Where it did nothing, or nobody knows, the polls tell
 * within what is left of the wait: reserved is paid. It is not repeated: whoever wants out has to
 * be answered, and the cancel that follows the decision takes back a reservation too.
 */
function onCancelUnapproved(state: State<'awaiting'>, answer: SettleAnswer): AnyDecision {
  if (state.stop === null) return nothing;
  return answer.kind === 'done' ? end(state.stop) : onlyEffects(poll(state));
}

function onStopWhileAwaiting(
  state: State<'awaiting'>,
  reason: AnyTerms['stop'],
  { cancelTellsWhoWasFirst }: Capabilities,
): AnyDecision {
  const now = giveUp(reason, cancel(state));
  if (!kindOf(state).isApprovedByCustomer) return now;
  switch (reason) {
    case 'cancelledByManager':
    case 'tillGone':
    case 'interrupted':
      // Nobody is left who could be told "paid".
      return now;
    case 'leftByCashier':
      // The poll that was to tell has not come back; the lane has measured how long it waited.
      return state.stop === null ? nothing : now;
    case 'cancelledByTill':
    case 'cancelledByCashier':
    case 'timedOut':
      if (state.stop === null && cancelTellsWhoWasFirst) {
        const cancelUnapproved: AnyEffect = { type: 'cancelUnapproved', ...idIn(state) };
        return decision(
          [{ type: 'stopRequested', reason }],
          [cancelUnapproved, { type: 'endWait', delayMs: cancelPatienceMs }],
        );
      }
      // A poll is always under way here; if it shows in time that the customer was faster, the sale
      // ends as paid.
      if (state.stop === null)
        return decision(
          [{ type: 'stopRequested', reason }],
          [{ type: 'endWait', delayMs: stopPatienceMs }],
        );
      return reason === 'timedOut' ? giveUp(state.stop, cancel(state)) : nothing;
  }
}

function onPollWhileAwaiting(
  state: State<'awaiting'>,
  polled: Extract<AnyInput, { type: 'polled' }>,
  capabilities: Capabilities,
): AnyDecision {
  const { stop } = state;
  switch (polled.status) {
    case 'prepared':
    case 'initiated':
    case 'paired':
    case 'issuedToUser': {
      if (stop !== null) return pollOrStop(state, capabilities);
      const events =
        polled.status === state.status
          ? []
          : [{ type: 'statusSeen', status: polled.status } as const];
      // The request is repeated at each poll while it is needed, because its own answer may have
      // been lost.
      const isReadyDue =
        'sale' in state &&
        state.sale.flow === 'prepare' &&
        polled.status === 'paired' &&
        !isAmountOpen(state.sale);
      return decision(
        events,
        isReadyDue ? [{ type: 'ready', ...idIn(state) }, poll(state)] : [poll(state)],
      );
    }
    case 'unknown':
    case 'missing':
      return pollOrStop(state, capabilities);
    case 'reserved':
      if (!isAsAsked(state, polled)) return giveUp('amountMismatch', cancel(state));
      if ('sale' in state && state.sale.plannedCaptureDelay !== undefined) return hold(polled);
      return decision(
        [captureIntended(polled)],
        isOffered(state) ? [{ type: 'offer' }] : capture(state),
      );
    case 'captured':
      return decision([unasked(state, polled)], [{ type: 'conclude' }]);
    case 'cancelledByUser':
      return end(isDeclined(state, polled) ? 'declinedByCustomer' : 'cancelledByCustomer');
    case 'cancelledByClient':
      return end(stop ?? 'cancelledByService');
    case 'cancelledByService':
      return end('cancelledByService');
    case 'expired':
      return end('expired');
  }
}

/**
 * Whether the customer declined: the service says so, or the amount was on the customer's phone.
 */
const isDeclined = (state: State<'awaiting'>, polled: AnyTerms['seen']): boolean =>
  'declined' in polled && polled.declined !== undefined
    ? polled.declined
    : state.status === 'issuedToUser';

/**
 * Whether the amount is the one that was requested. The service tells the amount of payments only.
 * Nothing can be reserved before its amount is on disk.
 */
function isAsAsked(state: AnySettlement, polled: AnyTerms['seen']): boolean {
  if (!('sale' in state)) return true;
  const { sale } = state;
  return (
    'amountMinor' in polled &&
    polled.amountMinor === sale.amountMinor &&
    polled.currency === sale.currency &&
    !isAmountOpen(sale)
  );
}

/**
 * Whoever asked for it is told "reserved" before it is held: a reservation that nobody knows of
 * would block the customer's money for days.
 */
const hold = (polled: Extract<AnyInput, { type: 'polled' }>): AnyDecision =>
  decision([{ type: 'holdIntended', ...reservationIn(polled) }], [{ type: 'offer' }]);

const captureIntended = (polled: Extract<AnyInput, { type: 'polled' }>): AnyEvent =>
  reservationIn(polled).partialCapturePossible
    ? { type: 'captureIntended', partialCapturePossible: true }
    : { type: 'captureIntended' };

const reservationIn = (polled: Extract<AnyInput, { type: 'polled' }>) => ({
  expiresAtMs: 'expiresAtMs' in polled ? (polled.expiresAtMs ?? null) : null,
  partialCapturePossible:
    'partialCapturePossible' in polled && polled.partialCapturePossible === true,
});

function whileOffering(state: State<'offering'>, input: AnyInput): AnyDecision {
  switch (input.type) {
    case 'tillAnswered':
      if (!input.acknowledged) return giveUp('notDelivered', cancel(state));
      return input.handedOutMinor === undefined
        ? onAcknowledged(state)
        : onHandedOutInPart(state, input.handedOutMinor);
    case 'restarted':
      return giveUp('interrupted', cancel(state));
    default:
      return nothing;
  }
}

function onAcknowledged(state: State<'offering'>): AnyDecision {
  if ('sale' in state && state.reservation !== undefined)
    return decision(
      [{ type: 'tillAcknowledged' }],
      [
        { type: 'conclude' },
        { type: 'watchReservation', expiresAtMs: state.reservation.expiresAtMs },
      ],
    );
  return decision([{ type: 'tillAcknowledged' }], capture(state));
}

/**
 * Goods are in the customer's hands, so that this is never cancelled. Where the service captures
 * all or nothing, all of it is captured, which the till is told; a reservation is then held.
 */
function onHandedOutInPart(state: State<'offering'>, handedOutMinor: number): AnyDecision {
  if (!('sale' in state)) return giveUp('notDelivered', cancel(state));
  const { sale, reservation } = state;
  const refusal = whyNotCaptured(
    {
      sale,
      reservation: reservation ?? { partialCapturePossible: state.partialCapturePossible === true },
    },
    handedOutMinor,
  );
  if (refusal === 'amountTooSmall' || refusal === 'amountTooHigh')
    return giveUp('notDelivered', cancel(state));
  if (reservation === undefined)
    return handedOutMinor === sale.amountMinor
      ? onAcknowledged(state)
      : decision([{ type: 'tillAcknowledged', handedOutMinor }], capture(state));
  if (refusal !== null) return onAcknowledged(state);
  return decision(
    [{ type: 'tillAcknowledged' }, { type: 'captureIntended', amountMinor: handedOutMinor }],
    capture(state),
  );
}

/** A held reservation stays as it is after a restart. */
function whileHeld(state: State<'held'>, input: AnyInput, capabilities: Capabilities): AnyDecision {
  switch (input.type) {
    case 'bookingRequested': {
      const { booking } = input;
      if (
        !('sale' in state) ||
        (booking.kind === 'capture' && whyNotCaptured(state, booking.amountMinor) !== null)
      )
        return nothing;
      return decision([{ type: 'bookingRequested', booking }]);
    }
    case 'captureRequested': {
      const { amountMinor, by } = input;
      if (!('sale' in state) || whyNotCaptured(state, amountMinor) !== null) return nothing;
      return decision(
        [{ type: 'captureIntended', amountMinor, ...(by !== undefined && { by }) }],
        [{ type: 'capture', ...idIn(state) }],
      );
    }
    case 'releaseRequested':
      return decision([{ type: 'cancelIntended', reason: input.reason }], [cancel(state)]);
    case 'retryDue':
    case 'restarted':
      return onlyEffects(poll(state));
    case 'polled':
      return onPollWhileHeld(state, input);
    case 'pollNotFound':
      return decision([{ type: 'ended', reason: 'cancelledByService' }]);
    case 'pollFailed':
      return onlyEffects({ type: 'wait', delayMs: retryDelayMs(longestHeldRetries, capabilities) });
    default:
      return nothing;
  }
}

/** A failed poll of a reservation may be repeated slowly. */
const longestHeldRetries = 20;

/** The service alone knows when a reservation has ended. */
function onPollWhileHeld(
  state: State<'held'>,
  polled: Extract<AnyInput, { type: 'polled' }>,
): AnyDecision {
  switch (polled.status) {
    case 'captured':
      return decision([unasked(state, polled)]);
    case 'expired':
      return decision([{ type: 'ended', reason: 'expired' }]);
    case 'cancelledByUser':
    case 'cancelledByClient':
    case 'cancelledByService':
      return decision([{ type: 'ended', reason: 'cancelledByService' }]);
    default:
      return onlyEffects({ type: 'watchReservation', expiresAtMs: state.reservation.expiresAtMs });
  }
}
