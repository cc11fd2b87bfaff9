// Judges every state of the screens and compares the kept pictures: `npm run pictures`; `-- --update` keeps them as the screens look now.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { root } from './build.mjs';
import { npmTool } from './npm-tool.mjs';

const asked = process.argv.slice(2);
const filters = asked.filter((one) => one !== '--update');
const env = { ...process.env, ...(asked.includes('--update') && { TILLBEACON_PICTURES: 'renew' }) };
const { status } = spawnSync(process.execPath, [npmTool('vitest'), 'run', '--project', 'pictures', ...filters], { cwd: root, stdio: 'inherit', env });
process.exit(status ?? 1);
