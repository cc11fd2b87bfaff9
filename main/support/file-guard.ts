import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Cancel, Clock } from '../core/domain/clock.ts';
import { type Log, silentLog } from '../core/domain/log.ts';
import type { Notices } from '../core/domain/notices.ts';
import { type Exposure, exposuresOf, type Guarded } from './exposure.ts';
import { closeToOthers } from './private-folder.ts';

interface FileGuardOptions {
  /** This program's own folder: it is closed with everything in it, without asking. */
  readonly folder: string;
  /** Files and folders to check, wherever they are. */
  readonly guarded: () => readonly Guarded[];
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

const lookEveryMs = 10_000;
/** A problem that persists is reported again, because a notice is shown for one day. */
const tellAgainMs = 60 * 60_000;

/**
 * Closes files that other users of this computer can read or change, or reports how to do it until
 * somebody has.
 */
export class FileGuard {
  readonly #options: FileGuardOptions;
  /** When each path was reported last. */
  readonly #warnedAtMs = new Map<string, number>();
  #cancel: Cancel = () => {};

  constructor(options: FileGuardOptions) {
    this.#options = options;
  }

  start(): void {
    this.#look();
    this.#cancel = this.#options.clock.after(lookEveryMs, () => this.start());
  }

  close(): void {
    this.#cancel();
  }

  #look(): void {
    const { folder, guarded, notices, log } = this.#options;
    const all = [{ path: folder, holdsSecret: true }, ...guarded()];
    for (const { path } of all) {
      const isOurs = path === folder || isIn(folder, path);
      // A file that cannot be closed is reported below.
      if (isOurs && closeToOthers(path, silentLog) === 1)
        log.info(
          { path },
          'other users of this computer could access this file: now only this user can',
        );
    }
    const open = new Map(
      all.flatMap((one) => exposuresOf(one)).map((exposure) => [exposure.path, exposure]),
    );
    for (const exposure of open.values()) this.#tell(exposure);
    for (const path of this.#warnedAtMs.keys()) {
      if (open.has(path)) continue;
      this.#warnedAtMs.delete(path);
      notices.settle('fileReadable', path);
      log.info({ path }, 'other users of this computer can no longer read or change this');
    }
  }

  #tell({ path, command }: Exposure): void {
    const { notices, clock, log } = this.#options;
    const now = clock.monotonicMs();
    const warnedAtMs = this.#warnedAtMs.get(path);
    if (warnedAtMs !== undefined && now - warnedAtMs < tellAgainMs) return;
    this.#warnedAtMs.set(path, now);
    notices.raise({ code: 'fileReadable', subject: path, detail: command });
    log.warn(
      { path, command },
      'other users of this computer can read or change this: run the command to fix it',
    );
  }
}

function isIn(folder: string, path: string): boolean {
  try {
    return realpathSync(dirname(path)) === realpathSync(folder);
  } catch {
    return false;
  }
}
