import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const everyMs = 1_000;

/** Reports each second the longest delay of the event loop, in seconds. Does not keep the process alive. @returns ends it */
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
