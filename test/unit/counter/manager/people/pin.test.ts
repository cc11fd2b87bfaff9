import { describe, expect, test } from 'vitest';
import {
  hashPin,
  HashedPin,
  isPin,
  measurePinCost,
  type PinCost,
  pinCostFor,
  PinQueue,
} from '../../../../../main/counter/manager/people/pin.ts';
import { systemClock } from '../../../../../main/core/domain/clock.ts';

/** 16 MB at scrypt's usual block size. */
const referenceCost = 2 ** 14;
/**
 * The time of a hash on this machine, in milliseconds: its cost as a multiple of the reference,
 * times the reference's time.
 */
const msOf = ({ cost, parallelization }: PinCost, referenceMs: number): number =>
  (cost / referenceCost) * parallelization * referenceMs;
const bytesOf = ({ cost, blockSize }: PinCost): number => 128 * cost * blockSize;

describe('what a PIN costs', () => {
  test.each([
    ['of today', 30],
    ['that is fast', 18],
    ['that is old', 120],
    ['that is slow', 240],
  ])(
    'is about a second on a machine %s, and no more memory than a counter PC can lend',
    (_what, referenceMs) => {
      const cost = pinCostFor(referenceMs);
      expect(msOf(cost, referenceMs)).toBeGreaterThan(700);
      expect(msOf(cost, referenceMs)).toBeLessThan(1_300);
      expect(bytesOf(cost)).toBeLessThanOrEqual(64 * 1024 ** 2);
    },
  );

  test('is never less than it was before it was measured, nor without end', () => {
    expect(pinCostFor(60_000)).toEqual({ cost: 2 ** 15, blockSize: 8, parallelization: 1 });
    expect(pinCostFor(0)).toEqual({ cost: 2 ** 16, blockSize: 8, parallelization: 16 });
  });

  test('is measured on this machine', async () => {
    const measured = await measurePinCost(systemClock);
    expect(bytesOf(measured)).toBeGreaterThanOrEqual(32 * 1024 ** 2);
    expect(HashedPin.safeParse({ salt: '', hash: '', ...measured }).success).toBe(true);
  });
});

describe('a PIN that is kept', () => {
  test('is compared at the cost that it was kept at', async () => {
    const hashedPin = await hashPin('4711', { cost: 32, blockSize: 4, parallelization: 3 });
    expect(hashedPin).toMatchObject({ cost: 32, blockSize: 4, parallelization: 3 });
    expect(await isPin('4711', hashedPin)).toBe(true);
    expect(await isPin('4712', hashedPin)).toBe(false);
  });

  test('of a file that says nothing of block size and parallelization has scrypt’s usual ones', async () => {
    const {
      blockSize: _block,
      parallelization: _parallel,
      ...older
    } = await hashPin('4711', { cost: 32, blockSize: 8, parallelization: 1 });
    expect(await isPin('4711', HashedPin.parse(older))).toBe(true);
  });

  test.each([
    { cost: 2 ** 30, blockSize: 8, parallelization: 1 },
    { cost: 2 ** 16, blockSize: 64, parallelization: 1 },
    { cost: 16, blockSize: 8, parallelization: 100_000 },
    { cost: 100, blockSize: 8, parallelization: 1 },
  ])('that would take too much memory or time, or that scrypt cannot do, is none: %o', (cost) => {
    expect(HashedPin.safeParse({ salt: '', hash: '', ...cost }).success).toBe(false);
  });
});

describe('the queue of PINs', () => {
  test('does one after the other, also past one that fails', async () => {
    const queue = new PinQueue();
    const doing: string[] = [];
    const job = (name: string, fails = false) =>
      queue.run(async () => {
        doing.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        doing.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const [a, b, c] = await Promise.allSettled([job('a'), job('b', true), job('c')]);
    expect(doing).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect([a, b, c]).toMatchObject([{ value: 'a' }, { status: 'rejected' }, { value: 'c' }]);
  });

  test('takes eight and no more, and takes more again when they are done', async () => {
    const queue = new PinQueue();
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const jobs = Array.from({ length: 8 }, () => queue.run(() => held));
    await expect(queue.run(async () => {})).rejects.toMatchObject({
      code: 'failed',
      message: 'too many PINs at once',
    });
    release();
    await Promise.all(jobs);
    await expect(queue.run(async () => 'done')).resolves.toBe('done');
  });
});
