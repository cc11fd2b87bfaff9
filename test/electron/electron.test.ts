/**
 * What only real Electron can show: isolation, sandbox, crashes of its processes, the single
 * instance, fuses. Runs where its binary is, or the installed program; `npm run test:electron` says
 * when neither is. `npm run test:long` takes its steps over the stand-in, so that they are known to
 * be possible.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script, without types
import { fuseFileOf, readFuses, wantedFuses } from '../../scripts/fuses.mjs';
import { scan } from '../support/browser.ts';
import { approveOnPhone, beginPayment } from '../support/demo-payment.ts';
import { until } from '../support/processes.ts';
import {
  commandOf,
  isInstalled,
  isReal,
  program,
  type RunningApp,
  startApp,
} from './running-app.ts';

const onWindows = process.platform === 'win32';
let userData: string;
let app: RunningApp;

beforeEach(async () => {
  userData = mkdtempSync(join(tmpdir(), 'tillbeacon-electron-'));
  app = await startApp(['--demo'], userData);
});
afterEach(async () => {
  await app.end();
  // Windows keeps files of a process that was ended for a moment.
  rmSync(userData, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 });
});

test('takes a payment with the code on the customer’s window, gives it back, and quits in good order', async () => {
  const [cashier, customer, demo] = [
    await app.window('cashier'),
    await app.window('customer'),
    await app.window('demo'),
  ];
  await beginPayment(demo, cashier);
  expect(await scan(customer.locator('tb-customer'))).toMatch(/^walletpos:\/\/pos\?id=/);
  await approveOnPhone(demo);
  await cashier.locator('[data-state="paid"]').waitFor();

  const [pin = ''] = /\d{4,}/.exec(await demo.getByTestId('manager-pin').innerText()) ?? [];
  await cashier.getByTestId('to-manager').click();
  await cashier.locator('tb-pin-pad:focus').waitFor();
  await cashier.keyboard.type(pin);
  await cashier.keyboard.press('Enter');
  await cashier.getByTestId('payment').first().click();
  await cashier.getByTestId('refund-begin').click();
  await cashier.getByTestId('refund-why-0').click();
  await cashier.getByTestId('refund-confirm').click();
  await cashier.locator('[data-testid="refund"][data-state="refunded"]').waitFor();
});

test('a page is kept apart: it has nothing of Node or Electron, goes nowhere else, opens, loads and runs nothing of others', async () => {
  const cashier = await app.window('cashier');
  await cashier.locator('[data-state="idle"]').waitFor();
  const before = cashier.url();
  const pageState = await cashier.evaluate(async () => {
    const here = globalThis as unknown as Record<string, unknown>;
    const tried = async (run: () => unknown): Promise<string> => {
      try {
        await run();
        return 'done';
      } catch {
        return 'refused';
      }
    };
    const bridge = here['tillbeacon'] as Record<string, unknown>;
    return {
      globals: [
        'require',
        'process',
        'module',
        'Buffer',
        'global',
        '__dirname',
        'electron',
        'ipcRenderer',
      ].filter((name) => name in here),
      bridge: Object.keys(bridge).toSorted(),
      // The preload does not use what a page changes there.
      constructors: await tried(() =>
        (bridge['send'] as () => void).constructor('return process')(),
      ),
      network: await tried(() => fetch('https://example.com/')),
      files: await tried(() => fetch('file:///etc/hosts')),
      outside: await tried(async () => {
        const { ok } = await fetch('/../../package.json');
        if (!ok) throw new Error('not there');
      }),
      webview: 'getWebContentsId' in document.createElement('webview'),
      window: window.open('https://example.com/') === null ? 'refused' : 'opened',
      permissions: [
        ...new Set(
          await Promise.all(
            (['geolocation', 'notifications', 'camera', 'microphone'] as PermissionName[]).map(
              async (name) => (await navigator.permissions.query({ name })).state,
            ),
          ),
        ),
      ],
    };
  });
  expect(pageState).toEqual({
    globals: [],
    bridge: ['onConnection', 'onKeyboard', 'onLanguage', 'onMessage', 'send'],
    constructors: 'refused',
    network: 'refused',
    files: 'refused',
    outside: 'refused',
    webview: false,
    // In the stand-in the window exists for a moment.
    window: isReal ? 'refused' : expect.any(String),
    permissions: ['denied'],
  });
  await cashier.evaluate(() => {
    document.body.appendChild(document.createElement('script')).textContent =
      'globalThis.was = "run"';
    // Code that Playwright evaluates for a test may create functions from strings; this timeout is
    // the page's own.
    (setTimeout as (code: string) => void)('globalThis.was = "run"');
    location.href = 'https://example.com/';
    document.body.appendChild(document.createElement('iframe')).src = 'https://example.com/';
  });
  await app.says('"to":"https://example.com/"');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(cashier.url()).toBe(before);
  expect(await cashier.evaluate(() => (globalThis as { was?: string }).was)).toBeUndefined();
  expect(
    cashier
      .context()
      .pages()
      .filter((page) => page.url().includes('example.com')),
  ).toEqual([]);
});

test('a screen whose process crashes is back with the truth, while the payment goes on', async () => {
  const cashier = await app.window('cashier');
  const demo = await app.window('demo');
  await beginPayment(demo, cashier);
  const session = await cashier.context().newCDPSession(cashier);
  // The page crashes, so this call is never answered.
  session.send('Page.crash').catch(() => undefined);
  const again = await app.window('cashier', cashier);
  await again.locator('[data-state="waitingForCustomer"]').waitFor();
  await approveOnPhone(demo);
  await again.locator('[data-state="paid"]').waitFor();
});

test.runIf(isReal)('a second start ends by itself, and the first goes on', async () => {
  const cashier = await app.window('cashier');
  await cashier.locator('[data-state="idle"]').waitFor();
  const second = spawnSync(program as string, commandOf(userData, '--supervised', '--demo'), {
    timeout: 60_000,
    encoding: 'utf8',
  });
  expect([second.status, second.signal]).toEqual([0, null]);
  const demo = await app.window('demo');
  await beginPayment(demo, cashier);
  await approveOnPhone(demo);
  await cashier.locator('[data-state="paid"]').waitFor();
});

test.runIf(isReal)(
  'where there are two displays, the customer’s window is on the other one',
  async (context) => {
    const [cashier, customer] = [await app.window('cashier'), await app.window('customer')];
    const isExtended = await cashier.evaluate(
      () => (screen as unknown as { isExtended?: boolean }).isExtended === true,
    );
    if (!isExtended) {
      process.stdout.write(
        '*** SKIPPED: two displays were NOT tested: this machine has one. ***\n',
      );
      return context.skip();
    }
    const place = (page: Page): Promise<number> =>
      page.evaluate(() => (screen as unknown as { availLeft: number }).availLeft);
    expect(await place(customer)).not.toBe(await place(cashier));
  },
);

test.runIf(isReal && !onWindows)(
  'an app that SIGKILL has ended is started again by its supervisor, which holds no windows',
  async () => {
    const supervisor = spawn(program as string, commandOf(`${userData}-supervised`, '--demo'));
    let stderr = '';
    supervisor.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
    const ended = new Promise((resolve) => supervisor.once('close', resolve));
    await until(() => stderr.includes('"msg":"ready"'), 'the app to be ready');
    const [, pid] = /"pid":(\d+),"msg":"app started"/.exec(stderr) ?? [];
    process.kill(Number(pid), 'SIGKILL');
    await until(() => stderr.split('"msg":"ready"').length > 2, 'the app to be ready again');
    supervisor.kill('SIGTERM');
    expect(await ended).toBe(0);
    rmSync(`${userData}-supervised`, { recursive: true, force: true });
  },
);

test.runIf(isInstalled)(
  'the installed program has the fuses that packing sets, and cannot be made to run as Node',
  () => {
    const file = fuseFileOf(program);
    expect(existsSync(file)).toBe(true);
    expect(readFuses(file)).toMatchObject(wantedFuses);
    const asNode = spawnSync(
      program as string,
      ['-e', 'console.log("is Node")', `--user-data-dir=${userData}`, '--no-sandbox'],
      {
        env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
        timeout: 20_000,
        encoding: 'utf8',
      },
    );
    expect(asNode.stdout).not.toContain('is Node');
  },
);
