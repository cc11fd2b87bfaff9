import { applyToPayment, applyToRefund } from '../settlement/apply.ts';
import { eventIn, sealOf, type StoredEvent } from './event-log.ts';
import { mayArriveLate } from '../settlement/outcome.ts';
import type { Payment, PaymentEvent } from '../settlement/payment.ts';
import type { Refund, RefundEvent } from '../settlement/refund.ts';
import { isClosedRefund } from './refunds-table.ts';
import { beginsPayment, isClosedPayment } from './sales-table.ts';
import { messageOf } from '../domain/errors.ts';

/** A contradiction in the journal. */
export interface Finding {
  readonly seq: number;
  /** null when the row names no known sale. */
  readonly saleId: string | null;
  readonly says: string;
}

export type InspectedState = { readonly payment: Payment } | { readonly refund: Refund };

/**
 * Reads the journal from its first event on and collects contradictions. Keeps only open payments
 * and refunds in memory, and those whose request may still arrive late.
 * @param told called with the state of a sale or a refund after each of its events
 */
export class Inspection {
  readonly findings: Finding[] = [];
  events = 0;
  sales = 0;
  refunds = 0;
  readonly #payments = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  readonly #told: (row: StoredEvent, told: InspectedState) => void;
  readonly #sealed: (row: StoredEvent, before: StoredEvent | null) => boolean;
  #before: StoredEvent | null;

  /**
   * @param sealed whether a row's seal is right; a repair judges it differently, because rows
   * before it may be missing
   */
  constructor({
    before = null,
    inspectedState: told = () => {},
    sealed = sealFits,
  }: InspectionOptions = {}) {
    this.#before = before;
    this.#told = told;
    this.#sealed = sealed;
  }

  /** `seq` of the row that was read last. */
  get lastSeq(): number {
    return this.#before?.seq ?? 0;
  }

  /** Payments and refunds that are not final: open, or possibly still arriving at the service. */
  unended(): InspectedState[] {
    return [
      ...this.#payments.values().map((payment) => ({ payment })),
      ...this.#refunds.values().map((refund) => ({ refund })),
    ];
  }

  take(row: StoredEvent): void {
    this.events += 1;
    const before = this.#before;
    this.#before = row;
    if (!this.#sealed(row, before)) this.#find(row, brokenSeal(row, before));
    const event = parsed(row);
    if (event === null) return this.#find(row, unreadable);
    try {
      // `refundOrderId` tells whose event it is; `parsed` has compared its type with the row.
      if (row.refundOrderId === null) this.#takePayment(row, event as PaymentEvent);
      else this.#takeRefund(row, row.refundOrderId, event as RefundEvent);
    } catch (error) {
      this.#find(row, messageOf(error));
    }
  }

  #takePayment(row: StoredEvent, event: PaymentEvent): void {
    if (beginsPayment(event)) this.sales += 1;
    const payment = applyToPayment(this.#payments.get(row.saleId) ?? null, event);
    if (payment.sale.saleId !== row.saleId)
      throw new Error('it tells of another sale than its row');
    // What others refund of another counter's payment can change as long as there are refunds.
    if (isClosedPayment(payment) && payment.kind !== 'elsewhere' && !mayArriveLate(payment))
      this.#payments.delete(row.saleId);
    else this.#payments.set(row.saleId, payment);
    this.#told(row, { payment });
  }

  #takeRefund(row: StoredEvent, refundOrderId: string, event: RefundEvent): void {
    if (event.type === 'refundRequested') this.refunds += 1;
    const refund = applyToRefund(this.#refunds.get(refundOrderId) ?? null, event);
    if (refund.request.refundOrderId !== refundOrderId || refund.request.saleId !== row.saleId)
      throw new Error('it tells of another refund than its row');
    if (isClosedRefund(refund) && !mayArriveLate(refund)) this.#refunds.delete(refundOrderId);
    else this.#refunds.set(refundOrderId, refund);
    this.#told(row, { refund });
  }

  #find({ seq, saleId }: StoredEvent, says: string): void {
    this.findings.push({ seq, saleId, says });
  }
}

interface InspectionOptions {
  /** The row before the first one that is read. */
  readonly before?: StoredEvent | null;
  readonly inspectedState?: (row: StoredEvent, told: InspectedState) => void;
  readonly sealed?: (row: StoredEvent, before: StoredEvent | null) => boolean;
}

/** Rows of the version without seals can only come first, and without gaps. */
function sealFits(row: StoredEvent, before: StoredEvent | null): boolean {
  if (row.seal !== null) return row.seal === sealOf(before?.seal ?? null, row);
  return (before?.seal ?? null) === null && row.seq === (before?.seq ?? 0) + 1;
}

const unreadable = 'it cannot be read';
const brokenSeal = (row: StoredEvent, before: StoredEvent | null): string =>
  row.seq === (before?.seq ?? 0) + 1
    ? 'it, or its seal, was changed'
    : 'events before it are missing';

/** The problem of a row, given the row before it; null for an intact row. */
export function rowProblem(row: StoredEvent, before: StoredEvent | null): string | null {
  if (!sealFits(row, before)) return brokenSeal(row, before);
  return parsed(row) === null ? unreadable : null;
}

function parsed(row: StoredEvent): PaymentEvent | RefundEvent | null {
  try {
    const event = eventIn(row);
    return event.type === row.type ? event : null;
  } catch {
    return null;
  }
}
