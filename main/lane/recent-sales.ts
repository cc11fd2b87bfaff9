import type { Journal } from '../journal/journal.ts';
import { certaintyOf, outcomeOf } from '../domain/settlement/outcome.ts';
import { type Claimant, claimantOf, type Payment } from '../domain/settlement/payment.ts';
import { refundedOf } from '../domain/settlement/refundable.ts';
import { capturedMinorOf } from '../domain/settlement/reservation.ts';
import type { Money } from '../domain/money.ts';
import type { Certainty, SaleOutcome } from '../domain/sale.ts';

/** A sale that is decided, as a list shows it. */
export interface RecentSale extends Money {
  readonly saleId: string;
  readonly orderId: string;
  readonly receiptNumber: number;
  readonly startedAtMs: number;
  readonly by: Claimant;
  readonly outcome: SaleOutcome;
  /** How much of it is captured; missing when it is all or nothing. */
  readonly capturedMinor?: number;
  readonly certainty: Certainty;
  /** Sum of the refunds that are decided. */
  readonly refundedMinor: number;
}

interface Entry {
  readonly payment: Payment;
  readonly refundedMinor: number;
}

const mostSales = 10;

/** The last payments of a lane: read once from the journal, then updated in memory. */
export class RecentSales {
  readonly #journal: Journal;
  readonly #laneId: string;
  /** The newest come first. */
  #entries: readonly Entry[] = [];
  /** Cached until the next change, because screens ask for it at each step of a sale; null when it has to be made anew. */
  #shown: readonly RecentSale[] | null = null;

  constructor(journal: Journal, laneId: string) {
    this.#journal = journal;
    this.#laneId = laneId;
  }

  /** Reads them from the journal. */
  read(): void {
    const newest = this.#journal.newestSales(this.#laneId, mostSales);
    this.#keep(newest.map((payment) => ({ payment, refundedMinor: this.#refunded(payment.sale.saleId) })));
  }

  began(payment: Payment): void {
    this.#keep([{ payment, refundedMinor: 0 }, ...this.#entries].slice(0, mostSales));
  }

  changed(payment: Payment): void {
    this.#replace(payment.sale.saleId, (entry) => ({ ...entry, payment }));
  }

  refundChanged(saleId: string): void {
    this.#replace(saleId, (entry) => ({ ...entry, refundedMinor: this.#refunded(saleId) }));
  }

  /** The sales that are decided. */
  shown(): readonly RecentSale[] {
    this.#shown ??= this.#entries.flatMap(shownOf);
    return this.#shown;
  }

  #keep(entries: readonly Entry[]): void {
    this.#entries = entries;
    this.#shown = null;
  }

  #replace(saleId: string, next: (entry: Entry) => Entry): void {
    this.#keep(this.#entries.map((entry) => (entry.payment.sale.saleId === saleId ? next(entry) : entry)));
  }

  #refunded(saleId: string): number {
    return refundedOf(this.#journal.refundsOf(saleId));
  }
}

function shownOf({ payment, refundedMinor }: Entry): RecentSale[] {
  const { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs } = payment.sale;
  const outcome = outcomeOf(payment);
  if (outcome === null) return [];
  const facts = { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs, outcome };
  const capturedMinor = capturedMinorOf(payment);
  const isLess = outcome.paid && capturedMinor < amountMinor;
  return [{ ...facts, by: claimantOf(payment.sale), certainty: certaintyOf(payment), ...(isLess && { capturedMinor }), refundedMinor }];
}
