import { readFileSync } from 'node:fs';
import { messageOf, systemCodeOf } from '../domain/errors.ts';
import { UpdatesSchema } from '../settings/schema.ts';
import { exposuresOf } from '../support/exposure.ts';
import { Updater, type UpdaterOptions, type UpdatesSettings } from '../updates/updater.ts';

interface ScreensUpdaterOptions extends Omit<UpdaterOptions, 'settings'> {
  /** Of this computer's own file; null: none are there. */
  readonly own: { readonly path: string; readonly updates: UpdatesSettings } | null;
  /** The daemon's settings, where it has this app's data folder. */
  readonly settingsFile: string;
}

/**
 * Newer versions of an app whose windows are the screens of a daemon. Who signs them is read from files of this user: whoever has the daemon's port is
 * asked what is under way, and nothing else.
 */
export function screensUpdater({ own, settingsFile, log, ...options }: ScreensUpdaterOptions): Updater {
  let toldOf: string | null = null;
  return new Updater({
    ...options,
    log,
    settings() {
      const path = own?.path ?? settingsFile;
      try {
        refuseExposed(path);
        return own?.updates ?? updatesIn(path);
      } catch (error) {
        const detail = messageOf(error);
        if (toldOf !== detail) log.warn({ path, detail }, 'the app does not update itself: its settings cannot be used');
        toldOf = detail;
        return null;
      }
    },
  });
}

/** What a file names is run as this user. @throws Error in plain words */
function refuseExposed(path: string): void {
  const [exposed] = exposuresOf({ path, holdsSecret: false });
  if (exposed !== undefined) throw new Error(`another user could have changed ${exposed.path}: ${exposed.command}`);
}

/** null: the daemon keeps its settings elsewhere, or they name no feed. @throws Error in plain words */
function updatesIn(path: string): UpdatesSettings | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
  const { updates } = JSON.parse(text) as { updates?: unknown };
  return updates === undefined ? null : UpdatesSchema.parse(updates);
}
