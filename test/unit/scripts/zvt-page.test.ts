import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { zvtPage } from '../../../scripts/zvt-page.mjs';

test('docs/zvt.md is what the declarations and docs/till.md say; `node scripts/zvt-page.mjs` writes it', () => {
  const page = readFileSync(new URL('../../../docs/zvt.md', import.meta.url), 'utf8');
  expect(page).toBe(zvtPage());
  expect(page).toContain('| `06 01` | Authorisation | fields | takes a payment.');
  expect(page).toMatch(/\| `A3` \| no connection \| .* `serviceUnreachable`.*\|/);
});
