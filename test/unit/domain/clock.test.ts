import { performance } from 'node:perf_hooks';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../main/domain/clock.ts';

const dayMs = 24 * 60 * 60_000;

let skewMs: number;
beforeEach(() => {
  skewMs = 0;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 0 });
  vi.spyOn(performance, 'now').mockImplementation(() => Date.now() + skewMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test.each([30 * dayMs, Number.MAX_SAFE_INTEGER])('a delay of %i ms is in force for as long, although no timer of Node is', (delayMs) => {
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const run = vi.fn();
  systemClock.after(delayMs, run);
  vi.advanceTimersByTime(29 * dayMs);
  expect(run).not.toHaveBeenCalled();
  expect(timers.mock.calls.length).toBe(2);
  for (const [, timerMs] of timers.mock.calls) expect(timerMs).toBeLessThan(2 ** 31);
});

test('it ends when it is due, and not when it was cancelled', () => {
  const run = vi.fn();
  const cancelled = vi.fn();
  systemClock.after(30 * dayMs, run);
  const cancel = systemClock.after(30 * dayMs, cancelled);
  vi.advanceTimersByTime(29 * dayMs);
  cancel();
  vi.advanceTimersByTime(dayMs - 1);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
  expect(cancelled).not.toHaveBeenCalled();
});

test('a timer of Node that fires early is not the end of it', () => {
  const run = vi.fn();
  systemClock.after(1_000, run);
  skewMs = -0.6;
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run).toHaveBeenCalledOnce();
});
