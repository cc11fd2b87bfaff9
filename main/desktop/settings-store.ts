import type { SafeStorage } from 'electron';
import Store from 'electron-store';
import { parseSettings, type ReadySettings, SettingsError } from '../settings/load.ts';

interface Stored {
  /** The settings as they were read, without the client secret. */
  settings?: Record<string, unknown>;
  /** Encrypted by the operating system's key store, base64. */
  clientSecret?: string;
}

/**
 * The settings of the desktop app: kept by electron-store, the client secret encrypted by the operating system.
 * @param fromFile replaces what is stored, e.g. at the first start
 * @throws SettingsError when there are none yet, or the stored ones can no longer be used
 */
export function desktopSettings(fromFile: ReadySettings | null, safeStorage: SafeStorage): ReadySettings {
  const store = new Store<Stored>({ name: 'tillbeacon' });
  if (fromFile !== null) save(store, fromFile, safeStorage);
  const settings = store.get('settings');
  if (settings === undefined) throw new SettingsError(['There are no settings yet. Start once with --settings FILE.']);
  return parseSettings(withSecret(settings, store.get('clientSecret'), safeStorage), process.env);
}

function save(store: Store<Stored>, settings: ReadySettings, safeStorage: SafeStorage): void {
  if ('simulator' in settings.wallet) {
    store.set('settings', settings);
    store.delete('clientSecret');
    return;
  }
  if (!safeStorage.isEncryptionAvailable()) throw new SettingsError(['wallet.clientSecret: cannot be stored, this system offers no key store']);
  const { clientSecret, ...wallet } = settings.wallet;
  store.set('settings', { ...settings, wallet });
  store.set('clientSecret', safeStorage.encryptString(clientSecret).toString('base64'));
}

function withSecret(settings: Record<string, unknown>, encrypted: string | undefined, safeStorage: SafeStorage): Record<string, unknown> {
  if (encrypted === undefined) return settings;
  try {
    const clientSecret = safeStorage.decryptString(Buffer.from(encrypted, 'base64'));
    return { ...settings, wallet: { ...(settings['wallet'] as object), clientSecret } };
  } catch (cause) {
    throw new SettingsError([
      `wallet.clientSecret: cannot be read back from this system's key store (${(cause as Error).message}); start once with --settings FILE`,
    ]);
  }
}
