/** Money that moved, whichever interface moved it: what transfers pay out and reporting shows (interface document 3, "Reporting records"). */
import type { Currency } from '../primitives/money.ts';
import type { World } from './world.ts';

/** Document 4, section 5. */
export type ProductType = 'PointOfSale' | 'MyShop' | 'Subscription' | 'Invoice' | 'App payments';
export type MovementType = 'Payment' | 'Refund' | 'TransactionFee' | 'ServiceFee' | 'Transfer' | 'ReturnedTransaction' | 'Adjustment';

export interface Movement {
  readonly type: MovementType;
  readonly product: ProductType;
  readonly merchantVat: string;
  /** Of the store (point of sale), the provider (subscriptions), the issuer (invoice), or the app's payment point. */
  readonly paymentPointId: string;
  /** Into the merchant's account: positive; out of it: negative. */
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly atMs: number;
  /** What the reporting interface tells beside: names as in the interface's record. */
  readonly about: Readonly<Record<string, string>>;
}

export class Ledger {
  readonly #world: World;
  readonly movements: Movement[] = [];

  constructor(world: World) {
    this.#world = world;
  }

  record(movement: Omit<Movement, 'atMs'>): void {
    this.movements.push({ ...movement, atMs: this.#world.clock.wallMs() });
  }
}
