/**
 * Pages that were loaded from a daemon which was replaced by another version, over two of the built
 * one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { freePort } from '../support/free-port.ts';
import { isLong } from '../support/long.ts';
import { addPages, linkPackages, packageOf } from '../support/newer-version.ts';
import { Product, until } from '../support/processes.ts';

let browser: Browser;
let folder: string;
let daemon: Product;
let port: number;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-newer-'));
  linkPackages(folder);
  port = await freePort();
});
afterEach(async () => {
  await daemon.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function start(tree: string): Promise<void> {
  daemon = new Product(join(tree, 'out', 'main', 'daemon.js'), [
    '--demo',
    '--data',
    join(folder, 'data'),
    '--port',
    String(port),
  ]);
  await until(() => daemon.lines.length > 0, 'the daemon to be ready');
}
async function open(screen: string, hash = ''): Promise<{ page: Page; loads: () => number }> {
  const page = await browser.newPage();
  let count = 0;
  page.on('load', () => (count += 1));
  await page.goto(`http://127.0.0.1:${port}/${screen}/?lang=en${hash}`);
  return { page, loads: () => count };
}
const isIdle = (page: Page): Promise<void> => page.locator('[data-state="idle"]').waitFor();

test.runIf(isLong)(
  'a page loads itself anew, once, and only when nobody would lose what was typed or is shown in a dialog',
  async () => {
    const [first, second] = ['0.1.0', '0.2.0'].map((version) => {
      const tree = packageOf(folder, version);
      addPages(tree, version);
      return tree;
    });
    await start(first as string);
    const [idle, typing, manager] = await Promise.all([
      open('cashier'),
      open('cashier'),
      open('manager', '#people'),
    ]);
    await Promise.all([isIdle(idle.page), isIdle(typing.page)]);
    await typing.page.keyboard.press('F2');
    await typing.page.keyboard.type('1234', { delay: 60 });
    const demo = await open('demo');
    const [pin = ''] = /\d{4,}/.exec(await demo.page.getByTestId('manager-pin').innerText()) ?? [];
    await demo.page.close();
    await manager.page.locator('tb-pin-pad:focus').waitFor();
    await manager.page.keyboard.type(pin);
    await manager.page.keyboard.press('Enter');
    await manager.page.getByTestId('add-manager').click();
    await manager.page.locator('tb-dialog').waitFor();

    await daemon.end('SIGKILL');
    await start(second as string);
    await until(() => idle.loads() === 2, 'the page to be loaded anew');
    await isIdle(idle.page);
    for (const { page, loads } of [typing, manager]) {
      await page.getByTestId('outdated').waitFor();
      expect(loads()).toBe(1);
    }
    expect(await typing.page.getByTestId('amount-typed').inputValue()).toContain('12.34');
    await typing.page.keyboard.press('Escape');
    await until(() => typing.loads() === 2, 'the page to be loaded anew, once nothing is typed');
    await isIdle(typing.page);
    await manager.page.getByTestId('reload-now').click();
    await until(
      () => manager.loads() === 2,
      'the page to be loaded anew, because somebody says so',
    );
    // Each page is of the daemon's version now.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect([idle, typing, manager].map(({ loads }) => loads())).toEqual([2, 2, 2]);
    expect(await idle.page.getByTestId('outdated').count()).toBe(0);
  },
);
