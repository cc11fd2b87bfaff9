import type { Journal, PaidSale } from '../journal/journal.ts';
import { certaintyOf, isWaitedFor, refundOutcomeOf } from '../settlement/outcome.ts';
import type { RefundedBy, RefundRequest } from '../settlement/refund.ts';
import {
  refundableUntilMs,
  notLeft,
  type Refundable,
  refundable,
} from '../settlement/refundable.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import { idFrom, type Ids, managerRefundId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { messageOf } from '../domain/errors.ts';
import type { Currency, Money } from '../domain/money.ts';
import type { RefundTicket } from '../domain/sale.ts';
import type {
  RefundAnswerWithId,
  RefundRequestWithId,
  RefundAnswer,
  RefundRequest as TillRequest,
} from './till-port.ts';
import { paidSaleOf, paymentOfSale } from './paid-sale.ts';
import type { RefundRunner, SettlementService } from './settlement-service.ts';
import type { RefundShown } from './snapshot.ts';
import { walletOf, type Wallets } from './wallets.ts';

export interface RefundsOptions extends Wallets {
  readonly laneId: string;
  readonly currency: Currency;
  readonly settlements: SettlementService;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Called when something that screens show has changed. */
  readonly changed: () => void;
  /** The refunded amount of this sale may have changed. */
  readonly refundedChanged: (saleId: string) => void;
}

/** What a manager asks for, on a screen. */
export interface ManagerRefund {
  /**
   * Idempotency id, chosen by the screen before the first request: however often it arrives, it is
   * one refund. Its `refundOrderId` is derived from it.
   */
  readonly actionId: string;
  readonly sale: { readonly saleId: string } | { readonly receiptNumber: number };
  /** null for all that is left of it. */
  readonly amountMinor: number | null;
  /** What the manager wrote, for the bookkeeping. */
  readonly note: string | null;
  /** The manager's name. */
  readonly name: string;
}

export type ManagerRefundAnswer =
  | RefundAnswer
  | {
      readonly accepted: false;
      readonly reason: 'actionUsed';
      /** What the action was for: another sale, or another amount. */
      readonly refund: RefundTicket;
    };

/** Another counter's payment, captured, as the service tells it. */
export interface PaymentAtService extends Money {
  readonly paymentId: string;
  readonly orderId: string;
  readonly posId: string;
  /** Refunded by what this journal does not know and that is not cancelled. */
  readonly refundedMinor: number;
}

/**
 * Fields that no service tells of a payment. It is never created here, so it needs no key and no
 * time.
 */
const ofAnotherCounter = {
  receiptNumber: 0,
  traceNumber: 0,
  flow: 'initiate',
  idempotencyKey: '',
  deadlineMs: 0,
} as const;

/** Time-out for reserving a refund. No customer has to act, so it is short. */
const deadlineMs = 30_000;
/** How long an outcome stays on the screens unless the next refund comes first. */
const resultShownMs = 15_000;

/** What a till and a manager ask to be refunded, and how the last one ended. */
export class Refunds {
  readonly #options: RefundsOptions;
  /** The refund that the till waits for. */
  #ofTill: RefundRunner | null = null;
  #shown: { runner: RefundRunner; endsAtMs: number } | null = null;
  #hideShown: Cancel | null = null;

  constructor(options: RefundsOptions) {
    this.#options = options;
  }

  get tillWaits(): boolean {
    return this.#ofTill !== null;
  }

  requestByTill(request: TillRequest): RefundAnswer {
    const { journal, laneId, currency } = this.#options;
    if (request.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    const paid = journal.paidSale(laneId, request.receiptNumber);
    const { amountMinor, wholeOnly = false } = request;
    if (paid !== null && wholeOnly && amountMinor !== null && amountMinor !== paid.capturedMinor)
      return { accepted: false, reason: 'amountDiffers' };
    const refundable = paid && this.#refundable(paid);
    if (paid !== null && refundable !== null && isOverLimit(paid, refundable, request))
      return { accepted: false, reason: 'overTillLimit' };
    const { from } = request;
    return this.#request(
      paid,
      amountMinor,
      { kind: 'till', ...(from !== undefined && { from }) },
      null,
      null,
    );
  }

  /**
   * Takes another counter's payment into the journal, or what the service says of it anew: only
   * then can it be refunded here. `known`: it is this journal's own.
   */
  takeOver({
    paymentId,
    orderId,
    posId,
    refundedMinor,
    ...money
  }: PaymentAtService): { readonly kind: 'kept' | 'known'; readonly saleId: string } | null {
    const { journal, laneId, wallet, clock, log } = this.#options;
    const own = journal.saleOfPayment(paymentId);
    const before = own && paymentOfSale(journal, own.saleId);
    if (before !== null && before.kind !== 'elsewhere')
      return { kind: 'known', saleId: before.sale.saleId };
    const { service } = wallet;
    // One payment of the service is one sale of the journal, however often it is found. The
    // provider chooses the payment's id, and no id of a till's.
    const saleId = before?.sale.saleId ?? idFrom('provider', 'payment', service, paymentId);
    const found = {
      saleId,
      orderId,
      posId,
      ...(service !== 'v10' && { service }),
      ...money,
      laneId,
      startedAtMs: clock.wallMs(),
      ...ofAnotherCounter,
    };
    try {
      if (before === null)
        journal.append(laneId, saleId, [
          { type: 'foundAtService', sale: found, paymentId, refundedMinor },
        ]);
      else if (before.refundedMinor !== refundedMinor)
        journal.append(before.sale.laneId, saleId, [{ type: 'refundsSeen', refundedMinor }]);
    } catch (error) {
      log.error(
        { paymentId, detail: messageOf(error) },
        "another counter's payment could not be written to the journal",
      );
      return null;
    }
    return { kind: 'kept', saleId };
  }

  /** How the same request of a till was answered before, by its name; null when it is new. */
  answeredByName(refundOrderId: string, asked: RefundRequestWithId): RefundAnswerWithId | null {
    const before = this.#options.journal.refundOfOrder(refundOrderId);
    if (before === null) return null;
    const { by, laneId, saleId, amountMinor, currency } = before.request;
    const isOurs = by.kind === 'till' && laneId === this.#options.laneId;
    const isSame =
      isOurs &&
      saleId === asked.saleId &&
      amountMinor === asked.amountMinor &&
      currency === asked.currency;
    return isSame ? { accepted: true, isRepeated: true } : { accepted: false, reason: 'nameUsed' };
  }

  /** Begins a request that {@link answeredByName} does not know. */
  requestByName(
    refundOrderId: string,
    { saleId, amountMinor, currency, from, namedBy }: RefundRequestWithId,
  ): RefundAnswer {
    const { journal, laneId } = this.#options;
    if (currency !== this.#options.currency) return { accepted: false, reason: 'wrongCurrency' };
    const paid = paidSaleOf(journal, saleId);
    const ours = paid?.sale.laneId === laneId ? paid : null;
    const by = {
      kind: 'till',
      ...(from !== undefined && { from }),
      ...(namedBy !== undefined && { namedBy }),
    } as const;
    return this.#request(ours, amountMinor, by, null, refundOrderId);
  }

  /** How the same action of a manager was answered before; null when it is new. */
  answeredByManager({ actionId, sale, amountMinor }: ManagerRefund): ManagerRefundAnswer | null {
    const { journal } = this.#options;
    // The id of an earlier version was the action's own.
    const before = [managerRefundId(actionId), actionId]
      .map((id) => journal.refundOfOrder(id))
      .find((one) => one?.request.by.kind === 'manager');
    if (before == null) return null;
    const { request } = before;
    const isSame =
      request.saleId === this.#paid(sale)?.sale.saleId &&
      (amountMinor === null || amountMinor === request.amountMinor);
    return isSame
      ? { accepted: true, refund: request }
      : { accepted: false, reason: 'actionUsed', refund: request };
  }

  /** Begins an action that {@link answeredByManager} does not know. */
  requestByManager({ actionId, sale, amountMinor, note, name }: ManagerRefund): RefundAnswer {
    return this.#request(
      this.#paid(sale),
      amountMinor,
      { kind: 'manager', name },
      note,
      managerRefundId(actionId),
    );
  }

  #paid(sale: ManagerRefund['sale']): PaidSale | null {
    const { journal, laneId } = this.#options;
    return 'saleId' in sale
      ? paidSaleOf(journal, sale.saleId)
      : journal.paidSale(laneId, sale.receiptNumber);
  }

  close(): void {
    this.#hideShown?.();
  }

  /**
   * The refund to show; null also when the service contradicts the outcome, which `unsettled` then
   * shows.
   */
  shown(): RefundShown | null {
    if (this.#shown === null) return null;
    const { state } = this.#shown.runner;
    const certainty = certaintyOf(state);
    if (certainty === 'contested') return null;
    const remainingMs = Math.max(
      0,
      Math.round(this.#shown.endsAtMs - this.#options.clock.monotonicMs()),
    );
    return { refund: state, outcome: refundOutcomeOf(state), certainty, remainingMs };
  }

  show(runner: RefundRunner | null): void {
    this.#hideShown?.();
    this.#hideShown = null;
    this.#shown = runner && { runner, endsAtMs: this.#options.clock.monotonicMs() + deadlineMs };
    if (runner === null) this.#options.changed();
  }

  /** Called after each change of any refund of this lane. */
  refundChanged(runner: RefundRunner): void {
    if (!isWaitedFor(runner.state)) {
      if (this.#ofTill === runner) this.#ofTill = null;
      if (this.#shown?.runner === runner)
        this.#hideShown ??= this.#options.clock.after(resultShownMs, () => this.show(null));
    }
    this.#options.refundedChanged(runner.state.request.saleId);
  }

  #request(
    paid: PaidSale | null,
    wantedMinor: number | null,
    by: RefundedBy,
    note: string | null,
    orderId: string | null,
  ): RefundAnswer {
    const { clock, currency, settlements, log, changed, refundedChanged } = this.#options;
    const state = paid && this.#refundable(paid);
    if (paid === null || state === null || clock.wallMs() > (refundableUntilMs(state) ?? Infinity))
      return { accepted: false, reason: 'unknownReceipt' };
    if (paid.sale.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    if (wantedMinor !== null && (!Number.isSafeInteger(wantedMinor) || wantedMinor < 1))
      return { accepted: false, reason: 'amountTooSmall' };
    const refusal = notLeft(state, wantedMinor);
    if (refusal === 'refundOpen')
      return { accepted: false, reason: refusal, askAgainMinutes: state.askAgainMinutes };
    if (refusal !== null) return { accepted: false, reason: refusal };
    const amountMinor = wantedMinor ?? state.leftMinor;
    const runner = settlements.beginRefund(() =>
      this.#newRequest(paid, amountMinor, by, note, orderId),
    );
    if (runner === null) return { accepted: false, reason: 'storageFailed' };
    const { request } = runner.state;
    const { saleId, refundOrderId } = request;
    log.info({ saleId, refundOrderId, amountMinor, currency, by: by.kind }, 'refund');
    if (by.kind === 'till') this.#ofTill = runner;
    this.show(runner);
    refundedChanged(saleId);
    changed();
    return { accepted: true, refund: request };
  }

  #newRequest(
    { sale, paymentId, booked = sale }: PaidSale,
    amountMinor: number,
    by: RefundedBy,
    note: string | null,
    orderId: string | null,
  ): RefundRequest {
    const { laneId, journal, ids, clock } = this.#options;
    const numbers = journal.nextNumbers(laneId);
    const { service } = sale;
    return {
      refundOrderId:
        orderId ??
        `${laneId}-R${String(numbers.traceNumber).padStart(6, '0')}-${ids.uuid().slice(0, 8)}`,
      saleId: sale.saleId,
      ...(sale.isTest && { isTest: sale.isTest }),
      amountMinor,
      currency: sale.currency,
      ...numbers,
      originalReceiptNumber: booked.receiptNumber,
      originalTraceNumber: booked.traceNumber,
      startedAtMs: clock.wallMs(),
      laneId,
      ...(service !== undefined && { service }),
      paymentId,
      idempotencyKey: ids.uuid(),
      by,
      note,
      deadlineMs,
    };
  }

  /** What can be refunded; null when the payment's service is not in the settings any more. */
  #refundable(paid: PaidSale): Refundable | null {
    const { journal } = this.#options;
    const wallet = walletOf(this.#options, paid.sale);
    if (wallet === null) return null;
    return refundable(
      paid,
      journal.refundsOf(paid.sale.saleId),
      wallet.capabilities,
      paid.elsewhereMinor ?? null,
    );
  }
}

/**
 * The till's limit holds for all refunds of a sale together. Whether that much is left is judged by
 * `notLeft`.
 */
function isOverLimit(
  { capturedMinor }: PaidSale,
  { leftMinor }: Refundable,
  { amountMinor, limitMinor }: TillRequest,
): boolean {
  if (limitMinor == null || leftMinor === 0) return false;
  return capturedMinor - leftMinor + (amountMinor ?? leftMinor) > limitMinor;
}
