import { expect, test } from 'vitest';
import { appNames } from '../../../../main/wallets/epayment/app-names.ts';

test.each([
  ['DK', '2027-01-11T23:59:59+01:00', ['MobilePay', 'Vipps']],
  ['DK', '2027-01-12T00:00:00+01:00', ['Vipps']],
  ['FI', '2027-01-11T23:59:59+02:00', ['MobilePay', 'Vipps']],
  ['FI', '2027-01-12T00:00:00+02:00', ['Vipps']],
  ['NO', '2026-12-24T12:00:00+01:00', ['Vipps', 'MobilePay']],
  ['NO', '2027-01-12T00:00:00+01:00', ['Vipps']],
] as const)('%s at %s: %j', (country, at, names) => {
  expect(appNames(country, Date.parse(at))).toEqual(names);
});
