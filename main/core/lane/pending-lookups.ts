import { withCorrelation } from '../domain/correlation.ts';
import type { Journal } from '../journal/journal.ts';
import type { Payment } from '../settlement/payment.ts';
import type { Refund } from '../settlement/refund.ts';
import type { PendingLookup } from './delayed-requests.ts';
import type { OpenPayment, PointOfSaleClient } from './wallet-port.ts';
import { walletOf, type Wallets } from './wallets.ts';

interface PendingLookupsOptions extends Wallets {
  readonly journal: Journal;
  readonly laneId: string;
  /** Whether a sale is under way: the service is then asked about that sale only. */
  readonly isBusy: () => boolean;
  readonly reconcilePayment: (payment: OpenPayment) => void;
  readonly reconcileRefund: (refundOrderId: string, refundId: string) => void;
}

/** Look-ups of operations that ended as unknown and may have reached the service since. */
export function pendingLookups(options: PendingLookupsOptions): PendingLookup[] {
  const { journal, wallet, formerWallet, laneId } = options;
  const { payments, refunds } = journal.unfound(laneId);
  return [
    ...[wallet, formerWallet]
      .filter((client) => client !== undefined)
      .flatMap((client) => {
        const itsPayments = payments.filter(({ sale }) => walletOf(options, sale) === client);
        return client.capabilities.listsOpenPayments
          ? [lookupAtPointOfSale(client, itsPayments, options)]
          : itsPayments.map((payment) => lookupByReference(client, payment, options));
      }),
    ...refunds.flatMap((refund) => lookupOfRefund(refund, options)),
  ];
}

const lookupAtPointOfSale = (
  client: PointOfSaleClient,
  payments: readonly Payment[],
  { journal, wallet, isBusy, reconcilePayment }: PendingLookupsOptions,
): PendingLookup => ({
  at: client === wallet ? 'point of sale' : 'point of sale of the service before',
  ids: payments.map(({ sale }) => sale.saleId),
  look: async () => {
    // Payments in the journal need no look-up.
    const answer = await client.listOpen(
      (paymentId) => !isBusy() && journal.saleOfPayment(paymentId) === null,
    );
    if (answer.kind === 'unknown') return 'unknown';
    for (const payment of answer.payments) reconcilePayment(payment);
    return isBusy() ? 'unknown' : 'looked';
  },
});

const lookupByReference = (
  client: PointOfSaleClient,
  { sale: { saleId, orderId } }: Payment,
  { reconcilePayment }: PendingLookupsOptions,
): PendingLookup => ({
  at: `payment ${saleId}`,
  ids: [saleId],
  look: async () => {
    const answer = await withCorrelation(saleId, () => client.lookUp(orderId));
    if (answer.kind === 'found') reconcilePayment({ paymentId: answer.paymentId, orderId });
    return answer.kind === 'unknown' ? 'unknown' : 'looked';
  },
});

function lookupOfRefund({ request }: Refund, options: PendingLookupsOptions): PendingLookup[] {
  const { saleId, refundOrderId, paymentId } = request;
  const client = walletOf(options, request);
  if (client === null) return [];
  const look = async () => {
    const answer = await withCorrelation(saleId, () =>
      client.lookUpRefund(paymentId, refundOrderId),
    );
    if (answer.kind === 'found') options.reconcileRefund(refundOrderId, answer.refundId);
    return answer.kind === 'unknown' ? 'unknown' : 'looked';
  };
  return [{ at: `refund ${refundOrderId}`, ids: [refundOrderId], look }];
}
