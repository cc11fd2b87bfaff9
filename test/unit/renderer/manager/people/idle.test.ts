import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Idle } from '../../../../../renderer/manager/people/idle.ts';

const minute = 60_000;
let calls: string[];
let idle: Idle;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  calls = [];
  const host = {
    addController() {},
    removeController() {},
    requestUpdate() {},
    updateComplete: Promise.resolve(true),
  };
  idle = new Idle(host, { onIdle: () => calls.push('idle'), onActive: () => calls.push('active') });
  idle.hostConnected();
});
afterEach(() => {
  idle.hostDisconnected();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
const somebody = (sign = 'keydown'): boolean => window.dispatchEvent(new Event(sign));

test('nobody at the screen for the whole time is told, once', () => {
  idle.watch(5 * minute);
  vi.advanceTimersByTime(5 * minute - 1);
  expect(calls).toEqual([]);
  vi.advanceTimersByTime(10 * minute);
  expect(calls).toEqual(['idle']);
});

test('somebody who types or touches puts it off, and the daemon hears of them at most once a minute', () => {
  idle.watch(5 * minute);
  for (let at = 0; at < 10; at += 1) {
    vi.advanceTimersByTime(minute / 2);
    somebody(at % 2 === 0 ? 'keydown' : 'pointerdown');
  }
  expect(calls).toEqual(['active', 'active', 'active', 'active', 'active']);
  vi.advanceTimersByTime(5 * minute - 1);
  expect(calls).not.toContain('idle');
  vi.advanceTimersByTime(1);
  expect(calls.at(-1)).toBe('idle');
});

test('who touches a screen at which nobody is signed in is no matter of this', () => {
  vi.advanceTimersByTime(2 * minute);
  somebody();
  idle.watch(5 * minute);
  idle.stop();
  vi.advanceTimersByTime(20 * minute);
  somebody();
  expect(calls).toEqual([]);
});
