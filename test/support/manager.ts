import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright';
import type { Language } from '../../renderer/locales/i18n.ts';
import type { Counter } from './counter.ts';

export const ada = { name: 'Ada Lund', pin: '4711' };

export interface ManagerScreenOptions extends Pick<BrowserContextOptions, 'hasTouch' | 'colorScheme' | 'viewport'> {
  readonly browser: Browser;
  readonly counter: Counter;
  readonly show: 'refunds' | 'day' | 'health';
  readonly language?: Language;
  /** Collects the errors on the page's console. */
  readonly mistakes: string[];
  /** Before the page is there. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** The manager's screen in a browser of its own, nobody signed in. */
export async function openManager({ browser, counter, show, language = 'en', mistakes, prepare, ...about }: ManagerScreenOptions): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1024, height: 768 }, ...about })).newPage();
  page.on('pageerror', (error) => mistakes.push(error.message));
  page.on('console', (message) => {
    // The browser's own complaint about a daemon that is away is what some tests are about.
    if (message.type() === 'error' && !message.text().includes('WebSocket')) mistakes.push(message.text());
  });
  await prepare?.(page);
  await page.goto(`${counter.started.screens}/manager/?lang=${language}#${show}`);
  return page;
}

/** As a person reads it: Intl writes spaces that do not break. */
export async function read(what: Locator): Promise<string> {
  return (await what.innerText()).replaceAll('\u00a0', ' ');
}

/** With the keyboard, on the manager's screen. */
export async function signIn(page: Page): Promise<void> {
  await page.locator('tb-pin-pad:focus').waitFor();
  await page.keyboard.type(ada.pin);
  await page.keyboard.press('Enter');
  await page.getByTestId('signed-in').waitFor();
}

/** What would come out of the printer, once the page asked for it with `window.print`. */
export async function printed(page: Page, press: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await press();
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const onPaper = page.locator('body > :visible');
  if ((await onPaper.count()) !== 1) throw new Error('more than the sheet is on the paper');
  const lines = await onPaper.locator(':scope > *').evaluate((made) => [...(made.shadowRoot?.children ?? [])].map((part) => (part as HTMLElement).innerText));
  return lines.join('\n').replaceAll('\u00a0', ' ');
}
