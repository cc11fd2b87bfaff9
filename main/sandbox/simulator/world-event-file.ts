/**
 * The books of a simulated service that outlive its process, however that ends: a file with a line for everything that happened, written before
 * it was acted on. At the next start all of it happens once more, each at its time and with the same ids, and then time goes on: what the
 * service was away for has passed. Not made safe from a power cut: a machine on which that matters has the real service.
 */
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { z } from 'zod';
import type { Cancel, Clock } from '../../domain/clock.ts';
import { type Ids, systemIds } from '../../domain/ids.ts';
import { type WorldEventLog, WorldEvent } from './world-event.ts';
import { errorText } from './error-text.ts';
import { seededIds } from './seeded-ids.ts';

/** Under which the same happenings bring about the same world. The first line of the file. */
const Terms = z.strictObject({ books: z.literal(1), seed: z.string(), profile: z.string(), pollDelayInMs: z.int(), begunAtMs: z.int() });
type Terms = z.infer<typeof Terms>;

const Entry = z.object({ atMs: z.int(), happening: WorldEvent });
type Entry = z.infer<typeof Entry>;

export interface WorldEventFileOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly profile: string;
  readonly pollDelayInMs: number;
  /** null: that of the file, or any. */
  readonly seed: number | null;
}

/** Gives the world its time and ids too, because they have to be the same ones at the next start. */
export class WorldEventFile implements WorldEventLog, Clock, Ids {
  readonly #base: Clock;
  readonly #file: number;
  readonly #terms: Terms;
  #noted: readonly Entry[];
  /** Stands still while something happens, and until everything has been retold. */
  #nowMs: number | null;
  /** Only of what happens: what is asked for in between (the name of an error) must not shift those that follow. */
  readonly #seeded: Ids;
  #isRecording = false;
  #isReplaying = true;
  #openedAtMs = 0;
  #openedAtMonotonicMs = 0;
  /** What waits for its time while time stands still; the world's clock waits for one thing at a time. */
  #waiting: { readonly dueMs: number; readonly run: () => void } | null = null;

  /** Opens the file, or begins it. @throws RangeError with one line for a file that cannot be these books */
  constructor({ path, clock, profile, pollDelayInMs, seed }: WorldEventFileOptions) {
    this.#base = clock;
    const isNew = !existsSync(path);
    const lines = isNew ? [''] : orRefuse(path, () => readFileSync(path, 'utf8').split('\n'));
    // What a kill left of the last line was never acted on.
    const unfinished = lines.pop() ?? '';
    const [first, ...rest] = lines;
    const fresh = { books: 1, seed: String(seed ?? systemIds.uuid()), profile, pollDelayInMs, begunAtMs: Math.floor(clock.wallMs()) } as const;
    this.#terms = first === undefined ? fresh : parseLine(Terms, first, `${path}: line 1`);
    const asked = { seed: String(seed ?? this.#terms.seed), profile, pollDelayInMs };
    for (const name of ['seed', 'profile', 'pollDelayInMs'] as const)
      if (this.#terms[name] !== asked[name]) throw new RangeError(`--books ${path}: begun with ${name} ${this.#terms[name]}, not ${asked[name]}`);
    this.#noted = rest.map((line, index) => parseLine(Entry, line, `${path}: line ${index + 2}`));
    this.#file = orRefuse(path, () => openSync(path, isNew ? 'ax' : 'a', 0o600));
    if (unfinished !== '') ftruncateSync(this.#file, Buffer.byteLength(lines.map((line) => `${line}\n`).join('')));
    if (first === undefined) this.#write(this.#terms);
    this.#nowMs = this.#terms.begunAtMs;
    this.#seeded = seededIds(this.#terms.seed);
  }

  get isReplaying(): boolean {
    return this.#isReplaying;
  }

  /** To be called once, when there is a world for it to happen to. */
  replay(happen: (happening: WorldEvent) => void): void {
    for (const { atMs, happening } of this.#noted) {
      this.#nowMs = atMs;
      if (happening.kind === 'due') this.#wake();
      else happen(happening);
    }
    this.#openedAtMs = Math.max(Math.floor(this.#base.wallMs()), this.#nowMs ?? 0);
    this.#openedAtMonotonicMs = this.#base.monotonicMs();
    this.#noted = [];
    this.#nowMs = null;
    this.#isReplaying = false;
    const waiting = this.#waiting;
    this.#waiting = null;
    if (waiting !== null) this.after(Math.max(0, waiting.dueMs - this.monotonicMs()), waiting.run);
  }

  record<Result>(happening: () => WorldEvent, act: () => Result): Result {
    if (this.#isRecording || this.#isReplaying) return act();
    this.#nowMs = this.wallMs();
    this.#write({ atMs: this.#nowMs, happening: happening() } satisfies Entry);
    this.#isRecording = true;
    try {
      return act();
    } finally {
      this.#isRecording = false;
      this.#nowMs = null;
    }
  }

  /** Goes by the monotonic clock while the process lives, and never back. */
  wallMs(): number {
    return this.#nowMs ?? this.#openedAtMs + Math.floor(this.#base.monotonicMs() - this.#openedAtMonotonicMs);
  }

  monotonicMs(): number {
    return this.wallMs();
  }

  after(delayMs: number, run: () => void): Cancel {
    if (!this.#isReplaying) return this.#base.after(delayMs, () => this.record(() => ({ kind: 'due' }), run));
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
    closeSync(this.#file);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = null;
    waiting?.run();
  }

  /** With one call, so that a kill leaves the whole line or none of it. */
  #write(line: Terms | Entry): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** Of a file that cannot be read or written. @throws RangeError */
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
    throw new RangeError(`--books ${where}: not a line of the simulator's books`, { cause: error });
  }
}
