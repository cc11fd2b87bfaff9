import type { Journal } from '../journal/journal.ts';
import { certaintyOf, outcomeOf } from '../settlement/outcome.ts';
import { type Claimant, claimantOf, type Payment } from '../settlement/payment.ts';
import { refundedOf } from '../settlement/refundable.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { Money } from '../domain/money.ts';
import type { Certainty, PaymentOutcome } from '../domain/sale.ts';

/** A sale that is decided, as a list shows it. */
export interface RecentSale extends Money {
  readonly saleId: string;
  readonly orderId: string;
  readonly receiptNumber: number;
  readonly startedAtMs: number;
  readonly by: Claimant;
  /** See `Sale`. */
  readonly isTest?: true;
  readonly outcome: PaymentOutcome;
  /** How much of it is captured; missing when it is all or nothing. */
  readonly capturedMinor?: number;
  readonly certainty: Certainty;
  /** Sum of the refunds that are decided. */
  readonly refundedMinor: number;
}

interface Entry {
  readonly payment: Payment;
  readonly refundedMinor: number;
  /**
   * Kept, because screens ask for all of them at each step of a sale; null while it is not decided.
   */
  readonly shown: RecentSale | null;
}

const maxRecent = 10;

/** The last payments of a lane: read once from the journal, then updated in memory. */
export class RecentLanePayments {
  readonly #journal: Journal;
  readonly #laneId: string;
  /** The newest come first. */
  #entries: readonly Entry[] = [];

  constructor(journal: Journal, laneId: string) {
    this.#journal = journal;
    this.#laneId = laneId;
  }

  /** Reads them from the journal. */
  read(): void {
    const newest = this.#journal.newestSales(this.#laneId, maxRecent);
    this.#entries = newest.map((payment) => entryOf(payment, this.#refunded(payment.sale.saleId)));
  }

  began(payment: Payment): void {
    this.#entries = [entryOf(payment, 0), ...this.#entries].slice(0, maxRecent);
  }

  changed(payment: Payment): void {
    this.#replace(payment.sale.saleId, ({ refundedMinor }) => entryOf(payment, refundedMinor));
  }

  refundChanged(saleId: string): void {
    this.#replace(saleId, ({ payment }) => entryOf(payment, this.#refunded(saleId)));
  }

  /** The sales that are decided. */
  shown(): readonly RecentSale[] {
    return this.#entries.flatMap(({ shown }) => shown ?? []);
  }

  #replace(saleId: string, next: (entry: Entry) => Entry): void {
    this.#entries = this.#entries.map((entry) =>
      entry.payment.sale.saleId === saleId ? next(entry) : entry,
    );
  }

  #refunded(saleId: string): number {
    return refundedOf(this.#journal.refundsOf(saleId));
  }
}

function entryOf(payment: Payment, refundedMinor: number): Entry {
  const { saleId, orderId, amountMinor, currency, receiptNumber, startedAtMs, isTest } =
    payment.sale;
  const outcome = outcomeOf(payment);
  if (outcome === null) return { payment, refundedMinor, shown: null };
  const facts = {
    saleId,
    orderId,
    amountMinor,
    currency,
    receiptNumber,
    startedAtMs,
    ...(isTest && { isTest }),
    outcome,
  };
  const capturedMinor = capturedMinorOf(payment);
  const isLess = outcome.paid && capturedMinor < amountMinor;
  const shown = {
    ...facts,
    by: claimantOf(payment.sale),
    certainty: certaintyOf(payment),
    ...(isLess && { capturedMinor }),
    refundedMinor,
  };
  return { payment, refundedMinor, shown };
}
