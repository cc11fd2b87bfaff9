import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';

/**
 * The script behind a package's command, to be started with Node: what npm puts into .bin cannot be
 * started on Windows without a shell.
 */
export function npmTool(command, packageName = command) {
  const folder = join(root, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}
