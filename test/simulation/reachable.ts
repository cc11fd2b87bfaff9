/**
 * Which inputs can reach which states: all of it, explored from the first decision on, with what the lane, its run, the till and the
 * documented service can do in between. Each rule says where it is from.
 */
import { apply } from '../../main/payment/apply.ts';
import { begin, decide } from '../../main/payment/decide.ts';
import {
  type Decision,
  isFinal,
  isWaitedFor,
  type Payment,
  type PaymentInput,
  type Sale,
  type SettleAnswer,
  type StopReason,
  type WalletStatus,
} from '../../main/payment/payment.ts';
import { paymentPair } from './coverage.ts';
import { type Coming, explore } from './explore.ts';

export const detail = 'no answer';
const unknown = { kind: 'unknown', detail } as const;
export const settleAnswers: readonly SettleAnswer[] = [{ kind: 'done' }, { kind: 'refused', detail }, { kind: 'notFound' }, unknown];

type Known = Exclude<WalletStatus, 'unknown'>;

/** Where a payment goes from each state (document 4, section 1.3); one that the documents do not name does not come. */
const arrows: Readonly<Record<Known, readonly Known[]>> = {
  prepared: ['paired', 'initiated', 'cancelledByClient', 'cancelledByService'],
  paired: ['issuedToUser', 'cancelledByUser', 'cancelledByClient', 'cancelledByService'],
  initiated: ['issuedToUser', 'cancelledByClient', 'cancelledByService'],
  issuedToUser: ['reserved', 'cancelledByUser', 'cancelledByClient', 'cancelledByService'],
  reserved: ['captured', 'cancelledByClient', 'expired'],
  captured: [],
  cancelledByUser: [],
  cancelledByClient: [],
  cancelledByService: [],
  expired: [],
};

/** What a poll can show after another has shown `status`: the same, or what lies behind it. */
export function after<Status extends string>(arrowsOf: Readonly<Record<Status, readonly Status[]>>, status: Status): ReadonlySet<Status> {
  const found = new Set<Status>([status]);
  for (const one of found) for (const next of arrowsOf[one]) found.add(next);
  return found;
}

/** Attempts that failed are counted to two: more make no difference. */
export const few = <State extends object>(state: State): State =>
  'failedAttempts' in state && (state.failedAttempts as number) > 2 ? { ...state, failedAttempts: 2 } : state;

const sale: Sale = {
  saleId: 'sale',
  orderId: 'order',
  laneId: '1',
  posId: 'pos',
  flow: 'initiate',
  idempotencyKey: 'key',
  deadlineMs: 1,
  startedAtMs: 1,
  amountMinor: 1,
  currency: 'DKK',
  receiptNumber: 1,
  traceNumber: 1,
}; // prettier-ignore

/** Around a sale that the till waits for; after a restart nobody is, and no deadline runs (`SaleDesk.restart`). */
const around = ['deadline', 'till', 'cashier', 'end of the daemon'];

function coming(source: string, state: Payment, sources: ReadonlySet<string>, last: Known): readonly Coming<PaymentInput, Known>[] {
  const once = (...inputs: readonly PaymentInput[]) => inputs.map((input) => ({ input, ends: [source] }));
  const stop = (reason: StopReason, ...ends: readonly string[]) => ({ input: { type: 'stopRequested', reason } as const, ends });
  // `SaleDesk.stop`
  const isTooLate = state.kind === 'offering' || state.kind === 'capturing';
  switch (source) {
    case 'create':
      return once(
        { type: 'createAnswered', answer: { kind: 'created', paymentId: 'payment' } },
        { type: 'createAnswered', answer: { kind: 'blocked' } },
        { type: 'createAnswered', answer: { kind: 'refused', reason: 'refusedByService' } },
        { type: 'createAnswered', answer: unknown },
      );
    case 'lookUp':
      return once({ type: 'lookedUp', found: null }, { type: 'lookedUp', found: { paymentId: 'payment' } }, { type: 'lookUpFailed', detail });
    case 'clearPointOfSale':
      return once({ type: 'cleared', newIdempotencyKey: 'key' }, { type: 'clearFailed', detail });
    case 'ready':
      return [
        { input: null, ends: [source] },
        ...once({ type: 'readyRefused', code: '1303', detail }, { type: 'readyRefused', code: null, detail }, { type: 'pollNotFound' }),
      ];
    case 'poll':
      return [
        ...[...after(arrows, last)].flatMap((status) =>
          once({ type: 'polled', status, amountMinor: 1, currency: 'DKK' }).map((one) => ({ ...one, fact: status })),
        ),
        ...once({ type: 'polled', status: last, amountMinor: 2, currency: 'DKK' }, { type: 'pollNotFound' }, { type: 'pollFailed', detail }),
      ];
    case 'offerPaid':
      // Nobody who is gone takes anything over (`Transaction.lost`).
      return once({ type: 'tillAnswered', acknowledged: false }, ...(sources.has('till') ? [{ type: 'tillAnswered', acknowledged: true } as const] : []));
    case 'capture':
      return once(...settleAnswers.map((answer): PaymentInput => ({ type: 'captureAnswered', answer })));
    case 'cancel':
      return once(...settleAnswers.map((answer): PaymentInput => ({ type: 'cancelAnswered', answer })));
    case 'wait':
      return once({ type: 'retryDue' });
    case 'deadline':
      return [stop('timedOut', source)];
    case 'till':
      return isTooLate ? [{ input: null, ends: [source] }] : [stop('cancelledByTill'), stop('tillGone', source)];
    case 'cashier':
      return isTooLate || !isWaitedFor(state) ? [] : [stop('cancelledByCashier')];
    case 'end of the daemon':
      return isWaitedFor(state) ? [stop('interrupted', source)] : [];
    default:
      throw new Error(`nobody knows what comes of ${source}`);
  }
}

export function reachablePaymentPairs(): Set<string> {
  const follow = (state: Payment | null, { events, effects }: Decision) => ({
    state: few(events.reduce<Payment | null>((payment, event) => apply(payment, event), state) as Payment),
    isWritten: events.length > 0,
    effects: effects.map(({ type }) => type).filter((type) => type !== 'conclude'),
  });
  return explore<Payment, PaymentInput, Known>({
    first: (['initiate', 'prepare'] as const).map((flow) => ({
      ...follow(null, begin({ ...sale, flow })),
      around,
      fact: flow === 'initiate' ? 'initiated' : 'prepared',
    })),
    next: (state, input) => follow(state, decide(state, input)),
    coming,
    // `Run.dropPoll`
    replaced: (effect) => (effect === 'cancel' ? ['poll'] : []),
    restarted: { type: 'restarted' },
    aroundAfterRestart: [],
    isFinal,
    pair: paymentPair,
  });
}
