import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appImageOf } from '../../../main/desktop/app-image.ts';
import { exits, supervised } from '../../../main/desktop/supervised.ts';
import { silentLog } from '../../../main/domain/log.ts';
import { launch } from '../../../main/updates/launch.ts';
import { restartCode } from '../../../main/updates/versions.ts';
import { ManualClock } from '../support/manual-clock.ts';

let folder: string;
let stop: AbortController;
let clock: ManualClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-supervised-'));
  stop = new AbortController();
  clock = new ManualClock();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const runs = (): number => readFileSync(at('ran'), 'utf8').length;
/** One that ends with each code in turn; what is no number ends it as a signal of that name. */
function app(...ends: readonly (number | string)[]): Promise<number> {
  writeFileSync(at('ran'), '');
  writeFileSync(
    at('app.cjs'),
    `const fs = require('fs'); const ends = ${JSON.stringify(ends)}; const run = fs.readFileSync(${JSON.stringify(at('ran'))}, 'utf8').length;
     if (!process.argv.includes('--supervised')) process.exit(99);
     fs.appendFileSync(${JSON.stringify(at('ran'))}, '.'); const end = ends[run];
     typeof end === 'number' ? process.exit(end) : process.kill(process.pid, end);`,
  );
  const shared = { heard: null, updates: at('updates'), stop: stop.signal, clock, log: silentLog };
  return launch({
    ...shared,
    program: supervised({ ...shared, command: [process.execPath, at('app.cjs')], putBack: null }),
    journal: at('journal.sqlite'),
    readyWithinMs: 1_000,
  });
}

test('who quits, or was told why it cannot start, is not started again', async () => {
  for (const code of [exits.wanted, exits.settingsAreWrong, exits.cannotStart]) expect([await app(code), runs()]).toEqual([code, 1]);
});

test.skipIf(process.platform === 'win32')('a crash, a signal and the wish to be started again are followed by another start', async () => {
  const code = app('SIGKILL', restartCode, exits.crashed, exits.wanted);
  const passing = setInterval(() => void clock.pass(1), 20);
  expect([await code, runs()]).toEqual([exits.wanted, 4]);
  clearInterval(passing);
});

test('three crashes in a minute are a loop: the next start waits half a minute, unless somebody stops it', async () => {
  const code = app(1, 1, 1, 1, 1);
  const passing = setInterval(() => void clock.pass(1), 20);
  await expect.poll(runs, { timeout: 10_000 }).toBe(3);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(runs()).toBe(3);
  await clock.pass(30_000);
  await expect.poll(runs, { timeout: 10_000 }).toBe(4);
  await new Promise((resolve) => setTimeout(resolve, 300));
  stop.abort();
  expect([await code, runs()]).toEqual([1, 4]);
  clearInterval(passing);
});

test('an AppImage is the one that this program is from', () => {
  const environment = { APPIMAGE: '/opt/Tillbeacon.AppImage', APPDIR: '/tmp/.mount_x' };
  expect(appImageOf(environment, '/tmp/.mount_x/tillbeacon')).toBe('/opt/Tillbeacon.AppImage');
  expect(appImageOf(environment, '/tmp/.mount_xy/tillbeacon')).toBeNull();
  expect(appImageOf(environment, '/usr/bin/tillbeacon')).toBeNull();
  expect(appImageOf({}, '/usr/bin/tillbeacon')).toBeNull();
});
