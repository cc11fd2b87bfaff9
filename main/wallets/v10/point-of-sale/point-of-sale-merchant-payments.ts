import { CappedMap } from '../../../core/domain/capped-map.ts';
import type { Clock } from '../../../core/domain/clock.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { InvalidRequestError, ServiceRefusedError } from '../../http/errors.ts';
import { PollPace } from '../../http/poll-pace.ts';
import type { Transport } from '../../http/transport.ts';
import type {
  MerchantPayment,
  MerchantPaymentAnswer,
  MerchantPayments,
} from '../../../core/lane/wallet-port.ts';
import type { Profile } from '../v10-profile.ts';
import { type CurrencyCode, isCurrencyCode } from './currency.ts';
import * as operations from './point-of-sale-operations.ts';
import type { PaymentRecord, RefundRecord } from './point-of-sale-schemas.ts';
import { paymentStatus, refundStatus } from './point-of-sale-status.ts';

interface MerchantPaymentsOptions {
  readonly transport: Transport;
  readonly profile: Profile;
  readonly clock: Clock;
}

/** More points of sale than a manager looks through. */
const maxPointsOfSale = 50;
/** Number of payments and refunds whose delay is remembered: several pages of them. */
const maxPaces = 500;

/**
 * Finds captured payments by an order id or a point of sale, which are specific enough for the
 * service (document 4, section 1.1).
 */
export function createMerchantPayments({
  transport,
  profile,
  clock,
}: MerchantPaymentsOptions): MerchantPayments {
  const paces = new CappedMap<string, PollPace>(maxPaces);
  /** Refunds in a final state, which are not read again. */
  const ended = new CappedMap<string, RefundRecord>(maxPaces);
  const never = new AbortController().signal;

  /**
   * Waits before a read, which the service counts as polling, also when a manager opens the same
   * payment twice (document 4, section 1.7).
   */
  async function paced<Answer extends { readonly pollDelayInMs?: number | null | undefined }>(
    id: string,
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const pace = paces.get(id) ?? new PollPace(clock);
    paces.set(id, pace);
    await pace.turn(never);
    try {
      const answer = await ask();
      pace.answered(answer.pollDelayInMs);
      return answer;
    } catch (error) {
      pace.failed(null);
      throw error;
    }
  }

  /** null for a refund of another integrator, which cannot be read. */
  async function refundOf(refundId: string): Promise<RefundRecord | null> {
    const known = ended.get(refundId);
    if (known !== undefined) return known;
    try {
      const refund = await paced(refundId, () =>
        transport.call(operations.getRefund, { refundId }),
      );
      const status = refundStatus(profile, refund.status);
      if (status !== 'initiated' && status !== 'reserved' && status !== 'unknown')
        ended.set(refundId, refund);
      return refund;
    } catch (error) {
      if (isNotOurs(error)) return null;
      throw error;
    }
  }

  const isCancelled = ({ status }: RefundRecord): boolean => {
    const now = refundStatus(profile, status);
    return now === 'cancelledByClient' || now === 'cancelledByService';
  };

  async function read(
    paymentId: string,
    known: ReadonlySet<string>,
  ): Promise<MerchantPaymentAnswer> {
    try {
      const payment = await paced(paymentId, () =>
        transport.call(operations.getPayment, { paymentId }),
      );
      const money = moneyOf(payment);
      if (paymentStatus(profile, payment.status) !== 'captured') return { kind: 'notCaptured' };
      if (money === null)
        return {
          kind: 'unknown',
          detail: 'the service names no amount of a payment that is captured',
        };
      const { refundIds } = await transport.call(operations.listRefunds, { query: { paymentId } });
      const refunds: MerchantPayment['refunds'][number][] = [];
      for (const refundId of refundIds) {
        if (known.has(refundId.toLowerCase())) continue;
        const refund = await refundOf(refundId);
        if (refund === null || refund.paymentId.toLowerCase() !== paymentId.toLowerCase())
          return { kind: 'unknown', detail: `refund ${refundId} of the payment cannot be read` };
        if (!isCancelled(refund))
          refunds.push({ name: refund.refundOrderId, amountMinor: refund.amount });
      }
      const { orderId, posId } = payment;
      return {
        kind: 'captured',
        payment: { paymentId: payment.paymentId.toLowerCase(), orderId, posId, ...money, refunds },
      };
    } catch (error) {
      return isNotOurs(error)
        ? { kind: 'notFound' }
        : { kind: 'unknown', detail: messageOf(error) };
    }
  }

  return {
    async pointsOfSale(storeIds) {
      try {
        const pointsOfSale: { posId: string; name: string }[] = [];
        for (const storeId of storeIds) {
          const { posIds } = await transport.call(operations.listPointsOfSale, {
            query: { storeId },
          });
          for (const posId of posIds) {
            if (pointsOfSale.length === maxPointsOfSale) return { kind: 'listed', pointsOfSale };
            const { name } = await transport.call(operations.getPointOfSale, { posId });
            pointsOfSale.push({ posId, name });
          }
        }
        return { kind: 'listed', pointsOfSale };
      } catch (error) {
        return { kind: 'unknown', detail: messageOf(error) };
      }
    },

    async captured(filter) {
      try {
        const { paymentIds } = await transport.call(operations.listPayments, {
          query: { ...filter, state: 'Captured' },
        });
        return { kind: 'listed', paymentIds: paymentIds.map((id) => id.toLowerCase()) };
      } catch (error) {
        return { kind: 'unknown', detail: messageOf(error) };
      }
    },

    read,
  };
}

/**
 * Whether a payment is not the merchant's. 403: another integrator's or merchant's; 404: there is
 * none (document 4, section 1.10). Not sent: no payment can have such an id.
 */
const isNotOurs = (error: unknown): boolean =>
  error instanceof InvalidRequestError ||
  (error instanceof ServiceRefusedError && (error.status === 403 || error.status === 404));

function moneyOf({
  amount,
  currencyCode,
}: PaymentRecord): { readonly amountMinor: number; readonly currency: CurrencyCode } | null {
  return amount != null && amount > 0 && isCurrencyCode(currencyCode)
    ? { amountMinor: amount, currency: currencyCode }
    : null;
}
