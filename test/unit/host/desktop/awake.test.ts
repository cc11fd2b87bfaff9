import { expect, test } from 'vitest';
import { keepDisplaysAwake } from '../../../../main/host/desktop/awake.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const minute = 60_000;

/** A computer at work from a minute of an hour until another. */
function computer(hour: number, fromMinute: number, untilMinute: number) {
  const clock = new ManualClock();
  clock.wallMs = () => new Date(2026, 10, 21, hour).getTime() + clock.monotonicMs();
  const now = { isWaiting: false };
  const on = new Set<number>();
  keepDisplaysAwake({
    blocker: { start: (): number => (on.add(on.size), on.size - 1), stop: (id) => on.delete(id) },
    hours: () => ({ fromMinute, untilMinute }),
    isSomebodyWaiting: () => now.isWaiting,
    clock,
  });
  return { clock, now, isAwake: () => on.size > 0, on };
}

test('displays are awake from opening until closing', async () => {
  const { clock, isAwake, on } = computer(7, 8 * 60, 20 * 60);
  expect(isAwake()).toBe(false);
  await clock.pass(60 * minute);
  expect(isAwake()).toBe(true);
  await clock.pass(12 * 60 * minute - 1);
  expect([isAwake(), on.size]).toEqual([true, 1]);
  await clock.pass(1);
  expect(isAwake()).toBe(false);
});

test('a shop may close after midnight', async () => {
  const { clock, isAwake } = computer(23, 18 * 60, 2 * 60);
  expect(isAwake()).toBe(true);
  await clock.pass(2 * 60 * minute);
  expect(isAwake()).toBe(true);
  await clock.pass(60 * minute);
  expect(isAwake()).toBe(false);
  await clock.pass(16 * 60 * minute);
  expect(isAwake()).toBe(true);
});

test('the same time twice is always', () => {
  for (const hour of [0, 12]) expect(computer(hour, 0, 0).isAwake()).toBe(true);
});

test('displays stay on while somebody waits, also when the shop is closed', async () => {
  const { clock, now, isAwake } = computer(22, 8 * 60, 20 * 60);
  now.isWaiting = true;
  await clock.pass(minute);
  expect(isAwake()).toBe(true);
  now.isWaiting = false;
  await clock.pass(minute);
  expect(isAwake()).toBe(false);
});
