import { expect, test } from 'vitest';
import { localDayBeginsMs, localDayPeriod } from '../../../main/support/local-day.ts';

test.each([
  '2026-02-30',
  '2026-1-1',
  '',
  '0001-01-01',
  '0099-12-31',
  '1899-12-31',
  '3000-01-01',
  '9999-12-31',
  '10000-01-01',
])('%j is no day', (day) => {
  expect(localDayBeginsMs(day)).toBeNull();
  expect(() => localDayPeriod(day)).toThrow(RangeError);
});

test.each(['1900-01-01', '1970-01-01', '2026-11-21', '2999-12-31'])(
  '%j is from midnight to midnight',
  (day) => {
    const { fromMs, toMs } = localDayPeriod(day);
    const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
    expect([fromMs, toMs]).toEqual([
      new Date(year, month - 1, date).getTime(),
      new Date(year, month - 1, date + 1).getTime(),
    ]);
  },
);
