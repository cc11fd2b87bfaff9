import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { isNewerVersion } from '../../core/domain/versions.ts';
import { fetchPackage, maxFeedBytes } from './download.ts';
import { readFeed } from './feed.ts';
import { fetchFreshList } from './fresh-list.ts';
import type { Delivery } from './updater.ts';
import { type Current, readCurrent, writeCurrent } from './versions.ts';

interface PackageDeliveryOptions {
  /** The folder `updates` of the data folder. */
  readonly folder: string;
  /** Files, version and journal layout of the running program. */
  readonly program: string;
  readonly version: string;
  readonly journalLayout: number;
  /** e.g. `linux-x64`. */
  readonly platform: string;
  /** Ends this process; the launcher starts the version of `current.json`. */
  readonly restart: () => void;
  readonly log: Log;
}

/** Versions of the daemon lie side by side, and its launcher starts the one that is named. */
export function packageDelivery(options: PackageDeliveryOptions): Delivery {
  const { folder, program, platform, restart } = options;
  tidy(options);
  return {
    async offered(name, { feed: address, publicKey }, asking) {
      const base = address.replace(/\/$/, '');
      const bytes = await fetchFreshList(`${base}/${name}.json`, {
        ...asking,
        publicKey,
        maxBytes: maxFeedBytes,
      });
      const { channel, version, minimumVersion, packages } = readFeed(bytes);
      return {
        channel,
        version,
        minimumVersion,
        async bring(until) {
          const files = packages[platform];
          if (files === undefined) throw new Error(`${version} is not offered for ${platform}`);
          mkdirSync(join(folder, 'versions'), { recursive: true, mode: 0o700 });
          await fetchPackage({
            feed: base,
            version,
            files,
            updates: folder,
            program,
            signal: until,
          });
        },
      };
    },
    install(version) {
      const before = readCurrent(folder);
      // null: the running version is the installed one.
      const previous = before.version === options.version ? before.version : null;
      const next: Current = {
        ...before,
        version,
        state: 'trying',
        starts: 0,
        previous,
        journalLayout: options.journalLayout,
        stuck: null,
      };
      writeCurrent(folder, next);
      restart();
    },
  };
}

/** Removes versions that nothing leads to any more. */
function tidy({ folder, version: own, log }: PackageDeliveryOptions): void {
  const { version, previous, failed } = readCurrent(folder);
  const all = join(folder, 'versions');
  const isInUse = (name: string): boolean => {
    const of = name.replace('.partial', '');
    return (
      of === version ||
      of === previous ||
      of === own ||
      (isNewerVersion(of, own) && !failed.some((one) => one.version === of))
    );
  };
  if (!existsSync(all)) return;
  try {
    for (const name of readdirSync(all))
      if (!isInUse(name)) rmSync(join(all, name), { recursive: true, force: true });
  } catch (error) {
    log.warn({ folder: all, detail: messageOf(error) }, 'unused versions could not be removed');
  }
}
