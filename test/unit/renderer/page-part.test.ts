import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pagePart } from '../../../renderer/page-part.ts';

const reload = vi.fn();
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('location', { reload });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  reload.mockReset();
});
const gone = (): Promise<never> => Promise.reject(new Error('gone'));

test('a part that is there is given', async () => {
  expect(await pagePart(() => Promise.resolve(1))).toBe(1);
  expect(reload).not.toHaveBeenCalled();
});

test('for a part that is gone the page is loaded anew, once a minute at most: it never does so in a circle', async () => {
  void pagePart(gone);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  vi.advanceTimersByTime(59_000);
  await expect(pagePart(gone)).rejects.toThrow('gone');
  expect(reload).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(2_000);
  void pagePart(gone);
  await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(2));
});
