import { isAbsolute, relative, resolve } from 'node:path';

interface Folders {
  readonly dataFolder: string;
  /** The folder of the settings file, where relative paths begin. */
  readonly settingsFolder: string;
}

/**
 * What settings name and a copy of the data folder does not hold, in words: secrets and
 * certificates.
 */
export function filesElsewhere(settings: string, folders: Folders): string[] {
  const missing: string[] = [];
  try {
    JSON.parse(settings, (name, value: unknown) => {
      const place =
        name === 'certificate' && typeof value === 'string'
          ? whichFile(value, folders)
          : whereElse(value, folders);
      if (place !== null) missing.push(`${name}: ${place}`);
      return value;
    });
  } catch {
    // A file that nobody can read names none.
  }
  return missing;
}

function whereElse(value: unknown, folders: Folders): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if ('env' in value && typeof value.env === 'string')
    return `the environment variable ${value.env}`;
  if ('credential' in value && typeof value.credential === 'string')
    return `the systemd credential ${value.credential}`;
  if ('sealed' in value && typeof value.sealed === 'string')
    return 'sealed by the desktop app for the old computer alone: enter it again in the setup';
  return 'file' in value && typeof value.file === 'string' ? whichFile(value.file, folders) : null;
}

/** null: it is restored to where the settings, then in the data folder, name it. */
function whichFile(path: string, { dataFolder, settingsFolder }: Folders): string | null {
  const file = resolve(settingsFolder, path);
  const isAlongside =
    !isAbsolute(path) &&
    resolve(settingsFolder) === resolve(dataFolder) &&
    !relative(dataFolder, file).startsWith('..');
  return isAlongside ? null : `the file ${file}`;
}
