import type { Log } from '../domain/log.ts';
import type { Money } from '../domain/money.ts';
import type { PaymentRequest } from './till-port.ts';

/**
 * A till that is told to wait asks again and again; one on the network may ask for anything. Of one
 * sale, no more than this is told.
 */
const maxNotices = 10;

/**
 * What a till asked for while something else was under way: refused, told to the cashier, and kept
 * in the log.
 */
export class RefusedPayments {
  readonly #log: Log;
  readonly #changed: () => void;
  #latest: Money | null = null;
  #told = 0;

  constructor({ log, changed }: { readonly log: Log; readonly changed: () => void }) {
    this.#log = log;
    this.#changed = changed;
  }

  /** The latest one since `forget`. */
  get latest(): Money | null {
    return this.#latest;
  }

  add({ amountMinor, currency, from }: PaymentRequest): void {
    const isRepeated =
      this.#latest?.amountMinor === amountMinor && this.#latest.currency === currency;
    if (isRepeated || this.#told === maxNotices) return;
    this.#told += 1;
    this.#latest = { amountMinor, currency };
    this.#log.warn(
      { reason: 'busy', amountMinor, currency, from },
      'the till asked for a sale while another one is under way: refused',
    );
    this.#changed();
  }

  /** Called when the current payment has ended. */
  forget(): void {
    this.#latest = null;
    this.#told = 0;
  }
}
