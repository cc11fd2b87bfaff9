import { beforeEach, describe, expect, test } from 'vitest';
import { CheckedClock } from '../../../../main/core/domain/checked-clock.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';

const builtMs = Date.UTC(2026, 10, 1);
const nowMs = Date.UTC(2026, 10, 28, 12);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A computer whose clock somebody sets, and which sleeps. */
class Computer {
  wall = nowMs;
  elapsed = 1_000;
  timers: (() => void)[] = [];
  readonly clock = {
    wallMs: () => this.wall,
    monotonicMs: () => this.elapsed,
    elapsedMs: () => this.elapsed,
    after: (_delayMs: number, run: () => void) => {
      this.timers.push(run);
      return () => {
        this.timers = this.timers.filter((one) => one !== run);
      };
    },
  };
  pass(ms: number): void {
    this.wall += ms;
    this.elapsed += ms;
  }
  /** Its monotonic clock stands still meanwhile. */
  sleep(ms: number): void {
    this.wall += ms;
  }
}

let computer: Computer;
const start = (wallMs: number): CheckedClock => {
  computer = new Computer();
  computer.wall = wallMs;
  return new CheckedClock({ system: computer.clock, builtMs, log: silentLog });
};
beforeEach(() => {
  computer = new Computer();
});

describe('a clock that is not known to be wrong', () => {
  test('is the system’s, with and without an answer of the service', () => {
    const clock = start(nowMs);
    clock.notBefore(nowMs - hourMs);
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
    expect(clock.serviceSays(nowMs - 4 * minuteMs)).toBe(240);
    computer.pass(hourMs);
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs + hourMs]);
  });

  test('stays so over a night of sleep', () => {
    const clock = start(nowMs);
    clock.serviceSays(nowMs);
    computer.sleep(10 * hourMs);
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs + 10 * hourMs]);
  });

  test('may be a few minutes before the newest event', () => {
    const clock = start(nowMs);
    clock.notBefore(nowMs + 4 * minuteMs);
    expect(clock.state).toBe('right');
  });
});

describe.each([
  ['1970', 0],
  ['2000', Date.UTC(2000, 0, 1)],
])('a computer that starts in %s', (_year, wallMs) => {
  test('is known to be wrong, and its time is the earliest that can be', () => {
    const clock = start(wallMs);
    expect([clock.state, clock.wallMs()]).toEqual(['unknown', builtMs]);
    clock.notBefore(nowMs);
    computer.pass(minuteMs);
    expect([clock.state, clock.wallMs()]).toEqual(['unknown', nowMs + minuteMs]);
  });

  test('has the service’s time as soon as that answers, and goes on with it when the clock jumps', () => {
    const clock = start(wallMs);
    clock.notBefore(nowMs - dayMs);
    clock.serviceSays(nowMs);
    expect([clock.state, clock.wallMs()]).toEqual(['corrected', nowMs]);
    computer.pass(hourMs);
    expect(clock.wallMs()).toBe(nowMs + hourMs);
    // The time server answers.
    computer.wall = nowMs + hourMs + 2_000;
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs + hourMs + 2_000]);
    clock.serviceSays(nowMs + hourMs);
    expect(clock.state).toBe('right');
  });

  test('is right when the clock jumps without the service', () => {
    const clock = start(wallMs);
    clock.notBefore(nowMs - dayMs);
    computer.wall = nowMs;
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
  });

  test('learns nothing from a service with the same clock', () => {
    const clock = start(wallMs);
    expect(clock.serviceSays(wallMs)).toBe(0);
    expect([clock.state, clock.wallMs()]).toEqual(['unknown', builtMs]);
  });

  test('asks again after it has slept', () => {
    const clock = start(wallMs);
    clock.serviceSays(nowMs);
    computer.sleep(10 * hourMs);
    expect([clock.state, clock.wallMs()]).toEqual(['unknown', nowMs]);
    clock.serviceSays(nowMs + 10 * hourMs);
    expect([clock.state, clock.wallMs()]).toEqual(['corrected', nowMs + 10 * hourMs]);
  });
});

test('a clock in the future is the service’s once two answers agree, and right again when somebody sets it', () => {
  const clock = start(nowMs + 70 * 365 * dayMs);
  clock.serviceSays(nowMs);
  expect(clock.state).toBe('right');
  clock.serviceSays(nowMs);
  expect([clock.state, clock.wallMs()]).toEqual(['corrected', nowMs]);
  computer.wall = nowMs;
  expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
});

test('a clock that is set back while it runs is not believed until the service confirms it', () => {
  const clock = start(nowMs);
  clock.serviceSays(nowMs);
  computer.wall = nowMs - 3 * hourMs;
  expect([clock.state, clock.wallMs()]).toEqual(['unknown', nowMs]);
  clock.serviceSays(nowMs - 3 * hourMs);
  expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs - 3 * hourMs]);
});

test('a journal that was written in the future makes no right clock wrong once the service has answered', () => {
  const clock = start(nowMs);
  clock.notBefore(nowMs + 10 * 365 * dayMs);
  expect(clock.state).toBe('unknown');
  clock.serviceSays(nowMs);
  expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
});

test('one answer with a wrong date moves no clock that may be right, and an impossible date moves none', () => {
  const clock = start(nowMs);
  clock.serviceSays(nowMs);
  for (const dateMs of [nowMs + 3 * dayMs, nowMs, nowMs - 3 * dayMs, nowMs]) {
    clock.serviceSays(dateMs);
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
  }
  for (const dateMs of [
    0,
    0,
    Date.UTC(2099, 0, 1),
    Date.UTC(2099, 0, 1),
    Number.MAX_SAFE_INTEGER,
    -1,
  ]) {
    clock.serviceSays(dateMs);
    expect([clock.state, clock.wallMs()]).toEqual(['right', nowMs]);
  }
});

test('durations never depend on any of it', () => {
  const clock = start(0);
  const before = [clock.monotonicMs(), clock.elapsedMs()];
  clock.serviceSays(nowMs);
  computer.wall = nowMs;
  expect([clock.monotonicMs(), clock.elapsedMs()]).toEqual(before);
});

test('whoever watches hears of each change, also of one that nobody has asked for', () => {
  const clock = start(0);
  const heard: string[] = [];
  const stop = clock.watch(() => heard.push(clock.state));
  clock.serviceSays(nowMs);
  computer.wall = nowMs - 40 * dayMs;
  computer.timers.pop()?.();
  computer.wall = nowMs;
  computer.timers.pop()?.();
  expect(heard).toEqual(['unknown', 'corrected', 'unknown', 'right']);
  stop();
  clock.serviceSays(nowMs - hourMs);
  expect(heard).toHaveLength(4);
});
