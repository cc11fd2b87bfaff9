// The installers of the desktop app for this system: `npm run package`. Arguments are electron-builder's.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded, root } from './build.mjs';
import { npmTool } from './npm-tool.mjs';
import { writeAppParts } from './package-tree.mjs';
import { unsignedMark } from './signing-key.mjs';

/** @returns what `spawnSync` returns */
export function packageApp(args, options) {
  writeAppParts(join(root, 'out/app-parts'));
  const env = { ...process.env, TILLBEACON_UNSIGNED: unsignedMark(process.env, process.platform) };
  return spawnSync(process.execPath, [npmTool('electron-builder'), ...args], { cwd: root, env, ...options });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildIfNeeded();
  process.exitCode = packageApp(process.argv.slice(2), { stdio: 'inherit' }).status ?? 1;
}
