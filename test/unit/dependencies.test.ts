import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { brokenDependencies, readAreas, upwardImports } from '../../scripts/dependencies.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
interface Area {
  readonly folder: string;
  readonly imports: readonly string[];
}
const { areas, layers }: { readonly areas: readonly Area[]; readonly layers: readonly string[][] } =
  readAreas();

/** A file of each area that this area may not import. */
const forbidden = ({ folder: own, imports }: Area): string[] =>
  areas
    .map(({ folder }) => `${folder}/planted.ts`)
    .filter(
      (file) =>
        !file.startsWith(`${own}/`) && !imports.some((allowed) => file.startsWith(`${allowed}/`)),
    );

/** Wrong imports are written here, outside the sources. */
let folder: string;
const plant = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-dependencies-'));
  for (const top of ['main', 'preload', 'renderer']) mkdirSync(join(folder, top));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each(areas)('finds every import that $folder must not have', (area) => {
  const file = `${area.folder}/importer.ts`;
  const targets = forbidden(area);
  const lines = targets.map(
    (target) => `import '${posix.relative(area.folder, `./${target}`).replace(/^(?!\.)/, './')}';`,
  );
  plant(file, [...lines, "import 'left-pad';"].join('\n'));
  expect(targets.length).toBeGreaterThan(0);
  expect(brokenDependencies(folder, areas)).toEqual([
    ...targets.map((target) => `${file} imports ${target}: \`${area.folder}\` may not`),
    `${file} imports the package left-pad: \`${area.folder}\` may not`,
  ]);
});

test('no area may import a higher one, or one beside it', () => {
  expect(upwardImports({ layers, areas })).toEqual([]);
  const planted = ['main/counter/app', 'main/wallets/v10'].map((path) => ({
    folder: 'main/tills/zvt',
    imports: [path],
    packages: [],
  }));
  expect(upwardImports({ layers, areas: planted })).toEqual([
    expect.stringContaining('`main/tills/zvt` may import main/counter/app, which is not below it'),
    expect.stringContaining('`main/tills/zvt` may import main/wallets/v10'),
  ]);
});

test('accepts what an area may import', () => {
  plant(
    'main/core/lane/lane.ts',
    "import { money } from '../domain/money.ts';\nimport type { Till } from './till-port.ts';\nimport './snapshot.ts';",
  );
  expect(brokenDependencies(folder, areas)).toEqual([]);
});

test('finds a circle, of types too', () => {
  plant('main/core/lane/a.ts', "import type { B } from './b.ts';\nexport type A = B;");
  plant('main/core/lane/b.ts', "export type { A as B } from './a.ts';");
  expect(brokenDependencies(folder, areas)).toEqual([
    'circle: main/core/lane/a.ts → main/core/lane/b.ts → main/core/lane/a.ts',
  ]);
});

test('finds a file outside of all areas', () => {
  plant('main/elsewhere/file.ts', "import 'node:fs';");
  expect(
    brokenDependencies(
      folder,
      areas.filter((area) => area.folder !== 'main'),
    ),
  ).toEqual(['main/elsewhere/file.ts lies in no area of scripts/areas.json']);
});

test('the linter finds each clock and each chance that is not a port', () => {
  const timed: readonly (readonly [file: string, line: string])[] = [
    ['main/core/settlement/planted.ts', 'setTimeout(() => {}, 1); export const planted = 1;'],
    ['main/core/journal/planted.ts', 'export const planted = Date.now();'],
    ['main/core/lane/planted.ts', 'export const planted = performance.now();'],
    ['main/counter/manager/day/planted.ts', 'export const planted = Date.now();'],
    ['main/counter/setup/planted.ts', 'setInterval(() => {}, 1); export const planted = 1;'],
    ['main/tills/zvt/planted.ts', 'export const planted = Date.now();'],
    ['main/wallets/http/planted.ts', 'export const planted = Math.random();'],
  ];
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [file, line] of timed) plant(file, line);
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const found = timed.filter(([file]) =>
    stdout.split('\n').some((line) => line.startsWith(file) && line.includes('no-restricted')),
  );
  expect(found.map(([file]) => file)).toEqual(timed.map(([file]) => file));
});
