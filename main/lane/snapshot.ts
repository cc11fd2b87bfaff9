import type { Payment, PersonProblem } from '../payment/payment.ts';
import type { Refund, RefundProblem } from '../payment/refund.ts';
import type { Money } from '../primitives/money.ts';
import type { RefundOutcome, SaleOutcome } from '../primitives/sale.ts';
import type { SaleProgress, TillLink } from '../till/port.ts';

/** What a lane is doing, for whoever shows it. */
export interface LaneSnapshot {
  readonly laneId: string;
  readonly name: string;
  readonly condition: LaneCondition;
  /** The sale that the till waits for. */
  readonly current: { readonly payment: Payment; readonly remainingMs: number } | null;
  /** The last sale's outcome, while it is to be shown. */
  readonly result: (Money & { readonly saleId: string; readonly outcome: SaleOutcome }) | null;
  /** The refund under way, a till's or a manager's; and how it ended, while that is to be shown. */
  readonly refund: RefundShown | null;
  /** What the QR code at this counter says. */
  readonly qr: string | null;
  /** `sinceMs`: of the link's state, by the wall clock. */
  readonly till: TillLink & { readonly sinceMs: number; readonly address: string };
  /** Decided, not yet confirmed by the service. */
  readonly unsettled: readonly Unsettled[];
  readonly journalDamage: DamageShown | null;
}

/** The journal was found damaged: what people at the counter have to know. */
export interface DamageShown {
  /** false: a restart repairs it. */
  readonly repaired: boolean;
  /** Sales whose story is not whole. */
  readonly lostSales: number;
}

export interface RefundShown {
  readonly refund: Refund;
  /** null: undecided. */
  readonly outcome: RefundOutcome | null;
  readonly remainingMs: number;
}

export type LaneCondition = { readonly kind: 'open' } | { readonly kind: 'notReady'; readonly reason: NotReadyReason; readonly detail: string | null };

export type NotReadyReason =
  | 'starting'
  | 'settlingOpenPayments'
  | 'serviceUnreachable'
  | 'credentialsRefused'
  | 'pointOfSaleRefused'
  | 'storageFailed'
  | 'tillPortFailed';

interface UnsettledFacts extends Money {
  readonly saleId: string;
  /** Of a refund its own. */
  readonly orderId: string;
  /** Of a refund: paid out, or not. */
  readonly intent: 'capture' | 'cancel';
}

export type Unsettled = UnsettledFacts &
  ({ readonly kind: 'sale'; readonly problem: PersonProblem | null } | { readonly kind: 'refund'; readonly problem: RefundProblem | null });

/** How far a waited-for sale is, for the till and the screens; null once the till is being told the outcome. */
export function progressOf(payment: Payment): SaleProgress | null {
  switch (payment.kind) {
    case 'creating':
    case 'resolving':
    case 'clearing':
      return 'contactingService';
    case 'awaiting':
      if (payment.stop !== null) return 'cancelling';
      if (payment.status === 'paired') return 'customerFound';
      return payment.status === 'issuedToUser' ? 'approveInApp' : 'waitingForCustomer';
    case 'offering':
    case 'capturing':
    case 'cancelling':
    case 'paid':
    case 'notPaid':
    case 'needsPerson':
      return null;
  }
}

/** Quick confirmations never reach a screen: the strip is for money whose first attempt has failed. */
export function unsettledOf(payment: Payment): Unsettled | null {
  const { saleId, orderId, amountMinor, currency } = payment.sale;
  const facts = { kind: 'sale', saleId, orderId, amountMinor, currency } as const;
  switch (payment.kind) {
    case 'capturing':
      return payment.failedAttempts > 0 ? { ...facts, intent: 'capture', problem: null } : null;
    case 'cancelling':
      return payment.failedAttempts > 0 ? { ...facts, intent: 'cancel', problem: null } : null;
    case 'needsPerson':
      return { ...facts, intent: payment.problem === 'captureLost' ? 'capture' : 'cancel', problem: payment.problem };
    default:
      return null;
  }
}

/** As `unsettledOf`, of a refund. */
export function unsettledRefundOf(refund: Refund): Unsettled | null {
  const { saleId, refundOrderId, amountMinor, currency } = refund.request;
  const facts = { kind: 'refund', saleId, orderId: refundOrderId, amountMinor, currency } as const;
  switch (refund.kind) {
    case 'capturing':
      return refund.failedAttempts > 0 ? { ...facts, intent: 'capture', problem: null } : null;
    case 'cancelling':
      return refund.failedAttempts > 0 ? { ...facts, intent: 'cancel', problem: null } : null;
    case 'needsPerson':
      return { ...facts, intent: refund.problem === 'refundLost' ? 'capture' : 'cancel', problem: refund.problem };
    default:
      return null;
  }
}
