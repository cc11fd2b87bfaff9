import { SettlementRunner } from '../../main/core/lane/settlement-runner.ts';
import type { SettlementInput, Settlement } from '../../main/core/settlement/payment-or-refund.ts';
import type { Payment, PaymentInput } from '../../main/core/settlement/payment.ts';
import type { Refund, RefundInput } from '../../main/core/settlement/refund.ts';

/** Which inputs were seen in which states, over all runs of this process. */
export const seenPairs = {
  v10: { payment: new Map<string, number>(), refund: new Map<string, number>() },
  epayment: { payment: new Map<string, number>(), refund: new Map<string, number>() },
} as const;

/** Distinguishes states and inputs as finely as the state machines do. */
export const paymentPair = (payment: Payment, input: PaymentInput): string =>
  pairOf(paymentState(payment), input);

const pairs = new Map<string, Map<string, Map<string, string>>>();

/** Cached, because a million runs have the same few hundred pairs. */
function pairOf(state: string, input: PaymentInput | RefundInput): string {
  let ofState = pairs.get(state);
  if (ofState === undefined) pairs.set(state, (ofState = new Map()));
  let ofInput = ofState.get(input.type);
  if (ofInput === undefined) ofState.set(input.type, (ofInput = new Map()));
  const detail = detailOf(input);
  let pair = ofInput.get(detail);
  if (pair === undefined)
    ofInput.set(detail, (pair = `${state} × ${input.type}${detail === '' ? '' : ` ${detail}`}`));
  return pair;
}

function paymentState(payment: Payment): string {
  switch (payment.kind) {
    case 'creating':
      return payment.clearedBefore ? 'creating again' : 'creating';
    case 'awaiting':
      return payment.stop === null ? 'awaiting' : 'awaiting, to be stopped';
    case 'cancelling':
      return payment.paymentId === null
        ? 'cancelling, unidentified'
        : payment.failedAttempts === 0
          ? 'cancelling'
          : 'cancelling again';
    case 'capturing':
      return payment.failedAttempts === 0 ? 'capturing' : 'capturing again';
    default:
      return payment.kind;
  }
}

/** What distinguishes inputs of one type; empty when nothing does. */
function detailOf(input: PaymentInput | RefundInput): string {
  switch (input.type) {
    case 'createAnswered':
    case 'captureAnswered':
    case 'cancelAnswered':
    case 'cancelUnapprovedAnswered':
      return input.answer.kind;
    case 'lookedUp':
      return input.found === null ? 'none' : 'found';
    case 'polled':
      return input.status;
    case 'stopRequested':
      return input.reason;
    case 'tillAnswered':
      return input.acknowledged ? 'yes' : 'no';
    default:
      return '';
  }
}

export const refundPair = (refund: Refund, input: RefundInput): string =>
  pairOf(refundState(refund), input);

function refundState(refund: Refund): string {
  const by = 'request' in refund && refund.request.by.kind === 'manager' ? ' (manager)' : '';
  switch (refund.kind) {
    case 'cancelling':
      return (
        (refund.refundId === null
          ? 'cancelling, unidentified'
          : refund.failedAttempts === 0
            ? 'cancelling'
            : 'cancelling again') + by
      );
    case 'capturing':
      return (refund.failedAttempts === 0 ? 'capturing' : 'capturing again') + by;
    default:
      return by === '' ? refund.kind : refund.kind + by;
  }
}

let isWatching = false;
let isDaemonAlive: () => boolean = () => true;
let tell: (pair: string, of: 'payment' | 'refund') => void = () => {};

/**
 * Sets, for the run that begins, whether the daemon is alive, and who is told about each input for
 * the story.
 */
export function listenToInputs(isAlive: () => boolean, listener: typeof tell): void {
  isDaemonAlive = isAlive;
  tell = listener;
}

/**
 * From now on every input of every run of this process is counted, but for those of a run that was
 * stopped, and of a daemon that has just died: they do nothing. The product itself offers no way to
 * count them.
 */
export function watchInputs(): void {
  if (isWatching) return;
  isWatching = true;
  const attempt = methodOfRunner('attempt');
  const takeNow = methodOfRunner('takeNow');
  const stop = methodOfRunner('stop');
  const stopped = new WeakSet<object>();
  SettlementRunner.prototype.stop = function (this: SettlementRunner<Settlement>): void {
    stopped.add(this);
    stop.call(this);
  };
  // `take` calls `attempt`.
  SettlementRunner.prototype.attempt = function (
    this: SettlementRunner<Settlement>,
    input: SettlementInput,
  ): boolean {
    if (!stopped.has(this) && isDaemonAlive()) count(this.state, input);
    return attempt.call(this, input) as boolean;
  };
  SettlementRunner.prototype.takeNow = function (
    this: SettlementRunner<Settlement>,
    input: SettlementInput,
  ): boolean {
    if (!stopped.has(this) && isDaemonAlive()) count(this.state, input);
    return takeNow.call(this, input) as boolean;
  };
}

const methodOfRunner = (name: 'attempt' | 'takeNow' | 'stop') =>
  Object.getOwnPropertyDescriptor(SettlementRunner.prototype, name)?.value as (
    this: unknown,
    input?: unknown,
  ) => unknown;

function count(state: Payment | Refund, input: unknown): void {
  const isSale = 'sale' in state;
  const { service = 'v10' } = isSale ? state.sale : state.request;
  const pair = isSale
    ? paymentPair(state, input as PaymentInput)
    : refundPair(state, input as RefundInput);
  const of = isSale ? 'payment' : 'refund';
  const seen = seenPairs[service][of];
  seen.set(pair, (seen.get(pair) ?? 0) + 1);
  tell(pair, of);
}
