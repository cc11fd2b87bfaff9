/**
 * The payments of either service in one shape, so that the rules are the same on both, and in a
 * shop that has used both.
 */
import {
  type Epayments,
  keyOf,
  type SalesUnit,
  type SimulatedEpayment,
} from '../../main/sandbox/simulator/epayment/epayment-registry.ts';
import type { World } from '../../main/sandbox/simulator/world.ts';
import { referenceOf } from '../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import type { Books } from './books.ts';

export interface KeptRefund {
  readonly refundOrderId: string;
  readonly status: string;
  readonly amountMinor: number;
}

/** A payment in the terms of the older service, whose payments have this shape already. */
export interface KeptPayment {
  readonly orderId: string;
  readonly status: string;
  /** null before the amount was sent. */
  readonly terms: { readonly amountMinor: number } | null;
  readonly capturedMinor: number;
  readonly captureCount: number;
  readonly history: readonly { readonly status: string }[];
  readonly phone: { readonly partialCapture: boolean } | null;
  readonly refunds: readonly KeptRefund[];
}

export class Kept {
  readonly world: World;
  readonly epayments: Epayments;
  readonly unit: SalesUnit;
  readonly #books: Books;

  constructor(world: World, epayments: Epayments, unit: SalesUnit, books: Books) {
    this.world = world;
    this.epayments = epayments;
    this.unit = unit;
    this.#books = books;
  }

  payments(): KeptPayment[] {
    return [
      ...this.world.payments.values(),
      ...[...this.epayments.payments.values()].map((payment) => this.#kept(payment)),
    ];
  }

  /** The newest payment with this order id. */
  ofOrder(orderId: string): KeptPayment | undefined {
    for (const { paymentsByOrder } of this.world.pointsOfSale.values()) {
      const payment = paymentsByOrder.get(orderId)?.at(-1);
      if (payment !== undefined) return payment;
    }
    const payment = this.epayment(referenceOf(orderId));
    return payment === undefined ? undefined : this.#kept(payment);
  }

  epayment(reference: string): SimulatedEpayment | undefined {
    return this.epayments.payments.get(keyOf(this.unit, reference));
  }

  /** Finds a payment by the id that requests use. */
  byId(paymentId: string): KeptPayment | undefined {
    const payment = this.world.payments.get(paymentId);
    if (payment !== undefined) return payment;
    const epayment = this.epayment(paymentId);
    return epayment === undefined ? undefined : this.#kept(epayment);
  }

  #kept(payment: SimulatedEpayment): KeptPayment {
    const { amountMinor, capturedMinor, events } = payment;
    const done = events.filter(({ success }) => success);
    return {
      orderId: orderIdOf(payment),
      status: statusOf(payment),
      terms: { amountMinor },
      capturedMinor,
      captureCount: done.filter(({ name }) => name === 'CAPTURED').length,
      history: done.flatMap(({ name }) => (name === 'AUTHORIZED' ? [{ status: 'Reserved' }] : [])),
      // Goods that are handed out in part belong to a reservation, which is judged by what was
      // agreed. Every other payment is captured completely.
      phone: { partialCapture: false },
      refunds: done.flatMap(({ name, idempotencyKey, amountMinor: backMinor }) =>
        name === 'REFUNDED'
          ? [
              {
                refundOrderId: this.#books.refundOfKey(idempotencyKey ?? ''),
                status: 'Captured',
                amountMinor: backMinor,
              },
            ]
          : [],
      ),
    };
  }
}

/** The order id as it was sent, or the reference of a payment of somebody else. */
export const orderIdOf = ({ metadata, reference }: SimulatedEpayment): string =>
  metadata?.['order'] ?? reference;

function statusOf({ state, capturedMinor, cancelledMinor, hasRunOut }: SimulatedEpayment): string {
  switch (state) {
    case 'CREATED':
      return 'Initiated';
    case 'ABORTED':
      return 'CancelledByUser';
    case 'EXPIRED':
      return 'CancelledByService';
    case 'TERMINATED':
      return 'CancelledByClient';
    case 'AUTHORIZED':
      if (capturedMinor > 0) return 'Captured';
      if (cancelledMinor === 0) return 'Reserved';
      return hasRunOut ? 'ExpiredAndCancelled' : 'CancelledByClient';
  }
}
