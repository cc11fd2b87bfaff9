import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { brokenRules } from '../../../scripts/source-rules.mjs';

test.each([
  [
    'two doc comments in a row',
    '/** One. */\n/** Two. */\nconst a = 1;\n',
    'a.ts:1: two doc comments',
  ],
  ['a comment of 101 columns', `const a = 1;\n// ${'x'.repeat(98)}\n`, 'a.ts:2: a comment of 101'],
])('refuses %s', (_, text, message) => {
  expect(brokenRules('a.ts', text)).toEqual([expect.stringContaining(message)]);
});

test('accepts a comment of 100 columns, and a text that cannot be broken', () => {
  expect(brokenRules('a.ts', `// ${'x'.repeat(97)}\nconst a =\n  '${'x'.repeat(200)}';\n`)).toEqual(
    [],
  );
});
