import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';
import { guardedFiles } from '../../../../main/support/settings/secrets.ts';
import { SettingsFile } from '../../../../main/counter/settings/settings-file.ts';
import { secretsIn } from '../../../../main/counter/settings/wallet.ts';

const wallet = {
  service: 'epayment',
  environment: 'production',
  country: 'DK',
  clientId: 'e9a70000-0000-4000-8000-000000123456',
  clientSecret: 'simulated+secret==',
  subscriptionKey: 'first-subscription',
  secondSubscriptionKey: 'second-subscription',
  merchantSerialNumber: '1234567',
};
const till = { protocol: 'zvt', transport: 'tcp', port: 0 };
const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: { merchantPosId: 'till-1', name: 'Check-out 1' },
  till,
};
const settings = { wallet, lanes: [lane] };
const v10 = {
  baseUrl: 'https://pos.example',
  authUrl: 'https://pos.example',
  clientId: 'x',
  clientSecret: 'y',
  merchantVat: 'DK12345678',
};
const storeId = 'd3500000-0000-4000-8000-000000000001';

const receiver = { url: 'https://callbacks.example', token: 'a-token-of-thirty-two-characters' };
const sticker = { flow: 'prepare', sticker: { id: 'tillbeacon-K1' } };

const scanner = { path: '/dev/ttyACM0' };

const withWallet = (change: object) => ({ ...settings, wallet: { ...wallet, ...change } });
const withLane = (change: object) => ({ ...settings, lanes: [{ ...lane, ...change }] });

function mistakesOf(json: unknown, environment = {}): readonly string[] {
  try {
    parseSettings(json, environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
}

test('the keys of a sales unit are enough: no store, no beacons', () => {
  expect(mistakesOf(withLane({ flow: 'prepare' }))).toEqual([]);
  expect(parseSettings(settings, {})).toMatchObject({
    wallet: { ...wallet, code: 'picture' },
    lanes: [{ currency: 'DKK', pointOfSale: { beaconTypes: ['QR'] } }],
  });
});

test.each([
  [
    withWallet({ merchantSerialNumber: '123' }),
    'wallet.merchantSerialNumber: must be 4 to 10 digits, got "123"',
  ],
  [
    withWallet({ merchantSerialNumber: 123_456 }),
    'wallet.merchantSerialNumber: must be 4 to 10 digits, in quotes, got 123456',
  ],
  [withWallet({ environment: 'sandbox' }), /^wallet\.environment: .*got "sandbox"$/],
  [withWallet({ country: 'SE' }), /^wallet\.country: .*got "SE"$/],
  [
    withWallet({ clientId: 'two words' }),
    /^wallet\.clientId: must be the client id .*got "two words"$/,
  ],
  [
    withWallet({ subscriptionKey: 'with a space' }),
    'wallet.subscriptionKey: must be up to 1000 letters, digits and signs, without spaces, got "***"',
  ],
  [
    withWallet({ merchantVat: 'DK12345678' }),
    'wallet.merchantVat: is not a known setting, got "DK12345678"',
  ],
  [withWallet({ baseUrl: 'http://pay.example' }), /^wallet\.baseUrl: must begin with https/],
  [withLane({ currency: 'EUR' }), 'lanes.0.currency: must be DKK with this service, got "EUR"'],
  [
    withLane({ checkInFirst: true }),
    /^lanes\.0\.checkInFirst: must be false with the ePayment interface/,
  ],
  [
    withLane({ restrictions: { creditCardDisallowed: true } }),
    /^lanes\.0\.restrictions: must be left out with the ePayment interface/,
  ],
  [
    withLane({ pointOfSale: { merchantPosId: 'till-1', name: 'K1' } }),
    /^lanes\.0\.pointOfSale\.name: must have at least 3 characters/,
  ],
  [
    withLane({ customerTypesNumber: true }),
    /^lanes\.0\.customerTypesNumber: must be false but with the ePayment interface and flow prepare/,
  ],
  [withLane({ scanner }), /^lanes\.0\.flow: must be prepare with a scanner/],
  [
    withLane({ flow: 'prepare', scanner: { ...scanner, baudRate: 1234 } }),
    /^lanes\.0\.scanner\.baudRate: /,
  ],
  [withLane({ flow: 'prepare', scanner: { path: 'usb:nothing' } }), /^lanes\.0\.scanner\.path: /],
  [
    withLane({
      flow: 'prepare',
      scanner,
      till: { protocol: 'zvt', transport: 'serial', path: '/dev/ttyACM0' },
    }),
    /^lanes\.0\.scanner\.path: must differ from lanes\.0\.till\.path/,
  ],
  [
    withLane(sticker),
    /^lanes\.0\.sticker: needs receiver: a scan reaches this counter through a callback receiver alone, got /,
  ],
  [
    { ...withLane({ ...sticker, flow: 'initiate' }), receiver },
    /^lanes\.0\.flow: must be prepare with a sticker/,
  ],
  [
    { ...withLane({ ...sticker, sticker: { id: 'Æ' } }), receiver },
    /^lanes\.0\.sticker\.id: must be 1 to 64 letters, digits and the signs/,
  ],
  [
    { ...withLane({ ...sticker, sticker: { beaconId: '12345' } }), receiver },
    /^lanes\.0\.sticker\.beaconId: must be 15 digits or a UUID, got "12345"/,
  ],
  [
    { ...withLane({ ...sticker, sticker: { id: 'a', beaconId: '123456789012345' } }), receiver },
    /^lanes\.0\.sticker: must name either id or beaconId/,
  ],
  [
    { ...settings, receiver: { ...receiver, url: 'http://callbacks.example' } },
    /^receiver\.url: must begin with https/,
  ],
  [
    { ...settings, receiver: { ...receiver, token: 'short' } },
    'receiver.token: must be 32 to 200 letters, digits and . _ ~ + / = -, got "***"',
  ],
  [
    {
      ...settings,
      receiver,
      lanes: [
        { ...lane, ...sticker },
        {
          ...lane,
          id: '2',
          pointOfSale: { ...lane.pointOfSale, merchantPosId: 'till-2' },
          ...sticker,
        },
      ],
    },
    /^lanes\.1\.sticker: must differ from lanes\.0/,
  ],
  [{ ...settings, formerWallet: wallet }, /^formerWallet: must be of another service than wallet/],
  [
    { ...settings, formerWallet: v10 },
    'lanes.0.pointOfSale.storeId: must be there: the point-of-sale interface needs it, got nothing',
  ],
  [
    { ...settings, wallet: v10 },
    'lanes.0.pointOfSale.storeId: must be there: the point-of-sale interface needs it, got nothing',
  ],
  [
    { ...settings, wallet: { simulator: true }, formerWallet: v10 },
    /^formerWallet: must be left out: the service is simulated/,
  ],
])('a mistake names its field and its rule (%#)', (json, mistake) => {
  const mistakes = mistakesOf(json);
  expect(mistakes[0]).toMatch(mistake);
  expect(mistakes.join()).not.toMatch(/simulated\+secret|first-subscription/);
});

test('a sticker is for a lane that finds its customers first, by a receiver; the point-of-sale interface has its own', () => {
  expect(mistakesOf({ ...withLane({ ...sticker, checkInFirst: true }), receiver })).toEqual([]);
  expect(
    mistakesOf({
      ...withLane({ flow: 'prepare', sticker: { beaconId: '123456789012345' } }),
      receiver,
    }),
  ).toEqual([]);
  expect(mistakesOf(withLane({ flow: 'prepare', scanner, customerTypesNumber: true }))).toEqual([]);
  expect(
    mistakesOf({
      wallet: v10,
      lanes: [{ ...lane, scanner, pointOfSale: { ...lane.pointOfSale, storeId } }],
    }),
  ).toEqual([expect.stringMatching(/^lanes\.0\.scanner: must be left out with the point-of-sale/)]);
  const atStore = { ...lane, ...sticker, pointOfSale: { ...lane.pointOfSale, storeId } };
  expect(mistakesOf({ wallet: v10, receiver, lanes: [atStore] })).toEqual([
    expect.stringMatching(/^lanes\.0\.sticker: must be left out with the point-of-sale/),
  ]);
});

test('kroner of Norway are for a sales unit there, and not for the point-of-sale interface', () => {
  const norwegian = { ...withLane({ currency: 'NOK' }), wallet: { ...wallet, country: 'NO' } };
  expect(mistakesOf(norwegian)).toEqual([]);
  const atStore = { ...lane, currency: 'NOK', pointOfSale: { ...lane.pointOfSale, storeId } };
  expect(mistakesOf({ wallet: v10, lanes: [atStore] })).toEqual([
    'lanes.0.currency: must be DKK or EUR with this service, got "NOK"',
  ]);
});

test('its secrets can be elsewhere, are guarded there, and never in what is told', () => {
  const elsewhere = withWallet({
    clientSecret: { env: 'SECRET' },
    subscriptionKey: { env: 'KEY' },
  });
  const read = parseSettings(elsewhere, { SECRET: 'from-outside', KEY: 'key-from-outside' });
  expect(secretsIn(read.wallet).sort()).toEqual([
    'from-outside',
    'key-from-outside',
    'second-subscription',
  ]);
  expect(mistakesOf(elsewhere)).toEqual([
    expect.stringMatching(/^wallet\.clientSecret\.env: must name an environment variable/),
  ]);
  const inFile = JSON.stringify(withWallet({ subscriptionKey: { file: 'subscription.key' } }));
  expect(guardedFiles('/etc/shop/settings.json', inFile).map(({ path }) => path)).toContain(
    '/etc/shop/subscription.key',
  );
});

test('the desktop seals every one of them, of the service before as well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-epayment-settings-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'settings.json');
  const lanes = [{ ...lane, pointOfSale: { ...lane.pointOfSale, storeId } }];
  writeFileSync(
    path,
    JSON.stringify({ wallet, formerWallet: { ...v10, clientSecret: 'former secret' }, lanes }),
  );
  const safe = {
    seal: (secret: string) => Buffer.from(secret).toString('base64'),
    open: (sealed: string) => Buffer.from(sealed, 'base64').toString(),
  };
  const settingsRead = new SettingsFile({
    path,
    dataFolder: folder,
    environment: {},
    safe,
    clock: systemClock,
    log: silentLog,
  }).read();
  const text = readFileSync(path, 'utf8');
  for (const secret of [
    wallet.clientSecret,
    wallet.subscriptionKey,
    wallet.secondSubscriptionKey,
    'former secret',
  ])
    expect(text).not.toContain(secret);
  expect(settingsRead).toMatchObject({
    kind: 'right',
    ready: { wallet, formerWallet: { clientSecret: 'former secret' } },
  });
});

test('only its test environment goes without checks of certificates', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(mistakesOf(settings, unchecked)).toEqual([
    expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks/),
  ]);
  expect(mistakesOf(withWallet({ environment: 'test' }), unchecked)).toEqual([]);
});
