import type { Journal } from '../journal/journal.ts';
import { type Claimant, claimantOf, outcomeOf, type Payment } from '../payment/payment.ts';
import type { Money } from '../primitives/money.ts';
import type { SaleOutcome } from '../primitives/sale.ts';

/** A sale that is decided, as a list shows it. */
export interface RecentSale extends Money {
  readonly saleId: string;
  readonly orderId: string;
  readonly receiptNumber: number;
  readonly startedAtMs: number;
  readonly by: Claimant;
  readonly outcome: SaleOutcome;
  /** The service contradicts the outcome. */
  readonly needsPerson: boolean;
  /** By refunds that are done or may still be. */
  readonly refundedMinor: number;
}

interface Entry {
  readonly payment: Payment;
  readonly refundedMinor: number;
}

const mostSales = 10;

/** The last payments of a lane: read once from the journal, then kept up. */
export class RecentSales {
  readonly #journal: Journal;
  readonly #laneId: string;
  /** Newest first. */
  #entries: readonly Entry[] = [];

  constructor(journal: Journal, laneId: string) {
    this.#journal = journal;
    this.#laneId = laneId;
  }

  /** What the journal knows. */
  read(): void {
    const newest = this.#journal.newestSales(this.#laneId, mostSales);
    this.#entries = newest.map((payment) => ({ payment, refundedMinor: this.#refunded(payment.sale.saleId) }));
  }

  began(payment: Payment): void {
    this.#entries = [{ payment, refundedMinor: 0 }, ...this.#entries].slice(0, mostSales);
  }

  changed(payment: Payment): void {
    this.#replace(payment.sale.saleId, (entry) => ({ ...entry, payment }));
  }

  refundChanged(saleId: string): void {
    this.#replace(saleId, (entry) => ({ ...entry, refundedMinor: this.#refunded(saleId) }));
  }

  /** Those that are decided. */
  shown(): RecentSale[] {
    return this.#entries.flatMap(({ payment, refundedMinor }) => {
      const { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs } = payment.sale;
      const outcome = outcomeOf(payment);
      if (outcome === null) return [];
      const facts = { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs, outcome };
      return { ...facts, by: claimantOf(payment.sale), needsPerson: payment.kind === 'needsPerson', refundedMinor };
    });
  }

  #replace(saleId: string, next: (entry: Entry) => Entry): void {
    this.#entries = this.#entries.map((entry) => (entry.payment.sale.saleId === saleId ? next(entry) : entry));
  }

  #refunded(saleId: string): number {
    return this.#journal.refundsOf(saleId).reduce((sum, { kind, request }) => (kind === 'notRefunded' ? sum : sum + request.amountMinor), 0);
  }
}
