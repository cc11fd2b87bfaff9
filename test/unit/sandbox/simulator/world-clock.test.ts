import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../../../main/core/domain/clock.ts';
import { WorldClock } from '../../../../main/sandbox/simulator/world-clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
let base: ManualClock;
let clock: WorldClock;
let happened: string[];
beforeEach(() => {
  base = new ManualClock();
  clock = new WorldClock(base);
  happened = [];
});
afterEach(() => clock.stop());
const note = (name: string) => () =>
  void happened.push(`${name} at ${new Date(clock.wallMs()).toISOString()}`);

describe('the clock of the world', () => {
  test('follows the clock that it is given', async () => {
    clock.after(1000, note('later'));
    clock.after(500, note('sooner'));
    clock.after(700, note('cancelled'))();
    await base.pass(999);
    expect(happened).toEqual(['sooner at 2026-11-21T09:00:00.500Z']);
    await base.pass(1);
    expect(happened.at(-1)).toBe('later at 2026-11-21T09:00:01.000Z');
  });

  test('moved ahead, everything on the way happens in its order and at its time, what it brings about too', async () => {
    const nightly = (): void => {
      note('night')();
      clock.atTimeOfDay(2, 0, nightly);
    };
    clock.atTimeOfDay(2, 0, nightly);
    clock.after(dayMs, note('a day later'));
    const settled: number[] = [];
    await clock.advance(2 * dayMs, async () => void settled.push(happened.length));
    expect(happened).toEqual([
      'night at 2026-11-22T02:00:00.000Z',
      'a day later at 2026-11-22T09:00:00.000Z',
      'night at 2026-11-23T02:00:00.000Z',
    ]);
    expect(settled).toEqual([1, 2, 3]);
    expect(clock.monotonicMs()).toBe(2 * dayMs);
    expect(new Date(clock.wallMs()).toISOString()).toBe('2026-11-23T09:00:00.000Z');
  });

  test('waits longer than a timer of the platform can', async () => {
    clock.after(90 * dayMs, note('ninety days'));
    await base.pass(90 * dayMs - 1);
    expect(happened).toEqual([]);
    await base.pass(1);
    expect(happened).toHaveLength(1);
  });

  test('a time of day is the next one, never now', async () => {
    clock.atTimeOfDay(9, 0, note('tomorrow'));
    await clock.advance(dayMs - 1);
    expect(happened).toEqual([]);
    await clock.advance(1);
    expect(happened).toEqual(['tomorrow at 2026-11-22T09:00:00.000Z']);
  });

  test('a wall clock that is put back moves no deadline', async () => {
    clock.after(1000, note('due'));
    clock.shiftWall(-3 * hourMs);
    expect(new Date(clock.wallMs()).toISOString()).toBe('2026-11-21T06:00:00.000Z');
    await base.pass(1000);
    expect(happened).toHaveLength(1);
  });

  test('what is to happen at a time of the wall clock waits for it when the clock is put back', async () => {
    clock.atTimeOfDay(9, 30, note('half past nine'));
    clock.shiftWall(-hourMs);
    await base.pass(hourMs);
    expect(happened).toEqual([]);
    await base.pass(hourMs / 2);
    expect(happened).toEqual(['half past nine at 2026-11-21T09:30:00.000Z']);
  });

  test('a wall clock of the machine that is set is followed', async () => {
    base.wallMs = () => base.startedAtMs - hourMs + base.monotonicMs();
    expect(new Date(clock.wallMs()).toISOString()).toBe('2026-11-21T08:00:00.000Z');
  });

  test('stopped, nothing comes due any more', async () => {
    clock.after(10, note('never'));
    clock.stop();
    await base.pass(dayMs);
    expect(happened).toEqual([]);
  });
});

describe('the clock of the world on the clock of the product', () => {
  test('moved ahead, no timer runs before the wall clock shows its time', async () => {
    const early: string[] = [];
    for (let instance = 0; instance < 100; instance += 1) {
      await new Promise((resolve) => setTimeout(resolve, instance % 3));
      const world = new WorldClock(systemClock);
      const dueMs = world.wallMs() + dayMs + instance;
      world.atWall(dueMs, () => world.wallMs() < dueMs && early.push(`${instance}: at a time`));
      world.atTimeOfDay(
        2,
        0,
        () => world.wallMs() % dayMs < 2 * hourMs && early.push(`${instance}: at 02:00`),
      );
      await world.advance(2 * dayMs);
      world.stop();
    }
    expect(early).toEqual([]);
  });
});
