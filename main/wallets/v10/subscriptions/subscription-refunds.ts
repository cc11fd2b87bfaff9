/**
 * Refunds of executed and captured payments (interface document 1, "Refund request"; document 4,
 * section 3.2).
 */
import { z } from 'zod';
import { majorAmount } from '../../http/amounts.ts';
import { atCallbackPort, HttpUrl } from '../../http/addresses.ts';
import { Amount, Status } from './subscription-fields.ts';

/**
 * Without an amount all of the payment is refunded. Without an `external_id` nobody can look for a
 * refund whose answer was lost.
 */
export const RequestRefundBody = z.object({
  amount: Amount.nullish(),
  status_callback_url: HttpUrl.nullish(),
  /** The documents name no length, unlike for a payment. */
  external_id: z.string().nullish(),
});

export const refundCallbackAtPort = atCallbackPort<z.infer<typeof RequestRefundBody>>(
  ({ status_callback_url }) => [{ field: 'status_callback_url', value: status_callback_url }],
);

export const RequestRefundAnswer = z.object({
  id: z.guid(),
  amount: majorAmount().nullish(),
  status_callback_url: z.string().nullish(),
  external_id: z.string().nullish(),
});

/** Here, and only here, names are in camel case. */
export const SubscriptionRefund = z.object({
  id: z.guid(),
  amount: majorAmount().nullish(),
  currency: z.string().nullish(),
  status: Status,
  externalId: z.string().nullish(),
  paymentTransactionId: z.string().nullish(),
});
export type SubscriptionRefund = z.infer<typeof SubscriptionRefund>;
