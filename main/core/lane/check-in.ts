import { type Cancel, type Clock, sleep } from '../domain/clock.ts';
import type { CustomerFacts } from '../domain/sale.ts';
import type { CheckInWatch, PointOfSaleClient } from './wallet-port.ts';
import type { DisplayCode } from './sale-code.ts';

export interface CheckInOptions {
  readonly wallet: Pick<PointOfSaleClient, 'watchCheckIn'>;
  readonly clock: Clock;
  /**
   * Whether customers may check in before there is an amount, until {@link CheckIn.want} says
   * otherwise.
   */
  readonly isWanted: boolean;
  /** Whether customers can hold their phone to a tag or a box, and need no code. */
  readonly hasBeacon?: boolean;
  readonly changed: () => void;
  /**
   * Whether somebody has scanned the sticker, whose scans arrive by themselves. Without a sticker,
   * the service is asked.
   */
  readonly isScanned?: () => boolean;
}

/** What decides whether the screens of the counter ask customers to check in. */
export interface LaneNow {
  /** The code of the point of sale; null when it has none. */
  readonly code: DisplayCode | null;
  readonly takesPayments: boolean;
  readonly isBusy: boolean;
  /** Whether the screens show how the last sale ended. */
  readonly showsResult: boolean;
}

export interface CheckInShown {
  /** null at a lane where customers hold their phone to a tag or a box. */
  readonly code: DisplayCode | null;
  readonly isCheckedIn: boolean;
  /**
   * The customer's; null while they are not looked up, missing while nobody is known to be there.
   * For the cashier alone.
   */
  readonly loyaltyIds?: CustomerFacts['loyaltyIds'];
}

/** How long the result is shown before the code for the next customer. */
const thanksMs = 6_000;
/** After this many unanswered look-ups, the screens hide a check-in. */
const maxUnanswered = 3;
/** After this time without a customer, look-ups are rarer: screens stay on all night. */
const quietAfterMs = 15 * 60_000;
/** Pause between look-ups while it is quiet, and while the service does not answer. */
const rarePauseMs = 10_000;

/**
 * Customers who check in while goods are still being scanned (document 4, section 1.5): the
 * customer's and the cashier's screen ask for it from the start, with the code, the beacon or both.
 * The lane looks the check-in up for all of them, while any of them shows the code and at no other
 * time (as it says there). So a lane without a code never does, and the amount is on the phone all
 * the same. Nothing is ever sent because of a check-in.
 */
export class CheckIn {
  readonly #options: CheckInOptions;
  #isWanted: boolean;
  #now: LaneNow = { code: null, takesPayments: false, isBusy: false, showsResult: false };
  /** How many screens can show the code. */
  #screens = 0;
  #thanks: { readonly end: Cancel } | null = null;
  #thanked = false;
  /** The customer who is checked in, if known. */
  #customer: Pick<CustomerFacts, 'loyaltyIds'> | null = null;
  /**
   * After a sale the service may still report the customer who has just paid, until it has reported
   * nobody once.
   */
  #mayBePrevious = false;
  #unanswered = 0;
  /** When a customer, or somebody at a screen, was last here; by the monotonic clock. */
  #lastSeenMs = 0;
  /** One watch for all look-ups: it keeps the pace that the service asks for. */
  #watch: CheckInWatch | null = null;
  #lookups: AbortController | null = null;

  constructor(options: CheckInOptions) {
    this.#options = options;
    this.#isWanted = options.isWanted;
  }

  /** The check-in as screens show it; null when they do not ask for it. */
  get customerOnScreen(): CheckInShown | null {
    const { code } = this.#now;
    if (!this.#isShown) return null;
    return {
      code,
      isCheckedIn: this.#options.isScanned?.() ?? this.#customer !== null,
      ...this.#customer,
    };
  }

  /** Whether customers may check in before there is an amount. To be followed by `follow`. */
  want(isWanted: boolean): void {
    this.#isWanted = isWanted;
    if (isWanted) return;
    this.#endThanks();
    this.#stopLookingUp();
  }

  /** Takes in each change of the lane. Never calls back. */
  follow(now: LaneNow): void {
    if (!this.#isWanted) return;
    const before = this.#now;
    this.#now = now;
    if (now.isBusy || before.isBusy) this.#somebodySeen();
    if (now.isBusy && !before.isBusy) this.#mayBePrevious = true;
    if (now.showsResult && !before.showsResult) this.#thank();
    if (!now.showsResult) this.#endThanks();
    this.#lookUpIfSeen();
  }

  /**
   * Registers a screen that can show the code. @returns a function to call when it no longer can
   */
  showsCode(): () => void {
    this.#screens += 1;
    this.#somebodySeen();
    this.#lookUpIfSeen();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#screens -= 1;
      this.#lookUpIfSeen();
    };
  }

  /** Ends the look-ups, once the lane takes no payments any more. */
  close(): void {
    this.#endThanks();
  }

  get #isShown(): boolean {
    const { code, takesPayments, isBusy, showsResult } = this.#now;
    const canCheckIn = code !== null || this.#options.hasBeacon === true;
    return (
      this.#isWanted && canCheckIn && takesPayments && !isBusy && (!showsResult || this.#thanked)
    );
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
    if (this.#options.isScanned !== undefined) return;
    if (this.#now.code === null || !this.#isShown || this.#screens === 0)
      return this.#stopLookingUp();
    if (this.#lookups !== null) return;
    this.#lookups = new AbortController();
    void this.#lookUp(this.#lookups.signal);
  }

  #stopLookingUp(): void {
    this.#lookups?.abort(new Error('the code is not shown'));
    this.#lookups = null;
    // It may be out of date, and nothing about one customer may be shown to the next.
    this.#customer = null;
    this.#unanswered = 0;
  }

  async #lookUp(signal: AbortSignal): Promise<void> {
    const watch = (this.#watch ??= this.#options.wallet.watchCheckIn());
    while (!signal.aborted) {
      const answer = await watch.poll(signal).catch(() => null);
      if (signal.aborted || answer === null) return;
      if (answer.kind === 'unknown') {
        this.#unanswered += 1;
        if (this.#unanswered < maxUnanswered) continue;
        this.#show(null);
        await this.#pause(signal);
        continue;
      }
      this.#unanswered = 0;
      if (!answer.isCheckedIn) this.#mayBePrevious = false;
      if (answer.isCheckedIn) this.#somebodySeen();
      this.#show(answer.isCheckedIn && !this.#mayBePrevious ? answer.customer : null);
      if (this.#options.clock.monotonicMs() - this.#lastSeenMs >= quietAfterMs)
        await this.#pause(signal);
    }
  }

  async #pause(signal: AbortSignal): Promise<void> {
    await sleep(this.#options.clock, rarePauseMs, signal).catch(() => {});
  }

  #somebodySeen(): void {
    this.#lastSeenMs = this.#options.clock.monotonicMs();
  }

  /**
   * Takes over what the service says now: a second customer may have taken the place of the first.
   */
  #show(customer: CustomerFacts | null): void {
    const shown = customer && { loyaltyIds: customer.loyaltyIds };
    if (JSON.stringify(shown) === JSON.stringify(this.#customer)) return;
    this.#customer = shown;
    this.#options.changed();
  }
}
