import { type Clock, sleep } from '../../core/domain/clock.ts';

/**
 * The delay where the service names none, and the shortest one that is accepted (document 4,
 * section 8).
 */
export const defaultPollDelayMs = 1_000;
const minPollDelayMs = 100;

/**
 * The delay that an answer asks for, in milliseconds; null without one. It is a minimum without an
 * upper limit (interface document 2, "Payment"): the caller decides how long it waits.
 */
export const acceptedPollDelayMs = (named: unknown): number | null =>
  typeof named === 'number' && Number.isFinite(named) ? Math.max(minPollDelayMs, named) : null;

/** The delay of `acceptedPollDelayMs`, if it is longer than the default. */
export function unusualPollDelay(named: unknown): { readonly pollDelayMs?: number } {
  const delayMs = acceptedPollDelayMs(named) ?? 0;
  return delayMs > defaultPollDelayMs ? { pollDelayMs: delayMs } : {};
}

/**
 * Decides when the next poll of one resource may be sent: never before `pollDelayInMs` after the
 * last answer (document 4, section 1.7).
 */
export class PollPace {
  readonly #clock: Clock;
  #delayMs = defaultPollDelayMs;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  /**
   * @param namedBefore the delay of an answer that somebody, perhaps this daemon before a restart,
   * may just have had: the first poll waits too. null for none
   */
  constructor(clock: Clock, { namedBefore = null }: { readonly namedBefore?: number | null } = {}) {
    this.#clock = clock;
    if (namedBefore === null) return;
    this.#delayMs = namedBefore;
    this.#notBeforeMs = clock.monotonicMs() + namedBefore;
  }

  /** Resolves when a poll may leave. */
  async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    // Checked again after each wait, because a timer may fire a millisecond early.
    for (let waitMs = this.#waitMs(); waitMs > 0; waitMs = this.#waitMs())
      await sleep(this.#clock, waitMs, signal);
    signal.throwIfAborted();
  }

  answered(pollDelayInMs: number | null | undefined): void {
    this.#delayMs = acceptedPollDelayMs(pollDelayInMs) ?? this.#delayMs;
    this.#notBeforeMs = this.#clock.monotonicMs() + this.#delayMs;
  }

  /**
   * Called when there was no answer: the last delay holds, or the one that the service asked for.
   */
  failed(retryAfterMs: number | null): void {
    this.#notBeforeMs = this.#clock.monotonicMs() + Math.max(this.#delayMs, retryAfterMs ?? 0);
  }

  #waitMs(): number {
    return this.#notBeforeMs - this.#clock.monotonicMs();
  }
}
