import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { InputOf } from '../../preload/procedures.ts';
import { Refusal } from '../../preload/procedures/procedure.ts';
import '../support/every-text.ts';
import { type Language, languages } from '../../renderer/locales/i18n.ts';
import { frameTexts } from '../../renderer/locales/frame.ts';
import { managerTexts } from '../../renderer/locales/manager.ts';
import { nowMs, openPage, Stage } from '../pictures/stage.ts';
import { quietLane } from '../support/quiet-lane.ts';
import { day } from '../pictures/states/manager-day.ts';
import { health } from '../pictures/states/manager-health.ts';
import { people } from '../pictures/states/manager-people.ts';
import {
  reading,
  ready,
  reconciliation,
  summary,
} from '../pictures/states/manager-reconciliation.ts';
import { refunds, storyOf } from '../pictures/states/manager-refunds.ts';
import { managerScene, refuses } from '../pictures/states/manager-shared.ts';
import type { State } from '../pictures/states/state.ts';
import { launchChromium } from '../support/browser.ts';
import { unsettledMoney } from '../support/cashier-states.ts';
import { isLong, someOf } from '../support/long.ts';
import { printed } from '../support/manager.ts';

/**
 * The manager's pages before a counter that answers as a test says: what happens on the screen
 * alone.
 */

let browser: Browser;
let stage: Stage;
/** Kept from test to test: a context costs more than most of them. */
let page: Page;
/** How often it was loaded: an address that differs after its # alone would load nothing. */
let loads = 0;
const mistakes: string[] = [];

beforeAll(async () => {
  [browser, stage] = await Promise.all([launchChromium(), Stage.open()]);
  page = await openPage(browser, { mistakes });
});
afterAll(async () => {
  await browser.close();
  await stage.close();
});
afterEach(async () => {
  await page.emulateMedia({ media: null });
  expect(mistakes.splice(0)).toEqual([]);
});

async function open(
  { scene, at = '', reach }: Pick<State, 'scene' | 'at' | 'reach'>,
  language: Language = 'en',
): Promise<void> {
  loads += 1;
  await page.goto('about:blank');
  stage.play(scene);
  await page.goto(`${stage.url}/manager/?lang=${language}&load=${loads}${at}`);
  await stage.seenBy(page, 'manager');
  await reach?.(page);
  await stage.stillness(page);
}
async function go(hash: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await stage.stillness(page);
}
const inFront = (): Promise<number> => page.locator('dialog:modal').count();
/**
 * The values of the fields in front, through all shadow roots, and the field that has the focus.
 */
const typed = (): Promise<string[]> =>
  page.locator('dialog:modal').evaluate((shown) => {
    const dialog = (shown.getRootNode() as ShadowRoot).host;
    const said: string[] = [];
    const look = (within: ParentNode): void => {
      for (const one of within.querySelectorAll('*')) {
        const hasFocus =
          one === (one.getRootNode() as ShadowRoot).activeElement &&
          one.shadowRoot?.activeElement == null;
        if (one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement)
          said.push(
            `${one.id}: ${one.type === 'radio' ? String((one as HTMLInputElement).checked) : one.value}${hasFocus ? ' (focus)' : ''}`,
          );
        if (one.shadowRoot !== null) look(one.shadowRoot);
      }
    };
    look(dialog);
    return said;
  });

/** The long run takes every state of each dialog; otherwise it is one. */
const dialogs = isLong
  ? /^(refund-|refund$|close|report|reconciliation-(row|exporting)|diagnostics($|-making)|health-noting$|people-(add|changePin|remove($|-last)))/
  : /^(refund-broken|close|report|reconciliation-row|diagnostics|health-noting|people-(add|changePin|remove))$/;
const withDialog: readonly State[] = [
  ...refunds,
  ...day,
  ...reconciliation,
  ...health,
  ...people,
].filter(({ name }) => dialogs.test(name));

describe('what stands in front of a page, when the address leads to another one', () => {
  test.each(withDialog)('$name goes with it, and comes again as it was', async (state) => {
    await open(state);
    expect(await inFront()).toBe(1);
    const before = await typed();
    const [, own = ''] = (await page.evaluate(() => location.hash)).split('#');
    const other = own.startsWith('people') ? 'refunds' : 'people';
    await go(`#${other}`);
    expect(await inFront()).toBe(0);
    // The link must be reachable and not covered.
    await page.getByTestId('nav-health').click();
    await page.locator('[data-state="health"]').waitFor();
    await page.goBack();
    await page.goBack();
    await stage.stillness(page);
    expect(await inFront()).toBe(1);
    expect(await typed()).toEqual(before);
    await page.keyboard.press('Escape');
  });
});

test('a new manager’s name that is half typed waits, with the cursor in it', async () => {
  await open({ scene: managerScene({}), at: '#people' });
  await page.getByTestId('add-manager').click();
  await page.keyboard.type('Bea Hol');
  await go('#refunds');
  await page.goBack();
  await page.keyboard.type('m');
  expect(await page.getByTestId('manager-name').inputValue()).toBe('Bea Holm');
  await page.keyboard.press('Enter');
  await page.keyboard.type('24');
  await go('#refunds');
  await page.goBack();
  await page.keyboard.type('68');
  await page.keyboard.press('Enter');
  await page.getByText('The same PIN once more').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  expect(await inFront()).toBe(0);
  await page.locator('[data-testid="add-manager"]:focus').waitFor();
});

test('a new manager’s name that somebody has is told before a PIN is chosen; one that somebody got meanwhile, after', async () => {
  await open({
    scene: managerScene({ addManager: refuses(new Refusal('nameTaken', '')) }),
    at: '#people',
  });
  await page.getByTestId('add-manager').click();
  const add = async (name: string): Promise<void> => {
    await page.getByTestId('manager-name').fill(name);
    await page.keyboard.press('Enter');
  };
  const { nameTaken } = frameTexts.en.newManager;
  await add(' ada LUND ');
  await page.locator('#manager-name-problem', { hasText: nameTaken }).waitFor();
  await page.locator('[data-testid="manager-name"]:focus').waitFor();
  await add('Bea Holm');
  for (let round = 0; round < 2; round += 1) {
    await page.keyboard.type('2468');
    await page.keyboard.press('Enter');
  }
  await page.locator('#manager-name-problem', { hasText: nameTaken }).waitFor();
  expect(await page.getByTestId('manager-name').inputValue()).toBe('Bea Holm');
});

test('who has a PIN that is easy to guess is told so, on every page, until they have another one', async () => {
  const weak = people.find(({ name }) => name === 'people-weakPin') as State;
  await open({ ...weak, scene: { answers: { ...weak.scene.answers, changePin: () => ({}) } } });
  await go('#health');
  expect(await page.getByTestId('weak-pin').innerText()).toBe(
    'Your PIN is easy to guess. Choose another one under People.',
  );
  await go('#people');
  await page.getByTestId('change-pin').click();
  for (let round = 0; round < 2; round += 1) {
    await page.locator('tb-pin-pad:focus').waitFor();
    await page.keyboard.type('471108');
    await page.keyboard.press('Enter');
  }
  await page.getByTestId('weak-pin').waitFor({ state: 'detached' });
});

test('what is said in passing covers no money that is not settled', async () => {
  const scene = managerScene(
    { removeManager: () => ({}) },
    { lanes: [{ ...quietLane, unsettled: unsettledMoney(nowMs) }] },
  );
  await open({ scene, at: '#people' });
  await page.getByTestId('remove').nth(1).click();
  await page.getByTestId('remove-now').click();
  const edge = async (testId: string): Promise<{ top: number; bottom: number }> => {
    const { y, height } = (await page.getByTestId(testId).first().boundingBox()) ?? {
      y: NaN,
      height: NaN,
    };
    return { top: y, bottom: y + height };
  };
  expect((await edge('toast')).bottom).toBeLessThan((await edge('unsettled')).top);
});

test('the file is of the whole period, as its button says, whatever is looked at', async () => {
  const asked: InputOf<'reconciliationExport'>[] = [];
  const reconciliationExport = (one: InputOf<'reconciliationExport'>): never => {
    asked.push(one);
    throw new Refusal('cancelled', '');
  };
  await open({ at: '#reconciliation', scene: reading(ready, summary, { reconciliationExport }) });
  const whole = `(${summary.rows.toLocaleString('en-GB')} rows)`;
  for (const shown of ['missing', 'transfers']) {
    await page.getByTestId('reconciliation-filter').selectOption(shown);
    if (shown === 'missing') await page.locator('#reconciliation-text').fill('1-0042');
    for (const [format, name] of [
      ['csv', 'CSV'],
      ['xlsx', 'Excel'],
    ] as const) {
      expect((await page.getByTestId(`export-${format}`).innerText()).trim()).toBe(
        `${name} ${whole}`,
      );
      await page.getByTestId(`export-${format}`).click();
      await expect.poll(() => asked.length).toBe(1);
      expect(asked.pop()).toMatchObject({ format, period: summary.period });
    }
  }
});

describe('Escape, when the focus is nowhere,', () => {
  const away = (): Promise<void> =>
    page.evaluate(() => (document.activeElement as HTMLElement).blur());

  test('closes what stands in front and nothing behind it', async () => {
    await open({
      scene: managerScene({
        findSales: () => ({ sales: [], next: null }),
        saleStory: () => storyOf({}),
      }),
      at: `#refunds/${storyOf({}).sale.saleId}`,
    });
    await page.getByTestId('refund-begin').click();
    await away();
    await page.keyboard.press('Escape');
    await stage.stillness(page);
    expect(await inFront()).toBe(0);
    expect(await page.getByTestId('payment-title').isVisible()).toBe(true);
    await page.locator('[data-testid="refund-begin"]:focus').waitFor();
  });

  test('leads a step back where it does so from within: the name that was typed stays', async () => {
    await open({ scene: managerScene({}), at: '#people' });
    await page.getByTestId('add-manager').click();
    await page.keyboard.type('Bea Holm');
    await page.keyboard.press('Enter');
    await page.keyboard.type('24');
    await away();
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="manager-name"]:focus').waitFor();
    expect(await page.getByTestId('manager-name').inputValue()).toBe('Bea Holm');
    await away();
    await page.keyboard.press('Escape');
    await stage.stillness(page);
    expect(await inFront()).toBe(0);
  });
});

test('a refund that is half typed waits with its payment, when the address leads to another payment', async () => {
  const { sale } = storyOf({});
  const other = { ...sale, saleId: sale.saleId.replace('5a1e', '5a1f'), amountMinor: 700 };
  const told = [sale, other].map((one) => storyOf({ sale: one, leftMinor: one.amountMinor }));
  const saleStory = ({ saleId }: { saleId: string }) =>
    told.find((one) => one.sale.saleId === saleId) ?? storyOf({});
  await open({
    scene: managerScene({ findSales: () => ({ sales: [sale, other], next: null }), saleStory }),
    at: `#refunds/${sale.saleId}`,
  });
  await page.getByTestId('refund-begin').click();
  await page
    .locator('tb-refund-dialog label', { has: page.locator('input[value="part"]') })
    .click();
  await page.keyboard.type('12.5');
  await go(`#refunds/${other.saleId}`);
  expect(await inFront()).toBe(0);
  expect(await page.getByTestId('payment-title').innerText()).toMatch(/7\.00/);
  await page.getByTestId('refund-begin').click();
  expect(await page.locator('dialog:modal').innerText()).toMatch(/7\.00/);
  await page.keyboard.press('Escape');
  await page.getByTestId('back').click();
  await page.locator(`[data-sale="${sale.saleId}"]`).click();
  await stage.stillness(page);
  await page.keyboard.type('0');
  expect(await page.locator('#refund-amount').inputValue()).toBe('12.50');
  await page.keyboard.press('Escape');
  expect(await inFront()).toBe(0);
});

test('of two fields that appeared with the focus, the one that is typed in keeps it', async () => {
  await open(refunds.find(({ name }) => name === 'refund-broken') as State);
  await page.locator('#refund-amount').fill('');
  await page.keyboard.type('12.50');
  expect(await page.locator('#refund-amount').inputValue()).toBe('12.50');
  expect(await page.locator('#refund-note').inputValue()).toBe('');
});

test.each(someOf(languages, 1))(
  'in %s, the story of a payment by hand tells that the cashier asked, and of no till',
  async (language) => {
    const { event, eventByHand } = managerTexts[language].refunds;
    const { sale } = storyOf({});
    const at = `#refunds/${sale.saleId}`;
    const lines = async (by: 'till' | 'cashier'): Promise<string> => {
      await open(
        {
          scene: managerScene({
            findSales: () => ({ sales: [], next: null }),
            saleStory: () => storyOf({ by }),
          }),
          at,
        },
        language,
      );
      return page.getByTestId('story').innerText();
    };
    const byHand = await lines('cashier');
    for (const words of Object.values(eventByHand)) expect(byHand).toContain(words);
    expect(byHand).not.toContain(event.saleRequested);
    expect(byHand).not.toContain(event.tillAcknowledged);
    const byTill = await lines('till');
    for (const words of [event.saleRequested, event.tillAcknowledged])
      expect(byTill).toContain(words);
    for (const words of Object.values(eventByHand)) expect(byTill).not.toContain(words);
  },
);

describe('a refund’s receipt', () => {
  const refund = {
    refundOrderId: '1-R001043-4ef00001',
    laneId: '1',
    atMs: 1_795_267_000_000,
    amountMinor: 1_500,
    currency: 'DKK',
    state: 'refunded',
    reason: null,
    receiptNumber: 1043,
    by: 'Ada Lund',
    from: null,
    note: null,
    canCancel: false,
  } as const;

  test.each([
    ['Hansens Købmand', /^Hansens Købmand\nRefund receipt\nRefunded DKK 15\.00\n/],
    [null, /^Refund receipt\nCheck-out 1\nRefunded DKK 15\.00\n/],
  ])('of the shop %s', async (shopName, begins) => {
    const told = storyOf({ shop: { name: shopName, address: null, vat: null }, refunds: [refund] });
    await open({
      scene: managerScene({ findSales: () => ({ sales: [], next: null }), saleStory: () => told }),
      at: `#refunds/${told.sale.saleId}`,
    });
    expect(await printed(page, () => page.getByTestId('print-receipt').click())).toMatch(begins);
  });
});
