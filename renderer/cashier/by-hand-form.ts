import { hashInput, uuidOf } from '../../main/core/domain/derived-ids.ts';
import type { LaneView } from '../../preload/contract.ts';
import type { AnswerTo, InputOf } from '../../preload/procedures.ts';
import type { CounterRefusal } from '../../preload/procedures/counter.ts';
import { counterRefusal } from '../../preload/procedures/counter-refusal.ts';
import { maxOrderTextLength } from '../../preload/procedures/plain.ts';

/** The payment that the daemon begins for this action (`screenPaymentId`). */
const saleIdOf = async (actionId: string): Promise<string> =>
  uuidOf(
    new Uint8Array(
      await crypto.subtle.digest(
        'SHA-256',
        new TextEncoder().encode(hashInput('screen', 'payment', actionId)),
      ),
    ),
  );

type PaymentRequest = Omit<InputOf<'payByHand'>, 'laneId'>;

/** The screen that shows the form. */
export interface ByHandHost {
  requestUpdate(): void;
  send(request: PaymentRequest): Promise<AnswerTo<'payByHand'>>;
  /** Puts the focus on the button that takes the payment. */
  focusTake(): void;
}

/** Who began the payment that closed the form before it was sent. */
type Claimant = Extract<LaneView['state'], { remainingMs: number }>['by'];

/**
 * A manual payment. The typed values stay until they are sent or the cashier closes the form,
 * whatever the lane's state.
 */
export class ByHandForm {
  readonly #host: ByHandHost;
  isOpen = false;
  /** Set while another payment has closed the form and what was typed in it is kept. */
  setAsideFor: Claimant | null = null;
  isSending = false;
  problem: CounterRefusal | null = null;
  #amountMinor = 0;
  #orderText = '';
  #reserve = false;
  /** The last request with its id, so that sending it again does not start a second payment. */
  #lastRequest: PaymentRequest | null = null;
  /** Payments whose answer was lost since the form was opened: each may have begun. */
  readonly #unanswered = new Set<string>();
  #lastSaleId: string | null = null;

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
    if (orderText.length > maxOrderTextLength) this.problem = 'orderText';
  }

  get reserve(): boolean {
    return this.#reserve;
  }
  set reserve(reserve: boolean) {
    this.#reserve = reserve;
    this.#changed();
  }

  /** Opens the form, with what was typed before another payment closed it. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    this.setAsideFor = null;
    this.#host.requestUpdate();
  }

  /** Whether this form asked for the payment. */
  hasAskedFor(saleId: string): boolean {
    return saleId === this.#lastSaleId || this.#unanswered.has(saleId);
  }

  /**
   * Closes the form when a payment begins: the requested one, whose answer may have been lost, or
   * another one, for which the typed values are kept.
   */
  follow({ state, recent }: LaneView): void {
    const isThere =
      ('saleId' in state && this.#unanswered.has(state.saleId)) ||
      recent.some(({ saleId }) => this.#unanswered.has(saleId));
    if (isThere) this.close();
    else if (this.isOpen && 'remainingMs' in state) this.#setAside(state.by);
  }

  #setAside(by: Claimant): void {
    const isEmpty =
      this.#amountMinor === 0 && this.#orderText === '' && this.#unanswered.size === 0;
    if (isEmpty) return this.close();
    this.isOpen = false;
    this.setAsideFor = by;
    this.#changed();
  }

  /** Closes and clears the form. The next payment gets another id. */
  close(): void {
    if (!this.isOpen && this.setAsideFor === null) return;
    this.isOpen = false;
    this.setAsideFor = null;
    this.#lastRequest = null;
    this.#unanswered.clear();
    this.#amountMinor = 0;
    this.#orderText = '';
    this.#reserve = false;
    this.#changed();
  }

  /**
   * Called when a scan may be beginning, because its first digits are typed into the amount.
   * @returns takes them back
   */
  remember(): () => void {
    const amountMinor = this.#amountMinor;
    return () => (this.amountMinor = amountMinor);
  }

  /**
   * Enter in a field only focuses the button, so that a slow scanner that ends with Enter does not
   * start a payment.
   */
  toTake(): void {
    if (this.#amountMinor === 0) this.#refused('amountTooSmall');
    else this.#host.focusTake();
  }

  async take(): Promise<void> {
    if (this.isSending) return;
    const orderText = this.#orderText.trim() || null;
    if (this.#amountMinor === 0) return this.#refused('amountTooSmall');
    if (orderText !== null && orderText.length > maxOrderTextLength)
      return this.#refused('orderText');
    const typed = {
      amountMinor: this.#amountMinor,
      orderText,
      ...(this.#reserve && { reserve: true }),
    };
    const isAgain =
      this.#lastRequest?.amountMinor === typed.amountMinor &&
      this.#lastRequest.orderText === orderText &&
      (this.#lastRequest.reserve ?? false) === this.#reserve;
    const request =
      isAgain && this.#lastRequest !== null
        ? this.#lastRequest
        : { actionId: crypto.randomUUID(), ...typed };
    this.#lastRequest = request;
    this.isSending = true;
    this.problem = null;
    this.#host.requestUpdate();
    const saleId = await saleIdOf(request.actionId);
    this.#unanswered.add(saleId);
    this.#lastSaleId = saleId;
    const answer = await this.#host.send(request);
    this.isSending = false;
    // The payment is now in the lane's state.
    if (answer.ok) this.close();
    else this.#refused(counterRefusal(answer.code), saleId);
  }

  #refused(problem: CounterRefusal, saleId: string | null = null): void {
    // After a refusal the next request is a new payment. After a lost answer the same request is
    // sent again.
    if (problem !== 'failed') {
      if (saleId !== null) this.#unanswered.delete(saleId);
      this.#lastRequest = null;
    }
    this.problem = problem;
    this.#host.requestUpdate();
  }

  #changed(): void {
    this.problem = null;
    this.#host.requestUpdate();
  }
}
