import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
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
  /** What the program is started with. */
  readonly args: readonly string[];
  /** Where `current.json` and the version before are. */
  readonly updates: string;
}

/**
 * Whether the app starts when its user signs in. Electron sees to it on Windows and macOS; on Linux
 * it is a file of the desktop.
 */
export interface Autostart {
  /** Only what is installed can be started by the system. */
  readonly canBe: boolean;
  isOn(): boolean;
  /** @throws when the system does not allow it */
  set(on: boolean): void;
}

export function autostart({
  app,
  platform,
  environment,
  program,
  args,
  updates,
}: AutostartOptions): Autostart {
  if (platform !== 'linux')
    return {
      // macOS starts an app without arguments.
      canBe: app.isPackaged && (platform === 'win32' || args.length === 0),
      isOn: () => app.getLoginItemSettings({ args: [...args] }).openAtLogin,
      set(on) {
        if (app.isPackaged && (this.canBe || !on))
          app.setLoginItemSettings({ openAtLogin: on, args: [...args] });
      },
    };
  const file = join(
    environment['XDG_CONFIG_HOME'] || join(environment['HOME'] || homedir(), '.config'),
    'autostart',
    'tillbeacon.desktop',
  );
  return {
    canBe: app.isPackaged,
    isOn: () => existsSync(file),
    set(on) {
      if (!app.isPackaged) return;
      if (!on) return rmSync(file, { force: true });
      mkdirSync(dirname(file), { recursive: true });
      const appImage = appImageOf(environment, program);
      writeFileSync(
        file,
        desktopEntry([
          ...(appImage === null ? [program] : ['/bin/sh', '-c', guarded, appImage, updates]),
          ...args,
        ]),
      );
    },
  };
}

/**
 * Starts an AppImage ($0), with the folder of its updates ($1) and its own arguments. One that is
 * tried and ends with an error has nobody who takes it back where the power failed meanwhile: its
 * supervisor is part of it. Then the one before takes its place, if it is known to be this user's
 * and the journal has not gone beyond it.
 */
const guarded = [
  'updates=$1; shift',
  '"$0" "$@" && exit',
  'code=$?',
  'cd "$updates" && grep -q \'"state":"trying"\' current.json && grep -q \'"stuck":null\' current.json || exit $code',
  '[ -z "$(find . before.AppImage -prune \\( ! -user "$(id -u)" -o -perm /022 \\) || echo unknown)" ] || exit $code',
  'cp before.AppImage "$0.before" && chmod 755 "$0.before" && sync "$0.before" && mv -f "$0.before" "$0" && cd / && exec "$0" "$@"',
].join('; ');

/** As the Desktop Entry Specification quotes a command. */
function desktopEntry(command: readonly string[]): string {
  const quoted = command.map((word) =>
    `"${word.replaceAll(/["`$\\]/g, String.raw`\$&`)}"`
      .replaceAll('\\', '\\\\')
      .replaceAll('%', '%%'),
  );
  return `[Desktop Entry]\nType=Application\nName=Tillbeacon\nExec=${quoted.join(' ')}\n`;
}
