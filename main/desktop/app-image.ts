import { sep } from 'node:path';

/** The file that this program was started from; an AppImage is unpacked to another place at each start; null when it is none. */
export function appImageOf({ APPIMAGE: file, APPDIR: unpacked }: Readonly<Record<string, string | undefined>>, program: string): string | null {
  // Another AppImage, such as a terminal, hands these variables on to whatever it starts.
  return file && unpacked && program.startsWith(`${unpacked}${sep}`) ? file : null;
}
