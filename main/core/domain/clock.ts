import { performance } from 'node:perf_hooks';

export type Cancel = () => void;

/** Time comes in through this port, so that a whole shop can run in simulated time. */
export interface Clock {
  /** Milliseconds since the Unix epoch: for people, receipts and the journal. May jump. */
  wallMs(): number;
  /**
   * Monotonic milliseconds, for durations and deadlines. They stand still while the process does:
   * what was sent meanwhile is read as if it had just been sent.
   */
  monotonicMs(): number;
  /**
   * Monotonic milliseconds that go on meanwhile: for what somebody else counts, such as a token's
   * age.
   */
  elapsedMs(): number;
  /**
   * Runs once, not earlier than `delayMs` from now, after the input that waits by then was read.
   * @param by the clock that counts the delay
   */
  after(delayMs: number, run: () => void, by?: 'monotonicMs' | 'elapsedMs'): Cancel;
}

/** The part of Node's event loop that a clock needs. */
export interface EventLoop {
  wallMs(): number;
  nowMs(): number;
  /** Runs once. After a standstill, timers run before the loop reads what was sent meanwhile. */
  setTimer(delayMs: number, run: () => void): Cancel;
  /** Runs once, after the loop has read what waits in its sockets. */
  afterRead(run: () => void): Cancel;
  /** Runs again and again, and does not keep the process alive. */
  every(ms: number, run: () => void): Cancel;
}

/** Each tick wakes the processor. */
const tickMs = 100;
/**
 * A tick that is later is a standstill. A slow disk may take as long, and must not delay timers.
 */
const maxTickDelayMs = 150;
/** A timer that runs later may run before input that was sent when it was due. */
const maxTimerDelayMs = 50;
/** A serial port is read in several turns of the loop, with trips through a pool of threads. */
const deferMs = 100;
/** Bounds the wait, so that timers run even when every turn of the loop is a standstill. */
const maxDeferrals = 5;

/**
 * A clock that stands still while the process does (SIGSTOP, a suspended machine, a busy loop).
 * A deadline then has as much time left as before. No timer runs until the process has read what
 * was sent meanwhile. A steady tick shows that the loop runs: without the next one, time goes on
 * for a tick and its tolerance at most. See docs/decisions/0005-clock-stands-still.md.
 */
export class LoopClock implements Clock {
  readonly #loop: EventLoop;
  #cancelTick: Cancel | null = null;
  /** The loop's time until which it is known to run. */
  #runsUntilMs = Number.POSITIVE_INFINITY;
  /** Sum of all standstills. */
  #stoodStillMs = 0;
  /** The loop's time until which input of the last standstill is being read. */
  #readsUntilMs = Number.NEGATIVE_INFINITY;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  wallMs(): number {
    return this.#loop.wallMs();
  }

  monotonicMs(): number {
    return Math.min(this.#loop.nowMs(), this.#runsUntilMs) - this.#stoodStillMs;
  }

  elapsedMs(): number {
    return this.#loop.nowMs();
  }

  after(delayMs: number, run: () => void, by: 'monotonicMs' | 'elapsedMs' = 'monotonicMs'): Cancel {
    const dueAtMs = this[by]() + delayMs;
    let deferrals = 0;
    let cancel: Cancel = () => {};
    const arm = (waitMs: number): void => {
      const expectedAtMs = this.#loop.nowMs() + waitMs;
      cancel = this.#loop.setTimer(waitMs, () => {
        const leftMs = dueAtMs - this[by]();
        if (leftMs > 0) return arm(leftMs);
        if (deferrals < maxDeferrals && this.#mayHaveUnreadInput(expectedAtMs)) {
          deferrals += 1;
          return arm(deferMs);
        }
        cancel = this.#loop.afterRead(run);
      });
    };
    arm(delayMs);
    return () => cancel();
  }

  /** Begins to notice standstills. @returns ends it */
  watch(): Cancel {
    this.#cancelTick?.();
    this.#runsUntilMs = this.#loop.nowMs() + tickMs + maxTickDelayMs;
    this.#cancelTick = this.#loop.every(tickMs, () => this.#tick());
    return () => {
      this.#cancelTick?.();
      this.#cancelTick = null;
      this.#runsUntilMs = Number.POSITIVE_INFINITY;
    };
  }

  #tick(): void {
    const nowMs = this.#loop.nowMs();
    const lateMs = nowMs - this.#runsUntilMs;
    if (lateMs > 0) {
      this.#stoodStillMs += lateMs;
      this.#readsUntilMs = nowMs + maxDeferrals * deferMs;
    }
    this.#runsUntilMs = nowMs + tickMs + maxTickDelayMs;
  }

  #mayHaveUnreadInput(expectedAtMs: number): boolean {
    const nowMs = this.#loop.nowMs();
    return (
      nowMs - expectedAtMs > maxTimerDelayMs ||
      nowMs > this.#runsUntilMs ||
      nowMs < this.#readsUntilMs
    );
  }
}

/** Node runs a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1;

const nodeLoop: EventLoop = {
  wallMs: () => Date.now(),
  nowMs: () => performance.now(),
  setTimer(delayMs, run) {
    const timer = setTimeout(run, Math.min(maxTimerMs, Math.ceil(delayMs)));
    return () => clearTimeout(timer);
  },
  afterRead(run) {
    const immediate = setImmediate(run);
    return () => clearImmediate(immediate);
  },
  every(ms, run) {
    const timer = setInterval(run, ms).unref();
    return () => clearInterval(timer);
  },
};

const watchedClock = new LoopClock(nodeLoop);
watchedClock.watch();
export const systemClock: Clock = watchedClock;

/** Resolves after `delayMs`; rejects with the signal's reason when the signal aborts. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
