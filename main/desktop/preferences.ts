import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ipcMain } from 'electron';
import ElectronStore, { type Options } from 'electron-store';
import { z } from 'zod';
import { ThisPcChoices } from '../../preload/procedures/this-pc.ts';
import { messageOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { UpdatesSchema } from '../settings/schema.ts';
import type { UpdatesSettings } from '../updates/updater.ts';

/** Of a computer where nobody has chosen anything. */
const usual: ThisPcChoices = {
  windows: [],
  kiosk: true,
  zoomPercent: 100,
  language: null,
  sound: true,
  autostart: false,
  awake: { fromMinute: 6 * 60, untilMinute: 23 * 60 },
  softwareRendering: false,
};

/** The layout of `this-pc.json`: raised when a file of it needs one of electron-store's migrations. */
const layout = '1.0.0';

/** Beside the choices, written by a person alone: how the app is updated while a daemon, whose settings it cannot read, takes the payments. */
const Kept = ThisPcChoices.extend({ updates: UpdatesSchema.nullable().default(null) });

type Store = ElectronStore<ThisPcChoices>;

interface PreferencesOptions {
  readonly folder: string;
  readonly log: Log;
}

export interface Preferences {
  readonly choices: ThisPcChoices;
  /** null: none are in the file. */
  readonly updates: { readonly path: string; readonly updates: UpdatesSettings } | null;
  /** On disk, whole or not at all, when it returns. @throws when it breaks a rule or cannot be written; the old ones stay */
  change(changed: { readonly [Name in keyof ThisPcChoices]?: ThisPcChoices[Name] | undefined }): void;
}

/** A file that cannot be read is set aside: a shop takes payments also with the usual windows. */
export function openPreferences(options: PreferencesOptions): Preferences {
  const { folder, log } = options;
  const path = join(folder, `${fileName}.json`);
  let store: Store;
  try {
    store = openStore(options);
  } catch (error) {
    const aside = join(folder, `${fileName}.damaged.json`);
    log.error({ path, aside, detail: messageOf(error) }, 'what this computer shows cannot be read: the file is set aside, and the usual windows are shown');
    if (existsSync(path)) renameSync(path, aside);
    store = openStore(options);
  }
  return {
    get choices() {
      return ThisPcChoices.parse(store.store);
    },
    get updates() {
      const { updates } = Kept.parse(store.store);
      return updates && { path, updates };
    },
    change(changed) {
      store.set(ThisPcChoices.partial().parse(changed) as Partial<ThisPcChoices>);
    },
  };
}

const fileName = 'this-pc';

function openStore({ folder }: PreferencesOptions): Store {
  const store = new ElectronStore<ThisPcChoices>({
    name: fileName,
    cwd: folder,
    schema: z.toJSONSchema(ThisPcChoices).properties as NonNullable<Options<ThisPcChoices>['schema']>,
    defaults: usual,
    projectVersion: layout,
    configFileMode: 0o600,
    // Never emptied by itself: the file is set aside instead, so that nothing of it is lost.
    clearInvalidConfig: false,
  });
  // It answers any page where the app's files are; only pages that use electron-store themselves need that.
  ipcMain.removeAllListeners('electron-store-get-data');
  // Read once, so that a damaged file is found now.
  Kept.parse(store.store);
  return store;
}
