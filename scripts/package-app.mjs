// The installers of the desktop app for this system: `npm run package`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildIfNeeded, root } from './build.mjs';
import { readCommand } from './command.mjs';
import { npmTool } from './npm-tool.mjs';
import { writeAppParts } from './package-tree.mjs';
import { unsignedMark } from './signing-key.mjs';

/** @param args of electron-builder @returns what `spawnSync` returns */
export function packageApp(args, options) {
  writeAppParts(join(root, 'out/app-parts'));
  const env = { ...process.env, TILLBEACON_UNSIGNED: unsignedMark(process.env, process.platform) };
  return spawnSync(process.execPath, [npmTool('electron-builder'), ...args], {
    cwd: root,
    env,
    ...options,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = readCommand({
    call: 'npm run package --',
    does: 'Builds the desktop app and its installers for this system with electron-builder. Signs them if the environment has keys.',
    options: {
      dir: { type: 'boolean', does: "only the app's folder, without installers" },
      publish: {
        type: 'string',
        value: 'WHEN',
        does: 'passed to electron-builder: when to publish the files',
        default: 'never',
      },
    },
  });
  buildIfNeeded();
  process.exitCode =
    packageApp([...(values.dir ? ['--dir'] : []), '--publish', values.publish], {
      stdio: 'inherit',
    }).status ?? 1;
}
