import { adapterRule } from '../../../../main/core/domain/usb-adapter.ts';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tillProfileIds } from '../../../../main/core/domain/till-profiles.ts';
import { shopOnPaper } from '../../../../main/counter/settings/schema.ts';
import { settingsJsonSchema } from '../../../../main/counter/settings/json-schema.ts';
import { Wallet } from '../../../../main/counter/settings/wallet.ts';
import { loadSettings, parseSettings } from '../../../../main/counter/settings/load.ts';
import { requireCertificateChecks } from '../../../../main/support/settings/certificate-checks.ts';
import { SettingsError } from '../../../../main/support/settings/settings-error.ts';

const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'shop-1-lane-1',
    storeId: '51050000-0000-4000-8000-000000000001',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
    beaconId: null,
  },
  till: { protocol: 'zvt', transport: 'serial', path: '/dev/ttyUSB0', baudRate: 9600, stopBits: 2 },
};
const wallet = {
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: 'very secret',
  merchantVat: 'DK12345678',
};
const salesUnit = {
  service: 'epayment',
  environment: 'production',
  country: 'DK',
  clientId: 'me',
  clientSecret: 'very-secret',
  subscriptionKey: 'key',
  merchantSerialNumber: '1234567',
};
const settings = { wallet, lanes: [lane] };

function mistakesOf(json: unknown, environment = {}): readonly string[] {
  try {
    parseSettings(json, environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes;
    throw error;
  }
  return [];
}
const withLane = (change: object): object => ({ wallet, lanes: [{ ...lane, ...change }] });

describe('good settings', () => {
  test('are read, with the defaults filled in', () => {
    const read = parseSettings(settings, {});
    expect(read.lanes[0]).toMatchObject({
      flow: 'initiate',
      deadlineSeconds: 120,
      till: { baudRate: 9600 },
    });
    expect(read.wallet).toMatchObject({ profile: 'generic', clientSecret: 'very secret' });
  });

  test('may leave the secret to the environment', () => {
    const read = parseSettings(
      { ...settings, wallet: { ...wallet, clientSecret: { env: 'WALLET_SECRET' } } },
      { WALLET_SECRET: 'from outside' },
    );
    expect(read.wallet).toMatchObject({ clientSecret: 'from outside' });
  });

  test('may embed the simulator, and a till over TCP', () => {
    const tcp = { protocol: 'zvt', transport: 'tcp', host: '127.0.0.1', port: 20007 };
    expect(
      parseSettings({ wallet: { simulator: true }, lanes: [{ ...lane, till: tcp }] }, {}).lanes[0]
        ?.till,
    ).toEqual(tcp);
  });
});

describe('where the environment switches the checks of certificates off', () => {
  const unchecked = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };

  test('only a service for tests is gone to', () => {
    expect(mistakesOf(settings, unchecked)).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks: /),
    ]);
    expect(
      mistakesOf({ ...settings, wallet: { ...wallet, testService: true } }, unchecked),
    ).toEqual([]);
    expect(
      mistakesOf(settings, {
        NODE_TLS_REJECT_UNAUTHORIZED: '1',
        NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
      }),
    ).toEqual([]);
  });

  test('nothing starts that has no such settings', () => {
    const off = /disables certificate checks/;
    const start =
      (environment: Record<string, string>, args: string[], isForTests: boolean) => () =>
        requireCertificateChecks({ environment, args }, isForTests);
    expect(start(unchecked, [], false)).toThrow(off);
    expect(start({}, ['--ignore-certificate-errors-spki-list=x'], false)).toThrow(off);
    expect(start({}, ['--ignore-certificate-errors'], false)).toThrow(off);
    expect(start({}, ['--kiosk', '--use-system-ca'], false)).not.toThrow();
    expect(start(unchecked, [], true)).not.toThrow();
  });
});

test('a lane says whether payments can be reserved; left out, all are captured at once', () => {
  expect(parseSettings(settings, {})).toMatchObject({ lanes: [{ plannedCaptureDelay: 'None' }] });
  expect(parseSettings(withLane({ plannedCaptureDelay: 'LessThan24Hours' }), {})).toMatchObject({
    lanes: [{ plannedCaptureDelay: 'LessThan24Hours' }],
  });
  expect(mistakesOf(withLane({ plannedCaptureDelay: '3 days' }))).toEqual([
    expect.stringMatching(/^lanes\.0\.plannedCaptureDelay: .*got "3 days"$/),
  ]);
});

describe('settings of the customer’s screen', () => {
  const shop = {
    name: 'Hansens Købmand',
    logo: 'shop/logo.svg',
    picture: 'shop/Vores butik (1).jpg',
  };

  test('are a name, pictures below the data folder, and where other devices find it', () => {
    const read = parseSettings(
      { ...settings, shop, screens: { customerDisplays: { host: '192.168.1.20' } } },
      {},
    );
    expect(read).toMatchObject({
      shop,
      screens: { customerDisplays: { host: '192.168.1.20', port: 4_181 } },
    });
    expect(parseSettings(settings, {})).toMatchObject({ lanes: [{ checkInFirst: false }] });
    expect(parseSettings(settings, {}).screens).toBeUndefined();
  });

  test('marks receipts where no real money moves', () => {
    for (const forTests of [
      { simulator: true },
      { ...wallet, testService: true },
      { ...salesUnit, environment: 'test' },
    ])
      expect(shopOnPaper({ wallet: Wallet.parse(forTests) })).toMatchObject({ isTest: true });
  });

  test('heads receipts with the shop’s VAT number, otherwise with the merchant’s', () => {
    const pointOfSale = Wallet.parse(wallet);
    expect(
      shopOnPaper({
        shop: { name: 'Café', address: 'Nørregade 12', vat: 'DK87654321' },
        wallet: pointOfSale,
      }),
    ).toEqual({
      name: 'Café',
      address: 'Nørregade 12',
      vat: 'DK87654321',
    });
    expect(shopOnPaper({ wallet: pointOfSale })).toEqual({
      name: null,
      address: null,
      vat: 'DK12345678',
    });
    expect(shopOnPaper({ wallet: Wallet.parse(salesUnit) })).toEqual({
      name: null,
      address: null,
      vat: null,
    });
  });

  test.each([
    '../secret.png',
    '/etc/logo.png',
    'shop/../../x.png',
    'C:\\logo.png',
    'journal.sqlite',
    'shop/logo.png.html',
    'https://x.example/a.png',
    '',
  ])('take no picture from %s', (logo) => {
    expect(mistakesOf({ ...settings, shop: { logo } })).toEqual([
      `shop.logo: must be a png, jpg, webp or svg file in the data folder, without "..", got ${JSON.stringify(logo)}`,
    ]);
  });

  test('let customers check in first only where they can', () => {
    const where = (about: object): object =>
      withLane({ checkInFirst: true, pointOfSale: { ...lane.pointOfSale, ...about } });
    expect(mistakesOf(where({}))).toEqual([]);
    expect(mistakesOf(where({ requirePaymentBeforeCheckin: true }))).toEqual([
      'lanes.0.checkInFirst: contradicts pointOfSale.requirePaymentBeforeCheckin: nobody could check in first, got true',
    ]);
    for (const beaconTypes of [['NFC'], ['Bluetooth'], ['NFC', 'Bluetooth']])
      expect(mistakesOf(where({ beaconTypes }))).toEqual([]);
  });
});

describe('settings of what goes with a payment', () => {
  const mistakes = (about: object): readonly string[] => mistakesOf(withLane(about));

  test('are restrictions and a label; of a point of sale its notification service, none, or nothing', () => {
    const about = { restrictions: { creditCardDisallowed: true }, merchantPaymentLabel: 'shift 7' };
    expect(parseSettings(withLane(about), {}).lanes[0]).toMatchObject({
      ...about,
      restrictions: { debitCardDisallowed: false, creditCardDisallowed: true },
    });
    const aliasOf = (of: object): unknown =>
      parseSettings(withLane({ pointOfSale: { ...lane.pointOfSale, ...of } }), {}).lanes[0]
        ?.pointOfSale.callbackAlias;
    expect([{}, { callbackAlias: null }, { callbackAlias: 'check-in' }].map(aliasOf)).toEqual([
      undefined,
      null,
      'check-in',
    ]);
  });

  test('keep to the service’s 36 characters and its character set', () => {
    expect(mistakes({ merchantPaymentLabel: 'x'.repeat(37) })).toEqual([
      expect.stringMatching(/^lanes\.0\.merchantPaymentLabel: .*36/),
    ]);
    expect(mistakes({ merchantPaymentLabel: 'vagt ☕' })).toEqual([
      'lanes.0.merchantPaymentLabel: holds a character that the service does not allow, got "vagt ☕"',
    ]);
    expect(
      mistakes({ pointOfSale: { ...lane.pointOfSale, callbackAlias: 'x'.repeat(37) } }),
    ).toEqual([expect.stringMatching(/^lanes\.0\.pointOfSale\.callbackAlias: .*36/)]);
    expect(mistakes({ restrictions: { giftCardDisallowed: true } })).toEqual([
      'lanes.0.restrictions.giftCardDisallowed: is not a known setting, got true',
    ]);
  });
});

test('a till of Concert has its own lines, and nothing but payments', () => {
  const till = { protocol: 'concert', transport: 'tcp' };
  expect(parseSettings(withLane({ till }), {}).lanes[0]?.till).toEqual({
    ...till,
    host: '127.0.0.1',
    port: 8_888,
  });
  expect(
    parseSettings(
      withLane({ till: { protocol: 'concert', transport: 'serial', path: 'COM3' } }),
      {},
    ).lanes[0]?.till,
  ).toMatchObject({ stopBits: 1 });
  const cable = {
    protocol: 'concert',
    transport: 'serial',
    path: 'COM3',
    dataBits: 7,
    parity: 'even',
  };
  expect(parseSettings(withLane({ till: cable }), {}).lanes[0]?.till).toMatchObject({
    dataBits: 7,
    parity: 'even',
    stopBits: 1,
  });
  expect(mistakesOf(withLane({ till: { ...cable, dataBits: 6 } }))).toEqual([
    expect.stringMatching(/^lanes\.0\.till\.dataBits: .*got 6$/),
  ]);
  expect(mistakesOf(withLane({ till: { ...cable, parity: 'mark' } }))).toEqual([
    expect.stringMatching(/^lanes\.0\.till\.parity: .*got "mark"$/),
  ]);
  expect(mistakesOf(withLane({ till: { ...till, password: '123456' } }))).toEqual([
    'lanes.0.till.password: is not a known setting, got "***"',
  ]);
  expect(mistakesOf(withLane({ till: { ...till, refunds: true } }))).toEqual([
    'lanes.0.till.refunds: is not a known setting, got true',
  ]);
  expect(mistakesOf(withLane({ till: { protocol: 'opi', transport: 'tcp' } })).join()).toMatch(
    /^lanes\.0\.till\.protocol: .*got "opi"$/,
  );
});

test('a till of ZVT on a cable may have parity, and always eight data bits', () => {
  const till = { protocol: 'zvt', transport: 'serial', path: 'COM3' };
  expect(
    parseSettings(withLane({ till: { ...till, dataBits: 8, parity: 'even' } }), {}).lanes[0]?.till,
  ).toMatchObject({ dataBits: 8, parity: 'even' });
  expect(mistakesOf(withLane({ till: { ...till, dataBits: 7 } }))).toEqual([
    'lanes.0.till.dataBits: must be 8: the bytes of this protocol have eight bits, got 7',
  ]);
});

describe('settings of what a till may do', () => {
  const serial = lane.till;
  const tcp = { protocol: 'zvt', transport: 'tcp', host: '0.0.0.0', port: 20_007 };
  const mistakes = (till: object): readonly string[] => mistakesOf(withLane({ till }));

  test('are a password, refunds, and over TCP the addresses of the till', () => {
    const about = {
      password: '012345',
      refunds: 50_000,
      from: ['192.168.1.40', '10.0.0.0/8', 'fd00::/8', '::1'],
    };
    expect(parseSettings(withLane({ till: { ...tcp, ...about } }), {}).lanes[0]?.till).toEqual({
      ...tcp,
      ...about,
    });
    expect(
      parseSettings(withLane({ till: { ...serial, password: '000000', refunds: false } }), {})
        .lanes[0]?.till,
    ).toMatchObject({ refunds: false });
    expect(mistakes({ ...serial, from: ['192.168.1.40'] })).toEqual([
      'lanes.0.till.from: is not a known setting, got ["192.168.1.40"]',
    ]);
  });

  test.each(['12345', '1234567', '12345x', '', '１２３４５６'])(
    'no password is %j, and it is not shown',
    (password) => {
      expect(mistakes({ ...serial, password })).toEqual([
        'lanes.0.till.password: must be six digits, got "***"',
      ]);
    },
  );

  test('a password that is elsewhere comes from there, and is held to the same rule', () => {
    const elsewhere = withLane({ till: { ...serial, password: { env: 'TILL_PASSWORD' } } });
    expect(parseSettings(elsewhere, { TILL_PASSWORD: '012345' }).lanes[0]?.till).toMatchObject({
      password: '012345',
    });
    const wrong = () => parseSettings(elsewhere, { TILL_PASSWORD: '12345' });
    expect(wrong).toThrow('lanes.0.till.password: must be six digits, got "***"');
    expect(wrong).not.toThrow('12345');
    expect(() => parseSettings(elsewhere, {})).toThrow(
      'lanes.0.till.password.env: must name an environment variable that is set, got "TILL_PASSWORD"',
    );
  });

  test('a password that is a number is told where the quotes are missing', () => {
    expect(mistakes({ ...tcp, password: 123_456 })).toEqual([
      'lanes.0.till.password: must be six digits, in quotes, got "***"',
    ]);
  });

  test.each([0, -1, 1.5, 'yes', '500', null])('refunds are not %j', (refunds) => {
    expect(mistakes({ ...tcp, refunds })).toEqual([
      `lanes.0.till.refunds: must be true, false, or a whole number of minor units of at least 1, got ${JSON.stringify(refunds)}`,
    ]);
  });

  test.each(['192.168.1.400', '192.168.1.0/33', 'till.shop.local', 'fe80::1%eth0', '', 40])(
    'no till comes from %j',
    (address) => {
      expect(mistakes({ ...tcp, from: ['10.0.0.1', address] })).toEqual([
        `lanes.0.till.from.1: must be an address or a network such as 192.168.1.40 or 192.168.1.0/24, got ${JSON.stringify(address)}`,
      ]);
    },
  );

  test.each([
    '/dev/ttyUSB0',
    '/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A50285BI-if00-port0',
    'COM3',
    'usb:0403:6001:A50285BI',
    'usb:1a86:7523@0000:00:14.0-1.2',
  ])('a port, or the adapter that it is of: %s', (path) =>
    expect(parseSettings(withLane({ till: { ...serial, path } }), {}).lanes[0]?.till).toMatchObject(
      { path },
    ),
  );

  test.each(['usb:0403:6001', 'usb:0403:6001:', 'usb:adapter', 'usb:403:6001:A'])(
    'no adapter is %j',
    (path) => {
      expect(mistakes({ ...serial, path })).toEqual([
        `lanes.0.till.path: ${adapterRule}, got ${JSON.stringify(path)}`,
      ]);
    },
  );

  test('an empty list of addresses is no way to say all of them', () => {
    expect(mistakes({ ...tcp, from: [] })).toEqual([
      'lanes.0.till.from: must name at least one address; leave it out to let every address connect, got []',
    ]);
  });
});

describe('bad settings: one line for each mistake, with its path, its rule and the value', () => {
  test.each([
    [
      withLane({ till: { protocol: 'zvt', transport: 'tcp', port: 99_999 } }),
      /^lanes\.0\.till\.port: .*65535.*, got 99999$/,
    ],
    [withLane({ currency: 'SEK' }), /^lanes\.0\.currency: .*"DKK".*, got "SEK"$/],
    [
      withLane({ id: 'lane one' }),
      /^lanes\.0\.id: must be at most twelve letters, digits and dashes, got "lane one"$/,
    ],
    [
      withLane({ pointOfSale: { ...lane.pointOfSale, beaconId: '12345' } }),
      /^lanes\.0\.pointOfSale\.beaconId: must be 15 digits or a UUID, got "12345"$/,
    ],
    [withLane({ colour: 'red' }), /^lanes\.0\.colour: is not a known setting, got "red"$/],
    [
      withLane({ till: { ...lane.till, baudRate: 9601 } }),
      /^lanes\.0\.till\.baudRate: .*, got 9601$/,
    ],
    [{ wallet }, /^lanes: must be given, got nothing$/],
    [
      { wallet, lanes: [{ ...lane, name: 5 }] },
      /^lanes\.0\.name: must be of the type string, got 5$/m,
    ],
    [{ ...settings, lanes: [] }, /^lanes: must hold at least one lane, got \[\]$/],
    [
      { ...settings, wallet: { ...wallet, merchantVat: 'DK-12345678' } },
      /^wallet\.merchantVat: must be DK or FI and eight digits, got "DK-12345678"$/,
    ],
    [
      { ...settings, wallet: { ...wallet, baseUrl: 'ftp://x' } },
      /^wallet\.baseUrl: must be an address that begins with https:\/\/, got "ftp:\/\/x"$/,
    ],
    [
      { ...settings, wallet: { ...wallet, authUrl: 'http://auth.example' } },
      /^wallet\.authUrl: must begin with https:\/\/, .*, got "http:\/\/auth\.example"$/,
    ],
    [
      { ...settings, wallet: { ...wallet, reportingUrl: 'http://10.0.0.7' } },
      /^wallet\.reportingUrl: must begin with https:\/\/, .*$/,
    ],
    [[], /^settings: .*, got \[\]$/],
  ])('%#', (json, line) => {
    const mistakes = mistakesOf(json);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(line);
  });

  test('all of them at once', () => {
    expect(
      mistakesOf({
        wallet: { ...wallet, merchantVat: 'x', clientId: '' },
        lanes: [{ ...lane, currency: 'x' }],
      }),
    ).toHaveLength(3);
  });

  test('two lanes cannot share an id, a point of sale or a cable', () => {
    const mistakes = mistakesOf({ wallet, lanes: [lane, lane] });
    expect(mistakes.map((line) => line.split(':')[0])).toEqual([
      'lanes.1.id',
      'lanes.1.pointOfSale.merchantPosId',
      'lanes.1.till.path',
    ]);
    expect(mistakes[0]).toBe('lanes.1.id: must differ from lanes.0, got "1"');
  });

  test('never show a secret', () => {
    const mistakes = mistakesOf({
      ...settings,
      wallet: { ...wallet, clientSecret: 12_345_678, clientId: undefined },
    });
    expect(mistakes.join()).not.toContain('12345678,');
    expect(mistakes.find((line) => line.startsWith('wallet.clientSecret'))).toMatch(
      /, got "\*\*\*"$/,
    );
    expect(mistakesOf({ ...settings, wallet: [{ clientSecret: 'hidden' }] }).join()).not.toContain(
      'hidden',
    );
  });

  test.each([
    'https://me:hunter2@api.example',
    'https://me:hun/ter2@api.example',
    'me:hunter2@api.example',
    'https://api.example/?key=hunter2',
  ])('never show what is secret in %s', (address) => {
    const mistakes = mistakesOf({ ...settings, wallet: { ...wallet, baseUrl: address } });
    expect(mistakes).toEqual([
      expect.stringMatching(/^wallet\.baseUrl: must .*, got ".*\*\*\*.*"$/),
    ]);
    expect(mistakes.join()).not.toMatch(/hun|ter2/);
    // Not even where the setting itself has the wrong type.
    expect(mistakesOf({ ...settings, wallet: [{ baseUrl: address }] }).join()).not.toMatch(
      /hun|ter2/,
    );
  });

  test('a secret that the environment does not have', () => {
    expect(
      mistakesOf({ ...settings, wallet: { ...wallet, clientSecret: { env: 'NO_SUCH' } } }),
    ).toEqual([
      'wallet.clientSecret.env: must name an environment variable that is set, got "NO_SUCH"',
    ]);
  });

  test.each(['', '../../wallets', '.', '..', 'a/b', 'a:b', 'ø', 'x'.repeat(256)])(
    'the name of a credential is one file’s name: not %j',
    (credential) => {
      expect(
        mistakesOf({ ...settings, wallet: { ...wallet, clientSecret: { credential } } }),
      ).toEqual([
        'wallet.clientSecret.credential: must be the name of a systemd credential, got "***"',
      ]);
    },
  );

  test('a file that is missing or no JSON says so in one line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-settings-'));
    expect(() => loadSettings(join(folder, 'none.json'), {})).toThrow(
      /none\.json: cannot be read \(ENOENT\)/,
    );
    writeFileSync(join(folder, 'bad.json'), '{\n "wallet": \n');
    expect(() => loadSettings(join(folder, 'bad.json'), {})).toThrow(/bad\.json: is not JSON/);
  });

  test('a file as editors of Windows write it is read: with a byte order mark and their line ends', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'tillbeacon-settings-')), 'settings.json');
    writeFileSync(path, `\uFEFF${JSON.stringify(settings, null, 2).replaceAll('\n', '\r\n')}`);
    expect(loadSettings(path, {})).toEqual(parseSettings(settings, {}));
  });
});

test('assets/settings.schema.json is what the schema says (npm run settings-schema writes it)', () => {
  expect(
    readFileSync(new URL('../../../../assets/settings.schema.json', import.meta.url), 'utf8'),
  ).toBe(settingsJsonSchema());
});

describe('what a till does differently', () => {
  const mistakes = (till: object): readonly string[] =>
    mistakesOf(withLane({ till: { ...lane.till, ...till } }));

  test('a profile is kept by its name, and its values are not written into the settings', () => {
    const { stopBits: _, ...till } = lane.till;
    expect(
      parseSettings(withLane({ till: { ...till, profile: 'oneStopBit' } }), {}).lanes[0]?.till,
    ).toEqual({ ...till, profile: 'oneStopBit' });
  });

  test('what is not known is a mistake with its field, and what there is', () => {
    const [mistake, ...others] = mistakes({ profile: 'chatty' });
    expect(others).toEqual([]);
    expect(mistake).toMatch(/^lanes\.0\.till\.profile: .*, got "chatty"$/);
    for (const id of tillProfileIds) expect(mistake).toContain(`"${id}"`);
    expect(mistakes({ columns: 15 })).toEqual([
      'lanes.0.till.columns: must be a whole number from 16 to 99, got 15',
    ]);
    expect(mistakes({ withoutRegistration: '8' })).toEqual([
      'lanes.0.till.withoutRegistration: must be two hexadecimal digits, got "8"',
    ]);
    expect(mistakes({ missingCurrency: 'DKK' })).toEqual([
      expect.stringMatching(/^lanes\.0\.till\.missingCurrency: .*"euro"\|"lane", got "DKK"$/),
    ]);
  });

  test('is accepted for ZVT only', () => {
    const concert = { protocol: 'concert', transport: 'tcp', profile: 'standard' };
    expect(mistakesOf(withLane({ till: concert }))).toEqual([
      'lanes.0.till.profile: is not a known setting, got "standard"',
    ]);
  });
});
