import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { languages } from '../../main/core/domain/languages.ts';
import type { OutputOf } from '../../preload/procedures.ts';
import { PagePool, launchChromium } from '../support/browser.ts';
import { Installation } from '../support/installation.ts';

/** The installer's screen of a counter that is new for each test, and how it is used. */

let browser: Browser;
let pages: PagePool;
export let at: Installation;
export let context: BrowserContext;
export let page: Page;
const mistakes: string[] = [];

/** Each test of the calling file gets a counter without settings, and its pages. */
export function installBeforeEach(): void {
  beforeAll(async () => {
    browser = await launchChromium();
    pages = new PagePool(browser, (made) => {
      made.on('pageerror', (error) => mistakes.push(error.message));
      made.on('console', (message) => {
        if (message.type() === 'error') mistakes.push(message.text());
      });
    });
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    at = await Installation.open();
  });
  afterEach(async () => {
    await pages.clear();
    await at?.close();
    expect(mistakes.splice(0)).toEqual([]);
  });
}

export async function open(options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(options);
  context = page.context();
  await page.goto(`${at.screens}/setup/?lang=en`);
}
export const step = (name: string): Promise<void> =>
  page.locator(`[data-step="${name}"]`).waitFor();
export const state = (name: string): Promise<void> =>
  page.locator(`tb-setup [data-state="${name}"]`).first().waitFor();
/** How often a test pressed a key that acts, and typed something. */
export const counted = { keys: 0, values: 0 };
export async function press(key: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    counted.keys += 1;
    await page.keyboard.press(key);
  }
}
export function type(text: string): Promise<void> {
  counted.values += 1;
  return page.keyboard.type(text);
}
export const focusIs = (id: string): Promise<void> =>
  page.locator(`[data-testid="${id}"]:focus`).waitFor();
/**
 * Tabs on to it. Before it are commands where nothing starts Tillbeacon with this computer.
 */
export async function tabTo(id: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 10) {
    await press('Tab');
    const at = await page.evaluate(() => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      return (focused as HTMLElement | null)?.dataset['testid'] ?? focused?.localName ?? 'nothing';
    });
    if (at === id) return;
    passed.push(at);
  }
  throw new Error(`${id} is not reached by Tab, but ${passed.join(', ')}`);
}
export const problemOf = (id: string): Promise<string> =>
  page.locator(`#${id}-problem`).innerText();
/**
 * The languages in which a manager's name and PIN do not fit above the foot of the page without
 * scrolling.
 */
export const languagesThatScroll = (): Promise<string[]> =>
  page.evaluate(async (each) => {
    const setup = document.querySelector('tb-setup') as HTMLElement & { language: string };
    const scrolls: string[] = [];
    for (const language of each) {
      setup.language = language;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const cover = setup.shadowRoot?.querySelector('.cover') as HTMLElement;
      if (cover.scrollHeight > cover.clientHeight)
        scrolls.push(`${language}: ${cover.scrollHeight} in ${cover.clientHeight}`);
    }
    return scrolls;
  }, languages);
/** Instead of what is in the field. */
export async function retype(text: string): Promise<void> {
  await press('Control+a');
  await type(text);
}
export const drawing = (comment: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><!-- ${comment} --><rect width="80" height="40"/></svg>`,
  );
/** Waits for the port at which the only lane listens for its till. */
export function tillPort(): Promise<number> {
  return page.locator('tb-setup').evaluate(async (setup) => {
    const { bridge } = setup as unknown as {
      bridge: { ask(name: string, asked: object): Promise<{ value: OutputOf<'setupState'> }> };
    };
    const { value } = await bridge.ask('setupState', {});
    return Number(value.inUse?.lanes[0]?.till.split(':').at(-1));
  });
}
export async function pick(open: () => Promise<void>, name: string, buffer: Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  // The browser has heard that it is to leave the choice to us: Enter is quicker than that.
  await page.evaluate(() => {});
  await open();
  await (await chosen).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}
export async function typePin(): Promise<void> {
  for (const label of ['Choose a PIN of 4 to 8 digits', 'The same PIN once more']) {
    await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
  }
}
/** Before the page that asks for the one-time code. */
export async function becomeManager(): Promise<void> {
  await state('signIn');
  await focusIs('code');
  await type(at.firstManagerCode);
  await press('Enter');
  await focusIs('manager-name');
  await type('Ada Lund');
  await press('Enter');
  await typePin();
}
/**
 * Moves with the keyboard from the field before the list of ports to the option for another port.
 */
export async function toOtherPort(): Promise<void> {
  await page.getByTestId('ports').waitFor();
  await press('Tab');
  await press('ArrowUp');
  // Space chooses the option when it is the only one. No shop is without ports, so this key is not
  // counted.
  await page.keyboard.press('Space');
  await focusIs('ports-other');
  await press('Tab');
}
