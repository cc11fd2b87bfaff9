/** The part of electron-updater that is loaded. */
import { AppImageUpdater, type AppUpdater, MacUpdater, NsisUpdater } from 'electron-updater';
import type { Log } from '../domain/log.ts';

export { readAppFeed, SignedFeed } from './app-feed.ts';

export function createUpdater(platform: NodeJS.Platform, log: Log): AppUpdater {
  const updater = platform === 'win32' ? new NsisUpdater() : platform === 'darwin' ? new MacUpdater() : new AppImageUpdater();
  // Both are decided by `updates/updater.ts` instead.
  updater.autoDownload = false;
  updater.autoInstallOnAppQuit = false;
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  const said = (detail: unknown): void => log.debug({ detail: String(detail) }, 'electron-updater');
  updater.logger = { info: said, warn: said, error: said, debug: said };
  return updater;
}
