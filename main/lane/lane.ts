import type { Journal } from '../journal/journal.ts';
import type { Flow } from '../payment/payment.ts';
import { type Clock, sleep } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import type { Currency } from '../primitives/money.ts';
import type { FinishedRefund, FinishedSale } from '../primitives/sale.ts';
import type { LaneDesk, RefundAnswer, RefundRequest, SaleAnswer, SaleRequest, Till, TillLink } from '../till/port.ts';
import type { WalletCounter } from '../wallet/port.ts';
import { LateArrivals, type Sought } from './late-arrivals.ts';
import { clearPointOfSale, openPointOfSale, type OpeningOptions } from './opening.ts';
import { type ManagerRefund, type ManagerRefundAnswer, RefundDesk } from './refund-desk.ts';
import { SaleDesk } from './sale-desk.ts';
import type { DamageShown, LaneCondition, LaneSnapshot } from './snapshot.ts';

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
  /** What was found wrong with the journal, as long as people should know. */
  readonly journalDamage?: () => DamageShown | null;
}

/** At the end of the daemon: how long the till's answer and the service's confirmation are waited for. */
const farewellMs = 1_200;

/** One till and one point of sale: opens at the service, and lets the till, the cashier and the manager at its sales and refunds. */
export class Lane implements LaneDesk {
  readonly #options: LaneOptions;
  readonly #log: Log;
  readonly #sales: SaleDesk;
  readonly #refunds: RefundDesk;
  readonly #lateArrivals: LateArrivals;
  readonly #closing = new AbortController();
  #condition: LaneCondition = { kind: 'notReady', reason: 'starting', detail: null };
  #storageError: string | null = null;
  #posId = '';
  #qr: string | null = null;
  #link: TillLink = { state: 'absent', detail: null };
  #linkSinceMs: number;
  #waiting: { readonly reached: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#log = options.log.child({ lane: options.settings.id });
    this.#linkSinceMs = options.clock.wallMs();
    const { id, ...settings } = options.settings;
    const desk = {
      ...settings,
      ...options,
      laneId: id,
      log: this.#log,
      changed: () => this.#onProgress(),
      storage: (working: boolean, error: Error | null) => this.#onStorage(working, error),
      mayArriveLate: () => this.#lateArrivals.seek(this.#unfound()),
    };
    this.#sales = new SaleDesk({ ...desk, notOnboarded: () => void this.#reopen() });
    this.#refunds = new RefundDesk(desk);
    this.#lateArrivals = new LateArrivals({ clock: options.clock, busy: () => this.#sales.tillWaits || this.#refunds.tillWaits });
  }

  /**
   * Listens to the till at once (it gets an honest "not ready"), then opens at the service.
   * Resolves when the lane takes payments, or rejects when it never will: the till's settings cannot work.
   */
  async start(): Promise<void> {
    await this.listen();
    await this.enterService();
  }

  /** The first half of `start`. Rejects when the till's settings cannot work. */
  async listen(): Promise<void> {
    this.#sales.adoptOpen();
    this.#refunds.adoptOpen();
    await this.#options.till.open(this);
  }

  /** The second half. As long as it takes. */
  enterService(): Promise<void> {
    return this.#open();
  }

  /** Ends what can be ended in little more than a second; the journal keeps the rest for the next start. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the lane is closing'));
    this.#lateArrivals.close();
    this.#setCondition({ kind: 'notReady', reason: 'starting', detail: 'the daemon is stopping' });
    this.#sales.interruptAll();
    this.#refunds.interruptAll();
    await Promise.race([this.#until(() => this.#isAllSettled()), sleep(this.#options.clock, farewellMs)]);
    this.#sales.close();
    this.#refunds.close();
    await this.#options.till.close();
  }

  // What a till may ask (LaneDesk). It waits for one thing at a time.

  requestSale(request: SaleRequest): SaleAnswer {
    const answer = this.#refusal() ?? this.#sales.request(request, this.#posId);
    if (!answer.accepted) this.#log.warn({ reason: answer.reason, ...request }, 'the till asked for a sale and was refused');
    return answer;
  }

  abortSale(saleId: string): 'aborting' | 'tooLate' {
    return this.#sales.stop(saleId, 'cancelledByTill') ?? 'aborting';
  }

  requestRefund(request: RefundRequest): RefundAnswer {
    const answer = this.#refusal() ?? this.#refunds.requestByTill(request);
    if (!answer.accepted) this.#log.warn({ reason: answer.reason, ...request }, 'the till asked for a refund and was refused');
    return answer;
  }

  abortRefund(refundOrderId: string): 'aborting' | 'tooLate' {
    return this.#refunds.stop(refundOrderId, 'cancelledByTill') ?? 'aborting';
  }

  tillLost(id: string): void {
    this.#sales.stop(id, 'tillGone');
    this.#refunds.stop(id, 'tillGone');
  }

  readiness(): 'ready' | 'busy' | 'notReady' {
    const refusal = this.#refusal();
    return refusal === null ? 'ready' : refusal.reason;
  }

  lastFinished(): FinishedSale | FinishedRefund | null {
    return this.#options.journal.lastDecided(this.#options.settings.id);
  }

  tillLink(link: TillLink): void {
    if (link.state === this.#link.state && link.detail === this.#link.detail) return;
    if (link.state !== this.#link.state) this.#linkSinceMs = this.#options.clock.wallMs();
    this.#link = link;
    this.#log.info({ ...link, address: this.#options.till.address }, 'till link');
    this.#options.changed();
  }

  #refusal(): { accepted: false; reason: 'busy' | 'notReady' } | null {
    if (this.#sales.tillWaits || this.#refunds.tillWaits) return { accepted: false, reason: 'busy' };
    return this.#condition.kind === 'open' ? null : { accepted: false, reason: 'notReady' };
  }

  // What a cashier may ask

  cancelByCashier(saleId: string): 'cancelling' | 'tooLate' | 'unknownSale' {
    if (this.#sales.current()?.payment.sale.saleId !== saleId) return 'unknownSale';
    return this.#sales.stop(saleId, 'cancelledByCashier') === 'tooLate' ? 'tooLate' : 'cancelling';
  }

  // What a manager may ask

  /** Beside the till: it neither waits for this nor is it told. */
  refundByManager(refund: ManagerRefund): ManagerRefundAnswer {
    const answer: ManagerRefundAnswer = this.#condition.kind === 'open' ? this.#refunds.requestByManager(refund) : { accepted: false, reason: 'notReady' };
    if (!answer.accepted) this.#log.warn({ reason: answer.reason, actionId: refund.actionId, ...refund.sale }, 'a manager asked for a refund and was refused');
    return answer;
  }

  /** Until it is decided to be paid out. */
  cancelRefundByManager(refundOrderId: string): 'cancelling' | 'tooLate' | 'unknownRefund' {
    const answer = this.#refunds.stop(refundOrderId, 'cancelledByManager');
    return answer === 'aborting' ? 'cancelling' : (answer ?? 'unknownRefund');
  }

  /** A payment's or a refund's outcome is still open: it belongs to no closed day yet. */
  get isUndecided(): boolean {
    return this.#sales.isUndecided || this.#refunds.isUndecided;
  }

  // What screens may see

  snapshot(): LaneSnapshot {
    const { settings, till } = this.#options;
    return {
      laneId: settings.id,
      name: settings.name,
      condition: this.#storageError === null ? this.#condition : { kind: 'notReady', reason: 'storageFailed', detail: this.#storageError },
      current: this.#sales.current(),
      result: this.#sales.result,
      refund: this.#refunds.shown(),
      qr: this.#qr,
      till: { ...this.#link, sinceMs: this.#linkSinceMs, address: till.address },
      unsettled: [...this.#sales.unsettled(), ...this.#refunds.unsettled()],
      journalDamage: this.#options.journalDamage?.() ?? null,
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
    this.#lateArrivals.begin(this.#unfound());
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
    return {
      wallet,
      mayCancel: (found) => this.#sales.met(found),
      clock,
      log: this.#log,
      closing: this.#closing.signal,
      waiting: (condition) => this.#setCondition(condition),
    };
  }

  #unfound(): Sought[] {
    return [...this.#sales.unfound(), ...this.#refunds.unfound()];
  }

  #declareOpen(): void {
    if (this.#closing.signal.aborted) return;
    this.#setCondition({ kind: 'open' });
    this.#log.info({ posId: this.#posId }, 'the lane is open');
  }

  /** Our own payments and refunds by their intent, before anything new (document 4, section 1.9, step 6). */
  async #settleWhatWasOpen(): Promise<void> {
    if (this.#isAllSettled()) return;
    this.#setCondition({ kind: 'notReady', reason: 'settlingOpenPayments', detail: null });
    const tellInterrupted = this.#sales.restart();
    this.#refunds.restart();
    await this.#until(() => this.#isAllAsked());
    tellInterrupted();
  }

  #until(reached: () => boolean): Promise<void> {
    if (reached()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ reached, resolve }));
  }

  /** The service was asked about everything that was open: a capture that it will not confirm must not keep the counter closed for days. */
  #isAllAsked(): boolean {
    return this.#sales.isAllAsked && this.#refunds.isAllAsked;
  }

  /** No payment or refund of this lane is unfinished at the service. */
  #isAllSettled(): boolean {
    return this.#sales.isAllSettled && this.#refunds.isAllSettled;
  }

  #onProgress(): void {
    const reached = this.#waiting.filter((one) => one.reached());
    this.#waiting = this.#waiting.filter((one) => !reached.includes(one));
    for (const { resolve } of reached) resolve();
    this.#options.changed();
  }

  #onStorage(working: boolean, error: Error | null): void {
    const storageError = working ? null : (error?.message ?? 'the journal could not be written');
    if (storageError === this.#storageError) return;
    this.#storageError = storageError;
    if (storageError !== null) this.#log.error({ detail: storageError }, 'the journal cannot be written');
    this.#options.changed();
  }

  #setCondition(condition: LaneCondition): void {
    this.#condition = condition;
    this.#options.changed();
  }
}
