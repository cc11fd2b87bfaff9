/**
 * Loaded into a process that is measured (`--import`): on SIGUSR2 it says on stdout how long its
 * loop has paused at most since the last time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

export interface LoopPause {
  readonly maxPauseMs: number;
  /**
   * The longest processor time between two looks at the clock, without what other processes take.
   */
  readonly busiestMs: number;
}

const resolutionMs = 1;
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let usedBefore = 0;
  let busiestMs = 0;
  const look = (): void => {
    const { user, system } = process.threadCpuUsage();
    const usedMs = (user + system) / 1_000;
    busiestMs = Math.max(busiestMs, usedMs - usedBefore);
    usedBefore = usedMs;
  };
  setInterval(look, resolutionMs).unref();
  process.on('SIGUSR2', () => {
    // The recorded value is the time between two looks at the clock, which includes the resolution.
    const pause: LoopPause = { maxPauseMs: Math.max(0, delay.max / 1e6 - resolutionMs), busiestMs };
    process.stdout.write(`${JSON.stringify(pause)}\n`);
    delay.reset();
    busiestMs = 0;
  });
}
