import type { Clock } from '../domain/clock.ts';

/** Free attempts, because a cashier may mistype. */
const freeMisses = 5;
const firstDelayMs = 2_000;
const longestDelayMs = 5 * 60_000;
/** Failures are forgotten after this time without one. */
const forgottenAfterMs = 10 * 60_000;
/** Bounded, because an attacker may have many addresses. */
const mostAddresses = 1_000;

interface Record {
  misses: number;
  lastMs: number;
  /** No attempt from this address is processed before this time of the monotonic clock. */
  blockedUntilMs: number;
}

/** Slows down guessing of passwords or receipt numbers, by address, so that reconnecting does not help. */
export class GuessLimiter {
  readonly #clock: Clock;
  readonly #records = new Map<string, Record>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the address must wait; then the attempt is not processed at all. */
  isBlocked(address: string): boolean {
    return (this.#records.get(address)?.blockedUntilMs ?? 0) > this.#clock.monotonicMs();
  }

  /** @returns the delay of the answer in milliseconds */
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
