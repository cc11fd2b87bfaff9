import { expect, test } from 'vitest';
import { argsAfterCrash, pauseBeforeStart } from '../../../main/desktop/restart.ts';

const startMs = 1_000_000;

test('a crash is passed on with what the program was started with, and the next start does not wait', () => {
  const args = argsAfterCrash(['.', '--settings', 'counter.json'], startMs);
  expect(args).toEqual(['.', '--settings', 'counter.json', '--crashed=1000000']);
  expect(pauseBeforeStart(args, startMs + 500)).toBe(0);
});

test('three within a minute are a loop: the next start waits', () => {
  let args: string[] = ['--demo'];
  for (const atMs of [0, 20_000, 40_000]) args = argsAfterCrash(args, startMs + atMs);
  expect(args).toEqual(['--demo', '--crashed=1000000,1020000,1040000']);
  expect(pauseBeforeStart(args, startMs + 41_000)).toBe(30_000);
  args = argsAfterCrash(args, startMs + 75_000);
  expect(args).toEqual(['--demo', '--crashed=1020000,1040000,1075000']);
  expect(pauseBeforeStart(argsAfterCrash(args, startMs + 200_000), startMs + 200_000)).toBe(0);
});

test('what is no time, or lies ahead, does not count', () => {
  for (const told of ['', 'a,b,c', '1e99,NaN,Infinity', '2000000,2000001,2000002', '-1,0.5,'])
    expect(pauseBeforeStart([`--crashed=${told}`], startMs), told).toBe(0);
});
