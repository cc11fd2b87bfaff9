import type { Lane } from '../../main/core/lane/lane.ts';
import type { Books } from './books.ts';
import type { Chance } from './random.ts';
import type { Stage } from './stage.ts';

/**
 * A manager who captures reservations completely or in part, or cancels them; who sometimes asks
 * twice, and now and then forgets one.
 */
export class ReservationOffice {
  /** For each sale, what the lane has agreed to capture. */
  readonly agreed = new Map<string, number | 'released'>();
  readonly #stage: Stage;
  readonly #chance: Chance;
  readonly #books: Books;
  readonly #lanes: () => readonly Lane[];
  readonly #seen = new Set<string>();
  #decisionsUnderWay = 0;

  constructor(stage: Stage, chance: Chance, books: Books, lanes: () => readonly Lane[]) {
    this.#stage = stage;
    this.#chance = chance;
    this.#books = books;
    this.#lanes = lanes;
  }

  get isDone(): boolean {
    return this.#decisionsUnderWay === 0;
  }

  /** Called when this lane's screen has changed. */
  looks(lane: Lane): void {
    for (const { saleId, by } of lane.snapshot().reservations) {
      if (this.#seen.has(saleId)) continue;
      this.#seen.add(saleId);
      // Most reservations of tills are decided by the till itself.
      if (by === 'till' && !this.#chance.is(0.12)) continue;
      if (!this.#chance.is(0.06)) this.#decideLater(lane.id, saleId, 1);
    }
  }

  #decideLater(laneId: string, saleId: string, timesLeft: number): void {
    this.#decisionsUnderWay += 1;
    this.#stage.time.after(this.#chance.steeply(50, 600_000), () => {
      this.#decisionsUnderWay -= 1;
      const isDecided = this.#decide(laneId, saleId);
      if (!isDecided || (timesLeft > 0 && this.#chance.is(0.3)))
        this.#decideLater(laneId, saleId, timesLeft - (isDecided ? 1 : 0));
    });
  }

  /** @returns false when it is to be tried again */
  #decide(laneId: string, saleId: string): boolean {
    const chance = this.#chance;
    const lane = this.#lanes().find(({ id }) => id === laneId);
    const reservedMinor = this.#books.payments.get(saleId)?.sale.amountMinor;
    if (lane === undefined || reservedMinor === undefined) return false;
    const amountMinor = chance.is(0.25)
      ? null
      : chance.is(0.4)
        ? reservedMinor
        : chance.between(1, reservedMinor + 1);
    const answer =
      amountMinor === null
        ? lane.releaseReservation(saleId)
        : lane.captureReservation(saleId, amountMinor, 'Ms Moeller');
    this.#stage.say(
      'office',
      () =>
        `${amountMinor === null ? 'cancels' : `captures ${amountMinor} of`} the reservation of ${reservedMinor}: ${JSON.stringify(answer)}`,
    );
    if (answer.accepted) this.agreed.set(saleId, amountMinor ?? 'released');
    return answer.accepted || answer.reason === 'notHeld';
  }
}
