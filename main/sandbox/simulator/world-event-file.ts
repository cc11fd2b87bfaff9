/**
 * The simulator's event log on disk (`--books`): one line per event, written before the event is
 * executed. The next start replays the events at their times and with the same ids, and continues
 * with the present time. Lines are not synced to the disk, so that a power cut may lose the last
 * ones, which is acceptable for simulated money.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { z } from 'zod';
import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { type Ids, systemIds } from '../../core/domain/ids.ts';
import { NotKeptError, record, type WorldEventLog, WorldEvent } from './world-event.ts';
import { errorText } from './error-text.ts';
import { seededIds } from './seeded-ids.ts';

/** The first line of the file: what a replay needs to reach the same state again. */
const Terms = z.strictObject({
  books: z.literal(1),
  seed: z.string(),
  profile: z.string(),
  pollDelayInMs: z.int(),
  begunAtMs: z.int(),
});
type Terms = z.infer<typeof Terms>;

/** The names of the fields must not change, so that files of earlier versions can be opened. */
const Entry = z.object({ atMs: z.int(), happening: WorldEvent });
type Entry = z.infer<typeof Entry>;

const notKeptRetryMs = 1_000;

export interface WorldEventFileOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly profile: string;
  readonly pollDelayInMs: number;
  /** null for the seed of the file, or a random one for a new file. */
  readonly seed: number | null;
}

/** Also the simulator's clock and ids, because a replay has to repeat both. */
export class WorldEventFile implements WorldEventLog, Clock, Ids {
  /**
   * Whether its events name the stores that existed at the beginning. Those of an earlier version
   * do not.
   */
  readonly namesStores: boolean;
  readonly #base: Clock;
  /** null when the file is closed, and nothing more is recorded. */
  #file: number | null;
  readonly #terms: Terms;
  #entries: readonly Entry[];
  /** The time of the event that is handled or replayed; null when the base clock's time counts. */
  #nowMs: number | null;
  /**
   * For ids within events. An id that is needed outside of an event, as for an error, must not
   * shift the following ones.
   */
  readonly #seeded: Ids;
  #isRecording = false;
  #isReplaying = true;
  #openedAtMs = 0;
  #openedAtElapsedMs = 0;
  /** The timer during a replay. The simulator's clock sets one at a time. */
  #waiting: { readonly dueMs: number; readonly run: () => void } | null = null;

  /**
   * Opens or creates the file. @throws RangeError with one line when it is not an event log, or was
   * begun with other options
   */
  constructor({ path, clock, profile, pollDelayInMs, seed }: WorldEventFileOptions) {
    this.#base = clock;
    const isNew = !existsSync(path);
    const lines = isNew ? [''] : orRefuse(path, () => readFileSync(path, 'utf8').split('\n'));
    // A killed process can leave an incomplete last line, whose event was not executed.
    const unfinished = lines.pop() ?? '';
    const [first, ...rest] = lines;
    const fresh = {
      books: 1,
      seed: String(seed ?? systemIds.uuid()),
      profile,
      pollDelayInMs,
      begunAtMs: Math.floor(clock.wallMs()),
    } as const;
    this.#terms = first === undefined ? fresh : parseLine(Terms, first, `${path}: line 1`);
    const terms = { seed: String(seed ?? this.#terms.seed), profile, pollDelayInMs };
    for (const name of ['seed', 'profile', 'pollDelayInMs'] as const)
      if (this.#terms[name] !== terms[name])
        throw new RangeError(
          `--books ${path}: begun with ${name} ${this.#terms[name]}, not ${terms[name]}`,
        );
    this.#entries = rest.map((line, index) => parseLine(Entry, line, `${path}: line ${index + 2}`));
    this.namesStores = (this.#entries[0]?.happening.kind ?? 'storeAdded') === 'storeAdded';
    const file = orRefuse(path, () => openSync(path, isNew ? 'ax' : 'a', 0o600));
    this.#file = file;
    if (unfinished !== '')
      ftruncateSync(file, Buffer.byteLength(lines.map((line) => `${line}\n`).join('')));
    if (first === undefined) this.#write(this.#terms);
    this.#nowMs = this.#terms.begunAtMs;
    this.#seeded = seededIds(this.#terms.seed);
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /** To be called once, before anything else is recorded. */
  replay(handle: (event: WorldEvent) => void): void {
    for (const { atMs, happening } of this.#entries) {
      this.#nowMs = atMs;
      if (happening.kind === 'due') this.#wake();
      else handle(happening);
    }
    this.#openedAtMs = Math.max(Math.floor(this.#base.wallMs()), this.#nowMs ?? 0);
    this.#openedAtElapsedMs = this.#base.elapsedMs();
    this.#entries = [];
    this.#nowMs = null;
    this.#isReplaying = false;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.after(Math.max(0, waiting.dueMs - this.monotonicMs()), waiting.run);
  }

  record<Result>(eventOf: () => WorldEvent, act: () => Result): Result {
    if (this.#isRecording || this.#isReplaying) return act();
    const atMs = this.wallMs();
    this.#write({ atMs, happening: eventOf() } satisfies Entry);
    this.#nowMs = atMs;
    this.#isRecording = true;
    try {
      return act();
    } finally {
      this.#isRecording = false;
      this.#nowMs = null;
    }
  }

  /** Follows the elapsed time, so that it never goes back. */
  wallMs(): number {
    return (
      this.#nowMs ?? this.#openedAtMs + Math.floor(this.#base.elapsedMs() - this.#openedAtElapsedMs)
    );
  }

  monotonicMs(): number {
    return this.wallMs();
  }

  elapsedMs(): number {
    return this.wallMs();
  }

  after(delayMs: number, run: () => void): Cancel {
    if (!this.#isReplaying) return this.#runAfter(delayMs, run);
    const waiting = { dueMs: this.monotonicMs() + delayMs, run };
    this.#waiting = waiting;
    return () => {
      if (this.#waiting === waiting) this.#waiting = null;
    };
  }

  uuid(): string {
    return (this.#isRecording || this.#isReplaying ? this.#seeded : systemIds).uuid();
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** A timer whose event cannot be written is tried again. */
  #runAfter(delayMs: number, run: () => void): Cancel {
    const runOrRetry = (): void => {
      if (!record(this, () => ({ kind: 'due' }), run)) cancel = this.#runAfter(notKeptRetryMs, run);
    };
    let cancel = this.#base.after(delayMs, runOrRetry, 'elapsedMs');
    return () => cancel();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.run();
  }

  /** Writes in one call, so that a kill, or a full disk, leaves the whole line or none of it. */
  #write(line: Terms | Entry): void {
    const file = this.#file;
    if (file === null) return;
    const text = Buffer.from(`${JSON.stringify(line)}\n`);
    const { size } = fstatSync(file);
    try {
      if (writeSync(file, text) < text.length) throw new Error('the disk is full');
    } catch (error) {
      ftruncateSync(file, size);
      throw new NotKeptError(
        `the event log of the simulated service cannot be written: ${errorText(error)}`,
        { cause: error },
      );
    }
  }
}

/** @throws RangeError when the file cannot be read or written */
function orRefuse<Result>(path: string, use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw new RangeError(`--books ${path}: ${errorText(error)}`, { cause: error });
  }
}

function parseLine<Line>(schema: z.ZodType<Line>, line: string, where: string): Line {
  try {
    return schema.parse(JSON.parse(line));
  } catch (error) {
    throw new RangeError(`--books ${where}: not a line of the simulator's event log`, {
      cause: error,
    });
  }
}
