/**
 * A copy of what is on the daemon's disk, kept while it is written. The rules are checked against
 * it during the run and at the end.
 */
import type { ServiceName } from '../../main/core/domain/sale.ts';
import { applyToPayment, applyToRefund } from '../../main/core/settlement/apply.ts';
import { isFinal, outcomeOf, refundOutcomeOf } from '../../main/core/settlement/outcome.ts';
import type { Payment, PaymentEvent } from '../../main/core/settlement/payment.ts';
import type { Refund, RefundEvent } from '../../main/core/settlement/refund.ts';
import { referenceOf } from '../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import { line, type Written } from './disk.ts';
import type { Broken } from './rules.ts';

export class Books {
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  /** Sales that somebody has asked to cancel before anything was decided. */
  readonly stopped = new Set<string>();
  /** Sales that their till, or the cashier, has taken over as paid or reserved. */
  readonly acknowledged = new Set<string>();
  readonly #saleByOrder = new Map<string, string>();
  readonly #refundByKey = new Map<string, string>();
  readonly #services = new Map<string, ServiceName>();
  /** The lines in the format of `Disk.contents`. */
  readonly lines: string[] = [];
  readonly broken: Broken[] = [];

  write({ laneId, id, of, events }: Written): void {
    if (of === 'payment')
      for (const event of events as readonly PaymentEvent[]) this.#payment(laneId, id, event);
    else for (const event of events as readonly RefundEvent[]) this.#refund(laneId, id, event);
  }

  ofOrder(orderId: string): Payment | undefined {
    const saleId = this.#saleByOrder.get(orderId);
    return saleId === undefined ? undefined : this.payments.get(saleId);
  }

  /**
   * The service at which an order id, or an id at a service, was begun; undefined when nobody here
   * has begun it.
   */
  serviceOf(name: string): ServiceName | undefined {
    return this.#services.get(name);
  }

  /** The refund order id whose request has this key; the key itself when there is none. */
  refundOfKey(idempotencyKey: string): string {
    return this.#refundByKey.get(idempotencyKey) ?? idempotencyKey;
  }

  #payment(laneId: string, saleId: string, event: PaymentEvent): void {
    const before = this.payments.get(saleId) ?? null;
    const after = applyToPayment(before, event);
    this.payments.set(saleId, after);
    if (event.type === 'saleRequested') this.#saleByOrder.set(event.sale.orderId, saleId);
    const { orderId, service = 'v10' } = after.sale;
    for (const name of [orderId, referenceOf(orderId)]) this.#services.set(name, service);
    if ('paymentId' in after && after.paymentId !== null)
      this.#services.set(after.paymentId, service);
    if (event.type === 'stopRequested') this.stopped.add(saleId);
    if (event.type === 'tillAcknowledged') this.acknowledged.add(saleId);
    this.lines.push(line(laneId, saleId, null, JSON.stringify(event)));
    // A reservation that is held is decided later.
    const was = before === null || before.kind === 'held' ? null : outcomeOf(before);
    const is = outcomeOf(after);
    if (was !== null && was.paid !== is?.paid)
      this.broken.push({
        rule: 7,
        what: `order ${after.sale.orderId} was ${outcomeText(was.paid)} and became ${is === null ? 'undecided' : outcomeText(is.paid)}`,
      });
  }

  #refund(laneId: string, refundOrderId: string, event: RefundEvent): void {
    const before = this.refunds.get(refundOrderId) ?? null;
    const after = applyToRefund(before, event);
    this.refunds.set(refundOrderId, after);
    const { idempotencyKey, saleId, service = 'v10' } = after.request;
    if (event.type === 'refundRequested') {
      this.#refundByKey.set(idempotencyKey, refundOrderId);
      this.#services.set(refundOrderId, service);
      if (this.payments.get(saleId)?.sale.service !== after.request.service)
        this.broken.push({
          rule: 5,
          what: `refund ${refundOrderId} was begun at ${service}, its payment was not`,
        });
    }
    if ('refundId' in after && after.refundId !== null) this.#services.set(after.refundId, service);
    this.lines.push(line(laneId, saleId, refundOrderId, JSON.stringify(event)));
    const was = before === null ? null : refundOutcomeOf(before);
    const is = refundOutcomeOf(after);
    if (was !== null && was.refunded !== is?.refunded)
      this.broken.push({
        rule: 7,
        what: `refund ${refundOrderId} was decided and was decided again`,
      });
  }

  /** Whether nothing of it is still to be done at the service. */
  get isAllSettled(): boolean {
    for (const payment of this.payments.values()) if (!isFinal(payment)) return false;
    for (const refund of this.refunds.values()) if (!isFinal(refund)) return false;
    return true;
  }
}

/**
 * Whether the payment counts as paid for the rules, which are independent of the product's own
 * code.
 */
export const saysPaid = (payment: Payment): boolean =>
  payment.kind === 'paid' ||
  payment.kind === 'capturing' ||
  (payment.kind === 'needsPerson' && payment.toldDone);

const outcomeText = (paid: boolean): string => (paid ? 'paid' : 'not paid');
