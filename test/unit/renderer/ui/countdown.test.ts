import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Countdown } from '../../../../renderer/ui/countdown.ts';

const host = {
  addController() {},
  removeController() {},
  requestUpdate: vi.fn<() => void>(),
  updateComplete: Promise.resolve(true),
};

beforeEach(() => {
  vi.useFakeTimers();
  host.requestUpdate.mockClear();
});
afterEach(() => vi.useRealTimers());

test('counts whole seconds down to zero and no further, drawing as it goes', () => {
  const countdown = new Countdown(host);
  expect(countdown.secondsLeft).toBeNull();
  countdown.start(2_500);
  expect(countdown.secondsLeft).toBe(3);
  vi.advanceTimersByTime(1_000);
  expect(countdown.secondsLeft).toBe(2);
  expect(host.requestUpdate).toHaveBeenCalledTimes(4);
  vi.advanceTimersByTime(60_000);
  expect(countdown.secondsLeft).toBe(0);
});

test('a changed wall clock moves nothing', () => {
  const countdown = new Countdown(host);
  countdown.start(10_000);
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(countdown.secondsLeft).toBe(10);
});

test('takes what the daemon says anew, and stops with its screen', () => {
  const countdown = new Countdown(host);
  countdown.start(10_000);
  countdown.start(90_000);
  expect(countdown.secondsLeft).toBe(90);
  countdown.hostDisconnected();
  expect(countdown.secondsLeft).toBeNull();
  vi.advanceTimersByTime(5_000);
  expect(host.requestUpdate).not.toHaveBeenCalled();
});
