/**
 * Starts a program, and watches a version of it that is tried: not ready within a minute, the
 * version before is started again. A launcher that was ended in between finds on its next start
 * that the version was not ready, and does the same. The daemon's launcher and the desktop app's
 * supervisor are programs of this.
 */
import { type Clock, sleep } from '../../core/domain/clock.ts';
import { messageOf } from '../../core/domain/errors.ts';
import type { Log } from '../../core/domain/log.ts';
import { numberIn } from '../../support/command-line.ts';
import { FolderInUseError, lockFolder } from '../../support/folder-lock.ts';
import { isCorrupt } from '../../support/sqlite-errors.ts';
import {
  copySuffices,
  keepCopies,
  layoutOf,
  putCopyBack,
  putSettingsBack,
  removeCopies,
} from './journal-copy.ts';
import {
  type Current,
  didNotBegin,
  isNotBegun,
  noteNotBegun,
  readCurrent,
  afterRollback,
  writeCurrent,
} from './versions.ts';

const askEveryMs = 250;
const endsWithinMs = 10_000;
/** Before what the disk refused is tried again. */
const pausesMs = [1_000, 4_000, 15_000];

export interface Running {
  /**
   * Resolves with its exit code, or 1 when it could not be started or was ended by a signal of
   * others.
   */
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
   * Puts the files of the version before in place. Missing when they are still there; the result is
   * null when they are gone, `byInstaller` when it is done once this process has ended.
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
  /** The settings' file. */
  readonly settings: string;
  /**
   * Version of the installed program, if only one is installed. Omitted when versions lie side by
   * side.
   */
  readonly version?: string;
  readonly readyWithinMs: number;
  /** Ends the program in an orderly way when it is aborted. */
  readonly stop: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}

/** How long a version that is tried may take to become ready. */
export const readyWithinMs = (): number =>
  numberIn(
    'TILLBEACON_READY_WITHIN_MS',
    process.env['TILLBEACON_READY_WITHIN_MS'] ?? '60000',
    1_000,
    600_000,
  );

/**
 * The program to start next: the one that `current.json` names, after a check; the newer version,
 * because a rollback is impossible now; or the previous version.
 */
type Next = 'asNoted' | 'newer' | 'before';

/** @returns the exit code of the program that ended without another to start */
export async function launch(options: LaunchOptions): Promise<number> {
  let next = await afterNotBegun(options);
  while (typeof next !== 'number') next = await once(options, next);
  return next;
}

/**
 * If this process is the previous version although the new one was scheduled, the switch failed:
 * record it and continue.
 */
async function afterNotBegun(options: LaunchOptions): Promise<Next | number> {
  const { updates, version, program, clock } = options;
  if (version === undefined || !isNotBegun(readCurrent(updates), version)) return 'asNoted';
  const isThere = { ...options, program: { ...program, putBack: () => 'inPlace' as const } };
  const back = wayBack(isThere);
  if (back === 'there') return takeBack(isThere, didNotBegin);
  if (back === 'notKnown') return 'before';
  return (await note(options, () => noteNotBegun(updates, version, clock.wallMs())))
    ? 'asNoted'
    : 'before';
}

async function once(options: LaunchOptions, next: Next): Promise<Next | number> {
  const { program, updates, readyWithinMs, stop, log } = options;
  const current = readCurrent(updates);
  const version = program.chosen(
    next === 'before' ? { ...current, version: current.previous } : current,
  );
  const isTried = next !== 'before' && current.state === 'trying' && version !== null;
  const trial = isTried ? beginTrial(options) : null;
  if (trial === 'another') return 0;
  if (isTried && next === 'asNoted') {
    const why = await isNotTried(options, current);
    if (why !== null) {
      trial?.close();
      return takeBack(options, why);
    }
  }
  if (isTried)
    await note(options, () => writeCurrent(updates, { ...current, starts: current.starts + 1 }));
  const running = program.start(version);
  const watching = new AbortController();
  const outcome = isTried
    ? await Promise.race([running.ended, running.ready(readyWithinMs, watching.signal)])
    : null;
  watching.abort();
  trial?.close();
  if (outcome === 'ready') {
    log.info({ version }, 'newer version is ready');
    await note(options, () => {
      const own = ownJournal(options);
      writeCurrent(updates, { ...current, state: 'good', starts: 0, stuck: null });
      if (own !== null) removeCopies(own);
    });
  }
  if (outcome === 'late') {
    const why = `it was not ready within ${readyWithinMs / 1000} s`;
    const back = wayBack(options);
    if (back === 'there' || back === 'notKnown') {
      await running.end();
      // It may have recorded something while it ended: then it is started again.
      return wayBack(options) === 'there' ? takeBack(options, why) : 'newer';
    }
    if (current.stuck === null)
      await stay(options, `${why}, and it cannot be rolled back: ${back.hindrance}`);
  }
  const code = await running.ended;
  if (stop.aborted || program.wasEnded(code)) {
    if (isTried && outcome !== 'ready')
      await note(options, () =>
        writeCurrent(updates, { ...readCurrent(updates), starts: current.starts }),
      );
    return code;
  }
  if (isTried && outcome !== 'ready' && wayBack(options) === 'there')
    return takeBack(options, `it ended with ${code} before it was ready`);
  return (await program.startsAgain(code)) ? 'asNoted' : code;
}

/** The reason for not trying a version (again), in words; null when it is tried. */
async function isNotTried(options: LaunchOptions, current: Current): Promise<string | null> {
  if (current.starts === 0) return keepJournal(options, current);
  return wayBack(options) === 'there' ? 'it was ended before it was ready' : null;
}

/**
 * When the disk is full or a virus scanner holds a file, it is tried again. @throws what it has
 * thrown at last, or at once where time changes nothing
 */
async function persistently<Answer>(
  { clock, log, stop }: LaunchOptions,
  write: () => Answer,
): Promise<Answer> {
  for (const pauseMs of pausesMs) {
    try {
      return write();
    } catch (error) {
      if (!mayPass(error) || stop.aborted) throw error;
      log.warn(
        { detail: messageOf(error), againInMs: pauseMs },
        'disk error while switching versions: trying again',
      );
      await sleep(clock, pauseMs);
    }
  }
  return write();
}

const mayPass = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code !== 'ENOENT';

/** Logs a failure to write; the program keeps running. @returns whether it was written */
async function note(options: LaunchOptions, write: () => void): Promise<boolean> {
  try {
    await persistently(options, write);
    return true;
  } catch (error) {
    options.log.error(
      { detail: messageOf(error) },
      'result of the version switch could not be saved: the next start decides again',
    );
    return false;
  }
}

/** A second start of the program must not take a trial that has just begun for a failed one. */
function beginTrial({
  updates,
  log,
}: LaunchOptions): ReturnType<typeof lockFolder> | 'another' | null {
  try {
    return lockFolder(updates);
  } catch (error) {
    if (error instanceof FolderInUseError) return 'another';
    log.warn(
      { detail: messageOf(error) },
      'update folder could not be locked: a second start may take this trial of a newer version for failed',
    );
    return null;
  }
}

/**
 * null when a daemon has the journal, and the program is only its screens: restoring it would take
 * away what that daemon has recorded.
 */
const ownJournal = ({ updates, journal }: LaunchOptions): string | null =>
  readCurrent(updates).screensOnly === true ? null : journal;

/** Copies the journal, which the version before may need, before the newer one opens it. */
async function keepJournal(
  options: LaunchOptions,
  { journalLayout }: Current,
): Promise<string | null> {
  const { settings, log } = options;
  const journal = ownJournal(options);
  if (journal === null) return null;
  try {
    await persistently(options, () => {
      // An earlier start of the newer version has changed it: the copy is from before that.
      if (layoutOf(journal) <= journalLayout) keepCopies(journal, settings);
    });
    return null;
  } catch (error) {
    const detail = messageOf(error);
    if (!isCorrupt(error)) return `the journal could not be copied before its trial: ${detail}`;
    // The newer version may be the one that repairs it.
    log.warn(
      { journal, detail },
      'journal could not be copied before the trial of the newer version',
    );
    return null;
  }
}

/**
 * Whether a rollback is possible. The previous version must exist and read the journal: the current
 * one, or its copy if nothing was recorded since.
 */
function wayBack(options: LaunchOptions): 'there' | 'notKnown' | { readonly hindrance: string } {
  const { program, updates } = options;
  if (program.putBack === null)
    return { hindrance: 'this system stores no previous version: install one by hand' };
  const { journalLayout, stuck } = readCurrent(updates);
  // It was found out earlier, and is not tried again and again.
  if (stuck !== null) return { hindrance: stuck };
  const journal = ownJournal(options);
  if (journal === null) return 'there';
  try {
    if (layoutOf(journal) <= journalLayout || copySuffices(journal, journalLayout)) return 'there';
  } catch (error) {
    options.log.warn(
      { journal, detail: messageOf(error) },
      'rollback of the newer version cannot be decided: the journal cannot be read now',
    );
    return 'notKnown';
  }
  return {
    hindrance:
      'it has migrated the journal to a layout that the previous version cannot read, and has recorded events since',
  };
}

/** The newer version goes on, and tries to become ready. */
async function stay(options: LaunchOptions, stuck: string): Promise<void> {
  const { updates, log } = options;
  const current = readCurrent(updates);
  log.error(
    { version: current.version, why: stuck },
    'newer version is not ready, and cannot be rolled back',
  );
  await note(options, () => writeCurrent(updates, { ...current, stuck }));
}

async function takeBack(options: LaunchOptions, why: string): Promise<Next | 0> {
  const trial = beginTrial(options);
  if (trial === 'another') return 0;
  try {
    return await putBack(options, why);
  } finally {
    trial?.close();
  }
}

async function putBack(options: LaunchOptions, why: string): Promise<Next | 0> {
  const { program, updates, clock, log } = options;
  const current = readCurrent(updates);
  const journal = ownJournal(options);
  let put: 'inPlace' | 'byInstaller';
  try {
    put = await persistently(options, () => {
      if (journal !== null) putJournalBack(options, journal, current);
      return program.putBack?.(current) ?? 'inPlace';
    });
  } catch (error) {
    // The newer version is started once more, and needs a copy of what it changes.
    await keepJournal(options, current);
    if (!mayPass(error))
      await stay(options, `${why}, and it cannot be rolled back: ${messageOf(error)}`);
    return 'newer';
  }
  const isNoted = await note(options, () => {
    writeCurrent(updates, afterRollback(current, why, clock.wallMs()));
    if (journal !== null) removeCopies(journal);
  });
  log.error(
    { version: current.version, why },
    'rolled back the newer version: starting the previous one again',
  );
  return put === 'byInstaller' ? 0 : isNoted ? 'asNoted' : 'before';
}

function putJournalBack(
  { settings, log }: LaunchOptions,
  journal: string,
  { journalLayout }: Current,
): void {
  if (putSettingsBack(journal, settings))
    log.warn(
      { settings },
      'restored the settings from before the newer version, which had rewritten them',
    );
  if (layoutOf(journal) <= journalLayout) return;
  putCopyBack(journal);
  log.warn(
    { journal },
    'restored the journal from before the newer version: nothing was recorded since',
  );
}
