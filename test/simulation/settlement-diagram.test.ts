import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { withDiagrams } from '../../scripts/settlement-diagram.mjs';

test('the diagrams in docs/money.md are those of the machine; `node scripts/settlement-diagram.mjs` writes them', {
  timeout: 120_000,
}, () => {
  const page = readFileSync(new URL('../../docs/money.md', import.meta.url), 'utf8');
  expect(page).toBe(withDiagrams(page));
  expect(page).toContain('offering --> capturing: tillAcknowledged');
});
