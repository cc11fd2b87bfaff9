/**
 * Starts the version that `current.json` names, and watches one that is tried: not ready within a minute, the version before is started again. A
 * launcher that was ended in between finds on its next start that the version was not ready, and does the same.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, sleep } from '../domain/clock.ts';
import { messageOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import {
  chosenVersion,
  type Current,
  daemonIn,
  exposedVersion,
  launcherVariable,
  readCurrent,
  restartCode,
  takenBack,
  versionFolder,
  writeCurrent,
} from './versions.ts';

export interface LaunchOptions {
  readonly dataFolder: string;
  /** The daemon's arguments. */
  readonly args: readonly string[];
  /** The installed one. */
  readonly program: string;
  readonly version: string;
  readonly readyWithinMs: number;
  /** Ends it in an orderly way. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

const endsWithinMs = 10_000;
const askEveryMs = 250;

/** @returns the exit code of the daemon that ended without another to start */
export async function launch(options: LaunchOptions): Promise<number> {
  for (;;) {
    const code = await once(options);
    if (code !== 'again') return code;
  }
}

async function once(options: LaunchOptions): Promise<number | 'again'> {
  const { dataFolder, stop, clock, log } = options;
  const updates = join(dataFolder, 'updates');
  const current = readCurrent(updates);
  const version = trustedVersion(options, current);
  const isTried = current.state === 'trying' && version !== null;
  if (isTried && current.starts > 0 && mayGoBack(options)) return takeBack(options, 'it was ended before it was ready');
  if (isTried) writeCurrent(updates, { ...current, starts: current.starts + 1 });
  const daemon = new Daemon(options, version === null ? options.program : versionFolder(updates, version));
  const watching = new AbortController();
  const outcome = isTried ? await Promise.race([daemon.ended, daemon.ready(options.readyWithinMs, watching.signal)]) : null;
  watching.abort();
  if (outcome === 'ready') {
    writeCurrent(updates, { ...current, state: 'good', starts: 0 });
    log.info({ version }, 'the newer version is ready');
  }
  if (outcome === 'late') {
    if (mayGoBack(options)) {
      await daemon.end();
      return takeBack(options, `it was not ready within ${options.readyWithinMs / 1000} s`);
    }
    log.error({ version }, 'the newer version is not ready, and there is no way back: it has brought the journal to a layout that the one before cannot read');
  }
  const code = await daemon.ended;
  if (stop.aborted) {
    // Somebody wanted it: it says nothing about the version.
    if (isTried && outcome !== 'ready') writeCurrent(updates, current);
    return code;
  }
  if (isTried && outcome !== 'ready' && mayGoBack(options)) return takeBack(options, `it ended with ${code} before it was ready`);
  if (code !== restartCode) return code;
  await sleep(clock, 0);
  return 'again';
}

/** Before the daemon looks after its folder. */
function trustedVersion({ dataFolder, version: installedVersion, log }: LaunchOptions, current: Current): string | null {
  const updates = join(dataFolder, 'updates');
  const version = chosenVersion(current, updates, installedVersion);
  const exposure = version === null ? null : exposedVersion(updates, version);
  if (exposure === null) return version;
  log.error({ version, ...exposure }, 'the newer version is not started: another user could have put it there');
  return null;
}

function takeBack({ dataFolder, clock, log }: LaunchOptions, why: string): 'again' {
  const updates = join(dataFolder, 'updates');
  const current = readCurrent(updates);
  writeCurrent(updates, takenBack(current, why, clock.wallMs()));
  log.error({ version: current.version, why }, 'the newer version is taken back: the one before is started again');
  return 'again';
}

/** The version before can read the journal. A journal that nobody can read now is its own to judge. */
function mayGoBack({ dataFolder }: LaunchOptions): boolean {
  const path = join(dataFolder, 'journal.sqlite');
  if (!existsSync(path)) return true;
  let db: DatabaseSync | null = null;
  try {
    db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const layout = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    return layout <= readCurrent(join(dataFolder, 'updates')).journalLayout;
  } catch {
    return true;
  } finally {
    db?.close();
  }
}

class Daemon {
  /** With its exit code; 1: by a signal that nobody here sent, or it could not be started. */
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  /** From the line that says that it is ready. */
  #screens: string | null = null;

  constructor({ args, stop, clock, log }: LaunchOptions, program: string) {
    this.#clock = clock;
    const own = join(program, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    // The channel tells the daemon when its launcher is gone: nobody would end it otherwise.
    const child = spawn(existsSync(own) ? own : process.execPath, [daemonIn(program), ...args], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
      // systemd's watchdog means the launcher by its id, and it is the daemon that must not hang.
      env: { ...process.env, [launcherVariable]: '1', WATCHDOG_PID: undefined },
    });
    this.#child = child;
    const onStop = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', onStop, { once: true });
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        log.error({ detail: messageOf(error) }, 'the daemon could not be started');
        resolve(1);
      });
      child.once('close', (code, signal) => resolve(code ?? (stop.aborted && signal === 'SIGTERM' ? 0 : 1)));
    });
    void this.ended.then(() => stop.removeEventListener('abort', onStop));
    if (stop.aborted) onStop();
    let line = '';
    child.stdout?.on('data', (part: Buffer) => {
      process.stdout.write(part);
      if (this.#screens !== null) return;
      line = (line + part.toString()).slice(-10_000);
      this.#screens = /^\{"ready":true,"screens":"(http:[^"]+)"/m.exec(line)?.[1] ?? null;
    });
  }

  /** Ready means that every lane takes payments, as /readyz says. */
  async ready(withinMs: number, signal: AbortSignal): Promise<'ready' | 'late'> {
    const lateAtMs = this.#clock.monotonicMs() + withinMs;
    while (this.#clock.monotonicMs() < lateAtMs && !signal.aborted) {
      if (this.#screens !== null && (await isReady(this.#screens))) return 'ready';
      await sleep(this.#clock, askEveryMs);
    }
    return 'late';
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM');
    const cancel = this.#clock.after(endsWithinMs, () => this.#child.kill('SIGKILL'));
    await this.ended;
    cancel();
  }
}

const isReady = (screens: string): Promise<boolean> =>
  fetch(`${screens}/readyz`, { signal: AbortSignal.timeout(2_000), redirect: 'error' }).then(
    ({ status }) => status === 200,
    () => false,
  );
