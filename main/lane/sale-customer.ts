import type { CustomerFacts } from '../domain/sale.ts';

const nobody: CustomerFacts = { loyaltyIds: null, receiptToken: null };

/**
 * What is known of who pays a sale, as long as the sale is under way. In memory alone: the till is told once, with the result, and a receipt
 * that is repeated after a restart has no need of it; the journal would keep for years what belongs to the customer.
 */
export class SaleCustomer {
  #known = nobody;

  get known(): CustomerFacts {
    return this.#known;
  }

  /** A later answer that has not looked something up takes nothing back. */
  learn(seen: CustomerFacts): void {
    this.#known = { loyaltyIds: seen.loyaltyIds ?? this.#known.loyaltyIds, receiptToken: seen.receiptToken ?? this.#known.receiptToken };
  }

  /** The till was told, or never will be. */
  forget(): void {
    this.#known = nobody;
  }
}
