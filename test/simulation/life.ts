import {
  type Cancel,
  type Clock,
  type EventLoop,
  LoopClock,
} from '../../main/core/domain/clock.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/**
 * How the daemon reads: a socket in the next turn of its loop, a serial port through a pool of
 * threads.
 */
export type Input = 'socket' | 'serial';

/** Far more than a clock needs to notice a standstill and to read what was sent meanwhile. */
const watchedMs = 2_000;
/** The shortest delay: a smaller one, left by rounding, would not move the time. */
const minDelayMs = 0.01;

/**
 * One life of the daemon's process, from its start to its crash. Everything that it does to the
 * world goes through a port that asks its life first: from the moment of death nothing leaves any
 * more, whatever its code still runs through. While it stands still, nothing reaches it. When it
 * goes on, its timers run before it reads, as in Node.
 */
export class Life {
  readonly clock: Clock;
  readonly #clock: LoopClock;
  readonly #stage: Stage;
  readonly #chance: Chance;
  /** Random numbers of their own, so that runs without standstills stay as they were. */
  readonly #standstills: Chance;
  readonly #died: (why: string) => void;
  isAlive = true;
  standsStill = false;
  /**
   * Timers that were due during the standstill, and input that arrived meanwhile, each in order.
   */
  #overdue: (() => void)[] = [];
  #unread: { readonly from: Input; readonly read: () => void }[] = [];
  #isReading = false;
  #serialReadAtMs = Number.NEGATIVE_INFINITY;
  #watches = 0;

  constructor(
    stage: Stage,
    chance: Chance,
    options: { wallShiftMs: () => number; died: (why: string) => void; standstills: Chance },
  ) {
    this.#stage = stage;
    this.#chance = chance;
    this.#standstills = options.standstills;
    this.#died = options.died;
    const { time } = stage;
    const loop: EventLoop = {
      wallMs: () => time.wallMs() + options.wallShiftMs(),
      nowMs: () => time.monotonicMs(),
      setTimer: (delayMs, run) => this.#timer(delayMs, () => this.survives('at a timer') && run()),
      afterRead: (run) => {
        if (this.#isReading) return this.#timer(0, run);
        run();
        return () => {};
      },
      every: (ms, run) => {
        const again = (): void => {
          run();
          cancel = this.#timer(ms, again);
        };
        let cancel = this.#timer(ms, again);
        return () => cancel();
      },
    };
    this.#clock = new LoopClock(loop);
    this.clock = this.#clock;
  }

  /**
   * Whether the daemon survives a moment at which it could crash. It may stand still from then on.
   */
  survives(where: string, probability = this.#stage.weather.crash): boolean {
    if (this.isAlive && this.#stage.fault(this.#chance, probability)) this.end(where);
    if (this.#stage.fault(this.#standstills, this.#stage.weather.standstill))
      this.#standStill(where);
    return this.isAlive;
  }

  /** Reads what has arrived now, or once the daemon goes on. */
  receive(from: Input, read: () => void): void {
    const { time } = this.#stage;
    if (!this.isAlive) return;
    if (this.standsStill) this.#unread.push({ from, read });
    else if (from === 'serial' && time.monotonicMs() < this.#serialReadAtMs)
      this.#readLater(from, this.#serialReadAtMs - time.monotonicMs(), read);
    else if (from === 'socket' && this.#isReading) this.#readLater(from, 0, read);
    else read();
  }

  end(why: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#died(why);
  }

  #timer(delayMs: number, run: () => void): Cancel {
    const timer: { run: (() => void) | null } = { run };
    const fire = (): void => {
      if (timer.run === null) return;
      if (this.standsStill) this.#overdue.push(fire);
      else timer.run();
    };
    this.#stage.time.after(delayMs > 0 ? Math.max(minDelayMs, delayMs) : delayMs, fire);
    return () => {
      timer.run = null;
    };
  }

  #standStill(where: string): void {
    if (!this.isAlive || this.standsStill) return;
    const { time } = this.#stage;
    const ms = this.#standstills.is(0.3)
      ? this.#standstills.between(6_000, 20_000)
      : this.#standstills.steeply(100, 60_000);
    this.#stage.say('daemon', () => `stands still for ${ms} ms, ${where}`);
    this.standsStill = true;
    this.#watches += 1;
    const watch = this.#watches;
    const unwatch = this.#clock.watch();
    time.after(ms, () => {
      if (!this.isAlive) return;
      this.#goOn();
      time.after(watchedMs, () => watch === this.#watches && unwatch());
    });
  }

  #goOn(): void {
    const { time } = this.#stage;
    this.#stage.say('daemon', () => 'goes on');
    this.standsStill = false;
    this.#isReading = true;
    const serialAfterMs = this.#standstills.between(1, 60);
    this.#serialReadAtMs = time.monotonicMs() + serialAfterMs;
    for (const fire of this.#overdue.splice(0)) time.after(0, fire);
    for (const { from, read } of this.#unread.splice(0))
      this.#readLater(from, from === 'serial' ? serialAfterMs : 0, read);
    time.after(0, () => (this.#isReading = false));
  }

  /** The daemon may stand still again before it reads. */
  #readLater(from: Input, delayMs: number, read: () => void): void {
    this.#stage.time.after(delayMs, () => {
      if (this.standsStill) this.#unread.push({ from, read });
      else if (this.isAlive) read();
    });
  }
}
