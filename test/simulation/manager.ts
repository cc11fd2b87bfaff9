import type { Lane } from '../../main/core/lane/lane.ts';
import { managerRefundId } from '../../main/core/domain/ids.ts';
import type { Books } from './books.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/**
 * A manager who refunds from the office, and sometimes clicks more than once, also after a restart.
 */
export class Manager {
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #books: Books;
  /** The lanes of the daemon, while it lives. */
  readonly #lanes: () => readonly Lane[];
  readonly #isBusy: boolean;
  #actionsLeft: number;
  #clicksUnderWay = 0;

  constructor(stage: Stage, chance: Chance, books: Books, lanes: () => readonly Lane[]) {
    this.#stage = stage;
    this.#chance = chance;
    this.#books = books;
    this.#lanes = lanes;
    this.#isBusy = stage.weather.moments?.isOfRefunds === true;
    this.#actionsLeft = this.#isBusy
      ? chance.between(4, 10)
      : chance.is(0.4)
        ? chance.between(1, 4)
        : 0;
    if (this.#actionsLeft > 0) this.#later();
  }

  get isDone(): boolean {
    return this.#actionsLeft === 0 && this.#clicksUnderWay === 0;
  }

  /**
   * Cancels every refund that an outdated screen may show, whether a till or a manager has
   * requested it, and whatever its state.
   */
  cancelsAll(): void {
    for (const lane of this.#lanes())
      for (const [refundOrderId, { request }] of this.#books.refunds)
        if (request.laneId === lane.id) this.#cancel(lane, refundOrderId);
  }

  #cancel(lane: Lane, refundOrderId: string): void {
    const answer = lane.cancelRefundByManager(refundOrderId);
    this.#stage.say('manager', () => `wants out of refund ${refundOrderId}: ${answer}`);
  }

  #later(): void {
    this.#stage.time.after(this.#chance.steeply(5_000, this.#isBusy ? 20_000 : 120_000), () => {
      this.#actionsLeft -= 1;
      this.#act();
      if (this.#actionsLeft > 0) this.#later();
    });
  }

  #act(): void {
    const chance = this.#chance;
    const paid = [...this.#books.payments.values()].filter(
      ({ kind }) => kind === 'paid' || kind === 'capturing',
    );
    if (paid.length === 0) return;
    const { sale } = chance.one(paid);
    const actionId = chance.uuid();
    const amountMinor = chance.is(0.6) ? chance.between(1, sale.amountMinor + 1) : null;
    const clicks = chance.is(0.5) ? 1 : chance.between(2, 4);
    for (let click = 0; click < clicks; click += 1) {
      this.#clicksUnderWay += 1;
      this.#stage.time.after(click === 0 ? 0 : chance.steeply(10, 60_000), () => {
        this.#clicksUnderWay -= 1;
        const lane = this.#lanes().find(({ id }) => id === sale.laneId);
        if (lane === undefined) return;
        const answer = lane.refundByManager({
          actionId,
          sale: { saleId: sale.saleId },
          amountMinor,
          note: null,
          name: 'Ms Moeller',
        });
        this.#stage.say(
          'manager',
          () =>
            `gives back ${amountMinor ?? 'what is left'} of ${sale.amountMinor} (action ${actionId.slice(0, 8)}): ${JSON.stringify(answer)}`,
        );
      });
    }
    if (this.#stage.fault(chance, this.#stage.weather.impatience)) {
      this.#stage.time.after(chance.steeply(10, 5_000), () => {
        for (const lane of this.#lanes())
          if (lane.id === sale.laneId) this.#cancel(lane, managerRefundId(actionId));
      });
    }
  }
}
