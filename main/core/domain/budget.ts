/** What a peer may do: so much in a second, and `burst` of it at once after a pause. */
export class Budget {
  readonly #perMs: number;
  readonly #burstMs: number;
  readonly #maxWaitMs: number;
  /** Until then, what was taken is earned. */
  #earnedAtMs = Number.NEGATIVE_INFINITY;

  /** @param maxWaitMs nobody waits longer, however much others have taken from the same budget */
  constructor({
    perSecond,
    burst,
    maxWaitMs = Number.POSITIVE_INFINITY,
  }: { readonly perSecond: number; readonly burst: number; readonly maxWaitMs?: number }) {
    this.#perMs = perSecond / 1_000;
    this.#burstMs = burst / this.#perMs;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Takes from the budget, also what is not earned yet. @returns after how many milliseconds it is
   */
  take(amount: number, nowMs: number): number {
    const earnedAtMs = Math.max(this.#earnedAtMs, nowMs - this.#burstMs) + amount / this.#perMs;
    this.#earnedAtMs = Math.min(earnedAtMs, nowMs + this.#maxWaitMs);
    return Math.max(0, this.#earnedAtMs - nowMs);
  }
}
