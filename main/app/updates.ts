import { newestVersion } from '../journal/schema.ts';
import { Updater } from '../updates/updater.ts';
import type { Counter } from './counter.ts';
import type { Parts } from './parts.ts';
import { terminalVersion } from './version.ts';

export interface Launched {
  /** The running version's files. */
  readonly program: string;
  /** Ends this process with the code on which the launcher starts the next version. */
  readonly restart: () => void;
}

/** Brings newer versions of this daemon, where the settings name a feed. */
export function openUpdater({ folder, clock, log }: Parts, { program, restart }: Launched, counter: () => Counter | null): Updater {
  return new Updater({
    settings: () => counter()?.settings.updates ?? null,
    folder: folder.updates,
    program,
    version: terminalVersion,
    journalLayout: newestVersion,
    platform: `${process.platform}-${process.arch}`,
    isQuiet: () => isQuiet(counter()),
    restart,
    clock,
    log,
  });
}

/** What only a person can settle may stay so for days, and does not keep a version from being replaced. */
function isQuiet(counter: Counter | null): boolean {
  const lanes = counter?.lanes ?? [];
  return (
    lanes.length > 0 &&
    lanes.every((lane) => {
      const { current, refund, unsettled } = lane.snapshot();
      return lane.isOpened && !lane.isUndecided && current === null && refund?.outcome !== null && unsettled.every(({ problem }) => problem !== null);
    })
  );
}
