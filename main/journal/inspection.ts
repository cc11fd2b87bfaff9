import { apply } from '../domain/settlement/apply.ts';
import { mayArriveLate } from '../domain/settlement/outcome.ts';
import type { Payment, PaymentEvent } from '../domain/settlement/payment.ts';
import type { Refund, RefundEvent } from '../domain/settlement/refund.ts';
import { sealOf, type StoredEvent } from './event-log.ts';
import { isClosedRefund } from './refunds-book.ts';
import { isClosedPayment } from './sales-book.ts';

/** Something in the journal that cannot be as it is. */
export interface Finding {
  readonly seq: number;
  /** null: it belongs to no sale that is known. */
  readonly saleId: string | null;
  readonly says: string;
}

export type Told = { readonly payment: Payment } | { readonly refund: Refund };

/**
 * Reads the journal from its first event on, in its order, and says what contradicts itself. Holds no more in mind than what is open, and what may yet be found late.
 * @param told what a sale or a refund has come to, each time that an event was added to it
 */
export class Inspection {
  readonly findings: Finding[] = [];
  events = 0;
  sales = 0;
  refunds = 0;
  readonly #payments = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  readonly #told: (row: StoredEvent, told: Told) => void;
  readonly #sealed: (row: StoredEvent, before: StoredEvent | null) => boolean;
  #before: StoredEvent | null;

  /** @param sealed whether a row's seal fits; a repair knows more than the two rows tell */
  constructor({ before = null, told = () => {}, sealed = sealFits }: InspectionOptions = {}) {
    this.#before = before;
    this.#told = told;
    this.#sealed = sealed;
  }

  /** Reads on behind this one. */
  get lastSeq(): number {
    return this.#before?.seq ?? 0;
  }

  /** What is not at its end for good: it is open, or may yet be found late. */
  unended(): Told[] {
    return [...this.#payments.values().map((payment) => ({ payment })), ...this.#refunds.values().map((refund) => ({ refund }))];
  }

  take(row: StoredEvent): void {
    this.events += 1;
    const before = this.#before;
    this.#before = row;
    if (!this.#sealed(row, before)) this.#find(row, brokenSeal(row, before));
    const event = parsed(row);
    if (event === null) return this.#find(row, unreadable);
    try {
      if (row.refundOrderId === null) this.#takePayment(row, event as PaymentEvent);
      else this.#takeRefund(row, row.refundOrderId, event as RefundEvent);
    } catch (error) {
      this.#find(row, (error as Error).message);
    }
  }

  #takePayment(row: StoredEvent, event: PaymentEvent): void {
    if (event.type === 'saleRequested') this.sales += 1;
    const payment = apply(this.#payments.get(row.saleId) ?? null, event);
    if (payment.sale.saleId !== row.saleId) throw new Error('it tells of another sale than its row');
    if (isClosedPayment(payment) && !mayArriveLate(payment)) this.#payments.delete(row.saleId);
    else this.#payments.set(row.saleId, payment);
    this.#told(row, { payment });
  }

  #takeRefund(row: StoredEvent, refundOrderId: string, event: RefundEvent): void {
    if (event.type === 'refundRequested') this.refunds += 1;
    const refund = apply(this.#refunds.get(refundOrderId) ?? null, event);
    if (refund.request.refundOrderId !== refundOrderId || refund.request.saleId !== row.saleId) throw new Error('it tells of another refund than its row');
    if (isClosedRefund(refund) && !mayArriveLate(refund)) this.#refunds.delete(refundOrderId);
    else this.#refunds.set(refundOrderId, refund);
    this.#told(row, { refund });
  }

  #find({ seq, saleId }: StoredEvent, says: string): void {
    this.findings.push({ seq, saleId, says });
  }
}

interface InspectionOptions {
  /** The row before the first that will be taken. */
  readonly before?: StoredEvent | null;
  readonly told?: (row: StoredEvent, told: Told) => void;
  readonly sealed?: (row: StoredEvent, before: StoredEvent | null) => boolean;
}

/** Rows of a version that did not seal come first, and none of them is missing. */
function sealFits(row: StoredEvent, before: StoredEvent | null): boolean {
  if (row.seal !== null) return row.seal === sealOf(before?.seal ?? null, row);
  return (before?.seal ?? null) === null && row.seq === (before?.seq ?? 0) + 1;
}

const unreadable = 'it cannot be read';
const brokenSeal = (row: StoredEvent, before: StoredEvent | null): string =>
  row.seq === (before?.seq ?? 0) + 1 ? 'it, or its seal, was changed' : 'events before it are missing';

/** What is wrong with a row beside the one before it; null: nothing. */
export function rowProblem(row: StoredEvent, before: StoredEvent | null): string | null {
  if (!sealFits(row, before)) return brokenSeal(row, before);
  return parsed(row) === null ? unreadable : null;
}

function parsed(row: StoredEvent): PaymentEvent | RefundEvent | null {
  try {
    const event = JSON.parse(row.body) as PaymentEvent | RefundEvent;
    return event.type === row.type ? event : null;
  } catch {
    return null;
  }
}
