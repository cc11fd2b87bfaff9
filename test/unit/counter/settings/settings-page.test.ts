import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { settingsPage } from '../../../../scripts/settings-page.mjs';

test('docs/settings.md has every setting as the schema has it; `npm run settings-schema` writes it', () => {
  const page = readFileSync(new URL('../../../../docs/settings.md', import.meta.url), 'utf8');
  expect(page).toBe(settingsPage());
  expect(page).toContain('### `lanes.till` with `protocol` `"zvt"`, `transport` `"tcp"`');
  expect(page).toContain('| `deadlineSeconds` | a number from 10 to 170 | `120` |');
});
