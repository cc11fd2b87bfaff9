import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { ipcMain } from 'electron';
import ElectronStore, { type Options } from 'electron-store';
import { z } from 'zod';
import { ThisPcChoices } from '../../../preload/procedures/this-pc.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { UpdatesSchema } from '../../counter/settings/schema.ts';

/**
 * Beside the choices, written by a person alone: how the app is updated while a daemon, whose
 * settings it cannot read, takes the payments.
 */
const StoredPreferences = ThisPcChoices.extend({ updates: UpdatesSchema.nullable() });
type StoredPreferences = z.infer<typeof StoredPreferences>;

/** Choices of a computer before a person changes them. */
const defaults: StoredPreferences = {
  windows: [],
  kiosk: true,
  zoomPercent: 100,
  language: null,
  sound: true,
  screenKeyboard: 'automatic',
  autostart: false,
  awake: { fromMinute: 6 * 60, untilMinute: 23 * 60 },
  softwareRendering: false,
  updateChannel: null,
  updates: null,
};

/**
 * By the layout of `this-pc.json` that a step leads to. The last is today's; each runs once, on
 * files of an earlier layout.
 */
const migrations: NonNullable<Options<StoredPreferences>['migrations']> = {
  // Every file of the first layout has a channel, which nobody had chosen and nothing read. It
  // would go before that of the settings now.
  '2.0.0': (store) => store.set('updateChannel', null),
};
const layout = '2.0.0';

type Store = ElectronStore<StoredPreferences>;

interface PreferencesOptions {
  readonly folder: string;
  readonly log: Log;
}

export interface Preferences {
  readonly choices: ThisPcChoices;
  /** The update settings in the file, and where it is; null when it has none. */
  readonly updates: {
    readonly path: string;
    readonly updates: NonNullable<StoredPreferences['updates']>;
  } | null;
  /**
   * On disk, whole or not at all, when it returns. @throws when it breaks a rule or cannot be
   * written; the old ones stay
   */
  change(
    changed: { readonly [Name in keyof ThisPcChoices]?: ThisPcChoices[Name] | undefined },
  ): void;
}

/**
 * A choice that this version does not know, as a newer one may have kept it before it was taken
 * back, is as usual, and the others stay. A file that cannot be read is set aside: a shop takes
 * payments also with the usual windows.
 */
export function openPreferences(options: PreferencesOptions): Preferences {
  const { folder, log } = options;
  const path = join(folder, `${fileName}.json`);
  let store: Store;
  try {
    store = openStore(options);
  } catch (error) {
    const aside = join(folder, `${fileName}.damaged.json`);
    log.error(
      { path, aside, detail: messageOf(error) },
      'preferences of this computer cannot be read: file set aside, default windows are shown',
    );
    if (existsSync(path)) renameSync(path, aside);
    store = openStore(options);
  }
  return {
    get choices() {
      return ThisPcChoices.parse(store.store);
    },
    get updates() {
      const { updates } = StoredPreferences.parse(store.store);
      return updates && { path, updates };
    },
    change(changed) {
      // Omitted properties are absent, not undefined.
      store.set(ThisPcChoices.partial().parse(changed) as Partial<ThisPcChoices>);
    },
  };
}

const fileName = 'this-pc';

function openStore({ folder, log }: PreferencesOptions): Store {
  // The file is read again and again.
  const warnedNames = new Set<string>();
  const readable = (stored: object): object =>
    Object.fromEntries(
      Object.entries(stored).map(([name, value]) => {
        const choice = name as keyof StoredPreferences;
        const broken = Object.hasOwn(StoredPreferences.shape, name)
          ? StoredPreferences.shape[choice].safeParse(value).error
          : undefined;
        if (broken === undefined) return [name, value];
        const detail = z.prettifyError(broken);
        if (!warnedNames.has(name))
          log.warn(
            { choice, detail },
            'this version cannot read a preference of this computer: using the default',
          );
        warnedNames.add(name);
        return [name, defaults[choice]];
      }),
    );
  const store = new ElectronStore<StoredPreferences>({
    name: fileName,
    cwd: folder,
    // The same JSON schema, in the types of two libraries.
    schema: z.toJSONSchema(ThisPcChoices).properties as NonNullable<
      Options<StoredPreferences>['schema']
    >,
    defaults,
    deserialize: (text) => readable(JSON.parse(text) as object) as StoredPreferences,
    migrations,
    projectVersion: layout,
    configFileMode: 0o600,
    // A damaged file is not emptied but set aside, so that nothing is lost.
    clearInvalidConfig: false,
  });
  // electron-store tells any page where the app's files are, which only pages that use it need.
  ipcMain.removeAllListeners('electron-store-get-data');
  // The file is read once, so that damage is found now.
  StoredPreferences.parse(store.store);
  return store;
}
