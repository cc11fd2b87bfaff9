import { expect, test } from 'vitest';
import { whileHeld } from '../../../main/support/held-file.ts';

const failing = (code: string, times: number): (() => number) => {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls <= times) throw Object.assign(new Error(`${code}: call ${calls}`), { code });
    return calls;
  };
};

test('a file that another program holds for a moment is tried again, for at most half a second', () => {
  expect(whileHeld(failing('EBUSY', 3))).toBe(4);
  const beganMs = performance.now();
  expect(() => whileHeld(failing('EBUSY', Infinity))).toThrow('EBUSY: call 20');
  expect(performance.now() - beganMs).toBeGreaterThan(400);
});

test('any other error is told at once', () => {
  expect(() => whileHeld(failing('ENOENT', 1))).toThrow('ENOENT: call 1');
});
