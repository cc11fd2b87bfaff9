/**
 * Starts a program, and watches a version of it that is tried: not ready within a minute, the version before is started again. A launcher that was
 * ended in between finds on its next start that the version was not ready, and does the same. The daemon's launcher and the desktop app's supervisor
 * are programs of this.
 */
import { type Clock, sleep } from '../domain/clock.ts';
import { messageOf } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { numberIn } from '../support/command-line.ts';
import { FolderInUseError, lockFolder } from '../support/folder-lock.ts';
import { copySuffices, keepCopy, layoutOf, putCopyBack, removeCopy } from './journal-copy.ts';
import { type Current, readCurrent, takenBack, writeCurrent } from './versions.ts';

const askEveryMs = 250;
const endsWithinMs = 10_000;

export interface Running {
  /** Resolves with its exit code, or 1 when it could not be started or was ended by a signal of others. */
  readonly ended: Promise<number>;
  ready(withinMs: number, signal: AbortSignal): Promise<'ready' | 'late'>;
  /** Ends it in an orderly way, within some seconds. */
  end(): Promise<void>;
}

/** Asks repeatedly until it is ready. */
export async function becomesReady(
  isReady: () => boolean | Promise<boolean>,
  withinMs: number,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<'ready' | 'late'> {
  const lateAtMs = clock.monotonicMs() + withinMs;
  while (clock.monotonicMs() < lateAtMs && !signal.aborted) {
    if (await isReady()) return 'ready';
    await sleep(clock, askEveryMs);
  }
  return 'late';
}

interface Child {
  kill(signal: NodeJS.Signals): boolean;
}

export async function endChild(child: Child, ended: Promise<number>, clock: Clock): Promise<void> {
  child.kill('SIGTERM');
  const cancel = clock.after(endsWithinMs, () => child.kill('SIGKILL'));
  await ended;
  cancel();
}

export interface Program {
  /** The version to start; null for the installed one. */
  chosen(current: Current): string | null;
  start(version: string | null): Running;
  /**
   * Puts the files of the version before in place. Missing when they are still there; the result is null when they are gone, `byInstaller` when it is done
   * once this process has ended.
   */
  readonly putBack?: ((current: Current) => 'inPlace' | 'byInstaller') | null;
  /** Whether somebody ended it, which says nothing about the version. */
  wasEnded(code: number): boolean;
  /** Whether it is to be started again; resolves when it may be. */
  startsAgain(code: number): Promise<boolean>;
}

export interface LaunchOptions {
  readonly program: Program;
  /** Folder of `current.json`. */
  readonly updates: string;
  readonly journal: string;
  readonly readyWithinMs: number;
  /** Ends the program in an orderly way when it is aborted. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a version that is tried may take to become ready. */
export const readyWithinMs = (): number => numberIn('TILLBEACON_READY_WITHIN_MS', process.env['TILLBEACON_READY_WITHIN_MS'] ?? '60000', 1_000, 600_000);

/** @returns the exit code of the program that ended without another to start */
export async function launch(options: LaunchOptions): Promise<number> {
  for (;;) {
    const code = await once(options);
    if (code !== 'again') return code;
  }
}

async function once(options: LaunchOptions): Promise<number | 'again'> {
  const { program, updates, readyWithinMs, stop, log } = options;
  const current = readCurrent(updates);
  const version = program.chosen(current);
  const isTried = current.state === 'trying' && version !== null;
  const trial = isTried ? beginTrial(options) : null;
  if (trial === 'another') return 0;
  if (isTried && current.starts > 0 && noWayBack(options) === null) {
    trial?.close();
    return takeBack(options, 'it was ended before it was ready');
  }
  if (isTried) {
    if (current.starts === 0) keepJournal(options, current);
    writeCurrent(updates, { ...current, starts: current.starts + 1 });
  }
  const running = program.start(version);
  const watching = new AbortController();
  const outcome = isTried ? await Promise.race([running.ended, running.ready(readyWithinMs, watching.signal)]) : null;
  watching.abort();
  trial?.close();
  if (outcome === 'ready') {
    const own = ownJournal(options);
    writeCurrent(updates, { ...current, state: 'good', starts: 0, stuck: null });
    if (own !== null) removeCopy(own);
    log.info({ version }, 'the newer version is ready');
  }
  if (outcome === 'late') {
    const why = `it was not ready within ${readyWithinMs / 1000} s`;
    const hindrance = noWayBack(options);
    if (hindrance === null) {
      await running.end();
      // It may have recorded something while it ended: then it is started again.
      return noWayBack(options) === null ? takeBack(options, why) : 'again';
    }
    if (current.stuck === null) stay(options, `${why}, and there is no way back: ${hindrance}`);
  }
  const code = await running.ended;
  if (stop.aborted || program.wasEnded(code)) {
    if (isTried && outcome !== 'ready') writeCurrent(updates, { ...readCurrent(updates), starts: current.starts });
    return code;
  }
  if (isTried && outcome !== 'ready' && noWayBack(options) === null) return takeBack(options, `it ended with ${code} before it was ready`);
  return (await program.startsAgain(code)) ? 'again' : code;
}

/** Somebody who starts the program once more meanwhile must not take for ended what has only begun. */
function beginTrial({ updates, log }: LaunchOptions): ReturnType<typeof lockFolder> | 'another' | null {
  try {
    return lockFolder(updates);
  } catch (error) {
    if (error instanceof FolderInUseError) return 'another';
    log.warn({ detail: messageOf(error) }, 'a newer version is tried, and another start of it could not be told from its end');
    return null;
  }
}

/** null when a daemon has the journal, and the program is only its screens: restoring it would take away what that daemon has recorded. */
const ownJournal = ({ updates, journal }: LaunchOptions): string | null => (readCurrent(updates).screensOnly === true ? null : journal);

/** Copies the journal, which the version before may need, before the newer one opens it. */
function keepJournal(options: LaunchOptions, { journalLayout }: Current): void {
  const journal = ownJournal(options);
  if (journal === null) return;
  const layout = layoutOf(journal);
  // An earlier start of the newer version has changed it: the copy is from before that.
  if (layout === null || layout > journalLayout) return;
  try {
    keepCopy(journal);
  } catch (error) {
    options.log.warn({ journal, detail: messageOf(error) }, 'no copy of the journal could be made before the newer version is tried');
  }
}

/**
 * Why there is no way back; null when there is one. The version before has to be there, and able to read the journal as it is, or as it was while nothing was
 * recorded since.
 */
function noWayBack(options: LaunchOptions): string | null {
  const { program, updates } = options;
  if (program.putBack === null) return 'no version before is kept on this system: install it by hand';
  const { journalLayout, stuck } = readCurrent(updates);
  // It was found out earlier, and is not tried again and again.
  if (stuck !== null) return stuck;
  const journal = ownJournal(options);
  if (journal === null) return null;
  const layout = layoutOf(journal);
  if (layout === null || layout <= journalLayout || copySuffices(journal, journalLayout)) return null;
  return 'it has brought the journal to a layout that the one before cannot read, and something was recorded since';
}

/** The newer version goes on, and tries to become ready. */
function stay({ updates, log }: LaunchOptions, stuck: string): void {
  const current = readCurrent(updates);
  writeCurrent(updates, { ...current, stuck });
  log.error({ version: current.version, why: stuck }, 'the newer version is not ready, and there is no way back');
}

function takeBack(options: LaunchOptions, why: string): 'again' | 0 {
  const { program, updates, clock, log } = options;
  const current = readCurrent(updates);
  const journal = ownJournal(options);
  if (journal !== null && (layoutOf(journal) ?? 0) > current.journalLayout) {
    putCopyBack(journal);
    log.warn({ journal }, 'the journal is as it was before the newer version: nothing had been recorded since');
  }
  let put: 'inPlace' | 'byInstaller';
  try {
    put = program.putBack?.(current) ?? 'inPlace';
  } catch (error) {
    stay(options, `${why}, and there is no way back: ${messageOf(error)}`);
    return 'again';
  }
  writeCurrent(updates, takenBack(current, why, clock.wallMs()));
  if (journal !== null) removeCopy(journal);
  log.error({ version: current.version, why }, 'the newer version is taken back: the one before is started again');
  return put === 'inPlace' ? 'again' : 0;
}
