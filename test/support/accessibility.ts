import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright';
import { expect } from 'vitest';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core finds wrong with the page as it is now, through all shadow roots: nothing. */
export async function expectAccessible(page: Page): Promise<void> {
  // A colour that is just changing is neither the one nor the other.
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect?.getTiming().iterations === Infinity),
  );
  // By way of the debugger: our pages let no other script in.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run());
  const told = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target.flat().join(' ')}: ${failureSummary}`).join('\n')}`,
  );
  expect(told).toEqual([]);
}
