import { pointOfSaleCapabilities as capabilities } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-capabilities.ts';
import type { RefundRequest } from '../../../../main/core/settlement/refund.ts';
import { applyToPayment } from '../../../../main/core/settlement/apply.ts';
import { beginPayment, decidePayment } from '../../../../main/core/settlement/payment-decisions.ts';
import { outcomeOf } from '../../../../main/core/settlement/outcome.ts';
import type { PaymentOutcome } from '../../../../main/core/domain/sale.ts';
import type {
  Payment,
  PaymentDecision,
  PaymentEvent,
  PaymentInput,
  Sale,
} from '../../../../main/core/settlement/payment.ts';

export { capabilities };

export const sale: Sale = {
  saleId: '5a1e0000-0000-4000-8000-000000000001',
  orderId: '1-000001-5a1e0000',
  laneId: '1',
  posId: '905e0000-0000-4000-8000-000000000001',
  flow: 'initiate',
  idempotencyKey: 'key-1',
  amountMinor: 1234,
  currency: 'DKK',
  receiptNumber: 1,
  traceNumber: 1,
  startedAtMs: 0,
  deadlineMs: 120_000,
};

export const refundId = '4ef00000-0000-4000-8000-000000000001';
export const refundRequest: RefundRequest = {
  refundOrderId: '1-R000002-4ef00000',
  saleId: '5a1e0000-0000-4000-8000-000000000001',
  amountMinor: 500,
  currency: 'DKK',
  receiptNumber: 2,
  traceNumber: 2,
  originalReceiptNumber: 1,
  originalTraceNumber: 1,
  startedAtMs: 0,
  laneId: '1',
  paymentId: 'fa1e0000-0000-4000-8000-000000000001',
  idempotencyKey: 'key-1',
  by: { kind: 'till' },
  note: null,
  deadlineMs: 30_000,
};

export const paymentId = 'fa1e0000-0000-4000-8000-000000000001';

export interface Result {
  readonly payment: Payment;
  readonly events: readonly PaymentEvent[];
  /** The effects of the last input; `conclude` has the outcome that it tells. */
  readonly effects: readonly (PaymentDecision['effects'][number] & {
    readonly outcome?: PaymentOutcome | null;
  })[];
}

/** Applies the inputs, each decided on the state that the events before it have led to. */
export function tell(
  inputs: readonly PaymentInput[],
  about: Partial<Sale> = {},
  can = capabilities,
): Result {
  let { events, effects } = beginPayment({ ...sale, ...about });
  let payment = events.reduce<Payment | null>(
    (state, event) => applyToPayment(state, event),
    null,
  ) as Payment;
  const all: PaymentEvent[] = [...events];
  for (const input of inputs) {
    ({ events, effects } = decidePayment(payment, input, can));
    payment = events.reduce((state, event) => applyToPayment(state, event), payment);
    all.push(...events);
  }
  return {
    payment,
    events: all,
    effects: effects.map((effect) =>
      effect.type === 'conclude' ? { ...effect, outcome: outcomeOf(payment) } : effect,
    ),
  };
}

export const created: PaymentInput = {
  type: 'createAnswered',
  answer: { kind: 'created', paymentId },
};
export const polled = (
  status: Extract<PaymentInput, { type: 'polled' }>['status'],
  amountMinor = 1234,
): PaymentInput => ({
  type: 'polled',
  status,
  amountMinor,
  currency: 'DKK',
});
export const reserved = [created, polled('issuedToUser'), polled('reserved')];
export const acknowledged = [
  ...reserved,
  { type: 'tillAnswered', acknowledged: true },
] as const satisfies PaymentInput[];
export const stop = (
  reason: Extract<PaymentInput, { type: 'stopRequested' }>['reason'],
): PaymentInput => ({ type: 'stopRequested', reason });
export const restarted: PaymentInput = { type: 'restarted' };
export const unknown = { kind: 'unknown', detail: 'no answer' } as const;
