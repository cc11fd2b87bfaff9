import type { Capabilities } from './capabilities.ts';
import {
  isAmountOpen,
  type Payment,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentIn,
  type PaymentInput,
  type PolledPayment,
  type Sale,
  type StopReason,
} from './payment.ts';
import type { SettleAnswer } from './settlement.ts';
import { retryDelayMs } from './retry.ts';
import { capturedUnasked, otherCaptured, whyNotCaptured } from './reservation.ts';
import { whileHeld } from './held-decisions.ts';
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
export const beginPayment = (sale: Sale): PaymentDecision =>
  decision(
    [{ type: 'saleRequested', sale }],
    [{ type: 'create', idempotencyKey: sale.idempotencyKey }],
  );

/**
 * What follows when `input` happens to a payment. Pure. The caller writes the events to disk, then
 * carries out the effects; each effect's answer comes back as an input. An input that means nothing
 * in a payment (a late answer, a second abort) changes nothing.
 */
export function decidePayment(
  payment: Payment,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  switch (payment.kind) {
    case 'creating':
      return whileCreating(payment, input, capabilities);
    case 'resolving':
      return whileResolving(payment, input, capabilities);
    case 'clearing':
      return whileClearing(input);
    case 'awaiting':
      return whileAwaiting(payment, input, capabilities);
    case 'offering':
      return whileOffering(payment, input);
    case 'held':
      return whileHeld(payment, input, capabilities);
    case 'capturing':
      if (input.type === 'polled' && input.status === 'captured')
        return decision([
          otherCaptured(payment, input, 'otherAmountCaptured') ?? { type: 'captured' },
        ]);
      return whileCapturing(
        payment,
        idOf(payment),
        { type: 'personNeeded', problem: 'captureLost' } as const,
        input,
        capabilities,
      );
    case 'cancelling':
      return whileGivenUp(payment, input, capabilities);
    case 'notPaid':
      return whileNotPaid(payment, input);
    case 'paid':
    case 'elsewhere':
    case 'needsPerson':
      return nothing;
  }
}

const idOf = ({ paymentId }: { readonly paymentId: string }) => ({ paymentId });
const cancel = (payment: PaymentIn<'awaiting' | 'offering'>) =>
  ({ type: 'cancel', ...idOf(payment) }) as const;
const poll = (payment: PaymentIn<'awaiting'>) => ({ type: 'poll', ...idOf(payment) }) as const;
/** Called only with the decision to capture on disk. */
const capture = (payment: PaymentIn<'offering'>) =>
  [{ type: 'conclude' }, { type: 'capture', ...idOf(payment) }] as const;

/** The status is the first of its flow, until a poll tells more. */
const createdEvent = ({ sale }: Payment, paymentId: string): PaymentEvent => ({
  type: 'created',
  paymentId,
  status: sale.flow === 'prepare' ? 'prepared' : 'initiated',
});

/** The payment is open at the service: it is polled, and its code is shown where it has one. */
const opened = (
  payment: Payment,
  paymentId: string,
  { codePerPayment }: Capabilities,
): PaymentDecision =>
  decision(
    [createdEvent(payment, paymentId)],
    codePerPayment && payment.sale.flow === 'initiate'
      ? [
          { type: 'poll', paymentId },
          { type: 'showCode', paymentId },
        ]
      : [{ type: 'poll', paymentId }],
  );

function whileCreating(
  payment: PaymentIn<'creating'>,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return opened(payment, input.answer.paymentId, capabilities);
        case 'blocked':
          // Cleared only once: a point of sale that is blocked again is in use by somebody else.
          return payment.clearedBefore
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
      return giveUp('interrupted', { type: 'identify', idempotencyKey: payment.idempotencyKey });
    default:
      return nothing;
  }
}

function whileResolving(
  payment: PaymentIn<'resolving'>,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  // Do not make the till wait for certainty.
  const unreachable = (): PaymentDecision =>
    giveUp('serviceUnreachable', { type: 'wait', delayMs: retryDelayMs(1, capabilities) });
  switch (input.type) {
    case 'lookedUp':
      return input.found === null
        ? unreachable()
        : opened(payment, input.found.paymentId, capabilities);
    case 'lookUpFailed':
      return unreachable();
    case 'stopRequested':
      return giveUp(input.reason);
    case 'restarted':
      return giveUp('interrupted', { type: 'identify', idempotencyKey: payment.idempotencyKey });
    default:
      return nothing;
  }
}

function whileClearing(input: PaymentInput): PaymentDecision {
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
  payment: PaymentIn<'awaiting'>,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  switch (input.type) {
    case 'polled':
      return onPollWhileAwaiting(payment, input, capabilities);
    case 'pollFailed':
      return input.credentialsRefused
        ? giveUp(payment.stop ?? 'credentialsRefused', cancel(payment))
        : pollOrStop(payment, capabilities);
    case 'pollNotFound':
      return giveUp(payment.stop ?? 'refusedByService', cancel(payment));
    case 'readyRefused':
      // It is not prepared any more: the next poll says what it is.
      if (input.reason === 'wrongState') return nothing;
      return giveUp(
        input.reason === 'notOnboarded' || input.reason === 'credentialsRefused'
          ? input.reason
          : 'refusedByService',
        cancel(payment),
      );
    case 'amountAgreed':
      // A poll is under way as well, and repeats the request while it is needed.
      return isToBeAgreed(payment)
        ? decision(
            [{ type: 'amountAgreed', amountMinor: input.amountMinor }],
            [{ type: 'ready', ...idOf(payment) }],
          )
        : nothing;
    case 'stopRequested':
      return onStopWhileAwaiting(payment, input.reason, capabilities);
    case 'cancelUnapprovedAnswered':
      return onCancelUnapproved(payment, input.answer);
    case 'codeMissing':
      return payment.stop === null ? giveUp('codeNotShown', cancel(payment)) : nothing;
    case 'restarted':
      // The decision does not wait for a poll, so it holds in every status of the payment.
      return giveUp('interrupted', cancel(payment));
    default:
      return nothing;
  }
}

/** Whether the customer is found and the amount can still be agreed. */
export const isToBeAgreed = (payment: Payment): boolean =>
  payment.kind === 'awaiting' &&
  payment.status === 'paired' &&
  payment.stop === null &&
  isAmountOpen(payment.sale);

/** Where the answer to a cancel tells who was first, a poll that does not tell decides nothing. */
function pollOrStop(
  payment: PaymentIn<'awaiting'>,
  { cancelTellsWhoWasFirst }: Capabilities,
): PaymentDecision {
  return payment.stop === null || cancelTellsWhoWasFirst
    ? onlyEffects(poll(payment))
    : giveUp(payment.stop, cancel(payment));
}

/**
 * How long a request to stop waits for a poll. One is due each second (document 4, section 1.7),
 * but a service may name an hour, and nobody at the counter waits for that: it is cancelled then,
 * which takes back a reservation too.
 */
const stopTimeoutMs = 10_000;
/**
 * How long a stop waits for the answer of a cancel with a condition, which is not queued. A till's
 * own timeout is longer (document 5, section 8.5).
 */
const cancelTimeoutMs = 5_000;

/**
 * The cancel with a condition was answered. Where it did nothing, or nobody knows, the polls tell
 * within what is left of the wait: reserved is paid. It is not repeated: the till needs an
 * answer, and the cancel that follows the decision takes back a reservation too.
 */
function onCancelUnapproved(payment: PaymentIn<'awaiting'>, answer: SettleAnswer): PaymentDecision {
  if (payment.stop === null) return nothing;
  return answer.kind === 'done' ? end(payment.stop) : onlyEffects(poll(payment));
}

function onStopWhileAwaiting(
  payment: PaymentIn<'awaiting'>,
  reason: StopReason,
  { cancelTellsWhoWasFirst }: Capabilities,
): PaymentDecision {
  switch (reason) {
    case 'tillGone':
    case 'interrupted':
      // Nobody is left who could be told "paid".
      return giveUp(reason, cancel(payment));
    case 'leftByCashier':
      // The poll that was to tell has not come back; the lane has measured how long it waited.
      return payment.stop === null ? nothing : giveUp(reason, cancel(payment));
    case 'cancelledByTill':
    case 'cancelledByCashier':
    case 'timedOut':
      if (payment.stop === null && cancelTellsWhoWasFirst) {
        return decision(
          [{ type: 'stopRequested', reason }],
          [
            { type: 'cancelUnapproved', ...idOf(payment) },
            { type: 'endWait', delayMs: cancelTimeoutMs },
          ],
        );
      }
      // A poll is always under way here; if it shows in time that the customer was faster, the sale
      // ends as paid.
      if (payment.stop === null)
        return decision(
          [{ type: 'stopRequested', reason }],
          [{ type: 'endWait', delayMs: stopTimeoutMs }],
        );
      return reason === 'timedOut' ? giveUp(payment.stop, cancel(payment)) : nothing;
  }
}

function onPollWhileAwaiting(
  payment: PaymentIn<'awaiting'>,
  polled: PolledPayment,
  capabilities: Capabilities,
): PaymentDecision {
  const { stop } = payment;
  switch (polled.status) {
    case 'prepared':
    case 'initiated':
    case 'paired':
    case 'issuedToUser': {
      if (stop !== null) return pollOrStop(payment, capabilities);
      const events =
        polled.status === payment.status
          ? []
          : [{ type: 'statusSeen', status: polled.status } as const];
      // The request is repeated at each poll while it is needed, because its own answer may have
      // been lost.
      const isReadyDue =
        payment.sale.flow === 'prepare' &&
        polled.status === 'paired' &&
        !isAmountOpen(payment.sale);
      return decision(
        events,
        isReadyDue ? [{ type: 'ready', ...idOf(payment) }, poll(payment)] : [poll(payment)],
      );
    }
    case 'unknown':
      return pollOrStop(payment, capabilities);
    case 'reserved':
      if (!isRequestedAmount(payment, polled)) return giveUp('amountMismatch', cancel(payment));
      if (payment.sale.plannedCaptureDelay !== undefined) return hold(polled);
      return decision([captureIntended(polled)], [{ type: 'offer' }]);
    case 'captured':
      return decision([capturedUnasked(payment, polled)], [{ type: 'conclude' }]);
    case 'cancelledByUser':
      return end(isDeclined(payment, polled) ? 'declinedByCustomer' : 'cancelledByCustomer');
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
const isDeclined = (payment: PaymentIn<'awaiting'>, polled: PolledPayment): boolean =>
  polled.declined ?? payment.status === 'issuedToUser';

/**
 * Whether the amount is the one that was requested. Nothing can be reserved before its amount is on
 * disk.
 */
function isRequestedAmount(payment: Payment, polled: PolledPayment): boolean {
  const { sale } = payment;
  return (
    polled.amountMinor === sale.amountMinor &&
    polled.currency === sale.currency &&
    !isAmountOpen(sale)
  );
}

/**
 * The till is told "reserved" before the reservation is held: an unknown reservation would block
 * the customer's money for days.
 */
const hold = (polled: PolledPayment): PaymentDecision =>
  decision([{ type: 'holdIntended', ...reservationIn(polled) }], [{ type: 'offer' }]);

const captureIntended = (polled: PolledPayment): PaymentEvent =>
  reservationIn(polled).partialCapturePossible
    ? { type: 'captureIntended', partialCapturePossible: true }
    : { type: 'captureIntended' };

const reservationIn = (polled: PolledPayment) => ({
  expiresAtMs: polled.expiresAtMs ?? null,
  partialCapturePossible: polled.partialCapturePossible === true,
});

function whileOffering(payment: PaymentIn<'offering'>, input: PaymentInput): PaymentDecision {
  switch (input.type) {
    case 'tillAnswered':
      if (!input.acknowledged) return giveUp('notDelivered', cancel(payment));
      return input.handedOutMinor === undefined
        ? onAcknowledged(payment)
        : onHandedOutInPart(payment, input.handedOutMinor);
    case 'restarted':
      return giveUp('interrupted', cancel(payment));
    default:
      return nothing;
  }
}

function onAcknowledged(payment: PaymentIn<'offering'>): PaymentDecision {
  if (payment.reservation !== undefined)
    return decision(
      [{ type: 'tillAcknowledged' }],
      [
        { type: 'conclude' },
        { type: 'watchReservation', expiresAtMs: payment.reservation.expiresAtMs },
      ],
    );
  return decision([{ type: 'tillAcknowledged' }], capture(payment));
}

/**
 * Goods are in the customer's hands, so that this is never cancelled. Where the service captures
 * all or nothing, all of it is captured, which the till is told; a reservation is then held.
 */
function onHandedOutInPart(
  payment: PaymentIn<'offering'>,
  handedOutMinor: number,
): PaymentDecision {
  const { sale, reservation } = payment;
  const refusal = whyNotCaptured(
    {
      sale,
      reservation: reservation ?? {
        partialCapturePossible: payment.partialCapturePossible === true,
      },
    },
    handedOutMinor,
  );
  if (refusal === 'amountTooSmall' || refusal === 'amountTooHigh')
    return giveUp('notDelivered', cancel(payment));
  if (reservation === undefined)
    return handedOutMinor === sale.amountMinor
      ? onAcknowledged(payment)
      : decision([{ type: 'tillAcknowledged', handedOutMinor }], capture(payment));
  if (refusal !== null) return onAcknowledged(payment);
  return decision(
    [{ type: 'tillAcknowledged' }, { type: 'captureIntended', amountMinor: handedOutMinor }],
    capture(payment),
  );
}

function whileGivenUp(
  payment: PaymentIn<'cancelling'>,
  input: PaymentInput,
  capabilities: Capabilities,
): PaymentDecision {
  const { paymentId, reason } = payment;
  const ended = { type: 'ended', reason } as const;
  if (paymentId === null) {
    const createdId = idNamedBy(input);
    return createdId === null
      ? whileCancellingUnidentified(payment, ended, input, capabilities)
      : decision([createdEvent(payment, createdId)], [{ type: 'cancel', paymentId: createdId }]);
  }
  if (input.type === 'polled' && input.status === 'captured')
    return decision([capturedUnasked(payment, input)]);
  return whileCancelling(payment, { paymentId }, ended, input, capabilities);
}

/**
 * The create request arrived after the service had denied it. The till was told "not paid" long
 * ago, so the payment is cancelled.
 */
function whileNotPaid(payment: PaymentIn<'notPaid'>, input: PaymentInput): PaymentDecision {
  if (payment.paymentId !== null || input.type !== 'lookedUp' || input.found === null)
    return nothing;
  const { paymentId } = input.found;
  return decision([{ type: 'foundLate', paymentId }], [{ type: 'cancel', paymentId }]);
}

function idNamedBy(input: PaymentInput): string | null {
  if (input.type === 'lookedUp') return input.found?.paymentId ?? null;
  return input.type === 'createAnswered' && input.answer.kind === 'created'
    ? input.answer.paymentId
    : null;
}
