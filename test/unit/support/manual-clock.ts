import type { Clock } from '../../../main/core/domain/clock.ts';

/** A clock that only the test moves. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #timers: { dueMs: number; order: number; run: () => void }[] = [];
  #order = 0;
  readonly startedAtMs = Date.UTC(2026, 10, 21, 9, 0, 0);

  wallMs(): number {
    return this.startedAtMs + this.#nowMs;
  }
  monotonicMs(): number {
    return this.#nowMs;
  }
  elapsedMs(): number {
    return this.#nowMs;
  }
  after(delayMs: number, run: () => void): () => void {
    const timer = { dueMs: this.#nowMs + delayMs, order: (this.#order += 1), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** The number of timers that are still to run. */
  get waiting(): number {
    return this.#timers.length;
  }

  /** Lets time pass, until everything that follows from it has run. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (;;) {
      const next = this.#timers
        .filter(({ dueMs }) => dueMs <= untilMs)
        .toSorted((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
      await settled();
    }
    this.#nowMs = untilMs;
  }
}

/** Resolves when everything that only waits for promises has run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
