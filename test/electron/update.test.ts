/**
 * The update of an installed AppImage, from a feed of this machine; over the stand-in with
 * `npm run test:long`. Of an installed app it takes two minutes.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readCurrent } from '../../main/host/updates/versions.ts';
import { settingsFor, useStandIn } from '../desktop/desktop-app.ts';
import { AppFeed } from '../support/app-feed.ts';
import { appImageOf, linkPackages } from '../support/newer-version.ts';
import { Product, until } from '../support/processes.ts';
import { isReal, startAppImage } from './running-app.ts';

const { TILLBEACON_APP_IMAGE: packed } = process.env;
if (isReal && packed === undefined)
  process.stdout.write(
    '*** SKIPPED: the update of an AppImage was NOT tested: name one with --app-image. ***\n',
  );

test.runIf(!isReal || packed !== undefined)(
  'a newer version is brought from its feed and put in place, and taken back because it does not begin',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-electron-update-'));
    const at = (...names: readonly string[]): string => join(folder, ...names);
    for (const name of ['bin', 'resources', 'user']) mkdirSync(at(name));
    // Packages and the file that packing adds, where no packing has.
    linkPackages(folder);
    writeFileSync(
      at('resources', 'app-update.yml'),
      'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: tillbeacon-updater\n',
    );
    const installed = at('bin', 'Tillbeacon.AppImage');
    copyFileSync(packed ?? appImageOf(folder, '0.1.0', useStandIn, { asksEach: true }), installed);
    const before = readFileSync(installed);
    const newer = at('Tillbeacon-9.0.0.AppImage');
    writeFileSync(newer, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 });
    const feed = await AppFeed.start(folder);
    feed.offer(newer, '9.0.0');
    const service = new Product('simulator', ['--port', '0']);
    const { settings } = await settingsFor(service, 'desktop-11');
    writeFileSync(at('counter.json'), JSON.stringify({ ...settings, updates: feed.settings }));

    const env = {
      STANDIN_RESOURCES: at('resources'),
      XDG_CACHE_HOME: at('cache'),
      TILLBEACON_READY_WITHIN_MS: '4000',
    };
    const app = await startAppImage(installed, ['--settings', at('counter.json')], at('user'), env);
    onTestFinished(async () => {
      await app.end();
      await service.end();
      await feed.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const untilLogged = (words: string, times = 1): Promise<void> =>
      until(() => app.stderr.split(words).length > times, `the app to say ${words}`, 300_000);
    await untilLogged('starting a newer version');
    await until(
      () => readFileSync(installed).equals(readFileSync(newer)),
      'the newer version to be in place',
    );
    await untilLogged('rolled back the newer version: starting the previous one again');
    await untilLogged('"msg":"ready"', 2);
    expect(readFileSync(installed).equals(before)).toBe(true);
    expect(readCurrent(at('user', 'updates'))).toMatchObject({
      state: 'good',
      failed: [{ version: '9.0.0', why: 'it was not ready within 4 s' }],
    });
  },
  400_000,
);
