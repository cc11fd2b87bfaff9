import type { LaneState, LaneView } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import { counterRefusal } from '../../preload/procedures/counter-refusal.ts';

/** What the form needs of the screen that shows it. */
export interface AgreeHost {
  requestUpdate(): void;
  send(agreed: Omit<InputOf<'agreeAmount'>, 'laneId'>): Promise<AnswerTo<'agreeAmount'>>;
  /** The form has appeared: Enter sends the amount as it is, a digit begins another. */
  begun(): void;
}

export type ToAgree = Extract<LaneState, { kind: 'customerFound' }> & { readonly toAgree: object };

/** null when no amount is to be agreed. */
export const toAgreeIn = (state: LaneState | undefined): ToAgree | null =>
  state?.kind === 'customerFound' && state.toAgree !== undefined ? { ...state, toAgree: state.toAgree } : null;

/** The amount of a payment by hand once its customer is found: kept or changed, then sent. */
export class AgreeForm {
  readonly #host: AgreeHost;
  isSending = false;
  problem: CounterRefusal | null = null;
  #saleId: string | null = null;
  #amountMinor = 0;
  #beforeScan = 0;

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

  /** What was typed is kept while the same amount is to be agreed; null when no lane is shown. */
  follow(lane: LaneView | null): void {
    const state = toAgreeIn(lane?.state);
    if (state?.saleId === this.#saleId) return;
    this.#saleId = state?.saleId ?? null;
    this.isSending = false;
    this.amountMinor = state?.amountMinor ?? 0;
    if (state !== null) this.#host.begun();
  }

  /** When a scan may be beginning: its first digits would become an amount. */
  remember(): void {
    this.#beforeScan = this.#amountMinor;
  }

  takeBack(): void {
    this.amountMinor = this.#beforeScan;
  }

  /** However often it is pressed: the lane takes the first answer that arrives. */
  async send(): Promise<void> {
    const saleId = this.#saleId;
    if (saleId === null || this.isSending) return;
    this.isSending = true;
    this.problem = null;
    this.#host.requestUpdate();
    const answer = await this.#host.send({ saleId, amountMinor: this.#amountMinor });
    // Another payment's form by now.
    if (this.#saleId !== saleId) return;
    this.isSending = false;
    if (!answer.ok) this.problem = counterRefusal(answer.code);
    this.#host.requestUpdate();
  }
}
