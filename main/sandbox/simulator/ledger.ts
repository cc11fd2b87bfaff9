/** Money that moved, whichever interface moved it: what transfers pay out and reporting shows (interface document 3, "Reporting records"). */
import type { Currency } from '../../domain/money.ts';
import { transferWaiting } from './reporting/transfers.ts';
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
  /**
   * Into the merchant's account: positive; out of it: negative. So payments are positive; refunds, fees and the transfer itself are
   * negative; all movements of a transfer sum to zero, and all but the `Transfer` to its total.
   */
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly atMs: number;
  /** What the reporting interface tells beside: names as in the interface's record. */
  readonly about: Readonly<Record<string, string>>;
  /** null: not yet transferred. */
  transfer: Transfer | null;
}

/** To the merchant's bank: once a day, of one payment point and currency. */
export interface Transfer {
  readonly id: string;
  readonly reference: string;
  readonly merchantVat: string;
  readonly paymentPointId: string;
  /** Positive. */
  readonly totalMinor: number;
  readonly currency: Currency;
  readonly atMs: number;
  /** Its own `Transfer` is the last. */
  readonly movements: Movement[];
}

export interface PaymentPoint {
  readonly paymentPointId: string;
  readonly product: ProductType;
  readonly movements: Movement[];
  readonly transfers: Transfer[];
}

/** All of one merchant. Every list is in the order of time, so that reporting can find a page without looking through it. */
export interface Account {
  readonly merchantVat: string;
  readonly movements: Movement[];
  readonly transfers: Transfer[];
  readonly points: Map<string, PaymentPoint>;
  /** Not yet transferred: by product, payment point and currency. */
  readonly waiting: Map<string, Movement[]>;
}

type NewMovement = Omit<Movement, 'atMs' | 'transfer'>;

const emptyAccount = (merchantVat: string): Account => ({ merchantVat, movements: [], transfers: [], points: new Map(), waiting: new Map() });

export class Ledger {
  readonly #world: World;
  readonly #accounts = new Map<string, Account>();
  #transferDue = false;
  /** Oldest first, of all merchants. */
  readonly movements: Movement[] = [];
  readonly transfers = new Map<string, Transfer>();
  readonly #listeners = new Set<(transfer: Transfer) => void>();

  constructor(world: World) {
    this.#world = world;
  }

  record(movement: NewMovement): void {
    const recorded = this.#append({ ...movement, atMs: this.nowMs(movement.merchantVat), transfer: null });
    const { waiting } = this.account(movement.merchantVat);
    const key = `${movement.product}|${movement.paymentPointId}|${movement.currency}`;
    const sameKind = waiting.get(key);
    if (sameKind === undefined) waiting.set(key, [recorded]);
    else sameKind.push(recorded);
    // What was carried over cannot become positive by itself: it waits for the next movement.
    if (this.#transferDue) return;
    this.#transferDue = true;
    const { hours, minutes } = this.#world.policy.transfersAt;
    this.#world.clock.atTimeOfDay(hours, minutes, () => {
      this.#transferDue = false;
      for (const account of this.#accounts.values()) transferWaiting(this.#world, account);
    });
  }

  /** Books a transfer and what it takes out: fees, and itself. */
  book(transfer: Transfer, movements: readonly NewMovement[]): void {
    this.transfers.set(transfer.id, transfer);
    const account = this.account(transfer.merchantVat);
    account.transfers.push(transfer);
    account.points.get(transfer.paymentPointId)?.transfers.push(transfer);
    for (const movement of movements) transfer.movements.push(this.#append({ ...movement, atMs: transfer.atMs, transfer }));
    for (const listener of this.#listeners) listener(transfer);
  }

  /** Calls back after each transfer. */
  onTransfer(listener: (transfer: Transfer) => void): void {
    this.#listeners.add(listener);
  }

  /** An empty one for a merchant that was never paid. */
  account(merchantVat: string): Account {
    const known = this.#accounts.get(merchantVat);
    if (known !== undefined) return known;
    const account = emptyAccount(merchantVat);
    this.#accounts.set(merchantVat, account);
    return account;
  }

  /** By the wall clock; one that is put back must not bring the lists out of order. */
  nowMs(merchantVat: string): number {
    return Math.max(this.#world.clock.wallMs(), this.account(merchantVat).movements.at(-1)?.atMs ?? 0);
  }

  #append(movement: Movement): Movement {
    const { paymentPointId, product } = movement;
    const { movements, points } = this.account(movement.merchantVat);
    let point = points.get(paymentPointId);
    if (point === undefined) points.set(paymentPointId, (point = { paymentPointId, product, movements: [], transfers: [] }));
    this.movements.push(movement);
    movements.push(movement);
    point.movements.push(movement);
    return movement;
  }
}
