import { backoffMs } from '../../core/domain/backoff.ts';
import { CappedMap } from '../../core/domain/capped-map.ts';
import type { Clock } from '../../core/domain/clock.ts';

/** A cashier may mistype. The next miss is the first after which the address waits. */
const freeMisses = 5;
const firstWaitMs = 4_000;
/**
 * As many connections as a line has places: until each of them has missed once, the wait stays the
 * same.
 */
const missesBeforeDoubling = 16;
/** Sixteen tries in this time are twelve an hour: all six-digit passwords take nine years. */
const maxWaitMs = 80 * 60_000;
/** After this time without a miss, half of an address's misses are forgotten. */
const halfLifeMs = 4 * 60 * 60_000;
/** Bounded, because an attacker may have many addresses. */
const maxAddresses = 1_000;

interface Misses {
  readonly count: number;
  readonly lastMs: number;
}

/**
 * Slows down guessing of passwords and receipt numbers. The misses of an address count together, so
 * that reconnecting does not help. Each connection waits for itself: one that is older than the
 * wait is answered at once, even while others at its address guess.
 * docs/decisions/0004-guesses.md has the numbers.
 */
export class GuessLimiter {
  readonly #clock: Clock;
  /** In the order of the last misses. */
  readonly #misses = new CappedMap<string, Misses>(maxAddresses);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tries of a connection that begins now. */
  connection(address: string): ConnectionTries {
    return new ConnectionTries(this, this.#clock, address);
  }

  /**
   * Whether the address, all of its connections together, has to wait. For secrets that are too
   * long to be guessed, where the right one is always taken.
   */
  isBlocked(address: string): boolean {
    const misses = this.#misses.get(address);
    return misses !== undefined && misses.lastMs + this.waitMs(address) > this.#clock.monotonicMs();
  }

  /**
   * How long a connection must have lasted, since it began or missed, before its next try is
   * processed.
   */
  waitMs(address: string): number {
    const count = this.#countOf(address);
    if (count <= freeMisses) return 0;
    return backoffMs(Math.floor((count - freeMisses - 1) / missesBeforeDoubling), {
      firstMs: firstWaitMs,
      maxMs: maxWaitMs,
    });
  }

  missed(address: string): void {
    const count = this.#countOf(address) + 1;
    this.#misses.set(address, { count, lastMs: this.#clock.monotonicMs() });
  }

  #countOf(address: string): number {
    const misses = this.#misses.get(address);
    if (misses === undefined) return 0;
    return Math.floor(
      misses.count / 2 ** Math.floor((this.#clock.monotonicMs() - misses.lastMs) / halfLifeMs),
    );
  }
}

/** What one connection has tried. */
export class ConnectionTries {
  readonly #limiter: GuessLimiter;
  readonly #clock: Clock;
  readonly #address: string;
  #sinceMs: number;

  constructor(limiter: GuessLimiter, clock: Clock, address: string) {
    this.#limiter = limiter;
    this.#clock = clock;
    this.#address = address;
    this.#sinceMs = clock.monotonicMs();
  }

  /** Until then a try of this connection is not processed, so that its answer tells nothing. */
  get leftMs(): number {
    return Math.max(
      0,
      this.#sinceMs + this.#limiter.waitMs(this.#address) - this.#clock.monotonicMs(),
    );
  }

  /** @returns whether somebody at this address guesses */
  missed(): boolean {
    this.#sinceMs = this.#clock.monotonicMs();
    this.#limiter.missed(this.#address);
    return this.#limiter.waitMs(this.#address) > 0;
  }
}
