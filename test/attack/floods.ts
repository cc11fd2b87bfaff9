import {
  type Flood,
  FloodedCounter,
  type Measured,
  serverFloods,
  tillFloods,
} from '../support/floods.ts';
import { attackArea } from './attack.ts';

const seconds = 2;
/**
 * The benchmark says 100 ms (`npm run bench -- --only floods`). Here other work makes everything
 * late.
 */
const maxLateMs = 1_000;
/** Without what other work takes of the processor. */
const maxBusyMs = 100;
/** Floods of any content and size. */
const maxLogLines = 1_000;

interface Target {
  readonly flooded: FloodedCounter;
  readonly quiet: Measured;
}

async function flood({ flooded, quiet }: Target, how: Flood): Promise<string> {
  const { maxMs, paidMs, busiestMs, sent, logLines } = await flooded.measure(how, seconds);
  const seen = [
    `a till of another lane waited ${maxMs.toFixed(0)} ms (quiet ${quiet.maxMs.toFixed(0)} ms)`,
    `its payment ${paidMs.toFixed(0)} ms (quiet ${quiet.paidMs.toFixed(0)} ms)`,
    `the daemon at work for ${busiestMs.toFixed(0)} ms at most`,
    `${logLines} lines of the log`,
    `${sent.bytes} bytes over ${sent.connections} connections`,
  ].join(', ');
  if (Math.max(maxMs - quiet.maxMs, paidMs - quiet.paidMs) > maxLateMs || busiestMs > maxBusyMs)
    throw new Error(seen);
  if (logLines > maxLogLines) throw new Error(`the log was flooded: ${seen}`);
  return seen;
}

export const floodsArea = attackArea<Target>('floods', {
  async open() {
    const flooded = await FloodedCounter.open();
    return { flooded, quiet: await flooded.measure(null, seconds) };
  },
  close: ({ flooded }) => flooded.close(),
  attacks: [...tillFloods, ...serverFloods].map((how) => ({
    name: how.name,
    attempt: (target: Target) => flood(target, how),
  })),
});
