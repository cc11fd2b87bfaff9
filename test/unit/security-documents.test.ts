import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const documents = globSync('docs/security/*.md', { cwd: new URL('../../', import.meta.url) });
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
  expect(namedIn(read(path)).length).toBeGreaterThan(5);
});

test('SECURITY.md has at most 250 words', () => {
  expect(read('SECURITY.md').split(/\s+/).length).toBeLessThanOrEqual(250);
});

test('each test that the security documents name exists', () => {
  expect(
    namedIn(text)
      .filter((one) => !isThere(one))
      .map(asText),
  ).toEqual([]);
});

/** The requirements of OWASP ASVS 5.0.0 up to level 2: how many a section begins with, or which. */
const requirements: Readonly<Record<string, number | readonly number[]>> = {
  '1.1': 2,
  '1.2': 9,
  '1.3': 11,
  '1.4': 3,
  '1.5': 2,
  '2.1': 3,
  '2.2': 3,
  '2.3': 4,
  '2.4': 1,
  '3.2': 2,
  '3.3': 4,
  '3.4': 6,
  '3.5': 5,
  '3.7': 2,
  '4.1': 3,
  '4.2': 1,
  '4.3': 2,
  '4.4': 4,
  '5.1': 1,
  '5.2': 3,
  '5.3': 2,
  '5.4': 3,
  '6.1': 3,
  '6.2': 12,
  '6.3': 4,
  '6.4': 4,
  '6.5': 5,
  '6.6': 3,
  '6.8': 4,
  '7.1': 3,
  '7.2': 4,
  '7.3': 2,
  '7.4': 5,
  '7.5': 2,
  '7.6': 2,
  '8.1': 2,
  '8.2': 3,
  '8.3': 1,
  '8.4': 1,
  '9.1': 3,
  '9.2': 4,
  '10.1': 2,
  '10.2': 2,
  '10.3': 4,
  '10.4': 11,
  '10.5': 5,
  '10.6': 2,
  '10.7': 3,
  '11.1': 2,
  '11.2': 3,
  '11.3': 3,
  '11.4': 4,
  '11.5': 1,
  '11.6': 1,
  '12.1': 3,
  '12.2': 2,
  '12.3': 4,
  '13.1': 1,
  '13.2': 5,
  '13.3': 2,
  '13.4': 5,
  '14.1': 2,
  '14.2': 4,
  '14.3': 3,
  '15.1': 3,
  '15.2': 3,
  '15.3': 7,
  '16.1': 1,
  '16.2': 5,
  '16.3': 4,
  '16.4': 3,
  '16.5': 3,
  '17.1': 1,
  '17.2': 4,
  '17.3': 2,
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

test('docs/security/asvs.md has each requirement of level 2 once', () => {
  const wanted = Object.entries(requirements).flatMap(([section, which]) =>
    (typeof which === 'number'
      ? Array.from({ length: which }, (_, index) => index + 1)
      : which
    ).map((number) => `${section}.${number}`),
  );
  const rows = read('docs/security/asvs.md')
    .split('\n')
    .flatMap((line) => /^\| (\d[^|]*)\|/.exec(line)?.[1] ?? []);
  expect(rows.flatMap(numbersIn).toSorted()).toEqual(wanted.toSorted());
});
