import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Application, startApplication } from '../../main/counter/app/application.ts';
import { demoSettings } from '../../main/counter/app/demo-settings.ts';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { clockWith } from '../support/clock-with.ts';

// Faked, because the computer's own disk may be full or not.
const disk = vi.hoisted(() => ({ freeBytes: 0 }));
vi.mock(import('node:fs/promises'), async (original) => ({
  ...(await original()),
  statfs: (() => Promise.resolve({ bavail: disk.freeBytes, blocks: 2 ** 40, bsize: 1 })) as never,
}));

let folder: string;
let terminal: Application;
let aheadMs: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-computer-'));
  [aheadMs, disk.freeBytes] = [0, 2 ** 39];
});
afterEach(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a computer whose clock is an hour ahead of the service’s says so at the lane, without anybody setting anything up', async () => {
  aheadMs = 3_600_000;
  await open();
  await expect
    .poll(() => told())
    .toEqual({ clockOffSeconds: expect.closeTo(3_600, -1), disk: null });
  aheadMs = 0;
  terminal.resumed();
  await expect.poll(told).toBeUndefined();
});

test('a disk that is filling up is told at the lane soon after the start', async () => {
  disk.freeBytes = 2 ** 29;
  await open();
  await expect.poll(told).toEqual({ clockOffSeconds: null, disk: 'low' });
});

async function open(): Promise<void> {
  const clock = clockWith({ wallMs: () => Date.now() + aheadMs });
  terminal = await startApplication({
    settings: await demoSettings('v10'),
    dataFolder: folder,
    screens: null,
    rendererFolder: '',
    demo: true,
    system: { clock, ids: systemIds, log: silentLog },
  });
  await terminal.ready;
}

function told() {
  const [lane] = terminal.views.lanes();
  return terminal.views.lane(lane?.laneId ?? '')?.computer;
}
