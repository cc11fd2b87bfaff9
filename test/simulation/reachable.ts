/**
 * Which inputs can reach which states, as far as the machines tell them apart: all of it, explored from the first decision on. Each effect
 * under way can be answered in every way in which the service, the till and the network can answer it; people and restarts come at any time.
 */
import { apply } from '../../main/payment/apply.ts';
import { begin, decide } from '../../main/payment/decide.ts';
import { isFinal, type Payment, type PaymentInput, type Sale, type StopReason, type WalletStatus } from '../../main/payment/payment.ts';
import { applyRefund } from '../../main/payment/refund-apply.ts';
import { beginRefund, decideRefund } from '../../main/payment/refund-decide.ts';
import { isFinalRefund, type Refund, type RefundInput, type RefundRequest, type RefundStatus, type RefundStopReason } from '../../main/payment/refund.ts';
import { paymentPair, refundPair } from './coverage.ts';

interface Machine<State, Input, Effect extends { readonly type: string }> {
  readonly first: readonly { readonly state: State; readonly effects: readonly Effect[] }[];
  readonly next: (state: State, input: Input) => { readonly state: State; readonly effects: readonly Effect[] };
  readonly answers: (effect: string, state: State) => readonly Input[];
  /** What can come at any time, whatever is under way. `restarted` drops what is under way. */
  readonly atAnyTime: (state: State) => readonly Input[];
  readonly restarted: Input;
  readonly isFinal: (state: State) => boolean;
  readonly pair: (state: State, input: Input) => string;
}

/** A run keeps one poll at most, and drops it for a cancel. */
const replacedBy: Readonly<Record<string, readonly string[]>> = { cancel: ['poll', 'cancel'] };

function explore<State, Input, Effect extends { readonly type: string }>(machine: Machine<State, Input, Effect>): Set<string> {
  const pairs = new Set<string>();
  const seen = new Set<string>();
  const open: { state: State; underWay: readonly string[] }[] = [];
  const visit = (state: State, before: readonly string[], effects: readonly Effect[]): void => {
    let underWay = [...before];
    for (const { type } of effects) {
      if (type === 'conclude') continue;
      underWay = underWay.filter((other) => !(replacedBy[type]?.includes(other) ?? other === type));
      underWay.push(type);
    }
    underWay.sort();
    const key = JSON.stringify([state, underWay]);
    if (seen.has(key)) return;
    seen.add(key);
    open.push({ state, underWay });
  };
  for (const { state, effects } of machine.first) visit(state, [], effects);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { state, underWay } = at;
    const take = (input: Input, rest: readonly string[]): void => {
      pairs.add(machine.pair(state, input));
      const { state: after, effects } = machine.next(state, input);
      visit(after, rest, effects);
    };
    for (const effect of underWay) {
      for (const input of machine.answers(effect, state)) {
        take(
          input,
          underWay.filter((other) => other !== effect),
        );
      }
    }
    for (const input of machine.atAnyTime(state)) take(input, underWay);
    if (!machine.isFinal(state)) take(machine.restarted, []);
  }
  return pairs;
}

const detail = 'no answer';
const unknown = { kind: 'unknown', detail } as const;
const settleAnswers = [{ kind: 'done' }, { kind: 'refused', detail }, { kind: 'notFound' }, unknown] as const;
const statuses: readonly WalletStatus[] = [
  'prepared',
  'initiated',
  'paired',
  'issuedToUser',
  'reserved',
  'captured',
  'cancelledByUser',
  'cancelledByClient',
  'cancelledByService',
  'expired',
]; // prettier-ignore

const sale: Sale = {
  saleId: 'sale',
  orderId: 'order',
  laneId: '1',
  posId: 'pos',
  flow: 'prepare',
  idempotencyKey: 'key',
  deadlineMs: 1,
  startedAtMs: 1,
  amountMinor: 1,
  currency: 'DKK',
  receiptNumber: 1,
  traceNumber: 1,
}; // prettier-ignore

/** As the lane asks: people are told that it is too late once it is promised or decided; deadlines, and the end of the daemon, come all the same. */
const lateStops: Readonly<Partial<Record<Payment['kind'], readonly StopReason[]>>> = {
  offering: ['timedOut', 'interrupted'],
  capturing: ['timedOut'],
  cancelling: ['timedOut', 'cancelledByTill', 'tillGone'],
};
const stops: readonly StopReason[] = ['cancelledByTill', 'cancelledByCashier', 'timedOut', 'tillGone', 'interrupted'];

function paymentAnswers(effect: string): readonly PaymentInput[] {
  switch (effect) {
    case 'create':
      return [
        { kind: 'created', paymentId: 'payment' } as const,
        { kind: 'blocked' } as const,
        { kind: 'refused', reason: 'refusedByService' } as const,
        unknown,
      ].map((answer): PaymentInput => ({ type: 'createAnswered', answer }));
    case 'lookUp':
      return [
        { type: 'lookedUp', found: null },
        { type: 'lookedUp', found: { paymentId: 'payment' } },
        { type: 'lookUpFailed', detail },
      ];
    case 'clearPointOfSale':
      return [
        { type: 'cleared', newIdempotencyKey: 'key' },
        { type: 'clearFailed', detail },
      ];
    case 'ready':
      return [{ type: 'readyRefused', code: '1303', detail }];
    case 'poll':
      return [
        ...statuses.map((status): PaymentInput => ({ type: 'polled', status, amountMinor: 1, currency: 'DKK' })),
        { type: 'pollNotFound' },
        { type: 'pollFailed', detail },
      ];
    case 'offerPaid':
      return [true, false].map((acknowledged): PaymentInput => ({ type: 'tillAnswered', acknowledged }));
    case 'capture':
      return settleAnswers.map((answer): PaymentInput => ({ type: 'captureAnswered', answer }));
    case 'cancel':
      return settleAnswers.map((answer): PaymentInput => ({ type: 'cancelAnswered', answer }));
    case 'wait':
      return [{ type: 'retryDue' }];
    default:
      throw new Error(`nobody knows how ${effect} is answered`);
  }
}

/** Attempts that failed are counted to two: more make no difference. */
const few = <State>(state: State): State => {
  const counted = state as State & { failedAttempts?: number };
  return counted.failedAttempts !== undefined && counted.failedAttempts > 2 ? { ...state, failedAttempts: 2 } : state;
};

export function reachablePaymentPairs(): Set<string> {
  const { events, effects } = begin(sale);
  const follow = (state: Payment | null, list: typeof events): Payment =>
    list.reduce<Payment | null>((payment, event) => apply(payment, event), state) as Payment;
  return explore<Payment, PaymentInput, { readonly type: string }>({
    first: [{ state: follow(null, events), effects }],
    next(state, input) {
      const decision = decide(state, input);
      return { state: few(follow(state, decision.events)), effects: decision.effects };
    },
    answers: paymentAnswers,
    atAnyTime: (state) => (isFinal(state) ? [] : (lateStops[state.kind] ?? stops).map((reason) => ({ type: 'stopRequested', reason }))),
    restarted: { type: 'restarted' },
    isFinal,
    pair: paymentPair,
  });
}

const refundStatuses: readonly RefundStatus[] = ['initiated', 'reserved', 'captured', 'cancelledByClient', 'cancelledByService'];
const refundRequest: RefundRequest = {
  refundOrderId: 'refund',
  saleId: 'sale',
  laneId: '1',
  paymentId: 'payment',
  idempotencyKey: 'key',
  by: { kind: 'till' },
  note: null,
  deadlineMs: 1,
  startedAtMs: 1,
  amountMinor: 1,
  currency: 'DKK',
  receiptNumber: 2,
  traceNumber: 2,
  originalReceiptNumber: 1,
  originalTraceNumber: 1,
}; // prettier-ignore

function refundAnswers(effect: string): readonly RefundInput[] {
  switch (effect) {
    case 'create':
      return [{ kind: 'created', refundId: 'refund' } as const, { kind: 'refused', reason: 'refusedByService' } as const, unknown].map(
        (answer): RefundInput => ({ type: 'createAnswered', answer }),
      );
    case 'lookUp':
      return [
        { type: 'lookedUp', found: null },
        { type: 'lookedUp', found: { refundId: 'refund' } },
        { type: 'lookUpFailed', detail },
      ];
    case 'poll':
      return [...refundStatuses.map((status): RefundInput => ({ type: 'polled', status })), { type: 'pollNotFound' }, { type: 'pollFailed', detail }];
    case 'offerRefunded':
      return [true, false].map((acknowledged): RefundInput => ({ type: 'tillAnswered', acknowledged }));
    case 'capture':
      return settleAnswers.map((answer): RefundInput => ({ type: 'captureAnswered', answer }));
    case 'cancel':
      return settleAnswers.map((answer): RefundInput => ({ type: 'cancelAnswered', answer }));
    case 'wait':
      return [{ type: 'retryDue' }];
    default:
      throw new Error(`nobody knows how ${effect} is answered`);
  }
}

const refundStops: Readonly<Record<RefundRequest['by']['kind'], readonly RefundStopReason[]>> = {
  till: ['cancelledByTill', 'timedOut', 'tillGone', 'interrupted'],
  manager: ['cancelledByManager', 'timedOut', 'interrupted'],
};

const lateRefundStops: Readonly<Partial<Record<Refund['kind'], readonly RefundStopReason[]>>> = {
  offering: ['timedOut'],
  capturing: ['timedOut'],
  cancelling: ['timedOut', 'interrupted'],
};

export function reachableRefundPairs(): Set<string> {
  const follow = (state: Refund | null, events: ReturnType<typeof beginRefund>['events']): Refund =>
    events.reduce<Refund | null>((refund, event) => applyRefund(refund, event), state) as Refund;
  const requests: readonly RefundRequest[] = [refundRequest, { ...refundRequest, by: { kind: 'manager', name: 'Ms Moeller' } }];
  return explore<Refund, RefundInput, { readonly type: string }>({
    first: requests.map((request) => {
      const { events, effects } = beginRefund(request);
      return { state: follow(null, events), effects };
    }),
    next(state, input) {
      const decision = decideRefund(state, input);
      return { state: few(follow(state, decision.events)), effects: decision.effects };
    },
    answers: refundAnswers,
    atAnyTime: (state) =>
      isFinalRefund(state) ? [] : (lateRefundStops[state.kind] ?? refundStops[state.request.by.kind]).map((reason) => ({ type: 'stopRequested', reason })),
    restarted: { type: 'restarted' },
    isFinal: isFinalRefund,
    pair: refundPair,
  });
}
