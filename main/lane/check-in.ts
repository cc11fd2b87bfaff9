import { type Cancel, type Clock, sleep } from '../domain/clock.ts';
import type { CheckInWatch, PointOfSaleClient } from '../wallet/port.ts';

export interface CheckInOptions {
  readonly wallet: Pick<PointOfSaleClient, 'watchCheckIn'>;
  readonly clock: Clock;
  /** Whether customers may check in before there is an amount. */
  readonly isWanted: boolean;
  readonly changed: () => void;
}

/** What the lane is doing, as far as it matters for the code that stands on the customer's screen. */
export interface CounterNow {
  /** null: this counter has no code. */
  readonly qr: string | null;
  readonly takesPayments: boolean;
  readonly isBusy: boolean;
  /** How the last sale ended is being shown. */
  readonly showsResult: boolean;
}

export interface CheckInShown {
  readonly qr: string;
  readonly isCheckedIn: boolean;
}

/** How long the customer reads how it ended, before the code invites the next one. */
const thanksMs = 6_000;
/** After so many lookups without an answer nobody knows any more who is there. */
const mostUnanswered = 3;
/** From then on they are this far apart: displays look all night, and a network may be away as long. */
const unansweredPauseMs = 10_000;

/**
 * Customers who check in while goods are still being scanned (document 4, section 1.5): the code stands on the customer's screen from the start.
 * The check-in is looked up while somebody can see that code, and at no other time; nothing is ever sent because of one.
 */
export class CheckIn {
  readonly #options: CheckInOptions;
  #now: CounterNow = { qr: null, takesPayments: false, isBusy: false, showsResult: false };
  /** How many screens can show the code. */
  #screens = 0;
  #thanks: { readonly end: Cancel } | null = null;
  #thanked = false;
  #isCheckedIn = false;
  /** After a sale: whoever the service still names may be who has just paid. Over when it has named nobody. */
  #mayBePrevious = false;
  #unanswered = 0;
  /** One for all lookups: it remembers when the service allows the next. */
  #watch: CheckInWatch | null = null;
  #lookups: AbortController | null = null;

  constructor(options: CheckInOptions) {
    this.#options = options;
  }

  /** What the customer's screen shows instead of waiting; null: no code stands there. */
  get shown(): CheckInShown | null {
    const { qr } = this.#now;
    return qr !== null && this.#stands ? { qr, isCheckedIn: this.#isCheckedIn } : null;
  }

  /** To be called at each change of the lane. Never calls back. */
  follow(now: CounterNow): void {
    if (!this.#options.isWanted) return;
    const before = this.#now;
    this.#now = now;
    if (now.isBusy && !before.isBusy) this.#mayBePrevious = true;
    if (now.showsResult && !before.showsResult) this.#thank();
    if (!now.showsResult) this.#endThanks();
    this.#lookUpIfSeen();
  }

  /** A customer's screen shows this lane. @returns to be called when it no longer does */
  watched(): () => void {
    this.#screens += 1;
    this.#lookUpIfSeen();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#screens -= 1;
      this.#lookUpIfSeen();
    };
  }

  /** Once the lane takes no payments any more. */
  close(): void {
    this.#endThanks();
  }

  get #stands(): boolean {
    const { qr, takesPayments, isBusy, showsResult } = this.#now;
    return qr !== null && takesPayments && !isBusy && (!showsResult || this.#thanked);
  }

  #thank(): void {
    const end = this.#options.clock.after(thanksMs, () => {
      this.#thanked = true;
      this.#lookUpIfSeen();
      this.#options.changed();
    });
    this.#thanks = { end };
    this.#thanked = false;
  }

  #endThanks(): void {
    this.#thanks?.end();
    this.#thanks = null;
    this.#thanked = false;
  }

  #lookUpIfSeen(): void {
    if (!this.#stands || this.#screens === 0) return this.#stopLookingUp();
    if (this.#lookups !== null) return;
    this.#lookups = new AbortController();
    void this.#lookUp(this.#lookups.signal);
  }

  #stopLookingUp(): void {
    this.#lookups?.abort(new Error('the code is not shown'));
    this.#lookups = null;
    // What was seen is not known to be so any more, and nothing of one customer is left for the next.
    this.#isCheckedIn = false;
    this.#unanswered = 0;
  }

  async #lookUp(signal: AbortSignal): Promise<void> {
    const watch = (this.#watch ??= this.#options.wallet.watchCheckIn());
    while (!signal.aborted) {
      const answer = await watch.poll(signal).catch(() => null);
      if (signal.aborted || answer === null) return;
      if (answer.kind === 'unknown') {
        this.#unanswered += 1;
        if (this.#unanswered < mostUnanswered) continue;
        this.#show(false);
        await sleep(this.#options.clock, unansweredPauseMs, signal).catch(() => {});
        continue;
      }
      this.#unanswered = 0;
      if (!answer.isCheckedIn) this.#mayBePrevious = false;
      this.#show(answer.isCheckedIn && !this.#mayBePrevious);
    }
  }

  #show(isCheckedIn: boolean): void {
    if (isCheckedIn === this.#isCheckedIn) return;
    this.#isCheckedIn = isCheckedIn;
    this.#options.changed();
  }
}
