import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App } from 'electron';
import { appImageOf } from './app-image.ts';

interface AutostartOptions {
  readonly app: Pick<App, 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of this program; an AppImage is unpacked to another place at each start. */
  readonly program: string;
}

/** Whether the app starts when its user signs in. Electron sees to it on Windows and macOS; on Linux it is a file of the desktop. */
export interface Autostart {
  /** Whether the system can start it: only an installed program. */
  readonly canBe: boolean;
  isOn(): boolean;
  /** @throws when the system does not allow it */
  set(on: boolean): void;
}

export function autostart({ app, platform, environment, program }: AutostartOptions): Autostart {
  if (platform !== 'linux')
    return {
      canBe: app.isPackaged,
      isOn: () => app.getLoginItemSettings().openAtLogin,
      set: (on) => {
        if (app.isPackaged) app.setLoginItemSettings({ openAtLogin: on });
      },
    };
  const file = join(environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config'), 'autostart', 'tillbeacon.desktop');
  return {
    canBe: app.isPackaged,
    isOn: () => existsSync(file),
    set(on) {
      if (!app.isPackaged) return;
      if (!on) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, desktopEntry(appImageOf(environment, program) ?? program));
    },
  };
}

/** The program's path quoted as the Desktop Entry Specification demands. */
function desktopEntry(program: string): string {
  const quoted = program
    .replaceAll(/["`$\\]/g, String.raw`\$&`)
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%');
  return `[Desktop Entry]\nType=Application\nName=Tillbeacon\nExec="${quoted}"\n`;
}
