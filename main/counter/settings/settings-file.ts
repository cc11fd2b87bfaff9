import { existsSync, type FSWatcher, rmSync, watch } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { writeFileAtomically } from '../../support/atomic-file.ts';
import { maxSettingsBytes, readBoundedText } from '../../support/bounded-file.ts';
import type { Guarded } from '../../support/exposure.ts';
import { type ReadySettings, readySettings } from './load.ts';
import { checkSettings, jsonOfSettings } from '../../support/settings/settings-text.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import { isPasswordPath, mapSettingsSecrets } from './each-secret.ts';
import { Settings } from './schema.ts';
import { checkPictures } from './pictures.ts';
import {
  type Environment,
  guardedFiles,
  sealedSecret,
  type SecretSafe,
  type SecretSources,
} from '../../support/settings/secrets.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';

export type SettingsRead =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'right';
      readonly text: string;
      readonly settings: Settings;
      readonly ready: ReadySettings;
    }
  | { readonly kind: 'wrong'; readonly text: string; readonly mistakes: readonly string[] };

interface SettingsFileOptions {
  readonly path: string;
  /** The folder of the shop's pictures. */
  readonly dataFolder: string;
  readonly environment: Environment;
  /** Seals secrets that were written into the file; null leaves them as they are. */
  readonly safe: SecretSafe | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Waits after the last change, because editors write in several steps. */
const debounceMs = 250;
/** A file that is still invalid after this time is reported; before, it may be half written. */
const settlesInMs = 2_000;
/** Polling interval, because file system events are unreliable, e.g. on network drives. */
const lookEveryMs = 10_000;

/**
 * Reads, watches and replaces the settings file of a counter. Keeps the previous settings beside
 * it.
 */
export class SettingsFile {
  readonly path: string;
  readonly #options: SettingsFileOptions;
  #watcher: FSWatcher | null = null;
  #cancelLook: Cancel = () => {};
  #closed = false;
  /** The content that was handled last; null when there was no file. */
  #known: string | null = null;
  /** Invalid content that may still be half written. */
  #doubted: string | null = null;
  #guarded: readonly Guarded[] = [];
  /** The last log message about secrets that could not be sealed. */
  #reportedUnsealed = '';
  #inUse: Extract<SettingsRead, { kind: 'right' }> | null = null;

  constructor(options: SettingsFileOptions) {
    this.path = options.path;
    this.#options = options;
  }

  get secrets(): SecretSources {
    const { environment, safe } = this.#options;
    return { environment, safe, folder: dirname(this.path) };
  }

  /** The files that other users must not read, as of the last reading. */
  get guarded(): readonly Guarded[] {
    return this.#guarded;
  }

  read(): SettingsRead {
    this.#sealPrevious();
    const settingsRead = this.#look();
    this.#known = stateOf(settingsRead);
    return settingsRead;
  }

  /** Calls back when another program changed the file, until `close`. */
  watch(changed: (settingsRead: SettingsRead) => void): void {
    const lookLater = (ms: number): void => {
      this.#cancelLook();
      if (this.#closed) return;
      this.#cancelLook = this.#options.clock.after(ms, () => {
        lookLater(this.#check(changed) ? settlesInMs : lookEveryMs);
      });
    };
    try {
      this.#watcher = watch(dirname(this.path), (_event, name) => {
        if (name === null || name === basename(this.path))
          lookLater(this.#doubted === null ? debounceMs : settlesInMs);
      });
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch (error) {
      this.#options.log.warn(
        { path: this.path, detail: messageOf(error) },
        'the settings file cannot be watched: polling it',
      );
    }
    lookLater(debounceMs);
  }

  /**
   * Replaces the file. To put it into use or undo it, call `use` or `takeBack`.
   * @throws SettingsError when the settings break a rule; a file system error when the file cannot
   * be written. In both cases it is unchanged
   */
  write(settings: Settings): Extract<SettingsRead, { kind: 'right' }> {
    const checked = this.#sealed(this.#checked(settings));
    const ready = readySettings(checked, this.secrets);
    const text = textIn(checked);
    writeFileAtomically(this.path, text);
    this.#guarded = guardedFiles(this.path, text);
    const written = { kind: 'right', settings: checked, ready, text } as const;
    this.#known = stateOf(written);
    return written;
  }

  /** Marks the settings as in use and keeps the previous ones. */
  use(settingsRead: Extract<SettingsRead, { kind: 'right' }>): void {
    if (this.#inUse !== null && this.#inUse.text !== settingsRead.text)
      this.#keepPrevious(this.#inUse.text);
    this.#inUse = settingsRead;
  }

  /** Restores the previous file, because the new settings could not be used. */
  takeBack(): void {
    this.#known = this.#inUse && stateOf(this.#inUse);
    if (this.#inUse === null) rmSync(this.path, { force: true });
    else writeFileAtomically(this.path, this.#inUse.text);
  }

  close(): void {
    this.#closed = true;
    this.#cancelLook();
    this.#watcher?.close();
  }

  /** @returns true when the file should be read again soon */
  #check(changed: (settingsRead: SettingsRead) => void): boolean {
    const settingsRead = this.#look();
    const state = stateOf(settingsRead);
    if (state === this.#known) {
      this.#doubted = null;
      return false;
    }
    if (settingsRead.kind === 'wrong' && this.#doubted !== state) {
      this.#doubted = state;
      return true;
    }
    this.#doubted = null;
    this.#known = state;
    // The file was overwritten with invalid settings, and the settings in use are stored nowhere
    // else.
    if (
      settingsRead.kind === 'wrong' &&
      this.#inUse !== null &&
      this.#inUse.text !== settingsRead.text
    )
      this.#keepPrevious(this.#inUse.text);
    changed(settingsRead);
    return false;
  }

  #look(): SettingsRead {
    const settingsRead = this.#readFile();
    this.#guarded = settingsRead.kind === 'none' ? [] : guardedFiles(this.path, settingsRead.text);
    return settingsRead;
  }

  #readFile(): SettingsRead {
    let text = '';
    try {
      text = readBoundedText(this.path, maxSettingsBytes);
    } catch (error) {
      const [code, message] = [systemCodeOf(error), messageOf(error)];
      if (code === 'ENOENT') return { kind: 'none' };
      return {
        kind: 'wrong',
        text,
        mistakes: [`${this.path}: cannot be read (${code ?? message})`],
      };
    }
    try {
      const written = this.#checked(jsonOfSettings(this.path, text));
      const settings = this.#sealed(written);
      const ready = readySettings(settings, this.secrets);
      if (settings !== written && this.#writeSealed(settings)) text = textIn(settings);
      return { kind: 'right', text, settings, ready };
    } catch (error) {
      if (error instanceof SettingsError) return { kind: 'wrong', text, mistakes: error.mistakes };
      return { kind: 'wrong', text, mistakes: [`${this.path}: ${messageOf(error)}`] };
    }
  }

  /**
   * A disk that refuses stops no till: what stands in the file is right, and is sealed at a later
   * look. @returns whether it was written
   */
  #writeSealed(settings: Settings): boolean {
    try {
      writeFileAtomically(this.path, textIn(settings));
      return true;
    } catch (error) {
      this.#sayInClear(
        error,
        'the secrets in the settings file stay in clear: it cannot be written',
      );
      return false;
    }
  }

  /** @throws SettingsError */
  #checked(json: unknown): Settings {
    const settings = checkSettings(Settings, json);
    checkPictures(settings, this.#options.dataFolder);
    return settings;
  }

  /** Returns the same object when there is nothing to seal. @throws SettingsError */
  #sealed(settings: Settings): Settings {
    const { safe } = this.#options;
    if (safe === null) return settings;
    let hasSealed = false;
    const sealed = mapSettingsSecrets(settings, (secret, path) => {
      if (typeof secret !== 'string') return secret;
      try {
        const sealed = sealedSecret(secret, path, { safe });
        hasSealed = true;
        return sealed;
      } catch (error) {
        if (!this.#mayStayInClear(secret, path)) throw error;
        this.#sayInClear(error, 'a password of a till stays in clear in the settings file');
        return secret;
      }
    });
    return hasSealed ? sealed : settings;
  }

  /**
   * Passwords of tills were not sealed by earlier versions. Where they cannot be sealed the till
   * goes on with the one that stands in the file.
   */
  #mayStayInClear(secret: string, path: string): boolean {
    return isPasswordPath(path) && passwordsIn(this.path).has(secret);
  }

  /** Once, because the file is looked at every few seconds. */
  #sayInClear(error: unknown, words: string): void {
    if (this.#reportedUnsealed === words) return;
    this.#reportedUnsealed = words;
    this.#options.log.warn({ path: this.path, detail: messageOf(error) }, words);
  }

  /** Earlier versions left a till's password in clear in it. */
  #sealPrevious(): void {
    const path = this.#previousPath;
    if (this.#options.safe === null || !existsSync(path)) return;
    try {
      const previous = checkSettings(
        Settings,
        jsonOfSettings(path, readBoundedText(path, maxSettingsBytes)),
      );
      const sealed = this.#sealed(previous);
      if (sealed !== previous) writeFileAtomically(path, textIn(sealed));
    } catch (error) {
      this.#options.log.warn(
        { path, detail: messageOf(error) },
        'the secrets in the previous settings could not be sealed',
      );
    }
  }

  get #previousPath(): string {
    const extension = extname(this.path);
    return join(dirname(this.path), `${basename(this.path, extension)}.previous${extension}`);
  }

  #keepPrevious(text: string): void {
    const path = this.#previousPath;
    try {
      writeFileAtomically(path, text);
    } catch (error) {
      this.#options.log.warn(
        { path, detail: messageOf(error) },
        'the previous settings could not be stored',
      );
    }
  }
}

/** Compares everything, including secrets that are stored elsewhere. */
function stateOf(found: SettingsRead): string | null {
  if (found.kind === 'none') return null;
  return JSON.stringify([
    found.text,
    found.kind === 'wrong'
      ? found.mistakes
      : [
          found.ready.wallet,
          found.ready.formerWallet,
          found.ready.lanes,
          found.ready.receiver,
          found.ready.monitoring,
          found.ready.network,
        ],
  ]);
}

const textIn = (settings: Settings): string => `${JSON.stringify(settings, null, 2)}\n`;

/** Those in clear in a settings file, even if it breaks rules. */
function passwordsIn(path: string): ReadonlySet<string> {
  const passwords = new Set<string>();
  try {
    JSON.parse(
      readBoundedText(path, maxSettingsBytes).replace(/^\uFEFF/, ''),
      (name, value: unknown) => {
        if (name === 'password' && typeof value === 'string') passwords.add(value);
        return value;
      },
    );
  } catch {
    // A file that is not there, or that nobody can read, has none.
  }
  return passwords;
}
