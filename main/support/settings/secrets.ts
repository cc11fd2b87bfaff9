/** Where to find a secret that the settings only refer to. */
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { SecretElsewhere, secretElsewhereSays } from '../../core/domain/secret-elsewhere.ts';
import { readBoundedFile, UnfitFileError } from '../bounded-file.ts';
import type { Guarded } from '../exposure.ts';
import { SettingsError } from './settings-error.ts';
import { messageOf, systemCodeOf } from '../../core/domain/errors.ts';

const notInClear = [
  ...SecretElsewhere.options,
  z.strictObject({ sealed: z.base64().min(1) }),
] as const;

/** @param plain the rule of the secret itself, where it stands in the settings */
export const secretThat = (plain: z.ZodType<string>, about = '') =>
  z
    .union([plain, ...notInClear])
    .describe(
      `${about}${secretElsewhereSays}; "sealed" is what the desktop app makes of it, for this machine alone.`,
    );

export const Secret = secretThat(z.string().min(1));
export type Secret = z.infer<typeof Secret>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The operating system's key store for this machine and user. */
export interface SecretSafe {
  /** @throws Error that says why, e.g. that the system offers no key store */
  seal(secret: string): string;
  /**
   * @throws Error that names the key store and says what to do, e.g. when it is locked, or the
   * secret is another user's
   */
  open(sealed: string): string;
}

export interface SecretSources {
  readonly environment: Environment;
  /** null when the system has no key store. */
  readonly safe: SecretSafe | null;
  /** The settings' folder; file names are relative to it. */
  readonly folder: string;
}

/**
 * A secret in clear, e.g. as a person entered it, is sealed where there is a safe. @param path
 * names it in the message. @throws SettingsError
 */
export function sealedSecret(
  secret: Secret,
  path: string,
  { safe }: Pick<SecretSources, 'safe'>,
): Secret {
  if (safe === null || typeof secret !== 'string') return secret;
  try {
    return { sealed: safe.seal(secret) };
  } catch (error) {
    throw new SettingsError([`${path}: cannot be stored, ${messageOf(error)}`]);
  }
}

function opened(sealed: string, path: string, safe: SecretSafe): string {
  try {
    return safe.open(sealed);
  } catch (error) {
    throw new SettingsError([
      `${path}: cannot be read back from this system's key store (${messageOf(error)}); enter it again`,
    ]);
  }
}

const maxSecretBytes = 10_000;

/**
 * @param path in the settings, e.g. `wallet.clientSecret`. @throws SettingsError that names the
 * broken rule and never the content
 */
export function lookUpSecret(
  secret: Secret,
  path: string,
  { environment, safe, folder }: SecretSources,
): string {
  if (typeof secret === 'string') return secret;
  if ('sealed' in secret) {
    if (safe === null)
      throw new SettingsError([
        `${path}: was encrypted by the desktop app, and only it can read it; enter it again`,
      ]);
    return opened(secret.sealed, path, safe);
  }
  if ('file' in secret)
    return secretIn(resolve(folder, secret.file), {
      path: `${path}.file`,
      name: secret.file,
      what: 'a file that can be read',
    });
  if ('credential' in secret) {
    const about = {
      path: `${path}.credential`,
      name: secret.credential,
      what: 'a credential that systemd has given this service (LoadCredential=)',
    };
    const credentials = environment['CREDENTIALS_DIRECTORY'];
    if (!credentials) throw mistake(about, about.what);
    return secretIn(join(credentials, secret.credential), about);
  }
  const value = environment[secret.env];
  if (!value)
    throw mistake({ path: `${path}.env`, name: secret.env }, 'an environment variable that is set');
  return value;
}

interface SecretPlace {
  readonly path: string;
  readonly name: string;
}

const mistake = ({ path, name }: SecretPlace, what: string, why = ''): SettingsError =>
  new SettingsError([`${path}: must name ${what}, got ${JSON.stringify(name)}${why}`]);

function secretIn(file: string, about: SecretPlace & { readonly what: string }): string {
  const content = contentOf(file, about);
  const text = textIn(content)?.replace(/\r?\n$/, '');
  if (text === undefined || text === '' || /\p{Cc}/u.test(text))
    throw mistake(about, 'a file that holds the secret, alone and on one line');
  return text;
}

function contentOf(path: string, about: SecretPlace & { readonly what: string }): Uint8Array {
  try {
    return readBoundedFile(path, maxSecretBytes);
  } catch (error) {
    if (!(error instanceof UnfitFileError))
      throw mistake(about, about.what, ` (${systemCodeOf(error)})`);
    throw mistake(
      about,
      error.reason === 'notAFile' ? 'a regular file' : `a file of at most ${maxSecretBytes} bytes`,
    );
  }
}

function textIn(content: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}

const secretName = /secret$|key$|password$|passphrase$|token$/i;

/**
 * The secret files that a settings file refers to, even if it breaks rules. systemd protects its
 * credentials itself.
 */
export function guardedFiles(path: string, text: string): Guarded[] {
  const files: Guarded[] = [];
  let holdsSecret = false;
  try {
    JSON.parse(text, (name, value: unknown) => {
      // Changing this file changes whom this counter trusts.
      if (name === 'certificates' && typeof value === 'string')
        files.push({ path: resolve(dirname(path), value), holdsSecret: false });
      if (!secretName.test(name)) return value;
      if (typeof value === 'string') holdsSecret = true;
      else if (
        typeof value === 'object' &&
        value !== null &&
        'file' in value &&
        typeof value.file === 'string'
      )
        files.push({ path: resolve(dirname(path), value.file), holdsSecret: true });
      return value;
    });
  } catch {
    // An unreadable file names none.
    holdsSecret = true;
  }
  return [{ path, holdsSecret }, ...files];
}
