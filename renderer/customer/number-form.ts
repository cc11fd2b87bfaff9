import type { LaneView } from '../../preload/contract.ts';
import { TypedNumber } from '../ui/typed-number.ts';

/** The answer of the procedure `typeNumber`. */
export type NumberAnswer = { readonly ok: true } | { readonly ok: false; readonly code: string };

/** The screen that shows the form. */
export interface NumberHost {
  requestUpdate(): void;
  send(phoneNumber: string): Promise<NumberAnswer>;
}

export const maxNumberLength = 17;
const minNumberLength = 5;
/**
 * A number that was left in the field is cleared after this time, so that the next customer does
 * not see it.
 */
const forgottenAfterMs = 30_000;

/**
 * The form in which a customer types a telephone number. It is cleared when the number was sent,
 * after a while, and with the payment. Its last digits stay.
 */
export class NumberForm extends TypedNumber<NumberHost, 'wrong' | 'failed'> {
  isOpen = false;
  /** The number that was sent, masked as it is shown; null for none. */
  sent: string | null = null;
  #wasNamed = false;
  #forget: ReturnType<typeof setTimeout> | null = null;

  get isEnough(): boolean {
    return this.typed.length >= minNumberLength && !this.isSending;
  }

  open(): void {
    this.isOpen = true;
    this.number = '';
  }

  close(): void {
    if (this.#forget !== null) clearTimeout(this.#forget);
    this.#forget = null;
    this.typed = '';
    this.isOpen = false;
    this.host.requestUpdate();
  }

  /** Called with each view. */
  follow(lane: LaneView | null): void {
    const saleId = lane !== null && 'remainingMs' in lane.state ? lane.state.saleId : null;
    const isNamed = lane?.named?.isNamed === true;
    if (saleId !== this.saleId) {
      this.saleId = saleId;
      this.sent = null;
      this.problem = null;
      if (this.isOpen) this.close();
    }
    // The service refused the number, or the cashier has removed it.
    if (this.sent !== null && this.#wasNamed && !isNamed && lane?.customer.numberPad === true) {
      this.sent = null;
      this.problem = 'failed';
    }
    this.#wasNamed = isNamed;
    if (this.isOpen && lane?.customer.numberPad !== true) this.close();
  }

  async submit(): Promise<void> {
    if (!this.isEnough) return;
    const saleId = this.saleId;
    const number = this.typed;
    const answer = await this.sending(() => this.host.send(number));
    if (saleId !== this.saleId) return this.close();
    if (answer.ok) {
      this.sent = `•••• ${number.slice(-4)}`;
      this.close();
    } else this.problem = answer.code === 'wrongNumber' ? 'wrong' : 'failed';
    this.host.requestUpdate();
  }

  protected override changed(): void {
    if (this.#forget !== null) clearTimeout(this.#forget);
    this.#forget = setTimeout(() => this.close(), forgottenAfterMs);
  }
}
