import { Settings } from '../../../../main/counter/settings/schema.ts';
import { draftTillFrom, type DraftTill } from '../../../../main/counter/setup/draft-till.ts';
import {
  PointOfSaleInput,
  StoreInput,
  TillInput,
} from '../../../../preload/procedures/setup-fields.ts';

/** Settings in use and answers of setup that the tests of the draft begin with. */

export const storeId = '51050000-0000-4000-8000-000000000001';
export const settings = Settings.parse({
  language: 'da',
  wallet: {
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    clientId: 'me',
    clientSecret: 'very secret',
    merchantVat: 'DK12345678',
    reportingKey: 'also secret',
  },
  lanes: ['1', '2'].map((id) => ({
    id,
    name: `Check-out ${id}`,
    currency: 'DKK',
    pointOfSale: {
      merchantPosId: `shop-${id}`,
      storeId,
      name: `Check-out ${id}`,
      beaconTypes: ['QR'],
      beaconId: null,
    },
    till: { protocol: 'zvt', transport: 'serial', path: `/dev/ttyUSB${id}` },
  })),
});
export const store = StoreInput.parse({
  merchantVat: 'FI12345678',
  store: {
    storeId,
    name: 'Kauppa',
    street: null,
    zipCode: null,
    city: null,
    brandName: null,
    merchantBrandId: null,
    merchantLocationId: null,
  },
});
export const pointOfSale = PointOfSaleInput.parse({
  merchantPosId: 'shop-9',
  name: 'Kassa 9',
  beaconTypes: ['QR'],
  beaconId: null,
});
export const asked = (about: object): TillInput => TillInput.parse({ transport: 'tcp', ...about });
export type KeptLine = Exclude<DraftTill, { transport: 'http' }>;
export const keptLine = (input: TillInput, before: DraftTill | null): KeptLine =>
  draftTillFrom(input, before) as KeptLine;
export const till = keptLine(asked({}), null);
/** A counter whose second till is in the network, with every possible field. */
const inNetwork = {
  protocol: 'zvt',
  transport: 'tcp',
  host: '0.0.0.0',
  port: 20_007,
  password: '192837',
  refunds: 50_000,
  from: ['192.168.1.40'],
} as const;
export const withNetwork: Settings = Settings.parse({
  ...settings,
  lanes: settings.lanes.map((lane) => (lane.id === '2' ? { ...lane, till: inNetwork } : lane)),
});
export const service = {
  kind: 'service' as const,
  baseUrl: 'https://api.example',
  authUrl: 'https://auth.example',
  clientId: 'me',
  clientSecret: 'very secret',
  tokenFor: 'merchant' as const,
  profile: 'generic' as const,
  reportingKey: null,
  reportingUrl: null,
  testService: false,
  provenAtMs: null,
};
