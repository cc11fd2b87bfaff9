import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Session } from '../../../../main/counter/server/session.ts';
import { parseSettings } from '../../../../main/counter/settings/load.ts';
import { Settings, shopOnPaper } from '../../../../main/counter/settings/schema.ts';
import { CustomerScreensSetup } from '../../../../main/counter/setup/customer-screens.ts';
import { pictureType } from '../../../../main/counter/setup/picture-type.ts';
import type { ParsedInputOf } from '../../../../preload/procedures.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import {
  customerProcedures,
  type CustomersSee,
  maxPictureBytes,
  type PictureName,
  picturePartLength,
  ShopAddress,
  ShopName,
  ShopVat,
} from '../../../../preload/procedures/setup-customer.ts';
import {
  type CustomersForm,
  displayAddresses,
  formOf,
  formProblems,
} from '../../../../renderer/setup/customers-form.ts';

const lane = (id: string, pointOfSale: object = {}): object => ({
  id,
  name: `Check-out ${id}`,
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: `shop-${id}`,
    storeId: '51050000-0000-4000-8000-000000000001',
    name: id,
    beaconTypes: ['QR'],
    ...pointOfSale,
  },
  till: { protocol: 'zvt', transport: 'tcp', port: 0 },
});
const payFirst = { requirePaymentBeforeCheckin: true };
const begun = Settings.parse({
  wallet: { simulator: true },
  lanes: [lane('1'), lane('2', payFirst), lane('3', { beaconTypes: ['NFC'] })],
});
const svg = (drawing = ''): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${drawing}</svg>`);
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

let folder: string;
let settings: Settings | null;
let refusal: Refusal | null;
let changes: number;
/** Changes by another screen while this one waited for its turn. */
let meanwhile: Partial<Settings>;
let displaysPort: number | null;
let isPerson: boolean;
let router: CustomerScreensSetup;
const closing: (() => void)[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-customers-'));
  settings = begun;
  refusal = null;
  changes = 0;
  meanwhile = {};
  displaysPort = null;
  isPerson = true;
  router = new CustomerScreensSetup({
    dataFolder: folder,
    host: {
      settings: () => settings,
      async change(to) {
        if (refusal !== null) throw refusal;
        changes += 1;
        settings = { ...(settings ?? begun), ...meanwhile };
        settings = Settings.parse(to(settings));
      },
      displaysPort: async () => displaysPort,
      requirePerson() {
        if (!isPerson) throw new Refusal('pinNeeded', 'no person');
      },
    },
  });
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  rmSync(folder, { recursive: true });
});

const screen: Session = { manager: null };
const send = (picture: PictureName, content: Buffer, from: Session = screen): unknown => {
  const text = content.toString('base64');
  let answer: unknown = null;
  for (let part = 0; part === 0 || part * picturePartLength < text.length; part += 1) {
    const end = (part + 1) * picturePartLength;
    const asked = customerProcedures.picturePart.input.parse({
      picture,
      part,
      base64: text.slice(part * picturePartLength, end),
      last: end >= text.length,
    });
    answer = router.handlers.picturePart?.(asked, from);
  }
  return answer;
};
const change = (
  about: Partial<ParsedInputOf<'changeCustomersSee'>> = {},
  by: Session = screen,
): unknown =>
  router.handlers.changeCustomersSee?.(
    {
      shopName: null,
      address: null,
      vat: null,
      logo: 'keep',
      picture: 'keep',
      lanes: [],
      displays: null,
      ...about,
    },
    by,
  );
const kept = (): string[] =>
  existsSync(join(folder, 'shop')) ? readdirSync(join(folder, 'shop')).toSorted() : [];
const refusedAs = (code: string, field?: string): unknown =>
  expect.objectContaining({ code, ...(field !== undefined && { field }) });

describe('what the customers see', () => {
  test('displays in the network are opened only where a person vouches for the page', async () => {
    isPerson = false;
    await expect(change({ displays: { host: '0.0.0.0', port: 0 } })).rejects.toMatchObject({
      code: 'pinNeeded',
    });
    expect(changes).toBe(0);
    await change({ displays: { host: '127.0.0.1', port: 0 } });
    expect(changes).toBe(1);
  });

  test('is kept as the settings have it, and nothing else of them is touched', async () => {
    send('logo', svg());
    await change({
      shopName: 'Hansens Købmand',
      logo: 'sent',
      lanes: [{ laneId: '1', checkInFirst: true }],
      displays: { host: '127.0.0.1', port: 0 },
    });
    expect(settings).toEqual({
      ...begun,
      shop: {
        name: 'Hansens Købmand',
        logo: expect.stringMatching(/^shop\/logo-[0-9a-f]{16}\.svg$/),
      },
      screens: { customerDisplays: { host: '127.0.0.1', port: 0 } },
      lanes: begun.lanes.map((one) => ({ ...one, checkInFirst: one.id === '1' })),
    });
    expect(parseSettings(settings, {}).shop).toEqual(settings?.shop);
    expect(readFileSync(join(folder, settings?.shop?.logo ?? ''))).toEqual(svg());
  });

  test('is told again, with the reason of each lane where nobody can check in first', async () => {
    await change({ shopName: 'Café', lanes: [{ laneId: '1', checkInFirst: true }] });
    displaysPort = 4_181;
    expect(await router.handlers.customersSee?.({}, screen)).toMatchObject({
      shopName: 'Café',
      pictures: { logo: false, picture: false },
      lanes: [
        { laneId: '1', checkInFirst: true, cannot: null },
        { laneId: '2', checkInFirst: false, cannot: 'paymentFirst' },
        { laneId: '3', checkInFirst: false, cannot: null },
      ],
      displays: null,
      servedAt: 4_181,
    });
  });

  test('can all be taken away again, and leaves the settings as they were', async () => {
    send('logo', svg());
    await change({ shopName: 'Café', logo: 'sent', displays: { host: '127.0.0.1', port: 0 } });
    await change({ logo: 'remove' });
    expect(settings).toEqual(begun);
  });

  test('has what receipts are headed with: kept, told again with what the wallet service knows, taken away', async () => {
    const asked = {
      shopName: 'Café',
      address: ' Nørregade 12, 1165 København K ',
      vat: 'dk 12.34-56 78',
      logo: 'keep',
      picture: 'keep',
      lanes: [],
      displays: null,
    };
    const parsed = customerProcedures.changeCustomersSee.input.parse(asked);
    await change(parsed);
    const shop = { name: 'Café', address: 'Nørregade 12, 1165 København K', vat: 'DK12345678' };
    expect(settings).toEqual({ ...begun, shop });
    expect(await router.handlers.customersSee?.({}, screen)).toMatchObject({
      address: shop.address,
      vat: shop.vat,
      merchantVat: null,
    });
    expect(shopOnPaper(settings ?? begun)).toEqual({ ...shop, isTest: true });
    await change({ shopName: 'Café' });
    expect(settings?.shop).toEqual({ name: 'Café' });
  });

  test.each([
    [
      'vat',
      ['12345678', 'DK', 'DK1', 'DKÆ2345', 'DK12345678901234', 'D'],
      ['DK12345678', 'fi 1234567-8', 'SE556677889901'],
    ],
    ['address', ['x'.repeat(121), 'a\nb', 'a\u200bb'], ['Nørregade 12', 'x'.repeat(120)]],
  ] as const)('has the settings’ own rule for the shop’s %s', (name, wrong, right) => {
    const form = {
      shopName: '',
      address: '',
      vat: '',
      checkInFirst: [],
      hasDisplays: false,
      host: '0.0.0.0',
      port: '',
    };
    const rule = name === 'vat' ? ShopVat : ShopAddress;
    for (const text of [...wrong, ...right]) {
      const read = rule.safeParse(text);
      expect(read.success, text).toBe((right as readonly string[]).includes(text));
      expect(
        Settings.safeParse({ ...begun, shop: { [name]: read.data ?? text } }).success,
        text,
      ).toBe(read.success);
      expect(formProblems({ ...form, [name]: text }, 'en')[name] === null, text).toBe(read.success);
    }
  });

  test('takes back nothing that another screen changed meanwhile', async () => {
    meanwhile = { language: 'fi' };
    await change({ shopName: 'Café' });
    expect(settings).toEqual({ ...begun, language: 'fi', shop: { name: 'Café' } });
  });

  test('opens no lane anew where nothing is changed', async () => {
    await change({ shopName: 'Café' });
    await change({ shopName: 'Café' });
    expect(changes).toBe(1);
  });

  test('cannot be asked for before anything is set up', async () => {
    settings = null;
    await expect(change()).rejects.toThrow(refusedAs('notHere'));
  });

  test('has the settings’ own rule for the shop’s name', () => {
    for (const name of [
      'a',
      'Hansens Købmand ☕',
      'x'.repeat(60),
      'x'.repeat(61),
      'a\u200bb',
      'a\nb',
      '',
    ]) {
      const byTheSettings = Settings.safeParse({ ...begun, shop: { name } }).success;
      expect(ShopName.safeParse(name).success, JSON.stringify(name)).toBe(byTheSettings);
      const form = {
        shopName: name,
        address: '',
        vat: '',
        checkInFirst: [],
        hasDisplays: false,
        host: '',
        port: '',
      };
      if (name !== '')
        expect(formProblems(form, 'en')['shopName'] === null, JSON.stringify(name)).toBe(
          byTheSettings,
        );
    }
  });

  test('names the rule of a port', () => {
    const problem = (port: string, hasDisplays = true): string | null | undefined =>
      formProblems(
        {
          shopName: '',
          address: '',
          vat: '',
          checkInFirst: [],
          hasDisplays,
          host: '0.0.0.0',
          port,
        },
        'en',
      )['port'];
    for (const port of ['0', '4181', ' 65535 ']) expect(problem(port), port).toBeNull();
    for (const port of ['', '65536', '-1', '1.5', 'x', '1e3'])
      expect(problem(port), port).toBe('A whole number from 0 to 65535.');
    expect(problem('x', false)).toBeNull();
  });
});

describe('the address of other devices', () => {
  const seen = (about: Partial<CustomersSee> = {}): CustomersSee => ({
    shopName: null,
    address: null,
    vat: null,
    merchantVat: null,
    pictures: { logo: false, picture: false },
    lanes: [{ laneId: '1', name: 'Check-out 1', checkInFirst: false, cannot: null }],
    displays: null,
    servedAt: null,
    addresses: ['192.168.1.20', '10.8.0.3'],
    ...about,
  });

  test('is one of this machine, the likeliest, and never all of them', () => {
    expect(formOf(seen())).toMatchObject({ host: '192.168.1.20', port: '4181' });
    expect(formOf(seen({ addresses: [] })).host).toBe('');
  });

  test('stays what the settings say, also where that is all of them', () => {
    for (const host of ['10.8.0.3', '192.168.7.7', '0.0.0.0'])
      expect(formOf(seen({ displays: { host, port: 4_182 } }))).toMatchObject({
        host,
        port: '4182',
      });
  });

  test('is asked for where this machine has none', () => {
    const problem = (form: CustomersForm): string | null | undefined =>
      formProblems(form, 'en')['host'];
    const none = formOf(seen({ addresses: [] }));
    expect(problem({ ...none, hasDisplays: true })).toBe(
      'Choose the network that the other devices are in.',
    );
    expect(problem(none)).toBeNull();
    expect(problem({ ...formOf(seen()), hasDisplays: true })).toBeNull();
  });

  test('is shown for each lane as another device has to ask for it', () => {
    const addresses = (form: Partial<CustomersForm>, about: Partial<CustomersSee> = {}): string[] =>
      displayAddresses({ host: '192.168.1.20', port: '4181', ...form }, seen(about), '1');
    expect(addresses({})).toEqual(['http://192.168.1.20:4181/']);
    expect(addresses({ host: 'fd00::20' })).toEqual(['http://[fd00::20]:4181/']);
    expect(addresses({ host: '0.0.0.0' })).toEqual([
      'http://192.168.1.20:4181/',
      'http://10.8.0.3:4181/',
    ]);
    expect(addresses({}, { lanes: [...seen().lanes, ...seen().lanes] })).toEqual([
      'http://192.168.1.20:4181/?lane=1',
    ]);
    expect(addresses({ port: '0' })).toEqual([]);
    expect(addresses({ port: '0' }, { servedAt: 5_000 })).toEqual(['http://192.168.1.20:5000/']);
    expect(addresses({ port: 'x' })).toEqual([]);
    expect(addresses({ host: '' })).toEqual([]);
  });
});

describe('a picture', () => {
  test.each([
    ['PNG', png, 'image/png'],
    ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'image/jpeg'],
    ['WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ', 'latin1'), 'image/webp'],
    ['SVG', svg(), 'image/svg+xml'],
    [
      'SVG of a drawing program',
      Buffer.from(
        `\ufeff<?xml version="1.0"?>\n<!-- A > B -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x" [ <!ENTITY a "b"> ]>\n${svg().toString()}`,
      ),
      'image/svg+xml',
    ],
    ['SVG without its namespace, which is drawn nowhere', Buffer.from('<svg></svg>'), null],
    ['page', Buffer.from('<html><svg xmlns="http://www.w3.org/2000/svg"/></html>'), null],
    ['GIF', Buffer.from('GIF89a'), null],
    ['text', Buffer.from('logo.png'), null],
    ['empty file', Buffer.alloc(0), null],
  ])('is known by its content: %s', (_what, content, type) =>
    expect(pictureType(content)).toBe(type),
  );

  test('comes in parts, whole, and says at its end what it is', async () => {
    const large = svg(`<!--${'x'.repeat(200_000)}-->`);
    expect(send('picture', large)).toEqual({ type: 'image/svg+xml' });
    await change({ picture: 'sent' });
    expect(readFileSync(join(folder, settings?.shop?.picture ?? ''))).toEqual(large);
  });

  test('may be as large as can be served, and no byte larger: then nothing of it is kept', async () => {
    expect(send('logo', Buffer.concat([png, Buffer.alloc(maxPictureBytes - png.length)]))).toEqual({
      type: 'image/png',
    });
    expect(() =>
      send('logo', Buffer.concat([png, Buffer.alloc(maxPictureBytes - png.length + 1)])),
    ).toThrow(refusedAs('tooLarge', 'logo'));
    await expect(change({ logo: 'sent' })).rejects.toThrow(refusedAs('notFound', 'logo'));
    expect(kept()).toEqual([]);
  });

  test('that is none is refused at its field', () => {
    expect(() => send('picture', Buffer.from('<html>'))).toThrow(
      refusedAs('notAPicture', 'picture'),
    );
  });

  test('of which a part is missing is refused', () => {
    expect(() =>
      router.handlers.picturePart?.({ picture: 'logo', part: 1, base64: '', last: true }, screen),
    ).toThrow(refusedAs('notFound'));
  });

  test('is of the screen that sent it', async () => {
    send('logo', svg());
    await expect(change({ logo: 'sent' }, { manager: null })).rejects.toThrow(
      refusedAs('notFound', 'logo'),
    );
  });

  test('waits while a payment is under way, and is put in use by the next try', async () => {
    send('logo', svg());
    refusal = new Refusal('busy', 'a payment is under way');
    await expect(change({ logo: 'sent' })).rejects.toThrow(refusal);
    expect(settings).toBe(begun);
    refusal = null;
    await change({ logo: 'sent' });
    expect(kept()).toEqual([settings?.shop?.logo?.replace('shop/', '')]);
  });

  test.skipIf(process.platform === 'win32')(
    'is for the daemon’s user alone, and is not written through a link, nor is anything removed through one',
    async () => {
      send('logo', svg());
      await change({ logo: 'sent' });
      for (const name of ['.', ...kept()])
        expect(statSync(join(folder, 'shop', name)).mode & 0o077, name).toBe(0);
      const elsewhere = join(folder, 'elsewhere');
      renameSync(join(folder, 'shop'), elsewhere);
      symlinkSync(elsewhere, join(folder, 'shop'));
      send('logo', svg('<g/>'));
      await expect(change({ logo: 'sent' })).rejects.toThrow(refusedAs('notWritable'));
      await change({ logo: 'remove' });
      await change({ shopName: 'Café' });
      await change({ shopName: null });
      expect(readdirSync(elsewhere)).toHaveLength(1);
    },
  );

  test('of before stays for the settings of before; older ones go, and no file of the shop’s own', async () => {
    mkdirSync(join(folder, 'shop'));
    writeFileSync(join(folder, 'shop', 'logo.svg'), svg());
    settings = { ...begun, shop: { logo: 'shop/logo.svg' } };
    const names: string[] = [];
    for (const drawing of ['<g/>', '<a/>', '<path/>']) {
      send('logo', svg(drawing));
      await change({ logo: 'sent' });
      names.push(settings?.shop?.logo?.replace('shop/', '') ?? '');
    }
    expect(kept()).toEqual(['logo.svg', ...names.slice(1)].toSorted());
  });
});

describe('displays on other devices', () => {
  test('are not put at a port that another program has', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const displays = { host: '127.0.0.1', port };
    await expect(change({ displays })).rejects.toThrow(refusedAs('portTaken', 'displays.port'));
    // The port is our own.
    displaysPort = port;
    await change({ displays });
    expect(settings?.screens).toEqual({ customerDisplays: displays });
    // An address that is in use already does not prevent other changes.
    displaysPort = null;
    await change({ displays, shopName: 'Café' });
    expect(changes).toBe(2);
  });

  test('are not put at an address that this machine does not have', async () => {
    await expect(change({ displays: { host: '192.0.2.1', port: 0 } })).rejects.toThrow(
      refusedAs('hostNotHere', 'displays.host'),
    );
    expect(changes).toBe(0);
  });
});
