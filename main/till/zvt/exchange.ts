import type { Cancel, Clock } from '../../primitives/clock.ts';
import type { Log } from '../../primitives/log.ts';
import { type ApduLink, longestAbsenceMs, t3Ms } from './link.ts';
import { type Answer, hex } from './packets.ts';

export type ExchangeResult = 'positive' | 'silent' | { readonly refused: number };

/**
 * Our packets to the till, one at a time: each waits for its 80 00 or 84 xx before the next one leaves (ZVT PA00P016, section 5.2).
 */
export class Exchange {
  readonly #link: ApduLink;
  readonly #clock: Clock;
  readonly #log: Log;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting: ((result: ExchangeResult) => void) | null = null;
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

  /**
   * `silent`: the till did not take it, or did not answer within T3, or is gone.
   * @param settled runs in the same turn as the answer: the till's next command may be in the bytes behind it
   */
  send(packet: Uint8Array, settled = (): void => {}): Promise<ExchangeResult> {
    const result = this.#tail.then(() => this.#sendNow(packet, settled));
    this.#tail = result;
    return result;
  }

  /** An answer came. false: nobody waits for one. */
  answered(answer: Answer): boolean {
    if (this.#waiting === null) return false;
    this.#waiting(answer.positive ? 'positive' : { refused: answer.code });
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#waiting?.('silent');
  }

  #sendNow(packet: Uint8Array, settled: () => void): Promise<ExchangeResult> {
    if (this.#closed) {
      settled();
      return Promise.resolve('silent');
    }
    return new Promise((resolve) => {
      let cancelT3: Cancel = () => {};
      const finish = (result: ExchangeResult): void => {
        if (this.#waiting !== finish) return;
        cancelT3();
        this.#waiting = null;
        settled();
        if (result === 'silent' && !this.#closed) {
          this.#log.warn({ packet: hex(packet) }, 'the till did not answer a packet');
          this.#link.unanswered();
        }
        resolve(result);
      };
      this.#waiting = finish;
      void this.#link.send(packet).then((sent) => {
        if (this.#waiting !== finish) return;
        if (sent === 'failed') finish('silent');
        else cancelT3 = this.#afterT3(() => finish('silent'));
      });
    });
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
