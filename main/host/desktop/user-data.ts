/**
 * Where the app keeps its data. On Windows Electron's own choice is the part of a profile that
 * roams: it may lie on a share, or be copied to every computer at which the user signs in, and
 * with it the journal. Here it is the part that stays, and what is found in the other one is
 * moved.
 */
import { basename, join } from 'node:path';
import type { App, Dialog } from 'electron';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { moveFolder } from './move-folder.ts';

interface UserDataOptions {
  readonly app: Pick<App, 'getPath' | 'setPath' | 'commandLine'>;
  readonly dialog: Pick<Dialog, 'showErrorBox'>;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

/**
 * Called before anything is opened there, Chromium's files included: Electron takes no other
 * folder afterwards.
 * @returns false when what is there cannot be moved; a person has been told why, and the app must
 * not start
 */
export function openUserData(options: UserDataOptions): boolean {
  const { app, dialog, log } = options;
  const roaming = app.getPath('userData');
  const folder = localFolder(roaming, options);
  if (folder === roaming) return true;
  try {
    moveFolder({ from: roaming, to: folder, log });
  } catch (error) {
    dialog.showErrorBox('Tillbeacon cannot start', messageOf(error));
    return false;
  }
  for (const name of ['userData', 'sessionData'] as const) app.setPath(name, folder);
  return true;
}

function localFolder(roaming: string, { app, platform, environment }: UserDataOptions): string {
  const local = environment['LOCALAPPDATA'];
  // A folder on the command line is used unchanged.
  if (platform !== 'win32' || !local || app.commandLine.hasSwitch('user-data-dir')) return roaming;
  return join(local, basename(roaming));
}
