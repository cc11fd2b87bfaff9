import { z } from 'zod';
import {
  maxPaymentsInBatch,
  PaymentRequest,
} from '../../../wallets/v10/subscriptions/subscription-payments.ts';
import { requestSubscriptionPayments } from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';

const { $schema: _, ...documented } = z.toJSONSchema(PaymentRequest, {
  io: 'input',
  unrepresentable: 'any',
});

/**
 * The service accepts a batch with invalid payments. Those are in its `rejected_payments`, and the
 * others are not affected.
 */
export const uncheckedBatch = {
  ...requestSubscriptionPayments,
  body: z
    .array(z.unknown().meta(documented))
    .min(1, 'must hold a payment')
    .max(maxPaymentsInBatch, `has more than ${maxPaymentsInBatch} payments`),
  rules: [],
};
