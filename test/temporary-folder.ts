/**
 * All temporary folders of a run are in one, which is removed with whatever tests have left in it.
 * On Windows it was made before (scripts/test-windows.mjs). A second one is in memory, for projects
 * in which the disk is not what is tested (test/support/in-memory.ts).
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Containers often have 64 MB. */
const enoughBytes = 2 ** 30;

export default function setup(): () => void {
  if (process.env['TILLBEACON_WINE'] !== undefined) return () => {};
  const folders = [tmpdir(), ...(hasRoom('/dev/shm') ? ['/dev/shm'] : [])].map((parent) =>
    mkdtempSync(join(parent, 'tillbeacon-tests-')),
  );
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folders[0];
  process.env['TILLBEACON_TEST_MEMORY'] = folders.at(-1);
  return () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}
