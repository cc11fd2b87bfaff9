import { type Clock, sleep } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { PointOfSaleClient } from './wallet-port.ts';
import { clearPointOfSale, openPointOfSale, type OpeningOptions } from './opening.ts';
import type { Refunds } from './refunds.ts';
import type { LanePayments } from './sales.ts';
import type { SettlementService } from './settlement-service.ts';
import type { LaneCondition } from './snapshot.ts';

export interface LaneLifecycleOptions {
  readonly wallet: PointOfSaleClient;
  readonly settlements: SettlementService;
  readonly sales: LanePayments;
  readonly refunds: Refunds;
  readonly clock: Clock;
  readonly log: Log;
  readonly changed: () => void;
}

/** How long to wait for the till's answer and the service's confirmation when the daemon ends. */
const drainMs = 1_200;

/**
 * Opens the lane's point of sale at the service, settles what a restart left open, and stops again.
 */
export class LaneLifecycle {
  readonly #options: LaneLifecycleOptions;
  readonly #closing = new AbortController();
  #condition: LaneCondition = { kind: 'notReady', reason: 'starting', detail: null };
  #posId = '';
  #qr: string | null = null;
  #waiting: { readonly reached: () => boolean; readonly resolve: () => void }[] = [];

  constructor(options: LaneLifecycleOptions) {
    this.#options = options;
  }

  get condition(): LaneCondition {
    return this.#condition;
  }

  /** Whether the lane is closed: nothing new is begun, and the journal may be closed. */
  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** The point of sale's id at the service; empty before it was opened. */
  get posId(): string {
    return this.#posId;
  }

  /** What the code at this counter says. */
  get qr(): string | null {
    return this.#qr;
  }

  /** Opens the lane, however long that takes. */
  async open(): Promise<void> {
    if (!(await this.#openPointOfSale())) return;
    await this.#settleWhatWasOpen();
    await clearPointOfSale(this.#opening());
    this.#declareOpen();
  }

  /**
   * Opens the point of sale anew, or shows why not, when the service no longer wants it: deleted,
   * or its store or our credentials lost their rights.
   */
  async reopen(): Promise<void> {
    this.#setCondition({ kind: 'notReady', reason: 'starting', detail: null });
    if (await this.#openPointOfSale()) this.#declareOpen();
  }

  /** Closes the lane: nothing new is begun from here on. */
  close(): void {
    this.#closing.abort(new Error('the lane is closing'));
    this.#setCondition({ kind: 'notReady', reason: 'starting', detail: 'the daemon is stopping' });
  }

  /** Resolves when everything is settled, or after a bounded wait. */
  async drain(): Promise<void> {
    await Promise.race([
      this.#until(() => this.#options.settlements.isAllSettled),
      sleep(this.#options.clock, drainMs),
    ]);
  }

  /** Called after each change of a payment or refund. */
  progressed(): void {
    const reached = this.#waiting.filter((one) => one.reached());
    this.#waiting = this.#waiting.filter((one) => !reached.includes(one));
    for (const { resolve } of reached) resolve();
  }

  /** false when the lane is closing. */
  async #openPointOfSale(): Promise<boolean> {
    const opened = await openPointOfSale(this.#opening());
    if (opened === null) return false;
    this.#posId = opened.posId;
    this.#qr = opened.qr;
    return true;
  }

  #opening(): OpeningOptions {
    const { wallet, settlements, clock, log } = this.#options;
    return {
      wallet,
      mayCancel: (found) => settlements.reconcileOpenPayment(found),
      clock,
      log,
      closing: this.#closing.signal,
      waiting: (condition) => this.#setCondition(condition),
    };
  }

  #declareOpen(): void {
    if (this.#closing.signal.aborted) return;
    this.#setCondition({ kind: 'open' });
    this.#options.log.info({ posId: this.#posId }, 'the lane is open');
  }

  /**
   * Settles our own payments and refunds by their intent, before anything new begins (document 4,
   * section 1.9, step 6).
   */
  async #settleWhatWasOpen(): Promise<void> {
    const { settlements, sales, refunds } = this.#options;
    // Reservations that are held are watched again; the lane does not wait for them.
    if (settlements.isAllSettled) return settlements.restart();
    this.#setCondition({ kind: 'notReady', reason: 'settlingOpenPayments', detail: null });
    const { waitedForPayment, waitedForRefund } = settlements;
    if (waitedForRefund !== null) refunds.show(waitedForRefund);
    settlements.restart();
    // The service was asked about everything that was open: a capture that it will not confirm must
    // not keep the lane closed for days.
    await this.#until(() => settlements.isAllAsked);
    if (waitedForPayment !== null) sales.showOutcome(waitedForPayment.state);
  }

  #until(reached: () => boolean): Promise<void> {
    if (reached()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ reached, resolve }));
  }

  #setCondition(condition: LaneCondition): void {
    this.#condition = condition;
    this.#options.changed();
  }
}
