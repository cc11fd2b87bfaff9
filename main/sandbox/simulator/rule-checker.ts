/**
 * Counts violations of the rules that the service states and does not enforce (document 4, sections
 * 1.7, 1.8 and 7.G).
 */
import { CappedMap } from '../../core/domain/capped-map.ts';
import type { Clock } from '../../core/domain/clock.ts';

export interface Violations {
  /**
   * Polls before `pollDelayInMs` has passed since the last answer of that resource was delivered.
   * They are still answered.
   */
  earlyPolls: number;
  /**
   * Check-in lookups at a point of sale without QR among its beacon types, so that no code can be
   * displayed.
   */
  checkinPollsWithoutQr: number;
  /** Requests with an idempotency key that was used for another request (409/1306). */
  keyReuse: number;
  /** Requests with one key beyond the first and its five repetitions. */
  retriesBeyondLimit: number;
  missingIdempotencyKey: number;
}

const maxRequestsPerKey = 6;
/** Resources and keys that are remembered; far more than are in use at one time. */
export const maxRemembered = 50_000;

export class RuleChecker {
  readonly violations: Violations = {
    earlyPolls: 0,
    checkinPollsWithoutQr: 0,
    keyReuse: 0,
    retriesBeyondLimit: 0,
    missingIdempotencyKey: 0,
  };
  readonly #clock: Clock;
  readonly #pollAllowedAtMs = new CappedMap<string, number>(maxRemembered);
  readonly #requestsWithKey = new CappedMap<string, number>(maxRemembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  polled(resource: string): void {
    const allowedAtMs = this.#pollAllowedAtMs.get(resource);
    if (allowedAtMs !== undefined && this.#clock.monotonicMs() < allowedAtMs)
      this.violations.earlyPolls += 1;
  }

  /**
   * To be called when the client has the whole answer. @param nextPollAtMs before which a poll of
   * the resource is early
   */
  delivered(resource: string, nextPollAtMs: number): void {
    this.#pollAllowedAtMs.set(resource, nextPollAtMs);
  }

  keyUsed(key: string): void {
    const requests = (this.#requestsWithKey.get(key) ?? 0) + 1;
    this.#requestsWithKey.set(key, requests);
    if (requests > maxRequestsPerKey) this.violations.retriesBeyondLimit += 1;
  }
}
