import { expect, test } from 'vitest';
import { attackAreas } from '../attack/areas.ts';
import type { AttackResult } from '../attack/attack.ts';
import { someOf } from '../support/long.ts';

/** All of them: `npm run attack`. */
test.each(someOf(attackAreas, 1).map((area) => ({ area, name: area.area })))(
  'every attack on $name is held off',
  async ({ area }) => {
    const results: AttackResult[] = [];
    await area.run((result) => results.push(result));
    expect(results.filter(({ held }) => !held)).toEqual([]);
    expect(results.length).toBeGreaterThan(0);
  },
  300_000,
);
