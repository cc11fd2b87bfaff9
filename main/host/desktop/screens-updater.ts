import { z } from 'zod';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { UpdatesSchema } from '../../counter/settings/schema.ts';
import { maxSettingsBytes, readBoundedText } from '../../support/bounded-file.ts';
import { exposuresOf } from '../../support/exposure.ts';

type UpdatesSettings = z.infer<typeof UpdatesSchema>;

interface AppFeedOptions {
  /** The update settings in this computer's own file, and where it is; null when it has none. */
  readonly own: { readonly path: string; readonly updates: UpdatesSettings } | null;
  /** The daemon's settings, where it has this app's data folder. */
  readonly settingsFile: string;
  readonly log: Log;
}

export interface AppFeed {
  readonly settings: UpdatesSettings;
  readonly from: 'thisPc' | 'settings';
}

/**
 * Where newer versions come from for an app whose windows are the screens of a daemon; null when
 * nothing says it. The signing key comes from files of this user. The process at the daemon's port
 * is only asked what is under way.
 */
export function appFeed({ own, settingsFile, log }: AppFeedOptions): () => AppFeed | null {
  let warnedDetail: string | null = null;
  return () => {
    const path = own?.path ?? settingsFile;
    try {
      refuseExposed(path);
      if (own !== null) return { settings: own.updates, from: 'thisPc' };
      const settings = updatesIn(path);
      return settings && { settings, from: 'settings' };
    } catch (error) {
      const detail = messageOf(error);
      if (warnedDetail !== detail)
        log.warn(
          { path, detail },
          'app does not update itself: its update settings cannot be used',
        );
      warnedDetail = detail;
      return null;
    }
  };
}

/** @param chosen for this computer; null: the channel is that of the settings */
export function inChannel(
  feed: AppFeed | null,
  chosen: UpdatesSettings['channel'] | null,
): UpdatesSettings | null {
  return feed && { ...feed.settings, channel: chosen ?? feed.settings.channel };
}

const WithUpdates = z.object({ updates: UpdatesSchema.optional() });

/** The programs that a file names are run as this user. @throws Error in plain words */
function refuseExposed(path: string): void {
  const [exposed] = exposuresOf({ path, holdsSecret: false });
  if (exposed !== undefined)
    throw new Error(`another user could have changed ${exposed.path}: ${exposed.command}`);
}

/** null when the daemon's settings are elsewhere, or name no feed. @throws Error in plain words */
function updatesIn(path: string): UpdatesSettings | null {
  let text: string;
  try {
    text = readBoundedText(path, maxSettingsBytes);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
  return WithUpdates.parse(JSON.parse(text)).updates ?? null;
}
