import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { restartCode } from '../../main/host/updates/versions.ts';
import { callMessage } from '../support/contract-client.ts';
import { makeFirstManager } from '../support/first-manager.ts';
import { isLong } from '../support/long.ts';
import { ada, signIn } from '../support/manager.ts';
import { type DaemonReady, Product, until } from '../support/processes.ts';
import { appOfTest } from './app-of-test.ts';
import { settingsFor } from './desktop-app.ts';

const own = appOfTest();
const { start } = own;

/** @returns no target when the file was closed meanwhile */
function targetOf(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}

describe('the app on a counter (over the stand-in)', () => {
  test('in kiosk mode no key closes it: a manager leads out of it, and quits', async () => {
    const service = new Product('simulator', ['--port', '0']);
    const file = join(own.userData, 'counter.json');
    writeFileSync(file, JSON.stringify((await settingsFor(service, 'desktop-3')).settings));
    await makeFirstManager(join(own.userData, 'data'), ada);
    const app = await start(['--settings', file], { STANDIN_PACKAGED: '1' });
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    expect(await app.control('windows')).toMatchObject([
      { isKiosk: true, isShown: true, isMuted: false, zoom: 1 },
    ]);
    await until(
      async () => JSON.stringify(await app.control('tray')).includes('Payments can be taken'),
      'the tray to say so',
    );
    expect(await app.control('tray')).toEqual({
      tip: 'Tillbeacon\nPayments can be taken',
      menu: ['Payments can be taken', 'Show the screens'],
    });

    await app.control('close', '/cashier/');
    await app.says('keys that close a window are ignored in kiosk mode');
    for (const key of [
      { key: 'F11' },
      { key: 'w', control: true },
      { key: 'q', meta: true },
      { key: 'F12' },
    ])
      expect(await app.control('key', { part: '/cashier/', key }), JSON.stringify(key)).toBe(true);
    expect(await app.control('key', { part: '/cashier/', key: { key: 'a' } })).toBe(false);

    await cashier.getByTestId('to-manager').click();
    await signIn(cashier);
    await cashier.evaluate(() => void (location.hash = 'thisPc'));
    await cashier.getByTestId('leave-kiosk').waitFor();
    await cashier.locator('#app-language').selectOption('da');
    await until(
      () => cashier.evaluate(() => document.documentElement.lang === 'da'),
      'the manager’s page to be in Danish',
    );
    await cashier.getByTestId('zoom').selectOption('125');
    await cashier.getByTestId('screen-keyboard').selectOption('always');
    const keyboard = cashier.locator('tb-keyboard [role="region"]');
    await until(async () => {
      await cashier.getByTestId('awake-from').click();
      return keyboard.isVisible();
    }, 'the keyboard on the screen');
    await cashier.getByTestId('screen-keyboard').selectOption('never');
    await keyboard.waitFor({ state: 'detached' });
    await cashier.getByTestId('sound').click();
    await cashier.getByTestId('autostart').click();
    await until(
      async () =>
        JSON.stringify(await app.control('windows')).includes('"isMuted":true,"zoom":1.25'),
      'size and sound to change',
    );
    expect(JSON.parse(readFileSync(join(own.userData, 'this-pc.json'), 'utf8'))).toMatchObject({
      zoomPercent: 125,
      screenKeyboard: 'never',
      sound: false,
      autostart: true,
    });
    expect(
      readFileSync(join(own.userData, 'config/autostart/tillbeacon.desktop'), 'utf8'),
    ).toContain('Exec=');
    await cashier.getByTestId('leave-kiosk').click();
    await until(
      async () => JSON.stringify(await app.control('windows')).includes('"isKiosk":false'),
      'kiosk mode to be left',
    );

    await app.control('otherProgram');
    await app.control('secondInstance');
    await until(
      async () => JSON.stringify(await app.control('windows')).includes('"hasFocus":true'),
      'the first to be shown',
    );
    await cashier.getByTestId('quit').click();
    await cashier.getByTestId('quit-now').click();
    expect(await app.exited).toBe(0);
    await service.end();
  });

  test('on two displays the customer’s window is on the other one, waits while that is unplugged, and is never over the cashier’s', async () => {
    const service = new Product('simulator', ['--port', '0']);
    const file = join(own.userData, 'counter.json');
    writeFileSync(file, JSON.stringify((await settingsFor(service, 'desktop-5')).settings));
    const app = await start(['--settings', file], { STANDIN_PACKAGED: '1' });
    await (await app.window('cashier')).locator('[data-state="idle"]').waitFor();
    const windowCounts = async (): Promise<Record<string, number>> => {
      const windows = await app.control<{ url: string; bounds: { x: number } }[]>('windows');
      return Object.fromEntries(
        windows.map(({ url, bounds }) => [/\/(\w+)\/index/.exec(url)?.[1] ?? url, bounds.x]),
      );
    };
    const left = { id: 1, label: '', bounds: { x: 0, y: 0, width: 1024, height: 768 } };
    const right = { id: 2, label: 'Elo', bounds: { x: 1024, y: 0, width: 800, height: 600 } };
    expect(await windowCounts()).toEqual({ cashier: 0 });
    for (const [displays, windows] of [
      [[left, right], { cashier: 0, customer: 1024 }],
      [[left], { cashier: 0 }],
      [[left, right], { cashier: 0, customer: 1024 }],
    ] as const) {
      await app.control('displays', displays);
      await until(
        async () => isDeepStrictEqual(await windowCounts(), windows),
        `windows at ${JSON.stringify(windows)}`,
      );
    }
    // Lost, and back before the app looks: the system has moved the window.
    await app.control('displays', [left]);
    expect(await windowCounts()).toEqual({ cashier: 0, customer: 0 });
    await app.control('displays', [left, right]);
    await until(
      async () => isDeepStrictEqual(await windowCounts(), { cashier: 0, customer: 1024 }),
      'the customer’s window to be back',
    );
    // While the computer sleeps, the app is not notified.
    await app.control('displaysAsleep', [left]);
    await app.control('displaysAsleep', [left, right]);
    expect(await windowCounts()).toEqual({ cashier: 0, customer: 0 });
    await app.control('power', 'resume');
    expect(await windowCounts()).toEqual({ cashier: 0, customer: 1024 });
    await (await app.window('customer')).locator('[data-state="idle"]').waitFor();
    await app.end();
    await service.end();
  });

  test.runIf(isLong)(
    'asks to be started again after a crash, and without the graphics card where that fails again and again',
    async () => {
      const first = await start(['--demo']);
      await first.isReady();
      for (const _crash of [1, 2, 3]) await first.control('graphicsGone', 'crashed');
      expect(await first.exited).toBe(restartCode);
      expect(JSON.parse(readFileSync(join(own.userData, 'this-pc.json'), 'utf8'))).toMatchObject({
        softwareRendering: true,
      });

      const second = await start(['--demo']);
      await second.isReady();
      await second.control('throw');
      expect(await second.exited).toBe(1);
      expect(second.stderr).toContain('nobody expected this');
    },
  );

  test('asks before it quits while a payment is under way, and stays, with its windows, when it is told to', async () => {
    const app = await start(['--demo']);
    const demo = await app.window('demo');
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    await demo.getByTestId('pay').click();
    await cashier.locator('[data-state="waitingForCustomer"]').waitFor();
    await app.control('quit');
    await app.says('"asked":"Quit Tillbeacon?"');
    for (const window of ['cashier', 'customer', 'demo']) await app.control('close', `/${window}/`);
    await until(() => app.stderr.split('"asked"').length === 3, 'the second question');
    const again = await app.window('cashier', cashier);
    await again.locator('[data-state="waitingForCustomer"]').waitFor();
    await app.control('answers', 1);
    await app.control('quit');
    expect(await app.exited).toBe(0);
  });

  test('is the screens of a daemon that has the data folder already, with the same kiosk, and never opens its journal', async () => {
    const service = new Product('simulator', ['--port', '0']);
    const data = join(own.userData, 'data');
    await makeFirstManager(data, ada);
    const { settings, clientSecret } = await settingsFor(service, 'desktop-4');
    writeFileSync(join(data, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
    const serve = async (): Promise<Product> => {
      const started = new Product('daemon', ['--data', data]);
      await started.ready<DaemonReady>();
      return started;
    };
    let daemon = await serve();
    const app = await start([]);
    const cashier = await app.window('cashier');
    await cashier.locator('[data-state="idle"]').waitFor();
    expect(app.stderr).toContain('a daemon takes the payments: this app shows its screens');
    const opened = readdirSync(`/proc/${app.child.pid}/fd`).flatMap((fd) =>
      targetOf(`/proc/${app.child.pid}/fd/${fd}`),
    );
    expect(opened.filter((path) => path.startsWith(data))).toEqual([]);
    // A sealed file could not be read by the daemon any more.
    expect(readFileSync(join(data, 'settings.json'), 'utf8')).toContain(clientSecret);

    await cashier.getByTestId('to-manager').click();
    await cashier.locator('tb-pin-pad').waitFor();
    const call = callMessage('9', 'leaveKiosk', {});
    const stranger = await cashier.evaluate((call) => {
      const { tillbeacon } = globalThis as unknown as {
        tillbeacon: {
          send(message: unknown): void;
          onMessage(listener: (message: unknown) => void): void;
        };
      };
      return new Promise((resolve) => {
        tillbeacon.onMessage(
          (message) => (message as { i?: string }).i === '9' && resolve(message),
        );
        tillbeacon.send(call);
      });
    }, call);
    expect(stranger).toMatchObject({ r: { ok: false, code: 'pinNeeded' } });
    await signIn(cashier);
    await cashier.evaluate(() => void (location.hash = 'thisPc'));
    // No address for updates is configured.
    await cashier.locator('[data-testid="app-update"][data-update="none"]').waitFor();
    await cashier.getByTestId('leave-kiosk').click();
    await until(
      async () => JSON.stringify(await app.control('windows')).includes('"isKiosk":false'),
      'kiosk mode to be left',
    );
    await cashier.getByTestId('to-cashier').click();
    await cashier.locator('[data-state="idle"]').waitFor();

    await daemon.end('SIGKILL');
    await cashier.locator('[data-state="disconnected"]').waitFor();
    await until(
      async () => JSON.stringify(await app.control('tray')).includes('does not answer'),
      'the tray to say so',
    );
    daemon = await serve();
    await cashier.locator('[data-state="idle"]').waitFor();
    const isInFront = async (): Promise<boolean> =>
      JSON.stringify(await app.control('windows')).includes('"hasFocus":true');
    await app.control('otherProgram');
    await app.control('trayMenu', 'Show the screens');
    await until(isInFront, 'the tray to show the screens');
    await app.control('quit');
    expect(await app.exited).toBe(0);
    expect(daemon.child.exitCode).toBeNull();
    await daemon.end();
    await service.end();
  });
});
