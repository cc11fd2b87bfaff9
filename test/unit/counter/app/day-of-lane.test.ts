import { expect, test } from 'vitest';
import { dayOfLane } from '../../../../main/counter/app/api-server.ts';

const none = { count: 0, sumMinor: 0 };
const hour = (laneId: string, count: number) => ({
  laneId,
  hourMs: 0,
  currency: 'DKK' as const,
  payments: { count, sumMinor: count * 100 },
  refunds: none,
});

test('a till reads how much of its lane’s day is test payments of setup', () => {
  const reader = {
    dayTotals: () => ({
      hours: [hour('1', 3), hour('1', 2), hour('2', 7)],
      tests: [hour('1', 1), hour('2', 4)],
      open: [],
    }),
  };
  expect(dayOfLane(reader, '1', '2026-11-21')).toMatchObject({
    payments: { count: 5, sumMinor: 500 },
    tests: { payments: { count: 1, sumMinor: 100 }, refunds: none },
  });
});

test('a day without test payments says nothing of them', () => {
  const reader = { dayTotals: () => ({ hours: [hour('1', 3)], tests: [hour('2', 1)], open: [] }) };
  expect(dayOfLane(reader, '1', '2026-11-21')).not.toHaveProperty('tests');
});
