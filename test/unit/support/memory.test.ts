import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..', '..');
const service = readFileSync(join(root, 'assets/service/tillbeacon.service'), 'utf8');
const NODE_OPTIONS = /^Environment=NODE_OPTIONS=(.*)$/m.exec(service)?.[1];

/** In a process of its own, with the service's options, because V8 is told for all of a process. */
const isCollectedAt = (laneCount: number): boolean =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', collects(laneCount)], { env: { ...process.env, NODE_OPTIONS }, encoding: 'utf8' }).trim() ===
  'collected';
const collects = (laneCount: number): string => `
  import { keepHeapSmall } from ${JSON.stringify(join(root, 'main/support/memory.ts'))};
  const garbage = new WeakRef({});
  // An object lives at least until the end of the turn in which it was made.
  setImmediate(() => {
    keepHeapSmall(${laneCount});
    console.log(garbage.deref() === undefined ? 'collected' : 'kept');
  });`;

test('a counter PC collects what its start has left, so that no payment waits for it; a server with many lanes does not', () => {
  expect([1, 16, 17].map(isCollectedAt)).toEqual([true, true, false]);
});
