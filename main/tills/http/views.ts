/** The answers of the HTTP API about payments, refunds and lanes. */
import type { z } from 'zod';
import { isToBeAgreed } from '../../core/settlement/payment-decisions.ts';
import { isUnseen } from '../../core/settlement/payment-or-refund.ts';
import {
  isWaitedFor,
  moneyKnownOf,
  movedOf,
  outcomeOf,
  refundOutcomeOf,
} from '../../core/settlement/outcome.ts';
import type { Payment } from '../../core/settlement/payment.ts';
import type { Refund } from '../../core/settlement/refund.ts';
import { refundedOf, refundOpenOf } from '../../core/settlement/refundable.ts';
import { capturedMinorOf } from '../../core/settlement/reservation.ts';
import type { CustomerFacts } from '../../core/domain/sale.ts';
import { progressOf } from '../../core/lane/snapshot.ts';
import type { HttpCounter, HttpLane } from './lane.ts';
import type { ApiLane, ApiPayment, ApiRefund, Reservations, Totals } from './schemas.ts';

export function paymentView(payment: Payment, { lane, till }: HttpCounter): ApiPayment {
  const { sale } = payment;
  const outcome = outcomeOf(payment);
  const refunds = lane.refundsOf(sale.saleId);
  return {
    paymentId: sale.saleId,
    laneId: sale.laneId,
    orderId: sale.orderId,
    status: statusOf(payment),
    progress: isWaitedFor(payment) ? progressOf(payment) : null,
    reason: outcome === null || outcome.paid || outcome.reason === 'held' ? null : outcome.reason,
    money: moneyKnownOf(payment),
    problem: payment.kind === 'needsPerson' ? payment.problem : null,
    movedMinor: movedOf(payment).movedMinor ?? null,
    amountMinor: capturedMinorOf(payment),
    requestedMinor: sale.typedMinor ?? sale.amountMinor,
    currency: sale.currency,
    refundedMinor: refundedOf(refunds),
    refundOpenMinor: refundOpenOf(refunds),
    receiptShown: sale.lines !== undefined && sale.service === 'epayment',
    minimumAge: sale.minimumAge ?? null,
    receiptNumber: sale.receiptNumber,
    traceNumber: sale.traceNumber,
    startedAt: iso(sale.startedAtMs),
    amountNeeded: isToBeAgreed(payment),
    reservation:
      payment.kind === 'held'
        ? {
            expiresAt:
              payment.reservation.expiresAtMs === null
                ? null
                : iso(payment.reservation.expiresAtMs),
            partialCapturePossible: payment.reservation.partialCapturePossible,
          }
        : null,
    customer: customerView(customerOf(sale.saleId, lane) ?? till.customerOf(sale.saleId)),
  };
}

function statusOf(payment: Payment): ApiPayment['status'] {
  if (isWaitedFor(payment)) return 'pending';
  if (payment.kind === 'held') return 'reserved';
  // Another counter's payment has no outcome of ours: the service says that it is captured.
  return payment.kind === 'elsewhere' || outcomeOf(payment)?.paid === true ? 'paid' : 'notPaid';
}

function customerOf(saleId: string, lane: HttpLane): CustomerFacts | null {
  const { current } = lane.snapshot();
  return current?.payment.sale.saleId === saleId ? current.customer : null;
}

const customerView = (facts: CustomerFacts | null): ApiPayment['customer'] =>
  facts && {
    loyaltyIds: facts.loyaltyIds && [...facts.loyaltyIds],
    receiptToken: facts.receiptToken,
  };

export function refundView(refund: Refund): ApiRefund {
  const { request } = refund;
  // A refund that the service took and does not show may still be refunded.
  const outcome = isUnseen(refund) ? null : refundOutcomeOf(refund);
  return {
    refundId: request.refundOrderId,
    paymentId: request.saleId,
    laneId: request.laneId,
    status: outcome === null ? 'pending' : outcome.refunded ? 'refunded' : 'notRefunded',
    reason: outcome === null || outcome.refunded ? null : outcome.reason,
    money: moneyKnownOf(refund),
    problem: refund.kind === 'needsPerson' ? refund.problem : null,
    amountMinor: request.amountMinor,
    currency: request.currency,
    by: request.by.kind,
    receiptNumber: request.receiptNumber,
    traceNumber: request.traceNumber,
    startedAt: iso(request.startedAtMs),
  };
}

export function laneView(lane: HttpLane): ApiLane {
  const { laneId, name, currency, condition, qr, takesReservations, current, refund } =
    lane.snapshot();
  return {
    laneId,
    name,
    currency,
    state: lane.readiness(),
    reason: condition.kind === 'notReady' ? condition.reason : null,
    qr,
    takesReservations,
    paymentId: current?.payment.sale.saleId ?? null,
    refundId: refund?.outcome === null ? refund.refund.request.refundOrderId : null,
  };
}

export function reservationsView(lane: HttpLane): z.output<typeof Reservations> {
  const reservations = lane
    .snapshot()
    .reservations.map(({ saleId, startedAtMs, expiresAtMs, isEndingSoon, ...facts }) => ({
      ...facts,
      paymentId: saleId,
      startedAt: iso(startedAtMs),
      expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
      endsSoon: isEndingSoon,
    }));
  return { reservations };
}

/** A day of a lane, as the journal counts it. */
export interface DayCounted {
  readonly day: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly payments: Totals['payments'];
  readonly refunds: Totals['refunds'];
  readonly tests?: Totals['tests'];
  readonly open: number;
}

export function totalsView({ fromMs, toMs, ...counted }: DayCounted, lane: HttpLane): Totals {
  return {
    laneId: lane.id,
    ...counted,
    from: iso(fromMs),
    to: iso(toMs),
    currency: lane.snapshot().currency,
  };
}

const iso = (atMs: number): string => new Date(atMs).toISOString();
