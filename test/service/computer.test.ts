import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Application, startApplication } from '../../main/app/application.ts';
import { demoSettings } from '../../main/app/demo-settings.ts';
import { systemClock } from '../../main/domain/clock.ts';
import { systemIds } from '../../main/domain/ids.ts';
import { silentLog } from '../../main/domain/log.ts';

let folder: string;
let terminal: Application;
afterEach(async () => {
  await terminal.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a computer whose clock is an hour ahead of the service’s says so at the lane, without anybody setting anything up', async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-computer-'));
  let aheadMs = 3_600_000;
  const clock = { ...systemClock, wallMs: () => Date.now() + aheadMs };
  terminal = await startApplication({
    settings: await demoSettings('v10'),
    dataFolder: folder,
    screens: null,
    rendererFolder: '',
    demo: true,
    system: { clock, ids: systemIds, log: silentLog },
  });
  await terminal.ready;
  const [lane] = terminal.views.lanes();
  const told = () => terminal.views.lane(lane?.laneId ?? '')?.computer;
  await expect.poll(() => told()?.clockOffSeconds).toBeCloseTo(3_600, -1);
  aheadMs = 0;
  terminal.resumed();
  // The disk of this machine may be nearly full: that stays.
  await expect.poll(() => told()?.clockOffSeconds ?? null).toBeNull();
});
