import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { silentLog } from '../../main/core/domain/log.ts';
import { type ScreensServer, startScreensServer } from '../../main/counter/server/pages-server.ts';
import type { LaneView } from '../../preload/contract.ts';
import { launchChromium } from '../support/browser.ts';
import { recentPayments } from '../support/cashier-states.ts';
import { ScriptedViews } from '../unit/counter/server/scripted-views.ts';

/**
 * The built screen of a cashier before a scripted counter: states that a real counter reaches only
 * after minutes, or over a broken service.
 */

let browser: Browser;
export let scripted: ScriptedViews;
let server: ScreensServer;
/**
 * One page for all tests that need no script of their own, because a context takes longer than most
 * of them. Each port has a storage of its own.
 */
let sharedPage: Page;
export let page: Page;
export const mistakes: string[] = [];

async function newPage(): Promise<Page> {
  const created = await (
    await browser.newContext({ viewport: { width: 1024, height: 768 } })
  ).newPage();
  created.on('pageerror', (error) => mistakes.push(error.message));
  created.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !message.text().includes('WebSocket') &&
      mistakes.push(message.text()),
  );
  return created;
}
/** Serves the screen; with a port, at the address of a server that was closed. */
async function serve(port = 0): Promise<void> {
  const rendererFolder = new URL('../../out/renderer', import.meta.url).pathname;
  server = await startScreensServer({
    host: '127.0.0.1',
    port,
    nextFreeIfTaken: false,
    rendererFolder,
    views: scripted,
    router: scripted,
    log: silentLog,
  });
}

export const serverUrl = (): string => server.url;
export const closeServer = (): Promise<void> => server.close();
/** Serves again at the address of the server that was closed. */
export const serveAgain = (): Promise<void> => serve(Number(new URL(server.url).port));

/** Opens a browser for the tests of a file, and a server for each of them. */
export function useCashierPage(): void {
  beforeAll(async () => {
    browser = await launchChromium();
    sharedPage = await newPage();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    scripted = new ScriptedViews();
    scripted.view = { ...scripted.view, recent: recentPayments(Date.now()) };
    await serve();
  });
  afterEach(async () => {
    await (page === sharedPage ? page.goto('about:blank') : page.context().close());
    await server.close();
    expect(mistakes.splice(0)).toEqual([]);
  });
}

export async function open({
  language = 'en',
  dark = false,
  script,
}: {
  language?: string;
  dark?: boolean;
  script?: () => void;
} = {}): Promise<void> {
  page = script === undefined ? sharedPage : await newPage();
  if (script !== undefined) await page.addInitScript(script);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  await page.goto(`${server.url}/cashier/${language === '' ? '' : `?lang=${language}`}`);
  await page.locator('[data-state="idle"]').waitFor();
}
export async function show(about: Partial<LaneView>): Promise<void> {
  scripted.view = { ...scripted.view, ...about };
  scripted.change();
  await page.locator(`[data-state="${scripted.view.state.kind}"]`).waitFor();
}
export const amountTyped = (): Promise<string> => page.getByTestId('amount-typed').inputValue();

export const focusedId = (): Promise<string | null> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    return at?.getAttribute('data-testid') ?? null;
  });

/** The elements that are wider or higher than the room they have. */
export const cut = (): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('tb-cashier')?.shadowRoot;
    const within = [
      document.scrollingElement,
      ...(root?.querySelectorAll('.state, aside, .banner, button, .payments li') ?? []),
    ];
    return within.flatMap((one) =>
      one !== null &&
      (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        ? one.className || 'page'
        : [],
    );
  });
