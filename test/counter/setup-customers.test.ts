import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Register } from '../../main/sandbox/till/register.ts';
import { addressesHere } from '../../main/counter/setup/displays.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { until } from '../support/processes.ts';
import {
  at,
  context,
  page,
  open,
  state,
  press,
  type,
  focusIs,
  problemOf,
  retype,
  drawing,
  tillPort,
  pick,
  becomeManager,
  installBeforeEach,
} from './installer.ts';

installBeforeEach();

describe('an installer', () => {
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
    // Large enough to be sent in many parts.
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
    // 0 stands for any free port.
    await retype('0');
    await press('Enter');
    // No till has to register again.
    expect(await page.getByTestId('reopens').count()).toBe(0);
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
    expect(
      await page
        .locator('[data-testid="where-to"] [data-testid="qr"]')
        .getAttribute('data-payload'),
    ).toBe(typed);
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
    expect(at.settings().shop).toMatchObject({
      name: 'Hansens Købmand',
      picture: expect.stringMatching(/^shop\/picture-/),
    });
    expect(at.settings().shop?.logo).toBeUndefined();
    await tablet.locator('[data-testid="picture"]').waitFor();
    await till.close();

    await page.getByTestId('displays').tap();
    await page.getByTestId('next').tap();
    await tablet
      .locator('tb-customer')
      .getByText('Hansens Købmand')
      .first()
      .waitFor({ state: 'detached' });
    await page.getByTestId('back').tap();
    await state('overview');
    await page.getByTestId('customers').tap();
    await page.getByTestId('picture-preview').waitFor();
    expect(await page.getByTestId('shopName').inputValue()).toBe('Hansens Købmand');
    expect(await page.getByTestId('displays').isChecked()).toBe(false);
  });
});
