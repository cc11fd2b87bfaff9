import type { Cancel, Clock } from '../../domain/clock.ts';
import type { Log } from '../../domain/log.ts';
import { type ApduLink, longestAbsenceMs, mostWaitingPackets, type Sent, t3Ms } from './link.ts';
import { type Answer, hex } from './packets.ts';

export type ExchangeResult = 'positive' | 'silent' | { readonly refused: number };

export interface SendOptions {
  /** The answer decides over money: it must not be one that belongs to an earlier packet. */
  readonly decisive?: boolean;
  /** Runs in the same turn as the answer: the till's next command may be in the bytes behind it. */
  readonly settled?: (result: ExchangeResult) => void;
}

/** How late an answer can be that its sender repeats as often as it may: three sends, 5 s apart, and T3. */
const latestAnswerMs = 15_000;

/**
 * Our packets to the till, one at a time: each waits for its 80 00 or 84 xx before the next one leaves (ZVT PA00P016, section 5.2).
 * Answers carry no number. After a packet that was repeated, or answered too late, there may be more of them than packets.
 */
export class Exchange {
  readonly #link: ApduLink;
  readonly #clock: Clock;
  readonly #log: Log;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting: { take(answer: ExchangeResult): boolean; giveUp(): void } | null = null;
  #pending = 0;
  /** Answers that may still come, at most, to what is no longer waited for. */
  #strays = 0;
  #straysUntilMs = 0;
  #straysGone = (): void => {};
  #closed = false;

  constructor(link: ApduLink, clock: Clock, log: Log) {
    this.#link = link;
    this.#clock = clock;
    this.#log = log;
  }

  /** Nothing is under way: a heartbeat may leave. */
  get isQuiet(): boolean {
    return this.#waiting === null;
  }

  /** `silent`: the till did not take it, or did not answer within T3, or is gone. */
  send(packet: Uint8Array, { decisive = false, settled = () => {} }: SendOptions = {}): Promise<ExchangeResult> {
    if (this.#pending >= mostWaitingPackets) {
      this.#log.error({ packet: hex(packet) }, 'too many packets wait for the till: this one is not sent');
      settled('silent');
      return Promise.resolve('silent');
    }
    this.#pending += 1;
    const result = this.#tail.then(async () => {
      if (decisive) await this.#withoutStrays();
      return this.#sendNow(packet, settled);
    });
    this.#tail = result;
    return result;
  }

  /** An answer came. false: nobody waits for one. */
  answered(answer: Answer): boolean {
    if (this.#waiting?.take(answer.positive ? 'positive' : { refused: answer.code })) return true;
    if (this.#strays > 0) this.#strays -= 1;
    if (this.#strays === 0) this.#straysGone();
    return false;
  }

  close(): void {
    this.#closed = true;
    this.#waiting?.giveUp();
    this.#straysGone();
  }

  #sendNow(packet: Uint8Array, settled: (result: ExchangeResult) => void): Promise<ExchangeResult> {
    return new Promise((resolve) => {
      let how: Sent | null = null;
      let answer: ExchangeResult | null = null;
      let cancelT3: Cancel = () => {};
      const finish = (result: ExchangeResult): void => {
        if (this.#waiting !== waiting) return;
        cancelT3();
        this.#waiting = null;
        this.#pending -= 1;
        this.#mayStillCome((how?.copies ?? 0) - (result === 'silent' ? 0 : 1));
        settled(result);
        if (result === 'silent' && !this.#closed) {
          this.#log.warn({ packet: hex(packet) }, 'the till did not answer a packet');
          this.#link.unanswered();
        }
        resolve(result);
      };
      const waiting = {
        /** An answer may overtake a 06 that was lost: it is kept until the line knows how often the packet went out. */
        take(given: ExchangeResult): boolean {
          if (answer !== null) return false;
          answer = given;
          if (how !== null) finish(given);
          return true;
        },
        giveUp: () => finish('silent'),
      };
      this.#waiting = waiting;
      this.#link.send(packet, (sent) => {
        if (this.#waiting !== waiting) return;
        how = sent;
        if (answer !== null) finish(answer);
        else if (sent.delivered) cancelT3 = this.#afterT3(() => finish('silent'));
        else finish('silent');
      });
    });
  }

  #mayStillCome(answers: number): void {
    this.#strays += Math.max(0, answers);
    // An answer that was a stray itself leaves its packet's own to come.
    if (this.#strays > 0) this.#straysUntilMs = this.#clock.monotonicMs() + latestAnswerMs;
  }

  /** Resolves when every answer that could be mistaken for the next one has come, or no longer can. */
  async #withoutStrays(): Promise<void> {
    if (this.#strays === 0 || this.#closed) return;
    this.#log.warn({ strays: this.#strays }, 'the line to the till is unclear: late answers are waited for before the result is told');
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(this.#straysUntilMs - this.#clock.monotonicMs(), () => this.#straysGone());
      this.#straysGone = () => {
        cancel();
        resolve();
      };
    });
    this.#straysGone = () => {};
    this.#strays = 0;
  }

  /** T3 does not run while the cable is out: the till's answer comes when it is back. */
  #afterT3(expired: () => void): Cancel {
    const giveUpAtMs = this.#clock.monotonicMs() + longestAbsenceMs;
    let wasUp = true;
    let cancel: Cancel = () => {};
    const wait = (): void => {
      cancel = this.#clock.after(t3Ms, () => {
        const isUp = this.#link.isUp();
        const again = (!isUp || !wasUp) && this.#clock.monotonicMs() < giveUpAtMs;
        wasUp = isUp;
        if (again) wait();
        else expired();
      });
    };
    wait();
    return () => cancel();
  }
}
