import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessible } from '../support/accessibility.ts';
import { freePort } from '../support/free-port.ts';
import { isLong } from '../support/long.ts';
import { Product, SerialCable } from '../support/processes.ts';
import {
  at,
  becomeManager,
  focusIs,
  open,
  page,
  press,
  problemOf,
  retype,
  state,
  toOtherPort,
  type,
  installBeforeEach,
} from './installer.ts';

installBeforeEach();

const token = 'the-token-of-this-counter-0123456789';

async function startReceiver(port: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-receiver-'));
  const settings = {
    epayment: [
      { url: `http://127.0.0.1:${port}/callbacks/epayment`, secret: 'secret-of-the-webhook' },
    ],
    followers: [{ token, stickers: ['tillbeacon-shop-1'] }],
  };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings), { mode: 0o600 });
  const receiver = new Product('callbacks', [
    '--settings',
    join(folder, 'settings.json'),
    '--data',
    folder,
    '--port',
    String(port),
  ]);
  onTestFinished(async () => {
    await receiver.end();
    rmSync(folder, { recursive: true });
  });
  await receiver.ready();
}

test.runIf(isLong)(
  'an installer sets up the ways to the customer by keyboard: a number, a scanner that is tried, a sticker and its receiver',
  async () => {
    const { baseUrl, epayment } = at.credentials;
    const { clientId, clientSecret, subscriptionKey, merchantSerialNumber } = epayment;
    const wallet = {
      service: 'epayment',
      environment: 'test',
      country: 'DK',
      baseUrl,
      clientId,
      clientSecret,
      subscriptionKey,
      merchantSerialNumber,
    };
    const pointOfSale = { merchantPosId: 'shop-1', name: 'Check-out 1' };
    const lane = {
      id: '1',
      name: 'Check-out 1',
      currency: 'DKK',
      pointOfSale,
      till: { protocol: 'zvt', transport: 'tcp', port: 0 },
    };
    writeFileSync(
      join(at.folder, 'data', 'settings.json'),
      JSON.stringify({ language: 'en', wallet, lanes: [lane] }),
    );
    const cable = await new SerialCable().plugIn();
    onTestFinished(() => cable.remove());
    const port = await freePort();

    await open();
    await state('signIn');
    await becomeManager();
    await page.getByTestId('ways').focus();
    await press('Enter');
    await focusIs('flow-initiate');
    await press('ArrowRight');
    await press('Tab');
    await focusIs('customerTypesNumber');
    await press('Space');
    await press('Tab');
    await focusIs('scanner-keyboard');
    await press('ArrowRight');
    await toOtherPort();
    await type(cable.terminalPath);
    await page.locator('[data-heard="listening"]').waitFor();
    await writeFile(cable.tillPath, 'https://qr.vipps.no/p/abcdefgh9f3a\r\n');
    await page.locator('[data-heard="customer"]').waitFor();
    expect(await page.getByTestId('scanner-heard').innerText()).toBe(
      'Read: ••••9f3a\nA customer’s code of 34 characters.',
    );
    await expectAccessible(page);

    await press('Tab', 2);
    await focusIs('sticker-none');
    await press('ArrowRight');
    await press('Enter');
    expect(await problemOf('sticker')).toContain('A sticker needs the callback receiver');
    await press('Tab');
    await focusIs('stickerId');
    await press('Tab');
    await focusIs('receiverUrl');
    await type(`http://127.0.0.1:${port}`);
    await press('Tab');
    await focusIs('token');
    await type(`${token}X`);
    await press('Enter');
    await focusIs('receiverUrl');
    expect(await problemOf('receiverUrl')).toBe(
      `Nobody answers at 127.0.0.1:${port}. Check the address, and whether a firewall is in the way.`,
    );
    await startReceiver(port);
    await press('Enter');
    await focusIs('token');
    expect(await problemOf('token')).toContain('does not know this token (answer 401)');
    await expectAccessible(page);
    expect(at.settings().lanes[0]).toMatchObject({ flow: 'initiate', customerTypesNumber: false });
    await retype(token);
    await press('Enter');
    await page.getByTestId('receiver-answers').waitFor();
    await page.getByTestId('next').focus();
    await press('Enter');
    await page.getByTestId('saved').waitFor();

    expect(at.settings()).toMatchObject({
      receiver: { url: `http://127.0.0.1:${port}`, token },
      lanes: [
        {
          flow: 'prepare',
          customerTypesNumber: true,
          sticker: { id: 'tillbeacon-shop-1' },
          scanner: { path: cable.terminalPath, baudRate: 9600 },
        },
      ],
    });
    expect(await page.getByTestId('token').inputValue()).toBe('');
    await page.locator('[data-heard="used"]').waitFor();
    await press('Escape');
    await state('overview');
    await page.getByTestId('print-stickers').waitFor();
    await page.getByTestId('ways').click();
    await page.getByTestId('token').waitFor();
    expect(await page.content()).not.toContain(token);
  },
);
