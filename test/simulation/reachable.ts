/**
 * Which inputs can reach which states: all of it, explored from the first decision on, with what
 * the lane, its run, the till and the documented service can do in between. Each rule says where it
 * is from.
 */
import type { Capabilities } from '../../main/core/settlement/capabilities.ts';
import { applyToPayment } from '../../main/core/settlement/apply.ts';
import {
  beginPayment,
  decidePayment,
  isToBeAgreed,
} from '../../main/core/settlement/payment-decisions.ts';
import {
  isFinal,
  isUnidentified,
  isWaitedFor,
  mayArriveLate,
} from '../../main/core/settlement/outcome.ts';
import {
  claimantOf,
  type Flow,
  type Payment,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentInput,
  type Sale,
  type StopReason,
  type WalletStatus,
} from '../../main/core/settlement/payment.ts';
import type { SettleAnswer } from '../../main/core/settlement/settlement.ts';
import { paymentPair } from './coverage.ts';
import { type Coming, explore } from './explore.ts';
import type { ServiceName } from '../../main/core/domain/sale.ts';
import { capabilitiesOf } from './wallets.ts';

export const detail = 'no answer';
const unknown = { kind: 'unknown', detail } as const;
/**
 * The older service answers 204, which shows nothing; an answer of the newer one has the payment in
 * it.
 */
export const settleAnswers = {
  v10: [{ kind: 'accepted' }, { kind: 'refused', detail }, { kind: 'notFound' }, unknown],
  epayment: [{ kind: 'done' }, { kind: 'refused', detail }, { kind: 'notFound' }, unknown],
} as const satisfies Readonly<Record<ServiceName, readonly SettleAnswer[]>>;

/**
 * The name of what comes of an effect. What a confirming poll shows is another matter than that of
 * a usual one.
 */
export const sourceOf = (effect: { readonly type: string; readonly confirms?: true }): string =>
  effect.confirms === true ? 'confirming poll' : effect.type;

const created: PaymentInput = {
  type: 'createAnswered',
  answer: { kind: 'created', paymentId: 'payment' },
};
const createUnknown: PaymentInput = { type: 'createAnswered', answer: unknown };

type DocumentedStatus = Exclude<WalletStatus, 'unknown'>;

/** The states that can follow each state, according to the documents. */
type Arrows = Readonly<Record<DocumentedStatus, readonly DocumentedStatus[]>>;

/** Document 4, section 1.3. */
const older: Arrows = {
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

/** Document 5, section 2.8. */
const newer: Arrows = {
  ...older,
  prepared: [],
  paired: [],
  initiated: ['reserved', 'cancelledByUser', 'cancelledByClient', 'cancelledByService'],
  reserved: ['captured', 'expired'],
};

interface Reach {
  readonly capabilities: Capabilities;
  readonly arrows: Arrows;
  readonly settleAnswers: readonly SettleAnswer[];
  readonly flows: readonly Flow[];
  /** Whether another payment can be in the way of a new one. */
  readonly blocks: boolean;
  /** Whether a poll's result may mean nothing yet. */
  readonly isVague: boolean;
}

const reaches: Readonly<Record<ServiceName, Reach>> = {
  v10: {
    capabilities: capabilitiesOf.v10,
    arrows: older,
    settleAnswers: settleAnswers.v10,
    flows: ['initiate', 'prepare'],
    blocks: true,
    isVague: false,
  },
  epayment: {
    capabilities: capabilitiesOf.epayment,
    arrows: newer,
    settleAnswers: settleAnswers.epayment,
    flows: ['initiate'],
    blocks: false,
    isVague: true,
  },
};

/** The states that a poll can show after another has shown `status`: the same, or a later one. */
export function after<Status extends string>(
  arrowsOf: Readonly<Record<Status, readonly Status[]>>,
  status: Status,
): ReadonlySet<Status> {
  const found = new Set<Status>([status]);
  for (const one of found) for (const next of arrowsOf[one]) found.add(next);
  return found;
}

/**
 * Counts failed attempts up to two, and refusals not at all, because more make no difference to
 * what can come.
 */
export function few<State extends object>(state: State): State {
  const {
    failedAttempts,
    refusals: _,
    ...rest
  } = state as { failedAttempts?: number; refusals?: number };
  return {
    ...rest,
    ...(failedAttempts !== undefined && { failedAttempts: Math.min(2, failedAttempts) }),
  } as State;
}

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

/** After a restart nobody waits for a sale, and no deadline runs (`LaneLifecycle`). */
const aroundAfterRestart = ['late arrival', 'manager'];
const around = ['deadline', 'cashier', 'end of the daemon', ...aroundAfterRestart];

function coming(
  { arrows, settleAnswers, blocks, isVague }: Reach,
  source: string,
  state: Payment,
  sources: ReadonlySet<string>,
  last: DocumentedStatus,
): readonly Coming<PaymentInput, DocumentedStatus>[] {
  const once = (...inputs: readonly PaymentInput[]) =>
    inputs.map((input) => ({ input, ends: [source] }));
  const stop = (reason: StopReason, ...ends: readonly string[]) => ({
    input: { type: 'stopRequested', reason } as const,
    ends,
  });
  // `SettlementService.stop`
  const isTooLate =
    state.kind === 'offering' || state.kind === 'held' || state.kind === 'capturing';
  switch (source) {
    case 'create':
      return [
        ...once(created, createUnknown),
        // The request has not arrived then (`WalletError.afterSilence`).
        ...(blocks
          ? [
              {
                input: { type: 'createAnswered', answer: { kind: 'blocked' } } as const,
                ends: [source, 'late arrival'],
              },
            ]
          : []),
        {
          input: {
            type: 'createAnswered',
            answer: { kind: 'refused', reason: 'refusedByService' },
          },
          ends: [source, 'late arrival'],
        },
      ];
    case 'create of what is there':
      return once(created, createUnknown);
    case 'lookUp':
    case 'identify':
      return once(
        { type: 'lookedUp', found: null },
        { type: 'lookedUp', found: { paymentId: 'payment' } },
        { type: 'lookUpFailed', detail },
      );
    case 'clearPointOfSale':
      return [
        ...once({ type: 'clearFailed', detail }),
        {
          input: { type: 'cleared', newIdempotencyKey: 'key' },
          ends: [source],
          begins: ['late arrival'],
        },
      ];
    case 'ready':
      return [
        { input: null, ends: [source] },
        ...once(
          { type: 'readyRefused', reason: 'wrongState', detail },
          { type: 'readyRefused', reason: 'other', detail },
          { type: 'pollNotFound' },
        ),
      ];
    case 'poll':
      return [
        ...[...after(arrows, last)].flatMap((status) =>
          once({ type: 'polled', status, amountMinor: 1, currency: 'DKK' }).map((one) => ({
            ...one,
            fact: status,
          })),
        ),
        ...(isVague
          ? once({ type: 'polled', status: 'unknown', amountMinor: 1, currency: 'DKK' })
          : []),
        ...once(
          { type: 'polled', status: last, amountMinor: 2, currency: 'DKK' },
          { type: 'pollNotFound' },
          { type: 'pollFailed', detail },
        ),
      ];
    case 'confirming poll':
      return [
        ...[...after(arrows, last)].flatMap((status) =>
          once({ type: 'polled', status, amountMinor: 1, currency: 'DKK', confirms: true }).map(
            (one) => ({ ...one, fact: status }),
          ),
        ),
        ...once(
          { type: 'pollNotFound', confirms: true },
          { type: 'pollFailed', detail, confirms: true },
        ),
      ];
    case 'offer':
      // A payment by hand settles without a till (`paymentSettling`).
      if (claimantOf(state.sale) === 'cashier')
        return once({ type: 'tillAnswered', acknowledged: true });
      // A till that is gone takes over no sale (`Transaction.lost`).
      return once(
        { type: 'tillAnswered', acknowledged: false },
        ...(sources.has('till') ? [{ type: 'tillAnswered', acknowledged: true } as const] : []),
      );
    case 'capture':
      return once(
        ...settleAnswers.map((answer): PaymentInput => ({ type: 'captureAnswered', answer })),
      );
    case 'cancel':
      return once(
        ...settleAnswers.map((answer): PaymentInput => ({ type: 'cancelAnswered', answer })),
      );
    case 'cancelUnapproved':
      return once(
        ...settleAnswers.map(
          (answer): PaymentInput => ({ type: 'cancelUnapprovedAnswered', answer }),
        ),
      );
    case 'showCode':
      // The code is shown, or there is none.
      return [{ input: null, ends: [source] }, ...once({ type: 'codeMissing', detail })];
    case 'wait':
      return once({ type: 'retryDue' });
    case 'watchReservation':
      return once({ type: 'retryDue' });
    case 'manager':
      // `Reservations`
      if (state.kind !== 'held') return [];
      return [
        ...once(
          { type: 'captureRequested', amountMinor: 1, by: 'Ms Moeller' },
          { type: 'releaseRequested', reason: 'cancelledByManager' },
        ),
        // A till that is told, and may not take it over: it decides like a manager, and until then
        // asks as often as it wants.
        { input: { type: 'bookingRequested', booking }, ends: [] },
      ];
    case 'endWait':
      return [stop('timedOut', source)];
    case 'late arrival':
      // `SettlementService.reconcileOpenPayment`: the lane sees it when it clears the point of sale
      // for another one, or looks once more.
      if (!isUnidentified(state)) return [];
      return [
        {
          input: { type: 'lookedUp', found: { paymentId: 'payment' } },
          ...(sources.has('create') && { ends: ['create'], begins: ['create of what is there'] }),
        },
      ];
    case 'deadline':
      return [stop('timedOut', source)];
    case 'till':
      return isTooLate
        ? [{ input: null, ends: [source] }]
        : [stop('cancelledByTill'), stop('tillGone', source)];
    case 'cashier':
      if (isTooLate || !isWaitedFor(state)) return [];
      // `Sales.leave`: only a cancellation that stays unanswered can be left.
      return [
        stop('cancelledByCashier'),
        ...(isToBeAgreed(state)
          ? [{ input: { type: 'amountAgreed', amountMinor: 1 } as const, ends: [] }]
          : []),
        ...(state.kind === 'awaiting' && state.stop !== null ? [stop('leftByCashier')] : []),
      ];
    case 'end of the daemon':
      return isWaitedFor(state) ? [stop('interrupted', source)] : [];
    default:
      throw new Error(`nobody knows what comes of ${source}`);
  }
}

const replacedBy: Readonly<Record<string, readonly string[]>> = {
  // `SettlementRunner.#dropPoll`
  cancel: ['poll', 'confirming poll'],
  cancelUnapproved: ['poll'],
  // Nobody approves a payment whose code is not shown.
  offer: ['showCode'],
};

const booking = {
  kind: 'capture',
  amountMinor: 1,
  receiptNumber: 2,
  traceNumber: 2,
  startedAtMs: 0,
} as const;

/**
 * Called for each event that can happen, with the kinds of the states before (null when there is
 * none yet) and after it.
 */
export type OnStep = (from: string | null, event: string, to: string) => void;

export function reachablePaymentPairs(
  service: ServiceName,
  onStep: OnStep = () => {},
): Set<string> {
  const reach = reaches[service];
  const step = (before: Payment | null, event: PaymentEvent): Payment => {
    const payment = applyToPayment(before, event);
    onStep(before?.kind ?? null, event.type, payment.kind);
    return payment;
  };
  const follow = (state: Payment | null, { events, effects }: PaymentDecision) => ({
    state: few(events.reduce<Payment | null>(step, state) as Payment),
    isWritten: events.length > 0,
    effects: effects.map(sourceOf).filter((type) => type !== 'conclude'),
  });
  const sales = (['till', 'cashier'] as const).flatMap((by) =>
    reach.flows.map((flow): Partial<Sale> => ({ flow, by })),
  );
  const toReserve = (
    [{ by: 'till', flow: reach.flows.at(-1) ?? 'initiate' }, { by: 'cashier' }] as const
  ).map((about): Partial<Sale> => ({ ...about, plannedCaptureDelay: 'LessThan14Days' }));
  return explore<Payment, PaymentInput, DocumentedStatus>({
    first: [...sales, ...toReserve].map((about) => ({
      ...follow(null, beginPayment({ ...sale, ...about })),
      around: about.by === 'till' ? ['till', ...around] : around,
      fact: about.flow === 'prepare' ? 'prepared' : 'initiated',
    })),
    next: (state, input) => follow(state, decidePayment(state, input, reach.capabilities)),
    coming: (...asked) => coming(reach, ...asked),
    replaced: (effect) => replacedBy[effect] ?? [],
    restarted: { type: 'restarted' },
    // `Sales.agreeAmount`
    isRepeated: ({ type }) => type !== 'amountAgreed',
    aroundAfterRestart,
    keyOf: ({ sale: { flow, by, typedMinor, plannedCaptureDelay }, ...rest }) =>
      `${flow} ${by} ${typedMinor ?? ''} ${plannedCaptureDelay} ` +
      JSON.stringify({ ...rest, reason: null, stop: 'stop' in rest && rest.stop !== null }),
    isFinal,
    aroundFinal: (payment) => (mayArriveLate(payment) ? aroundAfterRestart : []),
    pair: paymentPair,
  });
}
