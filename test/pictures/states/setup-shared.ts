import { z } from 'zod';
import type { Handlers } from '../../../main/counter/server/router.ts';
import type { OutputOf } from '../../../preload/procedures.ts';
import { answerShape } from '../../../preload/procedures/setup-field.ts';
import {
  PointOfSaleInput,
  type Store,
  type TillView,
} from '../../../preload/procedures/setup-fields.ts';
import { zvtFields } from '../../../preload/procedures/setup-till-fields.ts';
import { type Heard, TestPaymentState } from '../../../preload/procedures/setup-till.ts';
import { nowMs, type Scene } from '../stage.ts';
import { quietLane } from '../../support/quiet-lane.ts';
import { managers, session } from './manager-shared.ts';
import type { State } from './state.ts';

/** What several steps and pages of setup have in common. */

export type SetupState = OutputOf<'setupState'>;
export type Draft = NonNullable<SetupState['draft']>;
export const beaconId = '0b7f0e33-6166-442f-8cc9-e4c20ae427ba';
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
export const wallet = {
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
export const salesUnit = {
  kind: 'epayment',
  environment: 'production',
  country: 'DK',
  merchantSerialNumber: '1234567',
  clientId: 'e9a70000-0000-4000-8000-000001234567',
  baseUrl: null,
  hasSecret: true,
  provenAtMs: nowMs,
} as const;
export const pointOfSale: PointOfSaleInput = PointOfSaleInput.parse({
  merchantPosId: 'shop-1-lane-1',
  name: 'Check-out 1',
  beaconTypes: ['QR'],
  beaconId: null,
  laneId: '1',
});
const port = 'usb:0403:6001:A50285BI';
const serialLine = {
  protocol: 'zvt',
  transport: 'serial',
  path: port,
  baudRate: 9600,
  stopBits: 2,
} as const;
const usual = { ...z.object(answerShape(zvtFields)).parse({}), hasPassword: false };
export const till = { ...serialLine, ...usual } as const;
export const tcpLine = {
  protocol: 'zvt' as const,
  transport: 'tcp' as const,
  host: '0.0.0.0',
  port: 20_007,
  from: [],
};
export const tcp: Extract<TillView, { transport: 'tcp' }> = { ...tcpLine, ...usual };
export const program: Extract<TillView, { transport: 'http' }> = {
  transport: 'http',
  nexo: null,
  origins: [],
  host: '192.168.1.20',
  port: 4_182,
  tls: { certificate: '/etc/tillbeacon/till-1.pem', key: '/etc/tillbeacon/till-1.key' },
  names: ['till-1.shop.example'],
};
export const guarded: TillView = {
  ...tcp,
  from: ['192.168.1.40', '192.168.1.0/24'],
  refunds: 50_000,
  hasPassword: true,
};
export const whole: Draft = {
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
export const nothing: Draft = {
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
export const until = (next: Draft['next']): Draft => {
  const steps = ['language', 'wallet', 'store', 'pointOfSale', 'till'] as const;
  const open = steps.slice(steps.indexOf(next as 'till'));
  return { ...whole, tested: null, next, ...Object.fromEntries(open.map((step) => [step, null])) };
};
export const noFile: SetupState['file'] = {
  path: '/var/lib/tillbeacon/settings.json',
  state: 'none',
  mistakes: [],
  atMs: null,
};
export const lane = (
  laneId: string,
  name: string,
): NonNullable<SetupState['inUse']>['lanes'][number] => ({
  laneId,
  name,
  merchantPosId: `shop-1-lane-${laneId}`,
  pointOfSaleName: name,
  till: `serial:${port}`,
  qr: `walletpos://pos?id=${beaconId}&source=qr`,
  beacons: ['QR'],
});
export const inUse: SetupState['inUse'] = {
  wallet,
  lanes: [lane('1', 'Check-out 1'), lane('2', 'Itsepalvelukassa 2')],
};
export const leftBehind: SetupState['leftBehind'] = [
  { merchantPosId: 'shop-1-lane-3', name: 'Itsepalvelukassa 3', host: 'api.wallet.example' },
];
export const ports = [
  {
    path: port,
    name: '/dev/ttyUSB0',
    manufacturer: 'FTDI',
    serialNumber: 'A50285BI',
    vendorId: '0403',
    productId: '6001',
    justPluggedIn: true,
    laneId: null,
    device: null,
  },
  {
    path: '/dev/ttyS0',
    name: '/dev/ttyS0',
    manufacturer: null,
    serialNumber: null,
    vendorId: null,
    productId: null,
    justPluggedIn: false,
    laneId: null,
    device: null,
  },
  {
    path: '/dev/ttyUSB1',
    name: '/dev/ttyUSB1',
    manufacturer: 'Prolific Technology Inc.',
    serialNumber: null,
    vendorId: null,
    productId: null,
    justPluggedIn: false,
    laneId: '2',
    device: 'till' as const,
  },
];
export const hears = (about: Partial<Heard>): Heard => ({
  what: 'nothing',
  protocol: null,
  bytes: 0,
  packets: 0,
  firstBytes: '',
  profile: null,
  meaning: null,
  till: serialLine,
  turnedAway: null,
  answered: null,
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
export const consequences: OutputOf<'consequences'> = {
  pointOfSale: 'new',
  storeName: null,
  differences: [],
  newSticker: false,
  presentBeaconId: null,
  beaconTakenBy: null,
  checkInsLost: false,
  reservations: 0,
  abandoned: 0,
};
export const steps: TestPaymentState['steps'] = ['starting', 'askedByTill', 'waitingForCustomer'];
export const tests = (about: Partial<TestPaymentState>): TestPaymentState => ({
  state: 'none',
  with: 'own',
  steps: [],
  amountMinor: null,
  currency: 'DKK',
  api: null,
  refusedPage: null,
  detail: null,
  ...about,
});
export const tillApi: OutputOf<'tillApi'> = {
  api: { host: '127.0.0.1', port: 4_182, tls: null, origins: [] },
  poiId: 'Tillbeacon-1',
  lanes: [],
  addresses: ['192.168.1.20', '10.8.0.3'],
  token: null,
};
export const token = `tbt_${'Kx7-pQ2mZ_'.repeat(4)}b9T`;
export const starts = { with: 'computer', system: 'linux' } as const;
export function path(
  draft: Draft | null,
  answers: Handlers = {},
  about: Partial<SetupState> = {},
): Scene {
  return {
    lanes: about.inUse == null ? [] : [quietLane],
    answers: {
      ...session(about.inUse == null ? [] : managers, about.inUse != null),
      setupState: () => ({
        inUse: null,
        draft,
        file: noFile,
        starts,
        recreating: [],
        leftBehind: [],
        ...about,
      }),
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
export const overview = (about: Partial<SetupState> = {}, answers: Handlers = {}): Scene =>
  path(null, answers, { inUse, file: { ...noFile, state: 'inUse', atMs: nowMs }, ...about });
export const next: NonNullable<State['reach']> = (page) => page.getByTestId('next').click();
