import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Each tick wakes the processor: fifty a second were a third of what an idle daemon took of it. */
const resolutionMs = 100;
const everyMs = 1_000;

/** Reports each second how late the event loop was at most at one of its ticks, in seconds. Does not keep the process alive. @returns ends it */
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
