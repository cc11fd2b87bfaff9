import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Builds the product when a source has changed: the suites start what is built. */
export default function buildFirst(): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('../scripts/build.mjs', import.meta.url))],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
}
