import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { systemCodeOf } from '../domain/errors.ts';

/** Makes an empty file of this user alone, if there is none, for a program that would make it one of everybody's; what that adds to it follows suit. */
export function createPrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

/** In its place, which a disk that is full allows too; not through a link (Windows has no such flag: it counts as 0). */
export function writePrivately(path: string, content: string | Uint8Array): void {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, content);
  } finally {
    closeSync(file);
  }
}
