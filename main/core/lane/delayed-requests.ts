import { backoffMs } from '../domain/backoff.ts';
import type { Cancel, Clock } from '../domain/clock.ts';

/**
 * Operations that ended as unknown to the service, but whose request may still arrive there; looked
 * up in one request.
 */
export interface PendingLookup {
  /** The resource that is asked, e.g. `point of sale`. */
  readonly at: string;
  /** Ids of the operations to look up; empty when none is left. */
  readonly ids: readonly string[];
  /** Looks them up, and settles what it finds. */
  readonly look: () => Promise<'looked' | 'unknown'>;
}

export interface DelayedRequestsOptions {
  readonly clock: Clock;
  /** Whether a till waits; look-ups are then postponed. */
  readonly busy: () => boolean;
  /** The look-ups that the journal has pending now. */
  readonly pendingLookups: () => readonly PendingLookup[];
}

/**
 * A create request can be delayed for so long that it arrives after its sale or refund has ended.
 * So the service is asked again: first after five minutes, then after twice as long each time, the
 * last time after about two days; a new operation of the same look-up starts the series again. No
 * pause is as long as the 24 hours after which the service pays a refund out by itself (document 4,
 * section 1.4).
 */
const firstPauseMs = 5 * 60_000;
const maxLookUps = 9;
/** Pause between the first look-ups after a start. */
const startPauseMs = 1_000;
const busyPauseMs = 10_000;

interface Series {
  /** Ids that have started the series. */
  readonly known: Set<string>;
  lookUps: number;
  dueMs: number;
  /** Cancels the timer of the next look-up; null while one is under way or none is left. */
  cancel: Cancel | null;
}

/** Looks up, for two days, what may still arrive at the service. */
export class DelayedRequests {
  readonly #options: DelayedRequestsOptions;
  readonly #series = new Map<string, Series>();
  #isClosed = false;

  constructor(options: DelayedRequestsOptions) {
    this.#options = options;
  }

  /** Begins the look-ups that are pending when the lane starts. */
  begin(): void {
    for (const [index, lookup] of this.#options.pendingLookups().entries())
      this.#schedule(lookup, (index + 1) * startPauseMs);
  }

  /** Called when an operation may have been added. */
  schedule(): void {
    for (const lookup of this.#options.pendingLookups()) this.#schedule(lookup, firstPauseMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#series.values()) cancel?.();
    this.#series.clear();
  }

  #schedule({ at, ids }: PendingLookup, pauseMs: number): void {
    if (this.#isClosed) return;
    const series = this.#series.get(at) ?? {
      known: new Set(),
      lookUps: 0,
      dueMs: Number.POSITIVE_INFINITY,
      cancel: null,
    };
    if (ids.every((id) => series.known.has(id))) return;
    for (const id of ids) series.known.add(id);
    series.lookUps = 0;
    this.#series.set(at, series);
    // An earlier look-up keeps its time: otherwise a steady row of lost requests would postpone it
    // for ever.
    if (series.dueMs > this.#options.clock.monotonicMs() + pauseMs)
      this.#lookUpAfter(at, series, pauseMs);
  }

  #lookUpAfter(at: string, series: Series, pauseMs: number): void {
    const { clock, busy } = this.#options;
    series.cancel?.();
    series.dueMs = clock.monotonicMs() + pauseMs;
    series.cancel = clock.after(pauseMs, () => {
      series.cancel = null;
      if (busy()) this.#lookUpAfter(at, series, busyPauseMs);
      else void this.#lookUp(at, series);
    });
  }

  async #lookUp(at: string, series: Series): Promise<void> {
    const answer = await this.#lookupAt(at)?.look();
    if (this.#isClosed) return;
    series.dueMs = Number.POSITIVE_INFINITY;
    // A look-up without an answer does not count.
    if (answer === 'looked') series.lookUps += 1;
    if (series.lookUps < maxLookUps && this.#lookupAt(at) !== undefined)
      this.#lookUpAfter(at, series, backoffMs(series.lookUps, { firstMs: firstPauseMs }));
  }

  #lookupAt(wanted: string): PendingLookup | undefined {
    return this.#options.pendingLookups().find(({ at, ids }) => at === wanted && ids.length > 0);
  }
}
