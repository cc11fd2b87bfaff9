import type { Journal, PaidSale } from '../journal/journal.ts';
import { certaintyOf } from '../domain/settlement/certainty.ts';
import { replayRefund } from '../domain/settlement/refund-apply.ts';
import { beginRefund } from '../domain/settlement/refund-decide.ts';
import {
  isFinalRefund,
  isRefundWaitedFor,
  mayRefundArriveLate,
  minutesUntilKnown,
  openMoney,
  type Refund,
  type RefundedBy,
  refundOutcomeOf,
  type RefundRequest,
  type RefundStopReason,
} from '../domain/settlement/refund.ts';
import type { Cancel, Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import type { RefundTicket } from '../domain/sale.ts';
import type { RefundAnswer, RefundRequest as TillRequest, Till } from '../till/port.ts';
import type { PointOfSaleClient } from '../wallet/port.ts';
import { DecidedAt } from './decided-at.ts';
import type { Sought } from './late-arrivals.ts';
import { failedAttempts, isAsked } from './opening.ts';
import { paidSaleOf } from './paid-sale.ts';
import { type RefundRun, refundRun } from './refund-run.ts';
import { type RefundShown, type Unsettled, unsettledRefundOf } from './snapshot.ts';

export interface RefundDeskOptions {
  readonly laneId: string;
  readonly currency: Currency;
  readonly till: Till;
  readonly wallet: PointOfSaleClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Something that can be seen is different, or everything is settled. */
  readonly changed: () => void;
  readonly storage: (working: boolean, error: Error | null) => void;
  /** Of a sale: what is refunded of it may be another sum. */
  readonly refundChanged: (saleId: string) => void;
  /** A refund ended, and its request may still arrive at the service. */
  readonly mayArriveLate: () => void;
}

/** What a manager asks for, on a screen. */
export interface ManagerRefund {
  /** Chosen by the screen before the first click is sent, at most 36 characters: however often it arrives, it is one refund. */
  readonly actionId: string;
  readonly sale: { readonly saleId: string } | { readonly receiptNumber: number };
  /** null: all that is left of it. */
  readonly amountMinor: number | null;
  /** For the books. */
  readonly note: string | null;
  /** Of the manager. */
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

/** How long the service may take to reserve: there is nobody to wait for but the service. */
const deadlineMs = 30_000;
/** The service refunds no longer (document 4, section 1.4). */
const windowMs = 90 * 24 * 60 * 60 * 1_000;
/** How long an outcome stays on the screens unless the next refund comes first. */
const resultShownMs = 15_000;

/** A lane's refunds: what a till or a manager asks for, and after a restart what was open. */
export class RefundDesk {
  readonly #options: RefundDeskOptions;
  readonly #runs = new Map<string, RefundRun>();
  /** At the restart, of what was open then. */
  readonly #failedBefore = new Map<RefundRun, number>();
  readonly #decidedAt = new DecidedAt();
  /** The one that the till waits for. */
  #ofTill: RefundRun | null = null;
  #shown: { run: RefundRun; endsAtMs: number } | null = null;
  #hideShown: Cancel | null = null;

  constructor(options: RefundDeskOptions) {
    this.#options = options;
  }

  /** What the journal knows to be unfinished. */
  adoptOpen(): void {
    const { journal, laneId } = this.#options;
    for (const { refundOrderId, events } of journal.openRefunds(laneId)) {
      const { state } = this.#adopt(replayRefund(events));
      if (!isRefundWaitedFor(state)) this.#decidedAt.read(journal, state.request.saleId, refundOrderId);
    }
  }

  /** Goes on with what was adopted, by its intent. */
  restart(): void {
    const open = this.#unfinished();
    const interrupted = open.findLast((run) => isRefundWaitedFor(run.state));
    if (interrupted !== undefined) this.#show(interrupted);
    for (const run of open) this.#failedBefore.set(run, failedAttempts(run.state));
    for (const run of open) run.take({ type: 'restarted' });
  }

  get tillWaits(): boolean {
    return this.#ofTill !== null;
  }

  /** Whether one's outcome is still open. */
  get isUndecided(): boolean {
    return [...this.#runs.values()].some((run) => isRefundWaitedFor(run.state));
  }

  get isAllSettled(): boolean {
    return this.#unfinished().length === 0;
  }

  /** Since the restart the service was asked often enough about each; what it would not confirm is repeated while the lane is open. */
  get isAllAsked(): boolean {
    return this.#unfinished().every((run) => isAsked(run.state, this.#failedBefore.get(run) ?? 0));
  }

  requestByTill(request: TillRequest): RefundAnswer {
    const { journal, laneId, currency } = this.#options;
    if (request.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    const paid = journal.paidSale(laneId, request.receiptNumber);
    if (paid !== null && isOverLimit(paid, request)) return { accepted: false, reason: 'overTillLimit' };
    const { from } = request;
    return this.#request(paid, request.amountMinor, { kind: 'till', ...(from !== undefined && { from }) }, null, null);
  }

  requestByManager({ actionId, sale, amountMinor, note, name }: ManagerRefund): ManagerRefundAnswer {
    const { journal, laneId } = this.#options;
    const paid = 'saleId' in sale ? paidSaleOf(journal, laneId, sale.saleId) : journal.paidSale(laneId, sale.receiptNumber);
    const before = journal.refundOfOrder(actionId);
    if (before !== null) {
      const { request } = before;
      const isSame = request.saleId === paid?.sale.saleId && (amountMinor === null || amountMinor === request.amountMinor);
      return isSame ? { accepted: true, refund: request } : { accepted: false, reason: 'actionUsed', refund: request };
    }
    return this.#request(paid, amountMinor, { kind: 'manager', name }, note, actionId);
  }

  /** null: there is no such refund under way. */
  stop(refundOrderId: string, reason: RefundStopReason): 'aborting' | 'tooLate' | null {
    const run = this.#runs.get(refundOrderId);
    if (run === undefined) return null;
    const { kind } = run.state;
    if (kind === 'offering' || kind === 'capturing' || kind === 'refunded') return 'tooLate';
    run.take({ type: 'stopRequested', reason });
    return 'aborting';
  }

  /** What ended because the service knew of none, and may have arrived there since. */
  sought(): Sought[] {
    const { journal, wallet, laneId } = this.#options;
    return journal.unfound(laneId).refunds.map(({ request: { refundOrderId, paymentId } }) => ({
      at: `refund ${refundOrderId}`,
      ids: [refundOrderId],
      look: async () => {
        const answer = await wallet.lookUpRefund(paymentId, refundOrderId);
        if (answer.kind === 'found') this.#met(refundOrderId, answer.refundId);
        return answer.kind === 'unknown' ? 'unknown' : 'looked';
      },
    }));
  }

  /** Cancelled like any other: it would pay out by itself. */
  #met(refundOrderId: string, refundId: string): void {
    const refund = this.#options.journal.refundOfOrder(refundOrderId);
    if (refund === null || !mayRefundArriveLate(refund)) return;
    const run = this.#runs.get(refundOrderId) ?? this.#adopt(refund);
    run.take({ type: 'lookedUp', found: { refundId } });
  }

  /** Nobody will be there to hear how they end. */
  interruptAll(): void {
    for (const refundOrderId of this.#runs.keys()) this.stop(refundOrderId, 'interrupted');
  }

  /** Lets go of everything; the journal keeps it for the next start. */
  close(): void {
    for (const run of this.#runs.values()) run.stop();
    this.#hideShown?.();
  }

  /** What the service contradicts is not shown as an end. */
  shown(): RefundShown | null {
    if (this.#shown === null) return null;
    const { run, endsAtMs } = this.#shown;
    const certainty = certaintyOf(run.state);
    if (certainty === 'contested') return null;
    const remainingMs = Math.max(0, Math.round(endsAtMs - this.#options.clock.monotonicMs()));
    return { refund: run.state, outcome: refundOutcomeOf(run.state), certainty, remainingMs };
  }

  unsettled(): Unsettled[] {
    return [...this.#runs.values()].flatMap(({ state }) => {
      const unsettled = unsettledRefundOf(state);
      return unsettled === null ? [] : { ...unsettled, sinceMs: this.#decidedAt.of(unsettled.orderId) ?? state.request.startedAtMs };
    });
  }

  #unfinished(): RefundRun[] {
    return [...this.#runs.values()].filter((run) => !isFinalRefund(run.state));
  }

  #request(paid: PaidSale | null, wantedMinor: number | null, by: RefundedBy, note: string | null, actionId: string | null): RefundAnswer {
    const { clock, currency } = this.#options;
    if (paid === null || clock.wallMs() - paid.sale.startedAtMs > windowMs) return { accepted: false, reason: 'unknownReceipt' };
    if (paid.sale.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    if (wantedMinor !== null && (!Number.isSafeInteger(wantedMinor) || wantedMinor < 1)) return { accepted: false, reason: 'amountTooSmall' };
    const leftMinor = paid.sale.amountMinor - paid.refundedMinor;
    if (leftMinor <= 0 || (wantedMinor ?? 0) > leftMinor) return this.#notLeft(paid.sale.saleId, leftMinor, wantedMinor ?? 1);
    const amountMinor = wantedMinor ?? leftMinor;
    try {
      const refund = this.#begin(paid, amountMinor, by, note, actionId);
      this.#options.storage(true, null);
      return { accepted: true, refund };
    } catch (error) {
      this.#options.storage(false, error as Error);
      return { accepted: false, reason: 'storageFailed' };
    }
  }

  /** What has been refunded is not told of what only may have been. */
  #notLeft(saleId: string, leftMinor: number, wantedMinor: number): RefundAnswer {
    const open = openMoney(this.#options.journal.refundsOf(saleId));
    const { openMinor } = open;
    if (openMinor > 0 && wantedMinor <= leftMinor + openMinor) return { accepted: false, reason: 'refundOpen', askAgainMinutes: minutesUntilKnown(open) };
    return { accepted: false, reason: leftMinor + openMinor <= 0 ? 'alreadyRefunded' : 'amountTooHigh' };
  }

  /** @throws when the disk refuses; then nothing has begun */
  #begin({ sale, paymentId }: PaidSale, amountMinor: number, by: RefundedBy, note: string | null, actionId: string | null): RefundTicket {
    const { laneId, journal, ids, clock } = this.#options;
    const numbers = journal.nextNumbers(laneId);
    const request: RefundRequest = {
      refundOrderId: actionId ?? `${laneId}-R${String(numbers.traceNumber).padStart(6, '0')}-${ids.uuid().slice(0, 8)}`,
      saleId: sale.saleId,
      amountMinor,
      currency: sale.currency,
      ...numbers,
      originalReceiptNumber: sale.receiptNumber,
      originalTraceNumber: sale.traceNumber,
      startedAtMs: clock.wallMs(),
      laneId,
      paymentId,
      idempotencyKey: ids.uuid(),
      by,
      note,
      deadlineMs,
    };
    const { events, effects } = beginRefund(request);
    journal.appendRefund(laneId, request.refundOrderId, events);
    this.#options.log.info({ saleId: sale.saleId, refundOrderId: request.refundOrderId, amountMinor, currency: sale.currency, by: by.kind }, 'refund');
    const run = this.#adopt(replayRefund(events));
    run.after(deadlineMs, () => run.take({ type: 'stopRequested', reason: 'timedOut' }));
    if (by.kind === 'till') this.#ofTill = run;
    this.#show(run);
    this.#options.refundChanged(sale.saleId);
    // The till gets its answer first; the request to the service leaves in the same turn, behind it.
    queueMicrotask(() => run.carryOut(effects));
    this.#options.changed();
    return request;
  }

  #adopt(refund: Refund): RefundRun {
    const { journal, wallet, till, clock, log, storage } = this.#options;
    const run = refundRun(refund, { journal, wallet, till, clock, log, storage, changed: (changed) => this.#onChanged(changed) });
    this.#runs.set(refund.request.refundOrderId, run);
    return run;
  }

  #onChanged(run: RefundRun): void {
    const refund = run.state;
    const { refundOrderId, saleId } = refund.request;
    if (!isRefundWaitedFor(refund)) {
      this.#decidedAt.decided(refundOrderId, this.#options.clock.wallMs());
      if (this.#ofTill === run) this.#ofTill = null;
      if (this.#shown?.run === run) this.#hideShown ??= this.#options.clock.after(resultShownMs, () => this.#show(null));
    }
    if (refund.kind === 'needsPerson') this.#options.log.error({ refundOrderId, problem: refund.problem }, 'a person must look after this refund');
    if (isFinalRefund(refund)) run.stop();
    if (refund.kind === 'refunded' || refund.kind === 'notRefunded') {
      this.#runs.delete(refundOrderId);
      this.#decidedAt.forget(refundOrderId);
    }
    this.#options.refundChanged(saleId);
    if (mayRefundArriveLate(refund)) this.#options.mayArriveLate();
    this.#options.changed();
  }

  #show(run: RefundRun | null): void {
    this.#hideShown?.();
    this.#hideShown = null;
    this.#shown = run && { run, endsAtMs: this.#options.clock.monotonicMs() + deadlineMs };
    if (run === null) this.#options.changed();
  }
}

/** In parts it must not become more. What is left is judged elsewhere. */
function isOverLimit({ sale, refundedMinor }: PaidSale, { amountMinor, limitMinor }: TillRequest): boolean {
  if (limitMinor == null || refundedMinor >= sale.amountMinor) return false;
  return refundedMinor + (amountMinor ?? sale.amountMinor - refundedMinor) > limitMinor;
}
