/**
 * The simulator's own page in a real browser: its overview, and what a phone's owner can do there.
 */
import type { Browser, Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../main/core/domain/clock.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import { launchChromium } from '../support/browser.ts';

let browser: Browser;
let simulator: Simulator;
let page: Page;
let paymentId: string;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

async function call(method: string, path: string, body: object): Promise<Record<string, string>> {
  const { clientId, clientSecret, merchantVat } = simulator.credentials;
  const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
  const form = new URLSearchParams({ grant_type: 'client_credentials', merchant_vat: merchantVat });
  const token = await fetch(`${simulator.authUrl}/connect/token`, {
    method: 'POST',
    headers: { authorization },
    body: form,
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const answer = await fetch(simulator.baseUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${access_token}`,
      'content-type': 'application/json',
      'x-service-client-system-version': '1.2.3',
      'x-service-idempotency-key': systemIds.uuid(),
    },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

beforeEach(async () => {
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: systemClock,
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  const pos = {
    merchantPosId: 'lane-1',
    storeId: simulator.storeIds[0],
    name: 'Check-out <1>',
    supportedBeaconTypes: ['QR'],
  };
  const { posId } = await call('POST', '/v10/pointofsales', pos);
  const payment = await call('POST', '/v10/payments', {
    posId,
    orderId: 'order-1',
    amount: 12.5,
    currencyCode: 'DKK',
    plannedCaptureDelay: 'None',
  });
  paymentId = payment['paymentId'] as string;
  page = await browser.newPage();
  await page.goto(simulator.baseUrl);
});
afterEach(async () => {
  await page.close();
  await simulator.stop();
});

const state = (): string | undefined => simulator.world.payments.get(paymentId)?.status;
const row = (name: string) =>
  page.getByRole('region', { name, exact: true }).getByRole('row').nth(1);

describe('the page of the simulator', () => {
  test('shows who is there and what is paid, as text and never as markup', async () => {
    expect(await row('Points of sale').innerText()).toContain('Check-out <1>');
    expect(await row('Payments').innerText()).toMatch(/order-1\s+12\.50 DKK\s+Initiated/);
    expect(await page.getByText('No rule broken').isVisible()).toBe(true);
  });

  test('its buttons are the phone: check in, approve; with the keyboard too', async () => {
    await page.getByLabel('Phone').selectOption('+4520031805');
    await page.getByRole('button', { name: 'Check in' }).click();
    await expect.poll(state).toBe('IssuedToUser');
    expect(simulator.world.payments.get(paymentId)?.phone?.phoneNumber).toBe('+4520031805');
    await page.getByRole('button', { name: 'Approve' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(state).toBe('Reserved');
    await expect.poll(() => row('Payments').innerText()).toContain('Reserved');
  });

  test('what cannot be done is said, and gone at the next thing that can', async () => {
    await page.getByRole('button', { name: 'Approve' }).click();
    await expect
      .poll(() => page.getByRole('status').innerText())
      .toBe('There is no payment on this phone to accept');
    await page.getByRole('button', { name: 'Check in' }).click();
    await expect.poll(() => page.getByRole('status').innerText()).toBe('');
  });

  test('a decision says where the customer goes on, as no mistake', async () => {
    const redirectUri = 'https://shop.example/back';
    const point = 'a9900000-0000-4000-8000-000000000001';
    const about = {
      amount: 1250,
      idempotencyKey: systemIds.uuid(),
      paymentPointId: point,
      redirectUri,
      reference: 'order-7',
      customerPhoneNumber: '+4520031803',
    };
    const headers = {
      authorization: 'Bearer simulated-key-of-DK90000028',
      'content-type': 'application/json',
    };
    await fetch(`${simulator.baseUrl}/v1/payments`, {
      method: 'POST',
      headers,
      body: JSON.stringify(about),
    });
    await expect.poll(() => row('App payments').innerText()).toContain('+4520031803');
    await page
      .getByRole('region', { name: 'App payments' })
      .getByRole('button', { name: 'Approve' })
      .click();
    await expect
      .poll(() => page.getByRole('status').innerText())
      .toBe(`The user goes on to ${redirectUri}?status=successful`);
    expect(await page.getByRole('status').getAttribute('class')).toBe('');
  });

  test('the clock can be moved ahead', async () => {
    await page.getByRole('button', { name: '+5 min' }).click();
    await expect.poll(() => row('Payments').innerText()).toContain('CancelledByService');
  });

  test('planned faults stand there, and can be cleared', async () => {
    simulator.faults.add({ operation: 'getPayment', kind: 'html', times: 9 });
    await page.getByText('Faults planned: getPayment html').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No fault planned').waitFor();
    expect(simulator.faults.planned()).toEqual([]);
  });
});
