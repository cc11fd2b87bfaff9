import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { languages } from '../../main/core/domain/languages.ts';
import { openPage, Stage } from '../pictures/stage.ts';
import { managerScene } from '../pictures/states/manager-shared.ts';
import { launchChromium } from '../support/browser.ts';

/**
 * A screen loads the texts of its language first, and the rest later, which a newer version may
 * have taken away by then.
 */

let browser: Browser;
let stage: Stage;
let page: Page;
const mistakes: string[] = [];
/** Files of texts that the page has got, e.g. `fi screens`. */
let texts: string[];

beforeAll(async () => {
  [browser, stage] = await Promise.all([launchChromium(), Stage.open()]);
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
beforeEach(async () => {
  page = await openPage(browser, { mistakes });
  texts = [];
  page.on('requestfinished', (request) => {
    const [, language, catalogue] = /texts-(\w+)-\w+?-(\w+)-/.exec(request.url()) ?? [];
    if (language !== undefined) texts.push(`${language} ${catalogue}`);
  });
  stage.play(managerScene({}));
});
afterEach(async () => {
  await page.context().close();
  // The browser's own complaint about a file that is not there is what some tests are about.
  expect(mistakes.splice(0).filter((one) => !one.startsWith('Failed to load resource'))).toEqual(
    [],
  );
});

const choose = async (language: string): Promise<void> => {
  await page.getByTestId('language').click();
  await page.getByRole('menuitemradio', { name: language }).click();
};
const language = (): Promise<string> => page.evaluate(() => document.documentElement.lang);
/** Keeps the browser from ever being idle, so that nothing is loaded in advance. */
const isNeverIdle = (): Promise<unknown> =>
  page.addInitScript(() => void (window.requestIdleCallback = () => 0));

test('a screen shows nothing before the texts of its language are there, and then nothing in another one', async () => {
  await isNeverIdle();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let isAsked = (): void => {};
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  await page.route('**/texts-*', async (route) => {
    isAsked();
    await released;
    await route.continue();
  });
  await page.goto(`${stage.url}/cashier/?lang=fi`, { waitUntil: 'commit' });
  await asked;
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  expect(await page.locator('tb-cashier').evaluate((screen) => screen.shadowRoot)).toBeNull();
  release();
  await page.getByText('Suomi').waitFor();
  expect(texts).toEqual(['fi screens']);
});

test('the other languages follow: a change works at once, and without the daemon', async () => {
  await page.goto(`${stage.url}/cashier/?lang=da`);
  await expect.poll(() => texts).toHaveLength(languages.length);
  await page.route('**/*', (route) => route.abort());
  const said: string[] = [];
  for (const one of ['Suomi', 'Norsk', 'English', 'Svenska']) {
    await choose(one);
    said.push(await page.getByTestId('sentence').innerText());
  }
  expect(new Set(said).size).toBe(said.length);
  expect(await language()).toBe('sv');
});

test.each([['nn-NO', 'de'], ['no'], ['de-DE', 'nb-NO']])(
  'a browser that asks for Norwegian by any of its codes (%s) gets it',
  async (...asked) => {
    await page.addInitScript(
      (tags) => Object.defineProperty(navigator, 'languages', { value: tags }),
      asked,
    );
    await page.goto(`${stage.url}/cashier/`);
    await page.getByText('Norsk').waitFor();
    expect(await language()).toBe('nb');
  },
);

test('texts that a newer version has taken away: the page is loaded anew, in the language that was chosen', async () => {
  await isNeverIdle();
  await page.goto(`${stage.url}/cashier/?lang=en`);
  await page.getByTestId('language').waitFor();
  await page.route('**/texts-fi-*', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await choose('Suomi');
  await page.getByText('Suomi').waitFor();
  expect(await language()).toBe('fi');
});

test('texts that are not there at all: the screen stays in its language, and one that begins in it speaks English', async () => {
  await isNeverIdle();
  await page.route('**/texts-fi-*', (route) => route.fulfill({ status: 404 }));
  await page.goto(`${stage.url}/cashier/?lang=sv`);
  await page.getByTestId('language').waitFor();
  await choose('Suomi');
  // Loaded anew once, in what was chosen.
  await page.getByText('English').waitFor();
  await choose('Svenska');
  await page.getByText('Svenska').waitFor();
  await choose('Suomi');
  await stage.stillness(page);
  expect(await language()).toBe('sv');
});

test('a page of the manager’s screen that a newer version has taken away is there after the page was loaded anew', async () => {
  await isNeverIdle();
  await page.goto(`${stage.url}/manager/?lang=en`);
  await page.locator('tb-refunds-page').waitFor();
  await page.route('**/day-page-*', (route) => route.fulfill({ status: 404 }), { times: 1 });
  await page.evaluate(() => (location.hash = 'day'));
  await page.locator('tb-day-page').waitFor();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(1);
});
