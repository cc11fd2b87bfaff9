import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { faultsInLargeType, faultsToTheEye, faultsToTheKeyboard } from './look.ts';

/** The checks that judge every screen, each shown a fault that it has to find. */

let browser: Browser;
let page: Page;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1024, height: 768 } });
});
const show = (body: string): Promise<void> =>
  page.setContent(
    `<!doctype html><style>body { margin: 0; font: 16px sans-serif } button { min-width: 48px; min-height: 48px }</style>${body}`,
  );

test('a page in order has no fault', async () => {
  await show(
    '<p>All of it</p><button>Go on</button><div style="height: 60px; overflow: auto" tabindex="0"><p style="height: 400px">Far</p><p>down</p></div>',
  );
  expect([
    ...(await faultsToTheEye(page)),
    ...(await faultsInLargeType(page)),
    ...(await faultsToTheKeyboard(page)),
  ]).toEqual([]);
});

test.each([
  [
    'text behind three dots',
    '<p style="width: 40px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">Somewhat longer</p>',
    /^cut: "Somewhat longer"/,
  ],
  [
    'text beyond the edge of the screen',
    '<style>html, body { height: 100%; overflow: hidden }</style><p style="position: absolute; left: 990px; white-space: nowrap">Somewhat longer</p>',
    /^cut: "Somewhat longer"/,
  ],
  [
    'what a list cannot show of its choice',
    '<select style="width: 60px; height: 48px"><option>Somewhat longer</option></select>',
    /^cut: Somewhat longer/,
  ],
  [
    'what should be typed, where there is no room to say it',
    '<input placeholder="Somewhat longer" style="width: 50px; height: 48px">',
    /^cut: Somewhat longer/,
  ],
  [
    'text with something on it',
    '<p>Below</p><div style="position: absolute; top: 0; width: 200px; height: 60px; background: red"></div>',
    /^covered: "Below"/,
  ],
  [
    'what is wider than its room',
    '<div style="width: 300px; overflow: auto"><p style="width: 400px">Wide</p></div>',
    /^scrolls sideways/,
  ],
  [
    'a picture out of its shape',
    `<img alt="code" style="width: 100px; height: 60px" src="data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>')}">`,
    /^stretched: img/,
  ],
  [
    'a button for a needle',
    '<button style="min-height: 30px; height: 30px">Go on</button>',
    /^\d+×30: button/,
  ],
])('it sees %s', async (_what, body, fault) => {
  await show(body);
  expect(await faultsToTheEye(page)).toEqual([expect.stringMatching(fault)]);
});

test('it sees what large letters push out of reach', async () => {
  await show(
    '<style>html, body { height: 100%; overflow: hidden; font-size: 1rem }</style><div style="padding-top: 745px">Last line</div>',
  );
  expect(await faultsToTheEye(page)).toEqual([]);
  expect(await faultsInLargeType(page)).toEqual([
    expect.stringMatching(/^at 200 %: cut: "Last line"/),
  ]);
});

test('it sees what the keyboard does not come to, and where it comes to unseen', async () => {
  await show(
    '<button>One</button><button onfocus="this.blur()">Two</button><button style="outline: 0">Three</button>',
  );
  expect(await faultsToTheKeyboard(page)).toEqual([
    'not reached by Tab: button "Two"',
    'focus not to be seen: button "Three"',
  ]);
});
