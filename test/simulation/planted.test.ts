import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted/bugs.ts';
import { bugged, root } from './planted/plant.ts';

test.each(plantedBugs)('planted bug $number can still be planted: $says', (bug) => {
  expect(bugged(bug, root).size).toBeGreaterThan(0);
});

test('the simulation finds every planted bug within 10,000 runs', { timeout: 15 * 60_000 }, async () => {
  // One after another, in a process of their own each: about a minute.
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'scripts', 'planted.mjs')]);
  expect(stdout).toContain(`${plantedBugs.length} of ${plantedBugs.length} found`);
});
