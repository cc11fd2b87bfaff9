import type { Cancel, Clock } from '../../main/domain/clock.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/**
 * One life of the daemon's process, from its start to its crash. Everything that it does to the world goes through a port that asks its life
 * first: from the moment of death nothing leaves any more, whatever its code still runs through.
 */
export class Life {
  readonly clock: Clock;
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #died: (why: string) => void;
  isAlive = true;

  constructor(stage: Stage, chance: Chance, wallShiftMs: () => number, died: (why: string) => void) {
    this.#stage = stage;
    this.#chance = chance;
    this.#died = died;
    const { time } = stage;
    this.clock = {
      wallMs: () => time.wallMs() + wallShiftMs(),
      monotonicMs: () => time.monotonicMs(),
      elapsedMs: () => time.monotonicMs(),
      after: (delayMs, run): Cancel =>
        time.after(delayMs, () => {
          if (this.survives('at a timer')) run();
        }),
    };
  }

  /** Whether the daemon survives a moment at which it could crash. */
  survives(where: string, probability = this.#stage.weather.crash): boolean {
    if (this.isAlive && this.#stage.fault(this.#chance, probability)) this.end(where);
    return this.isAlive;
  }

  end(why: string): void {
    if (!this.isAlive) return;
    this.isAlive = false;
    this.#died(why);
  }
}
