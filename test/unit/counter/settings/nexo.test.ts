/** A till that speaks Nexo in the settings. */
import { expect, test } from 'vitest';
import { parseSettings } from '../../../../main/counter/settings/load.ts';

const lane = (id: string, nexo?: object) => ({
  id,
  name: `Check-out ${id}`,
  currency: 'DKK',
  pointOfSale: {
    merchantPosId: `shop-${id}`,
    storeId: '51070000-0000-4000-8000-000000000001',
    name: `Check-out ${id}`,
    beaconTypes: ['QR'],
  },
  till: { protocol: 'http', ...(nexo && { nexo }) },
});
const parse = (lanes: readonly object[], environment = {}) =>
  parseSettings({ wallet: { simulator: true }, lanes }, environment);
const key = { identifier: 'shop', version: 1, passphrase: { env: 'NEXO_PASSPHRASE' } };

test('the passphrase comes from where secrets come from', () => {
  const passphrase = 'correct horse battery staple';
  const { till } =
    parse([lane('1', { poiId: 'T-1', key })], { NEXO_PASSPHRASE: passphrase }).lanes[0] ?? {};
  expect(till).toEqual({ protocol: 'http', nexo: { poiId: 'T-1', key: { ...key, passphrase } } });
  expect(parse([lane('1', { poiId: 'T-1' })]).lanes[0]?.till).toEqual({
    protocol: 'http',
    nexo: { poiId: 'T-1' },
  });
});

test('a short passphrase is a mistake, and is not shown', () => {
  const parsing = () => parse([lane('1', { poiId: 'T-1', key })], { NEXO_PASSPHRASE: 'guessable' });
  expect(parsing).toThrow('lanes.0.till.nexo.key.passphrase: must have at least 16 characters');
  expect(parsing).not.toThrow('guessable');
});

test.each([
  ['smørrebrød på broen', 'a letter'],
  ['crème brûlée à la carte', 'an accent'],
  ['sixteen letters and a €', 'a sign beyond Latin-1'],
  ['correct horse\tbattery staple', 'a tab'],
  ['correct horse\u00a0battery staple', 'a space that does not break'],
])('a passphrase such as "%s" is a mistake, because of %s, and is not shown', (passphrase) => {
  const parsing = () => parse([lane('1', { poiId: 'T-1', key })], { NEXO_PASSPHRASE: passphrase });
  expect(parsing).toThrow(
    /lanes\.0\.till\.nexo\.key\.passphrase: must have only letters a to z, digits, signs and spaces of ASCII: tills make another key/,
  );
  expect(parsing).not.toThrow(passphrase);
});

test('a passphrase of any printable ASCII is used unchanged', () => {
  const passphrase = String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 32 + index));
  expect(
    parse([lane('1', { poiId: 'T-1', key })], { NEXO_PASSPHRASE: passphrase }).lanes[0]?.till,
  ).toMatchObject({ nexo: { key: { passphrase } } });
});

test.each([
  [{}, 'lanes.0.till.nexo.poiId'],
  [{ poiId: 'T 1' }, 'lanes.0.till.nexo.poiId: must be 1 to 64 visible ASCII characters'],
  [{ poiId: 'T-1', port: 8443 }, 'lanes.0.till.nexo.port: is not a known setting'],
])('%j is a mistake', (nexo, mistake) => {
  expect(() => parse([lane('1', nexo)])).toThrow(mistake);
});

test('two lanes are two terminals', () => {
  expect(() => parse([lane('1', { poiId: 'T-1' }), lane('2', { poiId: 'T-1' })])).toThrow(
    'lanes.1.till.nexo.poiId: must differ from lanes.0',
  );
});
