// The suite for real Electron. Where its binary is not, it says so, loudly and in one line: a skipped suite is not a passed one.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { electronBinary } from './electron-binary.mjs';

const electron = electronBinary();
if (electron === null) {
  process.stdout.write('*** SKIPPED: the suite for real Electron did NOT run: this machine has no Electron binary, or no display. ***\n');
  process.exit(0);
}
buildIfNeeded();
const env = { ...process.env, TILLBEACON_ELECTRON: electron };
const { status } = spawnSync(join(root, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'electron'], { cwd: root, stdio: 'inherit', env });
process.exit(status ?? 1);
