import type { Cancel, Clock } from './clock.ts';
import { isClockTooFar, secondsAhead } from './clock-off.ts';
import type { Log } from './log.ts';

/**
 * right: not known to be wrong. corrected: known to be wrong, and the wallet service tells the
 * time. unknown: known to be wrong, and nothing tells the time.
 */
export type ClockState = 'right' | 'corrected' | 'unknown';

interface CheckedClockOptions {
  readonly system: Clock;
  /** No computer that runs this program can be before this time. */
  readonly builtMs: number;
  readonly log: Log;
}

/** The date of the service's last answer, and the system's clocks at that moment. */
interface ServiceDate {
  readonly aheadMs: number;
  readonly bootMs: number;
}

/** No version is run for longer. */
const maxLifeMs = 20 * 365 * 86_400_000;
/** How often the system's clock is looked at while nothing asks for the time. */
const lookedAtEveryMs = 5_000;

/**
 * The system's clock, until it is known to be wrong. A computer without a battery for its
 * clock starts in 1970 or 2000, and is put right years later, in mid-trade. The clock is known to
 * be wrong when it is before the program was built, before the newest event of the journal, or far
 * from the date of the service's answers. Then the time is the service's, or while that is not
 * known the earliest that it can be: nothing expires too early, and new events stay behind those
 * in the journal. Durations are not concerned. See docs/decisions/0009-wrong-clock.md.
 */
export class CheckedClock implements Clock {
  readonly #system: Clock;
  readonly #builtMs: number;
  readonly #log: Log;
  /** The time was at least `wallMs` when `elapsedMs` was read. */
  #floor: { readonly wallMs: number; readonly elapsedMs: number };
  #service: ServiceDate | null = null;
  /** How far the system's clock is ahead by the last answer. */
  #claimedMs: number | null = null;
  #told: ClockState = 'right';
  #changed: () => void = () => {};

  constructor({ system, builtMs, log }: CheckedClockOptions) {
    this.#system = system;
    this.#builtMs = builtMs;
    this.#log = log;
    this.#floor = { wallMs: builtMs, elapsedMs: system.elapsedMs() };
  }

  get state(): ClockState {
    return this.#judge().state;
  }

  wallMs(): number {
    return this.#judge().wallMs;
  }

  /** What the system says, right or wrong. */
  systemWallMs(): number {
    return this.#system.wallMs();
  }

  monotonicMs(): number {
    return this.#system.monotonicMs();
  }

  elapsedMs(): number {
    return this.#system.elapsedMs();
  }

  after(...about: Parameters<Clock['after']>): Cancel {
    return this.#system.after(...about);
  }

  /**
   * Something was written down at this time, e.g. the newest event of the journal: it cannot be
   * earlier now.
   */
  notBefore(wallMs: number): void {
    if (wallMs > this.#floorMs()) this.#floor = { wallMs, elapsedMs: this.#system.elapsedMs() };
    this.#tell();
  }

  /**
   * The service has answered with this date. One that cannot be is ignored: a service on this
   * computer has the same clock. Against a clock that may be right, two answers have to agree.
   * @returns how far the system's clock is ahead, in seconds
   */
  serviceSays(dateMs: number): number {
    const wallMs = this.#system.wallMs();
    const aheadMs = wallMs - dateMs;
    const isAgreed = this.#claimedMs !== null && !isFar(aheadMs - this.#claimedMs);
    this.#claimedMs = aheadMs;
    const mayBeRight = !isBehind(wallMs, this.#floorMs());
    const isAccepted =
      dateMs >= this.#builtMs &&
      dateMs < this.#builtMs + maxLifeMs &&
      (!isFar(aheadMs) || !mayBeRight || isAgreed);
    if (isAccepted) {
      this.#service = { aheadMs, bootMs: this.#bootMs() };
      // Also where the journal is from a later time: its clock was wrong then.
      this.#floor = { wallMs: dateMs, elapsedMs: this.#system.elapsedMs() };
      this.#tell();
    }
    return secondsAhead(wallMs, dateMs);
  }

  /** @param changed called when the state is another one @returns ends it */
  watch(changed: () => void): Cancel {
    this.#changed = changed;
    let cancel: Cancel = () => {};
    const look = (): void => {
      cancel = this.#system.after(lookedAtEveryMs, look);
      this.#tell();
    };
    look();
    return () => {
      cancel();
      this.#changed = () => {};
    };
  }

  /**
   * When the computer was started, by its own clock. Differs as soon as somebody sets that, or it
   * has slept.
   */
  #bootMs(): number {
    return this.#system.wallMs() - this.#system.elapsedMs();
  }

  #floorMs(): number {
    return this.#floor.wallMs + this.#system.elapsedMs() - this.#floor.elapsedMs;
  }

  #judge(): { readonly state: ClockState; readonly wallMs: number } {
    const wallMs = this.#system.wallMs();
    const service = this.#service;
    const isOff = service !== null && isFar(service.aheadMs);
    if (service !== null && !isFar(this.#bootMs() - service.bootMs))
      return isOff
        ? { state: 'corrected', wallMs: wallMs - service.aheadMs }
        : { state: 'right', wallMs };
    const floorMs = this.#floorMs();
    const isBefore = isBehind(wallMs, floorMs);
    // It was set, or the computer slept, since the service said that it was wrong: the next answer
    // tells which.
    const mayBeOff = isOff && isFar(wallMs - floorMs);
    return isBefore || mayBeOff
      ? { state: 'unknown', wallMs: floorMs }
      : { state: 'right', wallMs };
  }

  #tell(): void {
    const { state, wallMs } = this.#judge();
    if (state === this.#told) return;
    this.#told = state;
    const about = { systemTime: isoTime(this.#system.wallMs()), usedTime: isoTime(wallMs) };
    if (state === 'right') this.#log.info(about, "this computer's clock is right again");
    else if (state === 'corrected')
      this.#log.warn(
        about,
        "this computer's clock is wrong: the time is the wallet service's until it is set",
      );
    else
      this.#log.error(
        about,
        "this computer's clock is wrong: no payment, refund or closing begins until it is set, or the wallet service answers",
      );
    this.#changed();
  }
}

const isFar = (differenceMs: number): boolean => isClockTooFar(differenceMs / 1_000);
const isBehind = (wallMs: number, floorMs: number): boolean =>
  wallMs < floorMs && isFar(floorMs - wallMs);

const isoTime = (ms: number): string => new Date(ms).toISOString();
