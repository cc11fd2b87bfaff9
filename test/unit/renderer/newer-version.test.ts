import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { version as own } from '../../../package.json' with { type: 'json' };

let told: (version: string, isReadable: boolean) => void;
let loadNow: () => void;
let isTyping: boolean;
let isThere: boolean;
let said: boolean[];
let loads: number;
/** The storage, which is kept over a reload. */
let kept: Map<string, string>;

/** Loads the page. */
async function load(): Promise<void> {
  const { followVersion } = await import('../../../renderer/newer-version.ts');
  const bridge = { onVersion: (listener: typeof told) => void (told = listener) };
  loadNow = followVersion(bridge as never, {
    holdsInput: () => isTyping,
    say: (isOutdated) => said.push(isOutdated),
  });
}
const pass = (seconds: number): Promise<unknown> => vi.advanceTimersByTimeAsync(seconds * 1_000);

beforeEach(async () => {
  vi.useFakeTimers();
  [isTyping, isThere, said, loads, kept] = [false, true, [], 0, new Map()];
  vi.stubGlobal('window', { addEventListener() {} });
  vi.stubGlobal('location', {
    pathname: '/cashier/',
    search: '',
    href: 'http://127.0.0.1:4180/cashier/',
    reload: () => (loads += 1),
  });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('fetch', () =>
    isThere ? Promise.resolve({ ok: true }) : Promise.reject(new Error('refused')),
  );
  await load();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a daemon of the page’s own version changes nothing; one of another has the page loaded anew', async () => {
  told(own, true);
  await pass(5);
  expect(loads).toBe(0);
  told('99.0.0', true);
  await pass(2);
  expect(loads).toBe(1);
});

test('a page that is not of the new version either is loaded once for it, and again for the next', async () => {
  told('99.0.0', true);
  await pass(2);
  await load();
  told('99.0.0', true);
  await pass(600);
  expect(loads).toBe(1);
  told('99.1.0', true);
  await pass(2);
  expect(loads).toBe(2);
});

test('somebody who types is told and waited for, unless they say so themselves, or the page can read nothing any more', async () => {
  isTyping = true;
  told('99.0.0', true);
  await pass(600);
  expect([loads, said.at(-1)]).toEqual([0, true]);
  isTyping = false;
  await pass(1);
  expect([loads, said.at(-1)]).toEqual([1, false]);

  isTyping = true;
  told('99.1.0', true);
  await pass(5);
  loadNow();
  await pass(0);
  expect(loads).toBe(2);

  told('99.2.0', true);
  await pass(5);
  expect(loads).toBe(2);
  told('99.2.0', false);
  await pass(1);
  expect(loads).toBe(3);
});

test('while the daemon is away again, nothing is loaded: the browser’s page for that would stay', async () => {
  told('99.0.0', true);
  isThere = false;
  await pass(60);
  expect(loads).toBe(0);
  isThere = true;
  await pass(1);
  expect(loads).toBe(1);
});

test('a daemon that is the page’s version again, meanwhile, ends the waiting', async () => {
  isTyping = true;
  told('99.0.0', true);
  await pass(5);
  told(own, true);
  isTyping = false;
  await pass(60);
  expect([loads, said.at(-1)]).toEqual([0, false]);
});
