import { expect, test } from 'vitest';
import { LaneSettings } from '../../../../main/counter/settings/schema.ts';
import { PointOfSaleInput, TillInput } from '../../../../preload/procedures/setup-fields.ts';

const pointOfSale = {
  merchantPosId: 'shop-1',
  name: 'Check-out 1',
  beaconTypes: ['QR'],
  beaconId: null,
};
const line = { transport: 'tcp', protocol: 'zvt', host: '0.0.0.0', port: 20_007 };
const lane = { id: '1', name: 'Check-out 1', currency: 'DKK', pointOfSale, till: line };

const saysOf = (
  schema: typeof LaneSettings | typeof PointOfSaleInput | typeof TillInput,
  given: object,
): string[] => (schema.safeParse(given).error?.issues ?? []).map(({ message }) => message);

test.each([
  ['beaconTypes', []],
  ['beaconTypes', ['QR', 'QR']],
  ['beaconId', '12345'],
  ['name', ''],
  ['name', 'x'.repeat(37)],
  ['merchantPosId', '日本'],
])('the settings and setup say the same of a point of sale with %s %j', (field, value) => {
  const wrong = { ...pointOfSale, [field]: value };
  const says = saysOf(LaneSettings, { ...lane, pointOfSale: wrong });
  expect(says).toHaveLength(1);
  expect(saysOf(PointOfSaleInput, wrong)).toEqual(says);
});

test.each([
  ['from', ['till.shop.local']],
  ['from', Array.from({ length: 101 }, (_, number) => `10.0.0.${number}`)],
  ['port', 65_536],
  ['refunds', 0.5],
  ['record', 'always'],
])('the settings and setup say the same of a till with %s %j', (field, value) => {
  const wrong = { ...line, [field]: value };
  const says = saysOf(LaneSettings, { ...lane, till: wrong });
  expect(says).toHaveLength(1);
  expect(saysOf(TillInput, wrong)).toEqual(says);
});
