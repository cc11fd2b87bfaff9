/**
 * The app as a program of its supervisor: a process of the same program without windows, which
 * starts it, and again when it has ended by itself, also by a signal or a fault that no JavaScript
 * sees. Electron has no other way that is the same on all systems and can take a version back.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { becomesReady, endChild, type Program, type Running } from '../updates/launch.ts';
import { readCurrent, restartCode } from '../updates/versions.ts';
import { CrashCounter } from './crash-counter.ts';

/** Given to the app by its supervisor. */
export const supervisedOption = '--supervised';

/**
 * What the app ends with, beside `restartCode`, which asks to be started again; every other code is
 * a crash.
 */
export const exits = { wanted: 0, crashed: 1, settingsAreWrong: 2, cannotStart: 3 } as const;
/**
 * Whether it ends for good: a person has been told, and the next start would end in the same way.
 */
const isForGood = (code: number): boolean =>
  code === exits.wanted || code === exits.settingsAreWrong || code === exits.cannotStart;

/**
 * So many starts within that time are a loop: the next one waits, so that the computer stays usable
 * and the log readable.
 */
const loop = { maxCrashes: 3, withinMs: 60_000 };
const pauseMs = 30_000;

interface SupervisedOptions {
  readonly command: readonly [program: string, ...args: string[]];
  /** Folder of `current.json`. */
  readonly updates: string;
  readonly putBack: Program['putBack'];
  /** What it says on stderr; null when it has this process's. */
  readonly relayText: ((text: string) => void) | null;
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

export function supervised(options: SupervisedOptions): Program {
  const { putBack, stop, clock, log } = options;
  const crashes = new CrashCounter(clock, loop);
  return {
    // A demonstration says nothing about a version that is tried.
    chosen: ({ state, version }) =>
      state === 'trying' && !options.command.includes('--demo') ? version : null,
    start: () => new SupervisedApp(options),
    putBack: putBack ?? null,
    wasEnded: (code) => code === exits.wanted,
    async startsAgain(code) {
      if (code === restartCode) return true;
      if (stop.aborted || isForGood(code)) return false;
      const waitsMs = crashes.crashed() ? pauseMs : 0;
      log.error(
        { code, waitsSeconds: waitsMs / 1_000 },
        'app ended unexpectedly: starting it again',
      );
      await Promise.race([sleep(clock, waitsMs), aborted(stop)]);
      return !stop.aborted;
    },
  };
}

const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));

class SupervisedApp implements Running {
  readonly ended: Promise<number>;
  readonly #child: ChildProcess;
  readonly #options: SupervisedOptions;

  constructor(options: SupervisedOptions) {
    this.#options = options;
    const { command, relayText, stop, log } = options;
    const [program, ...args] = command;
    const child = spawn(program, [...args, supervisedOption], {
      stdio: ['inherit', 'inherit', relayText === null ? 'inherit' : 'pipe'],
    });
    if (relayText !== null) child.stderr?.setEncoding('utf8').on('data', relayText);
    log.info({ pid: child.pid }, 'app started');
    this.#child = child;
    const onStop = (): void => void child.kill('SIGTERM');
    stop.addEventListener('abort', onStop, { once: true });
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => {
        log.error({ detail: messageOf(error) }, 'app could not be started');
        resolve(exits.cannotStart);
      });
      child.once('close', (code, signal) => {
        if (signal !== null) log.error({ signal }, 'app was ended by a signal');
        resolve(code ?? (stop.aborted ? exits.wanted : exits.crashed));
      });
    });
    void this.ended.then(() => stop.removeEventListener('abort', onStop));
    if (stop.aborted) onStop();
  }

  /** The app notes by itself when every lane takes payments. */
  ready(withinMs: number, signal: AbortSignal): Promise<'ready' | 'late'> {
    const { updates, clock } = this.#options;
    return becomesReady(() => readCurrent(updates).state === 'good', withinMs, { signal, clock });
  }

  end(): Promise<void> {
    return endChild(this.#child, this.ended, this.#options.clock);
  }
}
