// The suite for real Electron. Where its binary or a display is missing it says so and ends with 0; `--required` makes that a failure.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { buildIfNeeded, root } from './build.mjs';
import { electronBinary } from './electron-binary.mjs';
import { npmTool } from './npm-tool.mjs';

const electron = electronBinary();
if (electron === null) {
  process.stdout.write('*** SKIPPED: the suite for real Electron did NOT run: this machine has no Electron binary, or no display. ***\n');
  process.exit(process.argv.includes('--required') ? 1 : 0);
}
buildIfNeeded();
const env = { ...process.env, TILLBEACON_ELECTRON: electron };
const { status } = spawnSync(process.execPath, [npmTool('vitest'), 'run', '--project', 'electron'], { cwd: root, stdio: 'inherit', env });
process.exit(status ?? 1);
