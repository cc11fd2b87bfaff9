import { type Clock, sleep } from './clock.ts';

export interface BackoffRange {
  readonly firstMs: number;
  /** Default: no limit. */
  readonly maxMs?: number;
}

/** A wait that doubles with each one before it. @param earlier number of waits before this one */
export function backoffMs(earlier: number, { firstMs, maxMs = Infinity }: BackoffRange): number {
  return Math.min(maxMs, firstMs * 2 ** Math.max(0, earlier));
}

/** The waits of something that is tried until it succeeds. */
export class Backoff {
  readonly #clock: Clock;
  readonly #range: BackoffRange;
  #earlier = 0;

  constructor(clock: Clock, range: BackoffRange) {
    this.#clock = clock;
    this.#range = range;
  }

  /** It succeeded: the next wait is the first one again. */
  reset(): void {
    this.#earlier = 0;
  }

  /** @returns how long the next wait is, which counts as done */
  nextMs(): number {
    this.#earlier += 1;
    return backoffMs(this.#earlier - 1, this.#range);
  }

  /** Resolves after the next wait, or at once when `signal` is aborted. */
  wait(signal: AbortSignal): Promise<void> {
    return sleep(this.#clock, this.nextMs(), signal).catch(() => {});
  }
}
