/** Whether the app can place its windows: X11 lets it, Wayland does not. */
import { existsSync, readFileSync } from 'node:fs';
import type { Environment } from '../../support/settings/secrets.ts';

export interface DisplaySession {
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
  /** What the program was started with. */
  readonly args: readonly string[];
  readonly hasXServer: (display: string) => boolean;
}

const option = /^--ozone-platform(?:-hint)?=(.*)$/;

const isWayland = ({
  platform,
  environment,
}: Pick<DisplaySession, 'platform' | 'environment'>): boolean =>
  platform === 'linux' &&
  ((environment['WAYLAND_DISPLAY'] ?? '') !== '' || environment['XDG_SESSION_TYPE'] === 'wayland');

/**
 * What the supervisor adds to the app's command: Electron chooses its display server before any
 * code of the app runs.
 */
export function displayOptions(session: DisplaySession): readonly string[] {
  const isChosen = session.args.some((arg) => option.test(arg));
  return !isChosen && isWayland(session) && session.hasXServer(session.environment['DISPLAY'] ?? '')
    ? ['--ozone-platform=x11']
    : [];
}

export function canPlaceWindows(session: Omit<DisplaySession, 'hasXServer'>): boolean {
  const chosen = session.args.findLast((arg) => option.test(arg));
  const platform = chosen === undefined ? 'auto' : option.exec(chosen)?.[1];
  return platform === 'x11' || (platform !== 'wayland' && !isWayland(session));
}

/** @param display as in DISPLAY. The variable may be left over from a server that has ended */
export function hasXServer(display: string): boolean {
  const number = /^(?:unix)?:(\d+)(?:\.\d+)?$/.exec(display)?.[1];
  // On another computer: it cannot be looked for.
  if (number === undefined) return /^[^:]+:\d+/.test(display);
  const socket = `/tmp/.X11-unix/X${number}`;
  return existsSync(socket) || hasAbstractSocket(socket);
}

function hasAbstractSocket(path: string): boolean {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
      .split('\n')
      .some((line) => line.endsWith(` @${path}`));
  } catch {
    return false;
  }
}
