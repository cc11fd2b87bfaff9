import { chmodSync, constants, copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { exposuresOf } from '../../support/exposure.ts';
import { freshName, putInPlace } from '../../support/atomic-file.ts';

/**
 * The AppImage that ran before the one that is tried. Written without letting go: nothing can begin
 * meanwhile.
 */
export function previousAppImage(updates: string): {
  keep(appImage: string): void;
  putBack(appImage: string): 'inPlace';
} {
  const storedFile = join(updates, 'before.AppImage');
  return {
    keep: (appImage) => putProgram(appImage, storedFile),
    putBack(appImage) {
      // Another user must not be able to change it, because it would be run as this user.
      for (const path of [updates, storedFile])
        if (exposuresOf({ path, holdsSecret: false }).length > 0)
          throw new Error(`${path}: another user could have changed it`);
      putProgram(storedFile, appImage);
      return 'inPlace';
    },
  };
}

/**
 * A reader finds the whole old or the whole new program, also after a power cut; what runs goes on
 * with the old one. @throws when the disk refuses
 */
export function putProgram(from: string, to: string): void {
  const fresh = freshName(to);
  try {
    copyFileSync(from, fresh, constants.COPYFILE_EXCL);
    chmodSync(fresh, 0o755);
    putInPlace(fresh, to);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}
