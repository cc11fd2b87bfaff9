import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { chosen, isLong, someOf } from '../support/long.ts';
import { plantedBugs } from './planted/bugs.ts';
import { root } from './planted/plant.ts';

/**
 * Without the long run: from a random bug on, as many as fit; what is not finished by then counts
 * as not looked for. That each one still applies is a unit test.
 */
const seconds = 15;

const hunt = (args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'scripts', 'planted.mjs'), ...args]);

/**
 * These bugs are found in the first runs, so one of them can be hunted however little time there
 * is.
 */
const quickest = ['1', '2', '5', '9'];
test.runIf(!isLong)(
  'the simulation finds a planted bug in its first runs',
  { timeout: 5 * 60_000 },
  async () => {
    const { stdout } = await hunt(['--runs', '10', '--only', ...someOf(quickest, 1)]);
    expect(stdout).toMatch(/^1 of 1 found$/m);
  },
);

test('the simulation finds the planted bugs within 10,000 runs', {
  timeout: 30 * 60_000,
}, async () => {
  const part = isLong
    ? []
    : [
        '--seconds',
        String(seconds),
        '--first',
        String(chosen(plantedBugs.length, 'planted bugs') + 1),
      ];
  const { stdout } = await hunt(part);
  const [verdict = '', found, covered] = /^(\d+) of (\d+) found.*$/m.exec(stdout) ?? [];
  process.stdout.write(`planted bugs: ${verdict}\n`);
  expect(found).toBe(covered);
  if (isLong) expect(Number(covered)).toBe(plantedBugs.length);
});
