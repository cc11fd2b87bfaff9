import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OtherKeyboard } from '../../../../../renderer/ui/keyboard/other-keyboard.ts';

const hourMs = 3_600_000;
let uses: number;
let keyboard: OtherKeyboard;
beforeEach(() => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  uses = 0;
  keyboard = new OtherKeyboard(() => (uses += 1));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function type(
  keys: readonly string[],
  gapMs: number,
  about: { readonly location?: number; readonly isTrusted?: boolean } = {},
): void {
  for (const key of keys) {
    keyboard.press({ key, location: 0, isTrusted: true, timeStamp: Date.now(), ...about });
    vi.advanceTimersByTime(gapMs);
  }
}

test('a person who types has a keyboard, for an hour', () => {
  expect(keyboard.isUsed).toBe(false);
  type(['a'], 200);
  expect([uses, keyboard.isUsed]).toEqual([1, true]);
  vi.advanceTimersByTime(hourMs - 200);
  expect(keyboard.isUsed).toBe(true);
  vi.advanceTimersByTime(200);
  expect(keyboard.isUsed).toBe(false);
});

test.each([
  ['a scanner', () => type(['4', '7', '1', '1', 'Enter'], 12)],
  ['a scanner with Bluetooth', () => type(['4', '7', '1', '1', 'Enter'], 150)],
  ['a block of digits', () => type(['1', '2', 'Enter'], 200, { location: 3 })],
  ['the keys for the volume', () => type(['AudioVolumeUp', 'AudioVolumeDown'], 200)],
  ['Enter on the screen', () => type(['Enter'], 200, { isTrusted: false })],
])('%s is no keyboard', (_what, press) => {
  press();
  vi.advanceTimersByTime(1_000);
  expect([uses, keyboard.isUsed]).toEqual([0, false]);
});

test('a clock that was set back does not keep the keyboard away', () => {
  type(['a'], 200);
  vi.setSystemTime(Date.now() - 24 * hourMs);
  expect(keyboard.isUsed).toBe(false);
});
