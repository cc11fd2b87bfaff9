import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { terminalVersion } from '../../main/counter/app/version.ts';
import { verifyBackup } from '../../main/counter/backup/read-backup.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { PagePool, launchChromium } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { collectMistakes } from '../support/manager.ts';
import { until } from '../support/processes.ts';

let browser: Browser;
let pages: PagePool;
let counter: Counter;
let page: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  pages = new PagePool(browser, (made) => collectMistakes(made, mistakes));
});
afterAll(() => browser.close());
beforeEach(async () => {
  counter = await Counter.open();
});
afterEach(async () => {
  await pages.clear();
  await counter?.close();
  expect(mistakes.splice(0)).toEqual([]);
});

async function open(
  about: { hasTouch?: boolean; language?: string; hash?: string } = {},
): Promise<void> {
  page = await pages.open({ hasTouch: about.hasTouch ?? false });
  await page.goto(
    `${counter.started.screens}/manager/?lang=${about.language ?? 'en'}${about.hash ?? ''}`,
  );
  await state('signIn');
}
const state = (name: string): Promise<void> => page.locator(`[data-state="${name}"]`).waitFor();
/** Types into whatever has the focus. */
async function type(text: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
}
/** The label of the PIN pad tells which PIN it is waiting for. */
const asksFor = (label: string): Promise<void> =>
  page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
/** Enters the one-time code of a counter that has settings. */
async function enterCode(): Promise<void> {
  await page.locator('#code:focus').waitFor();
  await type(counter.firstManagerCode);
}
async function createAda(): Promise<void> {
  await enterCode();
  await page.getByTestId('manager-name').and(page.locator(':focus')).waitFor();
  await type('Ada Lund');
  await asksFor('Choose a PIN of 4 to 8 digits');
  await type('4711');
  await asksFor('The same PIN once more');
  await type('4711');
  await page.getByTestId('signed-in').waitFor();
}
async function touchPin(pin: string): Promise<void> {
  for (const digit of pin) await page.locator(`button[data-key="${digit}"]`).tap();
  await page.getByTestId('pin-enter').tap();
}

describe('a manager', () => {
  test('goes from the manager’s screen to setup and back with one PIN, and needs it again after a reload', async () => {
    await open();
    await createAda();
    await page.getByTestId('to-setup').click();
    await page.getByTestId('to-manager').waitFor();
    const kept = (): Promise<number> => page.evaluate(() => sessionStorage.length);
    expect(await kept()).toBe(0);
    await page.getByTestId('to-manager').click();
    await page.getByTestId('signed-in').waitFor();
    expect(await kept()).toBe(0);
    expect(page.url()).not.toContain('ticket');
    await page.reload();
    await asksFor('PIN of Ada Lund');
  });

  test('goes between the manager’s screen and setup by Back and Forward with one PIN; another tab, and the way over the cashier’s screen, need it', async () => {
    await open();
    await createAda();
    const isSignedIn = async (screen: 'manager' | 'setup'): Promise<void> => {
      await page.getByTestId(screen === 'manager' ? 'signed-in' : 'to-manager').waitFor();
      expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    };
    await page.getByTestId('to-setup').click();
    await isSignedIn('setup');
    await page.goBack();
    await isSignedIn('manager');
    await page.goForward();
    await isSignedIn('setup');
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByText('PIN of Ada Lund').waitFor();
    await other.close();
    await page.evaluate(() => history.back());
    await isSignedIn('manager');
    // Another page's state in the history of the same page is no way out of it.
    await page.getByTestId('nav-day').click();
    await state('day');
    await page.goBack();
    await state('refunds');
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.getByTestId('to-cashier').click();
    await page.locator('tb-cashier [data-state="idle"]').waitFor();
    await page.goBack();
    await asksFor('PIN of Ada Lund');
  });

  test('finds no sign-in that was passed on, once the cashier’s screen was in between', async () => {
    await open();
    await createAda();
    // Back is pressed twice: the manager's page has no time to take the sign-in over.
    await page.route('**/manager/*', (route) => route.abort());
    await page.getByTestId('to-setup').click();
    await page.getByTestId('to-manager').waitFor();
    await page.goBack({ timeout: 5_000 }).catch(() => undefined);
    await page.unroute('**/manager/*');
    await page.goto(`${counter.started.screens}/cashier/?lang=en`);
    await page.locator('tb-cashier [data-state="idle"]').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.getByTestId('to-manager').click();
    await asksFor('PIN of Ada Lund');
  });

  test.each([
    { width: 800, height: 480 },
    { width: 640, height: 450 },
  ])(
    'on a screen of $width × $height: the page begins in its upper third, and the others are behind a button, which Escape closes',
    async (size) => {
      await open();
      await createAda();
      const usual = page.viewportSize();
      await page.setViewportSize(size);
      const title = page.locator('h1:visible').first();
      expect((await title.boundingBox())?.y ?? size.height).toBeLessThan(size.height / 3);
      const toggle = page.getByTestId('nav-toggle');
      const health = page.getByTestId('nav-health');
      await health.waitFor({ state: 'hidden' });
      await toggle.focus();
      expect(await toggle.getAttribute('aria-expanded')).toBe('false');
      await page.keyboard.press('Enter');
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      await expectAccessible(page);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await health.waitFor({ state: 'hidden' });
      await toggle.and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.getByTestId('language').focus();
      await health.waitFor({ state: 'hidden' });
      await toggle.click();
      await page.getByTestId('sign-out').waitFor();
      await page.getByTestId('nav-health').click();
      await state('health');
      await page.getByTestId('nav-health').waitFor({ state: 'hidden' });
      await page.getByTestId('overall').waitFor();
      expect((await page.getByTestId('overall').boundingBox())?.y ?? size.height).toBeLessThan(
        size.height,
      );
      // The page is kept for the next test.
      if (usual !== null) await page.setViewportSize(usual);
    },
  );

  test('by keyboard alone: is created with every rule told, signs in, sees that all is well, and takes a backup and the file for support', async () => {
    await open({ hash: '#health' });
    await expectAccessible(page);
    const code = counter.firstManagerCode;
    expect(await page.getByText('first-manager-code.txt').innerText()).toContain(
      join(counter.folder, 'data', 'first-manager-code.txt'),
    );
    await page.locator('#code:focus').waitFor();
    await type('');
    expect(await page.locator('#code-problem').innerText()).toBe('Type the code.');
    await type('AAAA-AAAA');
    await page
      .getByText('That is not the code. 4 tries are left, then it is locked for a minute.')
      .waitFor();
    await expectAccessible(page);
    await enterCode();
    await page.getByTestId('manager-name').and(page.locator(':focus')).waitFor();
    await expectAccessible(page);
    await type('');
    expect(await page.locator('#manager-name-problem').innerText()).toBe('Type a name.');
    await type('Ada Lund');
    await asksFor('Choose a PIN of 4 to 8 digits');
    await expectAccessible(page);
    // A PIN that is too short is not accepted, and one that is too easy is refused.
    await type('123');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await page
      .getByText('A PIN that counts up or down is easy to guess. Choose another one.')
      .waitFor();
    await expectAccessible(page);
    await type('4711');
    await asksFor('The same PIN once more');
    await type('4712');
    await page.getByText('The two PINs differ. Choose one again.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByTestId('manager-name').inputValue()).toBe('Ada Lund');
    await type('');
    for (const label of ['Choose a PIN of 4 to 8 digits', 'The same PIN once more']) {
      await asksFor(label);
      await type('4711');
    }

    await state('health');
    // Nothing starts the daemon of a test with its computer, and nothing else is wrong.
    expect((await page.getByTestId('overall').innerText()).split('\n').slice(1)).toEqual([
      'Nothing was found that starts Tillbeacon with this computer',
    ]);
    expect(await page.getByTestId('health-lane').innerText()).toContain(
      'Check-out 1: Takes payments',
    );
    expect(await page.getByTestId('health-till').innerText()).toContain(
      counter.started.lanes[0]?.till,
    );
    await expectAccessible(page);

    await page.getByTestId('diagnostics').focus();
    await page.keyboard.press('Enter');
    await page.getByTestId('contents').waitFor();
    await expectAccessible(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ]);
    const file = join(counter.folder, 'bundle.zip');
    await download.saveAs(file);
    const files = unzipSync(readFileSync(file));
    expect(Object.keys(files)).toEqual([
      'README.txt',
      'health.json',
      'settings.json',
      'log.jsonl',
      'journal.jsonl',
    ]);
    const everything = Object.values(files).map((bytes) => strFromU8(bytes));
    expect(everything.join('\n')).toContain('point of sale open');
    expect(everything.join('\n')).toContain('this counter has no manager');
    for (const secret of [counter.credentials.clientSecret, 'Ada Lund', code])
      expect(everything.join('\n')).not.toContain(secret);
    await page.getByText(/^Saved as tillbeacon-diagnostics-.*\. Send it to support\.$/).waitFor();

    await page.getByTestId('backup').focus();
    await page.keyboard.press('Enter');
    await page.locator('#passphrase:focus').waitFor();
    await type('eleven char');
    await page.getByText('The passphrase must have at least 12 characters.').waitFor();
    await expectAccessible(page);
    await page.keyboard.type('s and more');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await type('eleven chars and morf');
    await page.getByText('The two passphrases differ. Type the same one again.').waitFor();
    await page.keyboard.press('Backspace');
    const [backup] = await Promise.all([page.waitForEvent('download'), type('e')]);
    expect(backup.suggestedFilename()).toMatch(/^tillbeacon-backup-\d{4}-\d\d-\d\d\.backup$/);
    const saved = join(counter.folder, 'counter.backup');
    await backup.saveAs(saved);
    const holds = (await verifyBackup(saved, 'eleven chars and more', terminalVersion)).files.map(
      ({ path }) => path,
    );
    expect(holds).toEqual(
      expect.arrayContaining(['journal.sqlite', 'managers.json', 'settings.json']),
    );
    await page
      .getByText(
        /^Saved as tillbeacon-backup-.*\. Keep it away from this computer, e\.g\. on a USB stick\.$/,
      )
      .waitFor();

    await page.getByTestId('sign-out').focus();
    await page.keyboard.press('Enter');
    await asksFor('PIN of Ada Lund');
    await type('4711');
    await state('health');
  });

  test('by touch alone: signs in, gives a new PIN, and removes who left', async () => {
    await open({ hasTouch: true });
    await createAda();
    await page.getByTestId('nav-people').tap();
    await expectAccessible(page);
    await page.getByTestId('remove').tap();
    await page.getByText('The last manager cannot be removed. Add another one first.').waitFor();
    await page.getByTestId('add-first').tap();
    await page.getByTestId('manager-name').fill('ada lund');
    await page.getByTestId('name-next').tap();
    await page
      .getByText('There is a manager with this name already. Choose another one.')
      .waitFor();
    expect(await page.getByTestId('manager-name').inputValue()).toBe('ada lund');
    await page.getByTestId('manager-name').fill('Bea Holm');
    await page.getByTestId('name-next').tap();
    await touchPin('583604');
    await page.getByText('The same PIN once more').waitFor();
    await touchPin('583604');
    await page.getByText('Bea Holm has been added.').waitFor();

    await page.getByTestId('sign-out').tap();
    await page.getByText('Who are you?').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Bea Holm', exact: true }).tap();
    await expectAccessible(page);
    await touchPin('583604');
    // After another manager signs in, the page of the address is shown, not the page of the one
    // before.
    await page.getByText('Signed in: Bea Holm').waitFor();
    await page.getByRole('button', { name: 'Change PIN: Bea Holm' }).tap();
    await expectAccessible(page);
    await touchPin('83651472');
    await page.getByText('The same PIN once more').waitFor();
    await touchPin('83651472');
    await page.getByText('Bea Holm has a new PIN.').waitFor();
    await page.getByRole('button', { name: 'Remove: Ada Lund' }).tap();
    await expectAccessible(page);
    await page.getByTestId('remove-now').tap();
    await page.getByText('Ada Lund has been removed.').waitFor();
    expect(await page.getByTestId('person').count()).toBe(1);
  });

  test('who is wrong five times is locked out for a minute, in words and counting down, also after a restart', async () => {
    await open();
    await createAda();
    await page.getByTestId('sign-out').click();
    for (const left of ['4 tries are', '3 tries are', '2 tries are', 'One try is']) {
      await asksFor('PIN of Ada Lund');
      await type('0000');
      await page.getByText(`That is not the PIN. ${left} left`).waitFor();
    }
    await expectAccessible(page);
    await type('0000');
    const locked = page.getByTestId('locked');
    expect(await locked.innerText()).toMatch(
      /Locked after five wrong PINs\s+You can try again in (1 minute|\d\d seconds)\./,
    );
    await expectAccessible(page);
    const before = await locked.innerText();
    await until(async () => (await locked.innerText()) !== before, 'the countdown');
    expect(await page.getByTestId('pin').isDisabled()).toBe(true);

    const port = new URL(counter.started.screens).port;
    await counter.daemon.end('SIGKILL');
    await state('disconnected');
    await expectAccessible(page);
    await counter.startDaemon(Number(port));
    await asksFor('PIN of Ada Lund');
    await type('4711');
    expect(await locked.innerText()).toContain('Locked after five wrong PINs');
    await page.getByTestId('language').click();
    await page.getByRole('menuitemradio', { name: 'Dansk' }).click();
    expect(await locked.innerText()).toMatch(
      /Låst efter fem forkerte pinkoder\s+Du kan prøve igen om \d\d sekunder\./,
    );
  });

  test('has to sign in again after the connection was lost, and finds the page as it was; another one does not', async () => {
    await open({ hash: '#people' });
    await createAda();
    await page.getByTestId('add-manager').click();
    await page.getByTestId('manager-name').fill('Bea Hol');
    const port = new URL(counter.started.screens).port;
    await counter.daemon.end('SIGKILL');
    await state('disconnected');
    expect(await page.getByTestId('manager-name').isVisible()).toBe(false);
    await counter.startDaemon(Number(port));
    await page.getByText('You were signed out. Your page is as you left it.').waitFor();
    await type('4711');
    expect(await page.getByTestId('manager-name').inputValue()).toBe('Bea Hol');
    await page.keyboard.press('Escape');
    await page.getByTestId('to-cashier').click();
    await page.locator('tb-cashier [data-state="idle"]').waitFor();
    await page.getByTestId('to-manager').click();
    await asksFor('PIN of Ada Lund');
  });

  test('sees money that is not settled on every page', async () => {
    await open({ language: 'sv' });
    await enterCode();
    await page.getByTestId('manager-name').and(page.locator(':focus')).waitFor();
    await type('Ada Lund');
    for (const label of ['Välj en pinkod med 4 till 8 siffror', 'Samma pinkod en gång till']) {
      await asksFor(label);
      await type('4711');
    }
    await page.getByTestId('signed-in').waitFor();
    await counter.fault({ operation: 'capturePayment', kind: 'status500', times: 1_000 });
    const payment = counter.till.pay(4_200, 'DKK');
    await counter.customerPays();
    await payment;
    await page.getByTestId('unsettled').waitFor();
    for (const id of ['day', 'reconciliation', 'health', 'people', 'refunds']) {
      await page.getByTestId(`nav-${id}`).click();
      await state(id);
      expect(await page.getByTestId('unsettled').innerText()).toContain('42,00');
    }
    await page.getByTestId('nav-health').click();
    await page.getByTestId('look-again').click();
    await page.getByTestId('overall').getByText('Det fungerar, men något kräver åtgärd').waitFor();
    expect(await page.getByTestId('health-unsettled').innerText()).toContain('Check-out 1: 42,00');
  });
});
