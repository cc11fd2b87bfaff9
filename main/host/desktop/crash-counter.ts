import type { Clock } from '../../core/domain/clock.ts';

/** Tells a crash from a loop of crashes. */
export class CrashCounter {
  readonly #clock: Clock;
  readonly #maxCrashes: number;
  readonly #withinMs: number;
  #crashedAtMs: number[] = [];

  constructor(
    clock: Clock,
    { maxCrashes, withinMs }: { readonly maxCrashes: number; readonly withinMs: number },
  ) {
    this.#clock = clock;
    this.#maxCrashes = maxCrashes;
    this.#withinMs = withinMs;
  }

  /** @returns true when so many crashes within that time are a loop */
  crashed(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#crashedAtMs = [
      ...this.#crashedAtMs.filter((atMs) => nowMs - atMs < this.#withinMs),
      nowMs,
    ];
    return this.#crashedAtMs.length >= this.#maxCrashes;
  }
}
