import type { LaneView } from '../../preload/contract.ts';
import { TypedNumber } from '../ui/typed-number.ts';

/** The answer of the procedure `typeNumber`. */
export type NumberAnswer = { readonly ok: true } | { readonly ok: false; readonly code: string };

/** What the form needs of the screen that shows it. */
export interface NumberHost {
  requestUpdate(): void;
  send(phoneNumber: string): Promise<NumberAnswer>;
}

export const longestNumber = 17;
const shortestNumber = 5;
/** A number that somebody left there is nobody else's to read. */
const forgottenAfterMs = 30_000;

/** A customer types their own number. What was typed is gone once it was sent, after a while, and with its payment; of what was sent its last digits stay. */
export class NumberForm extends TypedNumber<NumberHost, 'wrong' | 'failed'> {
  isOpen = false;
  /** The number that was sent, as it is shown afterwards; null when none was. */
  sent: string | null = null;
  #wasNamed = false;
  #forget: ReturnType<typeof setTimeout> | null = null;

  get isEnough(): boolean {
    return this.typed.length >= shortestNumber && !this.isSending;
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
    // The service did not take it, or the cashier has taken it back.
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
