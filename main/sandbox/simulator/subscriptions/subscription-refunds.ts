/**
 * Refunds, which are decided on receipt and reported by callback (interface document 1, "Refund";
 * document 4, section 3.3).
 */
import type { OperationBody } from '../../../wallets/http/operation.ts';
import type { requestSubscriptionRefund } from '../../../wallets/v10/subscriptions/subscription-payment-operations.ts';
import type {
  Provider,
  SimulatedOneOff,
  SimulatedSubscriptionPayment,
  SimulatedSubscriptionRefund,
} from './subscription-model.ts';
import { type SubscriptionRegistry, record } from './subscription-registry.ts';
import type { Reason } from './subscription-callbacks.ts';

/** The document has neither text nor code for an issued refund. */
const issued: Reason = { code: null, text: null };

interface RefundRequest {
  readonly provider: Provider;
  readonly agreementId: string;
  readonly paymentId: string;
  readonly body: OperationBody<typeof requestSubscriptionRefund>;
}

/** Without an amount the whole payment is refunded. */
export function requestRefund(
  registry: SubscriptionRegistry,
  { provider, agreementId, paymentId, body }: RefundRequest,
): SimulatedSubscriptionRefund {
  const stored = registry.payments.get(paymentId) ?? registry.oneOffs.get(paymentId);
  const payment =
    stored?.provider === provider && stored.agreementId === agreementId ? stored : null;
  const amountMinor: number = body.amount ?? payment?.amountMinor ?? 0;
  const declined = reasonToDecline(registry, payment, amountMinor);
  const refund: SimulatedSubscriptionRefund = {
    refundId: registry.world.ids.uuid(),
    paymentId,
    agreementId,
    amountMinor,
    currency: payment?.currency ?? provider.merchant.currency,
    status: declined === null ? 'Issued' : 'Declined',
    externalId: body.external_id ?? null,
    transactionId: registry.world.ids.uuid(),
  };
  registry.refunds.push(refund);
  payment?.refunds.push(refund);
  if (payment !== null && declined === null) payOut(registry, payment, refund);
  if (body.status_callback_url)
    registry.callbacks.refund(provider, body.status_callback_url, refund, declined ?? issued);
  return refund;
}

const dayMs = 24 * 60 * 60_000;

function reasonToDecline(
  { world, blockedUsers }: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment | SimulatedOneOff | null,
  amountMinor: number,
): Reason | null {
  if (payment === null) return { code: 60_003, text: 'Payment was not found.' };
  if (payment.paidAtMs === null) return { code: 60_004, text: 'Payment cannot be refunded.' };
  if (world.clock.monotonicMs() - payment.paidAtMs > world.policy.refundWindowMs)
    return {
      code: 60_006,
      text: `Cannot refund payments that are older than ${world.policy.refundWindowMs / dayMs} days.`,
    };
  if (payment.provider.instantTransfers)
    return { code: 60_007, text: 'Cannot refund instantly transferred payments.' };
  if (payment.refundedMinor >= payment.amountMinor)
    return { code: 60_001, text: 'Payment is fully refunded.' };
  if (payment.refundedMinor + amountMinor > payment.amountMinor)
    return {
      code: 60_002,
      text: 'The total sum of previous Refunds cannot exceed the original payment amount.',
    };
  if (amountMinor > payment.provider.balanceMinor)
    return { code: 60_008, text: 'No money in account.' };
  // A refund to a blocked user has no special code.
  return blockedUsers.has(payment.agreement?.phoneNumber ?? '')
    ? { code: 60_005, text: 'Refund was declined by system' }
    : null;
}

function payOut(
  registry: SubscriptionRegistry,
  payment: SimulatedSubscriptionPayment | SimulatedOneOff,
  { amountMinor, externalId }: SimulatedSubscriptionRefund,
): void {
  payment.refundedMinor += amountMinor;
  payment.provider.balanceMinor -= amountMinor;
  registry.world.phoneByNumber(payment.agreement?.phoneNumber ?? '').balanceMinor += amountMinor;
  record(registry, 'Refund', payment, -amountMinor, externalId);
}
