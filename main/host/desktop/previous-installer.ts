import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { systemCodeOf } from '../../core/domain/errors.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { exposuresOf } from '../../support/exposure.ts';
import { Version } from '../../core/domain/versions.ts';
import { readCurrent } from '../updates/versions.ts';
import { putProgram } from './previous-app-image.ts';

const About = z.object({ version: Version, sha512: z.string() });

/**
 * Options as electron-updater has them: silent, over the installed version, which is started
 * afterwards.
 */
const silently = ['/S', '--updated', '--force-run'];
/**
 * Where the power fails meanwhile, Windows runs that installer again at the next sign-in of this
 * user.
 */
export const finished = ['/FINISH'];

interface PreviousInstaller {
  /**
   * @param listed asks for the hashes of that version's installers @throws Error in plain words;
   * then none is kept
   */
  keep(installer: string, version: string, listed: () => Promise<readonly string[]>): Promise<void>;
  isOf(version: string): boolean;
  isThere(): boolean;
  /**
   * Runs a newer installer, and itself after it where the newer version does not begin. @throws
   * Error in plain words: nothing was begun
   */
  tryOut(installer: string, withinMs: number): void;
  /** Installs the version that is kept. @throws Error in plain words */
  putBack(): 'byInstaller';
  /**
   * Called by the running version before it does anything else; false when it is being replaced by
   * the version before, and has to end
   */
  begins(version: string): boolean;
}

/**
 * On Windows: the installer of the version before. It is what runs the newer one's, waits, and
 * restores its own version if the newer one does not start (`assets/app-installer.nsh`). So this
 * needs nothing of the newer version. A version that has started watches itself
 * (`updates/launch.ts`), because only a program can judge whether the journal allows a rollback.
 * The process that removes the file `not-begun` decides. Where the power fails, Windows runs the
 * kept installer again at the next sign-in, with the rights of this user, who alone can have
 * changed it since it was checked.
 */
export function previousInstaller(updates: string): PreviousInstaller {
  const storedFile = join(updates, 'before.exe');
  const aboutFile = join(updates, 'before.json');
  const notBegun = join(updates, 'not-begun');
  const tooLate = `${notBegun}.late`;

  const about = (): z.infer<typeof About> | null => {
    try {
      return existsSync(storedFile)
        ? About.parse(JSON.parse(readFileSync(aboutFile, 'utf8')))
        : null;
    } catch {
      return null;
    }
  };
  /** Another user must not be able to change it, because it would be run as this user. */
  const check = (): void => {
    for (const path of [updates, storedFile, aboutFile])
      if (exposuresOf({ path, holdsSecret: false }).length > 0)
        throw new Error(`${path}: another user could have changed it`);
    if (sha512Of(storedFile) !== about()?.sha512)
      throw new Error(`${storedFile}: was changed after it was stored`);
  };

  return {
    async keep(installer, version, listed) {
      // A newer version must never be taken back to an older installer.
      for (const path of [aboutFile, storedFile]) rmSync(path, { force: true });
      const hashes = await listed();
      const sha512 = sha512Of(installer);
      if (!hashes.includes(sha512))
        throw new Error(`${installer}: does not match the feed's entry for ${version}`);
      mkdirSync(updates, { recursive: true, mode: 0o700 });
      putProgram(installer, storedFile);
      writeFileAtomically(aboutFile, `${JSON.stringify({ version, sha512 })}\n`);
    },
    isOf: (version) => about()?.version === version,
    isThere: () => about() !== null,
    tryOut(installer, withinMs) {
      check();
      rmSync(tooLate, { force: true });
      writeFileSync(notBegun, '', { mode: 0o600 });
      try {
        runInstaller(storedFile, [`/TRY="${installer}"`, `/WITHIN=${Math.ceil(withinMs / 1_000)}`]);
      } catch (error) {
        rmSync(notBegun, { force: true });
        throw error;
      }
    },
    putBack() {
      check();
      runInstaller(storedFile, finished);
      return 'byInstaller';
    },
    begins(version) {
      const { state, version: tried } = readCurrent(updates);
      if (state !== 'trying' || tried !== version) {
        for (const path of [notBegun, tooLate]) rmSync(path, { force: true });
        return true;
      }
      try {
        unlinkSync(notBegun);
        return true;
      } catch (error) {
        if (systemCodeOf(error) !== 'ENOENT') throw error;
        // Tried only once: if the version before could not be restored, this one is all there is.
        const isTooLate = existsSync(tooLate);
        rmSync(tooLate, { force: true });
        return !isTooLate;
      }
    },
  };
}

/**
 * Detached: it ends this program. Not as electron-updater does, which has Windows ask for an
 * administrator when it has ended the app already.
 * @throws Error in plain words where Windows would ask
 */
export function runInstaller(installer: string, more: readonly string[] = []): void {
  // Quotes are where NSIS looks for them, and nothing may keep the program's folder from being
  // replaced.
  const options = {
    detached: true,
    stdio: 'ignore',
    windowsVerbatimArguments: true,
    cwd: join(installer, '..'),
  } as const;
  const child = spawn(installer, [...silently, ...more], options);
  child.on('error', () => {});
  if (child.pid === undefined)
    throw new Error(`this user may not run ${installer}: an administrator must run it`);
  child.unref();
}

const sha512Of = (file: string): string =>
  createHash('sha512').update(readFileSync(file)).digest('base64');
