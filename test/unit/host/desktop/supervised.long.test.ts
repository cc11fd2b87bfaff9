import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { appImageOf } from '../../../../main/host/desktop/app-image.ts';
import { exits, supervised } from '../../../../main/host/desktop/supervised.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { launch, type Program } from '../../../../main/host/updates/launch.ts';
import { previousAppImage } from '../../../../main/host/desktop/previous-app-image.ts';
import {
  type Current,
  readCurrent,
  restartCode,
  writeCurrent,
} from '../../../../main/host/updates/versions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

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
/** An app that ends with each code in turn, or by the signal of that name. */
const app = (...ends: readonly (number | string)[]): Promise<number> => appWith(null, ...ends);
function appWith(
  putBack: Program['putBack'],
  ...ends: readonly (number | string)[]
): Promise<number> {
  writeFileSync(at('ran'), '');
  writeFileSync(
    at('app.cjs'),
    `const fs = require('fs'); const ends = ${JSON.stringify(ends)}; const run = fs.readFileSync(${JSON.stringify(at('ran'))}, 'utf8').length;
     if (!process.argv.includes('--supervised')) process.exit(99);
     fs.appendFileSync(${JSON.stringify(at('ran'))}, '.'); const end = ends[run];
     typeof end === 'number' ? process.exit(end) : process.kill(process.pid, end);`,
  );
  const shared = {
    relayText: null,
    updates: at('updates'),
    stop: stop.signal,
    clock,
    log: silentLog,
  };
  return launch({
    ...shared,
    program: supervised({ ...shared, command: [process.execPath, at('app.cjs')], putBack }),
    journal: at('journal.sqlite'),
    settings: at('settings.json'),
    readyWithinMs: 1_000,
  });
}

test('who quits, or was told why it cannot start, is not started again', async () => {
  for (const code of [exits.wanted, exits.settingsAreWrong, exits.cannotStart])
    expect([await app(code), runs()]).toEqual([code, 1]);
});

test.skipIf(process.platform === 'win32')(
  'a crash, a signal and the wish to be started again are followed by another start',
  async () => {
    const code = app('SIGKILL', restartCode, exits.crashed, exits.wanted);
    const passing = setInterval(() => void clock.pass(1), 20);
    expect([await code, runs()]).toEqual([exits.wanted, 4]);
    clearInterval(passing);
  },
);

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

const trying: Current = {
  version: '1.1.0',
  state: 'trying',
  starts: 0,
  previous: null,
  journalLayout: 7,
  failed: [],
  stuck: null,
};

test('where an installer puts the one before back, the supervisor ends for it, and the version is noted', async () => {
  mkdirSync(at('updates'), { mode: 0o700 });
  writeCurrent(at('updates'), trying);
  expect([await appWith(() => 'byInstaller', exits.crashed, exits.crashed), runs()]).toEqual([
    0, 1,
  ]);
  const failed = [{ version: '1.1.0', why: 'it ended with 1 before it was ready' }];
  expect(readCurrent(at('updates'))).toMatchObject({
    version: null,
    state: 'good',
    failed,
    stuck: null,
  });
});

test('a demonstration says nothing about a version that is tried', async () => {
  mkdirSync(at('updates'), { mode: 0o700 });
  writeCurrent(at('updates'), trying);
  const shared = {
    relayText: null,
    updates: at('updates'),
    stop: stop.signal,
    clock,
    log: silentLog,
  };
  const program = supervised({
    ...shared,
    command: [process.execPath, '-e', `process.exit(${exits.cannotStart})`, '--', '--demo'],
    putBack: () => 'inPlace',
  });
  expect(
    await launch({
      ...shared,
      program,
      journal: at('journal.sqlite'),
      settings: at('settings.json'),
      readyWithinMs: 1_000,
    }),
  ).toBe(exits.cannotStart);
  expect(readCurrent(at('updates'))).toEqual(trying);
});

test.skipIf(process.platform === 'win32')(
  'a tried version goes on where the one before cannot be put back, and that is said; otherwise it is put back whole',
  async () => {
    mkdirSync(at('updates'), { mode: 0o700 });
    mkdirSync(at('bin'));
    const image = join(at('bin'), 'Tillbeacon.AppImage');
    const run = (): Promise<number> => {
      writeFileSync(image, '#!/bin/sh\nexit 3\n', { mode: 0o755 });
      writeCurrent(at('updates'), trying);
      const shared = {
        relayText: null,
        updates: at('updates'),
        stop: stop.signal,
        clock,
        log: silentLog,
      };
      const program = supervised({
        ...shared,
        command: [image],
        putBack: () => previousAppImage(at('updates')).putBack(image),
      });
      return launch({
        ...shared,
        program,
        journal: at('journal.sqlite'),
        settings: at('settings.json'),
        readyWithinMs: 60_000,
      });
    };
    // No copy was kept.
    expect(await run()).toBe(3);
    expect(readCurrent(at('updates'))).toMatchObject({
      version: '1.1.0',
      state: 'trying',
      stuck: expect.stringContaining('ENOENT'),
    });

    writeFileSync(at('before'), '#!/bin/sh\nexit 2\n');
    previousAppImage(at('updates')).keep(at('before'));
    if (process.getuid?.() === 0) {
      chmodSync(join(at('updates'), 'before.AppImage'), 0o777);
      expect(await run()).toBe(3);
      expect(readCurrent(at('updates')).stuck).toContain('another user could have changed it');
      chmodSync(join(at('updates'), 'before.AppImage'), 0o755);
    }
    expect(await run()).toBe(2);
    expect(readCurrent(at('updates'))).toMatchObject({
      version: null,
      state: 'good',
      failed: [{ version: '1.1.0', why: 'it ended with 3 before it was ready' }],
      stuck: null,
    });
  },
);

test('an AppImage is the one that this program is from', () => {
  const environment = { APPIMAGE: '/opt/Tillbeacon.AppImage', APPDIR: '/tmp/.mount_x' };
  expect(appImageOf(environment, '/tmp/.mount_x/tillbeacon')).toBe('/opt/Tillbeacon.AppImage');
  expect(appImageOf(environment, '/tmp/.mount_xy/tillbeacon')).toBeNull();
  expect(appImageOf(environment, '/usr/bin/tillbeacon')).toBeNull();
  expect(appImageOf({}, '/usr/bin/tillbeacon')).toBeNull();
});
