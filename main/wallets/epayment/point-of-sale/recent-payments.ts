import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Clock } from '../../../core/domain/clock.ts';

/** How long a read may not know a payment that was just created (document 5, section 10). */
const newForMs = 10_000;
/**
 * An approval that began in time may be completed after the payment's end, so an end counts once it
 * is seen again after this time.
 */
const endConfirmedMs = 30_000;
const maxRemembered = 1_000;

/** What this process knows of payments beyond what a read says. */
export class RecentPayments {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #createdAtMs = new CappedMap<string, number>(maxRemembered);
  readonly #expiredAtMs = new CappedMap<string, number>(maxRemembered);

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  created(reference: string): void {
    this.#createdAtMs.set(reference, this.#clock.monotonicMs());
  }

  /**
   * Whether a payment is so new that "not found" proves nothing. A payment that this process did
   * not create may be the last one of an earlier process.
   */
  isNew(reference: string): boolean {
    return (
      this.#clock.monotonicMs() - (this.#createdAtMs.get(reference) ?? this.#startedAtMs) < newForMs
    );
  }

  /** Notes that the service says that it has expired. @returns whether that is certain */
  expired(reference: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const firstMs = this.#expiredAtMs.get(reference);
    if (firstMs === undefined) this.#expiredAtMs.set(reference, nowMs);
    return firstMs !== undefined && nowMs - firstMs >= endConfirmedMs;
  }
}
