import { describe, expect, test } from 'vitest';
import { languages } from '../../main/core/domain/languages.ts';
import type { LaneView } from '../../preload/contract.ts';
import { expectAccessible } from '../support/accessibility.ts';
import {
  type CashierState,
  cashierStates,
  checkInStates,
  unsettledMoney,
} from '../support/cashier-states.ts';
import { isLong, sampled } from '../support/long.ts';
import { until } from '../support/processes.ts';
import { cut, open, page, scripted, serverUrl, show, useCashierPage } from './cashier-page.ts';

useCashierPage();

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
    await page.goto(`${serverUrl()}/manager/`);
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
  await page.goto(`${serverUrl()}/cashier/?lang=da&lane=9`);
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
