import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { requireRoom } from '../../support/disk-space.ts';
import { readyWithinMs } from '../updates/launch.ts';
import type { Delivery } from '../updates/updater.ts';
import { readCurrent, writeCurrent } from '../updates/versions.ts';
import type { AppFeed } from './app-feed.ts';
import type * as AppUpdaters from './app-updater.ts';
import { finished, previousInstaller, runInstaller } from './previous-installer.ts';
import { previousAppImage, putProgram } from './previous-app-image.ts';

interface AppDeliveryOptions {
  /** Where `current.json` and the version before are. */
  readonly folder: string;
  /** null when this program is not an AppImage. */
  readonly appImage: string | null;
  readonly platform: NodeJS.Platform;
  /** Version of the running program. */
  readonly version: string;
  /** The journal's layout that the running version knows. */
  readonly journalLayout: number;
  /** Whether the windows are the screens of a daemon, which has the journal. */
  readonly screensOnly: boolean;
  /** Ends this process; its supervisor starts the file that is there then. */
  readonly restart: () => void;
  /** Ends this process and its supervisor. */
  readonly end: () => void;
  /** electron-updater, which is loaded only where the settings name a feed. */
  readonly updaters: () => Promise<typeof AppUpdaters>;
  readonly log: Log;
}

interface Brought {
  readonly version: string;
  readonly file: string;
  readonly sha512: string;
}

/**
 * Newer versions of the app, by electron-updater: it finds the right file of the feed, loads it (of
 * an AppImage only what has changed), compares its SHA-512, keeps it, and has Apple's installer
 * run. When that is done is ours; so is replacing an AppImage, which electron-updater removes
 * before the next one is in its place, and running the installer on Windows, which has to leave a
 * way back.
 */
export function appDelivery(options: AppDeliveryOptions): Delivery {
  const {
    folder,
    appImage,
    platform,
    version: own,
    journalLayout,
    screensOnly,
    restart,
    end,
    log,
  } = options;
  let appUpdater: ReturnType<typeof AppUpdaters.createUpdater> | null = null;
  let download: Brought | null = null;
  return {
    async offered(name, wanted, asking) {
      refuseWhereOthersUpdate(options);
      const { createUpdater, readAppFeed, SignedFeed } = await options.updaters();
      const { updater, allow } = (appUpdater ??= createUpdater(platform, log));
      // electron-updater's types allow only its own providers.
      updater.setFeedURL({
        provider: 'custom',
        updateProvider: SignedFeed as never,
        name,
        wanted,
        asking,
      });
      const check = await updater.checkForUpdates();
      if (check === null) throw new Error('this installation of the app cannot update itself');
      // As SignedFeed has read it.
      const { channel, version, minimumVersion, files } = check.updateInfo as AppFeed;
      return {
        channel,
        version,
        minimumVersion,
        async bring(until) {
          const cancel = (): void => check.cancellationToken?.cancel();
          until.addEventListener('abort', cancel, { once: true });
          try {
            const size = Math.max(...files.map(({ size = 0 }) => size));
            mkdirSync(folder, { recursive: true, mode: 0o700 });
            // Room for the download, the copy of the running version and the installed file.
            requireRoom(folder, 3 * size);
            // In parts, and where that fails whole.
            allow(2 * size);
            const [file] = await updater.downloadUpdate(check.cancellationToken);
            const sha512 = files.find(({ url }) => file?.endsWith(url))?.sha512;
            if (file === undefined || sha512 === undefined)
              throw new Error(`${version} is not offered for this system`);
            if (platform === 'win32')
              await keepRunning(options, () => readAppFeed(`${own}.yml`, wanted, until), file);
            download = { version, file, sha512 };
          } finally {
            until.removeEventListener('abort', cancel);
          }
        },
      };
    },
    install(version) {
      if (download?.version !== version || appUpdater === null)
        throw new Error(`${version} must be downloaded again`);
      refuseWithoutRights(appImage, download);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // Hours may have passed since the download.
      if (
        createHash('sha512').update(readFileSync(download.file)).digest('base64') !==
        download.sha512
      )
        throw new Error(`${download.file}: no longer matches the feed`);
      if (appImage !== null) keepAppImage(folder, appImage, download);
      const before = readCurrent(folder);
      writeCurrent(folder, {
        ...before,
        version,
        state: 'trying',
        starts: 0,
        previous: null,
        journalLayout,
        stuck: null,
        screensOnly,
      });
      try {
        if (platform === 'win32') {
          const installer = previousInstaller(folder);
          if (installer.isOf(own)) installer.tryOut(download.file, readyWithinMs());
          else runInstaller(download.file, finished);
        } else if (appImage === null) appUpdater.updater.quitAndInstall(true, true);
        else putProgram(download.file, appImage);
      } catch (error) {
        // The running version goes on, and must not be taken for the newer one.
        writeCurrent(folder, before);
        throw error;
      }
      if (platform === 'win32') end();
      else if (appImage !== null) restart();
    },
  };
}

/** @throws Error in plain words */
function refuseWhereOthersUpdate({ platform, appImage }: AppDeliveryOptions): void {
  if (platform === 'linux' && appImage === null)
    throw new Error(
      'the app is not an AppImage: update it with the package manager that installed it',
    );
}

/**
 * Installers for Windows keep themselves there, for electron-updater to load only what has changed.
 * Without it the newer version is still installed: it may be the one that mends something.
 */
async function keepRunning(
  { folder, version, log }: AppDeliveryOptions,
  readOwnFeed: () => Promise<{ readonly files: readonly { readonly sha512: string }[] }>,
  downloaded: string,
): Promise<void> {
  try {
    const listed = async (): Promise<string[]> =>
      (await readOwnFeed()).files.map(({ sha512 }) => sha512);
    await previousInstaller(folder).keep(
      join(dirname(downloaded), '..', 'installer.exe'),
      version,
      listed,
    );
  } catch (error) {
    log.warn(
      { detail: messageOf(error) },
      'a newer version cannot be rolled back: the installer of this version is missing',
    );
  }
}

/** Both take room beside what was brought. @throws Error in plain words */
function keepAppImage(folder: string, appImage: string, { file }: Brought): void {
  const bytes = statSync(appImage).size + statSync(file).size;
  for (const place of [folder, dirname(appImage)]) requireRoom(place, bytes);
  previousAppImage(folder).keep(appImage);
}

/** @throws Error in plain words */
function refuseWithoutRights(appImage: string | null, { version, file }: Brought): void {
  if (appImage === null) return;
  const place = dirname(appImage);
  try {
    accessSync(place, constants.W_OK);
  } catch {
    throw new Error(
      `${version} is downloaded, but this user may not write to ${place}: an administrator must install ${file}`,
    );
  }
}
