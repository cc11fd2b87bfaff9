import type { Cancel, Clock } from '../primitives/clock.ts';

/** Something that ended because the service, asked often enough, knew of none. */
export interface Sought {
  readonly id: string;
  /** One request. What is found is settled by whoever wants it looked for. */
  readonly look: () => Promise<'found' | 'none' | 'unknown'>;
}

export interface LateArrivalsOptions {
  readonly clock: Clock;
  /** A till waits: nothing here is as urgent. */
  readonly busy: () => boolean;
}

/**
 * A request that is held up on its way long enough arrives when nobody believes in it any more. So there are more looks: the first after five
 * minutes, each next one after twice as long, the last after some two days. No pause is as long as the 24 hours after which the service
 * pays a refund out by itself (document 4, section 1.4).
 */
const firstPauseMs = 5 * 60_000;
const mostLooks = 9;
/** After a start there is a first look at each, one after another. */
const startPauseMs = 1_000;
const busyPauseMs = 10_000;

/** Looks now and then for what may still arrive at the service. */
export class LateArrivals {
  readonly #options: LateArrivalsOptions;
  readonly #known = new Set<string>();
  readonly #timers = new Map<string, Cancel>();
  #isClosed = false;

  constructor(options: LateArrivalsOptions) {
    this.#options = options;
  }

  /** What a start finds in the journal. */
  begin(all: readonly Sought[]): void {
    all.forEach((sought, index) => this.#add(sought, (index + 1) * startPauseMs));
  }

  /** Those among them that are new. */
  seek(all: readonly Sought[]): void {
    for (const sought of all) this.#add(sought, firstPauseMs);
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #add(sought: Sought, pauseMs: number): void {
    if (this.#isClosed || this.#known.has(sought.id)) return;
    this.#known.add(sought.id);
    this.#lookIn(sought, pauseMs, 0);
  }

  #lookIn(sought: Sought, pauseMs: number, looks: number): void {
    const { clock, busy } = this.#options;
    const cancel = clock.after(pauseMs, () => {
      if (busy()) this.#lookIn(sought, busyPauseMs, looks);
      else void this.#look(sought, looks);
    });
    this.#timers.set(sought.id, cancel);
  }

  async #look(sought: Sought, looks: number): Promise<void> {
    const answer = await sought.look();
    this.#timers.delete(sought.id);
    if (this.#isClosed || answer === 'found') return;
    // Without an answer it was no look.
    const done = answer === 'unknown' ? looks : looks + 1;
    if (done < mostLooks) this.#lookIn(sought, firstPauseMs * 2 ** done, done);
  }
}
