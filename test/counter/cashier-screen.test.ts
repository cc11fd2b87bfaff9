import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { languages } from '../../main/core/domain/languages.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { type ScreensServer, startScreensServer } from '../../main/counter/server/server.ts';
import type { LaneView } from '../../preload/contract.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { launchChromium, typeAsScanner } from '../support/browser.ts';
import {
  type CashierState,
  cashierStates,
  checkInStates,
  recentPayments,
  unsettledMoney,
} from '../support/cashier-states.ts';
import { isLong, sampled, someOf } from '../support/long.ts';
import { until } from '../support/processes.ts';
import { ScriptedViews } from '../unit/counter/server/scripted-views.ts';

/**
 * The built screen before a scripted counter: states that a real counter reaches only after
 * minutes, or over a broken service.
 */

let browser: Browser;
let scripted: ScriptedViews;
let server: ScreensServer;
/**
 * One page for all tests that need no script of their own, because a context takes longer than most
 * of them. Each port has a storage of its own.
 */
let kept: Page;
let page: Page;
const mistakes: string[] = [];

async function newPage(): Promise<Page> {
  const made = await (
    await browser.newContext({ viewport: { width: 1024, height: 768 } })
  ).newPage();
  made.on('pageerror', (error) => mistakes.push(error.message));
  made.on(
    'console',
    (message) =>
      message.type() === 'error' &&
      !message.text().includes('WebSocket') &&
      mistakes.push(message.text()),
  );
  return made;
}
beforeAll(async () => {
  browser = await launchChromium();
  kept = await newPage();
});
afterAll(() => browser.close());
beforeEach(async () => {
  scripted = new ScriptedViews();
  scripted.view = { ...scripted.view, recent: recentPayments(Date.now()) };
  const rendererFolder = new URL('../../out/renderer', import.meta.url).pathname;
  server = await startScreensServer({
    host: '127.0.0.1',
    port: 0,
    nextFreeIfTaken: false,
    rendererFolder,
    views: scripted,
    router: scripted,
    log: silentLog,
  });
});
afterEach(async () => {
  await (page === kept ? page.goto('about:blank') : page.context().close());
  await server.close();
  expect(mistakes.splice(0)).toEqual([]);
});

async function open({
  language = 'en',
  dark = false,
  script,
}: {
  language?: string;
  dark?: boolean;
  script?: () => void;
} = {}): Promise<void> {
  page = script === undefined ? kept : await newPage();
  if (script !== undefined) await page.addInitScript(script);
  await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
  await page.goto(`${server.url}/cashier/${language === '' ? '' : `?lang=${language}`}`);
  await page.locator('[data-state="idle"]').waitFor();
}
async function show(about: Partial<LaneView>): Promise<void> {
  scripted.view = { ...scripted.view, ...about };
  scripted.change();
  await page.locator(`[data-state="${scripted.view.state.kind}"]`).waitFor();
}
const amountTyped = (): Promise<string> => page.getByTestId('amount-typed').inputValue();

const focusedId = (): Promise<string | null> =>
  page.evaluate(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
    return at?.getAttribute('data-testid') ?? null;
  });

/** The elements that are wider or higher than the room they have. */
const cut = (): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('tb-cashier')?.shadowRoot;
    const within = [
      document.scrollingElement,
      ...(root?.querySelectorAll('.state, aside, .banner, button, .payments li') ?? []),
    ];
    return within.flatMap((one) =>
      one !== null &&
      (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        ? one.className || 'page'
        : [],
    );
  });

describe.each(sampled(languages, 1))('every state in %s', (language) => {
  test('is whole, and accessible, with and without money that is not settled', async () => {
    await open({ language, dark: language === 'fi' });
    // The pictures judge each of these states.
    for (const name of isLong ? (Object.keys(cashierStates) as CashierState[]) : []) {
      await show({ state: cashierStates[name], unsettled: [] });
      expect(await cut(), name).toEqual([]);
      await expectAccessible(page);
    }
    await show({ state: cashierStates.waitingForCustomer, unsettled: unsettledMoney(Date.now()) });
    expect(await cut(), 'unsettled').toEqual([]);
    await expectAccessible(page);
    await show({ state: cashierStates.idle });
    await page.keyboard.press('F2');
    await page.getByTestId('take').click();
    await page.locator('#take-problem span').waitFor();
    expect(await cut(), 'by hand').toEqual([]);
    await expectAccessible(page);
  });
});

describe('its language', () => {
  const says = (): Promise<string> => page.getByTestId('sentence').innerText();
  const choose = async (language: string): Promise<void> => {
    await page.getByTestId('language').click();
    await page.locator(`[role="menuitemradio"][lang="${language}"]`).click();
  };
  const shopSpeaks = (language: LaneView['customer']['language']): Promise<void> =>
    show({ customer: { ...scripted.view.customer, language } });

  test('is the shop’s, whatever the browser speaks or an installer has read here, until somebody chooses one', async () => {
    await open({
      language: '',
      script: () => localStorage.setItem('tillbeacon.language.setup', 'fi'),
    });
    await expect.poll(says).toBe('Valmiina');
    await shopSpeaks('da');
    await expect.poll(says).toBe('Klar');
    await page.reload();
    await expect.poll(says).toBe('Klar');
    await choose('sv');
    await shopSpeaks('en');
    expect(await says()).toBe('Redo');
    await page.reload();
    await expect.poll(says).toBe('Redo');
  });

  test('is the shop’s on a manager’s screen too', async () => {
    await open({ language: '' });
    await shopSpeaks('da');
    await page.goto(`${server.url}/manager/`);
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('da');
  });
});

test('what the system says of the till’s port, in English, is for support in every language', async () => {
  await open({ language: 'da' });
  await show({
    till: {
      address: 'tcp:127.0.0.1:20007',
      link: 'busy',
      detail: 'another program already listens there',
      heardAtMs: null,
    },
  });
  const footer = page.locator('footer');
  await footer
    .getByText(
      'Kasseapparat: porten er i brug · tcp:127.0.0.1:20007 · Til support: another program already listens there',
    )
    .waitFor();
  expect(await footer.locator('[lang="en"]').innerText()).toBe(
    'another program already listens there',
  );
});

test('a counter that is not set up yet says so and leads to the setup; one without this lane says that', async () => {
  await open({ language: 'da' });
  await page.goto(`${server.url}/cashier/?lang=da&lane=9`);
  await page.getByText('Der er ingen kasselinje »9« her').waitFor();
  expect(await page.getByTestId('to-setup').count()).toBe(0);
  Object.assign(scripted, { lanes: () => [], lane: () => null });
  await page.reload();
  await page.getByText('Denne computer er ikke sat op endnu').waitFor();
  expect(await page.getByTestId('to-setup').getAttribute('href')).toBe(
    '../setup/index.html?lang=da',
  );
  await expectAccessible(page);
});

test('of a service that is no real one it is said all the time what it is, and of a real one never', async () => {
  await open();
  expect(await page.getByTestId('service-note').count()).toBe(0);
  for (const name of Object.keys(cashierStates) as CashierState[]) {
    await show({ state: cashierStates[name], service: 'testUnchecked' });
    expect(await page.getByTestId('service-note').innerText(), name).toBe(
      'Test service: its certificates are not checked',
    );
    expect(await cut(), name).toEqual([]);
  }
});

test('counts down to the deadline of a payment that the service has made, and to none before', async () => {
  await open();
  for (const unansweredMs of [undefined, 14_000]) {
    await show({
      state: {
        ...cashierStates.contactingService,
        ...(unansweredMs !== undefined && { unansweredMs }),
      },
    });
    expect(await page.getByTestId('seconds').count()).toBe(0);
  }
  await show({ state: { ...cashierStates.contactingService, isFetchingCode: true } });
  expect(await page.getByTestId('seconds').innerText()).toMatch(/s left$/);
  await show({ state: cashierStates.waitingForCustomer });
  expect(await page.getByTestId('seconds').innerText()).toMatch(/s left$/);
});

test.each([
  [800, 480, 120],
  // 1280×900 at 200 %.
  [640, 450, 180],
])(
  'shows the code whole, in sight and large enough at %i×%i, with NFC and before there is an amount',
  async (width, height, minPx) => {
    await open({ language: 'fi', script: () => {} });
    await page.setViewportSize({ width, height });
    const either = {
      state: cashierStates.waitingForCustomer,
      beacons: ['QR', 'NFC'],
    } satisfies Partial<LaneView>;
    for (const about of [either, checkInStates.scanFirst]) {
      await show(about);
      await page.getByTestId('qr').waitFor();
      const {
        x = 0,
        y = 0,
        width: w = 0,
        height: h = 0,
      } = (await page.getByTestId('qr').boundingBox()) ?? {};
      expect(Math.min(w, h)).toBeGreaterThanOrEqual(minPx);
      expect(y + h).toBeLessThanOrEqual(height);
      expect(x + w).toBeLessThanOrEqual(width);
    }
  },
);

test('without an amount the button says what to type, and Enter and a click do', async () => {
  await open();
  await page.keyboard.press('F2');
  const take = page.getByTestId('take');
  await until(
    async () => (await take.innerText()).trim() === 'Type an amount first.',
    'the words of the button',
  );
  for (const press of [() => page.keyboard.press('Enter'), () => take.click()]) {
    await press();
    await page.locator('#take-problem', { hasText: 'Type an amount first.' }).waitFor();
    await page.getByTestId('amount-typed').focus();
    await page.keyboard.type('5', { delay: 60 });
    await until(async () => (await take.innerText()).includes('0.05'), 'the amount');
    await page.keyboard.press('Backspace');
  }
  expect(scripted.calls).toEqual([]);
});

test('names the steps of a payment, and the sound’s button once', async () => {
  await open();
  await show({ state: cashierStates.waitingForCustomer });
  expect(await page.getByRole('list', { name: 'Steps of the payment' }).count()).toBe(1);
  const sound = page.getByRole('button', { name: 'Turn the sound off' });
  expect(
    await sound.evaluate(
      (button) => button.hasAttribute('title') && button.hasAttribute('aria-label'),
    ),
  ).toBe(false);
});

test('what stands around the payment grows with the screen', async () => {
  await open({ script: () => {} });
  await show({ state: cashierStates.idle });
  const heights = (): Promise<number[]> =>
    Promise.all(
      ['.bar', '.lane', '[data-testid="to-manager"]', 'tb-language', 'footer', '.open-by-hand'].map(
        async (part) => (await page.locator(part).boundingBox())?.height ?? 0,
      ),
    );
  const usual = await heights();
  await page.setViewportSize({ width: 1920, height: 1080 });
  const large = await heights();
  expect(
    large.map((height, part) => height / (usual[part] ?? 1)).filter((growth) => growth < 1.1),
  ).toEqual([]);
});

test.each(languages)(
  'shows the loyalty numbers of who has checked in and of who pays, however many they are (%s)',
  async (language) => {
    await open({ language });
    const many = Array.from({ length: 10 }, (_, index) => String(index).repeat(60));
    for (const about of [
      checkInStates.checkedIn,
      { state: cashierStates.approveInApp, customer: scripted.view.customer },
      { state: cashierStates.customerFound },
    ] as Partial<LaneView>[])
      for (const loyaltyIds of [['LOYAL-4711', '<b>5790001234567</b>'], many]) {
        await show({ ...about, loyaltyIds });
        await expect
          .poll(() => page.getByTestId('loyalty').innerText())
          .toContain(loyaltyIds.join(', '));
        expect(await cut()).toEqual([]);
      }
    for (const loyaltyIds of [null, [], undefined]) {
      await show({ loyaltyIds });
      await expect.poll(() => page.getByTestId('loyalty').count()).toBe(0);
    }
  },
);

test('the last payments hang no separator at the end of a line', async () => {
  await open({ language: 'fi', script: () => {} });
  for (const width of [800, 1024, 1280]) {
    await page.setViewportSize({ width, height: 768 });
    const notes = await page.locator('.payments .note').evaluateAll((all) =>
      all.map((note) => ({
        text: note.textContent,
        lines: Math.round(
          note.getBoundingClientRect().height /
            Number.parseFloat(getComputedStyle(note).lineHeight),
        ),
      })),
    );
    expect(notes.length).toBeGreaterThan(0);
    // A note is not broken behind its separator.
    for (const { text, lines } of notes)
      expect([text.startsWith('·'), lines], `${text} at ${width}`).toEqual([true, 1]);
  }
});

describe('the way out of a cancel that nobody answers', () => {
  test('opens when the daemon says so, asks first, and keeps what is unsettled in sight', async () => {
    await open();
    await show({ state: cashierStates.cancelling, unsettled: unsettledMoney(Date.now()) });
    expect(await page.getByTestId('leave').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('leave-now').count()).toBe(0);
    await show({ state: { ...cashierStates.cancelling, mayLeaveInMs: 1_000 } });
    await page.getByTestId('leave').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('leave-now').waitFor();
    await expectAccessible(page);
    expect(await page.getByTestId('unsettled').first().isVisible()).toBe(true);
    // The harmless button has the focus.
    await page.keyboard.press('Enter');
    expect(await page.getByTestId('leave-now').count()).toBe(0);
    expect(scripted.calls).toEqual([]);
    await page.getByTestId('leave').click();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await until(() => scripted.calls.length > 0, 'the call');
    expect(scripted.calls).toEqual([
      expect.objectContaining({
        name: 'leaveSale',
        input: { laneId: '1', saleId: cashierStates.mayLeave.saleId },
      }),
    ]);
  });

  test('closes by itself when the answer comes', async () => {
    await open();
    await show({ state: cashierStates.mayLeave });
    await page.getByTestId('leave').click();
    await page.getByTestId('leave-now').waitFor();
    await show({ state: cashierStates.cancelled });
    expect(await page.getByTestId('sentence').innerText()).toBe(
      'Cancelled on the cashier’s screen',
    );
  });
});

describe('a scanner that types', () => {
  test('presses nothing, whatever has the focus', async () => {
    await open();
    await page.getByTestId('by-hand').focus();
    await typeAsScanner(page, '4006381333931');
    await page.waitForTimeout(200);
    expect(await page.getByTestId('by-hand-form').count()).toBe(0);
    await show({ state: cashierStates.waitingForCustomer });
    await page.getByTestId('cancel').focus();
    await typeAsScanner(page, 'A 12 34');
    await page.waitForTimeout(200);
    expect(scripted.calls).toEqual([]);
  });

  test('in a payment by hand fills in the order, and leaves the amount as it was', async () => {
    await open();
    await page.keyboard.press('F2');
    await page.keyboard.type('1234', { delay: 60 });
    expect(await amountTyped()).toMatch(/12\.34/);
    await page.waitForTimeout(100);
    await typeAsScanner(page, '4711-0815');
    await until(
      async () => (await page.getByTestId('order-text').inputValue()) === '4711-0815',
      'the order',
    );
    expect(await amountTyped()).toMatch(/12\.34/);
    await page.getByTestId('order-text').focus();
    await typeAsScanner(page, '4006381333931');
    await until(
      async () => (await page.getByTestId('order-text').inputValue()) === '4006381333931',
      'the other order',
    );
    expect(scripted.calls).toEqual([]);
  });
});

describe.each([50, 80, 120, 150])('a scanner that types a key every %i ms', (gapMs) => {
  test('fills in the order, and leaves no digit in the amount or in another order', async () => {
    await open();
    await page.keyboard.press('F2');
    await page.keyboard.type('1234', { delay: 60 });
    await page.waitForTimeout(200);
    await typeAsScanner(page, '4711-0815', gapMs);
    await expect.poll(() => page.getByTestId('order-text').inputValue()).toBe('4711-0815');
    expect(await amountTyped()).toMatch(/12\.34/);
    await page.getByTestId('order-text').focus();
    await typeAsScanner(page, 'Table-4006381333931', gapMs);
    await expect
      .poll(() => page.getByTestId('order-text').inputValue())
      .toBe('Table-4006381333931');
    expect(await focusedId()).toBe('order-text');
    expect(await amountTyped()).toMatch(/12\.34/);
    expect(scripted.calls).toEqual([]);
  });

  test.each([
    '4006381333931',
    '12',
    ' 1234 5678 ',
    '\r\r',
    '\r40063813',
    '400638\x1b1333931',
    '4006381\t333931',
    '40063813\r\r\r',
    '40063813\r\t\r',
    '4006381333931\r4006381',
  ])('presses no button with %j', async (code) => {
    await open();
    // A payment of the cashier's own can be cancelled at once.
    await show({ state: { ...cashierStates.waitingForCustomer, by: 'cashier' } });
    await page.getByTestId('cancel').focus();
    await typeAsScanner(page, code, gapMs);
    await page.waitForTimeout(250);
    expect(scripted.calls).toEqual([]);
    // Tab leads on, to another button, which is not pressed either.
    if (!code.includes('\t')) expect(await focusedId()).toBe('cancel');
    expect(await page.getByTestId('sound').getAttribute('title')).toBe('Turn the sound off');
  });
});

test('a code of ten thousand characters leaves nothing on the screen, at any pace', async () => {
  await open();
  await page.keyboard.press('F2');
  for (const gapMs of [5, 100]) {
    await typeAsScanner(page, '7'.repeat(10_000), gapMs);
    await page.waitForTimeout(250);
    expect(await amountTyped()).toMatch(/0\.00/);
    expect((await page.getByTestId('order-text').inputValue()).length).toBeLessThanOrEqual(1_000);
  }
  expect(scripted.calls).toEqual([]);
});

test('a person who types fast into a field keeps every key, and Enter', async () => {
  await open();
  await page.keyboard.press('F2');
  // Without an amount, Enter asks for one.
  await page.keyboard.type('500', { delay: 250 });
  for (const [text, gapsMs] of [
    ['Table 12 outside', [70, 150, 95, 210, 60, 120, 90]],
    ['4006381333931', [240, 190, 260]],
    ['Table 7', 90],
    ['Tables', 60],
  ] as const) {
    await page.getByTestId('order-text').fill('');
    await page.getByTestId('order-text').focus();
    await typeAsScanner(page, text, gapsMs);
    await expect.poll(focusedId, { message: text }).toBe('take');
    expect(await page.getByTestId('order-text').inputValue()).toBe(text);
  }
  expect(scripted.calls).toEqual([]);
});

test('a button that takes money waits for Enter alone, and is then pressed once', async () => {
  await open();
  await show({ state: cashierStates.waitingForCustomer });
  await page.locator('[data-testid="cancel"]:not([aria-disabled])').focus();
  await page.keyboard.press('Enter');
  await until(() => scripted.calls.length > 0, 'the call');
  expect(scripted.calls.map(({ name }) => name)).toEqual(['cancelSale']);
});

describe('a payment by hand that is refused', () => {
  test('says why, keeps what was typed, and gives way to a sale of the till', async () => {
    await open();
    scripted.answer = async () => ({
      ok: false,
      code: 'busy',
      field: null,
      message: '',
      facts: {},
    });
    await page.keyboard.press('F2');
    await page.keyboard.type('500', { delay: 60 });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Another payment or refund is under way').waitFor();
    expect(await amountTyped()).toMatch(/5\.00/);
    expect(scripted.calls).toMatchObject([
      { name: 'payByHand', input: { laneId: '1', amountMinor: 500, orderText: null } },
    ]);
    await show({ state: cashierStates.waitingForCustomer });
    expect(await page.getByTestId('by-hand-form').count()).toBe(0);
    await show({ state: cashierStates.idle });
    await page.keyboard.press('F2');
    expect(await amountTyped()).toMatch(/5\.00/);
  });

  test('is not offered while no payment can be taken', async () => {
    await open();
    await show({ state: cashierStates.notReady });
    expect(await page.getByTestId('by-hand').isDisabled()).toBe(true);
    await page.keyboard.press('F2');
    expect(await page.getByTestId('by-hand-form').count()).toBe(0);
    await show({ state: cashierStates.idle });
    expect(await page.getByTestId('by-hand-form').count()).toBe(0);
  });
});

describe('the amount of a payment by hand, once its customer is found', () => {
  const sent = (): unknown[] =>
    scripted.calls.map(({ name, input }) => [
      name,
      (input as { amountMinor?: number }).amountMinor,
    ]);

  test('is sent as it is with Enter alone', async () => {
    await open();
    await show({ state: cashierStates.agreeing, loyaltyIds: ['LOYAL-4711'] });
    await page.getByText('LOYAL-4711').waitFor();
    await until(
      () => page.getByTestId('send').evaluate((button) => button.matches(':focus')),
      'the button is focused',
    );
    await page.keyboard.press('Enter');
    await until(async () => scripted.calls.length > 0, 'the call');
    expect(sent()).toEqual([['agreeAmount', 123_450]]);
  });

  test('is changed by typing another: Enter leads back to the button, and sends it there', async () => {
    await open();
    await show({ state: cashierStates.agreeing });
    await until(
      () => page.getByTestId('send').evaluate((button) => button.matches(':focus')),
      'the button is focused',
    );
    await page.keyboard.type('9900', { delay: 60 });
    expect(await amountTyped()).toMatch(/99\.00/);
    await page.keyboard.press('Enter');
    await until(
      () => page.getByTestId('send').evaluate((button) => button.matches(':focus')),
      'the button is focused again',
    );
    expect(sent()).toEqual([]);
    await page.keyboard.press('Enter');
    await until(async () => scripted.calls.length > 0, 'the call');
    expect(sent()).toEqual([['agreeAmount', 9_900]]);
  });

  test('gives way to a cancel with Escape; a scan changes nothing', async () => {
    await open();
    await show({ state: cashierStates.agreeing });
    await typeAsScanner(page, '4006381333931');
    expect(await amountTyped()).toMatch(/1,234\.50/);
    await page.keyboard.press('Escape');
    await until(async () => scripted.calls.length > 0, 'the call');
    expect(sent()).toEqual([['cancelSale', undefined]]);
  });
});

describe('a payment of the till that begins under the cashier’s hands', () => {
  const cancels = (): number => scripted.calls.filter(({ name }) => name === 'cancelSale').length;

  test('is not cancelled by the Escape that was meant for the manual payment, which is kept', async () => {
    await open();
    await page.keyboard.press('F2');
    await page.keyboard.type('1100', { delay: 60 });
    await show({ state: cashierStates.waitingForCustomer });
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('set-aside').innerText()).toContain(
      'The till has begun this payment',
    );
    expect(await page.getByTestId('cancel').getAttribute('aria-disabled')).toBe('true');
    expect(await cut()).toEqual([]);
    await page.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
    expect(cancels()).toBe(0);
    await show({ state: cashierStates.paid });
    expect(await page.getByTestId('set-aside').innerText()).toContain('not sent');
    await page.keyboard.press('F2');
    expect(await amountTyped()).toMatch(/11\.00/);
  });

  test('is not cancelled by the Escape or touch that came in the same moment, and is by a later one', async () => {
    await open();
    await show({ state: cashierStates.waitingForCustomer });
    await page.keyboard.press('Escape');
    await page.getByTestId('cancel').dispatchEvent('click');
    await page.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
    expect(cancels()).toBe(0);
    await page.keyboard.press('F4');
    await show({ state: cashierStates.approveInApp });
    // The list has closed with the code in whose place it stood.
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
    expect(cancels()).toBe(0);
    await page.keyboard.press('Escape');
    await until(() => cancels() === 1, 'the cancel');
  });
});

describe('an amount that is typed by hand', () => {
  const typeSlowly = (keys: string): Promise<void> => page.keyboard.type(keys, { delay: 60 });
  const chosen = (): Promise<string> => page.evaluate(() => getSelection()?.toString() ?? '');
  const paste = async (text: string): Promise<void> => {
    await page.evaluate((copied) => {
      const pad = document.querySelector('tb-cashier')?.shadowRoot?.querySelector('tb-amount-pad');
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', copied);
      pad?.shadowRoot?.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    }, text);
  };
  const rule = (): Promise<string> => page.locator('tb-amount-pad .field-problem').innerText();

  test.each([
    [800, 480],
    [1024, 768],
  ])('has its rule beside it, in sight at %i×%i', async (width, height) => {
    await open({ language: 'da', script: () => {} });
    await page.setViewportSize({ width, height });
    await page.keyboard.press('F2');
    await typeSlowly('1250');
    const rule = page.getByTestId('amount-rule');
    expect(await rule.innerText()).toBe('1250 = 12,50');
    expect(await amountTyped()).toMatch(/12,50/);
    const [bar, box] = [await page.locator('main').boundingBox(), await rule.boundingBox()];
    expect(box?.y).toBeGreaterThanOrEqual(bar?.y ?? Number.NaN);
  });

  test('is chosen as a whole when the form opens, and when Tab comes back to it: what is typed takes its place', async () => {
    await open();
    await page.keyboard.press('F2');
    await expect.poll(chosen).toMatch(/0\.00/);
    await typeSlowly('1250');
    expect(await amountTyped()).toMatch(/12\.50/);
    await page.keyboard.press('Backspace');
    expect(await amountTyped()).toMatch(/1\.25/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(chosen).toMatch(/1\.25/);
    await typeSlowly('7');
    expect(await amountTyped()).toMatch(/0\.07/);
    await typeSlowly('3');
    expect(await amountTyped()).toMatch(/0\.73/);
  });

  test.each(someOf(['en', 'da'], 1))(
    'in %s: comma and point, the highest one, and what is pasted; or the rule',
    async (language) => {
      await open({ language });
      await page.keyboard.press('F2');
      await expect.poll(chosen).toMatch(/0[.,]00/);
      // Last as its language writes it: with three digits after it, the other one groups thousands.
      for (const keys of language === 'en' ? ['12,5', '12.5'] : ['12.5', '12,5']) {
        await page.keyboard.press('Delete');
        await typeSlowly(keys);
        expect(await amountTyped(), keys).toMatch(/12[.,]50/);
      }
      await typeSlowly('05');
      expect(await amountTyped()).toMatch(/12[.,]50(\D|$)/);
      expect(await rule()).toMatch(/12[.,]50/);
      await expectAccessible(page);
      for (const text of ['12,50', '12.50', '1 250,00']) {
        await page.keyboard.press('Delete');
        expect(await rule()).toBe('');
        await paste(text);
        expect(await amountTyped(), text).toMatch(
          text.startsWith('12') ? /12[.,]50/ : /1[.,]250[.,]00/,
        );
      }
      await paste('a lot');
      expect(await amountTyped()).toMatch(/1[.,]250[.,]00/);
      expect(await rule()).not.toBe('');
      await page.keyboard.press('Delete');
      await typeSlowly('9999999999');
      expect(await amountTyped()).toMatch(/9[.,]999[.,]999[.,]99/);
      expect(await rule()).not.toBe('');
    },
  );
});

describe('with money that is not settled beside a payment, by keyboard alone', () => {
  const focus = (): Promise<string> =>
    page.evaluate(() => {
      let at = document.activeElement;
      while (at?.shadowRoot?.activeElement != null) at = at.shadowRoot.activeElement;
      return at?.getAttribute('data-testid') ?? at?.className ?? '';
    });
  /** Sends a state that may arrive at any moment. */
  async function hears(state: LaneView['state']): Promise<void> {
    const unsettled = unsettledMoney(Date.now());
    const recent = recentPayments(Date.now());
    for (const about of [
      { unsettled },
      { unsettled: unsettled.slice(0, 1) },
      { recent: recent.slice(1) },
      { recent: [] },
      { recent },
      { unsettled: [] },
    ])
      await show({ state, ...about });
  }

  test('what is typed and where stays, whatever view arrives; also while no payment can be begun, and over a lost line', async () => {
    await open();
    await page.keyboard.press('F2');
    await page.keyboard.type('12', { delay: 60 });
    for (const name of ['idle', 'paid', 'declined', 'left', 'notReady'] as const) {
      await hears(cashierStates[name]);
      expect(await focus(), name).toBe('amount-typed');
    }
    expect(await page.locator('#take-problem').innerText()).toContain(
      'No connection to the wallet service',
    );
    await expectAccessible(page);
    await page.keyboard.type('50', { delay: 60 });
    await show({ state: cashierStates.idle });
    expect(await amountTyped()).toMatch(/12\.50/);
    await page.getByTestId('order-text').focus();
    await page.keyboard.type('Tab', { delay: 60 });
    const port = Number(new URL(server.url).port);
    await server.close();
    await page.locator('[data-state="disconnected"]').waitFor();
    const rendererFolder = new URL('../../out/renderer', import.meta.url).pathname;
    server = await startScreensServer({
      host: '127.0.0.1',
      port,
      nextFreeIfTaken: false,
      rendererFolder,
      views: scripted,
      router: scripted,
      log: silentLog,
    });
    await page.locator('[data-state="idle"]').waitFor();
    await expect.poll(focus).toBe('order-text');
    await page.keyboard.type('le', { delay: 60 });
    expect(await page.getByTestId('order-text').inputValue()).toMatch(/le/);
    expect(await amountTyped()).toMatch(/12\.50/);
    mistakes.splice(0);
  });

  test('the focus stays at the list, the banners and the cancel button while a payment runs, and goes to no other one', async () => {
    await open();
    await show({ state: cashierStates.waitingForCustomer, unsettled: unsettledMoney(Date.now()) });
    await page.keyboard.press('F4');
    expect(await focus()).toBe('recent');
    for (const name of [
      'waitingForCustomer',
      'customerFound',
      'approveInApp',
      'confirming',
      'paid',
      'idle',
    ] as const) {
      await show({ state: cashierStates[name] });
      expect(await focus(), name).toBe('recent');
    }
    await show({ state: cashierStates.waitingForCustomer });
    // The list is closed, so that the code has room.
    await show({ state: cashierStates.contactingService });
    expect(await focus()).not.toBe('cancel');
    await page.getByTestId('cancel').focus();
    for (const name of ['waitingForCustomer', 'customerFound', 'approveInApp'] as const) {
      await show({ state: cashierStates[name] });
      expect(await focus(), name).toBe('cancel');
    }
    await page.locator('.banners').focus();
    await show({ unsettled: unsettledMoney(Date.now()).slice(0, 1) });
    await show({ unsettled: unsettledMoney(Date.now()) });
    await show({ state: cashierStates.idle });
    await show({ state: cashierStates.waitingForCustomer });
    expect(await focus()).not.toBe('cancel');
    expect(scripted.calls).toEqual([]);
  });
});

test('the last payments: beside the state, and in the code’s place by F4 while the customer scans', async () => {
  await open();
  expect(await page.locator('[data-sale]').count()).toBe(10);
  const [first] = await page.locator('[data-sale]').allInnerTexts();
  expect(first?.replaceAll(/\s+/g, ' ')).toMatch(/^DKK 129\.00 \d\d:\d\d Paid · Receipt 1042$/);
  await show({ state: cashierStates.waitingForCustomer });
  expect(await page.locator('[data-sale]').count()).toBe(0);
  await page.keyboard.press('F4');
  expect(await page.locator('[data-sale]').count()).toBe(10);
  // Escape closes the list first, so that it does not cancel a payment by mistake.
  await page.keyboard.press('Escape');
  expect(await page.getByTestId('qr').count()).toBe(1);
  expect(scripted.calls).toEqual([]);
  await page.locator('[data-testid="cancel"]:not([aria-disabled])').waitFor();
  await page.keyboard.press('Escape');
  await until(() => scripted.calls.length > 0, 'the cancel');
});

test('sounds: each change once, after the first touch, not after a lost line, and not where they are turned off', async () => {
  const listen = (): void => {
    const heard: number[] = [];
    Object.assign(window, { heard });
    window.OscillatorNode = class extends OscillatorNode {
      override start(when: number): void {
        heard.push(this.frequency.value);
        super.start(when);
      }
    };
  };
  await open({ script: listen });
  const heard = (): Promise<number> =>
    page.evaluate(() => (window as unknown as { heard: number[] }).heard.splice(0).length);
  await show({ state: cashierStates.approveInApp });
  expect(await heard()).toBe(0);
  await page.locator('main').click({ position: { x: 5, y: 5 } });
  await show({ state: cashierStates.paid });
  expect(await heard()).toBe(4);
  scripted.change();
  await page.waitForTimeout(100);
  expect(await heard()).toBe(0);
  await page.getByTestId('sound').click();
  await show({ state: cashierStates.declined });
  expect(await heard()).toBe(0);
  await page.reload();
  await page.locator('[data-state="notPaid"]').click();
  expect(await page.getByTestId('sound').getAttribute('title')).toBe('Turn the sound on');
  await show({ state: cashierStates.approveInApp });
  expect(await heard()).toBe(0);
  await page.getByTestId('sound').click();
  await show({ state: cashierStates.paid });
  expect(await heard()).toBe(4);
});
