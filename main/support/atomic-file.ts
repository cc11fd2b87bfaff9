import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { whileHeld } from './held-file.ts';

/**
 * Name of the temporary file. It is random and opened exclusively, so that nobody can plant a link
 * under it.
 */
export const freshName = (path: string): string => `${path}.${randomUUID()}.new`;
const isFreshName = (name: string): boolean =>
  /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/.test(name);

/**
 * Replaces a small file atomically: a reader finds the complete old or new content, also after a
 * power cut. Only its owner may read it. @throws when the disk refuses; then the old content stays
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fresh = freshName(path);
  const file = openSync(fresh, 'wx', 0o600);
  try {
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    whileHeld(() => renameSync(fresh, path));
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/**
 * What another program wrote: on disk, and then in the place of `path`, as a whole. @param fresh
 * beside it
 */
export function putInPlace(fresh: string, path: string): void {
  const file = openSync(fresh, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  whileHeld(() => renameSync(fresh, path));
  syncFolder(dirname(path));
}

/** Removes temporary files that a power cut left. Must not run while a file is being replaced. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder))
    if (isFreshName(name)) rmSync(join(folder, name), { force: true });
}

/**
 * Syncs the folder, so that new and removed names are on disk too. Windows has no such call and
 * does not need it: NTFS journals names.
 */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
