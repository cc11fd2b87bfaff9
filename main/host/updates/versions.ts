/**
 * Versions side by side in the folder `updates` of the data folder: `versions/<version>/` has the
 * files of a package, and `current.json` names the one to start. A launcher reads it
 * (`launcher.ts`), the daemon writes it (`updater.ts`).
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { isNewerVersion, Version } from '../../core/domain/versions.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { type Exposure, exposuresOf, programExposure } from '../../support/exposure.ts';
import { whileHeld } from '../../support/held-file.ts';

const Current = z.object({
  /** null for the installed version. */
  version: Version.nullable(),
  /** trying: it has to become ready within a minute, or the one before is started again. */
  state: z.enum(['trying', 'good']),
  /** How often it was started while it was tried. */
  starts: z.int().nonnegative(),
  previous: Version.nullable(),
  /**
   * The newest journal layout that the previous version reads. After a migration beyond it, a
   * rollback is impossible.
   */
  journalLayout: z.int(),
  /** Versions that were taken back. */
  failed: z.array(
    z.object({ version: Version, times: z.int().positive(), atMs: z.number(), why: z.string() }),
  ),
  /**
   * Why the version did not become ready in time while there was no way back, in words; null
   * otherwise.
   */
  stuck: z.string().nullable().default(null),
  /**
   * Set when the program is the screens of a daemon: the journal is that daemon's, and is neither
   * copied nor restored.
   */
  screensOnly: z.boolean().optional(),
});
export type Current = z.infer<typeof Current>;

const installed: Current = {
  version: null,
  state: 'good',
  starts: 0,
  previous: null,
  journalLayout: 0,
  failed: [],
  stuck: null,
};

const currentPath = (updates: string): string => join(updates, 'current.json');
export const versionFolder = (updates: string, version: string): string =>
  join(updates, 'versions', version);
export const daemonIn = (program: string): string => join(program, 'out', 'main', 'daemon.js');

/** A file that cannot be read means the installed version. */
export function readCurrent(updates: string): Current {
  try {
    return Current.parse(JSON.parse(whileHeld(() => readFileSync(currentPath(updates), 'utf8'))));
  } catch {
    return installed;
  }
}

export function writeCurrent(updates: string, current: Current): void {
  writeFileAtomically(currentPath(updates), `${JSON.stringify(current)}\n`);
}

/**
 * The version to start; null for the installed one, also where a newer one was installed by hand.
 */
export function chosenVersion(
  { version }: Current,
  updates: string,
  installedVersion: string,
): string | null {
  if (version === null || !isNewerVersion(version, installedVersion)) return null;
  return existsSync(daemonIn(versionFolder(updates, version))) ? version : null;
}

/** Where another user could have put a version, or named one: it would be run as this user. */
export function exposedVersion(updates: string, version: string): Exposure | null {
  const folder = versionFolder(updates, version);
  const paths = [dirname(updates), updates, currentPath(updates), dirname(folder)];
  return (
    paths.flatMap((path) => exposuresOf({ path, holdsSecret: false }))[0] ?? programExposure(folder)
  );
}

/** @param why in words, for the log and the health page */
export function afterRollback(current: Current, why: string, atMs: number): Current {
  const { version, previous, failed } = current;
  const others = failed.filter((one) => one.version !== version);
  const times = (failed.find((one) => one.version === version)?.times ?? 0) + 1;
  return {
    ...current,
    version: previous,
    previous: null,
    state: 'good',
    starts: 0,
    stuck: null,
    failed: version === null ? failed : [...others, { version, times, atMs, why }],
  };
}

/**
 * Saved before the journal is opened: the process that watches a trial must know whose journal it
 * is.
 */
export function noteScreensOnly(updates: string, screensOnly: boolean): void {
  const current = readCurrent(updates);
  if (current.state === 'trying' && (current.screensOnly ?? false) !== screensOnly)
    writeCurrent(updates, { ...current, screensOnly });
}

/**
 * Notes that an app starts as `version` while another should be tried: that one was not put in
 * place, or did not begin, and the one before is back.
 */
export const isNotBegun = (current: Current, version: string): boolean =>
  current.state === 'trying' && current.version !== version;
export const didNotBegin = 'it was not installed, or did not start';

export function noteNotBegun(updates: string, version: string, atMs: number): void {
  const current = readCurrent(updates);
  if (isNotBegun(current, version))
    writeCurrent(updates, afterRollback(current, didNotBegin, atMs));
}

/** Saves that a version takes payments, for a watching process that cannot ask it. */
export async function noteReady(
  updates: string,
  { version, isReady, clock }: { version: string; isReady: () => boolean; clock: Clock },
): Promise<void> {
  const isTried = (current: Current): boolean =>
    current.state === 'trying' && current.version === version;
  if (!isTried(readCurrent(updates))) return;
  while (!isReady()) await sleep(clock, noteEveryMs);
  const current = readCurrent(updates);
  if (isTried(current))
    writeCurrent(updates, { ...current, state: 'good', starts: 0, stuck: null });
}
const noteEveryMs = 100;

/**
 * Daemon and app end with it to be started again, as another version. The launcher passes every
 * other code on.
 */
export const restartCode = 75;
/**
 * What the launcher asks over the daemon's IPC channel. The answer has whether every lane takes
 * payments, as `/readyz` says.
 */
export const readinessQuestion = 'readiness';
