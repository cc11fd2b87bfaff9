import type { Browser, BrowserContext, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RESULT } from '../../main/tills/zvt/result-codes.ts';
import { launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';

let browser: Browser;
let counter: Counter;
let context: BrowserContext;
let cashier: Page;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
beforeEach(async () => {
  counter = await Counter.open();
  context = await browser.newContext({ viewport: { width: 1024, height: 768 }, hasTouch: true });
  cashier = await context.newPage();
  await cashier.goto(`${counter.started.screens}/cashier/?lang=en`);
  await state('idle');
});
afterEach(async () => {
  await context.close();
  await counter.close();
});

const state = (kind: string): Promise<void> => cashier.locator(`[data-state="${kind}"]`).waitFor();
const sentence = (): Promise<string> => cashier.getByTestId('sentence').innerText();
const rows = async (): Promise<string[]> =>
  (await cashier.locator('[data-sale]').allInnerTexts()).map((text) =>
    text.replaceAll(/\s+/g, ' '),
  );

describe('a payment by hand', () => {
  test('by touch alone: typed, paid and captured once, and the till was told nothing', async () => {
    await cashier.getByTestId('by-hand').tap();
    for (const key of ['1', '2', '3', '00'])
      await cashier.locator(`tb-amount-pad [data-key="${key}"]`).tap();
    await cashier.getByTestId('take').tap();
    await state('waitingForCustomer');
    expect(await cashier.getByTestId('amount').innerText()).toMatch(/123\.00/);
    await counter.customerPays();
    await state('paid');
    expect(await cashier.locator('.hint').innerText()).toContain('enter it there');
    expect(await counter.serviceSays('Captured')).toMatchObject({
      amount: 123,
      captureCount: 1,
      orderId: expect.stringMatching(/^1-000001-[0-9a-f]{8}$/),
    });
    await expect
      .poll(rows, { timeout: 10_000 })
      .toEqual([expect.stringMatching(/^DKK 123\.00 \d\d:\d\d Paid · manual · Receipt 1$/)]);
    // A payment by hand is no receipt of the till's own.
    expect((await counter.till.repeatReceipt()).statusInformations).toEqual([]);
    const own = counter.till.pay(500, 'DKK');
    await counter.customerPays();
    expect(await own).toMatchObject({ ended: { by: 'completion' } });
    expect((await counter.state()).payments).toHaveLength(2);
  });

  test('by keyboard alone: with an order, cancelled, taken again; the till is busy meanwhile', async () => {
    await cashier.keyboard.press('F2');
    await cashier.keyboard.type('4500', { delay: 60 });
    await cashier.getByTestId('order-text').focus();
    await cashier.keyboard.type('Table 7', { delay: 60 });
    await cashier.keyboard.press('Enter');
    await cashier.keyboard.press('Enter');
    await state('waitingForCustomer');
    expect(await counter.serviceSays('Initiated')).toMatchObject({
      amount: 45,
      orderId: expect.stringMatching(/^Table 7-000001-[0-9a-f]{8}$/),
    });
    expect(await counter.till.pay(500, 'DKK')).toMatchObject({
      refused: RESULT.pleaseWait,
      ended: null,
    });
    await cashier.keyboard.press('Escape');
    await state('notPaid');
    await counter.serviceSays('CancelledByClient');
    await expect.poll(() => cashier.locator('.hint').innerText()).toContain('Start again here');
    await expect.poll(async () => (await rows())[0]).toMatch(/ · Table 7$/);
    await cashier.keyboard.press('F2');
    await cashier.keyboard.type('4500', { delay: 60 });
    await cashier.keyboard.press('Enter');
    await cashier.keyboard.press('Enter');
    await counter.customerPays();
    await state('paid');
    expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 45, captureCount: 1 });
    expect((await counter.state()).payments).toHaveLength(2);
  });

  test('that the process is killed in is cancelled, shown as that, and the next one works', async () => {
    const port = Number(new URL(counter.started.screens).port);
    await cashier.keyboard.press('F2');
    await cashier.keyboard.type('700', { delay: 60 });
    await cashier.keyboard.press('Enter');
    await cashier.keyboard.press('Enter');
    await state('waitingForCustomer');
    await counter.daemon.end('SIGKILL');
    await state('disconnected');
    await counter.startDaemon(port);
    expect(await counter.lastPayment()).toMatchObject({
      status: 'CancelledByClient',
      captureCount: 0,
    });
    await state('notPaid');
    expect(await sentence()).toBe('The terminal was restarted');
    await expect
      .poll(rows, { timeout: 10_000 })
      .toEqual([
        expect.stringMatching(
          /^DKK 7\.00 \d\d:\d\d The terminal was restarted · manual · Receipt 1$/,
        ),
      ]);
    await cashier.keyboard.press('F2');
    await cashier.keyboard.type('800', { delay: 60 });
    await cashier.keyboard.press('Enter');
    await cashier.keyboard.press('Enter');
    await counter.customerPays();
    await state('paid');
    expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 8, captureCount: 1 });
  });
});
