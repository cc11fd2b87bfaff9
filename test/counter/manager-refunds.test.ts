import type { Browser, Page, WebSocketRoute } from 'playwright';
import { managerRefundId } from '../../main/core/domain/ids.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import '../support/every-text.ts';
import { managerTexts } from '../../renderer/locales/manager.ts';
import { screenTexts } from '../../renderer/locales/screens.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { PagePool, launchChromium, typeAsScanner } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { isLong } from '../support/long.ts';
import {
  ada,
  collectMistakes,
  type ManagerScreenOptions,
  openManager,
  printed,
  read,
  signIn,
} from '../support/manager.ts';
import {
  ContractLine,
  paidSale,
  refundAtService,
  refundSale,
  serviceRefunds,
} from '../support/manager-books.ts';
import { until } from '../support/processes.ts';

let browser: Browser;
let pages: PagePool;
let counter: Counter;
let manager: ContractLine;
let page: Page;
const mistakes: string[] = [];
/** The message wherever a refund is larger than what is left. */
const tooHigh = 'More than is left to refund. Refund at most what is left of the payment.';

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

const open = async (about: Partial<ManagerScreenOptions> = {}): Promise<void> => {
  page = await openManager({ pages, counter, show: 'refunds', ...about });
};
const pay = (amountMinor: number) => paidSale(counter, manager, amountMinor);
const refund = (saleId: string, amountMinor: number) => refundSale(manager, saleId, amountMinor);
const field = (id: string) => page.getByTestId(id);
const problem = (id: string): Promise<string> => read(page.locator(`#${id}-problem`));
const refunded = (stateName: string): Promise<void> =>
  page.locator(`[data-testid="refund"][data-state="${stateName}"]`).last().waitFor();
async function find(text: string): Promise<void> {
  await field('payment-search').fill(text);
  await field('payment-search').press('Enter');
}

describe('a manager gives a part of a payment back', () => {
  test('by touch: finds it by its amount, reads its story, refunds, sees it end, and prints the receipt', async () => {
    const { paymentId, saleId } = await pay(25_000);
    await pay(25_000);
    await pay(1_250);
    await open({ hasTouch: true });
    for (const digit of ada.pin) await page.locator(`button[data-key="${digit}"]`).tap();
    await field('pin-enter').tap();
    await page.getByText('3 payments · Newest first').waitFor();

    await field('payment-search').tap();
    await page.keyboard.type('250');
    await field('find').tap();
    await page.getByText('2 payments · Newest first').waitFor();
    await page.locator(`[data-sale="${saleId}"]`).tap();
    expect(await read(field('payment-title'))).toBe('DKK 250.00');
    expect(await read(field('payment-state'))).toBe('Paid');
    // A poll may see what comes in between, or not.
    const said = await field('story')
      .locator('[data-event]:not([data-event="statusSeen"])')
      .allInnerTexts();
    expect(said.map((line) => line.replace(/^[\d:]+\s+/, ''))).toEqual([
      expect.stringMatching(/^Payment started at the till · 127\.0\.0\.1:\d+$/),
      'Received by the service: waiting for the customer',
      'Approved; capturing',
      'The till accepted the result',
      'Confirmed by the service',
    ]);

    await field('refund-begin').tap();
    await field('refund-how-much-part').tap();
    await page.keyboard.type('100');
    expect(await read(field('refund-confirm'))).toBe('Refund DKK 100.00');
    await field('refund-confirm').tap();
    expect(await problem('refund-why')).toBe('Choose a reason: it is kept in the journal.');
    await field('refund-why-0').tap();
    await field('refund-confirm').tap();
    await refunded('refunded');
    expect(await read(field('refund'))).toMatch(
      /^DKK 100\.00\nRefunded\n+.* · by Ada Lund · Receipt number 4\n+Why: Goods returned\n+Print receipt$/u,
    );
    expect(await read(field('left'))).toBe('DKK 150.00');
    await field('story').getByText('Approved; refunding').waitFor();
    await until(
      async () => (await serviceRefunds(counter, paymentId))[0]?.status === 'Captured',
      'the service to have paid out',
    );
    const [atService, ...others] = await serviceRefunds(counter, paymentId);
    expect(others).toEqual([]);
    const [ours] = (await manager.value('saleStory', { saleId })).refunds;
    expect(atService).toMatchObject({ amount: 100, refundOrderId: ours?.refundOrderId });

    const paper = await printed(page, () => field('print-receipt').tap());
    expect(paper).toMatch(
      /^VAT no\. DK90000028\nRefund receipt\nCheck-out 1\nRefunded DKK 100\.00\n/,
    );
    for (const fact of [
      'Ada Lund',
      'Goods returned',
      ours?.refundOrderId,
      'DKK 250.00',
      'Receipt number of the payment',
    ])
      expect(paper).toContain(fact);
    await page.emulateMedia({ media: 'screen' });

    await field('back').tap();
    expect(await read(page.locator(`[data-sale="${saleId}"]`))).toContain('DKK 100.00 refunded');
    await page.locator(`[data-sale="${saleId}"][tabindex="0"]:focus`).waitFor();
  });

  test('by scanner and keyboard alone, in Danish, with every rule told where it is broken', async () => {
    const { paymentId, orderId, saleId } = await pay(123_450);
    await pay(500);
    await open({ language: 'da' });
    await signIn(page);
    await page.getByText('2 betalinger · Nyeste først').waitFor();
    await find('xy');
    expect(await problem('payment-search')).toContain('Skriv et beløb som 12,50');
    expect(await field('payment-search').inputValue()).toBe('xy');
    // The scanner types wherever the focus is, here after the typed text.
    await typeAsScanner(page, orderId);
    await page.locator('#payment-title:focus').waitFor();
    expect(await read(field('payment-title'))).toMatch(/^1\.234,50 kr\.$/);

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid="refund-how-much-all"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-testid="refund-amount"]:focus').waitFor();
    await page.keyboard.type('1234,51');
    await page.keyboard.press('Enter');
    expect(await problem('refund-amount')).toBe(
      'Mere end der kan refunderes. Refundér højst det, der er tilbage af betalingen.',
    );
    expect(await problem('refund-why')).toBe('Vælg en årsag: den gemmes i journalen.');
    await page.locator('[data-testid="refund-amount"]:focus').waitFor();
    await page.keyboard.press('Escape');
    // Nothing was sent.
    expect((await manager.value('saleStory', { saleId })).refunds).toEqual([]);
    await page.locator('[data-testid="refund-begin"]:focus').waitFor();

    await page.keyboard.press('Enter');
    await page.locator('[data-testid="refund-how-much-all"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('34,50');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowUp');
    await page.locator('[data-testid="refund-note"]:focus').waitFor();
    await page.keyboard.type('Ridset skærm');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.locator('[data-testid="refund-confirm"]:focus').waitFor();
    await page.keyboard.press('Enter');
    await refunded('refunded');
    await page.locator('#refunds-title:focus').waitFor();
    expect(await read(field('refund'))).toContain('Årsag: Ridset skærm');
    await until(
      async () => (await serviceRefunds(counter, paymentId))[0]?.status === 'Captured',
      'the service to have paid out',
    );
    expect(await serviceRefunds(counter, paymentId)).toMatchObject([{ amount: 34.5 }]);

    await page.keyboard.press('Escape');
    await page.locator(`[data-sale="${saleId}"]:focus`).waitFor();
    await field('clear').press('Enter');
    await page.getByText('2 betalinger · Nyeste først').waitFor();
  });
});

test.each([12, 100])(
  'a scan every %i ms while a refund is asked about confirms nothing, and fills in nothing',
  async (gapMs) => {
    const { saleId } = await pay(25_000);
    await open();
    await signIn(page);
    await find('250');
    await field('refund-begin').click();
    await field('refund-why-0').check();
    for (const code of ['4006381333931', '12', '\r\r', '\r4006381333931', ' 4006381333931']) {
      await field('refund-confirm').focus();
      await typeAsScanner(page, code, gapMs);
      await page.waitForTimeout(250);
      expect(await field('refund-confirm').count(), code).toBe(1);
    }
    await field('refund-how-much-part').check();
    await field('refund-amount').fill('1');
    await typeAsScanner(page, '400638133', gapMs);
    await page.waitForTimeout(250);
    expect(await field('refund-amount').inputValue()).toBe('1');
    expect((await manager.value('saleStory', { saleId })).refunds).toEqual([]);
    // The scanner's keys have times to come.
    await page.waitForTimeout(1_000);
    await field('refund-confirm').focus();
    await page.keyboard.press('Enter');
    await refunded('refunded');
    expect((await manager.value('saleStory', { saleId })).refunds).toMatchObject([
      { amountMinor: 100 },
    ]);
  },
);

test('more than is left is refused on the screen, by the daemon and by the service, in the same words', async () => {
  const { saleId, paymentId } = await pay(25_000);
  await open();
  await signIn(page);
  await find('250');
  await field('refund-begin').click();
  await field('refund-why-1').check();

  // On the screen.
  await field('refund-how-much-part').check();
  await field('refund-amount').fill('250.01');
  await field('refund-confirm').click();
  expect(await problem('refund-amount')).toBe(tooHigh);

  // Another page is opened meanwhile, e.g. with the browser's back button. The dialog does not
  // cover it, and keeps what was typed.
  const go = (hash: string) => page.evaluate((to) => (location.hash = to), hash);
  await go('#day');
  await field('earlier').click();
  await go('#refunds');
  expect(await field('refund-amount').inputValue()).toBe('250.01');

  // The daemon refuses it, because somebody else was faster.
  expect(await refund(saleId, 20_000)).toMatchObject({ ok: true });
  // Until it is decided, the answer is that a refund is pending.
  await until(
    async () => (await manager.value('saleStory', { saleId })).openMinor === 0,
    'the first refund to be decided',
  );
  await field('refund-amount').fill('250');
  await field('refund-confirm').click();
  await until(async () => (await problem('refund-amount')) === tooHigh, 'the daemon’s refusal');
  expect(await read(page.locator('#refund-amount-hint'))).toBe('At most DKK 50.00 · 12 = 12.00');
  expect(await refund(saleId, 5_001)).toMatchObject({
    ok: false,
    code: 'amountTooHigh',
    field: 'amountMinor',
    facts: { leftMinor: 5_000 },
  });

  // The service refuses it, because somebody refunded there without this counter.
  await until(
    async () => (await serviceRefunds(counter, paymentId))[0]?.status === 'Captured',
    'the first refund to be paid out',
  );
  expect((await refundAtService(counter, paymentId, 30)).ok).toBe(true);
  const direct = await refundAtService(counter, paymentId, 50);
  expect([direct.status, ((await direct.json()) as { code: string }).code]).toEqual([409, '1367']);
  await field('refund-amount').fill('50');
  await field('refund-confirm').click();
  await refunded('notRefunded');
  expect(await read(page.locator('[data-testid="refund"][data-state="notRefunded"]'))).toContain(
    tooHigh,
  );
  expect((await serviceRefunds(counter, paymentId)).map(({ amount }) => amount)).toEqual([200, 30]);
});

test.each([
  ['that had gone through', 'refunded', 'Refunded', ['Captured']],
  [
    'that was not decided',
    'notRefunded',
    'The terminal was restarted. Nothing was refunded. Start again.',
    ['CancelledByClient'],
  ],
] as const)(
  'a power cut between the click and the answer, of a refund %s: sent again it is the same one',
  async (_what, end, says, atService) => {
    const { saleId, paymentId } = await pay(25_000);
    if (end === 'notRefunded')
      await counter.fault({ operation: 'getRefund', times: 1_000, kind: 'status500' });
    let isCut = false;
    let asked: string[] = [];
    await open({
      prepare: (tab) =>
        tab.routeWebSocket(/screens$/, (socket: WebSocketRoute) => {
          const daemon = socket.connectToServer();
          socket.onMessage((message) => {
            if (String(message).includes('"m":"refund"')) asked = [...asked, String(message)];
            daemon.send(message);
          });
          daemon.onMessage((message) => {
            if (!isCut) socket.send(message);
          });
        }),
    });
    await signIn(page);
    await find('250');
    await field('refund-begin').click();
    await field('refund-how-much-part').check();
    await field('refund-amount').fill('99.50');
    await field('refund-why-other').check();
    await field('refund-note').fill('Wrong size');
    isCut = true;
    await field('refund-confirm').click();
    const isOnDisk = async () =>
      (await manager.value('saleStory', { saleId })).refunds.some(
        ({ state }) => end === 'notRefunded' || state === 'refunded',
      );
    await until(isOnDisk, 'the refund to be on disk');
    await counter.daemon.end('SIGKILL');
    await page.locator('[data-state="disconnected"]').waitFor();
    isCut = false;
    await counter.startDaemon(Number(new URL(counter.started.screens).port));
    await signIn(page);

    // The dialog is unchanged and says what to do.
    await page
      .getByText(
        'The connection was lost while the refund was being sent. Send it again: it is refunded only once, however often it is sent.',
      )
      .waitFor();
    expect(await field('refund-amount').inputValue()).toBe('99.50');
    expect(await field('refund-note').inputValue()).toBe('Wrong size');
    await field('refund-confirm').click();
    await fetch(`${counter.credentials.baseUrl}/simulator/faults`, { method: 'DELETE' });
    await refunded(end);
    expect(await field('refund').count()).toBe(1);
    expect(await read(field('refund'))).toContain(says);
    const actions = asked.map(
      (message) => (JSON.parse(message) as { a: [{ actionId: string }] }).a[0].actionId,
    );
    expect(actions).toHaveLength(2);
    expect(new Set(actions).size).toBe(1);
    await until(
      async () => (await serviceRefunds(counter, paymentId))[0]?.status === atService[0],
      'the service to have the same end',
    );
    expect(await serviceRefunds(counter, paymentId)).toMatchObject([
      { amount: 99.5, refundOrderId: managerRefundId(actions[0] ?? '') },
    ]);
  },
);

test('a refund that hangs at the service is seen to hang, is asked about, and can be cancelled', async () => {
  const { paymentId, saleId } = await pay(25_000);
  await counter.fault({ operation: 'getRefund', times: 1_000, kind: 'status500' });
  await open();
  await signIn(page);
  await find('250');
  expect(await refund(saleId, 10_000)).toMatchObject({ ok: true });
  await refunded('open');
  await field('cancel-refund').click();
  // The service has taken the cancel, and does not show it yet.
  await refunded('cancelling');
  await fetch(`${counter.credentials.baseUrl}/simulator/faults`, { method: 'DELETE' });
  await refunded('notRefunded');
  expect(await read(field('refund'))).toContain('Cancelled by the manager. Nothing was refunded.');
  expect(await read(field('left'))).toBe('DKK 250.00');
  expect(
    (await serviceRefunds(counter, paymentId)).filter(({ status }) => status === 'Captured'),
  ).toEqual([]);
});

// The pictures judge the same states.
describe.runIf(isLong)('each state can be read by everybody', () => {
  test.each([
    ['en', 'light', { width: 1920, height: 1080 }],
    ['da', 'dark', { width: 1024, height: 768 }],
    ['fi', 'light', { width: 1024, height: 768 }],
    ['sv', 'dark', { width: 1920, height: 1080 }],
    ['nb', 'light', { width: 1024, height: 768 }],
  ] as const)('in %s, %s, %j', async (language, colorScheme, viewport) => {
    await pay(25_000);
    const { saleId } = await pay(1_250);
    expect(await refund(saleId, 250)).toMatchObject({ ok: true });
    await open({ language, colorScheme, viewport });
    await signIn(page);
    await field('payments').waitFor();
    await expectAccessible(page);
    await find('xy');
    await expectAccessible(page);
    await find('77777');
    await field('none-found').waitFor();
    await expectAccessible(page);
    await find(language === 'en' ? '12.50' : '12,50');
    await refunded('refunded');
    await expectAccessible(page);
    await field('refund-begin').click();
    await field('refund-how-much-part').check();
    await field('refund-why-other').check();
    await field('refund-confirm').click();
    expect(await problem('refund-note')).toBe(managerTexts[language].refunds.dialog.noteNeeded);
    await expectAccessible(page);
    await field('refund-amount').fill('10000');
    await field('refund-confirm').click();
    expect(await problem('refund-amount')).toContain(
      screenTexts[language].notRefunded.amountTooHigh.what,
    );
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      await page.evaluate(() => window.innerWidth),
    );
  });
});
