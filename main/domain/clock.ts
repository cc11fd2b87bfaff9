import { performance } from 'node:perf_hooks';

export type Cancel = () => void;

/** Time comes in through this port, so that a whole shop can run in simulated time. */
export interface Clock {
  /** Milliseconds since the Unix epoch: for people, receipts and the journal. May jump. */
  wallMs(): number;
  /** Monotonic milliseconds, for durations and deadlines. */
  monotonicMs(): number;
  /** Runs once, not earlier than `delayMs` from now by the monotonic clock. */
  after(delayMs: number, run: () => void): Cancel;
}

/** Node runs a longer timer at once. */
const longestTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, run) {
    const dueAt = performance.now() + delayMs;
    let timer: NodeJS.Timeout;
    // Node's timers may fire a fraction of a millisecond early, which a poll must not; and a wait can be longer than any of them.
    const arm = (waitMs: number): void => {
      timer = setTimeout(
        () => {
          const leftMs = dueAt - performance.now();
          if (leftMs > 0) arm(leftMs);
          else run();
        },
        Math.min(longestTimerMs, Math.ceil(waitMs)),
      );
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason as soon as it is aborted. */
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
