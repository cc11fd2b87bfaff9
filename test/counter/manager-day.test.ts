import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { PagePool, launchChromium } from '../support/browser.ts';
import { decodeBcd } from '../../main/tills/zvt/bcd.ts';
import { BMP } from '../../main/tills/zvt/bitmaps.ts';
import { positiveAnswer } from '../../main/tills/zvt/packets.ts';
import { Counter } from '../support/counter.ts';
import { isLong } from '../support/long.ts';
import {
  collectMistakes,
  type ManagerScreenOptions,
  openManager,
  printed,
  read,
  signIn,
} from '../support/manager.ts';
import { ContractLine, paidSale, refundSale } from '../support/manager-books.ts';
import { until } from '../support/processes.ts';

let browser: Browser;
let pages: PagePool;
let counter: Counter;
let manager: ContractLine;
let page: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  pages = new PagePool(browser, (made) => collectMistakes(made, mistakes));
});
afterAll(() => browser.close());
beforeEach(async () => {
  counter = await Counter.open({ pollDelayMs: 50 });
  manager = await ContractLine.ofAda(counter);
});
afterEach(async () => {
  await pages.clear();
  manager?.close();
  await counter?.close();
  expect(mistakes.splice(0)).toEqual([]);
});

async function open(about: Partial<ManagerScreenOptions> = {}): Promise<void> {
  page = await openManager({ pages, counter, show: 'day', ...about });
  await signIn(page);
  await at('day').waitFor();
}
const pay = async (amountMinor: number): Promise<string> =>
  (await paidSale(counter, manager, amountMinor)).saleId;
async function refund(saleId: string, amountMinor: number): Promise<void> {
  await refundSale(manager, saleId, amountMinor);
  await until(
    async () => (await manager.value('saleStory', { saleId })).refunds[0]?.state === 'refunded',
    'the refund to end',
  );
}
const at = (id: string): Locator => page.getByTestId(id);
/** A row of a table, as its cells stand. */
const cells = async (row: Locator): Promise<string[]> =>
  (await row.locator('th, td').allInnerTexts()).map((text) => text.replaceAll('\u00a0', ' '));

describe('a manager', () => {
  test('by touch: reads the day, closes it, prints the report, and closes again from there', async () => {
    await refund(await pay(25_000), 10_000);
    await pay(1_250);
    await open({ hasTouch: true });
    expect(await read(at('payments-DKK'))).toBe('Payments · 2\nDKK 262.50');
    expect(await read(at('refunds-DKK'))).toBe('Refunds · 1\nDKK 100.00');
    expect(await read(at('net-DKK'))).toBe('Net\nDKK 162.50');
    const [file] = await Promise.all([page.waitForEvent('download'), at('save-day').tap()]);
    expect(file.suggestedFilename()).toMatch(/^Day \d{4}-\d\d-\d\d\.csv$/);
    expect(readFileSync(await file.path(), 'utf8')).toMatch(
      /"Check-out 1","DKK","2",262\.50,"1",100\.00,162\.50,,,,\r\n$/,
    );
    await page.getByText('As a table').tap();
    const hours = at('hours-DKK').locator('tbody tr');
    expect(
      (await Promise.all((await hours.all()).map(cells)))
        .filter(([, sum]) => sum !== 'DKK 0.00 · 0')
        .map(([, sum]) => sum),
    ).toEqual(['DKK 262.50 · 2']);
    await page.getByText('Nothing is open: every payment and every refund has ended.').waitFor();
    await page.getByText('No day has been closed yet.').waitFor();

    await at('close-day').tap();
    await page
      .getByText('From the start until now: no report of all lanes together has been made yet.')
      .waitFor();
    expect((await manager.value('closings', { before: null })).closings).toEqual([]);
    await at('close-confirm').tap();
    await page.getByText('The day is closed: report 1.').waitFor();
    const totals = page.locator('tb-closing-report table').first().locator('tr');
    expect(await Promise.all((await totals.all()).map(cells))).toEqual([
      ['Check-out 1'],
      ['Payments', '2', 'DKK 262.50'],
      ['Refunds', '1', 'DKK 100.00'],
      ['Net', '', 'DKK 162.50'],
    ]);

    const paper = await printed(page, () => at('print-report').tap());
    expect(paper).toMatch(/^VAT no\. DK90000028\nClosing report 1\nLane\nAll lanes\n/);
    expect(paper).toContain('Ada Lund');
    expect(paper).toContain('Signature');
    // A roll of 80 mm as well as a sheet: nothing is wider than the paper.
    for (const width of [302, 794]) {
      await page.setViewportSize({ width, height: 1_100 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'screen' });
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByTestId('close').tap();

    await pay(700);
    await at('close-day').tap();
    await page.getByText(/^All lanes\. From .*, when report 1 ended, until now\.$/).waitFor();
    await at('close-confirm').tap();
    await page.getByText('The day is closed: report 2.').waitFor();
    expect(await cells(totals.nth(1))).toEqual(['Payments', '1', 'DKK 7.00']);
    const [second, first] = (await manager.value('closings', { before: null })).closings;
    expect(second?.fromMs).toBe(first?.toMs);
    await page.getByTestId('close').tap();

    // The first report is unchanged.
    expect(await read(at('closing').nth(1))).toMatch(
      /^Closing report 1\n.* · Ada Lund · All lanes\nDKK 162\.50$/,
    );
    await at('closing').nth(1).tap();
    await at('print-report').waitFor();
    expect(await cells(totals.nth(1))).toEqual(['Payments', '2', 'DKK 262.50']);
  });

  test('by keyboard alone, in Swedish: looks at another day, is told what is open, and does not close over a payment under way', async () => {
    // Told as paid; the service does not confirm.
    await counter.fault({ operation: 'capturePayment', times: 1_000, kind: 'status500' });
    const paid = counter.till.pay(25_000, 'DKK');
    await counter.customerPays();
    await paid;
    await open({ language: 'sv' });
    await until(
      async () => /Betalning · 250,00 \S+ är godkänt/.test(await read(at('open-money'))),
      'what is open',
    );
    expect(await read(at('open-money'))).toContain('tjänsten har inte bekräftat');

    await at('earlier').focus();
    await page.keyboard.press('Enter');
    await at('no-payments').waitFor();
    expect(await at('yesterday').getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Tab');
    await at('later').focus();
    await page.keyboard.press('Enter');
    await at('net-DKK').waitFor();

    void counter.till.pay(900, 'DKK');
    await counter.serviceSays('Initiated');
    await at('close-day').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="close-confirm"]:focus').waitFor();
    await page
      .getByText('Ett belopp är fortfarande öppet och står som öppet i rapporten.')
      .or(page.getByText('2 belopp är fortfarande öppna'))
      .waitFor();
    await page.keyboard.press('Enter');
    expect(await read(at('close-refused'))).toBe(
      'En betalning eller återbetalning pågår just nu. Vänta tills den är klar och avsluta sedan dagen.',
    );
    expect((await manager.value('closings', { before: null })).closings).toEqual([]);
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="close-day"]:focus').waitFor();

    await page.locator('[data-testid="open-money"] a').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('#payment-title:focus').waitFor();
    expect(await read(at('payment-title'))).toMatch(/^250,00 /);
  });
});

test('a closing whose answer was lost is not made twice: it is shown', async () => {
  await pay(1_250);
  const lost = new Set<string>();
  await open({
    prepare: (tab) =>
      tab.routeWebSocket(/screens$/, (socket) => {
        const daemon = socket.connectToServer();
        socket.onMessage((message) => {
          const { i: id = '', m: name } = JSON.parse(String(message)) as { i?: string; m: string };
          if (name === 'closeDay' && lost.size === 0) lost.add(id);
          daemon.send(message);
        });
        daemon.onMessage((message) => {
          const { t: type, i: id = '' } = JSON.parse(String(message)) as { t: string; i?: string };
          if (type !== 's' || !lost.has(id)) socket.send(message);
        });
      }),
  });
  await at('close-day').click();
  await at('close-confirm').click();
  await until(
    async () => (await manager.value('closings', { before: null })).closings.length === 1,
    'the closing to be kept',
  );
  await counter.daemon.end('SIGKILL');
  await page.locator('[data-state="disconnected"]').waitFor();
  await counter.startDaemon(Number(new URL(counter.started.screens).port));
  await signIn(page);
  await page
    .getByText(
      'The connection was lost. Try again: if the day is already closed, you will see that report.',
    )
    .waitFor();
  await at('close-confirm').click();
  await page.getByText('The day is closed: report 1.').waitFor();
  manager = await ContractLine.ofAda(counter);
  expect((await manager.value('closings', { before: null })).closings).toHaveLength(1);
});

test('the till closes its lane once, though its daemon dies before it has heard; the manager reads that it was the till', async () => {
  await pay(1_250);
  const kept = async (): Promise<number> =>
    (await manager.value('closings', { before: null })).closings.length;
  const { till } = counter;
  await till.register({ currency: 'DKK', config: 0 });
  till.respondTo = (packet) => (packet === 'statusInformation' ? null : positiveAnswer);
  void till.endOfDay();
  await until(async () => (await kept()) === 1, 'the closing to be kept');
  await counter.daemon.end('SIGKILL');
  await till.close();
  await counter.startDaemon();
  counter.till = await counter.connectTill();
  manager = await ContractLine.ofAda(counter);
  await counter.till.register({ currency: 'DKK', config: 0 });
  let told = await counter.till.endOfDay();
  await until(
    async () =>
      told.ended?.by === 'completion' ||
      (told = await counter.till.endOfDay()).ended?.by === 'completion',
    'the till to be told',
  );
  expect(
    told.statusInformations.map((fields) => decodeBcd(fields.get(BMP.amount) as Uint8Array)),
  ).toEqual([1_250]);
  expect(await kept()).toBe(1);
  await open();
  expect(await read(at('closing'))).toMatch(
    /^Closing report 1\n.* · The till · Check-out 1\nDKK 12\.50$/,
  );
  // The till closes the day while somebody looks at the page.
  expect((await counter.till.endOfDay()).ended?.by).toBe('completion');
  await page.getByText('Closing report 2').waitFor();
});

// The pictures judge the same states.
describe.runIf(isLong)('each state can be read by everybody', () => {
  test.each([
    ['en', 'dark', { width: 1920, height: 1080 }],
    ['da', 'light', { width: 1024, height: 768 }],
    ['fi', 'dark', { width: 1024, height: 768 }],
    ['sv', 'light', { width: 1920, height: 1080 }],
    ['nb', 'dark', { width: 1024, height: 768 }],
  ] as const)('in %s, %s, %j', async (language, colorScheme, viewport) => {
    await refund(await pay(25_000), 10_000);
    await open({ language, colorScheme, viewport });
    await at('net-DKK').waitFor();
    await expectAccessible(page);
    await at('close-day').click();
    await expectAccessible(page);
    await at('close-confirm').click();
    await at('print-report').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await at('closing').waitFor();
    await at('yesterday').click();
    await at('no-payments').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      viewport.width,
    );
  });
});
