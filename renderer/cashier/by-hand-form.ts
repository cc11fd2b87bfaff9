import type { LaneView } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import { type CounterRefusal, counterRefusal, longestOrderText } from '../../preload/procedures/counter.ts';

type Asked = Omit<InputOf<'payByHand'>, 'laneId'>;

/** Where the form is shown, and who takes what it asks for. */
export interface ByHandHost {
  requestUpdate(): void;
  send(asked: Asked): Promise<AnswerTo<'payByHand'>>;
  /** On the button that takes it. */
  focusTake(): void;
}

/** A payment that the cashier types. Keeps what was typed while it is open, whatever the screen shows meanwhile. */
export class ByHandForm {
  readonly #host: ByHandHost;
  isOpen = false;
  isSending = false;
  problem: CounterRefusal | null = null;
  #amountMinor = 0;
  #orderText = '';
  /** What was asked for last, so that asking again is no second payment. */
  #asked: Asked | null = null;
  #beforeScan = { amountMinor: 0, orderText: '' };

  constructor(host: ByHandHost) {
    this.#host = host;
  }

  get amountMinor(): number {
    return this.#amountMinor;
  }
  set amountMinor(amountMinor: number) {
    this.#amountMinor = amountMinor;
    this.#changed();
  }

  get orderText(): string {
    return this.#orderText;
  }
  set orderText(orderText: string) {
    this.#orderText = orderText;
    this.#changed();
    if (orderText.length > longestOrderText) this.problem = 'orderText';
  }

  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.#host.requestUpdate();
  }

  /** A sale comes before what is being typed; and what was asked for has begun, though its answer may be lost. */
  follow({ state, recent }: LaneView): void {
    const actionId = this.#asked?.actionId;
    const isThere = ('saleId' in state && state.saleId === actionId) || recent.some(({ saleId }) => saleId === actionId);
    if ('remainingMs' in state || isThere) this.close();
  }

  /** Forgets what was typed: the next one is another payment. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#asked = null;
    this.#amountMinor = 0;
    this.#orderText = '';
    this.#changed();
  }

  /** Perhaps a scan begins: its first digits would become an amount. */
  remember(): void {
    this.#beforeScan = { amountMinor: this.#amountMinor, orderText: this.#orderText };
  }

  takeBack(): void {
    this.amountMinor = this.#beforeScan.amountMinor;
    this.orderText = this.#beforeScan.orderText;
  }

  /** Enter in a field goes to the button, it does not press it: a slow scanner that ends with Enter starts no payment. */
  toTake(): void {
    this.#host.focusTake();
  }

  async take(): Promise<void> {
    if (this.isSending) return;
    const orderText = this.#orderText.trim() || null;
    if (this.#amountMinor === 0) return this.#refused('amountTooSmall');
    if (orderText !== null && orderText.length > longestOrderText) return this.#refused('orderText');
    const isAgain = this.#asked?.amountMinor === this.#amountMinor && this.#asked.orderText === orderText;
    const asked = isAgain && this.#asked !== null ? this.#asked : { actionId: crypto.randomUUID(), amountMinor: this.#amountMinor, orderText };
    this.#asked = asked;
    this.isSending = true;
    this.problem = null;
    this.#host.requestUpdate();
    const answer = await this.#host.send(asked);
    this.isSending = false;
    // Taken, it is on the screen in place of this form.
    if (answer.ok) this.close();
    else this.#refused(counterRefusal(answer.code));
  }

  #refused(problem: CounterRefusal): void {
    // Nothing was begun with it, or something else was. After a lost answer the same one is asked for again.
    if (problem !== 'failed') this.#asked = null;
    this.problem = problem;
    this.#host.requestUpdate();
  }

  #changed(): void {
    this.problem = null;
    this.#host.requestUpdate();
  }
}
