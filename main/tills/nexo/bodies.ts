/** The bodies of answers, from the journal's state. Field names as in `messages.ts`. */
import type { DayTold } from '../../core/domain/day.ts';
import { safeText } from '../../core/domain/outside-text.ts';
import { type CustomerFacts, loyaltyIdsForTill } from '../../core/domain/sale.ts';
import { moneyKnownOf, outcomeOf, refundOutcomeOf } from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import { capturedMinorOf } from '../../core/settlement/reservation.ts';
import type { HttpLane } from '../http/lane.ts';
import { amountOf } from './json.ts';
import type { TransactionId } from './messages.ts';
import { saleOfSender } from './names.ts';
import {
  failure,
  inProgress,
  moneyWords,
  notPaid,
  notRefunded,
  type NexoRefusal,
  type Response,
  success,
} from './outcomes.ts';
import { paymentReceipts, type ReceiptIssuer, reversalReceipts } from './receipts.ts';

/** The payment instrument of a wallet, in Nexo's terms. */
const paidWith = 'Mobile';

const iso = (atMs: number): string => new Date(atMs).toISOString();

/** What a refusal repeats of its request. */
export interface NexoRequest {
  /** Id of the transaction that the request begins. */
  readonly id: string;
  readonly nowMs: number;
  readonly sale: TransactionId | null;
}

export const refusedPayment = (refusal: NexoRefusal, { id, nowMs, sale }: NexoRequest): object => ({
  Response: failure(refusal),
  SaleData: sale === null ? {} : { SaleTransactionID: sale },
  POIData: { POITransactionID: { TransactionID: id, TimeStamp: iso(nowMs) } },
});

/**
 * `Success` or `Partial` only when the payment is decided as paid.
 * @param customer who paid, for a till that reads loyalty; null otherwise
 */
export function paymentBody(
  payment: Payment,
  issuer: ReceiptIssuer,
  customer: CustomerFacts | null = null,
): object {
  const { sale } = payment;
  const saleOfPayment = saleOfSender(sale.from);
  const capturedMinor = capturedMinorOf(payment);
  const outcome = outcomeOf(payment);
  return {
    Response: paymentResponse(payment),
    SaleData: saleOfPayment === null ? {} : { SaleTransactionID: saleOfPayment },
    POIData: { POITransactionID: poiTransaction(payment) },
    ...(outcome?.paid === true && {
      PaymentResult: {
        PaymentType: 'Normal',
        OnlineFlag: true,
        AmountsResp: { Currency: sale.currency, AuthorizedAmount: amountOf(capturedMinor) },
        PaymentInstrumentData: { PaymentInstrumentType: paidWith },
        PaymentAcquirerData: {
          MerchantID: sale.posId,
          AcquirerPOIID: issuer.poiId,
          AcquirerTransactionID: { TransactionID: sale.orderId, TimeStamp: iso(sale.startedAtMs) },
        },
      },
      ...(customer !== null && loyaltyResult(customer)),
    }),
    ...paymentReceipts(payment, issuer),
  };
}

function loyaltyResult(customer: CustomerFacts): object {
  const ids = loyaltyIdsForTill(customer)
    .map((id) => safeText(id, id.length).trim())
    .filter((id) => id !== '');
  if (ids.length === 0) return {};
  const accounts = ids.map((id) => ({
    LoyaltyAccountID: { EntryMode: [paidWith], IdentificationType: 'AccountNumber', LoyaltyID: id },
  }));
  return { LoyaltyResult: accounts.map((account) => ({ LoyaltyAccount: account })) };
}

function paymentResponse(payment: Payment): Response {
  const { sale } = payment;
  const outcome = outcomeOf(payment);
  if (outcome === null) return failure(inProgress);
  const further = {
    money: moneyWords[moneyKnownOf(payment)],
    receiptNumber: sale.receiptNumber,
    traceNumber: sale.traceNumber,
  };
  if (!outcome.paid)
    return failure(notPaid[outcome.reason], { reason: outcome.reason, ...further });
  return capturedMinorOf(payment) < sale.amountMinor
    ? { ...success(further), Result: 'Partial' }
    : success(further);
}

const poiTransaction = ({ sale }: Payment): TransactionId => ({
  TransactionID: sale.saleId,
  TimeStamp: iso(sale.startedAtMs),
});

export const refusedReversal = (refusal: NexoRefusal, { id, nowMs }: NexoRequest): object => ({
  Response: failure(refusal),
  POIData: { POITransactionID: { TransactionID: id, TimeStamp: iso(nowMs) } },
});

export function reversalBody(refund: Refund, lane: HttpLane, issuer: ReceiptIssuer): object {
  const { request } = refund;
  const outcome = refundOutcomeOf(refund);
  const payment = lane.payment(request.saleId);
  return {
    Response: reversalResponse(refund),
    POIData: {
      POITransactionID: {
        TransactionID: request.refundOrderId,
        TimeStamp: iso(request.startedAtMs),
      },
    },
    ...(payment !== null && {
      OriginalPOITransaction: { POITransactionID: poiTransaction(payment) },
    }),
    ...(outcome?.refunded === true && { ReversedAmount: amountOf(request.amountMinor) }),
    ...reversalReceipts(refund, issuer),
  };
}

function reversalResponse(refund: Refund): Response {
  const { request } = refund;
  const outcome = refundOutcomeOf(refund);
  if (outcome === null) return failure(inProgress);
  const further = {
    money: moneyWords[moneyKnownOf(refund)],
    receiptNumber: request.receiptNumber,
    traceNumber: request.traceNumber,
  };
  return outcome.refunded
    ? success(further)
    : failure(notRefunded(outcome.reason, request), { reason: outcome.reason, ...further });
}

/** Payments are `Debit`; refunds, by a till or a manager, are `ReverseDebit`. */
export const totalsOf = ({ figures }: DayTold, poiId: string): readonly object[] =>
  figures.map(({ currency, payments, refunds }) => ({
    PaymentInstrumentType: paidWith,
    POIID: poiId,
    PaymentCurrency: currency,
    PaymentTotals: [
      {
        TransactionType: 'Debit',
        TransactionCount: payments.count,
        TransactionAmount: amountOf(payments.sumMinor),
      },
      {
        TransactionType: 'ReverseDebit',
        TransactionCount: refunds.count,
        TransactionAmount: amountOf(refunds.sumMinor),
      },
    ],
  }));

/** Whether the lane takes payments, as a terminal's status. */
export function poiStatus(lane: HttpLane): object {
  const readiness = lane.readiness();
  const isUnreachable = lane.hindrance() === 'serviceUnreachable';
  const states = {
    ready: 'OK',
    busy: 'Busy',
    notReady: isUnreachable ? 'Unreachable' : 'Maintenance',
  } as const;
  return { GlobalStatus: states[readiness], CommunicationOKFlag: !isUnreachable };
}

export const hostStatus = (lane: HttpLane): readonly object[] => [
  { AcquirerID: 'wallet', IsReachableFlag: lane.hindrance() !== 'serviceUnreachable' },
];

export const poiSystem = (
  lane: HttpLane,
  {
    poiId,
    version,
    nowMs,
  }: { readonly poiId: string; readonly version: string; readonly nowMs: number },
): object => ({
  DateTime: iso(nowMs),
  POISoftware: {
    ManufacturerID: 'Tillbeacon',
    ApplicationName: 'Tillbeacon',
    SoftwareVersion: version,
    CertificationCode: 'none',
  },
  POITerminalData: {
    TerminalEnvironment: 'Attended',
    POICapabilities: ['CustomerDisplay', 'CashierDisplay'],
    POISerialNumber: poiId,
  },
  POIStatus: poiStatus(lane),
});
