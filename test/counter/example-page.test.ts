/**
 * The till that is a web page, in `examples/page`, in a real browser and over the whole product.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';

const read = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../examples/page', name), 'utf8');

let pages: Server;
let counter: Counter;
let browser: Awaited<ReturnType<typeof launchChromium>>;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  pages = createServer(({ url }, response) => {
    const isScript = url === '/till.ts';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    const script = stripTypeScriptTypes(read('till.ts'));
    const api = counter.started.api ?? '';
    response.end(isScript ? script.replace('http://127.0.0.1:4182', api) : read('index.html'));
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
  counter = await Counter.open({
    transport: 'http',
    more: async () => ({ settings: { api: { port: 0, origins: [origin] } } }),
  });
  browser = await launchChromium();
  context = await browser.newContext();
  await open(origin);
});
afterAll(async () => {
  await browser?.close();
  pages?.close();
  await counter?.close();
});

async function open(origin: string): Promise<void> {
  page = await context.newPage();
  await page.goto(origin);
  await page.getByLabel('Token').fill(counter.token);
}
const result = () => page.getByRole('status');
async function pay(amount: string): Promise<void> {
  await page.getByLabel('Amount').fill(amount);
  await page.getByRole('button', { name: 'Pay' }).click();
}

test('the page is paid', async () => {
  await pay('12.34');
  await expect.poll(() => result().innerText()).toContain('12.34 DKK: please scan the code.');
  await counter.customerPays();
  await expect.poll(() => result().innerText()).toMatch(/^Paid\. Receipt \d+\.$/);
});

test('the page is closed while the customer is asked, and opened again asks for the same payment', async () => {
  await pay('5.00');
  await expect.poll(() => result().innerText()).toContain('5.00 DKK: please scan the code.');
  const before = counter.started.api;
  const url = page.url();
  await page.close();
  await open(url);
  await pay('99.00');
  await expect.poll(() => result().innerText()).toContain('5.00 DKK: please scan the code.');
  await counter.customerPays();
  await expect.poll(() => result().innerText()).toMatch(/^Paid\. Receipt \d+\.$/);
  expect(counter.started.api).toBe(before);
});

test('the page cancels, and says so', async () => {
  await pay('7');
  await expect.poll(() => result().innerText()).toContain('7.00 DKK: please scan the code.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => result().innerText()).toBe('Not paid: cancelledByTill.');
});

test('the page forgets a payment that was refused before it began', async () => {
  await page.getByLabel('Token').fill('tbt_unknown');
  await pay('8');
  await expect.poll(() => result().innerText()).toContain('The token is missing or unknown');
  await page.getByLabel('Token').fill(counter.token);
  await pay('9');
  await expect.poll(() => result().innerText()).toContain('9.00 DKK: please scan the code.');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => result().innerText()).toBe('Not paid: cancelledByTill.');
});
