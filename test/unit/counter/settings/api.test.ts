/** The HTTP API in the settings. */
import { expect, test } from 'vitest';
import { parseSettings } from '../../../../main/counter/settings/load.ts';

const lane = {
  id: '1',
  name: 'Check-out 1',
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: 'shop-1',
    storeId: '51070000-0000-4000-8000-000000000001',
    name: 'Check-out 1',
    beaconTypes: ['QR'],
  },
  till: { protocol: 'http' },
};
const parse = (api?: object, till: object = lane.till) =>
  parseSettings(
    { wallet: { simulator: true }, ...(api && { api }), lanes: [{ ...lane, till }] },
    {},
    '/etc/till',
  );
const tls = { certificate: 'api.pem', key: { file: 'api.key' } };

test('a till that is software needs nothing else, and the API is served to this machine alone', () => {
  expect(parse().lanes[0]?.till).toEqual({ protocol: 'http' });
  expect(parse({}).api).toEqual({ host: '127.0.0.1', port: 4182, names: [], origins: [] });
});

test('the files of TLS are found from where the settings are', () => {
  expect(parse({ tls }).api?.tls).toEqual({
    certificate: '/etc/till/api.pem',
    key: { file: '/etc/till/api.key' },
  });
});

test.each([
  '0.0.0.0',
  '::',
  '192.168.1.20',
  'till-1.shop.example',
  '127.0.0.1.evil.example',
  '128.0.0.1',
])('%s is served with TLS alone', (host) => {
  expect(() => parse({ host })).toThrow(
    'api.tls: must be there where other machines reach the HTTP API',
  );
  expect(parse({ host, tls }).api?.host).toBe(host);
});

test.each([
  [
    { origins: ['https://till.example/'] },
    'api.origins.0: must be an origin such as https://till.example',
  ],
  [{ origins: ['*'] }, 'api.origins.0: must be an origin such as https://till.example'],
  [{ origins: ['null'] }, 'api.origins.0: must be an origin such as https://till.example'],
  [
    { names: ['till.example:4182'] },
    'api.names.0: must be a host name in lower case, without a port',
  ],
  [{ tls: { certificate: 'api.pem', key: '-----BEGIN PRIVATE KEY-----' } }, 'api.tls.key: '],
  [{ token: 'x' }, 'api.token: is not a known setting'],
])('%j is a mistake', (api, mistake) => {
  expect(() => parse(api)).toThrow(mistake);
});

test('a private key in the settings is not shown with the mistake', () => {
  expect(() => parse({ tls: { certificate: 'api.pem', key: 'the-private-key' } })).not.toThrow(
    'the-private-key',
  );
});

test('a till is of one protocol', () => {
  expect(() => parse({}, { protocol: 'http', transport: 'tcp' })).toThrow(
    'lanes.0.till.transport: is not a known setting',
  );
  expect(() => parse({}, { protocol: 'telnet' })).toThrow('lanes.0.till.protocol');
});
