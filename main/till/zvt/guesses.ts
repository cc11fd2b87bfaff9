import type { Clock } from '../../domain/clock.ts';

/** A cashier mistypes; somebody who guesses goes on. */
const freeMisses = 5;
const firstDelayMs = 2_000;
const longestDelayMs = 5 * 60_000;
/** After so long without a miss all is forgotten. */
const forgottenAfterMs = 10 * 60_000;
/** An attacker may have many addresses. */
const mostAddresses = 1_000;

interface Record {
  misses: number;
  lastMs: number;
  /** By the monotonic clock: nothing more is tried from this address until then. */
  blockedUntilMs: number;
}

/** Slows down whoever tries passwords or receipt numbers, by address: a new connection is no new start. */
export class GuessLimiter {
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** An earlier miss is still being made up for: the attempt is not even looked at. */
  isBlocked(address: string): boolean {
    return (this.#records.get(address)?.blockedUntilMs ?? 0) > this.#clock.monotonicMs();
  }

  /** @returns how long the answer is to be held back, milliseconds */
  missed(address: string): number {
    const nowMs = this.#clock.monotonicMs();
    const before = this.#records.get(address);
    const misses = before === undefined || nowMs - before.lastMs > forgottenAfterMs ? 1 : before.misses + 1;
    const delayMs = misses <= freeMisses ? 0 : Math.min(longestDelayMs, firstDelayMs * 2 ** (misses - freeMisses - 1));
    this.#records.delete(address);
    this.#records.set(address, { misses, lastMs: nowMs, blockedUntilMs: nowMs + delayMs });
    const [oldest] = this.#records.keys();
    if (this.#records.size > mostAddresses && oldest !== undefined) this.#records.delete(oldest);
    return delayMs;
  }
}
