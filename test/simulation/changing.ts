import type { ServiceName } from '../../main/core/domain/sale.ts';
import { isFinal } from '../../main/core/settlement/outcome.ts';
import type { Books } from './books.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';
import { otherService } from './wallets.ts';

/** The part of the settings that is about the wallet service. */
export interface ServiceSettings {
  readonly service: ServiceName;
  /** The former service; missing when there was none. */
  readonly former?: ServiceName;
}

export interface ChangingOptions {
  readonly stage: Stage;
  readonly chance: Chance;
  readonly books: Books;
  /** Restarts the daemon with the new settings, after a request to stop or without one. */
  readonly restart: (isAskedFirst: boolean) => void;
}

/**
 * Changes the wallet service of a shop while it trades: mostly once, mostly to the newer one, and
 * sometimes back again.
 */
export class Changing {
  changes = 0;
  carriedOver = 0;
  settings: ServiceSettings;
  readonly #options: ChangingOptions;
  #changesLeft: number;

  constructor(options: ChangingOptions) {
    this.#options = options;
    const { chance } = options;
    this.settings = { service: chance.is(0.8) ? 'v10' : 'epayment' };
    this.#changesLeft = chance.one([1, 1, 1, 2]);
    this.#later();
  }

  get isDone(): boolean {
    return this.#changesLeft === 0;
  }

  #later(): void {
    const { stage, chance } = this.#options;
    stage.time.after(chance.between(20_000, 240_000), () => {
      this.#changesLeft -= 1;
      this.#change();
      if (this.#changesLeft > 0) this.#later();
    });
  }

  #change(): void {
    const { stage, chance, books, restart } = this.#options;
    const { service: former } = this.settings;
    this.settings = { service: otherService(former), former };
    this.changes += 1;
    this.carriedOver += [...books.payments.values(), ...books.refunds.values()].filter(
      (money) => !isFinal(money),
    ).length;
    stage.say('settings', () => `from now on ${this.settings.service}, and ${former} beside it`);
    restart(chance.is(0.7));
  }
}
