// Judges every state of the screens and compares the kept pictures: `npm run pictures`;
// `-- --update` keeps them as the screens look now.
import { spawnSync } from 'node:child_process';
import { root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';

const { values, operands } = readCommand({
  call: 'npm run pictures --',
  does: 'Checks every state of the screens, and compares it with the stored pictures.',
  operands: '[SCREEN …]',
  options: {
    update: { type: 'boolean', does: 'replaces the stored pictures by the current screens' },
  },
});
const env = { ...process.env, ...(values.update && { TILLBEACON_PICTURES: 'renew' }) };
const { status } = spawnSync(
  process.execPath,
  [npmTool('vitest'), 'run', '--project', 'pictures', ...operands],
  { cwd: root, stdio: 'inherit', env },
);
process.exit(status ?? 1);
