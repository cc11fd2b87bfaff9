/** Reads the receiver's settings from their file. */
import { dirname } from 'node:path';
import { messageOf } from '../../core/domain/errors.ts';
import type { SecretElsewhere } from '../../core/domain/secret-elsewhere.ts';
import { proxyPasswordPath } from '../../support/settings/network-settings.ts';
import { requireCertificateChecks } from '../../support/settings/certificate-checks.ts';
import { checkSettings, readSettingsFile } from '../../support/settings/settings-text.ts';
import { SettingsError } from '../../support/settings/settings-error.ts';
import { networkOf, readyNetwork } from '../../support/settings/network-settings.ts';
import { guardedFiles, lookUpSecret } from '../../support/settings/secrets.ts';
import { followToken, followTokenRule } from '../../core/domain/stickers.ts';
import type { Guarded } from '../../support/exposure.ts';
import type { Network } from '../../support/network.ts';
import { type CallbackSettings, CallbackSettingsFile, withSecrets } from './callback-settings.ts';

export interface ReadSettings {
  readonly file: CallbackSettingsFile;
  readonly guarded: readonly Guarded[];
  readonly network: Network;
  /** @param where in the settings. @throws SettingsError */
  readonly lookUp: (secret: string | SecretElsewhere, where: string) => string;
}

/** Reads the settings without looking up their secrets. @throws SettingsError */
export function readCallbackSettings(path: string): ReadSettings {
  requireCertificateChecks({ environment: process.env }, false);
  const json = readSettingsFile(path);
  const sources = { environment: process.env, safe: null, folder: dirname(path) };
  const file = checkSettings(CallbackSettingsFile, json);
  const password = (secret: string | SecretElsewhere): string =>
    lookUpSecret(secret, proxyPasswordPath, sources);
  return {
    file,
    network: networkOf(process.env, file.network && readyNetwork(file.network, sources, password)),
    guarded: guardedFiles(path, JSON.stringify(json)),
    lookUp: (secret, where) => lookUpSecret(secret, where, sources),
  };
}

/** Looks up all of the secrets. @throws SettingsError */
export function withAllSecrets({ file, lookUp }: ReadSettings): CallbackSettings {
  const mistakes: string[] = [];
  const settings = withSecrets(file, (secret, where) => {
    try {
      return lookUp(secret, where);
    } catch (error) {
      mistakes.push(messageOf(error));
      return '';
    }
  });
  for (const [at, { token }] of (settings.followers ?? []).entries())
    if (token !== '' && !followToken.test(token))
      mistakes.push(`followers.${at}.token: ${followTokenRule}, got "***"`);
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return settings;
}
