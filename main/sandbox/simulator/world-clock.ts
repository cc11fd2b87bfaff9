import type { Cancel, Clock } from '../../core/domain/clock.ts';
import { firstIndexNot } from './binary-search.ts';
import { noEventLog, type WorldEventLog } from './world-event.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Longer waits are split, because the platform's timers are limited to 24 days. */
const maxWaitMs = dayMs;

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/**
 * The simulator's clock. It follows another clock and can be moved ahead of it, and then runs all
 * timers that become due in order, each at its time. A service's time passes while this process
 * stands still.
 */
export class WorldClock implements Clock {
  readonly #base: Clock;
  readonly #eventLog: WorldEventLog;
  #aheadMs = 0;
  #wallShiftMs = 0;
  /** Sorted by `dueMs`, equal ones by creation. */
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
    return this.#base.elapsedMs() + this.#aheadMs;
  }

  elapsedMs(): number {
    return this.monotonicMs();
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

  /**
   * Runs once, as soon as the wall clock shows this time or a later one. The wall clock has whole
   * milliseconds and timers have fractions, so that a timer alone could be early; and the wall
   * clock can be put back.
   */
  atWall(wallMs: number, run: () => void): Cancel {
    let cancel: Cancel = () => {};
    const arm = (): void => {
      cancel = this.after(Math.max(0, wallMs - this.wallMs()), () =>
        this.wallMs() < wallMs ? arm() : run(),
      );
    };
    arm();
    return () => cancel();
  }

  /** Runs once at the next `HH:MM` (UTC) after now. */
  atTimeOfDay(hours: number, minutes: number, run: () => void): Cancel {
    const nowMs = this.wallMs();
    const todayMs = nowMs - (nowMs % dayMs) + (hours * 60 + minutes) * 60_000;
    return this.atWall(todayMs > nowMs ? todayMs : todayMs + dayMs, run);
  }

  /** Runs once at the next whole multiple of a duration since the Unix epoch. */
  atNextMultiple(ofMs: number, run: () => void): Cancel {
    return this.atWall((Math.floor(this.wallMs() / ofMs) + 1) * ofMs, run);
  }

  /** Moves ahead timer by timer. @param settled awaited after each step */
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

  /** Jumps ahead to a monotonic time, then runs what is due. */
  moveTo(monotonicMs: number): void {
    this.#eventLog.record(
      () => ({ kind: 'movedAhead', toMs: monotonicMs }),
      () => {
        this.#aheadMs += Math.max(0, monotonicMs - this.monotonicMs());
        this.#runDue();
      },
    );
  }

  /** Corrects the wall clock; durations and timers are not affected. */
  shiftWall(ms: number): void {
    this.#eventLog.record(
      () => ({ kind: 'wallShifted', ms }),
      () => void (this.#wallShiftMs += ms),
    );
  }

  /** Cancels all timers. */
  stop(): void {
    this.#timers = [];
    this.#wake?.();
    this.#wake = null;
  }

  /** The index after the last timer that is due by then. */
  #firstAfter(dueMs: number): number {
    return firstIndexNot(this.#timers, (timer) => timer.dueMs <= dueMs);
  }

  #runDue(): void {
    for (
      let next = this.#timers[0];
      next !== undefined && next.dueMs <= this.monotonicMs();
      next = this.#timers[0]
    ) {
      this.#timers.shift();
      next.run();
    }
    this.#arm();
  }

  #arm(): void {
    this.#wake?.();
    this.#wake = null;
    const next = this.#timers[0];
    if (next === undefined) return;
    const waitMs = Math.min(maxWaitMs, Math.max(0, next.dueMs - this.monotonicMs()));
    this.#wake = this.#base.after(waitMs, () => this.#runDue(), 'elapsedMs');
  }
}
