import { expect, test } from 'vitest';
import { formatMinutes } from '../../../../renderer/locales/i18n.ts';

const hour = 3_600;
const day = 24 * hour;

test.each([
  [90, '2 minutes'],
  [hour + 60, '1 hour 1 minute'],
  [47 * hour, '47 hours'],
  [3 * day + hour, '3 days'],
  [26 * 366 * day, '26 years'],
])('%i seconds are told as %s', (seconds, told) => {
  expect(
    formatMinutes('en', seconds).replaceAll(/[\u00a0\u202f,]/g, (one) => (one === ',' ? '' : ' ')),
  ).toBe(told);
});
