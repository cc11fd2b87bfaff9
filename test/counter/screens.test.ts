import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { launchChromium, scan } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { approveOnPhone } from '../support/demo-payment.ts';
import { until } from '../support/processes.ts';
import { someOf } from '../support/long.ts';

let browser: Browser;
let counter: Counter;
let cashier: Page;
let customer: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());
afterEach(async () => {
  await cashier?.context().close();
  await counter?.close();
  expect(mistakes.splice(0)).toEqual([]);
});

async function openScreens(language = 'en'): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
  const open = async (screen: string): Promise<Page> => {
    const page = await context.newPage();
    page.on('pageerror', (error) => mistakes.push(error.message));
    page.on('console', (message) => {
      // The browser's own complaint about a daemon that is away is what some tests are about.
      if (message.type() === 'error' && !message.text().includes('WebSocket'))
        mistakes.push(message.text());
    });
    await page.goto(`${counter.started.screens}/${screen}/?lang=${language}`);
    return page;
  };
  cashier = await open('cashier');
  customer = await open('customer');
  await state(cashier, 'idle');
}
const state = async (page: Page, kind: string): Promise<void> => {
  await page.locator(`[data-state="${kind}"]`).waitFor();
};
const sentence = (page: Page): Promise<string> => page.getByTestId('sentence').innerText();

// Which flow a payment takes is told apart below the screens.
describe.each(someOf(['initiate', 'prepare'] as const, 1))(
  'a payment on the screens, in the %s flow',
  (flow) => {
    beforeEach(async () => {
      counter = await Counter.open({ transport: 'serial', flow });
      await openScreens();
    });

    test('from the till’s key to "Paid": the code on either screen leads the phone to this counter', async () => {
      expect(await sentence(cashier)).toBe('Ready');
      // The service has an address of its own, so this counter takes it for a real one.
      for (const page of [cashier, customer])
        expect(await page.getByTestId('service-note').count()).toBe(0);
      const payment = counter.till.pay(123_450, 'DKK');
      await state(cashier, 'waitingForCustomer');
      expect(await sentence(cashier)).toBe('Ask the customer to scan the code');
      expect(await cashier.getByTestId('amount').innerText()).toMatch(/1,234\.50/);
      expect(await cashier.getByTestId('seconds').innerText()).toMatch(/^1(20|1\d) s left$/);
      const code = await scan(customer.locator('tb-customer'));
      expect(code).toMatch(/^walletpos:\/\/pos\?id=[0-9a-f-]{36}&source=qr$/);
      expect(await scan(cashier.locator('tb-cashier'))).toBe(code);

      await counter.customer('checkin', /id=([^&]+)/.exec(code as string)?.[1]);
      await state(cashier, 'approveInApp');
      expect(await customer.getByTestId('sentence').innerText()).toBe('Approve in the app');
      expect(await customer.getByTestId('qr').count()).toBe(0);
      await counter.customer('acceptpayment');
      await state(cashier, 'paid');
      await state(customer, 'paid');
      expect(await payment).toMatchObject({ ended: { by: 'completion' } });
      expect(await sentence(cashier)).toBe('Paid');
      expect(await counter.serviceSays('Captured')).toMatchObject({
        amount: 1234.5,
        captureCount: 1,
      });
    });

    test('the cashier cancels with the button, and with the Escape key', async () => {
      for (const cancel of [
        () => cashier.getByTestId('cancel').click(),
        () => cashier.keyboard.press('Escape'),
      ]) {
        const payment = counter.till.pay(500, 'DKK');
        await state(cashier, 'waitingForCustomer');
        await cashier.bringToFront();
        await cashier.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
        await cancel();
        await state(cashier, 'notPaid');
        expect(await sentence(cashier)).toBe('Cancelled on the cashier’s screen');
        expect((await payment).ended).toEqual({ by: 'abort', code: 0x6c });
        await counter.serviceSays('CancelledByClient');
      }
    });

    test('the customer refuses', async () => {
      const payment = counter.till.pay(500, 'DKK');
      await state(cashier, 'waitingForCustomer');
      await counter.customer('checkin');
      await state(cashier, 'approveInApp');
      await counter.customer('cancelpaymentbyuser');
      await state(cashier, 'notPaid');
      expect(await sentence(cashier)).toBe('The customer declined');
      expect((await payment).ended).toEqual({ by: 'abort', code: 0x05 });
    });
  },
);

describe('the screens', () => {
  test('tell the truth while the daemon is away, and after it was killed: never an old amount', async () => {
    counter = await Counter.open();
    await openScreens();
    void counter.till.pay(98_700, 'DKK');
    await state(cashier, 'waitingForCustomer');
    const port = new URL(counter.started.screens).port;
    await counter.daemon.end('SIGKILL');
    await state(cashier, 'disconnected');
    await state(customer, 'disconnected');
    expect(await cashier.locator('body').innerText()).not.toContain('987');
    expect(await sentence(cashier)).toBe('No connection to the terminal');
    expect(await sentence(customer)).toBe('One moment, please');
    expect(await customer.getByTestId('qr').count()).toBe(0);
    await counter.startDaemon(Number(port));
    await state(cashier, 'notPaid');
    expect(await sentence(cashier)).toBe('The terminal was restarted');
    expect((await counter.lastPayment())?.status).toBe('CancelledByClient');
  });

  test('say that the till is gone, and that it is back', async () => {
    counter = await Counter.open({ transport: 'serial' });
    await openScreens();
    await counter.cable?.pull();
    await cashier.getByText('Till: no cable').waitFor();
    await counter.cable?.plugIn();
    await cashier.getByText(/Till: waiting/).waitFor();
  });

  test('keep a banner for money that the service has not confirmed, until it has', async () => {
    counter = await Counter.open();
    await openScreens('da');
    await counter.fault({ operation: 'capturePayment', kind: 'status500', times: 1_000 });
    const payment = counter.till.pay(4_200, 'DKK');
    await counter.customerPays();
    await payment;
    await state(cashier, 'paid');
    const banner = cashier.getByTestId('unsettled');
    await banner.waitFor();
    expect(await banner.innerText()).toMatch(/42,00\skr\.: godkendt; hæves, ikke bekræftet\./);
    await counter.noFaults();
    await counter.serviceSays('Captured');
    await banner.waitFor({ state: 'detached' });
  });

  test('switch their language at once, and keep it', async () => {
    counter = await Counter.open();
    await openScreens();
    await cashier.getByTestId('language').click();
    await cashier.getByRole('menuitemradio', { name: 'Dansk' }).click();
    expect(await sentence(cashier)).toBe('Klar');
    await cashier.goto(`${counter.started.screens}/cashier/`);
    await state(cashier, 'idle');
    expect(await sentence(cashier)).toBe('Klar');
    expect(await cashier.locator('html').getAttribute('lang')).toBe('da');
  });

  test('are for this machine alone: no other page can drive them', async () => {
    counter = await Counter.open();
    const { port } = new URL(counter.started.screens);
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      request({ host: '127.0.0.1', port, headers: { host: 'tillbeacon.example' } }, (answer) =>
        resolve(answer.statusCode),
      ).end();
    });
    expect(status).toBe(403);
    const { WebSocket } = await import('ws');
    const connect = (origin: string): Promise<string> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/screens`, { origin });
        socket.on('open', () => resolve('open'));
        socket.on('error', (error) => resolve(error.message));
      });
    expect(await connect('http://evil.example')).toContain('403');
    expect(await connect(`http://127.0.0.1:${port}`)).toBe('open');
    const outside = await fetch(`${counter.started.screens}/..%2f..%2fpackage.json`);
    expect(outside.status).toBe(404);
  });
});

describe('the demonstration', () => {
  test('takes a payment from keypad to receipt, with the frames on show', async () => {
    const { Product } = await import('../support/processes.ts');
    const { mkdtempSync } = await import('node:fs');
    const demo = new Product('daemon', [
      '--demo',
      '--port',
      '0',
      '--data',
      mkdtempSync('/tmp/tillbeacon-demo-'),
    ]);
    await until(() => demo.lines.length > 0, 'the demonstration');
    const url = /http:\/\/127\.0\.0\.1:\d+\/demo\//.exec(demo.lines[0] as string)?.[0] as string;
    const page = await browser.newPage({ viewport: { width: 1366, height: 768 } });
    await page.goto(`${url}?lang=en`);
    for (const key of ['C', '1', '0', '1', '0'])
      await page.locator(`button[data-key="${key}"]`).click();
    await page.getByTestId('pay').click();
    const cashierFrame = page.frameLocator('iframe[title="Cashier"]');
    await cashierFrame.locator('[data-state="waitingForCustomer"]').waitFor();
    // The page around it says it already; a screen of its own says it itself.
    expect(await cashierFrame.getByTestId('service-note').count()).toBe(0);
    const alone = await browser.newPage();
    for (const screen of ['cashier', 'customer']) {
      await alone.goto(`${url.replace('/demo/', `/${screen}/`)}?lang=en`);
      await alone.getByText('Simulated service: no money moves').waitFor();
    }
    await alone.close();
    await approveOnPhone(page);
    await page.getByTestId('receipt').waitFor();
    expect(await page.getByTestId('receipt').innerText()).toMatch(/DKK 10\.10/);
    expect(await page.getByTestId('till-display').innerText()).toBe('Paid');
    const typed = async (): Promise<string> =>
      (await page.getByTestId('typed').innerText()).replaceAll(/\s/g, ' ');
    expect(await typed()).toBe('DKK 10.10');
    // All of the receipt comes into view, also where the page is lower than the till.
    await expect
      .poll(() =>
        page.getByTestId('receipt').evaluate((paper) => {
          const { top, bottom } = paper.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight + 1;
        }),
      )
      .toBe(true);
    // What is typed next is not what was paid.
    await page.locator('button[data-key="00"]').click();
    expect(await page.getByTestId('till-display').innerText()).toBe('Ready');
    expect(await typed()).toBe('DKK 1,010.00');
    const log = await page.getByTestId('log').innerText();
    expect(log).toContain('Authorisation 06 01: amount 10.10 DKK');
    expect(log).toContain('06 01 0A 04 00 00 00 00 10 10 49 02 08');
    await page.getByTestId('status').click();
    await page.getByText('Status enquiry 05 01').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Demonstration');
    const shows = (text: string): Promise<void> =>
      page.locator('[data-testid="till-display"]', { hasText: text }).waitFor();
    await shows('Status: ready');

    await page.getByTestId('refund').click();
    await shows('Refunded');
    expect(await typed()).toBe('DKK 10.10');
    await page.getByTestId('status').click();
    await shows('Status: ready');
    await page.getByTestId('repeatReceipt').click();
    await shows('Copy: Refunded');
    expect(await typed()).toBe('DKK 10.10');
    // The till speaks the screen's language, and its receipts do.
    await page.goto(`${url}?lang=da`);
    await page.getByTestId('repeatReceipt').click();
    await shows('Kopi: Refunderet');
    await expect.poll(typed).toBe('10,10 kr.');
    await expect.poll(() => page.getByTestId('receipt').innerText()).toMatch(/refunderet/i);
    await page.goto(`${url}?lang=en`);
    await page.getByTestId('freeze').click();
    await page.getByText('The wallet service answers nobody.').waitFor();
    await page.getByTestId('pay').click();
    await cashierFrame.getByText('Keep the goods.').waitFor();
    await page.getByTestId('freeze').click();
    await page.getByText('See what a counter does').waitFor();
    await page.getByTestId('abort').click();
    await shows('Not paid');
    const pin =
      /^Sign in as Ada, PIN (\d+)\.$/.exec(
        await page.getByTestId('manager-pin').innerText(),
      )?.[1] ?? '';
    const [manager] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByTestId('manager').click(),
    ]);
    await manager.getByText('Ada').click();
    await manager.locator('tb-pin-pad:focus').waitFor();
    await manager.keyboard.type(pin);
    await manager.keyboard.press('Enter');
    await manager.getByText('DKK 10.10').first().waitFor();
    await manager.close();
    await page.close();
    await demo.end();
    expect((await demo.exited).code).toBe(0);
  });

  test('goes on after a kill with what was paid before, and a manager refunds it; books that nobody can read keep nobody from trying', async () => {
    const { Product } = await import('../support/processes.ts');
    const { mkdtempSync, writeFileSync } = await import('node:fs');
    const data = mkdtempSync('/tmp/tillbeacon-demo-');
    writeFileSync(`${data}/simulator.books`, 'of another time\n');
    const start = async () => {
      const demo = new Product('daemon', ['--demo', '--port', '0', '--data', data]);
      await until(() => demo.lines.length > 0, 'the demonstration');
      return {
        demo,
        url: /http:\/\/127\.0\.0\.1:\d+\//.exec(demo.lines[0] as string)?.[0] as string,
      };
    };
    const first = await start();
    const page = await browser.newPage();
    await page.goto(`${first.url}demo/?lang=en`);
    await page.getByTestId('pay').click();
    await approveOnPhone(page);
    await page.getByTestId('receipt').waitFor();
    await first.demo.end('SIGKILL');
    const { demo, url } = await start();
    await page.goto(`${url}manager/?lang=en`);
    await page.getByText('Ada').click();
    await page.locator('tb-pin-pad:focus').waitFor();
    await page.keyboard.type('4711');
    await page.keyboard.press('Enter');
    await page.getByText('DKK 12.34').click();
    await page.getByRole('button', { name: 'Refund', exact: true }).click();
    await page.getByRole('radio', { name: 'Goods returned' }).check();
    await page.getByRole('button', { name: 'Refund DKK 12.34' }).click();
    await page.locator('[data-testid="refund"][data-state="refunded"]').waitFor();
    await page.close();
    await demo.end();
  });
});
