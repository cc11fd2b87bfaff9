import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { areasOf, brokenDependencies } from '../../scripts/dependencies.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const areas: readonly { readonly folder: string }[] = areasOf(
  readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'),
);

/** An import that each area of the table must not have. */
const forbidden: Readonly<Record<string, string>> = {
  'main/domain': "import { planted } from '../journal/journal.ts';",
  'main/domain/settlement': "import { planted } from '../clock.ts';",
  'main/support': "import { planted } from '../settings/load.ts';",
  'main/settings': "import { planted } from '../wallet/port.ts';",
  'main/journal': "import { planted } from '../lane/lane.ts';",
  'main/wallet': "import { planted } from './v10/client.ts';",
  'main/wallet/http': "import { planted } from '../v10/point-of-sale/operations.ts';",
  'main/wallet/epayment': "import { planted } from '../v10/client.ts';",
  'main/wallet/v10': "import { planted } from '../../lane/lane.ts';",
  'main/wallet/callbacks': "import { planted } from '../../till/port.ts';",
  'main/till': "import { planted } from '../wallet/port.ts';",
  'main/till/concert': "import { planted } from '../zvt/till.ts';",
  'main/till/http': "import '../../lane/lane.ts';",
  'main/till/nexo': "import '../http/server.ts';",
  'main/manager/restored': "import '../../lane/lane.ts';",
  'main/updates': "import { planted } from '../lane/lane.ts';",
  'main/backup': "import { planted } from '../lane/lane.ts';",
  'main/manager/backup': "import { planted } from '../../journal/journal.ts';",
  'main/manager/till-tokens': "import '../../journal/journal.ts';",
  'main/till/zvt': "import { planted } from '../../lane/lane.ts';",
  'main/devices': "import { planted } from '../till/zvt/till.ts';",
  'main/lane': "import { planted } from '../journal/sqlite-journal.ts';",
  'main/server': "import { planted } from '../lane/lane.ts';",
  'main/manager/day': "import { planted } from '../../wallet/http/transport.ts';",
  'main/manager/refunds': "import { planted } from '../../wallet/http/transport.ts';",
  'main/manager/reservations': "import { planted } from '../../wallet/http/transport.ts';",
  'main/manager/people': "import { planted } from '../../lane/lane.ts';",
  'main/manager/health': "import { planted } from '../../lane/lane.ts';",
  'main/manager/reconciliation': "import { planted } from '../../lane/lane.ts';",
  'main/setup': "import { planted } from '../lane/lane.ts';",
  'main/callbacks': "import '../journal/reader.ts';",
  'main/sandbox/simulator': "import { planted } from '../../lane/lane.ts';",
  'main/sandbox/demo': "import type { planted } from '../../lane/lane.ts';",
  'main/sandbox/till': "import '../../wallet/port.ts';",
  'main/sandbox/certification': "export { planted } from '../../till/zvt/till.ts';",
  'main/wire': "import { planted } from '../lane/lane.ts';",
  'main/library': "import { planted } from '../lane/lane.ts';",
  'main/monitoring': "import { planted } from '../lane/lane.ts';",
  'main/boot': "import { planted } from '../app/application.ts';",
  'main/app': "import { planted } from 'electron';",
  'main/desktop': "const planted = await import('../lane/lane.ts');",
  main: "import { planted } from './lane/lane.ts';",
  preload: "import { planted } from '../main/domain/money.ts';",
  'preload/procedures': "import { planted } from '../../main/domain/settlement/decide.ts';",
  renderer: "import { planted } from '../main/domain/settlement/decide.ts';",
  'renderer/ui': "import { planted } from '../cashier/cashier.ts';",
  'renderer/locales': "import { planted } from 'lit';",
  'renderer/cashier': "import { planted } from 'node:fs';",
  'renderer/customer': "import { planted } from '../cashier/cashier.ts';",
  'renderer/manager': "import { planted } from '../../main/domain/settlement/decide.ts';",
  'renderer/setup': "import { planted } from '../manager/refunds/refunds-page.ts';",
  'renderer/demo': "import { planted } from '../setup/setup.ts';",
  'renderer/home': "import { planted } from '../../preload/procedures.ts';",
};

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

test('a forbidden import is found in each area of the table', () => {
  for (const [area, line] of Object.entries(forbidden)) plant(`${area}/planted.ts`, line);
  const broken: string[] = brokenDependencies(folder, areas);
  expect(
    areas
      .map((area) => area.folder)
      .filter((area) => !broken.some((line) => line.startsWith(`${area}/planted.ts imports `))),
  ).toEqual([]);
});

test('what the table allows is not complained of', () => {
  plant(
    'main/lane/lane.ts',
    "import { money } from '../domain/money.ts';\nimport type { Till } from '../till/port.ts';\nimport './snapshot.ts';",
  );
  expect(brokenDependencies(folder, areas)).toEqual([]);
});

test('a circle is found, of types too', () => {
  plant('main/lane/a.ts', "import type { B } from './b.ts';\nexport type A = B;");
  plant('main/lane/b.ts', "export type { A as B } from './a.ts';");
  expect(brokenDependencies(folder, areas)).toEqual([
    'circle: main/lane/a.ts → main/lane/b.ts → main/lane/a.ts',
  ]);
});

test('a file outside of all areas is complained of', () => {
  plant('main/elsewhere/file.ts', "import 'node:fs';");
  expect(
    brokenDependencies(
      folder,
      areas.filter((area) => area.folder !== 'main'),
    ),
  ).toEqual(['main/elsewhere/file.ts lies in no area of the table']);
});

test('the linter finds each clock and each chance that is not a port', () => {
  const timed: readonly (readonly [file: string, line: string])[] = [
    ['main/domain/settlement/planted.ts', 'setTimeout(() => {}, 1); export const planted = 1;'],
    ['main/journal/planted.ts', 'export const planted = Date.now();'],
    ['main/lane/planted.ts', 'export const planted = performance.now();'],
    ['main/manager/day/planted.ts', 'export const planted = Date.now();'],
    ['main/setup/planted.ts', 'setInterval(() => {}, 1); export const planted = 1;'],
    ['main/till/zvt/planted.ts', 'export const planted = Date.now();'],
    ['main/wallet/http/planted.ts', 'export const planted = Math.random();'],
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
