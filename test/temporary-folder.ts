/** All temporary folders of a run are in one, which is removed with whatever tests have left in it. On Windows it was made before (scripts/test-windows.mjs). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  if (process.env['TILLBEACON_WINE'] !== undefined) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'tillbeacon-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
