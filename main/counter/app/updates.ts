import { newestVersion } from '../../core/journal/schema.ts';
import { packageDelivery } from '../../host/updates/package-delivery.ts';
import { type Delivery, Updater } from '../../host/updates/updater.ts';
import type { Counter } from './counter.ts';
import type { Parts } from './parts.ts';
import { terminalVersion } from './version.ts';

/** How this program gets newer versions of itself, and where it notes which. */
export interface Updates {
  readonly delivery: Delivery;
  readonly folder: string;
}

export interface Launched {
  /** The running version's files. */
  readonly program: string;
  /** Ends this process with the code on which the launcher starts the next version. */
  readonly restart: () => void;
}

/** Brings newer versions, where the settings name a feed. */
export function openUpdater(
  { clock, isTimeKnown, log }: Parts,
  { delivery, folder }: Updates,
  counter: () => Counter | null,
): Updater {
  return new Updater({
    settings: () => counter()?.settings.updates ?? null,
    delivery,
    folder,
    version: terminalVersion,
    isQuiet: () => isQuiet(counter()),
    isTimeKnown,
    clock,
    log,
  });
}

/** Updates of the daemon, whose launcher starts the new version. */
export function daemonUpdates({ folder, log }: Parts, launched: Launched): Updates {
  const about = {
    folder: folder.updates,
    version: terminalVersion,
    journalLayout: newestVersion,
    platform: `${process.platform}-${process.arch}`,
    log,
  };
  return { folder: folder.updates, delivery: packageDelivery({ ...about, ...launched }) };
}

/**
 * What only a person can settle may stay so for days, and does not keep a version from being
 * replaced.
 */
function isQuiet(counter: Counter | null): boolean {
  const lanes = counter?.lanes ?? [];
  return (
    lanes.length > 0 &&
    lanes.every((lane) => {
      const { current, refund, unsettled } = lane.snapshot();
      return (
        lane.isOpened &&
        !lane.isUndecided &&
        current === null &&
        refund?.outcome !== null &&
        unsettled.every(({ problem }) => problem !== null)
      );
    })
  );
}
