import type { Handlers } from '../../../main/counter/server/router.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { CustomerWays, ScannerReport, Ways } from '../../../preload/procedures/setup-ways.ts';
import { never, type Scene } from '../stage.ts';
import { refuses } from './manager-shared.ts';
import { inUse, lane, next, overview, ports, salesUnit } from './setup-shared.ts';
import type { State } from './state.ts';

const scanner = { path: ports[0]?.path ?? '', baudRate: 9600 } as const;
const named: Ways = {
  flow: 'prepare',
  customerTypesNumber: true,
  sticker: { kind: 'own', id: 'tillbeacon-shop-1-lane-1' },
  scanner,
};
const byNumber: Ways = { ...named, sticker: null, scanner: null };
const kept = (ways: Ways, about: Partial<CustomerWays> = {}): CustomerWays => ({
  laneId: '1',
  name: 'Check-out 1',
  ways,
  receiver: null,
  freeStickerId: 'tillbeacon-shop-1-lane-1',
  stickersAt: [],
  ...about,
});
const receiver = { url: 'https://callbacks.shop.example' };
const heard = (about: Partial<ScannerReport> = {}): ScannerReport => ({
  state: 'listening',
  problem: null,
  detail: null,
  read: null,
  ...about,
});
const read = (what: NonNullable<ScannerReport['read']>['what'], masked: string): ScannerReport =>
  heard({ read: { what, masked, characters: 48, count: 1 } });

const ofUnit = {
  inUse: {
    wallet: salesUnit,
    lanes: [{ ...lane('1', 'Check-out 1'), beacons: [] }, ...(inUse?.lanes.slice(1) ?? [])],
  },
};
const ways = (of: CustomerWays, answers: Handlers = {}): Scene =>
  overview(ofUnit, {
    customerWays: () => of,
    serialPorts: () => ({ ports }),
    listenToScanner: () => heard(),
    scannerHeard: () => heard(),
    stopScanner: () => ({}),
    ...answers,
  });
const toWays: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('ways').first().click();
  await page.locator('tb-setup-ways #flow').waitFor();
};
const toReceiver: NonNullable<State['reach']> = async (page) => {
  await toWays(page);
  await page.getByTestId('try').scrollIntoViewIfNeeded();
};
const heardAt = (name: string, said: ScannerReport): State => ({
  name: `ways-scanner-${name}`,
  at: '',
  likeAnother: true,
  scene: ways(kept({ ...byNumber, scanner }), {
    listenToScanner: () => said,
    scannerHeard: () => said,
  }),
  reach: async (page) => {
    await toWays(page);
    await page.getByTestId('scanner-heard').waitFor();
  },
});
const tries = (
  name: string,
  tryReceiver: NonNullable<Handlers['tryReceiver']>,
  where: string,
): State => ({
  name: `ways-receiver-${name}`,
  at: '',
  scene: ways(kept({ ...named, scanner: null }, { receiver }), { tryReceiver }),
  reach: async (page) => {
    await toReceiver(page);
    await page.getByTestId('try').click();
    await page.locator(where).waitFor();
  },
});

/** How a lane finds its customers with the ePayment service. */
export const waysStates: readonly State[] = [
  { name: 'ways', at: '', scene: ways(kept({ flow: 'initiate' })), main: true, reach: toWays },
  { name: 'ways-number', at: '', scene: ways(kept(byNumber)), main: true, reach: toWays },
  {
    name: 'ways-sticker',
    at: '',
    scene: ways(kept({ ...named, scanner: null }, { receiver, stickersAt: ['2'] })),
    main: true,
    reach: toReceiver,
  },
  {
    name: 'ways-sticker-printed',
    at: '',
    scene: ways(
      kept(
        { ...byNumber, sticker: { kind: 'printed', beaconId: '123456789012345' } },
        { receiver },
      ),
    ),
    reach: async (page) => {
      await toWays(page);
      await page.getByTestId('beacon').scrollIntoViewIfNeeded();
    },
    likeAnother: true,
  },
  {
    name: 'ways-scanner',
    at: '',
    scene: ways(kept({ ...byNumber, scanner }), {
      listenToScanner: () => read('customer', '••••9f3a'),
      scannerHeard: () => read('customer', '••••9f3a'),
    }),
    main: true,
    reach: async (page) => {
      await toWays(page);
      await page.locator('[data-heard="customer"]').waitFor();
    },
  },
  heardAt('waiting', heard()),
  heardAt('opening', heard({ state: 'opening' })),
  heardAt(
    'absent',
    heard({
      state: 'opening',
      problem: 'absent',
      detail: 'usb:0403:6001:A50285BI is not there: is the cable plugged in?',
    }),
  ),
  heardAt(
    'busy',
    heard({
      state: 'opening',
      problem: 'busy',
      detail: '/dev/ttyUSB0 is used by minicom (process 4711)',
    }),
  ),
  heardAt(
    'claimed',
    heard({
      state: 'opening',
      problem: 'busy',
      claimer: 'brltty',
      detail: 'usb:1a86:7523@0000:00:14.0-2 is plugged in, but brltty has taken it from its driver',
    }),
  ),
  heardAt('other', read('other', '••••1234')),
  heardAt('garbled', read('garbled', '••••')),
  {
    name: 'ways-scanner-inUse',
    at: '',
    likeAnother: true,
    scene: ways(kept({ ...byNumber, scanner }), {
      listenToScanner: refuses(
        new Refusal('portUsed', '', { field: 'path', facts: { laneId: '1' } }),
      ),
    }),
    reach: async (page) => {
      await toWays(page);
      await page.getByTestId('scanner-heard').waitFor();
    },
  },
  {
    name: 'ways-broken',
    at: '',
    scene: ways(kept(byNumber), { serialPorts: () => ({ ports: ports.slice(1) }) }),
    reach: async (page) => {
      await toWays(page);
      await page.getByTestId('scanner-serial').check();
      await page.getByTestId('sticker-own').check();
      await page.getByTestId('stickerId').fill('klistermærke 1');
      await next(page);
      await page.locator('#ports-problem span').waitFor();
      await page.locator('#stickerId').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'ways-receiver-broken',
    at: '',
    scene: ways(kept({ ...byNumber, sticker: { kind: 'own', id: 'K1' } })),
    reach: async (page) => {
      await toWays(page);
      await page.getByTestId('receiverUrl').fill('http://callbacks.shop.example');
      await page.getByTestId('token').fill('short');
      await page.getByTestId('try').click();
      await page.locator('#token-problem span').waitFor();
      await page.getByTestId('try').scrollIntoViewIfNeeded();
    },
  },
  tries('asking', never, '[data-testid="try"][aria-busy="true"]'),
  { ...tries('answers', () => ({}), '[data-testid="receiver-answers"]'), likeAnother: true },
  tries(
    'refused',
    refuses(
      new Refusal('receiverRefused', '', {
        field: 'token',
        facts: { host: 'callbacks.shop.example', status: 401 },
      }),
    ),
    '#token-problem span',
  ),
  {
    ...tries(
      'unreachable',
      refuses(
        new Refusal('connectionRefused', '', {
          field: 'url',
          facts: { host: 'callbacks.shop.example' },
        }),
      ),
      '#receiverUrl-problem span',
    ),
    likeAnother: true,
  },
  {
    ...tries(
      'another',
      refuses(
        new Refusal('notAReceiver', '', {
          field: 'url',
          facts: { host: 'callbacks.shop.example', status: 404 },
        }),
      ),
      '#receiverUrl-problem span',
    ),
    likeAnother: true,
  },
  {
    name: 'ways-taken',
    at: '',
    likeAnother: true,
    scene: ways(kept({ ...named, scanner: null }, { receiver }), {
      changeCustomerWays: refuses(
        new Refusal('stickerTaken', '', { field: 'ways.sticker', facts: { laneId: '2' } }),
      ),
    }),
    reach: async (page) => {
      await toWays(page);
      await next(page);
      await page.locator('#sticker-problem span').waitFor();
    },
  },
  {
    name: 'ways-needed',
    at: '',
    likeAnother: true,
    scene: ways(kept({ flow: 'initiate' }, { receiver, stickersAt: ['2'] }), {
      changeCustomerWays: refuses(
        new Refusal('receiverNeeded', '', { field: 'receiver', facts: { laneId: '2' } }),
      ),
    }),
    reach: async (page) => {
      await toWays(page);
      await page.getByTestId('receiverUrl').fill('');
      await next(page);
      await page.locator('#receiverUrl-problem span').waitFor();
    },
  },
  {
    name: 'ways-saved',
    at: '',
    scene: ways(kept(byNumber), { changeCustomerWays: () => kept(byNumber) }),
    reach: async (page) => {
      await toWays(page);
      await next(page);
      await page.getByTestId('saved').waitFor();
    },
  },
];
