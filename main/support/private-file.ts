import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { systemCodeOf } from '../core/domain/errors.ts';

/**
 * Creates an empty file that only this user may access, unless it exists. SQLite would create it
 * for everybody and gives its other files the same mode.
 */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Overwrites in place, which works on a full disk too. Does not follow links (on Windows the flag
 * is 0).
 */
export function writePrivately(path: string, content: string | Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}
