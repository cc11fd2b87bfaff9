/** What starts this daemon: found, and never assumed. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, win32 } from 'node:path';
import type { Starts } from '../../../preload/procedures/health.ts';
import { isTaskEnabled, taskQuestion } from './windows.ts';
import type { Clock } from '../../core/domain/clock.ts';

/** An environment variable that the launcher sets: it starts the next version of the daemon. */
export const launcherVariable = 'TILLBEACON_LAUNCHED';

export interface StartsFacts {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parentPid: number;
  readonly home: string;
  /** Text of a file; '' when the file is missing. */
  readonly read: (path: string) => string;
  /** Names in a folder; empty when the folder is missing. */
  readonly list: (path: string) => readonly string[];
  /** The Task Scheduler's answer; null without a task, or before the first answer. */
  readonly task: string | null;
  /** The desktop app is among the programs that start when the user signs in. */
  readonly isLoginItem: () => boolean;
}

/** The task may be made, or disabled, while the daemon runs. PowerShell takes a second or more. */
const askAgainMs = 60_000;
const answersWithinMs = 20_000;

/**
 * How this process starts with its computer. On Windows the Task Scheduler is asked in the
 * background, at once and when the last answer is old.
 */
export function findStarts(
  isLoginItem: () => boolean,
  clock: Pick<Clock, 'monotonicMs'>,
  platform: NodeJS.Platform = process.platform,
  ask: Ask = askPowershell,
): () => Starts {
  let task: string | null = null;
  let lastQueryMs = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    if (platform !== 'win32' || clock.monotonicMs() - lastQueryMs < askAgainMs) return;
    lastQueryMs = clock.monotonicMs();
    ask(taskQuestion, (answer) => (task = answer));
  };
  look();
  return () => {
    look();
    return startsBy({
      platform,
      environment: process.env,
      parentPid: process.ppid,
      home: homedir(),
      read: (path) => quietly(() => readFileSync(path, 'utf8'), ''),
      list: (path) => quietly(() => readdirSync(path), []),
      task,
      isLoginItem,
    });
  };
}

type Ask = (command: readonly string[], answered: (answer: string | null) => void) => void;

/** By its whole path: Windows looks for a bare name in the working folder first. */
function askPowershell(
  [, ...args]: readonly string[],
  answered: (answer: string | null) => void,
): void {
  const system = process.env['SystemRoot'] ?? String.raw`C:\Windows`;
  const program = win32.join(system, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const options = { timeout: answersWithinMs, windowsHide: true };
  execFile(program, args, options, (error, stdout) => answered(error === null ? stdout : null));
}

/** `with`: what it starts with, as far as that can be seen. */
export function startsBy(facts: StartsFacts): Starts {
  const { platform } = facts;
  const system = platform === 'linux' ? 'linux' : platform === 'win32' ? 'windows' : 'other';
  if (facts.isLoginItem()) return { with: 'signIn', system };
  if (system === 'windows')
    return { with: isStartedByTask(facts) ? 'computer' : 'nothing', system };
  return { with: platform === 'linux' ? enabledUnit(facts) : 'nothing', system };
}

/**
 * Local Service has no sign-in: what runs as it was started by the task, also where the task cannot
 * be seen. Its folder has the same name in every language.
 */
function isStartedByTask({ environment, task }: StartsFacts): boolean {
  if (task === null)
    return /\\ServiceProfiles\\LocalService\\?$/i.test(environment['USERPROFILE'] ?? '');
  return isTaskEnabled(task);
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
