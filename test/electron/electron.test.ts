/** What the stand-in cannot prove: isolation, sandbox, the single instance. Runs where Electron's binary is; `npm run test:electron` says when it is not. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication, type Page } from 'playwright';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { supervisedOption } from '../../main/desktop/supervised.ts';
import { scan } from '../support/browser.ts';
import { until } from '../support/processes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let userData: string;
let app: ElectronApplication;

beforeEach(async () => {
  userData = mkdtempSync(join(tmpdir(), 'tillbeacon-electron-'));
  app = await _electron.launch({
    executablePath: process.env['TILLBEACON_ELECTRON'] as string,
    args: [root, supervisedOption, '--demo', `--user-data-dir=${userData}`, '--no-sandbox'],
  });
});
afterEach(async () => {
  await app.close();
  rmSync(userData, { recursive: true, force: true });
});

async function windowNamed(name: string): Promise<Page> {
  const find = (): Page | undefined => app.windows().find((page) => page.url().includes(`/${name}/index.html`));
  await until(() => find() !== undefined, `the window ${name}`);
  return find() as Page;
}

test('takes a payment, and quits in good order', async () => {
  const cashier = await windowNamed('cashier');
  const demo = await windowNamed('demo');
  await cashier.locator('[data-state="idle"]').waitFor();
  await demo.getByTestId('pay').click();
  await cashier.locator('[data-state="waitingForCustomer"]').waitFor();
  expect(await scan(cashier.locator('tb-cashier'))).toMatch(/^walletpos:\/\/pos\?id=/);
  await demo.getByTestId('scan').click();
  await demo.locator('[data-phone="asked"]').waitFor();
  await demo.getByTestId('approve').click();
  await cashier.locator('[data-state="paid"]').waitFor();
});

test('a window has no Node, goes nowhere else and opens no other', async () => {
  const cashier = await windowNamed('cashier');
  expect(await cashier.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined');
  const before = cashier.url();
  await cashier.evaluate(() => {
    location.href = 'https://example.com/';
    window.open('https://example.com/');
  });
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(cashier.url()).toBe(before);
  expect(app.windows().some((page) => page.url().includes('example.com'))).toBe(false);
});

test.skipIf(process.platform === 'win32')('an app that SIGKILL has ended is started again by its supervisor, which holds no windows', async () => {
  const supervisor = spawn(process.env['TILLBEACON_ELECTRON'] as string, [root, '--demo', `--user-data-dir=${userData}-supervised`, '--no-sandbox']);
  let said = '';
  supervisor.stderr.on('data', (part: Buffer) => (said += part.toString()));
  const ended = new Promise((resolve) => supervisor.once('close', resolve));
  await until(() => said.includes('"msg":"ready"'), 'the app to be ready');
  const [, pid] = /"pid":(\d+),"msg":"the app is started"/.exec(said) ?? [];
  process.kill(Number(pid), 'SIGKILL');
  await until(() => said.split('"msg":"ready"').length > 2, 'the app to be ready again');
  supervisor.kill('SIGTERM');
  expect(await ended).toBe(0);
  rmSync(`${userData}-supervised`, { recursive: true, force: true });
});
