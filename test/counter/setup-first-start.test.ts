import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import { systemClock } from '../../main/core/domain/clock.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { ContractLine } from '../support/manager-books.ts';
import { SerialCable } from '../support/processes.ts';
import {
  at,
  context,
  page,
  open,
  step,
  state,
  counted,
  press,
  type,
  focusIs,
  problemOf,
  languagesThatScroll,
  retype,
  tabTo,
  toOtherPort,
  typePin,
  installBeforeEach,
} from './installer.ts';

installBeforeEach();

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
    // Enter moves to the next empty field first, and says only then that it is missing.
    await press('Enter');
    await focusIs('baseUrl');
    expect(await problemOf('baseUrl')).toBe('');
    await press('Enter');
    expect(await problemOf('clientId')).toBe(
      'Type the client id that the wallet provider gave you.',
    );
    await expectAccessible(page);
    // Nothing was tried with the fields of another service.
    await page.getByTestId('wallet-service-epayment').check();
    expect(await problemOf('clientId')).toBe('');
    await page.getByTestId('wallet-service-other').check();
    expect(await problemOf('baseUrl')).toBe('');
    await page.getByTestId('baseUrl').focus();
    await type('http://api.example');
    await page.getByTestId('next').press('Enter');
    expect(await problemOf('baseUrl')).toBe(
      'The address must begin with https://. Only a service on this very computer can do without.',
    );
    await retype(baseUrl);
    await press('Tab', 2);
    await type(clientId);
    await press('Tab');
    await type('not the secret');
    await press('Enter');
    await page
      .getByText(
        'The wallet service refuses these credentials (answer 401). Check the client id and the client secret; both are case-sensitive.',
      )
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
    await toOtherPort();
    // Quicker than the port is opened: it is judged before it is accepted.
    await type(`${cable.terminalPath}x`);
    await press('Enter');
    await focusIs('wait');
    expect(await page.getByTestId('unheard').innerText()).toMatch(
      /^Continue without the till\?\s+The port could not be opened/,
    );
    await expectAccessible(page);
    await press('Enter');
    await focusIs('otherPath');
    await press('End');
    await press('Backspace');
    await page.locator('[data-heard="nothing"]').waitFor();
    expect(await page.getByTestId('heard').innerText()).toContain('Waiting to hear from the till');
    await press('Enter');
    await page.getByText('The port is open, but nothing has come from the till.').waitFor();
    await focusIs('wait');
    const early = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: systemClock,
    });
    void early.register({ currency: 'DKK' });
    await page.getByText('Till found (ZVT)').waitFor();
    expect(await page.getByTestId('answered').innerText()).toContain(
      'The till has registered and has got its answer.',
    );
    await page.getByTestId('unheard').waitFor({ state: 'detached' });
    await focusIs('next');
    await expectAccessible(page);
    await press('Enter');
    await step('test');
    await early.close();

    // The till was heard, so it is suggested. Enter starts the test, and the button that says so
    // keeps the focus to its end.
    await focusIs('test-with-till');
    await press('ArrowUp');
    await focusIs('test-with-own');
    await press('Enter');
    await page.getByTestId('stop-test').waitFor();
    await focusIs('next');
    await page.getByTestId('passed').waitFor();
    expect(await page.getByTestId('passed').innerText()).toMatch(
      /^DKK\s1\.00 paid[^]*Not tested: your till and its connection/,
    );
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
    await page.getByText('Activating creates the point of sale at the wallet service.').waitFor();
    await expectAccessible(page);
    await focusIs('next');
    await press('Enter');
    await page.locator('[data-lane="idle"]').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(
      'Kasse 1 takes payments',
    );
    expect(await page.getByTestId('tested').innerText()).toBe(
      'Test payment with the built-in till',
    );
    expect(performance.now() - startedAt).toBeLessThan(180_000);
    await expectAccessible(page);
    await tabTo('save-stickers');
    const [download] = await Promise.all([page.waitForEvent('download'), press('Enter')]);
    const sheet = join(at.folder, 'sheet.pdf');
    await download.saveAs(sheet);
    const [paper] = (await PDFDocument.load(readFileSync(sheet))).getPages();
    expect(
      [paper?.getWidth(), paper?.getHeight()].map((points) =>
        Math.round(((points ?? 0) * 25.4) / 72),
      ),
    ).toEqual([210, 297]);

    await press('Tab', 2);
    await focusIs('open-cashier');
    await press('Enter');
    await page.locator('tb-cashier [data-state="idle"]').waitFor();
    const till = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: systemClock,
    });
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
    await toOtherPort();
    await type(cable.terminalPath);
    await page.locator('[data-heard="nothing"]').waitFor();
    const till = await Register.overSerial({
      path: cable.tillPath,
      open: openSerialWire,
      clock: systemClock,
    });
    void till.register({ currency: 'DKK' });
    await page.locator('[data-heard="zvt"]').waitFor();
    await press('Enter');
    await step('test');
    await till.close();
    await focusIs('test-with-till');
    await press('ArrowUp');
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
    // Before, on the same way: 24 keys and 9 values. One of these keys chooses the built-in till:
    // the shop's own is suggested.
    expect(counted).toEqual({ keys: 22, values: 8 });
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
    // The test payment came from the till, which shows that it is connected.
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
    await line.value('saveDraft', {
      step: 'pointOfSale',
      value: { merchantPosId: 'shop-1', name: 'Playground', beaconTypes: ['QR'], beaconId: null },
    });
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
    // A change that begins here leads back here.
    await page.getByTestId('change-pointOfSale').click();
    await step('pointOfSale');
    await page.getByTestId('next').click();
    await step('finish');
    await page.getByTestId('next').click();
    await page.locator('[data-lane="idle"]').waitFor();
    expect(await page.getByTestId('tested').innerText()).toMatch(
      /^Not tested: a payment\s+Not heard yet: the till$/,
    );
    await expectAccessible(page);
    const code = await page.getByTestId('first-manager-code').innerText();
    // Another screen does not get it.
    expect(await line.ask('setupState', {})).toMatchObject({ code: 'pinNeeded' });
    expect(await line.ask('addManager', { name: 'Eve', pin: '4711' })).toMatchObject({
      code: 'pinNeeded',
    });
    line.close();
    // The installer may still print and save.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByTestId('save-stickers').click(),
    ]);
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
});
