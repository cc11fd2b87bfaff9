import type { BrowserContextOptions, Locator, Page } from 'playwright';
import type { PagePool } from './browser.ts';
import type { Language } from '../../renderer/locales/i18n.ts';
import type { Counter } from './counter.ts';

export const ada = { name: 'Ada Lund', pin: '4711' };

export interface ManagerScreenOptions
  extends Pick<BrowserContextOptions, 'hasTouch' | 'colorScheme' | 'viewport'> {
  readonly pages: PagePool;
  readonly counter: Counter;
  readonly show: 'refunds' | 'day' | 'health';
  readonly language?: Language;
  /** Called before the page is opened. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/**
 * Collects errors on the page's console. The browser's own message about a daemon that is away is
 * left out, because some tests cause it.
 */
export function collectMistakes(page: Page, mistakes: string[]): void {
  page.on('pageerror', (error) => mistakes.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('WebSocket'))
      mistakes.push(message.text());
  });
}

/** Opens the manager's screen while nobody is signed in. */
export async function openManager({
  pages,
  counter,
  show,
  language = 'en',
  prepare,
  ...about
}: ManagerScreenOptions): Promise<Page> {
  // The prepared scripts would stay in a shared page.
  const page = prepare === undefined ? await pages.open(about) : await pages.openAlone(about);
  await prepare?.(page);
  await page.goto(`${counter.started.screens}/manager/?lang=${language}#${show}`);
  return page;
}

/** The text with plain spaces, as a person reads it: Intl writes spaces that do not break. */
export async function read(what: Locator): Promise<string> {
  return (await what.innerText()).replaceAll('\u00a0', ' ');
}

/** Signs in with the keyboard on the manager's screen. */
export async function signIn(page: Page): Promise<void> {
  await page.locator('tb-pin-pad:focus').waitFor();
  await page.keyboard.type(ada.pin);
  await page.keyboard.press('Enter');
  await page.getByTestId('signed-in').waitFor({ state: 'attached' });
}

/** The text that would be printed once the page calls `window.print`. */
export async function printed(page: Page, press: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await press();
  await page.locator('body[data-printed]').waitFor();
  await page.emulateMedia({ media: 'print' });
  const onPaper = page.locator('body > :visible');
  if ((await onPaper.count()) !== 1) throw new Error('more than the sheet is on the paper');
  const lines = await onPaper
    .locator(':scope > *')
    .evaluate((made) =>
      [...(made.shadowRoot?.children ?? [])].map((part) => (part as HTMLElement).innerText),
    );
  return lines.join('\n').replaceAll('\u00a0', ' ');
}
