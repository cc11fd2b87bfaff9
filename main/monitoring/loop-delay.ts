import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Each tick wakes the processor of an idle counter PC: at 20 ms they took more of it than everything else that an idle daemon does. */
const resolutionMs = 100;
const everyMs = 1_000;

/** Reports each second by how much the latest tick of it was late, in seconds. Does not keep the process alive. @returns ends it */
export function watchLoopDelay(told: (seconds: number) => void): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const timer = setInterval(() => {
    // The histogram has the time between two ticks, which includes the resolution when there is no delay.
    told(histogram.count === 0 ? 0 : Math.max(0, histogram.max / 1e9 - resolutionMs / 1e3));
    histogram.reset();
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    histogram.disable();
  };
}
