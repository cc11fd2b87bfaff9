/** How often a payment may be changed and read (document 5, section 2.11). */
import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import { maxRemembered } from '../rule-checker.ts';
import { ServiceError } from '../service-error.ts';

const windowMs = 60_000;
const maxRequests = { change: 5, read: 120 } as const;

export class RateLimits {
  readonly #clock: Clock;
  readonly #times = new CappedMap<string, number[]>(maxRemembered);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a request, unless it is refused. @throws ServiceError 429 */
  count(kind: keyof typeof maxRequests, of: string): void {
    const nowMs = this.#clock.monotonicMs();
    const name = `${kind} ${of}`;
    const recent = (this.#times.get(name) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    const first = recent.at(-maxRequests[kind]);
    if (first !== undefined)
      throw new ServiceError(
        429,
        null,
        'Too many requests',
        Math.ceil((first + windowMs - nowMs) / 1000),
      );
    this.#times.set(name, [...recent, nowMs]);
  }
}
