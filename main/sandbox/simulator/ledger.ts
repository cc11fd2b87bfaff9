/**
 * Movements of money at all interfaces, which transfers pay out and reporting shows (interface
 * document 3, "Reporting records").
 */
import type { Currency } from '../../core/domain/money.ts';
import type { WorldClock } from './world-clock.ts';

/** Document 4, section 5. */
export type ProductType = 'PointOfSale' | 'MyShop' | 'Subscription' | 'Invoice' | 'App payments';
export type MovementType =
  | 'Payment'
  | 'Refund'
  | 'TransactionFee'
  | 'ServiceFee'
  | 'Transfer'
  | 'ReturnedTransaction'
  | 'Adjustment';

export interface Movement {
  readonly type: MovementType;
  readonly product: ProductType;
  readonly merchantVat: string;
  /**
   * Id of the store (point of sale), the provider (subscriptions), the issuer (invoice), or the
   * app's payment point.
   */
  readonly paymentPointId: string;
  /**
   * Into the merchant's account: positive; out of it: negative. So payments are positive; refunds,
   * fees and the transfer itself are negative; all movements of a transfer sum to zero, and all but
   * the `Transfer` to its total.
   */
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly atMs: number;
  /** Further fields of the reporting interface's record, by their names there. */
  readonly about: Readonly<Record<string, string>>;
  /** null until it is transferred. */
  transfer: Transfer | null;
}

/** A daily payout to the merchant's bank, for one payment point and currency. */
export interface Transfer {
  readonly id: string;
  readonly reference: string;
  readonly merchantVat: string;
  readonly paymentPointId: string;
  /** Positive. */
  readonly totalMinor: number;
  readonly currency: Currency;
  readonly atMs: number;
  /** The movements, of which its own `Transfer` is the last. */
  readonly movements: Movement[];
}

export interface PaymentPoint {
  readonly paymentPointId: string;
  readonly product: ProductType;
  readonly movements: Movement[];
  readonly transfers: Transfer[];
}

/**
 * One merchant's account. Every list is sorted by time, so that reporting finds a page by binary
 * search.
 */
export interface Account {
  readonly merchantVat: string;
  readonly movements: Movement[];
  readonly transfers: Transfer[];
  readonly points: Map<string, PaymentPoint>;
  /** Not yet transferred: by product, payment point and currency. */
  readonly waiting: Map<string, Movement[]>;
}

export type NewMovement = Omit<Movement, 'atMs' | 'transfer'>;

export class Ledger {
  readonly #clock: WorldClock;
  readonly accounts = new Map<string, Account>();
  /** Oldest first, of all merchants. */
  readonly movements: Movement[] = [];
  readonly transfers = new Map<string, Transfer>();
  readonly #recordListeners = new Set<() => void>();
  readonly #transferListeners = new Set<(transfer: Transfer) => void>();

  constructor(clock: WorldClock) {
    this.#clock = clock;
  }

  record(movement: NewMovement): void {
    const recorded = this.#append({
      ...movement,
      atMs: this.nowMs(movement.merchantVat),
      transfer: null,
    });
    const { waiting } = this.account(movement.merchantVat);
    const key = `${movement.product}|${movement.paymentPointId}|${movement.currency}`;
    const sameKind = waiting.get(key);
    if (sameKind === undefined) waiting.set(key, [recorded]);
    else sameKind.push(recorded);
    for (const listener of this.#recordListeners) listener();
  }

  /** Adds a transfer and its own movements: the fees, and the transfer itself. */
  addTransfer(transfer: Transfer, movements: readonly NewMovement[]): void {
    this.transfers.set(transfer.id, transfer);
    const account = this.account(transfer.merchantVat);
    account.transfers.push(transfer);
    account.points.get(transfer.paymentPointId)?.transfers.push(transfer);
    for (const movement of movements)
      transfer.movements.push(this.#append({ ...movement, atMs: transfer.atMs, transfer }));
    for (const listener of this.#transferListeners) listener(transfer);
  }

  /** Calls back after each movement that a transfer has to pay out. */
  onRecord(listener: () => void): void {
    this.#recordListeners.add(listener);
  }

  /** Calls back after each transfer. */
  onTransfer(listener: (transfer: Transfer) => void): void {
    this.#transferListeners.add(listener);
  }

  /** Creates an empty account for a merchant that has none yet. */
  account(merchantVat: string): Account {
    const existing = this.accounts.get(merchantVat);
    if (existing !== undefined) return existing;
    const account: Account = {
      merchantVat,
      movements: [],
      transfers: [],
      points: new Map(),
      waiting: new Map(),
    };
    this.accounts.set(merchantVat, account);
    return account;
  }

  /**
   * The wall clock's time; when that is put back, the account's last time, so that its lists stay
   * in order.
   */
  nowMs(merchantVat: string): number {
    return Math.max(this.#clock.wallMs(), this.account(merchantVat).movements.at(-1)?.atMs ?? 0);
  }

  #append(movement: Movement): Movement {
    const { paymentPointId, product } = movement;
    const { movements, points } = this.account(movement.merchantVat);
    let point = points.get(paymentPointId);
    if (point === undefined)
      points.set(
        paymentPointId,
        (point = { paymentPointId, product, movements: [], transfers: [] }),
      );
    this.movements.push(movement);
    movements.push(movement);
    point.movements.push(movement);
    return movement;
  }
}
