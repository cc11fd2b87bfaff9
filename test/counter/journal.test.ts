import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { afterEach, describe, expect, test } from 'vitest';
import { PagePool, launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { openManager, signIn } from '../support/manager.ts';
import { ContractLine } from '../support/manager-books.ts';
import { Product, until } from '../support/processes.ts';

let counter: Counter | null = null;
let browser: Browser | null = null;
afterEach(async () => {
  await browser?.close();
  browser = null;
  await counter?.close();
  counter = null;
});
const openCounter = async (): Promise<Counter> =>
  (counter = await Counter.open({ transport: 'tcp' }));

async function journal(
  folder: string,
  ...args: string[]
): Promise<{ code: number | null; out: string; err: string }> {
  const tool = new Product('journal', [...args, '--data', join(folder, 'data')]);
  const { code } = await tool.exited;
  return { code, out: tool.lines.join('\n'), err: tool.stderr };
}

async function pay(at: Counter, amountMinor: number): Promise<void> {
  const payment = at.till.pay(amountMinor, 'DKK');
  await at.customerPays();
  expect(await payment).toMatchObject({ ended: { by: 'completion' } });
  await at.serviceSays('Captured');
}

describe('one data folder', () => {
  test('a second daemon refuses in one line that names the first, and starts once the first was killed', async () => {
    const shop = await openCounter();
    const second = new Product('daemon', [
      '--settings',
      join(shop.folder, 'settings.json'),
      '--data',
      join(shop.folder, 'data'),
      '--port',
      '0',
    ]);
    expect(await second.exited).toMatchObject({ code: 1 });
    const said = second.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
    expect(said).toEqual([
      expect.stringMatching(
        new RegExp(
          `^the data folder .* is in use by another Tillbeacon: process ${shop.daemon.child.pid}, since 20\\d\\d-`,
        ),
      ),
    ]);
    await shop.restartDaemon('SIGKILL');
    await pay(shop, 500);
  });
});

describe('npm run journal, while the daemon runs', () => {
  test('verify says that the journal is whole, and show tells the whole story of a payment by any of its names', async () => {
    const shop = await openCounter();
    await pay(shop, 1234);
    const { paymentId, orderId } = (await shop.lastPayment()) as {
      paymentId: string;
      orderId: string;
    };
    await until(
      async () => !(await journal(shop.folder, 'verify')).out.includes('open:'),
      'the capture to be on disk',
    );
    expect(await journal(shop.folder, 'verify')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/ of 1 sales and 0 refunds\nintact: /),
    });
    for (const wanted of [[paymentId], [orderId], [orderId.slice(-6)], ['1', '--lane', '1']]) {
      const { code, out } = await journal(shop.folder, 'show', ...wanted);
      expect([wanted, code]).toEqual([wanted, 0]);
      for (const told of [
        '12.34 DKK, paid',
        'asked by the till at 127.0.0.1:',
        `order ${orderId}`,
        paymentId,
        'the till accepted "paid"',
        'the service confirmed the capture',
        'idempotencyKey',
      ])
        expect(out).toContain(told);
    }
    expect(await journal(shop.folder, 'show', 'nobody')).toMatchObject({
      code: 1,
      err: 'the journal has no payment nobody\n',
    });
  });

  test('export gives the day’s payments to a spreadsheet', async () => {
    const shop = await openCounter();
    await pay(shop, 1234);
    await pay(shop, 500);
    const now = new Date();
    const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
    const { code, out } = await journal(shop.folder, 'export', '--from', today, '--to', today);
    expect(code).toBe(0);
    const [head, first, second, ...more] = out
      .split('\n')
      .map((line) => line.trimEnd().replaceAll('"', '').split(','));
    expect(head?.slice(1, 9)).toEqual([
      'kind',
      'lane',
      'receipt',
      'trace',
      'amount',
      'booked',
      'currency',
      'state',
    ]);
    expect(first?.slice(1, 9)).toEqual(['sale', '1', '1', '1', '12.34', '12.34', 'DKK', 'paid']);
    expect(second?.slice(1, 7)).toEqual(['sale', '1', '2', '2', '5.00', '5.00']);
    expect(more).toEqual([]);
    expect(
      (
        await journal(shop.folder, 'export', '--from', '2020-01-01', '--to', '2020-12-31')
      ).out.split('\n'),
    ).toHaveLength(1);
  });

  test.each([
    [[], /^there is no command --data\nusage: /],
    [['weigh'], /^there is no command weigh\nusage: /],
    [['show', '17'], /^PAYMENT: must have at least 4 characters/],
    [['show', 'abcd', '--lane', '1'], /^RECEIPT: must be a number/],
    [['export', '--from', '2026-02-30', '--to', '2026-03-01'], /^--from: must be a day such as/],
    [['export', '--from', '0001-01-01', '--to', '2026-03-01'], /^--from: must be a day such as/],
    [['export', '--from', '2026-03-01', '--to', '9999-12-31'], /^--to: must be a day such as/],
    [['export', '--from', '2026-03-02', '--to', '2026-03-01'], /^--to: must not be before --from/],
    [['export', '--from', '2026-03-02'], /^--to: is missing\nusage: /],
    [
      ['export', '--lane', '1', '--from', '2026-03-01', '--to', '2026-03-02'],
      /^Unknown option '--lane'/,
    ],
    [['verify', '--from', '2026-03-01'], /^Unknown option '--from'/],
    [['verify', '--speed', 'high'], /--speed/],
  ])('%j is refused with a sentence', async (args, sentence) => {
    expect(await journal('/nowhere', ...args)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(sentence),
    });
  });
});

test('a damaged journal: verify says so, the next start repairs it and goes on selling, and what was lost stays on record', async () => {
  const shop = await openCounter();
  await pay(shop, 1234);
  await pay(shop, 500);
  await shop.daemon.end();
  const file = join(join(shop.folder, 'data'), 'journal.sqlite');
  const content = readFileSync(file);
  const at = content.lastIndexOf('"amountMinor":1234');
  content.write('9', at + '"amountMinor":'.length);
  writeFileSync(file, content);
  expect(await journal(shop.folder, 'verify')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/DAMAGED[^]*event 1: it, or its seal, was changed/),
  });
  await shop.till.close();
  await shop.startDaemon();
  shop.till = await shop.connectTill();
  await expect
    .poll(() => shop.daemon.log())
    .toContainEqual(
      expect.objectContaining({
        msg: 'the journal was damaged and is repaired',
        savedSales: 1,
        lost: 1,
      }),
    );
  await pay(shop, 700);
  const { code, out } = await journal(shop.folder, 'verify');
  expect(out).toMatch(
    /^repaired .*; sales saved: 1, not saved: 1; the damaged file is .*journal\.damaged-.*\.sqlite$/m,
  );
  expect(out).toMatch(/not saved: order 1-000001-/);
  expect(code).toBe(0);

  // Cashier and manager are warned, at this start and at the next one, until a manager says that
  // support knows.
  const manager = await ContractLine.ofAda(shop);
  manager.close();
  await shop.restartDaemon('SIGKILL');
  browser = await launchChromium();
  const cashier = await (await browser.newContext()).newPage();
  await cashier.goto(`${shop.started.screens}/cashier/?lang=en`);
  const warning = 'One payment could not be read: call support before refunding anything.';
  await cashier.getByText(warning).waitFor();
  const page = await openManager({
    pages: new PagePool(browser, () => {}),
    counter: shop,
    show: 'health',
  });
  await signIn(page);
  await page.getByText(warning).waitFor();
  await page.getByTestId('note-damage').click();
  await page.getByTestId('keep').click();
  await page.getByTestId('note-damage').click();
  await page.getByTestId('note-now').click();
  await page.getByText('The payment journal is intact').waitFor();
  await expect.poll(() => page.getByText(warning).count()).toBe(0);
  await expect.poll(() => cashier.getByText(warning).count()).toBe(0);
  await shop.restartDaemon('SIGKILL');
  await cashier.goto(`${shop.started.screens}/cashier/?lang=en`);
  await cashier.locator('[data-state="idle"]').waitFor();
  expect(await cashier.getByText(warning).count()).toBe(0);
  expect((await journal(shop.folder, 'verify')).out).toMatch(/not saved: order 1-000001-/);
});
