/** Implements `preload/procedures/refunds.ts`: reads the journal, and refunds through the lane. */
import { journalUnwritable } from '../../../core/domain/errors.ts';
import type { JournalEntry } from '../../../core/journal/journal.ts';
import type { JournalReader, SaleRecord } from '../../../core/journal/reader.ts';
import type { Lane } from '../../../core/lane/lane.ts';
import type { Capabilities } from '../../../core/settlement/capabilities.ts';
import { isWaitedFor, outcomeOf, refundOutcomeOf } from '../../../core/settlement/outcome.ts';
import { claimantOf, type Payment, type Sale } from '../../../core/settlement/payment.ts';
import { capturedMinorOf } from '../../../core/settlement/reservation.ts';
import type { Refund } from '../../../core/settlement/refund.ts';
import { refundDaysOf } from '../../../core/settlement/capabilities.ts';
import {
  refundableUntilMs,
  notLeft,
  type Refundable,
  refundable,
  refundedElsewhere,
  refundedOf,
} from '../../../core/settlement/refundable.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import type { ShopOnPaper } from '../../../core/domain/shop.ts';
import type { Handlers } from '../../server/router.ts';
import { managerRefundId } from '../../../core/domain/ids.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import { type MerchantService, paymentsAtService, serviceId } from './payments-at-service.ts';
import type {
  SaleSummary,
  RefundOfSale,
  RefundState,
  SaleState,
  SaleStory,
  StoryLine,
} from '../../../../preload/procedures/refunds.ts';

export interface RefundHandlersOptions {
  readonly reader: () => Pick<JournalReader, 'findSales' | 'sale' | 'story'>;
  readonly lanes: () => readonly Lane[];
  /** The merchant's payments, and the stores of this counter; null while it is not set up. */
  readonly service: () => MerchantService | null;
  readonly shop: () => ShopOnPaper;
  /** What the service that took this sale can do. */
  readonly capabilities: (sale: Sale) => Capabilities;
  readonly clock: Clock;
}

const pageSize = 50;

export function refundHandlers({
  reader,
  lanes,
  service,
  shop,
  capabilities,
  clock,
}: RefundHandlersOptions): Handlers {
  const lane = (laneId: string): Lane | undefined => lanes().find(({ id }) => id === laneId);
  const isOpen = (one: Lane | undefined): boolean => closedOf(one) === null;
  const atService = paymentsAtService({ reader, service });

  /**
   * The lane that took the payment. Where that was removed, and for another counter's payment: any
   * lane with the same currency.
   */
  function refundingLane(
    { laneId, currency }: Pick<SaleSummary, 'laneId' | 'currency'>,
    isAnyones: boolean,
  ): Lane | undefined {
    const own = lane(laneId);
    if (isOpen(own) || (own !== undefined && !isAnyones)) return own;
    return lanes().find((one) => isOpen(one) && one.snapshot().currency === currency) ?? own;
  }

  return {
    findSales({ after, ...query }) {
      const { rows, next } = reader().findSales(query, { size: pageSize, after });
      return { sales: rows.map((row) => ({ ...row, state: saleState(row.state) })), next };
    },

    saleStory: ({ saleId }) => storyOf(saleId),

    async refund({ actionId, saleId, amountMinor, note }, { manager }) {
      const storyBefore = storyOf(saleId);
      // For another counter's payment, ask the service again how much can be refunded. Between its
      // answer and the refund on disk nothing else runs here.
      const isOfAction = ({ refundOrderId, by }: RefundOfSale): boolean =>
        refundOrderId === managerRefundId(actionId) || (refundOrderId === actionId && by !== null);
      const isRepeated = storyBefore.refunds.some(isOfAction);
      if (storyBefore.sale.state === 'elsewhere' && !isRepeated)
        await takeOver(storyBefore.sale.paymentId ?? saleId);
      const story = storyOf(saleId);
      const { sale, notRefundable, refunds } = story;
      // A repeated request, perhaps after a lost answer: the refund is on disk, so the state of the
      // lane does not matter.
      const before = refunds.find(isOfAction);
      if (before?.amountMinor === amountMinor) return { refundOrderId: before.refundOrderId };
      if (before !== undefined)
        throw new Refusal('actionUsed', `this action was for ${before.amountMinor} minor units`);
      if (notRefundable !== null)
        throw new Refusal(notRefundable, 'nothing of this payment can be refunded now', {
          field: 'saleId',
          facts: notRefundable === 'refundOpen' ? openFacts(story) : {},
        });
      const answer = refundingLane(sale, sale.state === 'elsewhere')?.refundByManager({
        actionId,
        sale: { saleId },
        amountMinor,
        note,
        name: manager?.name ?? '',
      });
      if (answer?.accepted === true) return { refundOrderId: answer.refund.refundOrderId };
      throw refusalOf(answer ?? { reason: 'notReady' }, story);
    },

    ...atService.handlers,

    takeOverPayment: async ({ paymentId }) => ({ saleId: await takeOver(serviceId(paymentId)) }),

    refundFoundInPortal({ laneId, refundOrderId, refunded }, { manager }) {
      const answer =
        lane(laneId)?.refundFoundInPortal(refundOrderId, refunded, manager?.name ?? '') ??
        'unknownRefund';
      if (answer === 'unknownRefund')
        throw new Refusal('tooLate', 'the result of this refund is known already');
      if (answer === 'storageFailed') throw new Refusal('storageFailed', journalUnwritable);
      return {};
    },

    cancelRefund({ laneId, refundOrderId }) {
      const answer = lane(laneId)?.cancelRefundByManager(refundOrderId) ?? 'unknownRefund';
      if (answer === 'tooLate')
        throw new Refusal('tooLate', 'the money is on its way back already');
      if (answer === 'unknownRefund') throw new Refusal('notFound', 'this refund has ended');
      return {};
    },
  };

  /** @returns its `saleId`. @throws Refusal */
  async function takeOver(paymentId: string): Promise<string> {
    const ownSale = atService.saleOf(paymentId);
    if (ownSale !== null && ownSale.state !== 'elsewhere') return ownSale.saleId;
    const payment = await atService.read(paymentId);
    if (payment === 'notFound')
      throw new Refusal('notFound', 'the service has no such payment of this merchant', {
        field: 'paymentId',
      });
    if (payment === 'notCaptured')
      throw new Refusal(
        ownSale === null ? 'notCaptured' : 'notPaid',
        'the payment is not captured',
        {
          field: 'paymentId',
        },
      );
    const through = refundingLane(
      { laneId: ownSale?.laneId ?? '', currency: payment.currency },
      true,
    );
    if (through === undefined || !isOpen(through))
      throw new Refusal('laneNotReady', `no lane takes payments in ${payment.currency}`);
    const takenOver = through.takeOver(payment);
    if (takenOver === null) throw new Refusal('storageFailed', journalUnwritable);
    return takenOver.saleId;
  }

  /** @throws Refusal `notFound` */
  function storyOf(saleId: string): SaleStory {
    const story = reader().story(saleId);
    if (story.length === 0)
      throw new Refusal('notFound', 'there is no such payment in the journal', { field: 'saleId' });
    const record = reader().sale(saleId);
    const { payment, refunds } = record;
    const ofSale = refunds.map(({ refund }) => refund);
    const refundedAtTillMinor = refundedOf(
      ofSale.filter(({ request }) => request.by.kind === 'till'),
    );
    const refundedElsewhereMinor = refundedElsewhere(payment);
    const state = refundable(
      { sale: payment.sale, capturedMinor: capturedMinorOf(payment) },
      ofSale,
      capabilities(payment.sale),
      refundedElsewhereMinor,
    );
    const isPaid =
      payment.kind === 'paid' || payment.kind === 'capturing' || payment.kind === 'elsewhere';
    const itsLane = lane(payment.sale.laneId)?.snapshot();
    const closed = closedOf(refundingLane(payment.sale, payment.kind === 'elsewhere'));
    const outcome = outcomeOf(payment);
    return {
      sale: saleRow(record, { refundedMinor: state.refundedMinor, refundedAtTillMinor }),
      by: claimantOf(payment.sale),
      from: payment.sale.from ?? null,
      laneName: itsLane?.name ?? payment.sale.laneId,
      shop: shop(),
      reason: outcome === null || outcome.paid || outcome.reason === 'held' ? null : outcome.reason,
      story: story.map(storyLine),
      refunds: refunds.map(({ refund }) => refundOfSale(refund)),
      leftMinor: isPaid ? state.leftMinor : 0,
      refundedElsewhereMinor,
      refundDays: refundDaysOf(payment.sale),
      refundableUntilMs: refundableUntilMs(state),
      openMinor: isPaid ? state.openMinor : 0,
      askAgainMinutes: state.askAgainMinutes,
      notRefundable: isPaid ? notRefundable(state, clock.wallMs(), closed) : notPaidYet(payment),
    };
  }
}

type LaneClosed = 'laneNotReady' | 'serviceUnreachable';

/** Why no refund can go through this lane; null when it can. */
function closedOf(lane: Lane | undefined): LaneClosed | null {
  const condition = lane?.snapshot().condition ?? null;
  // A disk that has refused may work again, and only the next write can tell.
  if (condition?.kind === 'open' || condition?.reason === 'storageFailed') return null;
  return condition?.reason === 'serviceUnreachable' ? 'serviceUnreachable' : 'laneNotReady';
}

function notPaidYet({ kind }: Payment): 'notPaid' | 'held' | 'paymentOpen' {
  return kind === 'notPaid' || kind === 'held' ? kind : 'paymentOpen';
}

function notRefundable(
  state: Refundable,
  nowMs: number,
  closed: LaneClosed | null,
): SaleStory['notRefundable'] {
  const refusal = notLeft(state, null);
  if (refusal !== null) return refusal === 'refundOpen' ? 'refundOpen' : 'allRefunded';
  if (nowMs > (refundableUntilMs(state) ?? Infinity)) return 'tooOld';
  return closed;
}

type LaneRefusal =
  | Extract<ReturnType<Lane['refundByManager']>, { accepted: false }>
  | { readonly reason: 'notReady' };

const openFacts = ({ openMinor, askAgainMinutes }: SaleStory) => ({
  openMinor,
  ...(askAgainMinutes !== null && { askAgainMinutes }),
});

/** @param story as the lane knew it when it refused */
function refusalOf({ reason }: LaneRefusal, story: SaleStory): Refusal {
  const { leftMinor } = story;
  switch (reason) {
    case 'refundOpen':
      return new Refusal('refundOpen', 'another refund of this payment is pending', {
        field: 'amountMinor',
        facts: openFacts(story),
      });
    case 'alreadyRefunded':
      return new Refusal('allRefunded', 'all of it has been refunded');
    case 'unknownReceipt':
      return new Refusal('tooOld', 'the payment is too old, or not paid');
    case 'amountTooHigh':
    case 'amountTooSmall':
      return new Refusal('amountTooHigh', `More than is left to refund: ${leftMinor} minor units`, {
        field: 'amountMinor',
        facts: { leftMinor, currency: story.sale.currency },
      });
    case 'actionUsed':
    case 'storageFailed':
    case 'serviceUnreachable':
      return new Refusal(reason, `the lane refuses: ${reason}`);
    case 'busy':
    case 'notReady':
    case 'wrongCurrency':
    case 'overTillLimit':
    case 'amountDiffers':
      return new Refusal('laneNotReady', `the lane refuses: ${reason}`);
  }
}

function saleState(kind: Payment['kind']): SaleState {
  switch (kind) {
    case 'held':
    case 'capturing':
    case 'cancelling':
    case 'paid':
    case 'notPaid':
    case 'elsewhere':
    case 'needsPerson':
      return kind;
    default:
      return 'open';
  }
}

const isCaptured = ({ kind }: Payment): boolean => kind === 'capturing' || kind === 'paid';

function refundState(kind: Refund['kind']): RefundState {
  return kind === 'capturing' ||
    kind === 'cancelling' ||
    kind === 'refunded' ||
    kind === 'notRefunded' ||
    kind === 'needsPerson'
    ? kind
    : 'open';
}

function saleRow(
  { requestedAtMs, payment }: SaleRecord,
  refunded: Pick<SaleSummary, 'refundedMinor' | 'refundedAtTillMinor'>,
): SaleSummary {
  const { saleId, laneId, amountMinor, currency, receiptNumber, orderId, isTest } = payment.sale;
  const paymentId = 'paymentId' in payment ? payment.paymentId : null;
  return {
    saleId,
    laneId,
    atMs: requestedAtMs,
    amountMinor,
    currency,
    state: saleState(payment.kind),
    capturedMinor: isCaptured(payment) ? capturedMinorOf(payment) : null,
    receiptNumber,
    orderId,
    paymentId,
    ...refunded,
    ...(isTest && { isTest }),
  };
}

function refundOfSale(refund: Refund): RefundOfSale {
  const { refundOrderId, laneId, startedAtMs, amountMinor, currency, receiptNumber, by, note } =
    refund.request;
  const outcome = refundOutcomeOf(refund);
  return {
    refundOrderId,
    laneId,
    atMs: startedAtMs,
    amountMinor,
    currency,
    state: refundState(refund.kind),
    reason: outcome === null || outcome.refunded ? null : outcome.reason,
    receiptNumber,
    by: by.kind === 'manager' ? by.name : null,
    from: by.kind === 'till' ? (by.from ?? null) : null,
    note,
    canCancel: isWaitedFor(refund) && refund.kind !== 'offering',
  };
}

/** What a manager found in the portal. */
const portalResult = (event: JournalEntry['event']): string | null =>
  'refunded' in event ? (event.refunded ? 'refunded' : 'notRefunded') : null;

function storyLine({ atMs, refundOrderId, event }: JournalEntry): StoryLine {
  const reason =
    'reason' in event
      ? event.reason
      : 'problem' in event
        ? event.problem
        : 'status' in event
          ? event.status
          : portalResult(event);
  return {
    atMs,
    refundOrderId,
    event: event.type,
    reason,
    detail: 'detail' in event ? event.detail : null,
    ...('amountMinor' in event && { amountMinor: event.amountMinor }),
    ...('movedMinor' in event && { movedMinor: event.movedMinor }),
  };
}
