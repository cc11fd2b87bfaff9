/** Where the documents allow two readings, a test shows the one that was followed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contradictions } from '../../../../main/wallets/v10/contradictions.ts';

test.each(contradictions.map(({ about, shownBy }) => [about, ...shownBy] as const))(
  '%s is shown by a test in %s',
  (_, file, title) => {
    expect(readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8')).toContain(title);
  },
);

test('no question is listed twice', () => {
  const asked = contradictions.map(({ about }) => about);
  expect(new Set(asked).size).toBe(asked.length);
});
