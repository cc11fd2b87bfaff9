import { readFileSync } from 'node:fs';
import { sep } from 'node:path';

/**
 * The file that this program was started from; an AppImage is unpacked to another place at each
 * start; null when it is none.
 */
export function appImageOf(
  { APPIMAGE: file, APPDIR: unpacked }: Readonly<Record<string, string | undefined>>,
  program: string,
): string | null {
  // Another AppImage, such as a terminal, passes these variables on to its children.
  return file && unpacked && program.startsWith(`${unpacked}${sep}`) ? file : null;
}

/**
 * Settings of Linux without which a program that is not installed has no sandbox, with the value
 * that takes it away.
 */
const namespaceSettings = {
  // Ubuntu from 23.10 on.
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns': '1',
  '/proc/sys/kernel/unprivileged_userns_clone': '0',
  '/proc/sys/user/max_user_namespaces': '0',
};

/**
 * The warning for a person who starts this AppImage. null when its pages have a sandbox, or when
 * the program is no AppImage.
 */
export function sandboxWarning(
  appImage: string | null,
  args: readonly string[],
  read: (path: string) => string | null = contentOf,
): string | null {
  if (appImage === null) return null;
  const settings = Object.entries(namespaceSettings).filter(
    ([path, value]) => read(path)?.trim() === value,
  );
  // The AppImage's own start adds the option where the system has no namespaces for it.
  if (settings.length === 0 && !args.includes('--no-sandbox')) return null;
  const why =
    settings.length === 0
      ? '--no-sandbox'
      : settings.map(([path, value]) => `${path} is ${value}`).join(', ');
  return `Tillbeacon: this system gives an AppImage no sandbox (${why}). Install the package tillbeacon-app as a deb instead, which has one.`;
}

function contentOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
