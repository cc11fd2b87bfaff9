import type { Clock } from '../../../core/domain/clock.ts';

/**
 * Document 5, section 2.11. It does not say whether the four changes share one count; we assume
 * that they do.
 */
const maxChanges = 5;
const windowMs = 60_000;

/**
 * Allows at most five changes of a payment within a minute, and none while the service has asked
 * for a pause.
 */
export class ChangeGate {
  readonly #clock: Clock;
  /** When changes of a payment were sent, and until when none may be, by its reference. */
  readonly #known = new Map<string, { times: number[]; closedUntilMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * @returns 0 when a change may be sent, which is then counted; otherwise how long it has to wait,
   * in milliseconds
   */
  pass(reference: string): number {
    const nowMs = this.#clock.monotonicMs();
    for (const [name, { times, closedUntilMs }] of this.#known)
      if (closedUntilMs <= nowMs && (times.at(-1) ?? 0) <= nowMs - windowMs)
        this.#known.delete(name);
    const known = this.#known.get(reference) ?? { times: [], closedUntilMs: 0 };
    const times = known.times.filter((atMs) => atMs > nowMs - windowMs);
    const first = times.at(-maxChanges);
    const waitMs = Math.max(
      first === undefined ? 0 : first + windowMs - nowMs,
      known.closedUntilMs - nowMs,
    );
    if (waitMs > 0) return waitMs;
    this.#known.set(reference, { ...known, times: [...times, nowMs] });
    return 0;
  }

  /**
   * A change that passed has its answer, or will get none. It counts from here: it may have waited
   * for a token before it left.
   */
  ended(reference: string): void {
    const times = this.#known.get(reference)?.times;
    if (times !== undefined && times.length > 0)
      times[times.length - 1] = this.#clock.monotonicMs();
  }

  /** The service answered 429. @param retryAfterMs null when it named no time */
  close(reference: string, retryAfterMs: number | null): void {
    const times = this.#known.get(reference)?.times ?? [];
    this.#known.set(reference, {
      times,
      closedUntilMs: this.#clock.monotonicMs() + (retryAfterMs ?? windowMs),
    });
  }
}
