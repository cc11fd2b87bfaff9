import type { Page } from 'playwright';
import {
  cutTexts,
  onFocus,
  prepare,
  smallTargets,
  stretchedPictures,
  tabStops,
} from './in-page.ts';

const defaultFontSize = 16;

/**
 * Faults that stay: after a change of size or type, or with an answer that comes late, a page needs
 * some frames to lay itself out.
 */
async function lasting(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  await page.evaluate(prepare);
  let faults = await look();
  for (let looks = 1; looks < 10 && faults.length > 0; looks += 1) {
    await page.evaluate(
      (frames) =>
        new Promise<void>((drawn) => {
          const next = (left: number): void =>
            void (left === 0 ? drawn() : requestAnimationFrame(() => next(left - 1)));
          next(frames);
        }),
      2 * looks,
    );
    faults = await look();
  }
  return faults;
}

/** The elements that cannot be read or touched. */
export const faultsToTheEye = (page: Page): Promise<string[]> =>
  lasting(page, async () => [
    ...(await page.evaluate(cutTexts, true)),
    ...(await page.evaluate(smallTargets)),
    ...(await page.evaluate(stretchedPictures)),
  ]);

/** The elements that cannot be read when the browser's letters have twice the size. */
export async function faultsInLargeType(page: Page): Promise<string[]> {
  const debug = await page.context().newCDPSession(page);
  try {
    await debug.send('Page.setFontSizes', {
      fontSizes: { standard: 2 * defaultFontSize, fixed: 2 * defaultFontSize },
    });
    return (await lasting(page, () => page.evaluate(cutTexts, false))).map(
      (fault) => `at 200 %: ${fault}`,
    );
  } finally {
    await debug.send('Page.setFontSizes', {
      fontSizes: { standard: defaultFontSize, fixed: defaultFontSize },
    });
    await debug.detach();
  }
}

/** The controls that Tab does not reach, and those whose focus cannot be seen. */
export const faultsToTheKeyboard = (page: Page): Promise<string[]> =>
  lasting(page, () => faultsWithTab(page));

async function faultsWithTab(page: Page): Promise<string[]> {
  const stops = await page.evaluate(tabStops);
  const reached = new Set<number>();
  const wrong = new Set<string>();
  // Twice around, past the browser's own bar: where it begins depends on what had the focus before.
  // In a date, Tab goes through its parts.
  const maxPresses =
    2 * (stops.length + 3 + 4 * stops.filter((stop) => stop.includes('input[date]')).length);
  for (let presses = 0; presses < maxPresses && reached.size < stops.length; presses += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(onFocus);
    reached.add(at.stop);
    reached.delete(-1);
    if (at.wrong !== null) wrong.add(at.wrong);
  }
  return [
    ...stops.filter((_, index) => !reached.has(index)).map((stop) => `not reached by Tab: ${stop}`),
    ...wrong,
  ];
}
