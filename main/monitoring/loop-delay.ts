import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const everyMs = 1_000;

/** Tells each second how long the event loop was late at most, in seconds. Keeps no process alive. @returns ends it */
export function watchLoopDelay(told: (seconds: number) => void): () => void {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  const timer = setInterval(() => {
    // It measures from one tick to the next, which are that far apart when nothing is late.
    told(histogram.count === 0 ? 0 : Math.max(0, histogram.max / 1e9 - resolutionMs / 1e3));
    histogram.reset();
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    histogram.disable();
  };
}
