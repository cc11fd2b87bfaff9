import { type Cancel, type Clock, systemClock } from '../../../main/core/domain/clock.ts';

/** The most that one turn of the event loop may take of a time limit. */
const maxTurnMs = 5;

/**
 * Real time that stands still while the machine does: whatever one turn of the event loop took
 * beyond a few milliseconds is not counted. Where both ends of a wire live in this process, nobody
 * then runs out of patience because a neighbour had the processor.
 *
 * While nothing waits, all of the time counts: it only ever is later than it should be for somebody
 * who waits.
 */
export class SteadyClock implements Clock {
  readonly #speed: number;
  #nowMs = 0;
  #turnedAt = systemClock.monotonicMs();
  #ticker: NodeJS.Timeout | null = null;
  readonly #waiting = new Set<{ readonly dueAt: number; readonly run: () => void }>();

  /** @param speed milliseconds of this clock in one real millisecond */
  constructor(speed = 1) {
    this.#speed = speed;
  }

  wallMs(): number {
    return systemClock.wallMs();
  }

  monotonicMs(): number {
    return this.#nowMs + this.#sinceTurn() * this.#speed;
  }

  elapsedMs(): number {
    return this.monotonicMs();
  }

  after(delayMs: number, run: () => void): Cancel {
    const one = { dueAt: this.monotonicMs() + delayMs, run };
    if (this.#waiting.size === 0) {
      this.#turn();
      this.#ticker = setInterval(() => this.#turn(), 1);
    }
    this.#waiting.add(one);
    return () => this.#forget(one);
  }

  #sinceTurn(): number {
    const tookMs = systemClock.monotonicMs() - this.#turnedAt;
    return this.#ticker === null ? tookMs : Math.min(tookMs, maxTurnMs);
  }

  #turn(): void {
    this.#nowMs = this.monotonicMs();
    this.#turnedAt = systemClock.monotonicMs();
    const due = [...this.#waiting]
      .filter(({ dueAt }) => dueAt <= this.#nowMs)
      .sort((one, other) => one.dueAt - other.dueAt);
    for (const one of due) {
      // A timer that ran earlier may have cancelled this one.
      if (!this.#waiting.has(one)) continue;
      this.#forget(one);
      one.run();
    }
  }

  #forget(one: { readonly dueAt: number; readonly run: () => void }): void {
    if (!this.#waiting.delete(one) || this.#waiting.size > 0 || this.#ticker === null) return;
    clearInterval(this.#ticker);
    this.#ticker = null;
  }
}

export const steadyClock: Clock = new SteadyClock();

/**
 * A clock with the same time on which waits are shorter, because waiting for two seconds proves
 * nothing.
 */
export const impatient = (clock: Clock, times: number): Clock => ({
  wallMs: () => clock.wallMs(),
  monotonicMs: () => clock.monotonicMs(),
  elapsedMs: () => clock.elapsedMs(),
  after: (delayMs, run) => clock.after(delayMs / times, run),
});
