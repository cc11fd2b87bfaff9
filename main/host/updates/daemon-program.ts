/**
 * The daemon as a program of the launcher: the version that `current.json` names, or the installed
 * one.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { becomesReady, endChild, type Program, type Running } from './launch.ts';
import {
  chosenVersion,
  daemonIn,
  exposedVersion,
  readinessQuestion,
  restartCode,
  versionFolder,
} from './versions.ts';
import { launcherVariable } from '../boot/starts.ts';

interface DaemonProgramOptions {
  /** The folder `updates` of the data folder. */
  readonly updates: string;
  /** The daemon's arguments. */
  readonly args: readonly string[];
  /** The installed version. */
  readonly program: string;
  readonly version: string;
  /** What it says on stderr; null when it has this process's. */
  readonly relayText: ((text: string) => void) | null;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

export function daemonProgram(options: DaemonProgramOptions): Program {
  const { updates, program, version: installedVersion, clock, log } = options;
  return {
    chosen(current) {
      const version = chosenVersion(current, updates, installedVersion);
      // Checked before the daemon itself checks its folder.
      const exposure = version === null ? null : exposedVersion(updates, version);
      if (exposure === null) return version;
      log.error(
        { version, ...exposure },
        'newer version is not started: another user could have changed its files',
      );
      return null;
    },
    start: (version) =>
      new Daemon(options, version === null ? program : versionFolder(updates, version)),
    wasEnded: () => false,
    async startsAgain(code) {
      await sleep(clock, 0);
      return code === restartCode;
    },
  };
}

class Daemon implements Running {
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  /** As the daemon answered last. */
  #isReady = false;

  constructor({ args, relayText, stop, clock, log }: DaemonProgramOptions, program: string) {
    this.#clock = clock;
    const own = join(program, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    // Through the channel the daemon notices when its launcher is gone: nobody else would end it.
    const child = spawn(existsSync(own) ? own : process.execPath, [daemonIn(program), ...args], {
      stdio: ['ignore', 'pipe', relayText === null ? 'inherit' : 'pipe', 'ipc'],
      // systemd's watchdog names the launcher by its id, but it is the daemon that must not hang.
      env: { ...process.env, [launcherVariable]: '1', WATCHDOG_PID: undefined },
    });
    this.#child = child;
    if (relayText !== null) child.stderr?.setEncoding('utf8').on('data', relayText);
    const onStop = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', onStop, { once: true });
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        log.error({ detail: messageOf(error) }, 'daemon could not be started');
        resolve(1);
      });
      child.once('close', (code, signal) =>
        resolve(code ?? (stop.aborted && signal === 'SIGTERM' ? 0 : 1)),
      );
    });
    void this.ended.then(() => stop.removeEventListener('abort', onStop));
    if (stop.aborted) onStop();
    child.stdout?.on('data', (part: Buffer) => process.stdout.write(part));
    child.on('message', (message) => {
      this.#isReady = Readiness.safeParse(message).data?.isReady ?? false;
    });
  }

  /**
   * Ready means that every lane takes payments. Asked over the channel that nobody else has: other
   * programs can take all places of the screens' server, and a good version would be taken back.
   */
  ready(withinMs: number, signal: AbortSignal): Promise<'ready' | 'late'> {
    const isReady = (): boolean => {
      // Its end is told by `ended`.
      if (this.#child.connected) this.#child.send(readinessQuestion, () => {});
      return this.#isReady;
    };
    return becomesReady(isReady, withinMs, { signal, clock: this.#clock });
  }

  end(): Promise<void> {
    return endChild(this.#child, this.ended, this.#clock);
  }
}

const Readiness = z.object({ isReady: z.boolean() });
