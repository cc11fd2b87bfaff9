import type { Cancel, EventLoop } from '../../../main/core/domain/clock.ts';

/**
 * A loop whose process can stand still. When it goes on, overdue timers run first, then what was
 * sent meanwhile is read.
 */
export class FakeLoop implements EventLoop {
  #nowMs = 1_000;
  #timers: { readonly dueMs: number; readonly run: () => void }[] = [];
  #unread: (() => void)[] = [];
  #afterRead: (() => void)[] = [];
  /** How much earlier than asked the next timer runs. */
  earlyMs = 0;

  wallMs(): number {
    return this.#nowMs;
  }
  nowMs(): number {
    return this.#nowMs;
  }
  setTimer(delayMs: number, run: () => void): Cancel {
    const timer = { dueMs: this.#nowMs + Math.min(delayMs, 2 ** 31 - 1) - this.earlyMs, run };
    this.earlyMs = 0;
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  }
  afterRead(run: () => void): Cancel {
    this.#afterRead.push(run);
    return () => void (this.#afterRead = this.#afterRead.filter((other) => other !== run));
  }
  every(ms: number, run: () => void): Cancel {
    const again = (): void => {
      run();
      cancel = this.setTimer(ms, again);
    };
    let cancel = this.setTimer(ms, again);
    return () => cancel();
  }

  /** Sends bytes, which are read in the next turn. */
  send(read: () => void): void {
    this.#unread.push(read);
  }

  /** Time passes, and the loop turns whenever a timer is due. */
  pass(ms: number): void {
    const untilMs = this.#nowMs + ms;
    this.#turn();
    for (;;) {
      const next = Math.min(...this.#timers.map(({ dueMs }) => dueMs));
      if (next > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, next);
      this.#turn();
    }
    this.#nowMs = untilMs;
  }

  /**
   * The process stands still. In the turn in which it goes on, nothing but its timers has run yet.
   */
  standStill(ms: number): void {
    this.#nowMs += ms;
    this.#runTimers();
  }

  #turn(): void {
    this.#runTimers();
    for (const read of this.#unread.splice(0)) read();
    for (const run of this.#afterRead.splice(0)) run();
  }

  #runTimers(): void {
    const due = this.#timers
      .filter(({ dueMs }) => dueMs <= this.#nowMs)
      .toSorted((one, other) => one.dueMs - other.dueMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
  }
}
