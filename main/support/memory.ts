import { setFlagsFromString } from 'node:v8';

/** Up to this many lanes it is a counter PC; with more it is a shop's server, which has the memory and should not pause for garbage collection. */
const mostLanesOfACounterPc = 16;

/**
 * Keeps the heap near its live size, because a counter PC runs other programs too. V8 would let it grow with the machine's memory and shrink it
 * late. There is no hard limit at which the process would fail. Functions are still optimised, but only small ones are inlined: what the compiler
 * needs for that while it works is never given back. Imported by an entry before anything else; `daemon.ts` says why.
 */
const smallHeap = ['--memory-saver-mode', '--heap-growing-percent=10', '--max-inlined-bytecode-size-cumulative=100'];
/** V8's default values. */
const growingHeap = ['--no-memory-saver-mode', '--heap-growing-percent=0'];

for (const flag of smallHeap) setFlagsFromString(flag);

export function letMemoryGrowWith(laneCount: number): void {
  if (laneCount <= mostLanesOfACounterPc) return;
  for (const flag of growingHeap) setFlagsFromString(flag);
}
