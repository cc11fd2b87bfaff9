import { type Clock, sleep } from '../../domain/clock.ts';

/** Document 4, section 8: used where the service names no delay, and the range within which a named one is believed. */
const usualPollDelayMs = 1_000;
const shortestPollDelayMs = 100;
const longestPollDelayMs = 10_000;

/** When the next poll of one resource may leave: never before `pollDelayInMs` after the last answer (document 4, section 1.7). */
export class PollPace {
  readonly #clock: Clock;
  #delayMs = usualPollDelayMs;
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  /** @param askedBefore somebody, perhaps this daemon before a restart, may just have had an answer: the first poll waits too */
  constructor(clock: Clock, { askedBefore = false } = {}) {
    this.#clock = clock;
    if (askedBefore) this.#notBeforeMs = clock.monotonicMs() + usualPollDelayMs;
  }

  /** Resolves when a poll may leave. */
  async turn(signal: AbortSignal): Promise<void> {
    const waitMs = this.#notBeforeMs - this.#clock.monotonicMs();
    if (waitMs > 0) await sleep(this.#clock, waitMs, signal);
    signal.throwIfAborted();
  }

  answered(pollDelayInMs: number | null | undefined): void {
    if (pollDelayInMs != null) this.#delayMs = Math.min(longestPollDelayMs, Math.max(shortestPollDelayMs, pollDelayInMs));
    this.#notBeforeMs = this.#clock.monotonicMs() + this.#delayMs;
  }

  /** No answer: the last delay holds, or what the service asked for. */
  failed(retryAfterMs: number | null): void {
    this.#notBeforeMs = this.#clock.monotonicMs() + Math.max(this.#delayMs, retryAfterMs ?? 0);
  }
}
