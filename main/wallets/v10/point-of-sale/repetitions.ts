import type { Clock } from '../../../core/domain/clock.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { ServiceRefusedError } from '../../http/errors.ts';

/**
 * At most six requests may have the same key, which is valid for at least 24 hours (document 4,
 * section 1.8).
 */
const maxRequests = 6;
const keyTrustedMs = 23 * 60 * 60_000;
/** A create request may use five of the six, so that one is left to find out what became of it. */
export const maxCreateAttempts = maxRequests - 1;
/** The key was used for something else, which may be our own request. */
export const keyWasUsed = '1306';

type Unsettled = { readonly kind: 'none' } | { readonly kind: 'unknown'; readonly detail: string };

interface Lost<Found> {
  readonly idempotencyKey: string;
  /** Start of the payment by the wall clock, which may have been set since. */
  readonly startedAtMs: number;
  readonly look: () => Promise<Found | Unsettled>;
  /** Sends the same request once more, with the same key; null when it must not be sent again. */
  readonly repeat: (() => Promise<Found>) | null;
}

/**
 * Create requests without an answer. Repeated with its key, such a request returns what the first
 * attempt made or will make, so one answer gives certainty. The payment is looked up first all the
 * same: a service that has forgotten the key would create a second one.
 */
export class Repetitions {
  readonly #clock: Clock;
  /** Repetitions left by key, where there are fewer than after a restart. */
  readonly #left = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Called when the first attempts were sent from here, and no answer came. */
  lost(idempotencyKey: string): void {
    this.#left.set(idempotencyKey, maxRequests - maxCreateAttempts);
  }

  answered(idempotencyKey: string): void {
    this.#left.delete(idempotencyKey);
  }

  /** `none` means that nothing is visible; an earlier request may still be on its way. */
  async identify<Found extends { readonly kind: 'found' }>({
    idempotencyKey,
    startedAtMs,
    look,
    repeat,
  }: Lost<Found>): Promise<Found | Unsettled> {
    const looked = await look();
    const left = this.#left.get(idempotencyKey) ?? maxCreateAttempts;
    const isTrusted = Math.abs(this.#clock.wallMs() - startedAtMs) < keyTrustedMs;
    if (looked.kind !== 'none' || repeat === null || left === 0 || !isTrusted) return looked;
    this.#left.set(idempotencyKey, left - 1);
    try {
      return await repeat();
    } catch (error) {
      if (!(error instanceof ServiceRefusedError))
        return { kind: 'unknown', detail: messageOf(error) };
      // A refusal says nothing about the attempts before it, and the request must not be sent
      // again.
      this.#left.set(idempotencyKey, 0);
      return error.code === keyWasUsed
        ? { kind: 'unknown', detail: error.message }
        : { kind: 'none' };
    }
  }
}
