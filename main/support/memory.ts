import { setFlagsFromString } from 'node:v8';

/** Up to this many lanes it is a counter PC; with more it is a shop's server, which has the memory and should not pause for garbage collection. */
const mostLanesOfACounterPc = 16;

/**
 * Without a hard limit at which the process would fail. Functions are still optimised, but only small ones are inlined: what the compiler needs for that
 * while it works is never given back.
 */
const smallHeap = ['--memory-saver-mode', '--heap-growing-percent=10', '--max-inlined-bytecode-size-cumulative=100'];

/**
 * Keeps the heap near its live size, because a counter PC runs other programs too: V8 would let it grow with the machine's memory and shrink it late. To be
 * called when everything is loaded, which takes a seventh longer in a small heap. V8 follows what it is told here from its next large collection on, and
 * that would make one of the first payments wait: where Node has a `gc` (the service gives it one) the process pauses now, for some 30 ms.
 */
export function keepHeapSmall(laneCount: number): void {
  if (laneCount > mostLanesOfACounterPc) return;
  for (const flag of smallHeap) setFlagsFromString(flag);
  globalThis.gc?.();
}
