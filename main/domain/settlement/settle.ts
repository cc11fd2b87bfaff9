import type { Decision, Effect, Payment, PaymentEvent, PaymentInput, Sale, SettleAnswer, WalletStatus } from './payment.ts';
import { lookAgainDelayMs, notThereYet, retryDelayMs } from './retry.ts';

/** The second half of `decide`: what was decided is repeated until the service has confirmed it. */

export type State<Kind extends Payment['kind']> = Extract<Payment, { kind: Kind }>;

export const nothing: Decision = { events: [], effects: [] };
export const decision = (events: readonly PaymentEvent[], effects: readonly Effect[]): Decision => ({ events, effects });
export const onlyEffects = (...effects: readonly Effect[]): Decision => decision([], effects);

export function createdEvent(sale: Sale, paymentId: string): PaymentEvent {
  return { type: 'created', paymentId, status: sale.flow === 'prepare' ? 'prepared' : 'initiated' };
}

export function whileCapturing(payment: State<'capturing'>, input: PaymentInput): Decision {
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

export function whileCancelling(payment: State<'cancelling'>, paymentId: string, input: PaymentInput): Decision {
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
export function whileCancellingUnidentified(payment: State<'cancelling'>, input: PaymentInput): Decision {
  const ended = decision([{ type: 'ended', reason: payment.reason }], []);
  const identify: Effect = { type: 'identify', idempotencyKey: payment.idempotencyKey };
  switch (input.type) {
    case 'createAnswered':
      switch (input.answer.kind) {
        case 'created':
          return decision([createdEvent(payment.sale, input.answer.paymentId)], [{ type: 'cancel', paymentId: input.answer.paymentId }]);
        case 'blocked':
        case 'refused':
          return ended;
        case 'unknown':
          return decision([{ type: 'createUnknown', detail: input.answer.detail }], [identify]);
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
      return onlyEffects(identify);
    default:
      return nothing;
  }
}

/** The create request arrived when "there is none" was believed already: the till was told "not paid" long ago, so nobody claims it. */
export function whileNotPaid({ paymentId: known }: State<'notPaid'>, input: PaymentInput): Decision {
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
