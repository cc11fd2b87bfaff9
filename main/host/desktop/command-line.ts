import { parseArgs } from 'node:util';
import { SettingsError } from '../../support/settings/settings-error.ts';

/** What the app is started with. */
export interface CommandLine {
  readonly demo: boolean;
  /** The wallet service of the demonstration. */
  readonly service: string | null;
  /** The interface that the demonstration shows. */
  readonly dataFolder: string | null;
  /** A settings file to import. */
  readonly settingsFile: string | null;
  /** Port of the screens of a daemon that takes the payments; null when no daemon is named. */
  readonly daemonPort: number | null;
}

/** @throws SettingsError */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const text = { type: 'string' } as const;
  // Not strict, because Electron and Chromium have options of their own.
  const { values } = parseArgs({
    args: [...args],
    strict: false,
    options: { settings: text, data: text, demo: { type: 'boolean' }, service: text, daemon: text },
  });
  const textOf = (value: string | boolean | undefined): string | null =>
    typeof value === 'string' ? value : null;
  return {
    demo: values.demo === true,
    service: textOf(values.service),
    dataFolder: textOf(values.data),
    settingsFile: textOf(values.settings),
    daemonPort: values.daemon === undefined ? null : portOf(values.daemon),
  };
}

/**
 * What the system has to start the app with again: an app beside a daemon would otherwise take
 * payments itself. A settings file is imported once.
 */
export function argsAtSignIn({ daemonPort }: CommandLine): readonly string[] {
  return daemonPort === null ? [] : [`--daemon=${daemonPort}`];
}

/** @param given true: nothing follows the option */
function portOf(given: string | boolean): number {
  const port = Number(given);
  if (typeof given === 'string' && /^\d+$/.test(given) && port > 0 && port <= 65_535) return port;
  const got = typeof given === 'string' ? JSON.stringify(given) : 'nothing';
  throw new SettingsError([
    `--daemon: must be the port of a daemon's screens, 1 to 65535, got ${got}`,
  ]);
}
