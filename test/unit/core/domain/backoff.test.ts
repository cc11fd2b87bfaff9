import { expect, test } from 'vitest';
import { Backoff, backoffMs } from '../../../../main/core/domain/backoff.ts';
import { ManualClock } from '../../support/manual-clock.ts';

test('a wait doubles up to its limit', () => {
  const range = { firstMs: 250, maxMs: 4_000 };
  expect([-1, 0, 1, 2, 3, 4, 5, 5_000].map((earlier) => backoffMs(earlier, range))).toEqual([
    250, 250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
  ]);
  expect(backoffMs(10, { firstMs: 1 })).toBe(1_024);
});

test('waits on the clock, longer each time, and begins again after a success', async () => {
  const clock = new ManualClock();
  const waits = new Backoff(clock, { firstMs: 100, maxMs: 300 });
  const { signal } = new AbortController();
  const lasted: number[] = [];
  for (const expected of [100, 200, 300, 300]) {
    const sinceMs = clock.monotonicMs();
    const waiting = waits.wait(signal).then(() => lasted.push(clock.monotonicMs() - sinceMs));
    await clock.pass(expected);
    await waiting;
  }
  expect(lasted).toEqual([100, 200, 300, 300]);
  waits.reset();
  expect([waits.nextMs(), waits.nextMs()]).toEqual([100, 200]);
});

test('ends without an error when nobody waits any more', async () => {
  const ended = new AbortController();
  const waiting = new Backoff(new ManualClock(), { firstMs: 100 }).wait(ended.signal);
  ended.abort(new Error('closing'));
  await waiting;
});
