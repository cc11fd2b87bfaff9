import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { App } from 'electron';
import { appImageOf } from './app-image.ts';

interface AutostartOptions {
  readonly app: Pick<App, 'getLoginItemSettings' | 'isPackaged' | 'setLoginItemSettings'>;
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Of this program; an AppImage is unpacked to another place at each start. */
  readonly program: string;
  /** What the program is started with. */
  readonly args: readonly string[];
}

/** Whether the app starts when its user signs in. Electron sees to it on Windows and macOS; on Linux it is a file of the desktop. */
export interface Autostart {
  /** Only what is installed can be started by the system. */
  readonly canBe: boolean;
  isOn(): boolean;
  /** @throws when the system does not allow it */
  set(on: boolean): void;
}

export function autostart({ app, platform, environment, program, args }: AutostartOptions): Autostart {
  if (platform !== 'linux')
    return {
      // macOS starts an app without arguments.
      canBe: app.isPackaged && (platform === 'win32' || args.length === 0),
      isOn: () => app.getLoginItemSettings({ args: [...args] }).openAtLogin,
      set(on) {
        if (app.isPackaged && (this.canBe || !on)) app.setLoginItemSettings({ openAtLogin: on, args: [...args] });
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
      writeFileSync(file, desktopEntry([appImageOf(environment, program) ?? program, ...args]));
    },
  };
}

/** As the Desktop Entry Specification quotes a program and its arguments. */
function desktopEntry(command: readonly string[]): string {
  const quoted = command.map(
    (part) =>
      `"${part
        .replaceAll(/["`$\\]/g, String.raw`\$&`)
        .replaceAll('\\', '\\\\')
        .replaceAll('%', '%%')}"`,
  );
  return `[Desktop Entry]\nType=Application\nName=Tillbeacon\nExec=${quoted.join(' ')}\n`;
}
