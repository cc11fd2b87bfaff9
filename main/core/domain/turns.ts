import { performance } from 'node:perf_hooks';

export interface TurnOptions {
  /** The most steps that are carried out in a turn. */
  readonly maxSteps: number;
  /** No further step begins in a turn after this time. */
  readonly maxMs?: number;
  /** Runs something in the next turn of the event loop. */
  readonly nextTurn?: (run: () => void) => void;
  readonly nowMs?: () => number;
}

/**
 * Shares the event loop between peers. Node hands over all messages of a peer at once, thousands
 * of messages in a row, and everybody else waits. Here each turn of the loop carries out a few
 * steps. Peers that wait are served in the order in which they came, one step each time.
 */
export class Turns {
  readonly #maxSteps: number;
  readonly #maxMs: number;
  readonly #nextTurn: (run: () => void) => void;
  readonly #nowMs: () => number;
  readonly #waiting: (() => void)[] = [];
  /** How many steps this turn has begun. */
  #steps = 0;
  #firstStepAtMs = 0;
  #isNextPlanned = false;

  constructor({
    maxSteps,
    maxMs = Number.POSITIVE_INFINITY,
    nextTurn = setImmediate,
    nowMs = () => performance.now(),
  }: TurnOptions) {
    this.#maxSteps = maxSteps;
    this.#maxMs = maxMs;
    this.#nextTurn = nextTurn;
    this.#nowMs = nowMs;
  }

  /**
   * Whether the caller may carry out one step now: no peer waits and this turn has room. The
   * step is counted.
   */
  takeStep(): boolean {
    if (this.#waiting.length > 0 || this.#isOver) return false;
    this.#count();
    this.#planNext();
    return true;
  }

  /** Carries out one step in a later turn, after those that wait already. */
  wait(step: () => void): void {
    this.#waiting.push(step);
    this.#planNext();
  }

  /** Resolves when the caller may carry out one step. */
  next(): Promise<void> {
    return new Promise((resolve) => this.wait(resolve));
  }

  get #isOver(): boolean {
    return (
      this.#steps >= this.#maxSteps ||
      (this.#steps > 0 && this.#nowMs() - this.#firstStepAtMs >= this.#maxMs)
    );
  }

  #count(): void {
    if (this.#steps === 0) this.#firstStepAtMs = this.#nowMs();
    this.#steps += 1;
  }

  #planNext(): void {
    if (this.#isNextPlanned) return;
    this.#isNextPlanned = true;
    this.#nextTurn(() => this.#begin());
  }

  #begin(): void {
    this.#isNextPlanned = false;
    this.#steps = 0;
    try {
      while (!this.#isOver) {
        const step = this.#waiting.shift();
        if (step === undefined) return;
        this.#count();
        step();
      }
    } finally {
      // Also after steps of a turn in which nobody waited: the next one counts from zero.
      if (this.#steps > 0) this.#planNext();
    }
  }
}

/** The event loop of this process, shared by all peers of all listeners. */
export const systemTurns = new Turns({ maxSteps: 16, maxMs: 4 });
