import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const renderer = join(import.meta.dirname, '../../../renderer');
const read = (pattern: string): [path: string, text: string][] =>
  globSync(pattern, { cwd: renderer }).map((path) => [
    path,
    readFileSync(join(renderer, path), 'utf8'),
  ]);
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const sheets = read('**/*.css').map(([path, css]) => [path, withoutComments(css)] as const);
/**
 * With the contract, because some of its values are classes, such as the state of the till's
 * connection.
 */
const scripts = [...read('**/*.ts'), ...read('../preload/contract.ts')]
  .filter(([path]) => !path.startsWith('locales'))
  .map(([, text]) => withoutComments(text));
const scriptNames = new Set(scripts.flatMap((text) => text.match(/[\w-]+/g) ?? []));

test.each(sheets)('%s has no class that no template names', (_path, css) => {
  const selectors = css.replaceAll(/\{[^{}]*\}/g, ' ');
  const classes = new Set(
    [...selectors.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name as string),
  );
  expect([...classes].filter((name) => !scriptNames.has(name))).toEqual([]);
});

test('every custom property that is read is set, and the other way round', () => {
  const all = sheets.map(([, css]) => css).join('\n');
  const code = scripts.join('\n');
  const read = new Set([...all.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name as string));
  const set = new Set(
    [...`${all}\n${code}`.matchAll(/(--[\w-]+)['"]?\s*[:,]/g)].map(([, name]) => name as string),
  );
  expect([...read].filter((name) => !set.has(name))).toEqual([]);
  expect(
    [...all.matchAll(/^\s*(--[\w-]+):/gm)]
      .map(([, name]) => name as string)
      .filter((name) => !read.has(name) && !code.includes(name)),
  ).toEqual([]);
});
