/**
 * Checks that what the documents print works, and that the files that they name exist. The
 * developers' programs run in test/service/library.test.ts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../main/counter/settings/load.ts';

const root = join(import.meta.dirname, '../..');
const documents = [...globSync('{*,docs/**/*}.md', { cwd: root }), 'assets/locales/README.md'];
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const { scripts, version } = JSON.parse(textOf('package.json')) as {
  scripts: Record<string, string>;
  version: string;
};

/** The anchors that GitHub makes. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

describe.each(documents)('%s', (path) => {
  const text = textOf(path);

  test('leads to what is there', () => {
    const missing = [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].filter(
      ([, file = '', anchor]) => {
        const target = file === '' ? path : join(dirname(path), file);
        return (
          !existsSync(join(root, target)) ||
          (anchor !== undefined && !anchorsOf(textOf(target)).includes(anchor))
        );
      },
    );
    expect(missing.map(([link]) => link)).toEqual([]);
  });

  test('names files that there are', () => {
    const named = [
      ...text.matchAll(/`((?:main|preload|renderer|scripts|test|assets|docs)\/[^`\s]+)`/g),
    ].map(([, name = '']) => name);
    // Names such as INTERFACE and <locale> are placeholders.
    expect(
      named.filter(
        (name) =>
          globSync(name.replaceAll(/<\w+>|\b[A-Z]+(?=[/-]|\.ts$)/g, '*'), { cwd: root }).length ===
          0,
      ),
    ).toEqual([]);
  });

  test('names commands that there are', () => {
    const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });
});

test('the settings that are printed are settings', () => {
  const [json = ''] = [...textOf('docs/configure.md').matchAll(/```json\n([^]*?)```/g)].map(
    ([, block]) => block,
  );
  const { lanes } = parseSettings(JSON.parse(json), { WALLET_SECRET: 'a-secret' });
  expect(lanes.map(({ id }) => id)).toEqual(['1']);
});

test('package.json, package-lock.json and CHANGELOG.md agree on the version', () => {
  const lock = JSON.parse(textOf('package-lock.json')) as {
    version: string;
    packages: Record<string, { version: string }>;
  };
  const [, released = ''] =
    /^## (\d+\.\d+\.\d+) – \d{4}-\d{2}-\d{2}$/m.exec(textOf('CHANGELOG.md')) ?? [];
  expect([lock.version, lock.packages['']?.version, released]).toEqual([version, version, version]);
});

test('documents name packages of this version', () => {
  const named = documents.flatMap((path) =>
    [...textOf(path).matchAll(/tillbeacon[_-](\d+\.\d+\.\d+)/g)].map(([, number]) => number),
  );
  expect(new Set(named)).toEqual(new Set([version]));
});

test('each entry of the changelog is one line', () => {
  const [, entries = ''] = textOf('CHANGELOG.md').split('\n## Unreleased\n');
  expect(
    entries.split('\n').filter((line) => !/^(?:$|- |#|Each of these|[A-Z][\w ,]+:$)/.test(line)),
  ).toEqual([]);
});

test('each step of a recipe in CONTRIBUTING.md names a file or a command', () => {
  const [, recipes = ''] = textOf('CONTRIBUTING.md').split('\n## Where what goes\n');
  const steps =
    recipes
      .split('\n## ')[0]
      ?.split('\n')
      .filter((line) => /^\d+\. /.test(line)) ?? [];
  expect(steps.length).toBeGreaterThan(40);
  expect(steps.filter((step) => !/`(?:[\w-]+\/|npm run |node )/.test(step))).toEqual([]);
});
