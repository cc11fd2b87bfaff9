import type { LaneState, LaneView } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import { counterRefusal } from '../../preload/procedures/counter-refusal.ts';

/** The screen that shows the form. */
export interface AgreeHost {
  requestUpdate(): void;
  send(agreed: Omit<InputOf<'agreeAmount'>, 'laneId'>): Promise<AnswerTo<'agreeAmount'>>;
  /**
   * Called when the form appears, so that Enter sends the amount unchanged and a digit begins
   * another one.
   */
  begun(): void;
}

type ToAgree = Extract<LaneState, { kind: 'customerFound' }>;

/** null when no amount is to be agreed. */
export const toAgreeIn = (state: LaneState | undefined): ToAgree | null =>
  state?.kind === 'customerFound' && state.toAgree === true ? state : null;

/**
 * The amount of a manual payment whose customer was found, which the cashier keeps or changes and
 * then sends.
 */
export class AgreeForm {
  readonly #host: AgreeHost;
  isSending = false;
  problem: CounterRefusal | null = null;
  #saleId: string | null = null;
  #amountMinor = 0;

  constructor(host: AgreeHost) {
    this.#host = host;
  }

  get isOpen(): boolean {
    return this.#saleId !== null;
  }

  get amountMinor(): number {
    return this.#amountMinor;
  }
  set amountMinor(amountMinor: number) {
    this.#amountMinor = amountMinor;
    this.problem = null;
    this.#host.requestUpdate();
  }

  /**
   * Called with each view, with null when no lane is shown. The typed amount stays while the same
   * payment waits for it.
   */
  follow(lane: LaneView | null): void {
    const state = toAgreeIn(lane?.state);
    if (state?.saleId === this.#saleId) return;
    this.#saleId = state?.saleId ?? null;
    this.isSending = false;
    this.amountMinor = state?.amountMinor ?? 0;
    if (state !== null) this.#host.begun();
  }

  /**
   * Called when a scan may be beginning, because its first digits are typed into the amount.
   * @returns takes them back
   */
  remember(): () => void {
    const saleId = this.#saleId;
    const amountMinor = this.#amountMinor;
    return () => {
      // The next payment has another amount.
      if (this.#saleId === saleId) this.amountMinor = amountMinor;
    };
  }

  /** Repeated calls are harmless: the lane takes the first amount that arrives. */
  async send(): Promise<void> {
    const saleId = this.#saleId;
    if (saleId === null || this.isSending) return;
    this.isSending = true;
    this.problem = null;
    this.#host.requestUpdate();
    const answer = await this.#host.send({ saleId, amountMinor: this.#amountMinor });
    // The form is that of another payment now.
    if (this.#saleId !== saleId) return;
    this.isSending = false;
    if (!answer.ok) this.problem = counterRefusal(answer.code);
    this.#host.requestUpdate();
  }
}
