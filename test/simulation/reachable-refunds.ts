/** The same as `reachable.ts` for refunds. */
import { applyToRefund } from '../../main/core/settlement/apply.ts';
import { beginRefund, decideRefund } from '../../main/core/settlement/refund-decisions.ts';
import { isUnseen } from '../../main/core/settlement/payment-or-refund.ts';
import { isFinal, mayArriveLate } from '../../main/core/settlement/outcome.ts';
import type {
  Refund,
  RefundDecision,
  RefundEvent,
  RefundInput,
  RefundRequest,
  RefundStatus,
  RefundStopReason,
} from '../../main/core/settlement/refund.ts';
import { refundPair } from './coverage.ts';
import { type Coming, explore } from './explore.ts';
import { after, detail, few, type OnStep, settleAnswers, sourceOf } from './reachable.ts';
import type { ServiceName } from '../../main/core/domain/sale.ts';
import { capabilitiesOf } from './wallets.ts';

type DocumentedStatus = Exclude<RefundStatus, 'unknown'>;

type Arrows = Readonly<Record<DocumentedStatus, readonly DocumentedStatus[]>>;

/** Document 4, section 1.4; `captured` is ExpiredAndCaptured, too. */
const older: Arrows = {
  initiated: ['reserved', 'cancelledByClient', 'cancelledByService'],
  missing: [],
  reserved: ['captured', 'cancelledByClient'],
  captured: [],
  cancelledByClient: [],
  cancelledByService: [],
};
/**
 * A refund of ePayment is one step (document 5, section 2.6): it is in the log of events or not.
 * Shortly after it was made it may be missing.
 */
const newer: Arrows = {
  ...older,
  initiated: ['missing', 'captured'],
  missing: ['initiated', 'captured'],
};
const arrowsOf: Readonly<Record<ServiceName, Arrows>> = { v10: older, epayment: newer };

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

/**
 * The manager, and the end of the daemon, may also come after a restart
 * (`SettlementService.interruptRefunds`); a till's command and the deadline end with it.
 */
const always = ['manager', 'end of the daemon'];

function coming(
  service: ServiceName,
  source: string,
  state: Refund,
  sources: ReadonlySet<string>,
  last: DocumentedStatus,
): readonly Coming<RefundInput, DocumentedStatus>[] {
  const once = (...inputs: readonly RefundInput[]) =>
    inputs.map((input) => ({ input, ends: [source] }));
  const stop = (reason: RefundStopReason, ...ends: readonly string[]) => ({
    input: { type: 'stopRequested', reason } as const,
    ends,
  });
  const isOneStep = capabilitiesOf[service].refunds === 'oneStep';
  // `SettlementService.stop`
  const isTooLate = state.kind === 'offering' || state.kind === 'capturing';
  switch (source) {
    case 'create':
      return once(
        { type: 'createAnswered', answer: { kind: 'created', refundId: 'refund' } },
        { type: 'createAnswered', answer: { kind: 'refused', reason: 'refusedByService' } },
        { type: 'createAnswered', answer: { kind: 'unknown', detail } },
      );
    case 'lookUp':
    case 'identify':
      return once(
        { type: 'lookedUp', found: null },
        { type: 'lookedUp', found: { refundId: 'refund' } },
        { type: 'lookUpFailed', detail },
      );
    case 'poll':
      return [
        ...[...after(arrowsOf[service], last)].flatMap((status) =>
          once({ type: 'polled', status }).map((one) => ({ ...one, fact: status })),
        ),
        ...once(
          { type: 'pollFailed', detail },
          ...(isOneStep ? [] : [{ type: 'pollNotFound' } as const]),
        ),
      ];
    case 'confirming poll':
      return [
        ...[...after(arrowsOf[service], last)].flatMap((status) =>
          once({ type: 'polled', status, confirms: true }).map((one) => ({ ...one, fact: status })),
        ),
        ...once(
          { type: 'pollFailed', detail, confirms: true },
          { type: 'pollNotFound', confirms: true },
        ),
      ];
    case 'offer':
      return once(
        { type: 'tillAnswered', acknowledged: false },
        ...(sources.has('till') ? [{ type: 'tillAnswered', acknowledged: true } as const] : []),
      );
    case 'capture':
      return once(
        ...settleAnswers[service].map(
          (answer): RefundInput => ({ type: 'captureAnswered', answer }),
        ),
      );
    case 'cancel':
      return once(
        ...settleAnswers[service].map(
          (answer): RefundInput => ({ type: 'cancelAnswered', answer }),
        ),
      );
    case 'wait':
      return once({ type: 'retryDue' });
    case 'late arrival':
      // `SettlementService.pendingLookups`: a run exists only from then on.
      return mayArriveLate(state) && !isOneStep
        ? [
            {
              input: { type: 'lookedUp', found: { refundId: 'refund' } },
              ends: [source],
              begins: always,
            },
          ]
        : [];
    case 'deadline':
      return [stop('timedOut', source)];
    case 'till':
      return isTooLate
        ? [{ input: null, ends: [source] }]
        : [stop('cancelledByTill'), stop('tillGone', source)];
    case 'manager':
      if (isUnseen(state))
        return once(
          ...[true, false].map(
            (refunded): RefundInput => ({ type: 'foundInPortal', refunded, by: 'Ms Moeller' }),
          ),
        );
      return isTooLate ? [] : [stop('cancelledByManager')];
    case 'end of the daemon':
      return isTooLate ? [] : [stop('interrupted', source)];
    default:
      throw new Error(`nobody knows what comes of ${source}`);
  }
}

export function reachableRefundPairs(service: ServiceName, onStep: OnStep = () => {}): Set<string> {
  const step = (before: Refund | null, event: RefundEvent): Refund => {
    const refund = applyToRefund(before, event);
    onStep(before?.kind ?? null, event.type, refund.kind);
    return refund;
  };
  const follow = (state: Refund | null, { events, effects }: RefundDecision) => ({
    state: few(events.reduce<Refund | null>(step, state) as Refund),
    isWritten: events.length > 0,
    effects: effects.map(sourceOf).filter((type) => type !== 'conclude'),
  });
  const asked = [
    { request: refundRequest, around: ['till', 'deadline', ...always] },
    {
      request: { ...refundRequest, by: { kind: 'manager', name: 'Ms Moeller' } } as const,
      around: ['deadline', ...always],
    },
  ];
  return explore<Refund, RefundInput, DocumentedStatus>({
    first: asked.map(({ request, around }) => ({
      ...follow(null, beginRefund(request)),
      around,
      fact: 'initiated',
    })),
    next: (state, input) => follow(state, decideRefund(state, input, capabilitiesOf[service])),
    coming: (...under) => coming(service, ...under),
    replaced: (effect) => (effect === 'cancel' ? ['poll', 'confirming poll'] : []),
    restarted: { type: 'restarted' },
    aroundAfterRestart: always,
    keyOf: ({ request: { by }, ...rest }) => by.kind + JSON.stringify({ ...rest, reason: null }),
    isFinal,
    // A refund that needs a person is shown until somebody has dealt with it
    // (`SettlementService.adoptOpen`).
    aroundFinal: (refund) =>
      refund.kind === 'needsPerson' ? always : mayArriveLate(refund) ? ['late arrival'] : [],
    pair: refundPair,
  });
}
