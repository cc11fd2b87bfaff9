import { chmodSync, closeSync, constants, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freshName, syncFolder } from '../support/atomic-file.ts';

/** The AppImage that ran before the one that is tried. Written without letting go: nothing can begin meanwhile. */
export function keptBefore(updates: string): { keep(appImage: string): void; putBack(appImage: string): void } {
  const kept = join(updates, 'before.AppImage');
  return {
    keep: (appImage) => putProgram(appImage, kept),
    putBack: (appImage) => putProgram(kept, appImage),
  };
}

/** A reader finds the whole old or the whole new program, also after a power cut; what runs goes on with the old one. @throws when the disk refuses */
export function putProgram(from: string, to: string): void {
  const fresh = freshName(to);
  try {
    copyFileSync(from, fresh, constants.COPYFILE_EXCL);
    chmodSync(fresh, 0o755);
    const file = openSync(fresh, 'r+');
    fsyncSync(file);
    closeSync(file);
    renameSync(fresh, to);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
  syncFolder(dirname(to));
}
