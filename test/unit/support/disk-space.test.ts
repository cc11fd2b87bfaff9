import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { silentLog } from '../../../main/core/domain/log.ts';
import {
  diskStateOf,
  DiskWatch,
  freeSpace,
  type FreeSpace,
} from '../../../main/support/disk-space.ts';
import { ManualClock, settled } from './manual-clock.ts';

const mb = 1024 ** 2;
const withFree = (freeBytes: number): FreeSpace => ({ freeBytes, totalBytes: 64 * 1024 * mb });

test.each([
  [1024 * mb, 'enough'],
  [1024 * mb - 1, 'low'],
  [32 * mb, 'low'],
  [32 * mb - 1, 'full'],
])('a disk with %i free bytes is called %s', (bytes, state) =>
  expect(diskStateOf(withFree(bytes))).toBe(state),
);

test('the space of a real folder is known, and of none it is not', async () => {
  expect((await freeSpace(tmpdir()))?.totalBytes).toBeGreaterThan(mb);
  expect([await freeSpace('/nowhere'), diskStateOf(null)]).toEqual([null, 'unknown']);
});

test('a disk that fills up is told within a minute, each state once, until nobody watches', async () => {
  const clock = new ManualClock();
  let free: FreeSpace | null = withFree(2_000 * mb);
  const raised: string[] = [];
  const watch = new DiskWatch({
    folder: '/data',
    clock,
    log: silentLog,
    look: () => Promise.resolve(free),
    changed: () => raised.push(watch.state),
  });
  watch.start();
  await settled();
  free = withFree(500 * mb);
  await clock.pass(180_000);
  free = withFree(mb);
  await clock.pass(60_000);
  free = withFree(2_000 * mb);
  await clock.pass(60_000);
  expect(raised).toEqual(['enough', 'low', 'full', 'enough']);
  free = withFree(mb);
  watch.close();
  await clock.pass(600_000);
  expect(raised).toHaveLength(4);
});

test('a look that is still on its way when nobody watches any more tells nothing', async () => {
  const raised: string[] = [];
  const watch = new DiskWatch({
    folder: '/data',
    clock: new ManualClock(),
    log: silentLog,
    look: () => Promise.resolve(withFree(mb)),
    changed: () => raised.push('told'),
  });
  watch.start();
  watch.close();
  await settled();
  expect(raised).toEqual([]);
});
