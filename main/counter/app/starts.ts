/** What starts this daemon: found, and never assumed. */
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Starts } from '../../../preload/procedures/health.ts';

/** An environment variable that the launcher sets: it starts the next version of the daemon. */
export const launcherVariable = 'TILLBEACON_LAUNCHED';

export interface StartsFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parentPid: number;
  readonly home: string;
  /** '' where there is no such file. */
  readonly read: (path: string) => string;
  /** Names in a folder; none where there is no such folder. */
  readonly list: (path: string) => readonly string[];
  /** The desktop app is among the programs that start when the user signs in. */
  readonly isLoginItem: () => boolean;
}

/** How this process starts with its computer. */
export function starts(isLoginItem: () => boolean): Starts {
  return startsBy({
    platform: process.platform,
    environment: process.env,
    parentPid: process.ppid,
    home: homedir(),
    read: (path) => quietly(() => readFileSync(path, 'utf8'), ''),
    list: (path) => quietly(() => readdirSync(path), []),
    isLoginItem,
  });
}

/** `with`: what it starts with, as far as that can be seen. */
export function startsBy(facts: StartsFacts): Starts {
  const { platform } = facts;
  const system = platform === 'linux' ? 'linux' : platform === 'win32' ? 'windows' : 'other';
  if (facts.isLoginItem()) return { with: 'signIn', system };
  return { with: platform === 'linux' ? enabledUnit(facts) : 'nothing', system };
}

/**
 * A unit of systemd, and enabled. A shell has INVOCATION_ID as well, from the terminal's unit, so
 * systemd itself has to be the parent, of this process or of its launcher; and a unit that somebody
 * started by hand, without enabling it, does not come again.
 */
function enabledUnit({ environment, parentPid, home, read, list }: StartsFacts): Starts['with'] {
  const starterPid =
    environment[launcherVariable] === undefined ? parentPid : parentOf(parentPid, read);
  const unit = /\/([^/\n]+\.service)$/m.exec(read('/proc/self/cgroup'))?.[1];
  if (
    environment['INVOCATION_ID'] === undefined ||
    unit === undefined ||
    !isSystemd(starterPid, read)
  )
    return 'nothing';
  const isSystems = starterPid === 1;
  const folders = isSystems
    ? systemFolders
    : [
        join(environment['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'systemd/user'),
        ...userFolders,
      ];
  const isEnabled = folders.some((folder) =>
    list(folder).some(
      (name) => /\.(wants|requires)$/.test(name) && list(join(folder, name)).includes(unit),
    ),
  );
  if (!isEnabled) return 'nothing';
  return isSystems ? 'computer' : 'signIn';
}

/** @returns NaN where that cannot be seen */
function parentOf(pid: number, read: StartsFacts['read']): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(read(`/proc/${pid}/status`))?.[1]);
}

/**
 * A unit with ProtectProc= cannot see the processes of others, its parent among them; nothing else
 * sets INVOCATION_ID and has process 1 start a unit.
 */
function isSystemd(pid: number, read: StartsFacts['read']): boolean {
  const name = read(`/proc/${pid}/comm`).trim();
  return name === 'systemd' || (pid === 1 && name === '');
}

const systemFolders = [
  '/etc/systemd/system',
  '/usr/local/lib/systemd/system',
  '/usr/lib/systemd/system',
];
const userFolders = ['/etc/systemd/user', '/usr/local/lib/systemd/user', '/usr/lib/systemd/user'];

function quietly<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
