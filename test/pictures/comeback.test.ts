import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { openPage, type Scene, Stage } from './stage.ts';
import { dayOf } from './states/manager-day.ts';
import { managers, session } from './states/manager-shared.ts';
import { storyOf } from './states/manager-refunds.ts';

/**
 * What the manager’s screen shows at every moment while its connection is cut and payments go on.
 * The other screens: test/counter.
 */

let browser: Browser;
let stage: Stage;
let page: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  stage = await Stage.open();
  page = await openPage(browser, { mistakes });
});
afterEach(async () => {
  await page.context().close();
  await stage.close();
  expect(mistakes.splice(0)).toEqual([]);
});

/** Writes down every other thing that the page says, from now on, as fast as it is drawn. */
async function watchWords(): Promise<void> {
  await page.evaluate(() => {
    const wordsOf = (node: Node): string => {
      if (
        node instanceof Element &&
        getComputedStyle(node).display !== 'contents' &&
        !node.checkVisibility()
      )
        return '';
      if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? '';
      const slotted = node instanceof HTMLSlotElement ? node.assignedNodes() : [];
      const within =
        node instanceof Element && node.shadowRoot !== null
          ? node.shadowRoot.childNodes
          : slotted.length > 0
            ? slotted
            : node.childNodes;
      return node instanceof HTMLStyleElement || node instanceof HTMLScriptElement
        ? ''
        : [...within].map(wordsOf).join(' ');
    };
    const sentences: string[] = [];
    Object.assign(globalThis, { said: sentences });
    const look = (): void => {
      const words = wordsOf(document.body).replace(/\s+/g, ' ').trim();
      if (words !== sentences.at(-1)) sentences.push(words);
      requestAnimationFrame(look);
    };
    look();
  });
}
const said = (): Promise<string[]> =>
  page.evaluate(() => (globalThis as unknown as { said: string[] }).said.splice(0));

const manager = managers.slice(0, 1);
/** Answers late, as with a busy disk, so that what is shown until then is seen. */
async function slowly<Value>(value: Value): Promise<Value> {
  await new Promise((answer) => setTimeout(answer, 300));
  return value;
}

/**
 * Cuts the line, lets the world go on, and signs in again when it is back. @returns all that stood
 * on the screen from the cut on
 */
async function cutAndComeBack(meanwhile: Scene): Promise<string[]> {
  await watchWords();
  await stage.close();
  await page.locator('[data-state="disconnected"]').waitFor();
  await said();
  stage.play(meanwhile);
  const from = performance.now();
  await stage.listen();
  await page.locator('tb-pin-pad:focus').waitFor();
  process.stdout.write(
    `the manager’s screen: back ${Math.round(performance.now() - from)} ms after the daemon was\n`,
  );
  const [away, ...after] = await said();
  expect(away).toContain('No connection');
  await page.keyboard.type('1234');
  await page.keyboard.press('Enter');
  await page.getByTestId('signed-in').waitFor();
  await stage.stillness(page);
  await page.waitForTimeout(500);
  const words = [away ?? '', ...after, ...(await said())];
  expect(words.filter((one) => !one.includes('Signed in') && /\d\.\d\d/.test(one))).toEqual([]);
  return words;
}

test('an open refund is gone with the line, and comes back with what is left of the payment by then', async () => {
  const scene = (isSignedIn: boolean, leftMinor: number): Scene => {
    const story = storyOf({ leftMinor });
    return {
      answers: {
        ...session(manager, isSignedIn),
        signIn: () => ({ name: 'Ada Lund', hasWeakPin: false }),
        findSales: () => slowly({ sales: [story.sale], next: null }),
        saleStory: () => slowly(story),
      },
    };
  };
  stage.play(scene(true, 12_900));
  await page.goto(`${stage.url}/manager/?lang=en#refunds/${storyOf({}).sale.saleId}`);
  await page.getByTestId('refund-begin').click();
  await page.getByTestId('refund-confirm').getByText('129.00').waitFor();
  const words = await cutAndComeBack(scene(false, 4_100));
  // 129.00 was the amount of the payment; it is no longer what is left of it.
  expect(words.filter((one) => /Left to refund DKK 129|Refund DKK 129/.test(one))).toEqual([]);
  expect(words.at(-1)).toContain('Left to refund DKK 41.00');
  expect(words.at(-1)).toContain('Refund DKK 41.00');
});

test('the day’s figures are gone with the line, and come back as they are by then', async () => {
  const scene = (isSignedIn: boolean, sumMinor: number): Scene => ({
    answers: {
      ...session(manager, isSignedIn),
      signIn: () => ({ name: 'Ada Lund', hasWeakPin: false }),
      closings: () => ({ closings: [] }),
      day: () => slowly(dayOf(sumMinor)),
    },
  });
  stage.play(scene(true, 98_765));
  await page.goto(`${stage.url}/manager/?lang=en#day`);
  await page.getByText('987.65').first().waitFor();
  const words = await cutAndComeBack(scene(false, 123_400));
  expect(words.filter((one) => one.includes('987.65'))).toEqual([]);
  expect(words.at(-1)).toContain('1,234.00');
});
