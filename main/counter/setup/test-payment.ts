import type { TestedWith } from '../../../preload/procedures/setup-fields.ts';
import type { TestPaymentState } from '../../../preload/procedures/setup-till.ts';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { TestCounter, TestProgress } from './setup-host.ts';

type Step = TestPaymentState['steps'][number];

interface TestPaymentOptions {
  /** own: the built-in till starts it; till: a cashier does. */
  readonly with: TestedWith;
  readonly open: (changed: () => void) => Promise<TestCounter>;
  readonly passed: () => void;
  readonly clock: Clock;
}

const amountMinor = 100;
/** Slow enough for people to follow on the screen. */
const customerTakesMs = 700;
/** For the whole payment; the simulated customer acts at once. */
const maxPaymentMs = 30_000;
/** Time to walk to the till and to try more than once. */
const maxWaitMs = 10 * 60_000;
const confirmsWithinMs = 10_000;
/** For a till that asks for its result now and then. */
const asksWithinMs = 30_000;
const lookEveryMs = 200;

const none: TestPaymentState = {
  state: 'none',
  with: null,
  steps: [],
  amountMinor: null,
  currency: null,
  api: null,
  refusedPage: null,
  detail: null,
};
const nothingToClose = Promise.resolve(null);

/** One payment through the real lane and a simulated service, with a simulated customer. */
export class TestPayment {
  readonly #options: TestPaymentOptions;
  #state: TestPaymentState = { ...none, state: 'starting' };
  #counter: Promise<TestCounter | null>;
  #opened: TestCounter | null = null;
  #seen: TestProgress['step'] | null = null;
  readonly #timers = new Set<Cancel>();

  constructor(options: TestPaymentOptions) {
    this.#options = options;
    this.#state = { ...this.#state, with: options.with };
    this.#reach('starting');
    this.#after(maxWaitMs, () => this.#fail('nobody pressed the key'));
    this.#counter = options
      .open(() => void this.#look())
      .catch((error: Error) => {
        this.#fail(error.message);
        return null;
      });
    void this.#counter.then((counter) => this.#begin(counter));
  }

  static readonly none = none;

  get state(): TestPaymentState {
    return { ...this.#state, refusedPage: this.#opened?.refusedPage() ?? null };
  }

  get #isOver(): boolean {
    return (
      this.#state.state === 'passed' ||
      this.#state.state === 'failed' ||
      this.#state.state === 'stopped'
    );
  }

  /** Resolves when the till's line is free again. */
  async stop(): Promise<void> {
    if (!this.#isOver) this.#state = { ...this.#state, state: 'stopped' };
    await this.#close();
  }

  async #begin(counter: TestCounter | null): Promise<void> {
    if (counter === null || this.#isOver) return;
    this.#opened = counter;
    this.#state = { ...this.#state, state: 'ready', api: counter.api };
    if (this.#options.with === 'own')
      await counter.pay(amountMinor).catch((error: Error) => this.#fail(error.message));
  }

  /** After each change of the lane. */
  async #look(): Promise<void> {
    const counter = await this.#counter;
    const progress = counter?.progress() ?? null;
    if (counter === null || progress === null || this.#isOver || progress.step === this.#seen)
      return;
    if (this.#seen === null)
      this.#after(maxPaymentMs, () => this.#fail('the payment took too long'));
    this.#seen = progress.step;
    const { amountMinor: minor, currency } = progress;
    this.#state = { ...this.#state, state: 'running', amountMinor: minor, currency };
    this.#reach('askedByTill');
    switch (progress.step) {
      case 'askedByTill':
        return;
      case 'waitingForCustomer':
        this.#reach('waitingForCustomer');
        this.#after(customerTakesMs, () => this.#play(counter.scan()));
        return;
      case 'approveInApp':
        this.#reach('approveInApp');
        this.#after(customerTakesMs, () => this.#play(counter.approve()));
        return;
      case 'paid':
        this.#reach('tillTold');
        this.#awaitCapture(counter, confirmsWithinMs);
        return;
      case 'notPaid':
        return this.#fail(`the payment was not made: ${progress.reason ?? 'unknown'}`);
    }
  }

  #play(acted: Promise<void>): void {
    acted.catch((error: Error) => this.#fail(error.message));
  }

  #awaitCapture(counter: TestCounter, leftMs: number): void {
    if (this.#isOver) return;
    if (counter.isCaptured()) {
      this.#reach('captured');
      this.#state = { ...this.#state, state: 'passed' };
      this.#options.passed();
      if (counter.api === null) void this.#close();
      else this.#after(asksWithinMs, () => void this.#close());
    } else if (leftMs <= 0) this.#fail('the service did not confirm the payment');
    else this.#after(lookEveryMs, () => this.#awaitCapture(counter, leftMs - lookEveryMs));
  }

  #reach(step: Step): void {
    if (!this.#state.steps.includes(step))
      this.#state = { ...this.#state, steps: [...this.#state.steps, step] };
  }

  #fail(detail: string): void {
    if (this.#isOver) return;
    this.#state = { ...this.#state, state: 'failed', detail };
    void this.#close();
  }

  async #close(): Promise<void> {
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
    const counter = await this.#counter;
    this.#counter = nothingToClose;
    await counter?.close();
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#options.clock.after(ms, () => {
      this.#timers.delete(cancel);
      run();
    });
    this.#timers.add(cancel);
  }
}
