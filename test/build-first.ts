import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The suites that start the product start what is built: built anew when a source has changed. */
export default function buildFirst(): void {
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
