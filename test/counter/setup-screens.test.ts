import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OutputOf } from '../../preload/procedures.ts';
import { Register } from '../../main/sandbox/till/register.ts';
import { openSerialWire } from '../../main/devices/serial-port.ts';
import { systemClock } from '../../main/domain/clock.ts';
import { addressesHere } from '../../main/setup/displays.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { KeptPages, launchChromium } from '../support/browser.ts';
import { Installation } from '../support/installation.ts';
import { isLong } from '../support/long.ts';
import { ContractLine } from '../support/manager-books.ts';
import { SerialCable, until } from '../support/processes.ts';

let browser: Browser;
let pages: KeptPages;
let at: Installation;
let context: BrowserContext;
let page: Page;
const mistakes: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  pages = new KeptPages(browser, (made) => {
    made.on('pageerror', (error) => mistakes.push(error.message));
    made.on('console', (message) => {
      if (message.type() === 'error') mistakes.push(message.text());
    });
  });
});
afterAll(() => browser.close());
beforeEach(async () => {
  at = await Installation.open();
});
afterEach(async () => {
  await pages.clear();
  await at?.close();
  expect(mistakes.splice(0)).toEqual([]);
});

async function open(options: BrowserContextOptions = {}): Promise<void> {
  page = await pages.open(options);
  context = page.context();
  await page.goto(`${at.screens}/setup/?lang=en`);
}
const step = (name: string): Promise<void> => page.locator(`[data-step="${name}"]`).waitFor();
const state = (name: string): Promise<void> => page.locator(`tb-setup [data-state="${name}"]`).first().waitFor();
/** Of a test: how often a key that commands was pressed, and something was typed. */
const counted = { keys: 0, values: 0 };
async function press(key: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    counted.keys += 1;
    await page.keyboard.press(key);
  }
}
function type(text: string): Promise<void> {
  counted.values += 1;
  return page.keyboard.type(text);
}
const focusIs = (id: string): Promise<void> => page.locator(`[data-testid="${id}"]:focus`).waitFor();
const problemOf = (id: string): Promise<string> => page.locator(`#${id}-problem`).innerText();
/** Those in whose words a manager's name and PIN do not fit above the foot of the page. */
const languagesThatScroll = (): Promise<string[]> =>
  page.evaluate(async () => {
    const setup = document.querySelector('tb-setup') as HTMLElement & { language: string };
    const scrolls: string[] = [];
    for (const language of ['da', 'fi', 'sv', 'en']) {
      setup.language = language;
      await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
      const cover = setup.shadowRoot?.querySelector('.cover') as HTMLElement;
      if (cover.scrollHeight > cover.clientHeight) scrolls.push(`${language}: ${cover.scrollHeight} in ${cover.clientHeight}`);
    }
    return scrolls;
  });
/** Instead of what is in the field. */
async function retype(text: string): Promise<void> {
  await press('Control+a');
  await type(text);
}
const drawing = (comment: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><!-- ${comment} --><rect width="80" height="40"/></svg>`);
/** Of the only lane, where it listens now. */
function tillPort(): Promise<number> {
  return page.locator('tb-setup').evaluate(async (setup) => {
    const { bridge } = setup as unknown as { bridge: { ask(name: string, asked: object): Promise<{ value: OutputOf<'setupState'> }> } };
    const { value } = await bridge.ask('setupState', {});
    return Number(value.inUse?.lanes[0]?.till.split(':').at(-1));
  });
}
async function pick(open: () => Promise<void>, name: string, buffer: Buffer): Promise<void> {
  const chosen = page.waitForEvent('filechooser');
  // The browser has heard that it is to leave the choice to us: Enter is quicker than that.
  await page.evaluate(() => {});
  await open();
  await (await chosen).setFiles({ name, mimeType: 'application/octet-stream', buffer });
}
async function typePin(): Promise<void> {
  for (const label of ['Choose a PIN of 4 to 8 digits', 'The same PIN once more']) {
    await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
  }
}
/** Before the page that asks for the one-time code. */
async function becomeManager(): Promise<void> {
  await state('signIn');
  await focusIs('code');
  await type(at.firstManagerCode);
  await press('Enter');
  await focusIs('manager-name');
  await type('Ada Lund');
  await press('Enter');
  await typePin();
}

describe('an installer', () => {
  test('by keyboard alone: from the first start to a payment of the real till, through a wrong secret, an unknown company, a name that breaks a rule and a reload', async () => {
    const cable = await new SerialCable().plugIn();
    const { baseUrl, clientId, clientSecret, merchantVat } = at.credentials;
    await open();
    const startedAt = performance.now();
    await step('language');
    await focusIs('shop-language-en');
    await expectAccessible(page);
    await press('Enter');

    await step('wallet');
    await focusIs('wallet-service-epayment');
    await press('ArrowDown', 2);
    await focusIs('wallet-service-other');
    // Enter leads to what is still to be filled in, and only then says that it is missing.
    await press('Enter');
    await focusIs('baseUrl');
    expect(await problemOf('baseUrl')).toBe('');
    await press('Enter');
    expect(await problemOf('clientId')).toBe('Type the client id that the wallet provider gave you.');
    await expectAccessible(page);
    await type('http://api.example');
    await page.getByTestId('next').press('Enter');
    expect(await problemOf('baseUrl')).toBe('The address must begin with https://. Only a service on this very computer can do without.');
    await retype(baseUrl);
    await press('Tab', 2);
    await type(clientId);
    await press('Tab');
    await type('not the secret');
    await press('Enter');
    await page
      .getByText('The wallet service refuses these credentials (answer 401). Check the client id and the client secret; both are case-sensitive.')
      .waitFor();
    await expectAccessible(page);
    await focusIs('clientSecret');
    await retype(clientSecret);
    await press('Enter');

    await step('store');
    await focusIs('merchantVat');
    await type('DK1');
    await press('Enter');
    expect(await problemOf('merchantVat')).toBe('DK or FI and eight digits, e.g. DK12345678.');
    await retype('DK99999999');
    await page.getByText('The credentials are right, but not allowed for this company.').waitFor();
    await expectAccessible(page);
    await retype(merchantVat.toLowerCase().replace('dk', 'dk '));
    await page.getByTestId('store').waitFor();
    expect(await page.getByTestId('merchantVat').inputValue()).toBe(merchantVat);
    await press('Enter');
    await press('Space');
    await expectAccessible(page);
    await press('Enter');

    await step('pointOfSale');
    await focusIs('merchantPosId');
    await press('Tab');
    expect(await page.getByTestId('posName').inputValue()).toBe('Check-out 1');
    await retype('Kasse 1☕');
    expect(await problemOf('posName')).toBe('The service does not take: ☕. Leave it out.');
    await expectAccessible(page);
    await press('Backspace');
    expect(await page.getByTestId('posName').getAttribute('aria-invalid')).toBe('false');

    await page.reload();
    await step('pointOfSale');
    expect(await page.getByTestId('posName').inputValue()).toBe('Kasse 1');
    await focusIs('merchantPosId');
    await press('Enter');

    await step('till');
    await focusIs('transport-serial');
    await page.getByTestId('ports').waitFor();
    await press('Tab');
    // The last one; Space where it is the only one.
    await press('ArrowUp');
    await press('Space');
    await focusIs('ports-other');
    await press('Tab');
    // Quicker than the port is opened: it is judged before it is accepted.
    await type(`${cable.terminalPath}x`);
    await press('Enter');
    await focusIs('wait');
    expect(await page.getByTestId('unheard').innerText()).toMatch(/^Continue without the till\?\s+The port could not be opened/);
    await expectAccessible(page);
    await press('Enter');
    await focusIs('otherPath');
    await press('End');
    await press('Backspace');
    await page.locator('[data-heard="nothing"]').waitFor();
    expect(await page.getByTestId('heard').innerText()).toContain('Waiting for the till’s first bytes');
    await press('Enter');
    await page.getByText('The port is open, but nothing has come from the till.').waitFor();
    await focusIs('wait');
    const early = await Register.overSerial({ path: cable.tillPath, open: openSerialWire, clock: systemClock });
    void early.register({ currency: 'DKK' });
    await page.getByText('Till found (ZVT)').waitFor();
    await page.getByTestId('unheard').waitFor({ state: 'detached' });
    await focusIs('next');
    await expectAccessible(page);
    await press('Enter');
    await step('test');
    await early.close();

    // Enter starts the test, and the button that says so keeps the focus to its end.
    await focusIs('test-with-own');
    await press('Enter');
    await page.getByTestId('stop-test').waitFor();
    await focusIs('next');
    await page.getByTestId('passed').waitFor();
    expect(await page.getByTestId('passed').innerText()).toMatch(/^DKK\s1\.00 paid[^]*Not tested: your till and its connection/);
    await expectAccessible(page);
    await focusIs('next');
    await press('Enter');

    await step('manager');
    await focusIs('manager-name');
    await expectAccessible(page);
    await type('Ada Lund');
    await press('Enter');
    await typePin();

    await step('finish');
    await page.getByText('The point of sale is created at the wallet service.').waitFor();
    await expectAccessible(page);
    await focusIs('next');
    await press('Enter');
    await page.locator('[data-lane="idle"]').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Kasse 1 takes payments');
    expect(await page.getByTestId('tested').innerText()).toBe('Test payment with the built-in till');
    expect(performance.now() - startedAt).toBeLessThan(180_000);
    await expectAccessible(page);
    await press('Tab');
    await focusIs('save-stickers');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    const sheet = join(at.folder, 'sheet.pdf');
    await download.saveAs(sheet);
    const [paper] = (await PDFDocument.load(readFileSync(sheet))).getPages();
    expect([paper?.getWidth(), paper?.getHeight()].map((points) => Math.round(((points ?? 0) * 25.4) / 72))).toEqual([210, 297]);

    await press('Tab', 2);
    await focusIs('open-cashier');
    await press('Enter');
    await page.locator('tb-cashier [data-state="idle"]').waitFor();
    const till = await Register.overSerial({ path: cable.tillPath, open: openSerialWire, clock: systemClock });
    const paying = till.pay(1234, 'DKK');
    await page.locator('tb-cashier [data-state="waitingForCustomer"]').waitFor();
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    expect((await paying).ended?.by).toBe('completion');
    await at.paymentIs('Captured');
    await till.close();
    await cable.remove();
  });

  test('by keyboard alone, without a mistake: needs no more keys than these', async () => {
    const cable = await new SerialCable().plugIn();
    const { baseUrl, clientId, clientSecret, merchantVat } = at.credentials;
    await open();
    await step('language');
    await focusIs('shop-language-en');
    Object.assign(counted, { keys: 0, values: 0 });
    await press('Enter');
    // One that is known by name needs neither these keys nor the address.
    await focusIs('wallet-service-epayment');
    await press('ArrowDown', 2);
    await press('Enter');
    for (const value of [baseUrl, clientId, clientSecret]) {
      await type(value);
      await press('Enter');
    }
    await step('store');
    await focusIs('merchantVat');
    await type(merchantVat.replace('DK', ''));
    await page.getByTestId('store').waitFor();
    await press('Enter');
    await press('Space');
    await press('Enter');
    await step('pointOfSale');
    await focusIs('merchantPosId');
    await press('Enter');
    // A port that is listed alone, or plugged in now, needs none of these but the last one.
    await step('till');
    await focusIs('transport-serial');
    await page.getByTestId('ports').waitFor();
    await press('Tab');
    await press('ArrowUp');
    await press('Tab');
    await type(cable.terminalPath);
    await page.locator('[data-heard="nothing"]').waitFor();
    const till = await Register.overSerial({ path: cable.tillPath, open: openSerialWire, clock: systemClock });
    void till.register({ currency: 'DKK' });
    await page.locator('[data-heard="zvt"]').waitFor();
    await press('Enter');
    await step('test');
    await till.close();
    await focusIs('test-with-own');
    await press('Enter');
    await page.getByTestId('passed').waitFor();
    await focusIs('next');
    await press('Enter');
    await step('manager');
    await focusIs('manager-name');
    await type('Ada Lund');
    await press('Enter');
    await typePin();
    await step('finish');
    await focusIs('next');
    await press('Enter');
    await page.locator('[data-lane="idle"]').waitFor();
    // Before, on the same way: 24 keys and 9 values.
    expect(counted).toEqual({ keys: 21, values: 8 });
    await cable.remove();
  });

  test('by touch alone: a demonstration without a store; afterwards nothing is changed without the PIN', async () => {
    await open({ hasTouch: true });
    await page.getByTestId('shop-language-fi').tap();
    await page.getByRole('heading', { name: 'Tervetuloa' }).waitFor();
    await page.getByTestId('shop-language-en').tap();
    await page.getByTestId('next').tap();
    await page.getByTestId('wallet-service-simulator').tap();
    await page.getByTestId('next').tap();
    await step('pointOfSale');
    expect(await page.getByRole('listitem').filter({ hasText: 'Store' }).count()).toBe(0);
    await page.getByTestId('posName').fill('Playground');
    await page.getByTestId('beaconTypes-QR').tap();
    await page.getByTestId('next').tap();
    expect(await problemOf('beaconTypes')).toBe('Choose at least one.');
    await page.getByTestId('beaconTypes-QR').tap();
    await page.getByTestId('beaconTypes-NFC').tap();
    await page.getByTestId('next').tap();
    await step('till');
    await page.getByTestId('next').tap();
    expect(await problemOf('ports')).toBe('Pick the port that the till’s cable is plugged into.');
    await page.getByTestId('transport-tcp').tap();
    await page.getByTestId('port').fill(new URL(page.url()).port);
    await page.getByText('another program already listens').waitFor();
    expect(await page.getByTestId('heard').innerText()).not.toContain('cable');
    await page.getByTestId('port').fill('0');
    await page.locator('[data-heard="nothing"]').waitFor();
    const tillPort = Number(await page.getByTestId('port').inputValue());
    await page.getByTestId('next').tap();
    await page.getByTestId('without-till').tap();
    await step('test');
    await page.locator('.steps .to-check [data-testid="step-till"]').waitFor();
    await page.getByTestId('test-with-till').tap();
    await page.getByTestId('next').tap();
    await page.getByText('Now enter').waitFor();
    const till = await Register.overTcp({ host: '127.0.0.1', port: tillPort });
    await till.pay(150, 'DKK');
    await till.close();
    await page.getByTestId('passed').waitFor();
    expect(await page.getByTestId('passed').innerText()).toMatch(/^DKK\s1\.50 paid/);
    expect(await page.getByText('and pay by card').innerText()).toMatch(/^Enter DKK\s1\.00 there/);
    // Its own payment says that the till is there.
    await page.getByTestId('back').tap();
    await step('till');
    await page.getByTestId('next').tap();
    await step('test');
    expect(await page.locator('.steps .to-check').count()).toBe(0);
    await page.getByTestId('next').tap();
    await page.getByTestId('manager-name').fill('Ada Lund');
    await page.getByTestId('name-next').tap();
    await page.getByText('Choose a PIN of 4 to 8 digits').waitFor();
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(1);
    await page.getByTestId('back').tap();
    expect(await page.getByTestId('manager-name').inputValue()).toBe('Ada Lund');
    await page.getByTestId('name-next').tap();
    for (const label of ['Choose a PIN of 4 to 8 digits', 'The same PIN once more']) {
      await page.getByText(label).waitFor();
      expect(await languagesThatScroll(), label).toEqual([]);
      for (const digit of '4711') await page.locator(`button[data-key="${digit}"]`).tap();
      await page.getByTestId('pin-enter').tap();
    }
    await page.getByText('A demonstration: payments are simulated, no money moves.').waitFor();
    await page.getByTestId('next').tap();
    await page.locator('[data-lane="idle"]').waitFor();

    await page.reload();
    await state('signIn');
    await expectAccessible(page);
    for (const digit of '4711') await page.locator(`button[data-key="${digit}"]`).tap();
    await page.getByTestId('pin-enter').tap();
    await page.getByTestId('lane').waitFor();
    expect(await page.getByTestId('lane').innerText()).toContain('Playground');
    await page.getByTestId('remove').tap();
    await page.getByText('A counter has at least one lane. Add another one first.').waitFor();
    await expectAccessible(page);
  });

  test('who is no manager hands that over: with the code at the end, which opens the manager’s screen once', async () => {
    const line = await ContractLine.at(at.screens);
    await line.value('saveDraft', { step: 'language', value: 'en' });
    await line.value('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await line.value('saveDraft', { step: 'pointOfSale', value: { merchantPosId: 'shop-1', name: 'Playground', beaconTypes: ['QR'], beaconId: null } });
    await line.value('saveDraft', { step: 'till', value: { transport: 'tcp', port: 0 } });
    await open();
    await step('test');
    await page.getByTestId('skip').click();
    await step('manager');
    await expectAccessible(page);
    await page.getByTestId('later').click();
    await step('finish');
    expect(await page.getByTestId('part-test').innerText()).toContain('Not tested');
    expect(await page.getByTestId('part-till').innerText()).toContain('Not heard yet');
    // What is changed from here leads back here.
    await page.getByTestId('change-pointOfSale').click();
    await step('pointOfSale');
    await page.getByTestId('next').click();
    await step('finish');
    await page.getByTestId('next').click();
    await page.locator('[data-lane="idle"]').waitFor();
    expect(await page.getByTestId('tested').innerText()).toMatch(/^Not tested: a payment\s+Not heard yet: the till$/);
    await expectAccessible(page);
    const code = await page.getByTestId('first-manager-code').innerText();
    // Whoever is at another screen has it from nowhere.
    expect(await line.ask('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    expect(await line.ask('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({ code: 'pinNeeded' });
    line.close();
    // Who has set it up may still print and save.
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-stickers').click()]);
    expect(download.suggestedFilename()).toBe('sticker-1.pdf');

    const manager = await context.newPage();
    await manager.goto(`${at.screens}/manager/?lang=en`);
    await manager.locator('#code:focus').waitFor();
    await manager.keyboard.type(code.toLowerCase());
    await manager.keyboard.press('Enter');
    await manager.getByTestId('manager-name').fill('Ada Lund');
    await manager.keyboard.press('Enter');
    for (let time = 0; time < 2; time += 1) {
      await manager.locator('tb-pin-pad:focus').waitFor();
      await manager.keyboard.type('471108');
      await manager.keyboard.press('Enter');
    }
    await manager.getByTestId('signed-in').waitFor();
    await page.getByTestId('to-overview').click();
    await page.getByLabel('PIN of Ada Lund').waitFor();
  });

  test('by keyboard: a till that is a program, with a token, a test payment by the line that is shown, and a payment of the lane in use', async () => {
    const { baseUrl, authUrl, clientId, clientSecret, merchantVat, storeIds } = at.credentials;
    const store = {
      storeId: storeIds[0],
      name: null,
      street: null,
      zipCode: null,
      city: null,
      brandName: null,
      merchantBrandId: null,
      merchantLocationId: null,
    };
    const line = await ContractLine.at(at.screens);
    await line.value('saveDraft', { step: 'language', value: 'en' });
    await line.value('saveDraft', { step: 'wallet', value: { kind: 'service', baseUrl, authUrl, clientId, clientSecret } });
    await line.value('saveDraft', { step: 'store', value: { merchantVat, store: store as never } });
    await line.value('saveDraft', { step: 'pointOfSale', value: { merchantPosId: 'shop-1', name: 'Kiosk', beaconTypes: ['QR'], beaconId: null } });
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const port = (taken.address() as AddressInfo).port;
    await open();
    await step('till');
    await focusIs('transport-serial');
    await press('ArrowDown', 2);
    await page.getByTestId('api-ready').waitFor();
    await press('Tab', 2);
    await focusIs('apiPort');
    await retype(String(port));
    await page.locator('#apiPort-problem span').waitFor();
    expect(await problemOf('apiPort')).toMatch(/^Port \d+ cannot be used/);
    await new Promise((resolve) => taken.close(resolve));
    await press('End');
    await type('0');
    await press('Backspace');
    await page.getByText(`The till finds this computer at http://127.0.0.1:${port}`).waitFor();
    await press('Tab', 2);
    await focusIs('tokenName');
    expect(await page.getByTestId('tokenName').inputValue()).toBe('Kiosk');
    await press('Enter');
    await focusIs('copy-new-token');
    await press('Enter');
    await page.getByText('Copied').waitFor();
    const token = await page.locator('#new-token').inputValue();
    expect(token).toMatch(/^tbt_[\w-]{43}$/);
    await expectAccessible(page);
    await page.getByTestId('next').press('Enter');

    await step('test');
    await focusIs('test-with-own');
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#curl').waitFor();
    await expectAccessible(page);
    const curl = await page.locator('#curl').inputValue();
    expect(JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout)).toMatchObject({ status: 'pending', amountMinor: 100 });
    await page.getByTestId('passed').waitFor();
    expect(await page.getByTestId('passed').innerText()).toContain('Tested: your till and its connection');
    await focusIs('next');
    await press('Enter');
    await page.getByTestId('later').click();
    await step('finish');
    expect(await page.getByTestId('part-till').innerText()).toContain(`http://127.0.0.1:${port}`);
    await focusIs('next');
    await press('Enter');
    await page.locator('[data-lane="idle"]').waitFor();
    line.close();

    expect(at.settings()).toMatchObject({ api: { host: '127.0.0.1', port }, lanes: [{ till: { protocol: 'http' } }] });
    const ask = async (path: string, init: object = {}) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': 'c0ffee00-0000-4000-8000-000000000001' };
      return (await (await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers, ...init })).json()) as Record<string, unknown>;
    };
    const payment = await ask('/payments', { method: 'POST', body: '{"amountMinor":1250,"currency":"DKK"}' });
    expect(payment).toMatchObject({ status: 'pending' });
    await at.paymentIs('Initiated');
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    expect(await ask(`/payments/${String(payment['paymentId'])}?wait=30`)).toMatchObject({ status: 'paid', amountMinor: 1_250 });
    await at.paymentIs('Captured');
  });

  test('changes a lane that came from a file: a manager first, mistakes of the file told, the consequences before anything happens, out and in again as a file', async () => {
    at.dropSettings();
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    const [{ beaconId } = { beaconId: '' }] = (await at.state()).pointsOfSale;
    await open();
    await state('signIn');
    await focusIs('code');
    await expectAccessible(page);
    await becomeManager();
    await page.getByTestId('lane').waitFor();
    await expectAccessible(page);

    at.dropSettings({ currency: 'SEK' });
    await page.getByTestId('file-refused').waitFor();
    expect(await page.getByTestId('file-refused').innerText()).toMatch(/lanes\.0\.currency: /);
    await expectAccessible(page);
    at.dropSettings();
    await page.getByTestId('file-refused').waitFor({ state: 'detached' });

    const [exported] = await Promise.all([page.waitForEvent('download'), page.getByTestId('export').click()]);
    const file = join(at.folder, 'lane-1.json');
    await exported.saveAs(file);
    expect(readFileSync(file, 'utf8')).not.toContain(at.credentials.clientSecret);

    await page.getByTestId('edit-till').click();
    await step('till');
    await page.getByTestId('back').click();
    await state('overview');
    expect(await page.getByTestId('unfinished').count()).toBe(0);
    await page.getByTestId('edit-pointOfSale').first().click();
    await step('pointOfSale');
    await page.getByTestId('posName').fill('Bageriet');
    await press('Enter');
    await page.getByText('Printed QR codes stop working. Print and put up new ones.').waitFor();
    await page.getByText('Name: “Check-out 1” becomes “Bageriet”').waitFor();
    await expectAccessible(page);
    await page.getByTestId('keep-beacon').click();
    await page.getByText('Printed QR codes stop working.').waitFor({ state: 'detached' });
    const port = await tillPort();
    const till = await Register.overTcp({ host: '127.0.0.1', port });
    const paying = till.pay(1234, 'DKK');
    await at.paymentIs('Initiated');
    await page.getByTestId('next').click();
    await page.getByText('Waiting for the payment at Check-out 1').waitFor();
    await expectAccessible(page);
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    await paying;
    await till.close();
    await page.getByTestId('told').waitFor();
    await state('overview');
    // It is told once that is begun: the present one is deleted first.
    const there = async () => (await at.state()).pointsOfSale.filter(({ deleted }) => !deleted);
    await until(async () => (await there()).length > 0, 'the new point of sale');
    expect(await there()).toMatchObject([{ name: 'Bageriet', beaconId }]);

    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.getByTestId('import').click()]);
    await chooser.setFiles(file);
    await step('finish');
    await page.getByText('Name: “Bageriet” becomes “Check-out 1”').waitFor();
    await page.reload();
    await page.getByLabel('PIN of Ada Lund').and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
    await step('finish');
    await page.getByTestId('leave').click();
    await page.getByTestId('discard').click();
    await page.getByTestId('unfinished').waitFor({ state: 'detached' });
  });

  test('says what a till in the network may do; what is typed survives a detour, a stored password is never seen, and what is not touched stays', async () => {
    at.dropSettings({ till: { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 0, password: '192837', refunds: false } });
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    await open();
    const seen: string[] = [];
    page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => seen.push(payload.toString())));
    await page.reload();
    await becomeManager();
    const toTill = async (): Promise<void> => {
      await step('finish');
      await page.getByTestId('change-till').click();
      await step('till');
    };
    const isSecurityOpen = (): Promise<boolean> => page.getByTestId('security').evaluate((details) => (details as HTMLDetailsElement).open);
    await page.getByTestId('change').click();
    await toTill();
    expect(await isSecurityOpen()).toBe(false);
    await page.getByTestId('host').fill('0.0.0.0');
    await page.getByText('Other devices in the network reach this address').waitFor();
    expect(await isSecurityOpen()).toBe(true);
    expect(await page.getByTestId('tillPassword').inputValue()).toBe('');
    expect(await page.getByTestId('refunds').inputValue()).toBe('no');
    await page.getByTestId('tillPassword').fill('12');
    await page.getByTestId('from').fill('127.0.0.1, 10.0.0.300');
    await page.getByTestId('refunds').selectOption('upTo');
    await page.getByTestId('next').click();
    expect(await problemOf('tillPassword')).toBe('Exactly six digits.');
    expect(await problemOf('from')).toBe('“10.0.0.300” is no address. Write it like 192.168.1.40 or 192.168.1.0/24.');
    expect(await problemOf('refundLimit')).toBe('Type an amount.');
    await expectAccessible(page);
    await page.getByTestId('tillPassword').fill('555555');
    await page.getByTestId('from').fill('127.0.0.1, 10.0.0.0/8');
    await page.getByTestId('refundLimit').fill('250');
    await page.getByTestId('back').click();
    await toTill();
    expect(await page.getByTestId('tillPassword').inputValue()).toBe('555555');
    expect(await page.getByTestId('from').inputValue()).toBe('127.0.0.1, 10.0.0.0/8');
    expect(await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))).not.toContain('555555');
    await page.getByTestId('next').click();
    await page.getByTestId('without-till').click();
    await step('finish');
    await page.getByText(/127\.0\.0\.1, 10\.0\.0\.0\/8 · with password · refunds up to DKK\s250\.00/).waitFor();
    await page.getByTestId('next').click();
    await page.locator('[data-lane="idle"]').waitFor();
    const addresses = ['127.0.0.1', '10.0.0.0/8'];
    expect(at.settings().lanes[0]?.till).toMatchObject({ host: '0.0.0.0', password: '555555', refunds: 25_000, from: addresses });

    await page.getByTestId('to-overview').click();
    await page.getByTestId('change').click();
    await toTill();
    expect(await page.getByTestId('tillPassword').inputValue()).toBe('');
    await page.getByTestId('withoutPassword').check();
    await page.getByTestId('next').click();
    await step('finish');
    await page.getByTestId('next').click();
    await page.locator('[data-lane="idle"]').waitFor();
    const { till } = at.settings().lanes[0] ?? {};
    expect(till).toMatchObject({ refunds: 25_000, from: addresses });
    expect(till).not.toHaveProperty('password');
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.join()).not.toMatch(/192837|555555/);
  });

  test('lets the customers see the shop: by keyboard, then by touch, past mistakes and a payment under way, on another device as well', async () => {
    at.dropSettings();
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    await open({ hasTouch: true });
    await state('signIn');
    await focusIs('code');
    await expectAccessible(page);
    await becomeManager();
    await page.getByTestId('customers').focus();
    await press('Enter');
    await focusIs('shopName');
    await expectAccessible(page);
    await type('x'.repeat(61));
    await press('Enter');
    expect(await problemOf('shopName')).toBe('At most 60 characters: 1 too many.');
    expect(await page.getByTestId('shopName').inputValue()).toBe('x'.repeat(61));
    await retype('Hansens Købmand');

    await press('Tab');
    await focusIs('address');
    await press('Tab');
    await focusIs('vat');
    await press('Tab');
    await focusIs('logo');
    await pick(() => press('Enter'), 'logo.png', Buffer.from('not a picture'));
    await page.locator('#logo-problem span').waitFor();
    expect(await problemOf('logo')).toBe('This is no PNG, JPEG, WebP or SVG. Choose another file.');
    await expectAccessible(page);
    // In many parts.
    const logo = drawing('x'.repeat(400_000));
    await pick(() => press('Space'), 'logo.svg', logo);
    await page.getByTestId('logo-preview').waitFor();
    expect(await problemOf('logo')).toBe('');
    await press('Tab', 2);
    await focusIs('picture');
    await press('Tab');
    await focusIs('check-in-1');
    await press('Space');
    await press('Tab');
    await focusIs('displays');
    await press('Space');
    await press('Tab');
    await focusIs('host');
    const [chosen] = addressesHere();
    expect(await page.getByTestId('host').inputValue()).toBe(chosen);
    await press('Tab');
    await press('Enter');
    await press('Tab');
    await focusIs('port');
    await retype('70000');
    await press('Enter');
    expect(await problemOf('port')).toBe('A whole number from 0 to 65535.');
    // Any free one.
    await retype('0');
    await press('Enter');
    await page.getByTestId('saved').waitFor();
    await expectAccessible(page);

    const { shop, screens, lanes } = at.settings();
    expect({ shop, screens, lanes }).toMatchObject({
      shop: { name: 'Hansens Købmand', logo: expect.stringMatching(/^shop\/logo-\w+\.svg$/) },
      screens: { customerDisplays: { host: chosen, port: 0 } },
      lanes: [{ checkInFirst: true }],
    });
    expect(readFileSync(join(at.folder, 'data', shop?.logo ?? ''))).toEqual(logo);
    const typed = await page.getByTestId('display-address').innerText();
    expect(await page.locator('[data-testid="where-to"] [data-testid="qr"]').getAttribute('data-payload')).toBe(typed);
    const tablet = await context.newPage();
    await tablet.goto(typed);
    await tablet.locator('tb-customer').getByText('Hansens Købmand').first().waitFor();
    await tablet.locator('[data-testid="logo"]').first().waitFor();
    await tablet.locator('[data-check-in="scan"]').waitFor();

    await page.getByTestId('logo-remove').tap();
    await focusIs('logo');
    await page.getByTestId('logo-preview').waitFor({ state: 'detached' });
    await pick(() => page.getByTestId('picture').tap(), 'window.svg', drawing('window'));
    await page.getByTestId('picture-preview').waitFor();
    await page.getByTestId('check-in-1').tap();
    const till = await Register.overTcp({ host: '127.0.0.1', port: await tillPort() });
    const paying = till.pay(1234, 'DKK');
    await tablet
      .locator('tb-customer')
      .getByText(/12[.,]34/)
      .first()
      .waitFor();
    await page.getByTestId('next').tap();
    await page.getByText('Not while a payment is under way.').waitFor();
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    await paying;
    await at.paymentIs('Captured');
    await page.getByTestId('next').tap();
    await page.getByTestId('saved').waitFor();
    expect(at.settings().shop).toMatchObject({ name: 'Hansens Købmand', picture: expect.stringMatching(/^shop\/picture-/) });
    expect(at.settings().shop?.logo).toBeUndefined();
    await tablet.locator('[data-testid="picture"]').waitFor();
    await till.close();

    await page.getByTestId('displays').tap();
    await page.getByTestId('next').tap();
    await tablet.locator('tb-customer').getByText('Hansens Købmand').first().waitFor({ state: 'detached' });
    await page.getByTestId('back').tap();
    await state('overview');
    await page.getByTestId('customers').tap();
    await page.getByTestId('picture-preview').waitFor();
    expect(await page.getByTestId('shopName').inputValue()).toBe('Hansens Købmand');
    expect(await page.getByTestId('displays').isChecked()).toBe(false);
  });

  test('removes a lane only when told so: its point of sale is left there, or deleted, later where the service does not answer', async () => {
    at.dropSettings({}, { lanes: 4 });
    const pointsOfSale = async (): Promise<string[]> => (await at.state()).pointsOfSale.flatMap((pos) => (pos.deleted ? [] : pos.merchantPosId)).toSorted();
    const lanesLeft = (count: number): Promise<void> => until(async () => (await page.getByTestId('lane').count()) === count, `${count} lanes on the page`);
    await until(async () => (await pointsOfSale()).length === 4, 'four points of sale');
    await open();
    await becomeManager();
    await lanesLeft(4);

    // By keyboard: whoever presses Enter without reading keeps the lane.
    await page.getByTestId('remove').first().focus();
    await press('Enter');
    await page.getByRole('dialog', { name: 'Remove Check-out 1?' }).waitFor();
    await focusIs('keep');
    expect(await page.getByTestId('pointOfSaleToo-delete').isChecked()).toBe(true);
    await expectAccessible(page);
    await press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByTestId('remove').first().focus();
    await press('Enter');
    await page.getByTestId('pointOfSaleToo-keep').check();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(at.settings().lanes.map(({ id }) => id)).toEqual(['1', '2', '3', '4']);

    // What was chosen before and not done is forgotten.
    await page.getByTestId('remove').first().click();
    expect(await page.getByTestId('pointOfSaleToo-delete').isChecked()).toBe(true);
    await page.getByTestId('pointOfSaleToo-keep').check();
    await page.getByTestId('remove-now').click();
    await lanesLeft(3);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(at.settings().lanes.map(({ id }) => id)).toEqual(['2', '3', '4']);
    expect(await page.getByTestId('left-behind').count()).toBe(0);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4']);

    await page.getByTestId('remove').first().click();
    await page.getByTestId('remove-now').click();
    await page.getByText('The point of sale was deleted at the wallet service.').waitFor();
    await lanesLeft(2);
    expect(await page.getByTestId('left-behind').count()).toBe(0);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-3', 'shop-4']);

    // The service does not delete it: the lane is gone, and what is left there is said until somebody has decided.
    await at.fault({ operation: 'deletePointOfSale', kind: 'status409', code: '1304', times: 1_000 });
    await page.getByTestId('remove').first().click();
    await page.getByTestId('remove-now').click();
    await page.getByTestId('not-deleted').waitFor();
    expect(await page.getByTestId('left-behind').innerText()).toContain('Check-out 3 (shop-3) is still at 127.0.0.1');
    await lanesLeft(1);
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-3', 'shop-4']);
    await expectAccessible(page);
    await at.fault(null);
    await page.reload();
    await page.getByLabel('PIN of Ada Lund').and(page.locator(':focus')).waitFor();
    await type('4711');
    await press('Enter');
    await page.getByTestId('delete-left').click();
    await page.getByTestId('left-behind').waitFor({ state: 'detached' });
    expect(await pointsOfSale()).toEqual(['shop-1', 'shop-4']);

    await page.getByTestId('remove').click();
    await page.getByText('A counter has at least one lane. Add another one first.').waitFor();
    expect(await page.getByTestId('remove-now').count()).toBe(0);
  });

  test('pays a test payment through a lane in use, with the test phone, and refunds it; one that is cancelled is said to be', async () => {
    at.dropSettings({}, { wallet: { testService: true } });
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    await open();
    await becomeManager();
    await page.getByTestId('test').click();
    await state('paymentTest');
    await focusIs('pay');
    await page.getByText('through the lane as it is in use. No real money moves.').waitFor();
    await expectAccessible(page);
    const progress = (kind: string): Promise<void> => page.locator(`[data-testid="test"][data-test="${kind}"]`).waitFor();

    await press('Enter');
    await progress('waitingForCustomer');
    await page.locator('.code [data-testid="qr"]').waitFor();
    await page.getByTestId('cancel').click();
    await progress('notPaid');
    await expect.poll(() => page.getByTestId('test').innerText()).toMatch(/^Cancelled on the cashier’s screen\s+No money was taken\./);
    expect(await page.getByTestId('refund').count()).toBe(0);
    await at.paymentIs('CancelledByClient');

    // The sale before is over at the lane as well.
    await page.getByTestId('pay').click();
    await progress('waitingForCustomer');
    expect(await page.getByTestId('pay').count()).toBe(0);
    await focusIs('phone');
    await press('Enter');
    await progress('approveInApp');
    await page.getByText(/^Approve DKK\s1\.00 on the phone/).waitFor();
    await expectAccessible(page);
    await page.locator('[data-testid="phone"][data-does="approve"]:focus').waitFor();
    await press('Enter');
    await progress('captured');
    expect(await page.getByTestId('test').innerText()).toMatch(/^DKK\s1\.00 paid\s+Everything works, up to the wallet service for tests\./);
    expect(await page.locator('.walk .reached').count()).toBe(5);
    await expectAccessible(page);
    expect((await at.state()).payments.at(-1)).toMatchObject({ status: 'Captured', amount: 1 });

    await focusIs('refund');
    await press('Enter');
    await page.locator('[data-testid="refunding"][data-refund="refunded"]').waitFor();
    await page.getByText(/DKK\s1\.00 (is being )?refunded/).waitFor();
    expect(await page.getByTestId('refund').count()).toBe(0);
    await until(async () => (await at.state()).refunds.at(-1)?.status === 'Captured', 'the refund');
    expect((await at.state()).refunds).toMatchObject([{ amount: 1 }]);
    await expectAccessible(page);
    await page.getByTestId('back').click();
    await state('overview');
  });

  // The pictures judge the same steps.
  test.runIf(isLong)('reads every step in four languages without a violation, with nothing cut and nothing to scroll sideways', async () => {
    const { baseUrl, clientId, clientSecret, merchantVat } = at.credentials;
    await open();
    await page.getByTestId('next').click();
    await page.getByTestId('baseUrl').fill(baseUrl);
    await page.getByTestId('clientId').fill(clientId);
    await page.getByTestId('clientSecret').fill(clientSecret);
    await page.getByTestId('next').click();
    await page.getByTestId('merchantVat').fill(merchantVat);
    await page.locator('input[name="store"]').first().check();
    await page.getByTestId('next').click();
    await page.getByTestId('posName').fill('Kasse 1');
    await page.getByTestId('next').click();
    await page.getByTestId('transport-tcp').check();
    await page.getByTestId('port').fill('0');
    await page.locator('[data-heard="nothing"]').waitFor();
    await page.getByTestId('next').click();
    await step('test');
    for (const language of ['Dansk', 'Suomi', 'Svenska', 'English']) {
      await page.getByTestId('language').click();
      await page.getByRole('menuitemradio', { name: language }).click();
      for (const name of ['language', 'wallet', 'store', 'pointOfSale', 'till']) {
        await page.getByTestId(`step-${name}`).click();
        await step(name);
        await expectAccessible(page);
        const cut = await page
          .locator('.step-body')
          .evaluate((body) => body.scrollWidth > body.clientWidth || document.documentElement.scrollHeight > innerHeight);
        expect(cut, `${language}, ${name}`).toBe(false);
      }
      await page.getByTestId('next').click();
      await step('test');
      await expectAccessible(page);
    }
  });
});
