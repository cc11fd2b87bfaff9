import { isAbsolute, normalize } from 'node:path';

/** The secrets that settings name and a copy of the data folder does not hold, in words. */
export function secretsElsewhere(settings: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(settings, (name, value: unknown) => {
      const told = typeof value === 'object' && value !== null ? whereElse(value) : null;
      if (told !== null) found.push(`${name}: ${told}`);
      return value;
    });
  } catch {
    // A file that nobody can read names none.
  }
  return found;
}

function whereElse(value: object): string | null {
  if ('env' in value && typeof value.env === 'string') return `the environment variable ${value.env}`;
  if ('credential' in value && typeof value.credential === 'string') return `the systemd credential ${value.credential}`;
  if ('sealed' in value && typeof value.sealed === 'string') return 'sealed by the desktop app for the old computer alone: enter it again in the setup';
  if ('file' in value && typeof value.file === 'string' && (isAbsolute(value.file) || normalize(value.file).startsWith('..'))) return `the file ${value.file}`;
  return null;
}
