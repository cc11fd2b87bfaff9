/** Faults from outside the daemon: it is stopped, clocks and cables fail, and people cancel. */
import type { Lane } from '../../main/core/lane/lane.ts';
import type { Cashier } from './cashier.ts';
import type { Place } from './daemon.ts';
import type { Manager } from './manager.ts';
import type { Exit } from './moments.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import type { ShopTill } from './till.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export interface PlagueOptions {
  readonly stage: Stage;
  readonly chance: Chance;
  readonly places: readonly Place[];
  readonly tills: readonly ShopTill[];
  readonly manager: Manager;
  readonly cashier: Cashier;
  /** The lanes of the daemon, while it lives. */
  readonly lanes: () => readonly Lane[];
  readonly stopDaemon: () => void;
  /** @returns the milliseconds by which the wall clock is wrong now */
  readonly shiftClock: (byMs: number) => number;
}

export class Plague {
  readonly #options: PlagueOptions;

  constructor(options: PlagueOptions) {
    this.#options = options;
    const { stage, places, cashier, stopDaemon, shiftClock } = options;
    const { weather } = stage;
    this.#everyNowAndThen(weather.stopsPerMinute, stopDaemon);
    this.#everyNowAndThen(weather.clockJumpsPerMinute, (chance) => {
      const wrongByMs = shiftClock(chance.between(-3 * dayMs, 3 * dayMs));
      stage.say(
        'clock',
        () => `the shop's wall clock now goes wrong by ${Math.round(wrongByMs / minuteMs)} minutes`,
      );
    });
    for (const { line } of places) {
      this.#everyNowAndThen(weather.cutsPerMinute, (chance) => {
        if (line.kind === 'tcp') line.counter.cut(chance.is(0.4));
        else {
          line.cable.pull();
          stage.time.after(chance.steeply(200, 60_000), () => line.cable.plugIn());
        }
      });
    }
    this.#everyNowAndThen(weather.impatience, () => cashier.cancelsAll());
  }

  wantsOut(who: Exit): void {
    const { stage, places, tills, manager, cashier, lanes, stopDaemon } = this.#options;
    if (lanes().length === 0) return;
    stage.say('shop', () => `${who} wants out`);
    switch (who) {
      case 'till':
        for (const till of tills) till.abort();
        return;
      case 'cashier':
        return cashier.cancelsAll();
      case 'manager':
        return manager.cancelsAll();
      case 'cut':
        for (const { line } of places) if (line.kind === 'tcp') line.counter.cut(false);
        return;
      case 'stop':
        return stopDaemon();
    }
  }

  #everyNowAndThen(perMinute: number, act: (chance: Chance) => void): void {
    if (perMinute === 0) return;
    const { stage } = this.#options;
    const chance = this.#options.chance.fork();
    const again = (): void => {
      const delayMs = (-Math.log(1 - chance.next()) * minuteMs) / perMinute;
      stage.time.after(delayMs, () => {
        if (stage.calm) return;
        act(chance);
        again();
      });
    };
    again();
  }
}
