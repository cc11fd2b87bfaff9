import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** One forbidden import for each room. */
const forbidden: readonly (readonly [file: string, line: string])[] = [
  ['main/payment/planted.ts', "import { readFileSync as planted } from 'node:fs';"],
  ['main/payment/planted2.ts', "import { systemClock as planted } from '../primitives/clock.ts';"],
  ['main/primitives/planted.ts', "import { decide as planted } from '../payment/decide.ts';"],
  ['main/journal/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/wallet/planted.ts', "import { decide as planted } from '../payment/decide.ts';"],
  ['main/wallet/point-of-sale/planted.ts', "import { Lane as planted } from '../../lane/lane.ts';"],
  ['main/till/planted.ts', "import { profileNamed as planted } from '../wallet/profile.ts';"],
  ['main/till/zvt/planted.ts', "import { Lane as planted } from '../../lane/lane.ts';"],
  ['main/hardware/planted.ts', "import { createZvtTill as planted } from '../till/zvt/till.ts';"],
  ['main/lane/planted.ts', "import { Transport as planted } from '../wallet/transport.ts';"],
  ['main/lane/planted2.ts', "import { openSqliteJournal as planted } from '../journal/sqlite-journal.ts';"],
  ['main/office/planted.ts', "import { Transport as planted } from '../wallet/transport.ts';"],
  ['main/reconciliation/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/screens/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/managers/planted.ts', "import { Transport as planted } from '../wallet/transport.ts';"],
  ['main/health/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/settings/planted.ts', "import { Transport as planted } from '../wallet/transport.ts';"],
  ['main/setup/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/simulator/planted.ts', "import { decide as planted } from '../payment/decide.ts';"],
  ['main/demo/planted.ts', "import { Lane as planted } from '../lane/lane.ts';"],
  ['main/certification/planted.ts', "import { createZvtTill as planted } from '../till/zvt/till.ts';"],
  ['main/certification/cases/planted.ts', "import { Lane as planted } from '../../lane/lane.ts';"],
  ['main/terminal/planted.ts', "import { app as planted } from 'electron';"],
  ['preload/questions/planted.ts', "import { decide as planted } from '../../main/payment/decide.ts';"],
  ['renderer/planted.ts', "import { decide as planted } from '../main/payment/decide.ts';"],
  ['renderer/design/table/planted.ts', "import { decide as planted } from '../../../main/payment/decide.ts';"],
  ['renderer/cashier/planted.ts', "import { decide as planted } from '../../main/payment/decide.ts';"],
];
const timed: readonly (readonly [file: string, line: string])[] = [
  ['main/lane/planted3.ts', 'setTimeout(() => {}, 1); export const planted = 1;'],
  ['main/till/zvt/planted3.ts', 'export const planted = Date.now();'],
  ['main/wallet/planted3.ts', 'export const planted = Math.random();'],
];

const all = [...forbidden.map(([file, line]) => [file, `${line}\nexport const used = planted;\n`] as const), ...timed];

/** Planted beside a copy of the rules, not among the sources. */
const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-layers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the linter bites at each forbidden import, and at each clock that is not the port', () => {
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
  for (const [file, text] of all) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'unix'], { cwd: folder, encoding: 'utf8' });
  const bitten = all.filter(([file]) => stdout.split('\n').some((line) => line.startsWith(file) && line.includes('no-restricted')));
  expect(bitten.map(([file]) => file)).toEqual(all.map(([file]) => file));
});
