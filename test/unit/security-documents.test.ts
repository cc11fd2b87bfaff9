import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const documents = ['SECURITY.md', 'docs/asvs.md'] as const;
const read = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Named {
  readonly path: string;
  readonly title: string;
}

const naming = /`(test\/[\w./-]+\.ts)` › (.+?)(?= ?<br>| \||$)/gm;
const namedIn = (within: string): Named[] =>
  Array.from(within.matchAll(naming), ([, path = '', title = '']) => ({
    path,
    title: title.trim(),
  }));
const asText = ({ path, title }: Named): string => `${path} › ${title}`;
const text = documents.map(read).join('\n');

/**
 * Whether the file has this whole title of a test or a group, or this name of an attack. A title
 * that is made of parts is found as in the source.
 */
function isThere({ path, title }: Named): boolean {
  const source = new URL(`../../${path}`, import.meta.url);
  const titled = new RegExp(String.raw`(?:\(|name:)\s*(['"\`])${RegExp.escape(title)}\1`);
  return existsSync(source) && titled.test(readFileSync(source, 'utf8'));
}

test.each(documents)('%s names tests', (path) => {
  expect(namedIn(read(path)).length).toBeGreaterThan(10);
});

test('each test that the security documents name exists', () => {
  expect(
    namedIn(text)
      .filter((one) => !isThere(one))
      .map(asText),
  ).toEqual([]);
});

/** The requirements of OWASP ASVS 4.0.3 up to level 2: how many a section begins with, or which. */
const requirements: Readonly<Record<string, number | readonly number[]>> = {
  '1.1': 7,
  '1.2': 4,
  '1.4': [1, 4, 5],
  '1.5': 4,
  '1.6': 4,
  '1.7': 2,
  '1.8': 2,
  '1.9': 2,
  '1.10': 1,
  '1.11': 2,
  '1.12': [2],
  '1.14': 6,
  '2.1': 12,
  '2.2': 3,
  '2.3': 3,
  '2.4': 5,
  '2.5': 7,
  '2.6': 3,
  '2.7': 6,
  '2.8': 7,
  '2.9': 3,
  '2.10': 4,
  '3.1': 1,
  '3.2': 4,
  '3.3': 4,
  '3.4': 5,
  '3.5': 3,
  '3.7': 1,
  '4.1': [1, 2, 3, 5],
  '4.2': 2,
  '4.3': 3,
  '5.1': 5,
  '5.2': 8,
  '5.3': 10,
  '5.4': 3,
  '5.5': 4,
  '6.1': 3,
  '6.2': 6,
  '6.3': 2,
  '6.4': 2,
  '7.1': 4,
  '7.2': 2,
  '7.3': [1, 3, 4],
  '7.4': 3,
  '8.1': 4,
  '8.2': 3,
  '8.3': 8,
  '9.1': 3,
  '9.2': 4,
  '10.2': 2,
  '10.3': 3,
  '11.1': 8,
  '12.1': 3,
  '12.2': 1,
  '12.3': 6,
  '12.4': 2,
  '12.5': 2,
  '12.6': 1,
  '13.1': [1, 3, 4, 5],
  '13.2': [1, 2, 3, 5, 6],
  '13.3': 2,
  '13.4': 2,
  '14.1': 4,
  '14.2': 6,
  '14.3': [2, 3],
  '14.4': 7,
  '14.5': 4,
};

/** `2.1.1`, `2.1.1–2.1.4`. */
function numbersIn(cell: string): string[] {
  return Array.from(cell.matchAll(/(\d+\.\d+)\.(\d+)(?:–\1\.(\d+))?/g)).flatMap(
    ([, section = '', first = '', last = first]) =>
      Array.from(
        { length: Number(last) - Number(first) + 1 },
        (_, index) => `${section}.${Number(first) + index}`,
      ),
  );
}

test('docs/asvs.md has each requirement of level 2 once', () => {
  const wanted = Object.entries(requirements).flatMap(([section, which]) =>
    (typeof which === 'number'
      ? Array.from({ length: which }, (_, index) => index + 1)
      : which
    ).map((number) => `${section}.${number}`),
  );
  const rows = text.split('\n').flatMap((line) => /^\| (\d[^|]*)\|/.exec(line)?.[1] ?? []);
  expect(rows.flatMap(numbersIn).toSorted()).toEqual(wanted.toSorted());
});
