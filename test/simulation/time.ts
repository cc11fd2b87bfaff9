import type { Cancel, Clock } from '../../main/core/domain/clock.ts';

interface Timer {
  readonly dueMs: number;
  /** Among timers for the same time, the older one runs first. */
  readonly order: number;
  /** null when the timer is cancelled. */
  run: (() => void) | null;
}

const settled = Promise.resolve();

/**
 * Runs `step` when everything that waits only for promises has run: Node empties its queue of
 * microtasks before the next tick, if that is asked for from a microtask; otherwise ticks come
 * first.
 */
function whenDrained(step: () => void): () => void {
  const inMicrotask = (): void => process.nextTick(step);
  return () => void settled.then(inMicrotask);
}

/**
 * The only clock of a simulated shop: timers run one after another, each with everything that
 * follows from it.
 */
export class SimulatedTime implements Clock {
  static readonly startedAtMs = Date.UTC(2026, 10, 21, 9, 0, 0);
  #nowMs = 0;
  #order = 0;
  /** A binary heap with the next timer first. */
  readonly #heap: Timer[] = [];
  events = 0;

  wallMs(): number {
    return SimulatedTime.startedAtMs + Math.floor(this.#nowMs);
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer: Timer = {
      dueMs: this.#nowMs + Math.max(0, delayMs),
      order: (this.#order += 1),
      run,
    };
    this.#push(timer);
    return () => {
      timer.run = null;
    };
  }

  /** Lets time pass until `enough`, at most `ms`. Returns whether it was enough. */
  pass(ms: number, enough: () => boolean = () => false): Promise<boolean> {
    const untilMs = this.#nowMs + ms;
    return new Promise((resolve, reject) => {
      const step = (): void => {
        try {
          const is = enough();
          const next = is ? null : this.#next(untilMs);
          if (next === null) {
            if (!is) this.#nowMs = untilMs;
            resolve(is || enough());
            return;
          }
          this.#nowMs = next.dueMs;
          this.events += 1;
          next.run?.();
          stepOn();
        } catch (error) {
          reject(error);
        }
      };
      const stepOn = whenDrained(step);
      stepOn();
    });
  }

  /** @returns null when nothing is due until then */
  #next(untilMs: number): Timer | null {
    for (
      let next = this.#heap[0];
      next !== undefined && next.dueMs <= untilMs;
      next = this.#heap[0]
    ) {
      this.#pop();
      if (next.run !== null) return next;
    }
    return null;
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(timer);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!isBefore(timer, heap[above] as Timer)) break;
      heap[at] = heap[above] as Timer;
      at = above;
    }
    heap[at] = timer;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop() as Timer;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Timer, heap[below] as Timer))
        below += 1;
      if (!isBefore(heap[below] as Timer, last)) break;
      heap[at] = heap[below] as Timer;
      at = below;
    }
    heap[at] = last;
  }
}

const isBefore = (a: Timer, b: Timer): boolean =>
  a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
