import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Ids } from '../domain/ids.ts';
import { applyToPayment, applyToRefund } from '../settlement/apply.ts';
import { decidePayment } from '../settlement/payment-decisions.ts';
import { decideRefund } from '../settlement/refund-decisions.ts';
import { outcomeOf, refundOutcomeOf } from '../settlement/outcome.ts';
import {
  claimantOf,
  type Payment,
  type PaymentDecision,
  type PaymentEvent,
  type PaymentInput,
  type Sale,
} from '../settlement/payment.ts';
import type {
  Refund,
  RefundEvent,
  RefundInput,
  RefundRequest,
  RefundStopReason,
} from '../settlement/refund.ts';
import { capturedMinorOf } from '../settlement/reservation.ts';
import type { PaymentTicket } from '../domain/sale.ts';
import type { Journal } from '../journal/journal.ts';
import type { Till } from './till-port.ts';
import type { OpenPayment, PointOfSaleClient } from './wallet-port.ts';
import type { SaleCode } from './sale-code.ts';
import type { SaleCustomer } from './sale-customer.ts';
import type { Settling } from './settlement-runner.ts';

type PaymentOnlyEffect = Extract<
  PaymentDecision['effects'][number],
  { type: 'clearPointOfSale' | 'ready' | 'showCode' }
>;

export interface SettlingOptions {
  readonly journal: Journal;
  /** Client of the service at which it was begun. */
  readonly wallet: PointOfSaleClient;
  readonly till: Till;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when something that screens show has changed. */
  readonly changed: () => void;
}

const isOfferedToHold = ({ kind, reservation }: Payment): boolean =>
  kind === 'offering' && reservation !== undefined;

/** @see SettlementEvent */
const refusalsOf = (payment: Payment): number =>
  'refusals' in payment ? (payment.refusals ?? 0) : 0;

/** @param mayCancel see `PointOfSaleClient.clear` */
export function paymentSettling(
  sale: Sale,
  customer: SaleCustomer,
  code: SaleCode,
  mayCancel: (found: OpenPayment) => boolean,
  { journal, wallet, till, ids, clock, log, changed }: SettlingOptions,
): Settling<Payment> {
  const endsAtMs = clock.monotonicMs() + sale.deadlineMs;
  const { orderId } = sale;
  const isTills = claimantOf(sale) === 'till';
  /** No code is needed for a customer who was named at the counter. */
  const hasCode = wallet.capabilities.codePerPayment && sale.flow === 'initiate';
  /** The ticket with the captured amount and until when it is held. */
  const ticketOf = (payment: Payment): PaymentTicket => {
    const ticket = { ...payment.sale, amountMinor: capturedMinorOf(payment) };
    return isOfferedToHold(payment) || payment.kind === 'held'
      ? { ...ticket, heldUntilMs: payment.reservation?.expiresAtMs ?? null }
      : ticket;
  };
  return {
    decide: (payment, input: PaymentInput) => decidePayment(payment, input, wallet.capabilities),
    apply: (payment, event: PaymentEvent) => applyToPayment(payment, event),
    write: (events: readonly PaymentEvent[]) => journal.append(sale.laneId, sale.saleId, events),
    async create(idempotencyKey) {
      const answer = await wallet.create({ ...sale, idempotencyKey });
      if (answer.kind !== 'created') return answer;
      if (hasCode) code.learn(answer.code);
      return { kind: 'created', paymentId: answer.paymentId };
    },
    async lookUp() {
      const answer = await wallet.lookUp(sale.orderId);
      if (answer.kind !== 'found') return answer;
      if (hasCode) code.learn(answer.code);
      return { kind: 'found', paymentId: answer.paymentId };
    },
    identify: (idempotencyKey) => wallet.identify({ ...sale, idempotencyKey }),
    watch({ paymentId }: { readonly paymentId: string }, namedBefore) {
      const watch = wallet.watch(paymentId, namedBefore, orderId);
      return {
        async poll(signal) {
          const answer = await watch.poll(signal);
          if (answer.kind !== 'seen') return answer;
          const { customer: seen, ...facts } = answer;
          const isNews = seen !== undefined && !signal.aborted && customer.learn(seen);
          // A customer whom the service has not found was named at the counter.
          return facts.status === 'prepared' && customer.named.customer !== null
            ? { ...facts, isNews, status: 'paired' }
            : { ...facts, isNews };
        },
      };
    },
    capture: ({ paymentId }: { readonly paymentId: string }, payment) =>
      wallet.capture(
        paymentId,
        { ...payment.sale, amountMinor: capturedMinorOf(payment) },
        refusalsOf(payment),
        payment.sale.amountMinor,
      ),
    cancel: ({ paymentId }: { readonly paymentId: string }, payment) =>
      wallet.cancel(paymentId, { ifNotApproved: false, refusals: refusalsOf(payment), orderId }),
    cancelUnapproved: ({ paymentId }: { readonly paymentId: string }) =>
      wallet.cancel(paymentId, { ifNotApproved: true, orderId }),
    // No message to the cashier: the cashier's screen follows the lane and shows what is on disk.
    offer: async (payment) =>
      isTills ? till.offerPaid(ticketOf(payment), customer.moneyKnown) : 'acknowledged',
    conclude(payment) {
      const outcome = outcomeOf(payment);
      if (isTills && outcome !== null) till.conclude(ticketOf(payment), outcome);
      customer.forget();
      code.forget();
    },
    async carryOut(effect: PaymentOnlyEffect, payment) {
      if (effect.type === 'clearPointOfSale') {
        const answer = await wallet.clear(mayCancel);
        return answer.kind === 'unknown'
          ? { type: 'clearFailed', detail: answer.detail }
          : { type: 'cleared', newIdempotencyKey: ids.uuid() };
      }
      if (effect.type === 'showCode') {
        const detail = await code.show(wallet, { clock, log, endsAtMs });
        changed();
        return detail === null ? null : { type: 'codeMissing', detail };
      }
      const { customer: named } = customer.named;
      if (wallet.capabilities.codePerPayment && named === null) return null;
      if (named !== null) customer.sent();
      const answer = await wallet.ready(effect.paymentId, {
        ...payment.sale,
        ...(named !== null && { customer: named }),
      });
      if (answer.kind === 'customerRefused') {
        customer.refuse(answer.reason);
        changed();
        return null;
      }
      if (answer.kind === 'refused')
        return { type: 'readyRefused', reason: answer.reason, detail: answer.detail };
      return answer.kind === 'notFound' ? { type: 'pollNotFound' } : null;
    },
  };
}

export function refundSettling(
  request: RefundRequest,
  { journal, wallet, till }: SettlingOptions,
): Settling<Refund> {
  const { refundOrderId, paymentId } = request;
  return {
    decide: (refund, input: RefundInput) => decideRefund(refund, input, wallet.capabilities),
    apply: (refund, event: RefundEvent) => applyToRefund(refund, event),
    write: (events: readonly RefundEvent[]) =>
      journal.appendRefund(request.laneId, refundOrderId, events),
    create: (_idempotencyKey: string, stopped: () => RefundStopReason | null) =>
      wallet.createRefund(request, stopped),
    lookUp: () => wallet.lookUpRefund(paymentId, refundOrderId),
    identify: () => wallet.identifyRefund(request),
    watch: ({ refundId }: { readonly refundId: string }, namedBefore) =>
      wallet.watchRefund(refundId, namedBefore, request),
    capture: ({ refundId }: { readonly refundId: string }) => wallet.captureRefund(refundId),
    cancel: ({ refundId }: { readonly refundId: string }) => wallet.cancelRefund(refundId),
    cancelUnapproved: ({ refundId }: { readonly refundId: string }) =>
      wallet.cancelRefund(refundId),
    offer: () => till.offerRefunded(request),
    conclude(refund) {
      const outcome = refundOutcomeOf(refund);
      // A manager's screen follows the state, so only a till is told.
      if (request.by.kind === 'till' && outcome !== null) till.concludeRefund(request, outcome);
    },
    carryOut: async () => null,
  };
}
