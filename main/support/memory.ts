import { setFlagsFromString } from 'node:v8';

/** Up to this many lanes it is a counter PC; with more it is a shop's server, which has the memory and should not pause for garbage collection. */
const mostLanesOfACounterPc = 16;

/**
 * Keeps the heap near its live size, because a counter PC runs other programs too. V8 would let it grow with the machine's memory and shrink it
 * late. There is no hard limit at which the process would fail.
 */
export function keepMemorySmall(laneCount: number): void {
  if (laneCount > mostLanesOfACounterPc) return;
  for (const flag of ['--max-semi-space-size=2', '--optimize-for-size']) setFlagsFromString(flag);
}
