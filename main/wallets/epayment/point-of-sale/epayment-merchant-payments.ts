/**
 * The captured payments of a sales unit, whichever counter took them: each is reached by its
 * reference alone, and nothing lists them (document 5, section
 * 2.1).
 */
import { type Currency, currencies } from '../../../core/domain/money.ts';
import { messageOf } from '../../../core/domain/errors.ts';
import { InvalidRequestError } from '../../http/errors.ts';
import type { Transport } from '../../http/transport.ts';
import type { MerchantPaymentAnswer, MerchantPayments } from '../../../core/lane/wallet-port.ts';
import { getEpayment, listEpaymentEvents } from '../payments/payments-operations.ts';
import { saysThereIsNone } from './epayment-answers.ts';
import { orderMetadata } from './create-body.ts';
import { refundIdOf, referenceOf } from './epayment-names.ts';

export interface MerchantPaymentsOptions {
  readonly transport: Transport;
  readonly msn: string;
}

/**
 * Whether the payment does not exist: the reference is invalid, or the service does not know it.
 */
const isNone = (error: unknown): boolean =>
  error instanceof InvalidRequestError || saysThereIsNone(error);

export function createMerchantPayments({
  transport,
  msn,
}: MerchantPaymentsOptions): MerchantPayments {
  async function read(
    reference: string,
    known: ReadonlySet<string>,
  ): Promise<MerchantPaymentAnswer> {
    try {
      // The sum is read last: it may then include more than the log, and never less.
      const events = await transport.call(listEpaymentEvents, { reference });
      const { aggregate, metadata } = await transport.call(getEpayment, { reference });
      const { capturedAmount, refundedAmount } = aggregate;
      const currency = currencies.find((one): one is Currency => one === capturedAmount.currency);
      if (capturedAmount.value === 0) return { kind: 'notCaptured' };
      if (currency === undefined)
        return {
          kind: 'unknown',
          detail: `the payment is in ${capturedAmount.currency}, which is not taken here`,
        };
      const refunded = events.filter(({ name, success }) => name === 'REFUNDED' && success);
      const inLog = refunded.reduce((sum, { amount }) => sum + amount.value, 0);
      if (inLog !== refundedAmount.value)
        return {
          kind: 'unknown',
          detail: `${refundedAmount.value} are refunded, and ${inLog} of them are in the event log`,
        };
      const refunds = refunded
        .filter(
          ({ idempotencyKey }) =>
            idempotencyKey == null || !known.has(refundIdOf(reference, idempotencyKey)),
        )
        .map(({ idempotencyKey, pspReference, amount }) => ({
          name: idempotencyKey ?? pspReference,
          amountMinor: amount.value,
        }));
      const orderId = metadata?.[orderMetadata] ?? reference;
      return {
        kind: 'captured',
        payment: {
          paymentId: reference,
          orderId,
          posId: msn,
          amountMinor: capturedAmount.value,
          currency,
          refunds,
        },
      };
    } catch (error) {
      return isNone(error) ? { kind: 'notFound' } : { kind: 'unknown', detail: messageOf(error) };
    }
  }

  return {
    // A sales unit is the whole shop: it has no points of sale to choose from.
    pointsOfSale: async () => ({ kind: 'listed', pointsOfSale: [] }),

    async captured(filter) {
      if (!('orderId' in filter)) return { kind: 'listed', paymentIds: [] };
      const reference = referenceOf(filter.orderId);
      try {
        const { aggregate } = await transport.call(getEpayment, { reference });
        return {
          kind: 'listed',
          paymentIds: aggregate.capturedAmount.value > 0 ? [reference] : [],
        };
      } catch (error) {
        return isNone(error)
          ? { kind: 'listed', paymentIds: [] }
          : { kind: 'unknown', detail: messageOf(error) };
      }
    },

    read,
  };
}
