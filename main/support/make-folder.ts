import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCodeOf } from '../core/domain/errors.ts';

/**
 * Makes a folder, and those above it that are missing. `mkdirSync` does that too, but goes round
 * for ever below /proc, and says of a file system that is only read that nothing is there (Node
 * 24).
 * @param mode of those that are made
 * @throws Error in plain words, or the system's
 */
export function makeFolder(path: string, mode = 0o777): void {
  if (path === '') throw new Error('its path is empty');
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return;
  if (stat !== undefined) throw new Error(`${path} is a file`);
  const above = dirname(path);
  if (above !== path) makeFolder(above, mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process was faster.
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}
