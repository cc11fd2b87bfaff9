import type { Page } from 'playwright';
import { cutTexts, onFocus, prepare, smallTargets, tabStops } from './in-page.ts';

const usualFontSize = 16;

/** Whether it can be read, touched and reached; what cannot, in words. */
export async function faultsToTheEye(page: Page): Promise<string[]> {
  await page.evaluate(prepare);
  return [...(await page.evaluate(cutTexts, true)), ...(await page.evaluate(smallTargets))];
}

/** Where somebody has asked the browser for letters of twice the size, nothing is out of reach. */
export async function faultsInLargeType(page: Page): Promise<string[]> {
  const debug = await page.context().newCDPSession(page);
  try {
    await debug.send('Page.setFontSizes', { fontSizes: { standard: 2 * usualFontSize, fixed: 2 * usualFontSize } });
    await page.evaluate(prepare);
    return (await page.evaluate(cutTexts, false)).map((fault) => `at 200 %: ${fault}`);
  } finally {
    await debug.send('Page.setFontSizes', { fontSizes: { standard: usualFontSize, fixed: usualFontSize } });
    await debug.detach();
  }
}

/** By Tab alone: what it does not come to, and where nobody sees that it is. */
export async function faultsToTheKeyboard(page: Page): Promise<string[]> {
  await page.evaluate(prepare);
  const stops = await page.evaluate(tabStops);
  const reached = new Set<number>();
  const wrong = new Set<string>();
  // Twice around, past the browser's own bar: where it begins depends on what had the focus before. In a date, Tab goes through its parts.
  const mostPresses = 2 * (stops.length + 3 + 4 * stops.filter((stop) => stop.includes('input[date]')).length);
  for (let presses = 0; presses < mostPresses && reached.size < stops.length; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(onFocus);
    reached.add(at.stop);
    reached.delete(-1);
    if (at.wrong !== null) wrong.add(at.wrong);
  }
  return [...stops.filter((_, index) => !reached.has(index)).map((stop) => `not reached by Tab: ${stop}`), ...wrong];
}
