import type { Journal } from '../journal/journal.ts';
import { replay } from '../domain/settlement/apply.ts';
import { certaintyOf } from '../domain/settlement/certainty.ts';
import { begin } from '../domain/settlement/decide.ts';
import { claimantOf, type Flow, isFinal, isWaitedFor, mayArriveLate, outcomeOf, type Payment, type StopReason } from '../domain/settlement/payment.ts';
import type { Clock } from '../domain/clock.ts';
import type { Ids } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import type { Currency } from '../domain/money.ts';
import type { SaleAnswer, SaleRequest, Till } from '../till/port.ts';
import type { OpenPayment, PointOfSaleClient } from '../wallet/port.ts';
import { claimsOf, isOrderText, type PaymentByHand, type PaymentByHandAnswer, repeated } from './by-hand.ts';
import { DecidedAt } from './decided-at.ts';
import type { Sought } from './late-arrivals.ts';
import { newSale, type SaleOrder } from './new-sale.ts';
import { failedAttempts, isAsked } from './opening.ts';
import { paymentOfSale } from './paid-sale.ts';
import { type RecentSale, RecentSales } from './recent-sales.ts';
import { ResultBoard } from './result-board.ts';
import { type SaleRun, saleRun } from './sale-run.ts';
import { type CurrentSale, progressOf, type ShownResult, type Unsettled, unsettledOf } from './snapshot.ts';

export interface SaleDeskOptions {
  readonly laneId: string;
  readonly currency: Currency;
  readonly flow: Flow;
  /** How long a customer has. */
  readonly deadlineMs: number;
  readonly till: Till;
  readonly wallet: PointOfSaleClient;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Something that can be seen is different, or everything is settled. */
  readonly changed: () => void;
  readonly storage: (working: boolean, error: Error | null) => void;
  /** A sale ended, and its request may still arrive at the service. */
  readonly mayArriveLate: () => void;
  /** The service would not take a payment here any more. */
  readonly notOnboarded: () => void;
  /** How long a wish to cancel stays unanswered before the cashier may leave the sale. */
  readonly leaveAfterMs: number;
}

/** Six BCD bytes: what a till can ask for (ZVT PA00P015, bitmap 04). */
const largestAmountMinor = 999_999_999_999;

/** A lane's sales: the one that the till, or the cashier, waits for, those that are still being settled, and after a restart what was open. */
export class SaleDesk {
  readonly #options: SaleDeskOptions;
  readonly #runs = new Map<string, SaleRun>();
  /** At the restart, of what was open then. */
  readonly #failedBefore = new Map<SaleRun, number>();
  readonly #decidedAt = new DecidedAt();
  readonly #recent: RecentSales;
  readonly #results: ResultBoard;
  /** `mayLeaveAtMs`: by the monotonic clock; null: nobody has wished to cancel it. */
  #current: { readonly run: SaleRun; readonly endsAtMs: number; mayLeaveAtMs: number | null } | null = null;

  constructor(options: SaleDeskOptions) {
    this.#options = options;
    this.#recent = new RecentSales(options.journal, options.laneId);
    this.#results = new ResultBoard(options);
  }

  /** What the journal knows to be unfinished. */
  adoptOpen(): void {
    for (const { events } of this.#options.journal.openSales(this.#options.laneId)) this.#adopt(replay(events));
    for (const [saleId, { state }] of this.#runs) if (!isWaitedFor(state)) this.#decidedAt.read(this.#options.journal, saleId, null);
    this.#recent.read();
  }

  /** Goes on with what was adopted, by its intent. @returns to be called when all is settled: shows how the interrupted sale ended */
  restart(): () => void {
    const open = this.#unfinished();
    const interrupted = open.findLast((run) => isWaitedFor(run.state));
    for (const run of open) this.#failedBefore.set(run, failedAttempts(run.state));
    for (const run of open) run.take({ type: 'restarted' });
    return () => interrupted && this.#tellOutcome(interrupted.state);
  }

  /** One is under way, of a till or by hand. */
  get isBusy(): boolean {
    return this.#current !== null;
  }

  /** Whether one's outcome is still open. */
  get isUndecided(): boolean {
    return [...this.#runs.values()].some((run) => isWaitedFor(run.state));
  }

  get isAllSettled(): boolean {
    return this.#unfinished().length === 0;
  }

  /** Since the restart the service was asked often enough about each; what it would not confirm is repeated while the lane is open. */
  get isAllAsked(): boolean {
    return this.#unfinished().every((run) => isAsked(run.state, this.#failedBefore.get(run) ?? 0));
  }

  request(request: SaleRequest, posId: string): SaleAnswer {
    const { laneId, ids } = this.#options;
    return this.#take({ ...request, saleId: ids.uuid(), by: 'till', orderPrefix: laneId, posId });
  }

  /** How the same action was answered before; null: it is new. */
  answeredByHand(payment: PaymentByHand): PaymentByHandAnswer | null {
    const { journal, laneId, currency } = this.#options;
    const before = paymentOfSale(journal, payment.actionId);
    return before && repeated(before, payment, { laneId, currency });
  }

  requestByHand({ actionId, amountMinor, orderText }: PaymentByHand, posId: string): PaymentByHandAnswer {
    const { laneId, currency } = this.#options;
    const text = orderText?.trim() ?? '';
    if (!isOrderText(text)) return { accepted: false, reason: 'orderText' };
    return this.#take({ amountMinor, currency, saleId: actionId, by: 'cashier', orderPrefix: text || laneId, posId });
  }

  #take(order: SaleOrder): SaleAnswer {
    const { currency, clock, changed, storage } = this.#options;
    if (order.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    if (!Number.isSafeInteger(order.amountMinor) || order.amountMinor < 1) return { accepted: false, reason: 'amountTooSmall' };
    if (order.amountMinor > largestAmountMinor) return { accepted: false, reason: 'amountTooHigh' };
    let run: SaleRun;
    try {
      run = this.#begin(order);
    } catch (error) {
      storage(false, error as Error);
      return { accepted: false, reason: 'storageFailed' };
    }
    storage(true, null);
    this.#results.show(null);
    const { sale } = run.state;
    run.after(sale.deadlineMs, () => run.take({ type: 'stopRequested', reason: 'timedOut' }));
    this.#current = { run, endsAtMs: clock.monotonicMs() + sale.deadlineMs, mayLeaveAtMs: null };
    changed();
    return { accepted: true, sale };
  }

  /** null: there is no such sale under way. */
  stop(saleId: string, reason: StopReason): 'aborting' | 'tooLate' | null {
    const run = this.#runs.get(saleId);
    if (run === undefined) return null;
    const { kind } = run.state;
    if (kind === 'offering' || kind === 'capturing' || kind === 'paid') return 'tooLate';
    run.take({ type: 'stopRequested', reason });
    return 'aborting';
  }

  /** Out of a cancel that stays unanswered: it is decided against, and repeated behind the next sale. null: it is not under way. */
  leave(saleId: string): 'left' | 'tooEarly' | 'tooLate' | null {
    if (this.#current?.run.state.sale.saleId !== saleId) return null;
    const { run, mayLeaveAtMs } = this.#current;
    if (run.state.kind === 'offering') return 'tooLate';
    if (mayLeaveAtMs === null || this.#options.clock.monotonicMs() < mayLeaveAtMs) return 'tooEarly';
    run.take({ type: 'stopRequested', reason: 'leftByCashier' });
    return 'left';
  }

  /** What ended because the service knew of none, and may have arrived there since. */
  sought(): Sought {
    const { journal, wallet, laneId } = this.#options;
    return {
      at: 'point of sale',
      ids: journal.unfound(laneId).payments.map(({ sale }) => sale.saleId),
      look: async () => {
        // What the journal knows need not be asked about; from the next sale on, the service is asked about nothing but that sale.
        const answer = await wallet.listOpen((paymentId) => !this.isBusy && journal.saleOfPayment(paymentId) === null);
        if (answer.kind === 'unknown') return 'unknown';
        for (const found of answer.payments) this.met(found);
        return this.isBusy ? 'unknown' : 'looked';
      },
    };
  }

  /**
   * A payment that is open at the service. One of a sale that is decided against is known from now on, and cancelled like any other.
   * @returns whether nothing here speaks against cancelling it
   */
  met({ paymentId, orderId }: OpenPayment): boolean {
    const { journal, laneId } = this.#options;
    const payment = journal.paymentOfOrder(orderId);
    if (payment === null || payment.sale.laneId !== laneId) return true;
    // A clean-up that has outlived its own sale meets the next one.
    if (isWaitedFor(payment)) return false;
    if (!isUnidentified(payment)) return true;
    const run = this.#runs.get(payment.sale.saleId) ?? this.#adopt(payment);
    run.take({ type: 'lookedUp', found: { paymentId } });
    return !isUnidentified(run.state);
  }

  /** Nobody will be there to hear how it ends. */
  interruptAll(): void {
    this.#current?.run.take({ type: 'stopRequested', reason: 'interrupted' });
  }

  /** Lets go of everything; the journal keeps it for the next start. */
  close(): void {
    for (const run of this.#runs.values()) run.stop();
    this.#results.close();
  }

  current(): CurrentSale | null {
    if (this.#current === null) return null;
    const { run, endsAtMs, mayLeaveAtMs } = this.#current;
    const until = (atMs: number): number => Math.max(0, Math.round(atMs - this.#options.clock.monotonicMs()));
    return { payment: run.state, customer: run.customer.known, remainingMs: until(endsAtMs), mayLeaveInMs: mayLeaveAtMs === null ? null : until(mayLeaveAtMs) };
  }

  /** What the service contradicts is not shown as an end. */
  get result(): ShownResult | null {
    const { shown } = this.#results;
    const payment = shown && this.#runs.get(shown.saleId)?.state;
    const certainty = payment == null ? 'confirmed' : certaintyOf(payment);
    return shown === null || certainty === 'contested' ? null : { ...shown, certainty };
  }

  recent(): readonly RecentSale[] {
    return this.#recent.shown();
  }

  /** Of a sale: a refund of it began, or went on. */
  refundChanged(saleId: string): void {
    this.#recent.refundChanged(saleId);
  }

  unsettled(): Unsettled[] {
    return [...this.#runs.values()].flatMap(({ state }) => {
      const unsettled = unsettledOf(state);
      return unsettled === null ? [] : { ...unsettled, sinceMs: this.#decidedAt.of(unsettled.saleId) ?? state.sale.startedAtMs };
    });
  }

  #unfinished(): SaleRun[] {
    return [...this.#runs.values()].filter((run) => !isFinal(run.state));
  }

  /** @throws when the disk refuses; then nothing has begun */
  #begin(order: SaleOrder): SaleRun {
    const sale = newSale(order, this.#options);
    const { events, effects } = begin(sale);
    this.#options.journal.append(sale.laneId, sale.saleId, events);
    const { saleId, orderId, amountMinor, currency, by } = sale;
    this.#options.log.info({ saleId, orderId, amountMinor, currency, by }, 'sale');
    const run = this.#adopt(replay(events));
    this.#recent.began(run.state);
    // The till gets its answer first; the request to the service leaves in the same turn, behind it.
    queueMicrotask(() => run.carryOut(effects));
    return run;
  }

  #adopt(payment: Payment): SaleRun {
    const { journal, wallet, till, clock, ids, log, storage } = this.#options;
    const run = saleRun(payment, {
      journal,
      wallet,
      claims: claimsOf(payment.sale, till),
      clock,
      ids,
      log,
      storage,
      mayCancel: (found) => this.met(found),
      changed: (changed) => this.#onChanged(changed),
    });
    this.#runs.set(payment.sale.saleId, run);
    return run;
  }

  #onChanged(run: SaleRun): void {
    const { till, clock, log, changed, notOnboarded, leaveAfterMs } = this.#options;
    const payment = run.state;
    const { saleId, orderId } = payment.sale;
    if (this.#current?.run === run) {
      if (isWaitedFor(payment)) {
        const progress = progressOf(payment);
        if (progress !== null) claimsOf(payment.sale, till).progress(saleId, progress);
        if (progress === 'cancelling') this.#current.mayLeaveAtMs ??= clock.monotonicMs() + leaveAfterMs;
      } else {
        this.#current = null;
        this.#tellOutcome(payment);
        if (payment.kind === 'notPaid' && payment.reason === 'notOnboarded') notOnboarded();
      }
    }
    if (payment.kind === 'needsPerson') log.error({ orderId, problem: payment.problem }, 'a person must look after this payment');
    this.#recent.changed(payment);
    if (!isWaitedFor(payment)) this.#decidedAt.decided(saleId, clock.wallMs());
    if (isFinal(payment)) run.stop();
    if (payment.kind === 'paid' || payment.kind === 'notPaid') {
      this.#runs.delete(saleId);
      this.#decidedAt.forget(saleId);
    }
    if (mayArriveLate(payment)) this.#options.mayArriveLate();
    changed();
  }

  #tellOutcome(payment: Payment): void {
    const outcome = outcomeOf(payment);
    const { saleId, amountMinor, currency } = payment.sale;
    if (outcome !== null) this.#results.show({ saleId, amountMinor, currency, by: claimantOf(payment.sale), outcome });
  }
}

/** Decided against, and no payment of it is known at the service. */
const isUnidentified = (payment: Payment): boolean => mayArriveLate(payment) || (payment.kind === 'cancelling' && payment.paymentId === null);
