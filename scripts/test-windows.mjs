// The Windows installer and the daemon on it, under Debian's Wine: `npm run test:windows`.
import { spawnSync } from 'node:child_process';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';

readCommand({
  call: 'npm run test:windows --',
  does: "Windows' installer and the daemon that it installs, under Wine: needs wine64 and makensis.",
  options: {},
});
const env = { ...process.env, TILLBEACON_TEST_LONG: '1' };
process.exitCode =
  spawnSync(process.execPath, [npmTool('vitest'), 'run', '--project', 'counter', 'test/counter/windows.test.ts'], { cwd: root, stdio: 'inherit', env })
    .status ?? 1;
