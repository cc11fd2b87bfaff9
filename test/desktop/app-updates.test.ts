/**
 * The app's own updates, by electron-updater itself over the stand-in: an AppImage is replaced,
 * watched, and taken back.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { languageNames, languages, locales } from '../../main/core/domain/languages.ts';
import { autostart } from '../../main/host/desktop/autostart.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { readCurrent, writeCurrent } from '../../main/host/updates/versions.ts';
import { AppFeed, newKey } from '../support/app-feed.ts';
import { makeFirstManager } from '../support/first-manager.ts';
import { freePort } from '../support/free-port.ts';
import { isLong } from '../support/long.ts';
import { ada, signIn } from '../support/manager.ts';
import { appImageOf, linkPackages } from '../support/newer-version.ts';
import {
  cutPower,
  type DaemonReady,
  Product,
  type SimulatorReady,
  until,
} from '../support/processes.ts';
import { Desktop, settingsFor, useStandIn } from './desktop-app.ts';

const token = 'a'.repeat(40);

let folder: string;
let metricsPort: number;
let feed: AppFeed;
let service: Product;
let desktop: Desktop;
const at = (...names: readonly string[]): string => join(folder, ...names);
const installed = (): string => at('bin', 'Tillbeacon.AppImage');

/** Starts the app as its user would. */
async function start(
  readyWithinMs: number,
  args = ['--settings', at('counter.json')],
  program = installed(),
): Promise<void> {
  const env = {
    STANDIN_RESOURCES: at('resources'),
    XDG_CACHE_HOME: at('cache'),
    TILLBEACON_READY_WITHIN_MS: String(readyWithinMs),
    TILLBEACON_LOG: 'debug',
  };
  desktop = await Desktop.start(args, at('user'), env, program);
}
const said = (words: string, times = 1): Promise<void> =>
  until(() => desktop.stderr.split(words).length > times, `the app to say ${words}`, 100_000);
const metrics = async (): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.text();
};
const current = (): ReturnType<typeof readCurrent> => readCurrent(at('user', 'updates'));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-app-updates-'));
  for (const name of ['bin', 'resources', 'user']) mkdirSync(at(name));
  linkPackages(folder);
  writeFileSync(
    at('resources', 'app-update.yml'),
    'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: tillbeacon-updater\n',
  );
  feed = await AppFeed.start(folder);
  service = new Product('simulator', ['--port', '0']);
  const { settings } = await settingsFor(service, 'desktop-10');
  metricsPort = await freePort();
  writeFileSync(
    at('counter.json'),
    JSON.stringify({
      ...settings,
      updates: feed.settings,
      monitoring: { metrics: { host: '127.0.0.1', port: metricsPort, token } },
    }),
  );
});
afterEach(async () => {
  await desktop.end();
  await service.end();
  await feed.close();
  rmSync(folder, { recursive: true, force: true });
});

test.runIf(isLong)(
  'what is signed by somebody else or has changed on its way is refused; an open payment holds a newer version back, which is started then, and a broken one taken back',
  async () => {
    copyFileSync(appImageOf(folder, '0.1.0', useStandIn, { asksEach: true }), installed());
    const second = appImageOf(folder, '0.2.0', useStandIn, { asksEach: true });
    feed.offer(second, '0.2.0', { by: newKey() });
    await start(60_000);
    await said('the feed is not signed by the key of the settings');
    expect(await metrics()).toContain('tillbeacon_update_failed 1');
    feed.offer(second, '0.2.0', { content: Buffer.from('#!/bin/sh\n') });
    await said('sha512 checksum mismatch');
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.1.0');
    expect(existsSync(at('user', 'updates', 'current.json'))).toBe(false);

    // One that is right, while a payment is under way: it looks twice a second.
    const till = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(/"till":"[^"]*:(\d+)"/.exec(desktop.stderr)?.[1]),
    });
    await till.register({ currency: 'DKK', config: 0 });
    till.pay(500, 'DKK').catch(() => {});
    const cashier = await desktop.window('cashier');
    await cashier.locator('[data-state="waitingForCustomer"]').waitFor();
    feed.asked = 0;
    feed.offer(second, '0.2.0');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(feed.asked).toBe(0);
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.1.0');
    await cashier.getByTestId('cancel').click();
    await till.close();
    await said('"msg":"the newer version is ready"');
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.2.0');
    expect(statSync(installed()).mode & 0o777).toBe(0o755);
    expect(current()).toMatchObject({ version: '0.2.0', state: 'good', failed: [] });
    expect(await metrics()).toMatch(/tillbeacon_info\{version="0\.2\.0"/);
    await desktop.end();

    feed.offer(appImageOf(folder, '0.3.0', useStandIn, { broken: true }), '0.3.0');
    await start(4_000);
    await said('the newer version is taken back: the one before is started again');
    await said('"msg":"ready"', 2);
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.2.0');
    expect(current()).toMatchObject({
      version: null,
      state: 'good',
      failed: [{ version: '0.3.0', times: 1, why: 'it was not ready within 4 s' }],
    });
    // No half-written file is left.
    expect(readdirSync(at('bin'))).toEqual(['Tillbeacon.AppImage']);
  },
);

test.runIf(isLong)(
  'a version that cannot start is taken back, and so is one on trial when the power fails, also by the sign-in where it cannot start',
  async () => {
    copyFileSync(appImageOf(folder, '0.1.0', useStandIn), installed());
    feed.offer(appImageOf(folder, '0.2.0', useStandIn, { cannotStart: true }), '0.2.0');
    await start(60_000);
    await said('the newer version is taken back: the one before is started again');
    await said('"msg":"ready"', 2);
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.1.0');
    expect(current()).toMatchObject({
      version: null,
      failed: [{ version: '0.2.0', times: 1, why: 'it ended with 1 before it was ready' }],
    });
    await desktop.end();

    const isTried = (version: string) => (): boolean =>
      current().version === version && current().starts === 1;
    feed.offer(appImageOf(folder, '0.3.0', useStandIn, { broken: true }), '0.3.0');
    await start(60_000);
    await until(isTried('0.3.0'), 'the newer version to be tried', 100_000);
    // A copy of the settings in use, not of the file that was imported.
    expect(readFileSync(at('user', 'data', 'settings.before-update.json'))).toEqual(
      readFileSync(at('user', 'data', 'settings.json')),
    );
    await cutPower(desktop);
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.3.0');
    await start(60_000);
    await said('"msg":"ready"');
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.1.0');
    expect(current()).toMatchObject({ version: null, state: 'good' });
    expect(current().failed[1]).toMatchObject({
      version: '0.3.0',
      times: 1,
      why: 'it was ended before it was ready',
    });
    await desktop.end();

    // Its own supervisor cannot take it back: what starts it when somebody signs in does.
    const entry = at('user', 'config', 'autostart', 'tillbeacon.desktop');
    const environment = {
      XDG_CONFIG_HOME: at('user', 'config'),
      APPIMAGE: installed(),
      APPDIR: '/mounted',
    };
    const app = { isPackaged: true } as never;
    autostart({
      app,
      platform: 'linux',
      environment,
      program: '/mounted/tillbeacon',
      args: [],
      updates: at('user', 'updates'),
    }).set(true);
    const exec =
      /^Exec=(.*)$/m.exec(readFileSync(entry, 'utf8'))?.[1]?.replaceAll('\\\\', '\\') ?? '';
    copyFileSync(installed(), at('user', 'updates', 'before.AppImage'));
    copyFileSync(appImageOf(folder, '0.4.0', useStandIn, { cannotStart: true }), installed());
    writeCurrent(at('user', 'updates'), {
      ...current(),
      version: '0.4.0',
      state: 'trying',
      starts: 1,
    });
    writeFileSync(at('sign-in.AppImage'), `#!/bin/sh\nexec ${exec}\n`, { mode: 0o755 });
    await start(60_000, [], at('sign-in.AppImage'));
    await said('the newer version is taken back: the one before is started again');
    await until(
      () => readFileSync(installed(), 'utf8').includes('tree-0.1.0'),
      'the version before to be in place',
    );
    expect(current().failed[2]).toMatchObject({
      version: '0.4.0',
      times: 1,
      why: 'it was not installed, or did not begin',
    });
  },
);

test.runIf(isLong)(
  'beside a daemon it is updated when nothing is under way there, and leaves the daemon and its journal alone',
  async () => {
    const data = at('user', 'data');
    mkdirSync(data, { mode: 0o700 });
    writeFileSync(join(data, 'settings.json'), readFileSync(at('counter.json')), { mode: 0o600 });
    const daemon = new Product('daemon', ['--data', data]);
    const { lanes } = await daemon.ready<DaemonReady>();
    const { baseUrl } = await service.ready<SimulatorReady>();
    const payment = async (): Promise<string | undefined> =>
      (
        (await (await fetch(`${baseUrl}/simulator/state`)).json()) as {
          payments: { status: string }[];
        }
      ).payments.at(-1)?.status;
    const till = await Register.overTcp({
      host: '127.0.0.1',
      port: Number(lanes[0]?.till.split(':').at(-1)),
    });
    await till.register({ currency: 'DKK', config: 0 });
    till.pay(500, 'DKK').catch(() => {});
    await until(async () => (await payment()) === 'Initiated', 'the payment to be under way');

    copyFileSync(appImageOf(folder, '0.1.0', useStandIn, { asksEach: true }), installed());
    await start(60_000, []);
    const cashier = await desktop.window('cashier');
    await cashier.locator('[data-state="waitingForCustomer"]').waitFor();
    feed.offer(appImageOf(folder, '0.2.0', useStandIn, { asksEach: true }), '0.2.0');
    // The app looks twice a second.
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(feed.asked).toBe(0);
    await cashier.getByTestId('cancel').click();
    await said('"msg":"the newer version is ready"');
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.2.0');
    expect(current()).toMatchObject({
      version: '0.2.0',
      state: 'good',
      failed: [],
      screensOnly: true,
    });

    feed.offer(appImageOf(folder, '0.3.0', useStandIn, { broken: true }), '0.3.0');
    await desktop.end();
    await start(4_000, []);
    await said('the newer version is taken back: the one before is started again');
    await said('"msg":"ready"', 2);
    await (await desktop.window('cashier'))
      .locator('[data-state]:not([data-state="disconnected"])')
      .waitFor();
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.2.0');
    expect(current()).toMatchObject({
      version: null,
      failed: [{ version: '0.3.0', why: 'it was not ready within 4 s' }],
    });
    expect(daemon.child.exitCode).toBeNull();
    expect(existsSync(join(data, 'journal.before-update.sqlite'))).toBe(false);
    await till.close();
    await daemon.end();
  },
);

test.runIf(isLong)(
  'Health tells a manager of each step, in every language: waiting, installed, taken back',
  async () => {
    await makeFirstManager(at('user', 'data'), ada);
    const { updates, ...settings } = JSON.parse(readFileSync(at('counter.json'), 'utf8')) as {
      updates: object;
    };
    const write = (more: object): void =>
      writeFileSync(
        at('counter.json'),
        JSON.stringify({ ...settings, updates: { ...updates, ...more } }),
      );
    const row = async (code: 'waiting' | 'upToDate' | 'takenBack'): Promise<Page> => {
      const page = await desktop.window('cashier');
      await page.getByTestId('to-manager').click();
      await signIn(page);
      await page.evaluate(() => void (location.hash = 'health'));
      for (const language of languages) {
        const [locale, name] = [locales[language], languageNames[language]];
        await page.getByTestId('language').click();
        await page.getByRole('menuitemradio', { name }).click();
        const { health } = JSON.parse(
          readFileSync(`assets/locales/${locale}/manager.json`, 'utf8'),
        ) as {
          health: { update: Record<string, { what: string; next: string }> };
        };
        const words = await page.getByTestId('health-update').innerText();
        expect(words, locale).toContain(health.update[code]?.what);
        expect(words, locale).toContain(health.update[code]?.next);
      }
      return page;
    };

    // Open around the clock.
    write({ openingHours: { from: '00:00', until: '23:59' } });
    copyFileSync(appImageOf(folder, '0.1.0', useStandIn, { asksEach: true }), installed());
    feed.offer(appImageOf(folder, '0.2.0', useStandIn, { asksEach: true }), '0.2.0');
    await start(60_000);
    await said('a newer version is there');
    const waiting = await row('waiting');
    expect(await waiting.getByTestId('health-update').innerText()).toContain('0.2.0');
    await desktop.end();
    expect(readFileSync(installed(), 'utf8')).toContain('tree-0.1.0');

    write({});
    await start(60_000);
    await said('"msg":"the newer version is ready"');
    await said('"msg":"ready"', 2);
    await row('upToDate');
    await desktop.end();

    feed.offer(appImageOf(folder, '0.3.0', useStandIn, { broken: true }), '0.3.0');
    await start(4_000);
    await said('the newer version is taken back');
    await said('"msg":"ready"', 2);
    const page = await row('takenBack');
    const told = await page.getByTestId('health-update').innerText();
    for (const words of ['0.3.0', 'it was not ready within 4 s']) expect(told).toContain(words);
  },
);
