import { setFlagsFromString } from 'node:v8';

/** Up to here it is a counter PC, beyond it a shop's server: that has the memory, and its tills wait for each other. */
const mostLanesOfACounterPc = 16;

/**
 * A counter PC has other programs to run. V8 would let its heap grow with the machine's memory, and give it back late;
 * this keeps it near what is alive, without a hard limit at which it would give up.
 */
export function keepMemorySmall(laneCount: number): void {
  if (laneCount > mostLanesOfACounterPc) return;
  for (const flag of ['--max-semi-space-size=2', '--optimize-for-size']) setFlagsFromString(flag);
}
