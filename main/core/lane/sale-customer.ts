import type { CustomerRefusal, NamedCustomer } from '../domain/named-customer.ts';
import type { CustomerFacts } from '../domain/sale.ts';

const nobody: CustomerFacts = { loyaltyIds: null, receiptToken: null };

/** How often a number may be typed for one sale. */
const maxTypedNumbers = 3;

/**
 * The customer who was named at the counter, and the result. `isSent`: the request is on its way to
 * this customer, so that no other customer can be named.
 */
export interface CustomerOnScreen {
  readonly customer: NamedCustomer | null;
  readonly isSent: boolean;
  /** Why the customer named before was refused. */
  readonly refused: CustomerRefusal | null;
}

/**
 * What the customer lets the shop know, and who was named at the counter, while the sale is under
 * way. In memory only: the till is told once, with the result, and the journal would keep the
 * customer's data for years.
 */
export class SaleCustomer {
  #known = nobody;
  #named: CustomerOnScreen;
  #typed = 0;

  /** @param customer who was named before there was an amount */
  constructor(customer: NamedCustomer | null = null) {
    this.#named = { customer, isSent: false, refused: null };
  }

  get moneyKnown(): CustomerFacts {
    return this.#known;
  }

  get named(): CustomerOnScreen {
    return this.#named;
  }

  /**
   * Takes over what a poll told. A later null means that it was not looked up, so it replaces
   * nothing. @returns whether anything is new
   */
  learn(seen: CustomerFacts): boolean {
    const before = JSON.stringify(this.#known);
    this.#known = {
      loyaltyIds: seen.loyaltyIds ?? this.#known.loyaltyIds,
      receiptToken: seen.receiptToken ?? this.#known.receiptToken,
    };
    return JSON.stringify(this.#known) !== before;
  }

  /**
   * Whether a scan of the sticker may name the customer: it may be somebody else's in the queue, so
   * whom the cashier named stays.
   */
  get isOpenToScans(): boolean {
    const { customer, isSent } = this.#named;
    return !isSent && (customer === null || customer.kind === 'sticker');
  }

  /**
   * Names a customer, or nobody for null. @returns false when the request has been sent to another
   * one
   */
  name(customer: NamedCustomer | null): boolean {
    if (this.#named.isSent) return false;
    this.#named = { customer, isSent: false, refused: null };
    return true;
  }

  sent(): void {
    this.#named = { ...this.#named, isSent: true };
  }

  refuse(refused: CustomerRefusal): void {
    this.#named = { customer: null, isSent: false, refused };
  }

  /**
   * Whether a number may be typed at the customer's screen: while nobody is named, and a few times
   * only, since each number is somebody's phone.
   */
  get mayBeTyped(): boolean {
    return this.#named.customer === null && !this.#named.isSent && this.#typed < maxTypedNumbers;
  }

  typed(customer: NamedCustomer): boolean {
    if (!this.mayBeTyped) return false;
    this.#typed += 1;
    return this.name(customer);
  }

  /** Notes that a scan was no customer's code; the customer named before stays. */
  refuseScan(refused: CustomerRefusal): void {
    this.#named = { ...this.#named, refused };
  }

  /** Forgets the customer, once the till was told or never will be. */
  forget(): void {
    this.#known = nobody;
    this.#named = { customer: null, isSent: false, refused: null };
  }
}
