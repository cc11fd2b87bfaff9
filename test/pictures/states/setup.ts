import type { Page } from 'playwright';
import type { Handlers } from '../../../main/server/router.ts';
import type { Session } from '../../../main/server/session.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import type { LaneView } from '../../../preload/contract.ts';
import { Refusal } from '../../../preload/procedures/procedure.ts';
import type { PointOfSaleAsked, Store, TillShown } from '../../../preload/procedures/setup-fields.ts';
import { type Heard, TestPaymentState } from '../../../preload/procedures/setup-till.ts';
import { never, nowMs, quietLane, restored, type Scene } from '../stage.ts';
import { managers, refuses, session } from './manager-shared.ts';
import { anew, type State } from './state.ts';

type SetupState = OutputOf<'setupState'>;
type Draft = NonNullable<SetupState['draft']>;

const beaconId = '0b7f0e33-6166-442f-8cc9-e4c20ae427ba';
const store = (index: number): Store => ({
  storeId: `5a1e0000-0000-4000-8000-0000000000${String(10 + index)}`,
  name: index === 0 ? 'Hansens Købmand' : `Rantakadun Elintarvike- ja Taloustavarakauppa ${index}`,
  street: 'Rantakatu 14 B',
  zipCode: '00170',
  city: 'Helsinki',
  brandName: 'Hansens',
  merchantBrandId: 'POSDK12345',
  merchantLocationId: 'A1B2C',
});
const stores = [0, 1, 2, 3, 4, 5, 6, 7].map(store);
const wallet = {
  kind: 'service',
  baseUrl: 'https://api.wallet.example',
  authUrl: 'https://api.wallet.example',
  clientId: 'hansens-koebmand-counter-1',
  tokenFor: 'merchant',
  profile: 'generic',
  reportingUrl: null,
  testService: false,
  hasSecret: true,
  hasReportingKey: true,
  provenAtMs: nowMs,
} as const;
const salesUnit = {
  kind: 'epayment',
  environment: 'production',
  country: 'DK',
  merchantSerialNumber: '1234567',
  clientId: 'e9a70000-0000-4000-8000-000001234567',
  baseUrl: null,
  hasSecret: true,
  provenAtMs: nowMs,
} as const;
const pointOfSale: PointOfSaleAsked = {
  merchantPosId: 'shop-1-lane-1',
  name: 'Check-out 1',
  beaconTypes: ['QR'],
  beaconId: null,
  requirePaymentBeforeCheckin: false,
  laneId: '1',
  laneName: null,
  currency: null,
  flow: 'initiate',
  plannedCaptureDelay: 'None',
  deadlineSeconds: 120,
  restrictions: { debitCardDisallowed: false, creditCardDisallowed: false },
  merchantPaymentLabel: null,
};
const port = 'usb:0403:6001:A50285BI';
const serialLine = { protocol: 'zvt', transport: 'serial', path: port, baudRate: 9600, stopBits: 2 } as const;
const usual = { refunds: null, partialReversals: false, record: null, profile: null, hasPassword: false } as const;
const till = { ...serialLine, ...usual } as const;
const tcpLine = { protocol: 'zvt' as const, transport: 'tcp' as const, host: '0.0.0.0', port: 20_007, from: [] };
const tcp: TillShown = { ...tcpLine, ...usual };
const program: TillShown = {
  transport: 'http',
  nexo: null,
  origins: [],
  host: '192.168.1.20',
  port: 4_182,
  tls: { certificate: '/etc/tillbeacon/till-1.pem', key: '/etc/tillbeacon/till-1.key' },
  names: ['till-1.shop.example'],
};
const guarded: TillShown = { ...tcp, from: ['192.168.1.40', '192.168.1.0/24'], refunds: 50_000, hasPassword: true };
const whole: Draft = {
  laneId: null,
  language: 'da',
  wallet,
  store: { merchantVat: 'DK12345678', store: store(0) },
  pointOfSale,
  till,
  unheard: false,
  tested: 'own',
  next: 'finish',
};
const nothing: Draft = {
  laneId: null,
  language: null,
  wallet: null,
  store: null,
  pointOfSale: null,
  till: null,
  unheard: false,
  tested: null,
  next: 'language',
};
const until = (next: Draft['next']): Draft => {
  const steps = ['language', 'wallet', 'store', 'pointOfSale', 'till'] as const;
  const open = steps.slice(steps.indexOf(next as 'till'));
  return { ...whole, tested: null, next, ...Object.fromEntries(open.map((step) => [step, null])) };
};

const noFile: SetupState['file'] = { path: '/var/lib/tillbeacon/settings.json', state: 'none', mistakes: [], atMs: null };
const lane = (laneId: string, name: string): NonNullable<SetupState['inUse']>['lanes'][number] => ({
  laneId,
  name,
  merchantPosId: `shop-1-lane-${laneId}`,
  pointOfSaleName: name,
  till: `serial:${port}`,
  qr: `walletpos://pos?id=${beaconId}&source=qr`,
  beacons: ['QR'],
});
const inUse: SetupState['inUse'] = { wallet, lanes: [lane('1', 'Check-out 1'), lane('2', 'Itsepalvelukassa 2')] };

const leftBehind: SetupState['leftBehind'] = [{ merchantPosId: 'shop-1-lane-3', name: 'Itsepalvelukassa 3', host: 'api.wallet.example' }];

const ports = [
  { path: port, name: '/dev/ttyUSB0', manufacturer: 'FTDI', serialNumber: 'A50285BI', vendorId: '0403', productId: '6001', justPluggedIn: true, laneId: null },
  { path: '/dev/ttyS0', name: '/dev/ttyS0', manufacturer: null, serialNumber: null, vendorId: null, productId: null, justPluggedIn: false, laneId: null },
  {
    path: '/dev/ttyUSB1',
    name: '/dev/ttyUSB1',
    manufacturer: 'Prolific Technology Inc.',
    serialNumber: null,
    vendorId: null,
    productId: null,
    justPluggedIn: false,
    laneId: '2',
  },
];
const hears = (about: Partial<Heard>): Heard => ({
  what: 'nothing',
  protocol: null,
  bytes: 0,
  packets: 0,
  firstBytes: '',
  profile: null,
  meaning: null,
  till: serialLine,
  turnedAway: null,
  detail: null,
  problem: null,
  ...about,
});
const ofStore = ['1', '2'].map((number) => ({
  posId: `5a1e0000-0000-4000-8000-0000000001${number}0`,
  merchantPosId: `shop-1-lane-${number}`,
  name: `Check-out ${number}`,
  storeId: store(0).storeId,
  beaconTypes: ['QR'],
  beaconId,
  requirePaymentBeforeCheckin: false,
  callbackAlias: null,
  laneId: number === '2' ? '2' : null,
}));

const consequences: OutputOf<'consequences'> = {
  pointOfSale: 'new',
  differences: [],
  newSticker: false,
  presentBeaconId: null,
  beaconTakenBy: null,
  checkInsLost: false,
  reservations: 0,
  abandoned: 0,
};
const recreate: OutputOf<'consequences'> = {
  pointOfSale: 'recreate',
  differences: [
    { field: 'name', now: 'Check-out 1', wanted: 'Kasse 1 ved udgangen' },
    { field: 'beaconId', now: beaconId, wanted: null },
    { field: 'callbackAlias', now: 'hansens-check-in', wanted: null },
  ],
  newSticker: true,
  presentBeaconId: beaconId,
  beaconTakenBy: null,
  checkInsLost: true,
  reservations: 0,
  abandoned: 2,
};

const steps: TestPaymentState['steps'] = ['starting', 'askedByTill', 'waitingForCustomer'];
const tests = (about: Partial<TestPaymentState>): TestPaymentState => ({
  state: 'none',
  with: 'own',
  steps: [],
  amountMinor: null,
  currency: 'DKK',
  api: null,
  detail: null,
  ...about,
});

const tillApi: OutputOf<'tillApi'> = {
  api: { host: '127.0.0.1', port: 4_182, tls: null, origins: [] },
  poiId: 'Tillbeacon-1',
  lanes: [],
  addresses: ['192.168.1.20', '10.8.0.3'],
  token: null,
};
const token = `tbt_${'Kx7-pQ2mZ_'.repeat(4)}b9T`;
const asking = tests({
  state: 'ready',
  with: 'till',
  steps: ['starting'],
  api: { url: 'https://till-1.shop.example:4182', certificate: '/etc/tillbeacon/till-1.pem', resolve: 'till-1.shop.example:4182:192.168.1.20' },
});
const starts = { with: 'computer', system: 'linux' } as const;

/** Set up without a manager: the step was skipped. */
function withoutManager(): Scene {
  const finished = new WeakSet<Session>();
  return {
    ...path(whole, {
      finishSetup(_asked, by) {
        finished.add(by);
        return { laneId: '1', firstManagerCode: 'K7QP-2M9X', tested: null, unheard: true };
      },
      setupState: (_asked, by) => ({ inUse: finished.has(by) ? inUse : null, draft: whole, file: noFile, starts, recreating: [], leftBehind: [] }),
    }),
    lanes: [quietLane],
  };
}

function path(draft: Draft | null, answers: Handlers = {}, about: Partial<SetupState> = {}): Scene {
  return {
    lanes: about.inUse == null ? [] : [quietLane],
    answers: {
      ...session(about.inUse == null ? [] : managers, about.inUse != null),
      setupState: () => ({ inUse: null, draft, file: noFile, starts, recreating: [], leftBehind: [], ...about }),
      findStores: () => ({ stores }),
      findPointsOfSale: ({ by }) => ({ pointsOfSale: by === 'store' ? ofStore : [] }),
      serialPorts: () => ({ ports }),
      listenToTill: () => hears({}),
      tillHeard: () => hears({}),
      stopListening: () => ({}),
      tillApi: () => tillApi,
      checkTillApi: () => ({ address: 'http://127.0.0.1:4182' }),
      testPaymentState: () => tests({}),
      stopTestPayment: () => ({}),
      consequences: () => consequences,
      ...answers,
    },
  };
}
const overview = (about: Partial<SetupState> = {}, answers: Handlers = {}): Scene =>
  path(null, answers, { inUse, file: { ...noFile, state: 'inUse', atMs: nowMs }, ...about });
const next: NonNullable<State['reach']> = (page) => page.getByTestId('next').click();
/** An untested draft is resumed at the test. */
const toReview: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('skip').click();
  await page.getByTestId('part-till').waitFor();
};
const atTill = (about: TillShown, heard: Partial<Heard> = {}): Scene =>
  path({ ...until('till'), till: about }, { listenToTill: () => hears(heard), tillHeard: () => hears(heard) });
const heardAt = (name: string, about: Partial<Heard>): State => ({ name: `till-${name}`, at: '', likeAnother: true, scene: atTill(till, about) });
const toSecurity: NonNullable<State['reach']> = async (page) => {
  const security = page.getByTestId('security');
  await security.evaluate((details) => details.setAttribute('open', ''));
  await security.evaluate((details) => details.scrollIntoView({ block: 'end' }));
};
const toHttp: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('transport-http').check();
  await page.getByTestId('api-ready').waitFor();
};
const makeToken: NonNullable<State['reach']> = async (page) => {
  await toHttp(page);
  await page.getByTestId('make-token').click();
  await page.getByTestId('new-token').waitFor();
  await page.getByTestId('token-part').scrollIntoViewIfNeeded();
};
const madeNow = (): Handlers => {
  const made = new WeakSet<Session>();
  return {
    tillApi: (_asked, by) => ({ ...tillApi, token: made.has(by) ? { name: 'Check-out 1', scopes: ['pay', 'read'] } : null }),
    makeDraftToken(_asked, by) {
      made.add(by);
      return { token };
    },
  };
};
const startedNow = (): Handlers => {
  const started = new WeakSet<Session>();
  return {
    startTestPayment(_asked, by) {
      started.add(by);
      return tests({ state: 'starting', with: 'till' });
    },
    testPaymentState: (_asked, by) => (started.has(by) ? asking : tests({})),
  };
};
const credentials = (code: ConstructorParameters<typeof Refusal>[0], facts: Record<string, string | number> = {}): State => ({
  name: `wallet-${code}`,
  ...(code !== 'certificateWrong' && { likeAnother: true }),
  at: '',
  scene: path(
    { ...until('store'), next: 'wallet' },
    {
      testCredentials: refuses(
        new Refusal(code, 'invalid_request', {
          facts: { host: 'api.wallet.example', status: 403, code: '1301', detail: 'SELF_SIGNED_CERT_IN_CHAIN', seconds: -4_000, ...facts },
        }),
      ),
    },
  ),
  reach: async (page) => {
    await next(page);
    await page.locator('tb-wallet-step .problem span, tb-wallet-step [data-testid="refused"]').first().waitFor();
  },
});

const customersSee: OutputOf<'customersSee'> = {
  shopName: 'Hansens Købmand',
  address: 'Nørregade 12, 1165 København K',
  vat: null,
  merchantVat: 'DK12345678',
  pictures: { logo: true, picture: false },
  lanes: [
    { laneId: '1', name: 'Check-out 1', checkInFirst: true, cannot: null },
    { laneId: '2', name: 'Itsepalvelukassa 2', checkInFirst: false, cannot: 'paymentFirst' },
    { laneId: '3', name: 'Café', checkInFirst: false, cannot: 'noQr' },
  ],
  displays: { host: '192.168.1.20', port: 4_181 },
  servedAt: 4_181,
  addresses: ['192.168.1.20', '10.8.0.3'],
};
const customers = (about: Partial<OutputOf<'customersSee'>> = {}, answers: Handlers = {}): Scene => ({
  ...overview({}, { customersSee: () => ({ ...customersSee, ...about }), ...answers }),
  lanes: [{ ...quietLane, customer: { ...quietLane.customer, shopName: 'Hansens Købmand', logo: '/shop/logo?v=1' } }],
});
const toCustomers: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('customers').click();
  await page.locator('tb-setup-customers #shopName').waitFor();
};
const toDisplays: NonNullable<State['reach']> = async (page) => {
  await toCustomers(page);
  await page.getByTestId('displays').scrollIntoViewIfNeeded();
  await page.locator('tb-setup-customers summary').scrollIntoViewIfNeeded();
};
const pickLogo = async (page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> => {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.locator('#logo').click()]);
  await chooser.setFiles(file);
};

const testSaleId = '5e700000-0000-4000-8000-000000000001';
const testSale = { saleId: testSaleId, amountMinor: 100, currency: 'DKK', remainingMs: 100_000, qr: null, canCancel: true, by: 'cashier' } as const;
const testPaid: LaneView['recent'][number] = {
  saleId: testSaleId,
  orderId: 'test-1-000001-0b7f0e33',
  receiptNumber: 1,
  startedAtMs: nowMs,
  by: 'cashier',
  amountMinor: 1,
  currency: 'DKK',
  reason: null,
  certainty: 'confirmed',
  refundedMinor: 0,
};
const toPaymentTest: NonNullable<State['reach']> = async (page) => {
  await page.getByTestId('test').first().click();
  await page.getByTestId('pay').waitFor();
};
const startPaymentTest: NonNullable<State['reach']> = async (page) => {
  // The made-up lane shows a payment of this id.
  await page.evaluate((id) => Object.defineProperty(crypto, 'randomUUID', { configurable: true, value: () => id }), testSaleId);
  await toPaymentTest(page);
  await page.getByTestId('pay').click();
  await page.locator('tb-payment-test [data-test]').waitFor();
};
const giveBack: NonNullable<State['reach']> = async (page) => {
  await startPaymentTest(page);
  await page.getByTestId('refund').click();
  await page.getByTestId('refunding').waitFor();
};
const atTest = { ...wallet, testService: true } as const;
/** At a service for tests while the payment is under way, at a real one afterwards. */
const paymentTest = (name: string, lane: LaneView): State => ({
  name: `paymentTest-${name}`,
  at: '',
  scene: {
    ...overview(lane.recent.length > 0 || inUse === null ? {} : { inUse: { ...inUse, wallet: atTest } }, {
      payForTest: () => ({ amountMinor: lane.recent.length > 0 ? 1 : 100, currency: 'DKK' }),
      refundTest: () => ({}),
    }),
    lanes: [lane],
  },
  reach: startPaymentTest,
});

/** The setup's steps, and the overview of what is in use. */
export const setup: readonly State[] = [
  { name: 'restored', at: '', scene: { ...path(nothing), lanes: [], restored } },
  { name: 'language', at: '', scene: path(nothing), main: true },
  { name: 'wallet', at: '', scene: path(until('wallet')), main: true },
  { name: 'wallet-other', at: '', scene: path({ ...until('store'), next: 'wallet' }) },
  { name: 'wallet-missing', at: '', scene: path(until('wallet')), reach: next },
  {
    name: 'wallet-address',
    at: '',
    likeAnother: true,
    scene: path({ ...until('store'), next: 'wallet' }),
    reach: async (page) => {
      await page.locator('#baseUrl').fill('http://api.wallet.example');
      await page.locator('#authUrl').fill('https://me:mine@auth.wallet.example');
      await next(page);
      await page.locator('#authUrl-problem').waitFor();
    },
  },
  { name: 'wallet-epayment', at: '', scene: path({ ...until('store'), wallet: { ...salesUnit, hasSecret: false }, next: 'wallet' }), main: true },
  {
    name: 'wallet-epayment-missing',
    at: '',
    likeAnother: true,
    scene: path({ ...until('store'), wallet: { ...salesUnit, hasSecret: false }, next: 'wallet' }),
    reach: next,
  },
  {
    name: 'wallet-epayment-read',
    at: '',
    scene: path(
      { ...until('store'), wallet: salesUnit, next: 'wallet' },
      { testSalesUnit: () => ({ name: 'Hansens Købmand', country: 'DK', clockOffSeconds: 0 }) },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('sales-unit').waitFor();
    },
  },
  ...(['keysRefused', 'salesUnitRefused', 'salesUnitClosed'] as const).map(
    (code): State => ({
      name: `wallet-${code}`,
      ...(code !== 'keysRefused' && { likeAnother: true }),
      at: '',
      scene: path(
        { ...until('store'), wallet: salesUnit, next: 'wallet' },
        {
          testSalesUnit: refuses(
            new Refusal(code, 'paymentAllowed is false', {
              field: code === 'keysRefused' ? 'clientSecret' : 'merchantSerialNumber',
              facts: { host: 'api.vipps.no', status: 401 },
            }),
          ),
        },
      ),
      reach: async (page) => {
        await next(page);
        await page.locator('tb-wallet-step .field-problem span, tb-wallet-step [data-testid="refused"]').first().waitFor();
      },
    }),
  ),
  {
    name: 'pointOfSale-epayment',
    at: '',
    scene: path({ ...until('pointOfSale'), wallet: salesUnit, store: null, next: 'pointOfSale' }, { findPointsOfSale: () => ({ pointsOfSale: [] }) }),
  },
  { name: 'wallet-simulator', at: '', scene: path({ ...until('wallet'), wallet: { kind: 'simulator' } }) },
  {
    name: 'wallet-more',
    at: '',
    scene: path({ ...until('store'), next: 'wallet' }),
    reach: async (page) => {
      await page.locator('tb-wallet-step summary').click();
      await page.locator('#reportingUrl').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'wallet-clock',
    at: '',
    scene: path({ ...until('store'), next: 'wallet' }, { testCredentials: () => ({ expiresInSeconds: 3_600, clockOffSeconds: -4_000, stores: null }) }),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('clock-off').waitFor();
    },
  },
  ...(
    [
      'hostNotFound',
      'connectionRefused',
      'noAnswer',
      'certificateWrong',
      'certificatesUnchecked',
      'clockWrong',
      'notTls',
      'wrongAddress',
      'clientRefused',
      'merchantRefused',
      'versionRefused',
      'serviceFailing',
      'refused',
    ] as const
  ).map((code) => credentials(code)),
  { name: 'store', at: '', scene: path(until('store')) },
  { name: 'store-found', at: '', scene: path({ ...whole, next: 'store' }), main: true },
  { name: 'store-none', at: '', scene: path({ ...whole, next: 'store' }, { findStores: () => ({ stores: [] }) }), reach: anew },
  { name: 'store-looking', at: '', scene: path({ ...whole, next: 'store' }, { findStores: never }) },
  { name: 'store-missing', at: '', scene: path(until('store')), reach: next },
  { name: 'pointOfSale', at: '', scene: path(until('pointOfSale')), main: true },
  { name: 'pointOfSale-new', at: '', scene: path(until('pointOfSale'), { findPointsOfSale: () => ({ pointsOfSale: [] }) }) },
  {
    name: 'pointOfSale-sticker',
    at: '',
    scene: path(
      { ...whole, pointOfSale: { ...pointOfSale, beaconId, beaconTypes: ['QR', 'NFC', 'Bluetooth'] }, next: 'pointOfSale' },
      { findPointsOfSale: () => ({ pointsOfSale: [] }) },
    ),
  },
  {
    name: 'pointOfSale-more',
    at: '',
    scene: path(
      {
        ...whole,
        pointOfSale: {
          ...pointOfSale,
          restrictions: { debitCardDisallowed: true, creditCardDisallowed: true },
          merchantPaymentLabel: 'Café',
          callbackAlias: 'hansens-check-in',
        },
        next: 'pointOfSale',
      },
      { findPointsOfSale: () => ({ pointsOfSale: [] }) },
    ),
    reach: async (page) => {
      await page.locator('tb-point-of-sale-step summary').click();
      await page.locator('tb-point-of-sale-step details .notice').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'pointOfSale-broken',
    at: '',
    scene: path(until('pointOfSale'), { findPointsOfSale: () => ({ pointsOfSale: [] }) }),
    reach: async (page) => {
      await page.locator('#merchantPosId').fill('');
      await page.locator('#posName').fill('Kasse → 1');
      await next(page);
    },
  },
  { name: 'till', at: '', scene: path(until('till')), main: true },
  { name: 'till-noPorts', at: '', scene: path(until('till'), { serialPorts: () => ({ ports: [] }) }) },
  { name: 'till-missing', at: '', scene: path(until('till'), { serialPorts: () => ({ ports: ports.slice(1) }) }), reach: next },
  {
    name: 'till-unheard',
    at: '',
    scene: path({ ...until('till'), till, unheard: true }),
    reach: async (page) => {
      await page.locator('[data-testid="heard"]').waitFor();
      await next(page);
      await page.getByTestId('unheard').waitFor();
    },
  },
  { name: 'till-tcp', at: '', scene: atTill(tcp, { till: tcpLine }) },
  { name: 'till-turnedAway', at: '', scene: atTill(guarded, { till: tcpLine, turnedAway: '192.168.1.77' }) },
  { name: 'till-security', at: '', scene: atTill(till), reach: toSecurity },
  { name: 'till-network', at: '', scene: atTill(tcp, { till: tcpLine }), main: true, reach: toSecurity },
  {
    name: 'till-guarded',
    at: '',
    scene: atTill(guarded, { till: tcpLine, what: 'zvt', bytes: 9, packets: 1, firstBytes: '06 00 06 ** ** ** DE 09 78' }),
    reach: toSecurity,
  },
  {
    name: 'till-security-broken',
    at: '',
    scene: atTill(tcp, { till: tcpLine }),
    reach: async (page) => {
      await page.getByTestId('refunds').selectOption('upTo');
      await page.getByTestId('tillPassword').fill('1234');
      await page.getByTestId('from').fill('192.168.1.40, 192.168.1.400');
      await next(page);
      await page.locator('#from-problem span').waitFor();
      await toSecurity(page);
    },
  },
  heardAt('opening', { what: 'opening' }),
  heardAt('cannotOpen', { what: 'opening', detail: 'EACCES: permission denied, open /dev/ttyUSB0', problem: 'failed' }),
  heardAt('noPort', { what: 'opening', detail: 'usb:0403:6001:A50285BI is not there: is the cable plugged in?', problem: 'absent' }),
  heardAt('portBusy', { what: 'opening', detail: '/dev/ttyUSB0 is used by minicom (process 4711)', problem: 'busy' }),
  heardAt('nothing', {}),
  heardAt('unclear', { what: 'unclear', bytes: 2, firstBytes: '06 00' }),
  { ...heardAt('zvt', { what: 'zvt', bytes: 11, packets: 1, firstBytes: '06 00 06 00 00 00 DE 09 78', meaning: 'Registration 06 00' }), main: true },
  heardAt('zvtDamaged', { what: 'zvtDamaged', bytes: 311, firstBytes: '06 00 06 00' }),
  heardAt('wrongBaudRate', { what: 'wrongBaudRate', bytes: 48, firstBytes: 'FE FE 00 80' }),
  {
    ...heardAt('concertFound', {
      what: 'concert',
      bytes: 69,
      firstBytes: '43 5A 30 30 34 30 33 30 30',
      till: { ...tcpLine, host: '127.0.0.1', protocol: 'concert', port: 8_888 },
    }),
    scene: atTill({ ...tcp, host: '127.0.0.1', protocol: 'concert', port: 8_888 }, { what: 'concert', till: { ...tcpLine, protocol: 'concert', port: 8_888 } }),
  },
  {
    name: 'till-suggested',
    at: '',
    scene: atTill(till, {
      what: 'zvt',
      profile: 'noRegistration',
      bytes: 12,
      packets: 1,
      firstBytes: '06 01 07 04 00 00 00 00 01 00',
      meaning: 'Authorisation 06 01: amount 1.00',
    }),
  },
  {
    name: 'till-advanced',
    at: '',
    scene: atTill({ ...till, profile: 'noRegistrationPrintsLines', record: '2026-12-01T12:00:00Z', partialReversals: true }),
    reach: async (page) => {
      await page.getByTestId('advanced').locator('summary').click();
      await page.locator('#partialReversals').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'till-concert-network',
    at: '',
    scene: atTill({ ...tcp, protocol: 'concert', port: 8_888 }, { till: tcpLine }),
    reach: toSecurity,
    likeAnother: true,
  },
  ...(['zvt', 'nexo', 'opi', 'xml', 'text', 'printer', 'http', 'tls', 'zvtSerial', 'zvtTcp', 'unknown'] as const).map((protocol) =>
    heardAt(protocol, { what: 'otherProtocol', protocol, bytes: 211, firstBytes: '1B 40 1B 61' }),
  ),
  { name: 'till-http', at: '', scene: path(until('till')), main: true, reach: toHttp },
  { name: 'till-http-token', at: '', scene: path(until('till'), madeNow()), reach: makeToken },
  {
    name: 'till-http-network',
    at: '',
    scene: path(
      { ...until('till'), till: program },
      {
        tillApi: () => ({ ...tillApi, lanes: ['2', '3'], token: { name: 'Kiosk', scopes: ['pay'] } }),
        checkTillApi: () => ({ address: 'https://till-1.shop.example:4182' }),
      },
    ),
    reach: async (page) => {
      await page.getByTestId('api-ready').waitFor();
    },
  },
  {
    name: 'till-http-broken',
    at: '',
    scene: path(
      { ...until('till'), till: program },
      { checkTillApi: refuses(new Refusal('fileAbsent', '', { field: 'key', facts: { path: '/etc/tillbeacon/till-1.key' } })) },
    ),
    reach: async (page) => {
      await page.locator('#key-problem span').waitFor();
    },
  },
  {
    name: 'till-heardHttp',
    at: '',
    scene: atTill(tcp, { what: 'otherProtocol', protocol: 'http', bytes: 211, firstBytes: '50 4F 53 54', till: tcpLine }),
    likeAnother: true,
  },
  {
    name: 'till-nexo',
    at: '',
    scene: path(until('till')),
    reach: async (page) => {
      await toHttp(page);
      await page.getByTestId('httpProtocol').selectOption('nexo');
      await next(page);
      await page.locator('#passphrase-problem span').waitFor();
      await page.getByTestId('shared-key').evaluate((card) => card.scrollIntoView({ block: 'end' }));
    },
  },
  {
    name: 'till-nexo-token',
    at: '',
    scene: path({ ...until('till'), till: { ...program, nexo: { poiId: 'Tillbeacon-2', key: null } } }),
    reach: async (page) => {
      await page.getByTestId('token-part').scrollIntoViewIfNeeded();
    },
  },
  { name: 'till-concert', at: '', scene: atTill(till, { what: 'otherProtocol', protocol: 'concert', bytes: 3, firstBytes: '05 04 05' }) },
  { name: 'test', at: '', scene: path({ ...whole, tested: null }), main: true },
  ...TestPaymentState.shape.state.options
    .filter((state) => state !== 'none')
    .map(
      (state): State => ({
        name: `test-${state}`,
        at: '',
        ...(state !== 'failed' && { likeAnother: true }),
        scene: path(
          { ...whole, tested: null },
          {
            testPaymentState: () =>
              tests({
                state,
                steps: state === 'passed' ? [...steps, 'approveInApp', 'tillTold', 'captured'] : steps,
                detail: state === 'failed' ? 'the till closed the line' : null,
              }),
          },
        ),
      }),
    ),
  {
    name: 'test-http',
    at: '',
    main: true,
    scene: path(
      { ...whole, till: program, tested: null },
      {
        ...startedNow(),
      },
    ),
    reach: async (page) => {
      // Without the token of another state.
      await page.reload();
      await page.evaluate(() => Object.defineProperty(crypto, 'randomUUID', { configurable: true, value: () => '0b7f0e33-6166-442f-8cc9-e4c20ae427ba' }));
      await page.getByTestId('test-with-till').check();
      await next(page);
      await page.locator('#curl').waitFor();
    },
  },
  { name: 'manager', at: '', scene: path(whole) },
  {
    name: 'manager-pin',
    at: '',
    scene: path(whole),
    reach: async (page) => {
      await page.getByTestId('manager-name').fill('Ada');
      await page.getByTestId('name-next').click();
      await page.locator('tb-pin-pad').waitFor();
    },
  },
  { name: 'finish', at: '', scene: path(whole, session(managers, true)), main: true },
  {
    name: 'finish-epayment',
    at: '',
    scene: path({ ...whole, wallet: salesUnit, store: null }, { ...session(managers, true), consequences: () => ({ ...consequences, pointOfSale: 'none' }) }),
  },
  { name: 'finish-looking', at: '', scene: path(whole, { ...session(managers, true), consequences: never }) },
  { name: 'finish-toCheck', at: '', scene: path({ ...whole, unheard: true, tested: null }, { ...session(managers, true) }), reach: toReview },
  {
    name: 'finish-waiting',
    at: '',
    scene: path(
      whole,
      { ...session(managers, true), finishSetup: refuses(new Refusal('busy', '', { facts: { laneId: '2' } })) },
      { inUse, draft: { ...whole, laneId: '1' } },
    ),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('waits').waitFor();
    },
  },
  { name: 'finish-guarded', at: '', scene: path({ ...whole, till: guarded }, session(managers, true)), likeAnother: true },
  {
    name: 'finish-same',
    at: '',
    scene: path(whole, { ...session(managers, true), consequences: () => ({ ...consequences, pointOfSale: 'same' }) }),
    likeAnother: true,
  },
  { name: 'finish-recreate', at: '', scene: path(whole, { ...session(managers, true), consequences: () => recreate }), main: true },
  { name: 'finish-reservations', at: '', scene: path(whole, { ...session(managers, true), consequences: () => ({ ...recreate, reservations: 3 }) }) },
  {
    name: 'finish-beaconTaken',
    at: '',
    scene: path(whole, { ...session(managers, true), consequences: () => ({ ...consequences, beaconTakenBy: 'shop-1-lane-7' }) }),
  },
  {
    name: 'finish-notWritable',
    at: '',
    scene: path(whole, {
      ...session(managers, true),
      finishSetup: refuses(new Refusal('notWritable', '', { facts: { path: '/var/lib/tillbeacon/settings.json' } })),
    }),
    reach: async (page) => {
      await next(page);
      await page.getByTestId('refused').waitFor();
    },
  },
  {
    name: 'done',
    at: '',
    scene: path(whole, { finishSetup: () => ({ laneId: '1', firstManagerCode: null, tested: 'own', unheard: false }) }, { inUse, draft: whole }),
    main: true,
    reach: async (page) => {
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('open-cashier').waitFor();
    },
  },
  {
    name: 'done-notStarted',
    at: '',
    scene: path(
      whole,
      { finishSetup: () => ({ laneId: '1', firstManagerCode: null, tested: 'till', unheard: false }) },
      { inUse, draft: whole, starts: { with: 'nothing', system: 'windows' } },
    ),
    reach: async (page) => {
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('not-started').waitFor();
    },
  },
  {
    name: 'done-firstManager',
    at: '',
    scene: withoutManager(),
    main: true,
    reach: async (page) => {
      await page.getByTestId('later').click();
      await page.locator('tb-finish-step').getByTestId('next').click();
      await page.getByTestId('first-manager').waitFor();
    },
  },
  { name: 'signIn', at: '', scene: overview({}, session(managers, false)) },
  { name: 'overview', at: '', scene: overview(), main: true },
  {
    name: 'overview-epayment',
    at: '',
    scene: overview({ inUse: { wallet: { ...salesUnit, environment: 'test' }, lanes: [{ ...lane('1', 'Check-out 1'), qr: null, beacons: [] }] } }),
  },
  { name: 'overview-one', at: '', scene: overview({ inUse: { wallet: { kind: 'simulator' }, lanes: [lane('1', 'Check-out 1')] }, recreating: ['1'] }) },
  {
    name: 'overview-refused',
    at: '',
    scene: overview({
      file: {
        ...noFile,
        state: 'refused',
        mistakes: ['lanes.0.currency: must be DKK or EUR, got "SEK"', 'lanes.0.till.port: must be 0 to 65535, got 99999'],
        atMs: nowMs,
      },
    }),
  },
  { name: 'overview-notStarted', at: '', scene: overview({ starts: { with: 'nothing', system: 'linux' } }) },
  { name: 'overview-waiting', at: '', scene: overview({ file: { ...noFile, state: 'waiting', atMs: nowMs } }) },
  { name: 'overview-remove', at: '', scene: overview(), reach: (page) => page.getByTestId('remove').first().click() },
  {
    name: 'overview-left',
    at: '',
    scene: overview({ leftBehind }, { deletePointOfSale: refuses(new Refusal('noAnswer', 'no answer', { facts: { host: 'api.wallet.example' } })) }),
    reach: async (page) => {
      await page.getByTestId('delete-left').click();
      await page.getByTestId('not-deleted').waitFor();
    },
  },
  { ...paymentTest('start', quietLane), reach: toPaymentTest },
  paymentTest('waiting', { ...quietLane, state: { kind: 'waitingForCustomer', ...testSale, qr: `walletpos://pos?id=${beaconId}&source=qr` } }),
  paymentTest('approve', { ...quietLane, state: { kind: 'approveInApp', ...testSale } }),
  paymentTest('captured', { ...quietLane, recent: [testPaid] }),
  paymentTest('notPaid', { ...quietLane, recent: [{ ...testPaid, reason: 'cancelledByService' }] }),
  {
    ...paymentTest('refunding', { ...quietLane, recent: [testPaid] }),
    reach: giveBack,
  },
  {
    ...paymentTest('refunded', {
      ...quietLane,
      refund: { kind: 'refunded', saleId: testSaleId, refundOrderId: testSaleId, amountMinor: 1, currency: 'DKK', isConfirmed: true },
      recent: [{ ...testPaid, refundedMinor: 1 }],
    }),
    reach: giveBack,
  },
  {
    name: 'overview-remove-last',
    at: '',
    scene: overview({ inUse: { wallet, lanes: [lane('1', 'Check-out 1')] } }),
    reach: (page) => page.getByTestId('remove').click(),
  },
  { name: 'customers', at: '', scene: customers(), main: true, reach: toCustomers },
  {
    name: 'customers-none',
    at: '',
    scene: customers({ shopName: null, pictures: { logo: false, picture: false }, lanes: customersSee.lanes.slice(0, 1), displays: null, servedAt: null }),
    reach: toCustomers,
  },
  {
    name: 'customers-broken',
    at: '',
    scene: customers({}, { picturePart: refuses(new Refusal('notAPicture', '')) }),
    reach: async (page) => {
      await toCustomers(page);
      await page.locator('#shopName').fill('x'.repeat(63));
      await page.locator('tb-setup-customers summary').click();
      await page.locator('#port').fill('80000');
      await next(page);
      await pickLogo(page, { name: 'logo.txt', mimeType: 'text/plain', buffer: Buffer.from('logo') });
      await page.locator('#logo-problem span').waitFor();
    },
  },
  {
    name: 'customers-reading',
    at: '',
    scene: customers({}, { picturePart: ({ part }) => (part === 0 ? { type: null } : never()) }),
    reach: async (page) => {
      await toCustomers(page);
      await pickLogo(page, { name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(90_000) });
      await page.locator('[role="progressbar"][aria-valuenow="34"]').waitFor();
    },
  },
  { name: 'customers-unserved', at: '', scene: customers({ servedAt: null }), reach: toDisplays },
  { name: 'customers-displays', at: '', scene: customers(), main: true, reach: toDisplays },
  { name: 'customers-everyNetwork', at: '', scene: customers({ displays: { host: '0.0.0.0', port: 4_181 } }), reach: toDisplays, likeAnother: true },
  { name: 'customers-gone', at: '', scene: customers({ servedAt: null, addresses: ['192.168.2.7'] }), reach: toDisplays, likeAnother: true },
  {
    name: 'customers-noNetwork',
    at: '',
    scene: customers({ addresses: [], displays: null }),
    likeAnother: true,
    reach: async (page) => {
      await toCustomers(page);
      await page.getByTestId('displays').check();
      await page.locator('tb-setup-customers summary').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'customers-busy',
    at: '',
    scene: customers({}, { changeCustomersSee: refuses(new Refusal('busy', '')) }),
    reach: async (page) => {
      await toCustomers(page);
      await next(page);
      await page.getByTestId('refused').waitFor();
    },
  },
  {
    name: 'customers-saved',
    at: '',
    scene: customers({}, { changeCustomersSee: () => customersSee }),
    reach: async (page) => {
      await toCustomers(page);
      await next(page);
      await page.getByTestId('saved').waitFor();
    },
  },
];
