import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright';
import { Shop } from './shop.ts';

/** Memory held after a number of payments. */
export interface Held {
  readonly payments: number;
  readonly megabytes: number;
}

const pin = '4711';

async function openWindow(
  browser: Browser,
  address: string,
): Promise<{ page: Page; debug: CDPSession }> {
  const page = await browser.newPage();
  await page.goto(address);
  return { page, debug: await page.context().newCDPSession(page) };
}

/** The counter's first manager, with the one-time code that lies in the data folder. */
async function signIn(page: Page, dataFolder: string): Promise<void> {
  await page.locator('[data-testid="code"]:focus').waitFor();
  await page.keyboard.type(readFileSync(join(dataFolder, 'first-manager-code.txt'), 'utf8').trim());
  await page.keyboard.press('Enter');
  await page.locator('[data-testid="manager-name"]:focus').waitFor();
  await page.keyboard.type('Ada Lund');
  await page.keyboard.press('Enter');
  for (const label of ['Choose a PIN of 4 to 8 digits', 'The same PIN once more']) {
    await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.type(pin);
    await page.keyboard.press('Enter');
  }
  await page.locator('tb-day-page').waitFor();
}

/** The size of a page's heap after a garbage collection. */
async function heap(debug: CDPSession): Promise<number> {
  await debug.send('HeapProfiler.collectGarbage');
  return (await debug.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2;
}

/**
 * A day's payments of two tills, one after another without a pause, with each cashier's and
 * customer's window and the manager's open all the time.
 * @returns what the daemon and each window held meanwhile
 */
export async function measureDay(
  browser: Browser,
  payments: number,
  say: (line: string) => void,
): Promise<ReadonlyMap<string, Held[]>> {
  const lanes = 2;
  const shop = await new Shop({ lanes, pollDelayInMs: 100 }).open();
  await shop.startDaemon();
  await shop.openCounters();
  const windows = new Map<string, { page: Page; debug: CDPSession }>();
  const ofLanes = Array.from({ length: lanes }, (_, lane) =>
    ['cashier', 'customer'].map((screen) => ({ screen, lane: lane + 1 })),
  ).flat();
  for (const { screen, lane } of ofLanes)
    windows.set(
      `${screen}’s window ${lane}`,
      await openWindow(browser, `${shop.screensUrl}/${screen}/?lang=en&lane=${lane}`),
    );
  const manager = await openWindow(browser, `${shop.screensUrl}/manager/?lang=en#day`);
  await signIn(manager.page, shop.dataFolder);
  windows.set('manager’s window', manager);
  const held = new Map<string, Held[]>([
    ['daemon', []],
    ...[...windows.keys()].map((name): [string, Held[]] => [name, []]),
  ]);
  const round = Math.ceil(payments / 40);
  for (let done = 0; done < payments; done += round) {
    let started = 0;
    await Promise.all(
      Array.from({ length: lanes }, async (_, lane) => {
        while (started < round) {
          started += 1;
          await shop.pay(lane, 20);
        }
      }),
    );
    // Moves the mouse, because a manager who does nothing is signed out.
    await manager.page.mouse.move(done % 100, 10);
    held.get('daemon')?.push({ payments: done + round, megabytes: shop.residentMegabytes() });
    for (const [name, { debug }] of windows)
      held.get(name)?.push({ payments: done + round, megabytes: await heap(debug) });
  }
  for (const [name, samples] of held)
    say(`${name}: ${samples.map(({ megabytes }) => megabytes.toFixed(1)).join(' ')} MB`);
  for (const { page } of windows.values()) await page.context().close();
  await shop.stopDaemon();
  await shop.close();
  return held;
}
