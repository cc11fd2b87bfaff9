import { execFile } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSerialWire } from '../../main/counter/devices/serial-port.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { ContractLine } from '../support/manager-books.ts';
import { SerialCable, until } from '../support/processes.ts';
import {
  at,
  page,
  open,
  state,
  step,
  press,
  type,
  focusIs,
  problemOf,
  retype,
  becomeManager,
  toOtherPort,
  installBeforeEach,
} from './installer.ts';

installBeforeEach();

/**
 * Whether nothing covers the lower edge of a field, and it is not scrolled away. Runs in the page.
 */
function isSeen(field: Element): boolean {
  const { x, width, bottom } = field.getBoundingClientRect();
  return (field.getRootNode() as ShadowRoot).elementFromPoint(x + width / 2, bottom - 2) === field;
}

describe('an installer', () => {
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
    await line.value('saveDraft', {
      step: 'wallet',
      value: { kind: 'service', baseUrl, authUrl, clientId, clientSecret },
    });
    await line.value('saveDraft', { step: 'store', value: { merchantVat, store: store as never } });
    await line.value('saveDraft', {
      step: 'pointOfSale',
      value: { merchantPosId: 'shop-1', name: 'Kiosk', beaconTypes: ['QR'], beaconId: null },
    });
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
    await focusIs('origins');
    await press('Tab');
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
    expect(JSON.parse((await promisify(execFile)('sh', ['-c', curl])).stdout)).toMatchObject({
      status: 'pending',
      amountMinor: 100,
    });
    await page.getByTestId('passed').waitFor();
    expect(await page.getByTestId('passed').innerText()).toContain(
      'Tested: your till and its connection',
    );
    await focusIs('next');
    await press('Enter');
    await page.getByTestId('later').click();
    await step('finish');
    expect(await page.getByTestId('part-till').innerText()).toContain(`http://127.0.0.1:${port}`);
    await focusIs('next');
    await press('Enter');
    await page.locator('[data-lane="idle"]').waitFor();
    line.close();

    expect(at.settings()).toMatchObject({
      api: { host: '127.0.0.1', port },
      lanes: [{ till: { protocol: 'http' } }],
    });
    const ask = async (path: string, init: object = {}) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': 'c0ffee00-0000-4000-8000-000000000001',
      };
      return (await (
        await fetch(`http://127.0.0.1:${port}/v1${path}`, { headers, ...init })
      ).json()) as Record<string, unknown>;
    };
    // The API is served from a moment after the lane is open.
    const isServed = (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${port}/v1`).then(
        () => true,
        () => false,
      );
    await expect.poll(isServed).toBe(true);
    const payment = await ask('/payments', {
      method: 'POST',
      body: '{"amountMinor":1250,"currency":"DKK"}',
    });
    expect(payment).toMatchObject({ status: 'pending' });
    await at.paymentIs('Initiated');
    await at.phone('checkin');
    await at.paymentIs('IssuedToUser');
    await at.phone('accept');
    expect(await ask(`/payments/${String(payment['paymentId'])}?wait=30`)).toMatchObject({
      status: 'paid',
      amountMinor: 1_250,
    });
    await at.paymentIs('Captured');
  });

  test('types the one-time code before other computers reach a till of a counter that is not set up, and what was typed is there', async () => {
    const line = await ContractLine.at(at.screens);
    await line.value('saveDraft', { step: 'language', value: 'en' });
    await line.value('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await line.value('saveDraft', {
      step: 'pointOfSale',
      value: { merchantPosId: 'shop-1', name: 'Kiosk', beaconTypes: ['QR'], beaconId: null },
    });
    await open();
    await step('till');
    await page.getByTestId('transport-tcp').check();
    await page.getByTestId('port').fill('20471');
    await page.getByTestId('host').fill('0.0.0.0');
    await state('signIn');
    await page.getByText('For other devices in the network').waitFor();
    await expectAccessible(page);
    await focusIs('code');
    await type('AAAA-AAAA');
    await press('Enter');
    await page.getByText('That is not the code.').waitFor();
    await retype(at.firstManagerCode);
    await press('Enter');
    await step('till');
    expect(await page.getByTestId('host').inputValue()).toBe('0.0.0.0');
    await page.getByTestId('heard').waitFor();
    // Another page of this computer is asked all the same, and one that stays on it alone is not.
    const till = { transport: 'tcp', port: 0 } as const;
    expect(
      await line.ask('saveDraft', { step: 'till', value: { ...till, host: '0.0.0.0' } }),
    ).toMatchObject({ code: 'pinNeeded' });
    expect(await line.ask('saveDraft', { step: 'till', value: till })).toMatchObject({ ok: true });
    line.close();
  });

  test('takes over protocol, data bits and parity of a till of Concert that a cable brings', async () => {
    const cable = await new SerialCable().plugIn();
    onTestFinished(() => cable.remove());
    const line = await ContractLine.at(at.screens);
    await line.value('saveDraft', { step: 'language', value: 'en' });
    await line.value('saveDraft', { step: 'wallet', value: { kind: 'simulator' } });
    await line.value('saveDraft', {
      step: 'pointOfSale',
      value: { merchantPosId: 'shop-1', name: 'Kiosk', beaconTypes: ['QR'], beaconId: null },
    });
    await open();
    await step('till');
    await toOtherPort();
    await type(cable.terminalPath);
    await page.locator('[data-heard="nothing"]').waitFor();
    const answered: number[] = [];
    const data = (bytes: Uint8Array) => void answered.push(...bytes);
    const till = await openSerialWire(
      { path: cable.tillPath, baudRate: 9600, stopBits: 1 },
      { data, lost() {} },
    );
    await till.write(Uint8Array.of(0x05));
    await until(() => answered.length > 0, 'the answer to the enquiry');
    // A block with seven data bits and even parity, as a line with eight carries it.
    await till.write(
      Buffer.from('8230b13030303030b13030b1b13039b7b830b1b233b43536b7b839d430b1b20363', 'hex'),
    );
    await page.locator('[data-heard="otherProtocol"]').waitFor();
    await page.getByTestId('take').click();
    await page.locator('[data-heard="concert"]').waitFor();
    await page.getByText('At 9600 baud, 7 data bits, even parity.').waitFor();
    await page.getByTestId('advanced').locator('summary').click();
    // What is opened is seen at once.
    await expect.poll(() => page.locator('#format').evaluate(isSeen)).toBe(true);
    expect(await page.locator('#format').inputValue()).toBe('7 even');
    await till.close();
    await page.getByTestId('next').click();
    await step('test');
    const { draft } = await line.value('setupState', {});
    expect(draft?.till).toMatchObject({
      protocol: 'concert',
      stopBits: 1,
      dataBits: 7,
      parity: 'even',
    });
    line.close();
  });

  test('says what a till in the network may do; what is typed survives a detour, a stored password is never seen, and what is not touched stays', async () => {
    at.dropSettings({
      till: {
        protocol: 'zvt',
        transport: 'tcp',
        host: '127.0.0.1',
        port: 0,
        password: '192837',
        refunds: false,
      },
    });
    await until(async () => (await at.state()).pointsOfSale.length === 1, 'the point of sale');
    await open();
    const seen: string[] = [];
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => seen.push(payload.toString())),
    );
    await page.reload();
    await becomeManager();
    const toTill = async (): Promise<void> => {
      await step('finish');
      await page.getByTestId('change-till').click();
      await step('till');
    };
    const isSecurityOpen = (): Promise<boolean> =>
      page.getByTestId('security').evaluate((details) => (details as HTMLDetailsElement).open);
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
    expect(await problemOf('from')).toBe(
      '“10.0.0.300” is no address. Write it like 192.168.1.40 or 192.168.1.0/24.',
    );
    expect(await problemOf('refundLimit')).toBe('Type an amount.');
    await expectAccessible(page);
    await page.getByTestId('tillPassword').fill('555555');
    await page.getByTestId('from').fill('127.0.0.1, 10.0.0.0/8');
    await page.getByTestId('refundLimit').fill('250');
    await page.getByTestId('back').click();
    await toTill();
    expect(await page.getByTestId('tillPassword').inputValue()).toBe('555555');
    expect(await page.getByTestId('from').inputValue()).toBe('127.0.0.1, 10.0.0.0/8');
    expect(
      await page.evaluate(() =>
        JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]),
      ),
    ).not.toContain('555555');
    await page.getByTestId('next').click();
    await page.getByTestId('without-till').click();
    await step('finish');
    await page
      .getByText(/127\.0\.0\.1, 10\.0\.0\.0\/8 · with password · refunds up to DKK\s250\.00/)
      .waitFor();
    await page.getByTestId('next').click();
    await page.locator('[data-lane="idle"]').waitFor();
    const addresses = ['127.0.0.1', '10.0.0.0/8'];
    expect(at.settings().lanes[0]?.till).toMatchObject({
      host: '0.0.0.0',
      password: '555555',
      refunds: 25_000,
      from: addresses,
    });

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
});
