import type { Browser, BrowserContext, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { MessageChannel } from '../../preload/contract.ts';
import { socketPath } from '../../preload/procedures/plain.ts';
import { accessibilityFaults } from '../support/accessibility.ts';
import { launchChromium, typeAsScanner } from '../support/browser.ts';
import { faultsToTheEye } from './look.ts';
import { Stage } from './stage.ts';
import { managerScene } from './states/manager-shared.ts';

let browser: Browser;
let stage: Stage;
let context: BrowserContext;
beforeAll(async () => {
  [browser, stage] = await Promise.all([launchChromium(), Stage.open()]);
});
afterEach(() => context.close());
afterAll(async () => {
  await browser.close();
  await stage.close();
});

/** In the page: what the app gives it, over the socket of a browser. */
function asInTheApp({ path, presses }: { readonly path: string; readonly presses: string }): void {
  let socket: WebSocket;
  const tillbeacon: MessageChannel = {
    send: (message) => socket.send(JSON.stringify(message)),
    onMessage(listener) {
      socket = new WebSocket(`ws://${location.host}${path}`);
      socket.addEventListener('message', ({ data }) => listener(JSON.parse(String(data))));
    },
    onConnection: (listener) => socket.addEventListener('open', () => listener(true)),
    onLanguage: () => {},
    onKeyboard: (listener) => listener(presses),
  };
  Object.assign(globalThis, { tillbeacon });
}

async function open(
  at: string,
  scene: Parameters<Stage['play']>[0],
  presses: 'touch' | 'any',
): Promise<Page> {
  stage.play(scene);
  context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  await context.addInitScript(asInTheApp, { path: socketPath, presses });
  const page = await context.newPage();
  await page.goto(`${stage.url}/manager/?lang=da${at}`);
  return page;
}

const keyboardOf = (page: Page): Locator => page.locator('tb-keyboard [role="region"]');
async function tap(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.locator(`tb-keyboard [data-key="${key}"]`).tap();
}

test('fingers write a name in a dialog, which stays above the keys, and go on by Enter', async () => {
  const page = await open('#people', managerScene({}), 'touch');
  await page.getByTestId('add-manager').tap();
  const name = page.locator('#manager-name');
  await page.locator('#manager-name:focus').waitFor();
  expect(await keyboardOf(page).count()).toBe(0);
  await page.locator('label[for="manager-name"]').tap();
  await tap(
    page,
    'shift',
    'Ø',
    'r',
    'space',
    'shift',
    'shift',
    'Å',
    'N',
    'backspace',
    'shift',
    's',
    'digits',
    '7',
    '@',
    'backspace',
  );
  expect(await name.inputValue()).toBe('Ør Ås7');
  expect(await page.locator('#manager-name:focus').count()).toBe(1);
  // For which the system opens no keyboard of its own.
  expect(await name.getAttribute('inputmode')).toBe('none');

  const [keys, field, next] = await Promise.all(
    [keyboardOf(page), name, page.getByTestId('name-next')].map((one) => one.boundingBox()),
  );
  expect((keys?.y ?? 0) + (keys?.height ?? 0)).toBeCloseTo(768, 0);
  for (const above of [field, next])
    expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(keys?.y ?? 0);
  expect([...(await accessibilityFaults(page)), ...(await faultsToTheEye(page))]).toEqual([]);

  await tap(page, 'enter');
  // The PIN has keys of its own.
  await page.locator('tb-pin-pad').waitFor();
  await keyboardOf(page).waitFor({ state: 'detached' });
  expect(await page.evaluate(() => document.body.offsetHeight)).toBe(768);
});

test('it leaves as soon as somebody types on another keyboard, and not for a scanner', async () => {
  const inputs: unknown[] = [];
  const findSales = (input: unknown) => (inputs.push(input), { sales: [], next: null });
  const page = await open('#refunds', managerScene({ findSales }), 'touch');
  const search = page.locator('#payment-search');
  await search.click();
  await page.locator('#payment-search:focus').waitFor();
  expect(await keyboardOf(page).count()).toBe(0);
  await search.tap();
  await tap(page, 'digits', '4', '2', 'enter');
  await expect.poll(() => JSON.stringify(inputs.at(-1))).toContain('42');

  await typeAsScanner(page, '123456');
  await new Promise((resolve) => setTimeout(resolve, 100));
  await tap(page, 'hide');
  await keyboardOf(page).waitFor({ state: 'detached' });
  await search.tap();
  await keyboardOf(page).waitFor();
  await page.keyboard.press('a');
  await keyboardOf(page).waitFor({ state: 'detached' });
  // Whoever has a keyboard touches the screen too.
  await search.tap();
  expect(await keyboardOf(page).count()).toBe(0);
});

test('where it is to open always, a mouse does it too, as which a touch display may count; and no key of the page moves away below it', async () => {
  const asked: unknown[] = [];
  const page = await open(
    '#refunds',
    managerScene({ findSales: (input) => (asked.push(input), { sales: [], next: null }) }),
    'any',
  );
  await page.locator('#payment-search').click();
  await page.locator('tb-keyboard [data-key="digits"]').click();
  await page.locator('tb-keyboard [data-key="7"]').click();
  await page.locator('#payment-search:focus').waitFor();
  const find = await page
    .locator('tb-payment-search button, tb-refunds-page button')
    .first()
    .boundingBox();
  await page.mouse.move((find?.x ?? 0) + 10, (find?.y ?? 0) + 10);
  await page.mouse.down();
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(await keyboardOf(page).count()).toBe(1);
  await page.mouse.up();
  await expect.poll(() => JSON.stringify(asked.at(-1))).toContain('7');
  await keyboardOf(page).waitFor({ state: 'detached' });
});
