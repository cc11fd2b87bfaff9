/** The settings for monitoring. */
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
const long = 'a1'.repeat(20);
const parse = (monitoring: object) =>
  parseSettings(
    { wallet: { simulator: true }, monitoring, lanes: [lane] },
    { LONG: long, SHORT: 'a-short-token' },
    '/etc/till',
  ).monitoring;
const tls = { certificate: 'metrics.pem', key: { file: 'metrics.key' } };

test('tokens are looked up, and files are found from where the settings are', () => {
  const metrics = { host: '192.168.1.20', token: { env: 'LONG' }, tls };
  const traces = { endpoint: 'https://collector.example', token: { env: 'SHORT' } };
  expect(parse({ metrics, traces })).toEqual({
    metrics: {
      host: '192.168.1.20',
      port: 4183,
      names: [],
      token: long,
      tls: { certificate: '/etc/till/metrics.pem', key: { file: '/etc/till/metrics.key' } },
    },
    traces: { endpoint: 'https://collector.example', token: 'a-short-token' },
  });
});

test.each([
  [
    { metrics: { host: '0.0.0.0', token: long } },
    'monitoring.metrics.tls: must be there where other machines reach the metrics',
  ],
  [{ metrics: { host: '127.0.0.1' } }, 'monitoring.metrics.token: '],
  [
    { metrics: { host: '127.0.0.1', token: { env: 'SHORT' } } },
    'monitoring.metrics.token: must be 32 to 200 letters',
  ],
  [
    { traces: { endpoint: 'http://collector.example' } },
    'monitoring.traces.endpoint: must begin with https://',
  ],
  [
    { traces: { endpoint: 'https://me:pw@collector.example' } },
    'monitoring.traces.endpoint: must not hold a user name or a password',
  ],
])('%j is a mistake', (monitoring, mistake) => {
  expect(() => parse(monitoring)).toThrow(mistake);
  expect(() => parse(monitoring)).not.toThrow('a-short-token');
});
