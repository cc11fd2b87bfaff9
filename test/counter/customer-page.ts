import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { silentLog } from '../../main/core/domain/log.ts';
import { type ScreensServer, startScreensServer } from '../../main/counter/server/pages-server.ts';
import { ShopPictures } from '../../main/counter/server/shop-pictures.ts';
import type { LaneView } from '../../preload/contract.ts';
import { PagePool, launchChromium } from '../support/browser.ts';
import { type CustomerState, customerStates } from '../support/customer-states.ts';
import { ScriptedViews } from '../unit/counter/server/scripted-views.ts';

export const rendererFolder = fileURLToPath(new URL('../../out/renderer', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'tillbeacon-shop-'));
export const pictures = new ShopPictures(data, silentLog);

let browser: Browser;
let pages: PagePool;
export let page: Page;
export let scripted: ScriptedViews;
export let server: ScreensServer | null = null;
let shop: ReturnType<ShopPictures['shown']>;
export const mistakes: string[] = [];

/** Opens a browser for the tests of a file, and closes what a test has opened. */
export function useCustomerPage(): void {
  beforeAll(async () => {
    browser = await launchChromium();
    pages = new PagePool(browser, (created) => {
      created.on('pageerror', (error) => mistakes.push(error.message));
      // The browser's own complaint about a daemon that is away is what one test is about.
      created.on(
        'console',
        (message) =>
          message.type() === 'error' &&
          !/WebSocket|ERR_CONNECTION_REFUSED/.test(message.text()) &&
          mistakes.push(message.text()),
      );
    });
    mkdirSync(join(data, 'shop'));
    writeFileSync(
      join(data, 'shop/logo.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 60"><style>rect{fill:#b5382a}</style><rect width="120" height="60"/></svg>',
    );
    writeFileSync(
      join(data, 'shop/picture.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 9"><rect width="16" height="9" fill="#8ec5a0"/></svg>',
    );
    shop = pictures.shown({ logo: 'shop/logo.svg', picture: 'shop/picture.svg' });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(data, { recursive: true, force: true });
  });
  afterEach(async () => {
    await page?.unrouteAll();
    await pages.clear();
    await server?.close();
    server = null;
    expect(mistakes.splice(0)).toEqual([]);
  });
}

export async function open(
  url: string,
  {
    language = '',
    size = [1024, 768],
    scheme = 'light',
  }: { language?: string; size?: readonly [number, number]; scheme?: 'light' | 'dark' } = {},
): Promise<void> {
  page = await pages.open({ reducedMotion: 'reduce', locale: 'en-GB' });
  await page.setViewportSize({ width: size[0], height: size[1] });
  await page.emulateMedia({ colorScheme: scheme });
  await page.goto(`${url}/customer/${language === '' ? '' : `?lang=${language}`}`);
  await page.locator('[data-state="idle"]').waitFor();
}
export function tell(name: CustomerState, about: Partial<LaneView> = {}): void {
  const { state, customer } = customerStates[name];
  scripted.view = {
    ...scripted.view,
    state,
    customer: {
      ...customer,
      logo: customer.logo && shop.logo,
      picture: customer.picture && shop.picture,
    },
    ...about,
  };
  scripted.change();
}
export async function show(name: CustomerState, about: Partial<LaneView> = {}): Promise<void> {
  tell(name, about);
  const { state, customer } = scripted.view;
  await page.locator(`[data-state="${state.kind}"]`).waitFor();
  if (customer.checkIn !== null)
    await page
      .locator(`[data-check-in="${customer.checkIn.isCheckedIn ? 'checkedIn' : 'scan'}"]`)
      .waitFor();
  if (customer.picture !== null) await page.getByTestId('picture').waitFor();
}
export const sentence = (): Promise<string> => page.getByTestId('sentence').innerText();
/** Another scripted counter, as if nothing had happened. */
export const newViews = (): void => void (scripted = new ScriptedViews());
/** Serves the screen; with a port, at the address of a server that was closed. */
export async function serve(port = 0): Promise<void> {
  server = await startScreensServer({
    host: '127.0.0.1',
    port,
    nextFreeIfTaken: false,
    rendererFolder,
    views: scripted,
    router: scripted,
    pictures,
    log: silentLog,
  });
}
export const serverUrl = (): string => (server as ScreensServer).url;
/** A page that no other test uses. */
export async function openAlone(): Promise<void> {
  page = await pages.openAlone();
}
