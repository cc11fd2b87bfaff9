import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';
import { chosen, isLong } from './long.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Contrast takes most of the time and is the same in each language. */
const parts = {
  everything: {},
  colours: { runOnly: ['color-contrast'] },
  'all but colours': { rules: { 'color-contrast': { enabled: false } } },
} satisfies Record<string, RunOptions>;

type Axe = { run(options: RunOptions): Promise<AxeResults> };

/** The faults that axe-core finds in the page, through all shadow roots. */
export async function accessibilityFaults(
  page: Page,
  part: keyof typeof parts = 'everything',
): Promise<string[]> {
  // A colour that is just changing is neither the one nor the other.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ playState, effect }) =>
          playState !== 'running' || effect?.getTiming().iterations === Infinity,
      ),
  );
  // Added through the debugger, because our pages load no other scripts.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options: RunOptions = { resultTypes: ['violations'], ...parts[part] };
  // Put into words in the page: the rest of the result is long and not looked at.
  return page.evaluate(async (options) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options);
    return violations.map(
      ({ id, help, nodes }) =>
        `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target.flat().join(' ')}: ${failureSummary}`).join('\n')}`,
    );
  }, options);
}

let runs = 0;

/**
 * Fails with what axe-core finds. The pictures judge these states too: without the long run a
 * fourth is judged here, another one each time.
 */
export async function expectAccessible(page: Page): Promise<void> {
  runs += 1;
  if (!isLong && chosen(4, `${expect.getState().testPath} ${runs}`) > 0) return;
  expect(await accessibilityFaults(page)).toEqual([]);
}
