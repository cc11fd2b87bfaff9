import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../main/core/domain/log.ts';
import { startCustomerDisplays } from '../../main/counter/server/customer-displays.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { scan, typeAsScanner } from '../support/browser.ts';
import { Counter } from '../support/counter.ts';
import { code, customerStates } from '../support/customer-states.ts';
import { until } from '../support/processes.ts';
import {
  mistakes,
  newViews,
  open,
  openAlone,
  page,
  pictures,
  rendererFolder,
  scripted,
  sentence,
  serve,
  serverUrl,
  show,
  useCustomerPage,
} from './customer-page.ts';

useCustomerPage();

test('another device shows the same screen, with everything that it loads, and can only look', async () => {
  newViews();
  const displays = await startCustomerDisplays({
    host: '127.0.0.1',
    port: 0,
    rendererFolder,
    views: scripted,
    pictures,
    log: silentLog,
  });
  await open(`http://127.0.0.1:${displays.port}`, { language: 'en', size: [800, 480] });
  await show('waitingForCustomer');
  expect(await scan(page.locator('tb-customer'))).toBe(code);
  expect((await page.request.get(`http://127.0.0.1:${displays.port}/cashier/`)).status()).toBe(404);
  expect(scripted.calls).toEqual([]);
  await displays.close();
});

test('another device speaks the shop’s language, whatever its own system speaks, unless the address names one', async () => {
  newViews();
  const speaks = (language: 'da' | 'fi'): void => {
    scripted.view = { ...scripted.view, customer: { ...scripted.view.customer, language } };
    scripted.change();
  };
  speaks('fi');
  const displays = await startCustomerDisplays({
    host: '127.0.0.1',
    port: 0,
    rendererFolder,
    views: scripted,
    pictures,
    log: silentLog,
  });
  const address = `http://127.0.0.1:${displays.port}`;
  await open(address);
  const says = async (at: string, words: string): Promise<void> => {
    await page.goto(`${address}${at}`);
    await expect.poll(sentence, { message: at }).toBe(words);
  };
  const finnish = 'Maksa puhelimella tässä';
  for (const at of [
    '/',
    '/customer/',
    '/customer/?lane=1',
    '/customer/?lang=',
    '/customer/?lang=xx',
  ])
    await says(at, finnish);
  for (const at of ['/?lang=sv', '/customer/?lang=sv', '/customer/index.html?lang=sv'])
    await says(at, 'Betala med telefonen här');
  await says('/customer/?lane=9', 'Kassaa ”9” ei ole täällä');
  await says('/', finnish);
  speaks('da');
  await expect.poll(sentence).toBe('Betal med telefonen her');
  await displays.close();
  mistakes.splice(0);
});

test('other devices follow the settings: their address, and the shop’s language', async () => {
  const counter = await Counter.open();
  try {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    const write = (language: string): void =>
      writeFileSync(
        join(counter.folder, 'settings.json'),
        JSON.stringify({
          ...counter.settings,
          language,
          screens: { customerDisplays: { host: '127.0.0.1', port } },
        }),
      );
    write('fi');
    const address = `http://127.0.0.1:${port}`;
    await until(
      () =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      'the other device’s address',
    );
    await open(address);
    await expect.poll(sentence, { timeout: 10_000 }).toBe('Maksa puhelimella tässä');
    write('sv');
    await expect.poll(sentence, { timeout: 10_000 }).toBe('Betala med telefonen här');
  } finally {
    await counter.close();
    mistakes.splice(0);
  }
});

describe('a tablet that shows the customer’s screen stays on', () => {
  /** The test says whether the page is hidden, as a browser does when it is left. */
  const hide = (state: 'hidden' | 'visible'): Promise<void> =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      Object.defineProperty(document, 'hidden', { value: now === 'hidden', configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  beforeEach(async () => {
    newViews();
    await serve();
    await openAlone();
  });

  test('by a wake lock where the page is secure, which ends when it is hidden and is taken again', async () => {
    await page
      .context()
      .grantPermissions(['screen-wake-lock'])
      .catch(() => {});
    await page.addInitScript(() => {
      const locks: WakeLockSentinel[] = [];
      Object.assign(window, { locks });
      const { wakeLock } = navigator;
      const request = wakeLock.request.bind(wakeLock);
      wakeLock.request = async (type) => {
        const lock = await request(type);
        locks.push(lock);
        return lock;
      };
    });
    const locks = (): Promise<boolean[]> =>
      page.evaluate(() =>
        (window as unknown as { locks: WakeLockSentinel[] }).locks.map(({ released }) => !released),
      );
    await page.goto(`${serverUrl()}/customer/?lang=en`);
    await expect.poll(locks).toEqual([true]);
    await hide('visible');
    expect(await locks()).toEqual([true]);
    await hide('hidden');
    await expect.poll(locks).toEqual([false]);
    await hide('visible');
    await expect.poll(locks).toEqual([false, true]);
    expect(await page.locator('video').count()).toBe(0);
  });

  test('by a silent video elsewhere, which nobody sees', async () => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'wakeLock');
    });
    await page.goto(`${serverUrl()}/customer/?lang=en`);
    const video = page.locator('video');
    const isPlaying = (): Promise<boolean> =>
      video.evaluate(
        (at: HTMLVideoElement) => !at.paused && at.muted && at.loop && at.currentTime > 0,
      );
    await expect.poll(isPlaying).toBe(true);
    // It is longer than the video.
    await page.waitForTimeout(5_000);
    expect(await isPlaying()).toBe(true);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.elementFromPoint(5, 400)?.localName)).toBe(
      'tb-customer',
    );
    await hide('hidden');
    expect(await isPlaying()).toBe(false);
    await hide('visible');
    await expect.poll(isPlaying).toBe(true);
  });
});

test.each([10, 100])(
  'goods that are scanned every %i ms while a customer types a number are no number',
  async (gapMs) => {
    newViews();
    await serve();
    await open(serverUrl(), { language: 'en' });
    await show('waitingForCustomer', {
      customer: { ...customerStates.waitingForCustomer.customer, numberPad: true },
    });
    await page.getByTestId('type-number').click();
    for (const key of '2003') await page.locator(`tb-pin-pad [data-key="${key}"]`).click();
    await typeAsScanner(page, '4006381333931', gapMs);
    await page.waitForTimeout(250);
    expect(await page.getByTestId('pin').inputValue()).toBe('2003');
    expect(scripted.calls).toEqual([]);
  },
);

test('a customer checks in at a beacon where the lane has no code, and the amount is on the phone at once', async () => {
  const counter = await Counter.open({ checkInFirst: true, beaconTypes: ['NFC'] });
  try {
    await open(counter.started.screens, { language: 'en' });
    await page.locator('[data-check-in="scan"]').waitFor();
    expect(await sentence()).toBe('Check in at the phone symbol');
    expect(await page.locator('main').innerText()).toContain('NFC must be turned on.');
    await counter.customer('checkin');
    const payment = counter.till.pay(123_450, 'DKK');
    await page.locator('[data-state="approveInApp"]').waitFor();
    await counter.customer('acceptpayment');
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    await page.locator('[data-check-in="scan"]').waitFor();
    expect((await counter.state()).violations).toMatchObject({ checkinPollsWithoutQr: 0 });
  } finally {
    await counter.close();
  }
});

test('a customer checks in while goods are scanned, and the amount is on the phone the moment the till sends it', async () => {
  const counter = await Counter.open({ checkInFirst: true });
  try {
    await open(counter.started.screens, { language: 'en' });
    await page.locator('[data-check-in="scan"]').waitFor();
    expect(await sentence()).toBe('Scan to check in');
    const beaconId = /id=([^&]+)/.exec(
      (await scan(page.locator('tb-customer'))) as string,
    )?.[1] as string;
    await counter.customer('checkin', beaconId);
    await page.locator('[data-check-in="checkedIn"]').waitFor();
    expect(await sentence()).toBe('Checked in');
    expect((await counter.state()).payments).toEqual([]);

    const payment = counter.till.pay(123_450, 'DKK');
    await page.locator('[data-state="approveInApp"]').waitFor();
    expect((await counter.lastPayment())?.status).toBe('IssuedToUser');
    await counter.customer('acceptpayment', beaconId);
    expect(await payment).toMatchObject({ ended: { by: 'completion' } });
    await page.locator('[data-state="paid"]').waitFor();

    // The next customer: nothing of the one before.
    await page.locator('[data-check-in="scan"]').waitFor();
    expect(await page.getByTestId('amount').count()).toBe(0);
    expect(await sentence()).toBe('Scan to check in');

    // A customer with a loyalty number: the cashier sees it, and nobody at the customer's screen.
    const phone = {
      method: 'POST',
      body: JSON.stringify({ beaconId, phoneNumber: '+4520031804' }),
    };
    await fetch(`${counter.credentials.baseUrl}/simulator/phone/checkin`, phone);
    await page.locator('[data-check-in="checkedIn"]').waitFor();
    expect(
      await page.evaluate(() =>
        JSON.stringify(
          (document.querySelector('tb-customer') as unknown as { view: unknown }).view,
        ),
      ),
    ).not.toMatch(/loyal/i);
    await page.goto(`${counter.started.screens}/cashier/?lang=en`);
    await expect
      .poll(() => page.getByTestId('loyalty').innerText())
      .toContain('Loyalty no.: LOYAL-4711');
    expect((await counter.state()).violations).toMatchObject({
      earlyPolls: 0,
      checkinPollsWithoutQr: 0,
    });
  } finally {
    await counter.close();
  }
});
