import type { Journal } from '../journal/journal.ts';
import { replay } from '../payment/apply.ts';
import { begin } from '../payment/decide.ts';
import { type Flow, isFinal, isWaitedFor, outcomeOf, type Payment, type Sale, type StopReason } from '../payment/payment.ts';
import { type Cancel, type Clock, sleep } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import type { Currency } from '../primitives/money.ts';
import type { FinishedSale } from '../primitives/sale.ts';
import type { LaneDesk, SaleAnswer, SaleRequest, Till, TillLink } from '../till/port.ts';
import type { WalletCounter } from '../wallet/port.ts';
import { clearPointOfSale, openPointOfSale, type OpeningOptions } from './opening.ts';
import { SaleRun } from './sale-run.ts';
import { type LaneCondition, type LaneSnapshot, progressOf, unsettledOf } from './snapshot.ts';

export interface LaneSettings {
  readonly id: string;
  readonly name: string;
  readonly currency: Currency;
  readonly flow: Flow;
  /** How long a customer has. Shorter than the till's own patience (ZVT T4: 180 s). */
  readonly deadlineMs: number;
}

export interface LaneOptions {
  readonly settings: LaneSettings;
  readonly till: Till;
  readonly wallet: WalletCounter;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly changed: () => void;
}

/** Six BCD bytes: what a till can ask for (ZVT PA00P015, bitmap 04). */
const largestAmountMinor = 999_999_999_999;
/** How long an outcome stays on the screens unless the next sale comes first. */
const resultShownMs = 15_000;
/** At the end of the daemon: how long the till's answer and the service's confirmation are waited for. */
const farewellMs = 1_200;

/** One till and one point of sale: carries sales from request to answer, and finishes after a restart what was open. */
export class Lane implements LaneDesk {
  readonly #options: LaneOptions;
  readonly #log: Log;
  readonly #runs = new Map<string, SaleRun>();
  readonly #closing = new AbortController();
  #condition: LaneCondition = { kind: 'notReady', reason: 'starting', detail: null };
  #storageError: string | null = null;
  #posId = '';
  #qr: string | null = null;
  #link: TillLink = { state: 'absent', detail: null };
  #current: { run: SaleRun; endsAtMs: number; cancelDeadline: Cancel } | null = null;
  #result: LaneSnapshot['result'] = null;
  #hideResult: Cancel | null = null;
  #whenSettled: (() => void)[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#log = options.log.child({ lane: options.settings.id });
  }

  /**
   * Listens to the till at once (it gets an honest "not ready"), then opens at the service.
   * Resolves when the lane takes payments, or rejects when it never will: the till's settings cannot work.
   */
  async start(): Promise<void> {
    for (const { events } of this.#options.journal.openSales(this.#options.settings.id)) this.#adopt(replay(events));
    await this.#options.till.open(this);
    await this.#open();
  }

  /** Ends what can be ended in little more than a second; the journal keeps the rest for the next start. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the lane is closing'));
    this.#setCondition({ kind: 'notReady', reason: 'starting', detail: 'the daemon is stopping' });
    this.#current?.run.take({ type: 'stopRequested', reason: 'interrupted' });
    await Promise.race([this.#allSettled(), sleep(this.#options.clock, farewellMs)]);
    for (const run of this.#runs.values()) run.stop();
    this.#current?.cancelDeadline();
    this.#hideResult?.();
    await this.#options.till.close();
  }

  // What a till may ask (LaneDesk)

  requestSale(request: SaleRequest): SaleAnswer {
    const refuse = (reason: Extract<SaleAnswer, { accepted: false }>['reason']): SaleAnswer => {
      this.#log.warn({ reason, ...request }, 'the till asked for a sale and was refused');
      return { accepted: false, reason };
    };
    if (this.#current !== null) return refuse('busy');
    if (this.#condition.kind !== 'open') return refuse('notReady');
    if (request.currency !== this.#options.settings.currency) return refuse('wrongCurrency');
    if (!Number.isSafeInteger(request.amountMinor) || request.amountMinor < 1) return refuse('amountTooSmall');
    if (request.amountMinor > largestAmountMinor) return refuse('amountTooHigh');
    let run: SaleRun;
    try {
      run = this.#begin(request);
    } catch (error) {
      this.#onStorage(false, error as Error);
      return refuse('storageFailed');
    }
    this.#onStorage(true, null);
    this.#showResult(null);
    const { sale } = run.payment;
    const cancelDeadline = this.#options.clock.after(sale.deadlineMs, () => run.take({ type: 'stopRequested', reason: 'timedOut' }));
    this.#current = { run, endsAtMs: this.#options.clock.monotonicMs() + sale.deadlineMs, cancelDeadline };
    this.#options.changed();
    return { accepted: true, sale };
  }

  abortSale(saleId: string): 'aborting' | 'tooLate' {
    return this.#stop(saleId, 'cancelledByTill');
  }

  tillLost(saleId: string): void {
    this.#stop(saleId, 'tillGone');
  }

  readiness(): 'ready' | 'busy' | 'notReady' {
    if (this.#current !== null) return 'busy';
    return this.#condition.kind === 'open' ? 'ready' : 'notReady';
  }

  lastSale(): FinishedSale | null {
    return this.#options.journal.lastDecidedSale(this.#options.settings.id);
  }

  tillLink(link: TillLink): void {
    if (link.state === this.#link.state && link.detail === this.#link.detail) return;
    this.#link = link;
    this.#log.info({ ...link, address: this.#options.till.address }, 'till link');
    this.#options.changed();
  }

  // What a cashier may ask

  cancelByCashier(saleId: string): 'cancelling' | 'tooLate' | 'unknownSale' {
    if (this.#current?.run.payment.sale.saleId !== saleId) return 'unknownSale';
    return this.#stop(saleId, 'cancelledByCashier') === 'tooLate' ? 'tooLate' : 'cancelling';
  }

  // What screens may see

  snapshot(): LaneSnapshot {
    const { settings, till, clock } = this.#options;
    return {
      laneId: settings.id,
      name: settings.name,
      condition: this.#storageError === null ? this.#condition : { kind: 'notReady', reason: 'storageFailed', detail: this.#storageError },
      current: this.#current && { payment: this.#current.run.payment, remainingMs: Math.max(0, Math.round(this.#current.endsAtMs - clock.monotonicMs())) },
      result: this.#result,
      qr: this.#qr,
      till: { ...this.#link, address: till.address },
      unsettled: [...this.#runs.values()].flatMap((run) => unsettledOf(run.payment) ?? []),
    };
  }

  get id(): string {
    return this.#options.settings.id;
  }

  /** Of the till's line; exact once it is open. */
  get address(): string {
    return this.#options.till.address;
  }

  // Opening

  async #open(): Promise<void> {
    if (!(await this.#openPointOfSale())) return;
    await this.#settleWhatWasOpen();
    await clearPointOfSale(this.#opening());
    this.#declareOpen();
  }

  /** The service no longer wants this point of sale (deleted, or its store or our credentials lost their rights): opened anew, or shown why not. */
  async #reopen(): Promise<void> {
    this.#setCondition({ kind: 'notReady', reason: 'starting', detail: null });
    if (await this.#openPointOfSale()) this.#declareOpen();
  }

  /** false: the lane is closing. */
  async #openPointOfSale(): Promise<boolean> {
    const opened = await openPointOfSale(this.#opening());
    if (opened === null) return false;
    this.#posId = opened.posId;
    this.#qr = opened.qr;
    return true;
  }

  #opening(): OpeningOptions {
    const { wallet, clock } = this.#options;
    return { wallet, clock, log: this.#log, closing: this.#closing.signal, waiting: (condition) => this.#setCondition(condition) };
  }

  #declareOpen(): void {
    if (this.#closing.signal.aborted) return;
    this.#setCondition({ kind: 'open' });
    this.#log.info({ posId: this.#posId }, 'the lane is open');
  }

  /** Our own payments by their intent, before anything new (document 4, section 1.9, step 6). */
  async #settleWhatWasOpen(): Promise<void> {
    const open = [...this.#runs.values()].filter((run) => !isFinal(run.payment));
    if (open.length === 0) return;
    this.#setCondition({ kind: 'notReady', reason: 'settlingOpenPayments', detail: null });
    const interrupted = open.findLast((run) => isWaitedFor(run.payment));
    for (const run of open) run.take({ type: 'restarted' });
    await this.#allSettled();
    if (interrupted !== undefined) this.#tellOutcome(interrupted.payment);
  }

  /** Resolves when no payment of this lane is unfinished at the service. */
  #allSettled(): Promise<void> {
    if (this.#isAllSettled()) return Promise.resolve();
    return new Promise((resolve) => this.#whenSettled.push(resolve));
  }

  #isAllSettled(): boolean {
    return [...this.#runs.values()].every((run) => isFinal(run.payment));
  }

  // Sales

  #newSale(request: SaleRequest): Sale {
    const { settings, journal, ids, clock } = this.#options;
    const numbers = journal.nextNumbers(settings.id);
    const saleId = ids.uuid();
    return {
      saleId,
      // Unique for every attempt (document 4, section 1.1), and short enough to be read out over the telephone.
      orderId: `${settings.id}-${String(numbers.traceNumber).padStart(6, '0')}-${saleId.slice(0, 8)}`,
      laneId: settings.id,
      posId: this.#posId,
      flow: settings.flow,
      idempotencyKey: ids.uuid(),
      deadlineMs: settings.deadlineMs,
      startedAtMs: clock.wallMs(),
      amountMinor: request.amountMinor,
      currency: request.currency,
      ...numbers,
    };
  }

  /** @throws when the disk refuses; then nothing has begun */
  #begin(request: SaleRequest): SaleRun {
    const sale = this.#newSale(request);
    const { events, effects } = begin(sale);
    this.#options.journal.append(sale.laneId, sale.saleId, events);
    this.#log.info({ saleId: sale.saleId, orderId: sale.orderId, amountMinor: sale.amountMinor, currency: sale.currency }, 'sale');
    const run = this.#adopt(replay(events));
    // The till gets its answer first; the request to the service leaves in the same turn, behind it.
    queueMicrotask(() => run.carryOut(effects));
    return run;
  }

  #adopt(payment: Payment): SaleRun {
    const { journal, wallet, till, clock, ids } = this.#options;
    const run = new SaleRun(payment, {
      journal,
      wallet,
      till,
      clock,
      ids,
      log: this.#log,
      changed: (changed) => this.#onChanged(changed),
      storage: (working, error) => this.#onStorage(working, error),
    });
    this.#runs.set(payment.sale.saleId, run);
    return run;
  }

  #stop(saleId: string, reason: StopReason): 'aborting' | 'tooLate' {
    const run = this.#runs.get(saleId);
    if (run === undefined) return 'aborting';
    const { kind } = run.payment;
    if (kind === 'offering' || kind === 'capturing' || kind === 'paid') return 'tooLate';
    run.take({ type: 'stopRequested', reason });
    return 'aborting';
  }

  #onChanged(run: SaleRun): void {
    const { payment } = run;
    if (this.#current?.run === run) {
      if (isWaitedFor(payment)) {
        const progress = progressOf(payment);
        if (progress !== null) this.#options.till.progress(payment.sale.saleId, progress);
      } else {
        this.#current.cancelDeadline();
        this.#current = null;
        this.#tellOutcome(payment);
        if (payment.kind === 'notPaid' && payment.reason === 'notOnboarded') void this.#reopen();
      }
    }
    if (payment.kind === 'needsPerson') this.#log.error({ orderId: payment.sale.orderId, problem: payment.problem }, 'a person must look after this payment');
    else if (isFinal(payment)) this.#runs.delete(payment.sale.saleId);
    if (this.#isAllSettled()) for (const resolve of this.#whenSettled.splice(0)) resolve();
    this.#options.changed();
  }

  #onStorage(working: boolean, error: Error | null): void {
    const storageError = working ? null : (error?.message ?? 'the journal could not be written');
    if (storageError === this.#storageError) return;
    this.#storageError = storageError;
    if (storageError !== null) this.#log.error({ detail: storageError }, 'the journal cannot be written');
    this.#options.changed();
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

  #setCondition(condition: LaneCondition): void {
    this.#condition = condition;
    this.#options.changed();
  }
}
