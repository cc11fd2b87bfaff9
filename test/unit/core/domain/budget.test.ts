import { expect, test } from 'vitest';
import { Budget } from '../../../../main/core/domain/budget.ts';

test('so much may be taken at once, and then as much as is earned', () => {
  const budget = new Budget({ perSecond: 100, burst: 3 });
  expect([0, 0, 0, 0, 0].map((nowMs) => budget.take(1, nowMs))).toEqual([0, 0, 0, 10, 20]);
  expect(budget.take(1, 20)).toBe(10);
});

test('what is not taken for a while is saved up to the burst', () => {
  const budget = new Budget({ perSecond: 100, burst: 3 });
  expect(budget.take(3, 1_000)).toBe(0);
  expect(budget.take(3, 10_000)).toBe(0);
  expect(budget.take(1, 10_000)).toBe(10);
});

test('nobody waits longer than the limit, however much others have taken', () => {
  const budget = new Budget({ perSecond: 100, burst: 1, maxWaitMs: 50 });
  for (let count = 0; count < 1_000; count += 1) budget.take(1, 0);
  expect(budget.take(1, 0)).toBe(50);
  expect(budget.take(1, 100)).toBe(0);
});
