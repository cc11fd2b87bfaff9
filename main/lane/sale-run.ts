import type { Journal } from '../journal/journal.ts';
import { decide } from '../payment/decide.ts';
import type { Decision, Effect, Payment, PaymentEvent, PaymentInput } from '../payment/payment.ts';
import { apply } from '../payment/apply.ts';
import type { Cancel, Clock } from '../primitives/clock.ts';
import type { Ids } from '../primitives/ids.ts';
import type { Log } from '../primitives/log.ts';
import type { Till } from '../till/port.ts';
import type { PaymentWatch, WalletCounter } from '../wallet/port.ts';

export interface SaleRunOptions {
  readonly journal: Journal;
  readonly wallet: WalletCounter;
  readonly till: Till;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** After each change of `payment`, and after each failure or success of the disk. */
  readonly changed: (run: SaleRun) => void;
  readonly storage: (working: boolean, error: Error | null) => void;
}

/** How long until something that could not be written is tried again. */
const storageRetryMs = 1_000;

/**
 * Carries one payment along: input → decision → events on disk → effects → inputs again. One loop, one direction;
 * a restart enters it with `restarted` like any other input.
 */
export class SaleRun {
  #payment: Payment;
  readonly #options: SaleRunOptions;
  readonly #log: Log;
  readonly #timers = new Set<Cancel>();
  #watch: PaymentWatch | null = null;
  #poll: AbortController | null = null;
  #readyUnderWay = false;
  #stopped = false;

  /** @param payment what the journal already says */
  constructor(payment: Payment, options: SaleRunOptions) {
    this.#payment = payment;
    this.#options = options;
    this.#log = options.log.child({ saleId: payment.sale.saleId });
  }

  get payment(): Payment {
    return this.#payment;
  }

  /** Takes in what happened. Never throws: what cannot be written is tried again, and nothing is done about it before it is. */
  take(input: PaymentInput): void {
    if (this.#stopped) return;
    const decision = decide(this.#payment, input);
    if (!this.#commit(decision)) {
      this.#after(storageRetryMs, () => this.take(input));
      return;
    }
    this.carryOut(decision.effects);
    if (decision.events.length > 0) this.#options.changed(this);
  }

  carryOut(effects: readonly Effect[]): void {
    for (const effect of effects) this.#perform(effect);
  }

  /** Lets go of everything. What is under way ends without effect; the journal knows the rest. */
  stop(): void {
    this.#stopped = true;
    this.#poll?.abort(new Error('stopped'));
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  #commit(decision: Decision): boolean {
    if (decision.events.length === 0) return true;
    const { sale } = this.#payment;
    const next = decision.events.reduce<Payment>((payment, event) => apply(payment, event), this.#payment);
    try {
      this.#options.journal.append(sale.laneId, sale.saleId, decision.events);
    } catch (error) {
      this.#options.storage(false, error as Error);
      return false;
    }
    this.#options.storage(true, null);
    for (const event of decision.events) this.#log.info(eventFields(event), 'payment');
    this.#payment = next;
    return true;
  }

  #perform(effect: Effect): void {
    const { wallet, till } = this.#options;
    const { sale } = this.#payment;
    switch (effect.type) {
      case 'create':
        void wallet.create({ ...sale, idempotencyKey: effect.idempotencyKey }).then((answer) => {
          if (answer.kind === 'refused' || answer.kind === 'unknown') this.#log.warn({ answer }, 'the payment was not created');
          this.take({ type: 'createAnswered', answer });
        });
        return;
      case 'lookUp':
        void wallet.lookUp(sale.orderId).then((answer) => {
          this.take(
            answer.kind === 'unknown' ? { type: 'lookUpFailed', detail: answer.detail } : { type: 'lookedUp', found: answer.kind === 'found' ? answer : null },
          );
        });
        return;
      case 'clearPointOfSale':
        void wallet.clear().then((answer) => {
          this.take(
            answer.kind === 'unknown' ? { type: 'clearFailed', detail: answer.detail } : { type: 'cleared', newIdempotencyKey: this.#options.ids.uuid() },
          );
        });
        return;
      case 'ready':
        this.#ready(effect.paymentId);
        return;
      case 'poll':
        void this.#pollOnce(effect.paymentId);
        return;
      case 'offerPaid':
        void till.offerPaid(sale).then((answer) => this.take({ type: 'tillAnswered', acknowledged: answer === 'acknowledged' }));
        return;
      case 'conclude':
        till.conclude(sale, effect.outcome);
        return;
      case 'capture':
        void wallet.capture(effect.paymentId, sale).then((answer) => this.take({ type: 'captureAnswered', answer }));
        return;
      case 'cancel':
        void wallet.cancel(effect.paymentId).then((answer) => this.take({ type: 'cancelAnswered', answer }));
        return;
      case 'wait':
        this.#after(effect.delayMs, () => this.take({ type: 'retryDue' }));
        return;
    }
  }

  #ready(paymentId: string): void {
    if (this.#readyUnderWay) return;
    this.#readyUnderWay = true;
    void this.#options.wallet.ready(paymentId, this.#payment.sale).then((answer) => {
      this.#readyUnderWay = false;
      if (answer.kind === 'refused') this.take({ type: 'readyRefused', code: answer.code, detail: answer.detail });
      if (answer.kind === 'notFound') this.take({ type: 'pollNotFound' });
    });
  }

  /** One poll at a time: a poll that was asked for in an earlier state is dropped, its answer belongs to no question any more. */
  async #pollOnce(paymentId: string): Promise<void> {
    this.#poll?.abort(new Error('superseded'));
    const abort = new AbortController();
    this.#poll = abort;
    this.#watch ??= this.#options.wallet.watch(paymentId);
    const answer = await this.#watch.poll(abort.signal).catch(() => null);
    if (answer === null || abort.signal.aborted || this.#poll !== abort) return;
    this.#poll = null;
    switch (answer.kind) {
      case 'seen':
        if (answer.status === 'unknown') this.#log.warn({ paymentId }, 'the service names a payment state that is not documented');
        return this.take({ type: 'polled', status: answer.status, amountMinor: answer.amountMinor, currency: answer.currency });
      case 'notFound':
        return this.take({ type: 'pollNotFound' });
      case 'unknown':
        return this.take({ type: 'pollFailed', detail: answer.detail });
    }
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#options.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}

/** An event as a log line: what support needs to follow a sale, nothing that belongs to the customer. */
function eventFields(event: PaymentEvent): Record<string, unknown> {
  if (event.type !== 'saleRequested') return { ...event };
  const { orderId, amountMinor, currency, flow } = event.sale;
  return { type: event.type, orderId, amountMinor, currency, flow };
}
