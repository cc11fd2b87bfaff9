/**
 * Subscription payments (interface document 1, "Subscription payment request"; document 4, sections
 * 3.1 and 3.2).
 */
import { z } from 'zod';
import { majorAmount } from '../../http/amounts.ts';
import type { Rule } from '../../http/operation.ts';
import { limitNamed } from '../v10-profile.ts';
import { Day } from '../../../core/domain/field-rules.ts';
import {
  Amount,
  DateTime,
  Description,
  ExternalId,
  Id,
  refusingObjects,
  replacing,
  Status,
  whole,
} from './subscription-fields.ts';

export const maxPaymentsInBatch = 2_000;
const dayMs = 24 * 60 * 60 * 1000;
/** From one YYYY-MM-DD to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** Earlier versions of the simulator dropped an invoice object inside a request. */
export const PlainPaymentRequest = z.object({
  agreement_id: Id,
  amount: Amount,
  description: Description,
  due_date: Day,
  /** 30 characters are recommended: a longer one is cut on bank statements. */
  external_id: ExternalId,
  /** Unused by the service. */
  next_payment_date: DateTime.nullish(),
  grace_period_days: whole(1, 3).nullish(),
});
/**
 * The currency is that of the agreement. The invoice object of earlier times was removed (document
 * 1, "Versioning").
 */
export const PaymentRequest = refusingObjects(
  PlainPaymentRequest,
  'is not kept: details belong in the attachment of the payment',
);
export type PaymentRequest = z.infer<typeof PaymentRequest>;

export const RequestPaymentsBody = z
  .array(PaymentRequest)
  .min(1, 'must hold a payment')
  .max(maxPaymentsInBatch, `has more than ${maxPaymentsInBatch} payments`);
type Batch = z.infer<typeof RequestPaymentsBody>;

/** The service takes all of these (202) and declines each such payment by callback, right after. */
const declinedLater = { refusedByService: false } as const;

/** The number of the first request that `breaks`. */
function firstOf(
  batch: Batch,
  breaks: (request: PaymentRequest) => boolean,
): { field: string; value: unknown } | null {
  const at = batch.findIndex(breaks);
  return at < 0 ? null : { field: `${at}.due_date`, value: batch[at]?.due_date };
}

export const batchRules: readonly Rule<Batch>[] = [
  {
    ...declinedLater,
    says: 'must be at least 1 day in the future',
    source: 'interface document 1, "Subscription payment", code 50011',
    broken: (batch, { today }) =>
      firstOf(batch, ({ due_date }) => daysBetween(today, due_date) < 1),
  },
  {
    ...declinedLater,
    says: 'must not be further in the future than the service allows',
    source: 'interface document 1, "Subscription payment", code 50012; document 4, section 3.3',
    broken: (batch, { today, limits }) =>
      firstOf(
        batch,
        ({ due_date }) => daysBetween(today, due_date) > limitNamed(limits, 'latestDueDateDays'),
      ),
  },
  {
    ...declinedLater,
    says: 'must differ from that of another payment of the same agreement and due date',
    source: 'interface document 1, "Subscription payment request", rule 2; document 4, section 3.4',
    broken(batch) {
      const seen = new Set<string>();
      for (const [at, request] of batch.entries()) {
        const key = paymentKey(request);
        if (seen.has(key)) return { field: `${at}.external_id`, value: request.external_id };
        seen.add(key);
      }
      return null;
    },
  },
];

/** Identifies a payment, because requests have no idempotency key (document 4, section 3.4). */
export function paymentKey({
  agreement_id,
  due_date,
  external_id,
}: {
  agreement_id: string;
  due_date: string;
  external_id: string;
}): string {
  return JSON.stringify([
    agreement_id.toLowerCase(),
    due_date.slice(0, 'YYYY-MM-DD'.length),
    external_id,
  ]);
}

/** Rejected are those whose fields are bad; pending ones can still be declined, by callback. */
export const RequestPaymentsAnswer = z.object({
  pending_payments: z
    .array(z.object({ payment_id: z.guid(), external_id: z.string().nullish() }))
    .nullish(),
  rejected_payments: z
    .array(z.object({ external_id: z.string().nullish(), error_description: z.string().nullish() }))
    .nullish(),
});

export const SubscriptionPayment = z.object({
  id: z.guid(),
  agreement_id: z.guid(),
  external_agreement_id: z.string().nullish(),
  amount: majorAmount().nullish(),
  due_date: z
    .string()
    .meta({ format: 'date-time', description: 'Of that day, although it was requested as a date' }),
  status: Status,
  external_id: z.string().nullish(),
  description: z.string().nullish(),
  payment_transaction_id: z.string().nullish(),
  grace_period_days: z.int().nullish(),
  next_payment_date: z.string().nullish(),
});
export type SubscriptionPayment = z.infer<typeof SubscriptionPayment>;

/** Lower than what is pending: only the service knows that. */
export const LowerPaymentBody = z
  .array(replacing('/amount', Amount))
  .min(1, 'must hold a replacement');
