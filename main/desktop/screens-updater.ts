import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { messageOf, systemCodeOf } from '../domain/errors.ts';
import { UpdatesSchema } from '../settings/schema.ts';
import { exposuresOf } from '../support/exposure.ts';
import { Updater, type UpdaterOptions, type UpdatesSettings } from '../updates/updater.ts';

interface ScreensUpdaterOptions extends Omit<UpdaterOptions, 'settings'> {
  /** The update settings in this computer's own file, or null. */
  readonly own: UpdatesSettings | null;
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
      if (own !== null) return own;
      try {
        return updatesIn(settingsFile);
      } catch (error) {
        const detail = messageOf(error);
        if (toldOf !== detail) log.warn({ path: settingsFile, detail }, 'the app does not update itself: its settings cannot be used');
        toldOf = detail;
        return null;
      }
    },
  });
}

const WithUpdates = z.object({ updates: UpdatesSchema.optional() });

/** null when the daemon's settings are elsewhere, or name no feed. @throws Error in plain words */
function updatesIn(path: string): UpdatesSettings | null {
  const [exposed] = exposuresOf({ path, holdsSecret: false });
  // The programs that they name are run as this user.
  if (exposed !== undefined) throw new Error(`another user could have changed ${exposed.path}: ${exposed.command}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return WithUpdates.parse(JSON.parse(text)).updates ?? null;
}
