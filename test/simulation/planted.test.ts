import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isLong } from '../support/long.ts';
import { plantedBugs } from './planted/bugs.ts';
import { root } from './planted/plant.ts';

/** Without the long run: from a random bug on, as many as fit. That each one still applies is a unit test. */
const seconds = 40;

test('the simulation finds the planted bugs within 10,000 runs', { timeout: 30 * 60_000 }, async () => {
  const part = isLong ? [] : ['--seconds', String(seconds), '--first', String(randomInt(plantedBugs.length) + 1)];
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'planted.mjs'), ...part]);
  const [verdict = '', found, covered] = /^(\d+) of (\d+) found.*$/m.exec(stdout) ?? [];
  process.stdout.write(`planted bugs: ${verdict}\n`);
  expect(found).toBe(covered);
  expect(Number(covered)).toBeGreaterThanOrEqual(isLong ? plantedBugs.length : 1);
});
