import type { Clock } from '../../../domain/clock.ts';

/** For so long after our own 201 a read may not know the payment yet (document 5, section 10). */
const newForMs = 10_000;
/** An approval that began in time may still end after it: an end is believed when it is seen again after this. */
const endConfirmedMs = 30_000;
const mostRemembered = 1_000;

/** What is known of payments beside what a read says of them; of this process alone. */
export class RecentPayments {
  readonly #clock: Clock;
  readonly #startedAtMs: number;
  readonly #createdAtMs = new Map<string, number>();
  readonly #expiredAtMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAtMs = clock.monotonicMs();
  }

  created(reference: string): void {
    remember(this.#createdAtMs, reference, this.#clock.monotonicMs());
  }

  /** Created so recently that "there is none" says nothing. What this process did not create, an earlier one may have, right before its end. */
  isNew(reference: string): boolean {
    return this.#clock.monotonicMs() - (this.#createdAtMs.get(reference) ?? this.#startedAtMs) < newForMs;
  }

  /** The service says that it has expired. @returns whether that is certain */
  expired(reference: string): boolean {
    const nowMs = this.#clock.monotonicMs();
    const firstMs = this.#expiredAtMs.get(reference);
    if (firstMs === undefined) remember(this.#expiredAtMs, reference, nowMs);
    return firstMs !== undefined && nowMs - firstMs >= endConfirmedMs;
  }
}

function remember(map: Map<string, number>, name: string, atMs: number): void {
  map.delete(name);
  map.set(name, atMs);
  for (const oldest of map.keys()) {
    if (map.size <= mostRemembered) return;
    map.delete(oldest);
  }
}
