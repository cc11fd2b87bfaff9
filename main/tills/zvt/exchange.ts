import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { type ApduLink, maxAbsenceMs, maxWaitingPackets, type Sent, t3Ms } from './link.ts';
import { type TillAnswer, hex } from './packets.ts';

export type ExchangeResult =
  | 'positive'
  | 'silent'
  | { readonly refused: number; readonly data: Uint8Array };

export interface SendOptions {
  /** The answer decides about money, so it must not belong to an earlier packet. */
  readonly decisive?: boolean;
  /**
   * Runs synchronously with the answer, because the till's next command may follow in the same
   * bytes.
   */
  readonly settled?: (result: ExchangeResult) => void;
}

/** The latest that an answer can arrive: three sends, 5 s apart, and T3. */
const latestAnswerMs = 15_000;

/** After a repeated answer, the till's next one follows as soon as our 06 has arrived. */
const followsWithinMs = 300;

interface Waiting {
  take(answer: ExchangeResult, mayBeRepeated: boolean): boolean;
  giveUp(): void;
  /** Since when the link has it, by the monotonic clock. */
  readonly sinceMs: number;
  /** The till has begun a command since: it is there, and its connection is not closed. */
  isFollowed: boolean;
}

/**
 * Our packets to the till, one at a time: each waits for its 80 00 or 84 xx before the next one
 * leaves (ZVT PA00P016, section 5.2). Answers carry no number. After a packet that was repeated, or
 * answered too late, there may be more of them than packets.
 */
export class ZvtExchange {
  readonly #link: ApduLink;
  readonly #clock: Clock;
  readonly #log: Log;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting: Waiting | null = null;
  /**
   * Counts the till's commands that move money: packets that were queued before the last one are
   * not sent any more.
   */
  #moneyCommands = 0;
  #pending = 0;
  /** The most answers that may still arrive for packets that are no longer waited for. */
  #strays = 0;
  #straysUntilMs = 0;
  #straysGone = (): void => {};
  /** Until then, the real answer may follow to a packet for which a repeated one was taken. */
  #doubtfulUntilMs = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(link: ApduLink, clock: Clock, log: Log) {
    this.#link = link;
    this.#clock = clock;
    this.#log = log;
  }

  /** Whether nothing is pending, so that a heartbeat may be sent. */
  get isQuiet(): boolean {
    return this.#waiting === null;
  }

  /** `silent`: the till did not accept it, did not answer within T3, or is gone. */
  send(
    packet: Uint8Array,
    { decisive = false, settled = () => {} }: SendOptions = {},
  ): Promise<ExchangeResult> {
    if (this.#pending >= maxWaitingPackets) {
      this.#log.error(
        { packet: hex(packet) },
        'too many packets wait for the till: this one is not sent',
      );
      settled('silent');
      return Promise.resolve('silent');
    }
    this.#pending += 1;
    const moneyCommands = this.#moneyCommands;
    const result = this.#tail.then(async () => {
      if (moneyCommands !== this.#moneyCommands) return this.#drop(settled);
      if (decisive) {
        await this.#withoutStrays();
        await this.#withoutDoubt();
      }
      return this.#sendNow(packet, { decisive, settled });
    });
    this.#tail = result;
    return result;
  }

  /** Takes an answer. @returns false when none is expected */
  answered(answer: TillAnswer, mayBeRepeated: boolean): boolean {
    if (
      this.#waiting?.take(
        answer.positive ? 'positive' : { refused: answer.code, data: answer.data },
        mayBeRepeated,
      )
    )
      return true;
    if (this.#strays > 0) this.#strays -= 1;
    if (this.#strays === 0) this.#straysGone();
    return false;
  }

  /**
   * The till has begun a command although a packet of an earlier one is unanswered, or still to be
   * sent. It answers one dialogue at a time (ZVT PA00P016, section 5.2), so the earlier one is
   * over. Only a command that crosses the packet on the line may leave an answer behind it.
   */
  commandBegan({ movesMoney }: { readonly movesMoney: boolean }): void {
    if (movesMoney) this.#moneyCommands += 1;
    if (this.#waiting === null) return;
    this.#waiting.isFollowed = true;
    if (movesMoney || this.#clock.monotonicMs() - this.#waiting.sinceMs >= followsWithinMs)
      this.#waiting.giveUp();
  }

  /** The till has asked something in the middle of a command, whose packets go on. */
  askedMeanwhile(): void {
    if (this.#waiting !== null) this.#waiting.isFollowed = true;
  }

  close(): void {
    this.#closed = true;
    this.#waiting?.giveUp();
    this.#straysGone();
  }

  #drop(settled: (result: ExchangeResult) => void): ExchangeResult {
    this.#pending -= 1;
    settled('silent');
    return 'silent';
  }

  #sendNow(
    packet: Uint8Array,
    { decisive, settled }: Required<SendOptions>,
  ): Promise<ExchangeResult> {
    return new Promise((resolve) => {
      let how: Sent | null = null;
      let answer: ExchangeResult | null = null;
      let doubtful = false;
      let cancelTimer: Cancel = () => {};
      const finish = (result: ExchangeResult): void => {
        if (this.#waiting !== waiting) return;
        cancelTimer();
        this.#waiting = null;
        this.#pending -= 1;
        if (answer === null) this.#forgetExpiredStrays();
        const { isFollowed } = waiting;
        const copies = how?.copies ?? (isFollowed ? 1 : 0);
        this.#mayStillCome(
          copies - (result === 'silent' ? 0 : 1),
          isFollowed && copies === 1 ? t3Ms : latestAnswerMs,
        );
        settled(result);
        if (result === 'silent' && !this.#closed) {
          this.#log.warn({ packet: hex(packet), isFollowed }, 'the till did not answer a packet');
          if (!isFollowed) this.#link.unanswered();
        }
        resolve(result);
      };
      const finishWith = (given: ExchangeResult): void => {
        // An answer that follows the one to a packet sent twice belongs to the packet's copy.
        if (!doubtful || (how?.copies ?? 0) > 1) return finish(given);
        cancelTimer();
        cancelTimer = this.#clock.after(followsWithinMs, () => finish(given));
      };
      const waiting: Waiting = {
        sinceMs: this.#clock.monotonicMs(),
        isFollowed: false,
        /**
         * An answer may arrive before the repetition of a lost 06: it is kept until it is known how
         * often the packet was sent.
         */
        take: (given: ExchangeResult, mayBeRepeated: boolean): boolean => {
          if (answer !== null && !doubtful) return false;
          this.#forgetExpiredStrays();
          // An answer that follows a repeated one is the packet's own.
          doubtful = answer === null && decisive && mayBeRepeated;
          if (mayBeRepeated && !decisive)
            this.#doubtfulUntilMs = this.#clock.monotonicMs() + followsWithinMs;
          answer = given;
          if (how !== null) finishWith(given);
          return true;
        },
        giveUp: () => finish('silent'),
      };
      this.#waiting = waiting;
      this.#link.send(packet, (sent) => {
        if (this.#waiting !== waiting) return;
        how = sent;
        if (answer !== null) finishWith(answer);
        else if (sent.delivered) cancelTimer = this.#afterT3(() => finish('silent'));
        else finish('silent');
      });
    });
  }

  /** Later answers cannot be late answers to one of the stray packets. */
  #forgetExpiredStrays(): void {
    if (this.#clock.monotonicMs() >= this.#straysUntilMs) this.#strays = 0;
  }

  #mayStillCome(answers: number, withinMs: number): void {
    this.#strays += Math.max(0, answers);
    // If the answer was a late one, the packet's own answer is still to come.
    if (this.#strays > 0)
      this.#straysUntilMs = Math.max(this.#straysUntilMs, this.#clock.monotonicMs() + withinMs);
  }

  /** Resolves when no late answer can be mistaken for the next one any more. */
  async #withoutStrays(): Promise<void> {
    this.#forgetExpiredStrays();
    if (this.#strays === 0 || this.#closed) return;
    this.#log.warn(
      { strays: this.#strays },
      'the line to the till is unclear: late answers are waited for before the result is told',
    );
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(this.#straysUntilMs - this.#clock.monotonicMs(), () =>
        this.#straysGone(),
      );
      this.#straysGone = () => {
        cancel();
        resolve();
      };
    });
    this.#straysGone = () => {};
    this.#strays = 0;
  }

  async #withoutDoubt(): Promise<void> {
    const leftMs = this.#doubtfulUntilMs - this.#clock.monotonicMs();
    if (leftMs > 0) await new Promise<void>((resolve) => this.#clock.after(leftMs, resolve));
  }

  /** T3 is paused while the cable is out, because the till answers when it is back. */
  #afterT3(expired: () => void): Cancel {
    const giveUpAtMs = this.#clock.monotonicMs() + maxAbsenceMs;
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
