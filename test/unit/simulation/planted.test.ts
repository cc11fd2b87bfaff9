import { stripTypeScriptTypes } from 'node:module';
import { expect, test } from 'vitest';
import { plantedBugs } from '../../simulation/planted/bugs.ts';
import { bugged, root } from '../../simulation/planted/plant.ts';

test('the planted bugs are numbered from 1, without a gap', () => {
  expect(plantedBugs.map(({ number }) => number)).toEqual(plantedBugs.map((_, index) => index + 1));
});

test.each(plantedBugs)(
  'bug $number ($says) can still be planted, in one place, and is TypeScript',
  (bug) => {
    for (const text of bugged(bug, root).values())
      expect(() => stripTypeScriptTypes(text)).not.toThrow();
  },
);
