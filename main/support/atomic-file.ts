import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file on its way in. Nobody can plant a link under a name that nobody knows, and what is there already is not opened. */
const freshName = (path: string): string => `${path}.${randomUUID()}.new`;
const isFreshName = (name: string): boolean => /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.new$/.test(name);

/**
 * Replaces a small file so that whoever reads it, also after a power cut in the middle, finds the old content or the new one, whole.
 * Only its owner may read it. @throws when the disk refuses: the old content stays
 */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const fresh = freshName(path);
  const file = openSync(fresh, 'wx', 0o600);
  try {
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(path));
}

/** What a power cut left of files that were being replaced. Nobody may be replacing one now. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) if (isFreshName(name)) rmSync(join(folder, name), { force: true });
}

/** The new name is on disk too. Windows has no such call for folders, and does not need it: NTFS keeps a journal of names. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
