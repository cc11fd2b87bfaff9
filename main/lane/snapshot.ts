import type { Payment, PersonProblem } from '../payment/payment.ts';
import type { Money } from '../primitives/money.ts';
import type { SaleOutcome } from '../primitives/sale.ts';
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
  /** What the QR code at this counter says. */
  readonly qr: string | null;
  readonly till: TillLink & { readonly address: string };
  /** Decided, not yet confirmed by the service. */
  readonly unsettled: readonly Unsettled[];
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

export interface Unsettled extends Money {
  readonly saleId: string;
  readonly orderId: string;
  readonly intent: 'capture' | 'cancel';
  readonly problem: PersonProblem | null;
}

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
  const facts = { saleId, orderId, amountMinor, currency };
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
