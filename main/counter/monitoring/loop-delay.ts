/** Each tick wakes the processor: fifty a second were a third of what an idle daemon took of it. */
const tickMs = 100;
const ticksOfAReport = 10;

/**
 * Reports each second how late the event loop was at most, in seconds. Does not keep the process
 * alive. Node's `monitorEventLoopDelay` does not count the tick after each reset: of delays near
 * the end of a second it misses some. @returns ends it
 */
export function watchLoopDelay(told: (seconds: number) => void): () => void {
  let tickedAtMs = performance.now();
  let latestMs = 0;
  let ticks = 0;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    latestMs = Math.max(latestMs, nowMs - tickedAtMs - tickMs);
    tickedAtMs = nowMs;
    ticks += 1;
    if (ticks % ticksOfAReport !== 0) return;
    told(latestMs / 1_000);
    latestMs = 0;
  }, tickMs).unref();
  return () => clearInterval(timer);
}
