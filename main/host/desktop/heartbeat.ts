import type { Cancel, Clock } from '../../core/domain/clock.ts';

const beatEveryMs = 400;
/**
 * Minimum silence of a page before it counts as hung. Its reload fits into the rest of two seconds.
 */
const minSilenceMs = 1_000;
/**
 * A page may be silent for this multiple of its slowest recent answer, because answers are late on
 * a busy computer.
 */
const silencePerSlowestAnswer = 5;
/** Limit for a recorded answer: one after the computer's sleep would count as very slow. */
const maxAnswerMs = 3_200;
/** Assumed for a page that has just been loaded, because several pages start together. */
const firstAnswerMs = 2_000;
/**
 * Each answer reduces the slowest one by this factor: 50 seconds after a load the limit is short
 * again.
 */
const slowAnswerDecay = 0.98;

interface HeartbeatOptions {
  readonly clock: Clock;
  /** Sends the page a number, which it sends back. */
  readonly send: (beat: number) => void;
  readonly onHung: (silentMs: number) => void;
}

/**
 * Notices that a page has stopped: it answers no message. Chromium itself says so only after half a
 * minute, and only if somebody types.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  /** The slowest recent answer. A hang counts as an answer. */
  #slowAnswerMs = 0;
  /** The last beat; null when no page is watched. */
  #sent: { readonly beat: number; readonly atMs: number } | null = null;
  #beat = 0;
  #cancel: Cancel = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Begins to watch a page that has said that it is there. */
  begin(): void {
    this.#slowAnswerMs = Math.max(firstAnswerMs, this.#slowAnswerMs);
    this.#send();
  }

  /** Ends watching a page that is gone, or about to be replaced. */
  end(): void {
    this.#cancel();
    this.#sent = null;
  }

  /** @param beat as the page sent it: unchecked */
  receive(beat: unknown): void {
    if (this.#sent === null || beat !== this.#sent.beat) return;
    this.#cancel();
    const { clock } = this.#options;
    const tookMs = Math.min(maxAnswerMs, clock.monotonicMs() - this.#sent.atMs);
    this.#slowAnswerMs = Math.max(tookMs, this.#slowAnswerMs * slowAnswerDecay);
    this.#cancel = clock.after(beatEveryMs, () => this.#send());
  }

  get #maxSilenceMs(): number {
    return Math.max(minSilenceMs, this.#slowAnswerMs * silencePerSlowestAnswer);
  }

  #send(): void {
    const { clock, send } = this.#options;
    this.#cancel();
    this.#beat += 1;
    this.#sent = { beat: this.#beat, atMs: clock.monotonicMs() };
    send(this.#beat);
    this.#wait(this.#maxSilenceMs);
  }

  #wait(delayMs: number): void {
    const { clock, onHung } = this.#options;
    const dueMs = clock.monotonicMs() + delayMs;
    this.#cancel = clock.after(delayMs, () => {
      const nowMs = clock.monotonicMs();
      // This process was stopped, or the computer: the answer may be waiting to be read.
      if (nowMs - dueMs > beatEveryMs) return this.#wait(this.#maxSilenceMs);
      const silentMs = nowMs - (this.#sent?.atMs ?? nowMs);
      this.end();
      this.#slowAnswerMs = Math.min(maxAnswerMs, silentMs);
      return onHung(silentMs);
    });
  }
}
