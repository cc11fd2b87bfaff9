import { CappedMap } from '../../../core/domain/capped-map.ts';

/** More than a lane has under way, and more than a day of them. */
const maxNames = 1_000;

/**
 * The order ids of payments or refunds by the service's ids for them, which are the same in
 * capitals. The oldest make room.
 */
export class RecentNames {
  readonly #orderIds = new CappedMap<string, string>(maxNames);

  get(id: string): string | undefined {
    return this.#orderIds.get(id.toLowerCase());
  }

  set(id: string, orderId: string): void {
    this.#orderIds.set(id.toLowerCase(), orderId);
  }
}
