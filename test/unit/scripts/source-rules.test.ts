import { expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { brokenRules, sameNames } from '../../../scripts/source-rules.mjs';

test.each([
  [
    'two doc comments in a row',
    '/** One. */\n/** Two. */\nconst a = 1;\n',
    'a.ts:1: two doc comments',
  ],
  ['a comment of 101 columns', `const a = 1;\n// ${'x'.repeat(98)}\n`, 'a.ts:2: a comment of 101'],
  ['a file of 501 lines', 'a;\n'.repeat(501), 'a.ts: 501 lines; the maximum is 500'],
  [
    'a hook on import of a module for tests',
    'export let service;\nbeforeEach(async () => {});\n',
    'a.ts:2: a hook on import',
  ],
  ...[
    `const ${'most'}Bytes = 1;`,
    `export function ${'slowest'}Answer() {}`,
    `class A { readonly #${'longest'}Ms = 1 }`,
    `class A {\n  #${'usual'}Port: number;\n}`,
    `interface A {\n  readonly ${'least'}Amount?: number;\n}`,
    `const f = (${'shortest'}Ms = 1, ${'largest'}Ms: number) => 1;`,
    `const { a, ${'smallest'}Part } = b;`,
  ].map((line) => [
    `the declaration in "${line}"`,
    `const a = 1;\n${line}\n`,
    'name a limit max… or min…, and a default default…',
  ]),
])('refuses %s', (_, text, message) => {
  expect(brokenRules('a.ts', text)).not.toEqual([]);
  for (const line of brokenRules('a.ts', text)) expect(line).toContain(message);
});

test('accepts a comment of 100 columns, and a text that cannot be broken', () => {
  expect(brokenRules('a.ts', `// ${'x'.repeat(97)}\nconst a =\n  '${'x'.repeat(200)}';\n`)).toEqual(
    [],
  );
});

test.each([
  `// ${'most'}Bytes`,
  ` * ${'most'}Bytes: a limit that a comment names`,
  'const maxBytes = 1, defaultPort = 2, mostly = 3, usually = 4, utmost = 5;',
  "const { byte } = wire['mostBytes'] ?? wire.mostBytes;",
])('accepts %s', (line) => {
  expect(brokenRules('a.ts', `${line}\n`)).toEqual([]);
});

test('accepts hooks in a test file, and in a function for test files', () => {
  expect(brokenRules('a.test.ts', 'beforeEach(() => {});\n')).toEqual([]);
  expect(brokenRules('a.ts', 'function serve() {\n  beforeEach(() => {});\n}\n')).toEqual([]);
});

test('refuses two files of one name in one area, whatever their folders', () => {
  const areas = ['main/a', 'main/a/inner', 'main/b'];
  const paths = [
    'main/a/one/api.ts',
    'main/a/two/api.ts',
    'main/a/inner/api.ts',
    'main/b/api.ts',
    'test/unit/one.ts',
    'test/unit/other/one.ts',
  ];
  expect(sameNames(paths, areas)).toEqual([
    'main/a/one/api.ts, main/a/two/api.ts: one name in one area',
  ]);
});
