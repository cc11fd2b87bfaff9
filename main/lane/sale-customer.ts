import type { CustomerFacts } from '../domain/sale.ts';

const nobody: CustomerFacts = { loyaltyIds: null, receiptToken: null };

/**
 * What the customer lets the shop know, while the sale is under way. In memory only: the till is told once, with the result, and the journal
 * would keep the customer's data for years.
 */
export class SaleCustomer {
  #known = nobody;

  get known(): CustomerFacts {
    return this.#known;
  }

  /** null in a later answer means that it was not looked up, so it replaces nothing. @returns whether anything is new */
  learn(seen: CustomerFacts): boolean {
    const before = JSON.stringify(this.#known);
    this.#known = { loyaltyIds: seen.loyaltyIds ?? this.#known.loyaltyIds, receiptToken: seen.receiptToken ?? this.#known.receiptToken };
    return JSON.stringify(this.#known) !== before;
  }

  /** The till was told, or never will be. */
  forget(): void {
    this.#known = nobody;
  }
}
