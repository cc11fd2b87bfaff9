// The suite for real Electron. Where its binary or a display is missing it says so and ends with 0;
// `--required` makes that a failure.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildIfNeeded, root } from './build.mjs';
import { readCommand } from './command.mjs';
import { electronBinary } from './electron-binary.mjs';
import { npmTool } from './npm-tool.mjs';

const { values } = readCommand({
  call: 'npm run test:electron --',
  does: 'Runs the tests that need real Electron. Skips them with a message if its binary or a display is missing.',
  options: {
    required: { type: 'boolean', does: 'fails if the binary or a display is missing' },
    program: {
      type: 'string',
      value: 'FILE',
      does: 'tests this installed program instead of the build',
    },
    'app-image': {
      type: 'string',
      value: 'FILE',
      does: 'tests the update of a copy of this AppImage',
    },
  },
});
for (const option of ['program', 'app-image']) {
  if (values[option] === undefined || existsSync(values[option])) continue;
  process.stderr.write(`--${option}: there is no ${values[option]}\n`);
  process.exit(2);
}
const electron = values.program ?? electronBinary();
if (electron === null) {
  process.stdout.write(
    '*** SKIPPED: the suite for real Electron did NOT run: this machine has no Electron binary, or no display. ***\n',
  );
  process.exit(values.required ? 1 : 0);
}
buildIfNeeded();
const env = {
  ...process.env,
  TILLBEACON_ELECTRON: electron,
  ...(values.program !== undefined && { TILLBEACON_INSTALLED: '1' }),
  ...(values['app-image'] !== undefined && { TILLBEACON_APP_IMAGE: resolve(values['app-image']) }),
};
const { status } = spawnSync(
  process.execPath,
  [npmTool('vitest'), 'run', '--project', 'electron'],
  { cwd: root, stdio: 'inherit', env },
);
process.exit(status ?? 1);
