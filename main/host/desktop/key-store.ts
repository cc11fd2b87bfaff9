import type { SafeStorage } from 'electron';
import type { Notice } from '../../core/domain/notices.ts';
import type { SecretSafe } from '../../support/settings/secrets.ts';

type Backend = ReturnType<SafeStorage['getSelectedStorageBackend']>;

const linuxStores: Readonly<Record<Backend, string>> = {
  gnome_libsecret: 'GNOME Keyring (libsecret)',
  kwallet: 'KWallet',
  kwallet5: 'KWallet',
  kwallet6: 'KWallet',
  basic_text: 'basic_text',
  unknown: 'the session’s key store',
};

/** The system's key store, by its name, and what keeps it from working. */
export class KeyStore implements SecretSafe {
  readonly #storage: SafeStorage;
  readonly #platform: NodeJS.Platform;
  #isLocked = false;

  constructor(storage: SafeStorage, platform: NodeJS.Platform) {
    this.#storage = storage;
    this.#platform = platform;
  }

  seal(secret: string): string {
    if (!this.#storage.isEncryptionAvailable()) throw new Error('this system offers no key store');
    return this.#storage.encryptString(secret).toString('base64');
  }

  open(sealed: string): string {
    try {
      const secret = this.#storage.decryptString(Buffer.from(sealed, 'base64'));
      this.#isLocked = false;
      return secret;
    } catch {
      this.#isLocked = true;
      // Electron says the same of every reason.
      throw new Error(this.#whyLocked);
    }
  }

  get name(): string {
    if (this.#platform === 'darwin') return 'the macOS keychain';
    if (this.#platform === 'win32') return 'Windows data protection (DPAPI)';
    return linuxStores[this.#backend];
  }

  /**
   * Whether Chromium has found no key store, and protects secrets by nothing but a password that
   * everybody knows.
   */
  get isPlain(): boolean {
    return this.#platform === 'linux' && this.#backend === 'basic_text';
  }

  notices(): Notice[] {
    const about = { subject: this.name, detail: null };
    return [
      ...(this.isPlain ? [{ code: 'keyStorePlain' as const, ...about }] : []),
      ...(this.#isLocked ? [{ code: 'keyStoreLocked' as const, ...about }] : []),
    ];
  }

  /** Only Electron for Linux can tell. */
  get #backend(): Backend {
    return typeof this.#storage.getSelectedStorageBackend === 'function'
      ? this.#storage.getSelectedStorageBackend()
      : 'unknown';
  }

  get #whyLocked(): string {
    if (this.isPlain)
      return 'no key store runs in this session (basic_text): first start GNOME Keyring or KWallet, unlocked, and then Tillbeacon again';
    if (this.#platform === 'linux')
      return `${this.name} is locked, or was another user's: first unlock it and start Tillbeacon again`;
    return `${this.name} does not open it: first sign in as the user who has entered it, and start Tillbeacon again`;
  }
}
