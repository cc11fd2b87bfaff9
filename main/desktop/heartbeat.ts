import type { Cancel, Clock } from '../domain/clock.ts';

const beatEveryMs = 400;
/** A page that answers nothing for this long draws nothing either; loading it again takes less than what is left of two seconds. */
const firstPatienceMs = 1_000;
/** A computer on which a page needs longer gets longer: loading again and again would be worse than a slow screen. */
const longestPatienceMs = 16_000;
/** After this long without a hang, patience is short again. */
const forgivenAfterMs = 5 * 60_000;

interface HeartbeatOptions {
  readonly clock: Clock;
  /** Sends the page a number, which it sends back. */
  readonly send: (beat: number) => void;
  readonly onHung: (silentMs: number) => void;
}

/** Notices that a page has stopped: it answers no message. Chromium itself says so only after half a minute, and only if somebody types. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #patienceMs = firstPatienceMs;
  #hungAtMs = Number.NEGATIVE_INFINITY;
  /** The last beat; null when no page is watched. */
  #sent: { readonly beat: number; readonly atMs: number } | null = null;
  #beat = 0;
  #cancel: Cancel = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Begins to watch a page that has said that it is there. */
  begin(): void {
    this.#send();
  }

  /** Ends watching a page that is gone, or about to be replaced. */
  end(): void {
    this.#cancel();
    this.#sent = null;
  }

  /** @param beat as the page sent it: unchecked */
  heard(beat: unknown): void {
    if (beat !== this.#sent?.beat) return;
    this.#cancel();
    const { clock } = this.#options;
    if (clock.monotonicMs() - this.#hungAtMs > forgivenAfterMs) this.#patienceMs = firstPatienceMs;
    this.#cancel = clock.after(beatEveryMs, () => this.#send());
  }

  #send(): void {
    const { clock, send } = this.#options;
    this.#cancel();
    this.#beat += 1;
    this.#sent = { beat: this.#beat, atMs: clock.monotonicMs() };
    send(this.#beat);
    this.#wait(this.#patienceMs);
  }

  #wait(delayMs: number): void {
    const { clock, onHung } = this.#options;
    const dueMs = clock.monotonicMs() + delayMs;
    this.#cancel = clock.after(delayMs, () => {
      const nowMs = clock.monotonicMs();
      // This process was stopped, or the computer: the answer may be waiting to be read.
      if (nowMs - dueMs > beatEveryMs) return this.#wait(this.#patienceMs);
      const silentMs = nowMs - (this.#sent?.atMs ?? nowMs);
      this.end();
      this.#hungAtMs = nowMs;
      this.#patienceMs = Math.min(longestPatienceMs, this.#patienceMs * 2);
      return onHung(silentMs);
    });
  }
}
