import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const canMount =
  spawnSync('unshare', ['--map-root-user', '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'])
    .status === 0;
const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/**
 * A process with a disk of its own, which is filled and emptied beside the simulator's event log.
 */
const script = (disk: string): string => `
  import { appendFileSync, readFileSync, rmSync } from 'node:fs';
  import { systemClock } from ${url('../../../../main/core/domain/clock.ts')};
  import { Simulator } from ${url('../../../../main/sandbox/simulator/simulator.ts')};
  import { WorldEventFile } from ${url('../../../../main/sandbox/simulator/world-event-file.ts')};
  import { profileNamed } from ${url('../../../../main/wallets/v10/v10-profile.ts')};
  const path = ${JSON.stringify(join(disk, 'books'))};
  const filler = ${JSON.stringify(join(disk, 'filler'))};
  const fillDisk = () => { for (const bytes of [65536, 4096, 512, 1]) try { for (;;) appendFileSync(filler, Buffer.alloc(bytes)); } catch {} };
  const open = () => {
    const books = new WorldEventFile({ path, clock: systemClock, profile: 'generic', pollDelayInMs: 100, seed: 7 });
    return new Simulator({ profile: profileNamed('generic'), clock: books, ids: books, eventLog: books });
  };
  const move = async () => (await fetch(simulator.baseUrl + '/simulator/clock', { method: 'POST', body: '{"advanceMs":60000}' })).status;
  const told = { moves: [] };
  let simulator = open();
  await simulator.start({ port: 0 });
  let due = false;
  fillDisk();
  let failed = 0;
  while (failed < 3) if ((await move()) !== 200) failed += 1;
  simulator.world.clock.after(10, () => { due = true; });
  await new Promise((resolve) => setTimeout(resolve, 300));
  told.dueOnFullDisk = due;
  const before = readFileSync(path, 'utf8');
  told.isWhole = before.endsWith('\\n');
  rmSync(filler);
  told.again = await move();
  told.due = due;
  const at = simulator.world.clock.wallMs();
  await simulator.stop();
  fillDisk();
  simulator = open();
  told.aheadAfterwards = simulator.world.clock.wallMs() >= at;
  await simulator.stop();
  console.log(JSON.stringify(told));
`;

test.skipIf(!canMount)(
  'on a full disk the service fails what it cannot keep, and loses nothing of what it has kept',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-books-'));
    const disk = join(folder, 'disk');
    const file = join(folder, 'script.mts');
    writeFileSync(file, script(disk));
    const mount = `mkdir ${disk} && mount -t tmpfs -o size=1m none ${disk} && exec ${process.execPath} ${file}`;
    const run = spawnSync('unshare', ['--map-root-user', '--mount', 'sh', '-c', mount]);
    rmSync(folder, { recursive: true, force: true });
    expect(run.stderr.toString()).toBe('');
    expect(JSON.parse(run.stdout.toString())).toMatchObject({
      dueOnFullDisk: false,
      isWhole: true,
      again: 200,
      due: true,
      aheadAfterwards: true,
    });
  },
);
