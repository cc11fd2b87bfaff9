import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import type { Log } from '../domain/log.ts';
import type { Delivery } from '../updates/updater.ts';
import { readCurrent, writeCurrent } from '../updates/versions.ts';
import type { AppFeed } from './app-feed.ts';
import { keptBefore, putProgram } from './kept-version.ts';

interface AppDeliveryOptions {
  /** Where `current.json` and the version before are. */
  readonly folder: string;
  /** null: this program is no AppImage. */
  readonly appImage: string | null;
  readonly program: string;
  readonly platform: NodeJS.Platform;
  /** The journal's layout that the running version knows. */
  readonly journalLayout: number;
  /** The windows are the screens of a daemon, which has the journal. */
  readonly screensOnly: boolean;
  /** Ends this process; its supervisor starts the file that is there then. */
  readonly restart: () => void;
  readonly log: Log;
}

interface Brought {
  readonly version: string;
  readonly file: string;
  readonly sha512: string;
}

/**
 * Newer versions of the app, by electron-updater: it finds the right file of the feed, loads it (of an AppImage only what has changed), compares its
 * SHA-512, keeps it, and has Windows' and Apple's installers run. When that is done is ours; so is replacing an AppImage, which electron-updater
 * removes before the next one is in its place.
 */
export function appDelivery(options: AppDeliveryOptions): Delivery {
  const { folder, appImage, platform, journalLayout, screensOnly, restart, log } = options;
  let updater: AppUpdater | null = null;
  let brought: Brought | null = null;
  return {
    async offered(name, wanted, signal) {
      refuseWhereOthersUpdate(options);
      const { createUpdater, SignedFeed } = await import('./app-updater.ts');
      const feeding = (updater ??= createUpdater(platform, log));
      feeding.setFeedURL({ provider: 'custom', updateProvider: SignedFeed as never, name, wanted, signal });
      const found = await feeding.checkForUpdates();
      if (found === null) throw new Error('the app is not installed in a way that lets it update itself');
      const { channel, version, minimumVersion, files } = found.updateInfo as AppFeed;
      return {
        channel,
        version,
        minimumVersion,
        async bring(until) {
          const cancel = (): void => found.cancellationToken?.cancel();
          until.addEventListener('abort', cancel, { once: true });
          try {
            const [file] = await feeding.downloadUpdate(found.cancellationToken);
            const sha512 = files.find(({ url }) => file?.endsWith(url))?.sha512;
            if (file === undefined || sha512 === undefined) throw new Error(`${version} is not offered for this system`);
            brought = { version, file, sha512 };
          } finally {
            until.removeEventListener('abort', cancel);
          }
        },
      };
    },
    install(version) {
      if (brought?.version !== version || updater === null) throw new Error(`${version} has to be brought again`);
      refuseWithoutRights(options, brought);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Hours may lie between.
      if (createHash('sha512').update(readFileSync(brought.file)).digest('base64') !== brought.sha512)
        throw new Error(`${brought.file}: is not what the feed lists any more`);
      if (appImage !== null) keptBefore(folder).keep(appImage);
      writeCurrent(folder, { ...readCurrent(folder), version, state: 'trying', starts: 0, previous: null, journalLayout, stuck: null, screensOnly });
      if (appImage === null) return updater.quitAndInstall(true, true);
      putProgram(brought.file, appImage);
      restart();
    },
  };
}

/** @throws Error in plain words */
function refuseWhereOthersUpdate({ platform, appImage }: AppDeliveryOptions): void {
  if (platform === 'linux' && appImage === null) throw new Error('the app is no AppImage: the package manager that installed it is what updates it');
}

/** What would ask for an administrator would leave the counter without its screens until somebody answers. @throws Error in plain words */
function refuseWithoutRights({ platform, appImage, program }: AppDeliveryOptions, { version, file }: Brought): void {
  if (platform === 'darwin') return;
  const place = dirname(appImage ?? program);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw new Error(`${version} is there, but this user must not write to ${place}: an administrator has to install ${file}`);
  }
}
