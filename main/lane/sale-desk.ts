import type { Journal } from '../journal/journal.ts';
import { replay } from '../payment/apply.ts';
import { begin } from '../payment/decide.ts';
import { type Flow, isFinal, isWaitedFor, mayArriveLate, outcomeOf, type Payment, type Sale, type StopReason } from '../payment/payment.ts';
import type { Cancel, Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import type { Currency } from '../primitives/money.ts';
import type { SaleAnswer, SaleRequest, Till } from '../till/port.ts';
import type { OpenPayment, WalletCounter } from '../wallet/port.ts';
import type { Sought } from './late-arrivals.ts';
import { failedAttempts, isAsked } from './opening.ts';
import { type SaleRun, saleRun } from './sale-run.ts';
import { type LaneSnapshot, progressOf, type Unsettled, unsettledOf } from './snapshot.ts';

export interface SaleDeskOptions {
  readonly laneId: string;
  readonly currency: Currency;
  readonly flow: Flow;
  /** How long a customer has. */
  readonly deadlineMs: number;
  readonly till: Till;
  readonly wallet: WalletCounter;
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
}

/** Six BCD bytes: what a till can ask for (ZVT PA00P015, bitmap 04). */
const largestAmountMinor = 999_999_999_999;
/** How long an outcome stays on the screens unless the next sale comes first. */
const resultShownMs = 15_000;

/** A lane's sales: the one that the till waits for, those that are still being settled, and after a restart what was open. */
export class SaleDesk {
  readonly #options: SaleDeskOptions;
  readonly #runs = new Map<string, SaleRun>();
  /** At the restart, of what was open then. */
  readonly #failedBefore = new Map<SaleRun, number>();
  #current: { run: SaleRun; endsAtMs: number } | null = null;
  #result: LaneSnapshot['result'] = null;
  #hideResult: Cancel | null = null;

  constructor(options: SaleDeskOptions) {
    this.#options = options;
  }

  /** What the journal knows to be unfinished. */
  adoptOpen(): void {
    for (const { events } of this.#options.journal.openSales(this.#options.laneId)) this.#adopt(replay(events));
  }

  /** Goes on with what was adopted, by its intent. @returns to be called when all is settled: shows how the interrupted sale ended */
  restart(): () => void {
    const open = this.#unfinished();
    const interrupted = open.findLast((run) => isWaitedFor(run.state));
    for (const run of open) this.#failedBefore.set(run, failedAttempts(run.state));
    for (const run of open) run.take({ type: 'restarted' });
    return () => interrupted && this.#tellOutcome(interrupted.state);
  }

  get tillWaits(): boolean {
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
    const { currency, clock, changed, storage } = this.#options;
    if (request.currency !== currency) return { accepted: false, reason: 'wrongCurrency' };
    if (!Number.isSafeInteger(request.amountMinor) || request.amountMinor < 1) return { accepted: false, reason: 'amountTooSmall' };
    if (request.amountMinor > largestAmountMinor) return { accepted: false, reason: 'amountTooHigh' };
    let run: SaleRun;
    try {
      run = this.#begin(request, posId);
    } catch (error) {
      storage(false, error as Error);
      return { accepted: false, reason: 'storageFailed' };
    }
    storage(true, null);
    this.#showResult(null);
    const { sale } = run.state;
    run.after(sale.deadlineMs, () => run.take({ type: 'stopRequested', reason: 'timedOut' }));
    this.#current = { run, endsAtMs: clock.monotonicMs() + sale.deadlineMs };
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

  /** What ended because the service knew of none, and may have arrived there since. */
  unfound(): Sought[] {
    const { journal, wallet, laneId } = this.#options;
    return journal.unfound(laneId).payments.map(({ sale: { saleId, orderId } }) => ({
      id: saleId,
      look: async () => {
        const answer = await wallet.lookUp(orderId);
        if (answer.kind === 'found') this.met({ paymentId: answer.paymentId, orderId });
        return answer.kind;
      },
    }));
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
    this.#hideResult?.();
  }

  current(): LaneSnapshot['current'] {
    if (this.#current === null) return null;
    const { run, endsAtMs } = this.#current;
    return { payment: run.state, remainingMs: Math.max(0, Math.round(endsAtMs - this.#options.clock.monotonicMs())) };
  }

  get result(): LaneSnapshot['result'] {
    return this.#result;
  }

  unsettled(): Unsettled[] {
    return [...this.#runs.values()].flatMap((run) => unsettledOf(run.state) ?? []);
  }

  #unfinished(): SaleRun[] {
    return [...this.#runs.values()].filter((run) => !isFinal(run.state));
  }

  #newSale({ amountMinor, currency }: SaleRequest, posId: string): Sale {
    const { laneId, flow, deadlineMs, journal, ids, clock } = this.#options;
    const numbers = journal.nextNumbers(laneId);
    const saleId = ids.uuid();
    return {
      saleId,
      // Unique for every attempt (document 4, section 1.1), and short enough to be read out over the telephone.
      orderId: `${laneId}-${String(numbers.traceNumber).padStart(6, '0')}-${saleId.slice(0, 8)}`,
      laneId,
      posId,
      flow,
      idempotencyKey: ids.uuid(),
      deadlineMs,
      startedAtMs: clock.wallMs(),
      amountMinor,
      currency,
      ...numbers,
    };
  }

  /** @throws when the disk refuses; then nothing has begun */
  #begin(request: SaleRequest, posId: string): SaleRun {
    const sale = this.#newSale(request, posId);
    const { events, effects } = begin(sale);
    this.#options.journal.append(sale.laneId, sale.saleId, events);
    this.#options.log.info({ saleId: sale.saleId, orderId: sale.orderId, amountMinor: sale.amountMinor, currency: sale.currency }, 'sale');
    const run = this.#adopt(replay(events));
    // The till gets its answer first; the request to the service leaves in the same turn, behind it.
    queueMicrotask(() => run.carryOut(effects));
    return run;
  }

  #adopt(payment: Payment): SaleRun {
    const { journal, wallet, till, clock, ids, log, storage } = this.#options;
    const run = saleRun(payment, {
      journal,
      wallet,
      till,
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
    const { till, log, changed, notOnboarded } = this.#options;
    const payment = run.state;
    const { saleId, orderId } = payment.sale;
    if (this.#current?.run === run) {
      if (isWaitedFor(payment)) {
        const progress = progressOf(payment);
        if (progress !== null) till.progress(saleId, progress);
      } else {
        this.#current = null;
        this.#tellOutcome(payment);
        if (payment.kind === 'notPaid' && payment.reason === 'notOnboarded') notOnboarded();
      }
    }
    if (payment.kind === 'needsPerson') log.error({ orderId, problem: payment.problem }, 'a person must look after this payment');
    if (isFinal(payment)) run.stop();
    if (payment.kind === 'paid' || payment.kind === 'notPaid') this.#runs.delete(saleId);
    if (mayArriveLate(payment)) this.#options.mayArriveLate();
    changed();
  }

  #tellOutcome(payment: Payment): void {
    const outcome = outcomeOf(payment);
    const { saleId, amountMinor, currency } = payment.sale;
    if (outcome !== null) this.#showResult({ saleId, amountMinor, currency, outcome });
  }

  #showResult(result: LaneSnapshot['result']): void {
    this.#hideResult?.();
    this.#hideResult = null;
    this.#result = result;
    if (result === null) return;
    this.#hideResult = this.#options.clock.after(resultShownMs, () => {
      this.#result = null;
      this.#hideResult = null;
      this.#options.changed();
    });
  }
}

/** Decided against, and no payment of it is known at the service. */
const isUnidentified = (payment: Payment): boolean => mayArriveLate(payment) || (payment.kind === 'cancelling' && payment.paymentId === null);
