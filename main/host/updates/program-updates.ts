/** What brings newer versions of the daemon or the app to a running counter. */
import type { ApplicationOptions } from '../../counter/app/application.ts';
import type { Counter } from '../../counter/app/counter.ts';
import { terminalVersion } from '../../counter/app/version.ts';
import { newestVersion } from '../../core/journal/schema.ts';
import { packageDelivery } from './package-delivery.ts';
import { type Delivery, Updater } from './updater.ts';

type OpenUpdater = NonNullable<ApplicationOptions['openUpdater']>;

/** Where the settings name a feed, the app is replaced by what `delivery` brings. */
export const appUpdater =
  ({ delivery, folder }: { readonly delivery: Delivery; readonly folder: string }): OpenUpdater =>
  ({ clock, isTimeKnown, log }, counter) =>
    new Updater({
      settings: () => counter()?.settings.updates ?? null,
      delivery,
      folder,
      version: terminalVersion,
      isQuiet: () => isQuiet(counter()),
      isTimeKnown,
      clock,
      log,
    });

/**
 * The same for the daemon, whose launcher starts the new version.
 * @param launched `program`: the files of the running version; `restart` ends this process with the
 *   code on which the launcher starts the next version
 */
export const daemonUpdater =
  (launched: { readonly program: string; readonly restart: () => void }): OpenUpdater =>
  (parts, counter) => {
    const { folder, log } = parts;
    const delivery = packageDelivery({
      folder: folder.updates,
      version: terminalVersion,
      journalLayout: newestVersion,
      platform: `${process.platform}-${process.arch}`,
      log,
      ...launched,
    });
    return appUpdater({ delivery, folder: folder.updates })(parts, counter);
  };

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
