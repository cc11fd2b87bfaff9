import type { Cancel, Clock } from '../domain/clock.ts';

/** A place at the service where something may still arrive that ended because the service, asked often enough, knew of none. */
export interface PendingLookup {
  /** Of the place: it is looked at once for all that may arrive there. */
  readonly at: string;
  /** What may arrive. Once nothing of it is left, nobody looks any more. */
  readonly ids: readonly string[];
  /** What is found is settled by whoever wants it looked for. */
  readonly look: () => Promise<'looked' | 'unknown'>;
}

export interface DelayedRequestsOptions {
  readonly clock: Clock;
  /** A till waits: nothing here is as urgent. */
  readonly busy: () => boolean;
  /** By the journal, as it is now. */
  readonly pendingLookups: () => readonly PendingLookup[];
}

/**
 * A request that is held up on its way long enough arrives when nobody believes in it any more. So there are more looks: the first after five
 * minutes, each next one after twice as long, the last after some two days; what is lost at the same place meanwhile begins anew. No pause
 * is as long as the 24 hours after which the service pays a refund out by itself (document 4, section 1.4).
 */
const firstPauseMs = 5 * 60_000;
const mostLooks = 9;
/** After a start there is a first look at each place, one after another. */
const startPauseMs = 1_000;
const busyPauseMs = 10_000;

interface Place {
  /** What was ever sought there: it is looked for once. */
  readonly known: Set<string>;
  looks: number;
  dueMs: number;
  /** null: a look is under way, or there are no more to come. */
  cancel: Cancel | null;
}

/** Looks now and then for what may still arrive at the service. */
export class DelayedRequests {
  readonly #options: DelayedRequestsOptions;
  readonly #places = new Map<string, Place>();
  #isClosed = false;

  constructor(options: DelayedRequestsOptions) {
    this.#options = options;
  }

  /** What a start finds in the journal. */
  begin(): void {
    for (const [index, lookup] of this.#options.pendingLookups().entries()) this.#schedule(lookup, (index + 1) * startPauseMs);
  }

  /** There may be something new. */
  schedule(): void {
    for (const lookup of this.#options.pendingLookups()) this.#schedule(lookup, firstPauseMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const { cancel } of this.#places.values()) cancel?.();
    this.#places.clear();
  }

  #schedule({ at, ids }: PendingLookup, pauseMs: number): void {
    if (this.#isClosed) return;
    const place = this.#places.get(at) ?? { known: new Set(), looks: 0, dueMs: Number.POSITIVE_INFINITY, cancel: null };
    if (ids.every((id) => place.known.has(id))) return;
    for (const id of ids) place.known.add(id);
    place.looks = 0;
    this.#places.set(at, place);
    // A look that comes sooner stays: who loses one request after another would otherwise never look.
    if (place.dueMs > this.#options.clock.monotonicMs() + pauseMs) this.#lookIn(at, place, pauseMs);
  }

  #lookIn(at: string, place: Place, pauseMs: number): void {
    const { clock, busy } = this.#options;
    place.cancel?.();
    place.dueMs = clock.monotonicMs() + pauseMs;
    place.cancel = clock.after(pauseMs, () => {
      place.cancel = null;
      if (busy()) this.#lookIn(at, place, busyPauseMs);
      else void this.#look(at, place);
    });
  }

  async #look(at: string, place: Place): Promise<void> {
    const answer = await this.#lookupAt(at)?.look();
    if (this.#isClosed) return;
    place.dueMs = Number.POSITIVE_INFINITY;
    // Without an answer it was no look.
    if (answer === 'looked') place.looks += 1;
    if (place.looks < mostLooks && this.#lookupAt(at) !== undefined) this.#lookIn(at, place, firstPauseMs * 2 ** place.looks);
  }

  #lookupAt(wanted: string): PendingLookup | undefined {
    return this.#options.pendingLookups().find(({ at, ids }) => at === wanted && ids.length > 0);
  }
}
