import { describe, expect, test } from 'vitest';
import type { LaneView } from '../../preload/contract.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { typeAsScanner } from '../support/browser.ts';
import { cashierStates, recentPayments, unsettledMoney } from '../support/cashier-states.ts';
import { someOf } from '../support/long.ts';
import { until } from '../support/processes.ts';
import {
  amountTyped,
  closeServer,
  cut,
  focusedId,
  mistakes,
  open,
  page,
  scripted,
  serveAgain,
  show,
  useCashierPage,
} from './cashier-page.ts';

useCashierPage();

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
    await closeServer();
    await page.locator('[data-state="disconnected"]').waitFor();
    await serveAgain();
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
