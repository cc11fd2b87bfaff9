// Where Electron's binary is, without asking its package for it: that would try to download one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.mjs';

/**
 * null when this machine has no Electron binary (its release site is out of reach), or no display
 * to show windows on.
 */
export function electronBinary() {
  const hasDisplay =
    process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
  const folder = join(root, 'node_modules', 'electron');
  const pathFile = join(folder, 'path.txt');
  if (!hasDisplay || !existsSync(pathFile)) return null;
  const binary = join(
    process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(folder, 'dist'),
    readFileSync(pathFile, 'utf8').trim(),
  );
  return existsSync(binary) ? binary : null;
}
