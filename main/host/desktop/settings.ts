import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../core/domain/clock.ts';
import type { Log } from '../../core/domain/log.ts';
import { loadSettings } from '../../counter/settings/load.ts';
import type { SecretSafe } from '../../support/settings/secrets.ts';
import { SettingsFile } from '../../counter/settings/settings-file.ts';

interface DesktopSettingsOptions {
  readonly dataFolder: string;
  /** A file that replaces the settings, e.g. at the first start; null to use what there is. */
  readonly importedFrom: string | null;
  readonly keyStore: SecretSafe;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The settings of the desktop app: the same file in the data folder as the daemon's, its secrets
 * sealed by the operating system.
 * @throws SettingsError when the file to import breaks a rule
 */
export function desktopSettings({
  dataFolder,
  importedFrom,
  keyStore,
  clock,
  log,
}: DesktopSettingsOptions): SettingsFile {
  mkdirSync(dataFolder, { recursive: true });
  const file = new SettingsFile({
    path: join(dataFolder, 'settings.json'),
    dataFolder,
    environment: process.env,
    safe: keyStore,
    clock,
    log,
  });
  if (importedFrom === null) return file;
  file.write(loadSettings(importedFrom, process.env));
  return file;
}
