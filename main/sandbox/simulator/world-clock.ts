import type { Cancel, Clock } from '../../domain/clock.ts';
import { noEventLog, type WorldEventLog } from './world-event.ts';

/** A longer wait is woken in between: timers of the platform end at 24 days. */
const longestWaitMs = 24 * 60 * 60 * 1000;

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/**
 * The one clock of the simulated world: follows the clock that it is given, and can be moved ahead of it. Everything that comes due
 * on the way happens in its order and at its time.
 */
export class WorldClock implements Clock {
  readonly #base: Clock;
  readonly #eventLog: WorldEventLog;
  #aheadMs = 0;
  #wallShiftMs = 0;
  /** By `dueMs`, equal ones in the order of their making. */
  #timers: Timer[] = [];
  #wake: Cancel | null = null;

  constructor(base: Clock, eventLog: WorldEventLog = noEventLog) {
    this.#base = base;
    this.#eventLog = eventLog;
  }

  wallMs(): number {
    return this.#base.wallMs() + this.#aheadMs + this.#wallShiftMs;
  }

  monotonicMs(): number {
    return this.#base.monotonicMs() + this.#aheadMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    const timer = { dueMs: this.monotonicMs() + delayMs, run };
    const place = this.#firstAfter(timer.dueMs);
    this.#timers.splice(place, 0, timer);
    if (place === 0) this.#arm();
    return () => {
      const at = this.#timers.lastIndexOf(timer, this.#firstAfter(timer.dueMs));
      if (at < 0) return;
      this.#timers.splice(at, 1);
      if (at === 0) this.#arm();
    };
  }

  /** Runs once at the next `HH:MM` of the world's day (UTC), never at this very moment. */
  atTimeOfDay(hours: number, minutes: number, run: () => void): Cancel {
    const dayMs = 24 * 60 * 60 * 1000;
    const leftMs = ((hours * 60 + minutes) * 60_000 - (this.wallMs() % dayMs) + dayMs) % dayMs;
    return this.after(leftMs === 0 ? dayMs : leftMs, run);
  }

  /** Moves the world ahead. @param settled what each step brought about has ended */
  async advance(ms: number, settled: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const untilMs = this.monotonicMs() + ms;
    for (;;) {
      const next = this.#timers[0];
      if (next === undefined || next.dueMs > untilMs) break;
      this.moveTo(next.dueMs);
      await settled();
    }
    this.moveTo(untilMs);
  }

  /** Ahead to a moment of the monotonic clock, and whatever is due by then, at that moment. */
  moveTo(monotonicMs: number): void {
    this.#eventLog.record(
      () => ({ kind: 'movedAhead', toMs: monotonicMs }),
      () => {
        this.#aheadMs += Math.max(0, monotonicMs - this.monotonicMs());
        this.#runDue();
      },
    );
  }

  /** Puts the wall clock forward or back, as somebody who corrects it does; durations and deadlines do not notice. */
  shiftWall(ms: number): void {
    this.#eventLog.record(
      () => ({ kind: 'wallShifted', ms }),
      () => void (this.#wallShiftMs += ms),
    );
  }

  /** Nothing comes due any more. */
  stop(): void {
    this.#timers = [];
    this.#wake?.();
    this.#wake = null;
  }

  /** The place behind all timers that are due until then. */
  #firstAfter(dueMs: number): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#timers[middle] as Timer).dueMs <= dueMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #runDue(): void {
    while (this.#timers.length > 0 && (this.#timers[0] as Timer).dueMs <= this.monotonicMs()) this.#timers.shift()?.run();
    this.#arm();
  }

  #arm(): void {
    this.#wake?.();
    this.#wake = null;
    const next = this.#timers[0];
    if (next === undefined) return;
    this.#wake = this.#base.after(Math.min(longestWaitMs, Math.max(0, next.dueMs - this.monotonicMs())), () => this.#runDue());
  }
}
