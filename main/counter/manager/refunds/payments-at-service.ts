import type { PaymentAtService } from '../../../../preload/procedures/refunds.ts';
import { Refusal } from '../../../../preload/procedures/procedure.ts';
import type { JournalReader } from '../../../core/journal/reader.ts';
import type { SaleRow } from '../../../core/journal/search.ts';
import type { Lane } from '../../../core/lane/lane.ts';
import type { Handlers } from '../../server/router.ts';
import type { MerchantPayments } from '../../../core/lane/wallet-port.ts';

export interface MerchantService {
  readonly payments: MerchantPayments;
  readonly storeIds: readonly string[];
}

interface PaymentsAtServiceOptions {
  readonly reader: () => Pick<JournalReader, 'findSales' | 'sale'>;
  readonly service: () => MerchantService | null;
}

type PaymentToTakeOver = Parameters<Lane['takeOver']>[0];

/** Each payment takes one request, and one more for its refunds. */
const pageSize = 10;

/** Searches for and reads payments at the service, also payments that the journal does not have. */
export function paymentsAtService({ reader, service }: PaymentsAtServiceOptions) {
  function configuredService(): MerchantService {
    const now = service();
    if (now === null) throw new Refusal('notHere', 'this counter is not set up');
    return now;
  }

  /** null when the journal does not know the payment. */
  const saleOf = (paymentId: string): SaleRow | null =>
    reader().findSales({ paymentId }, { size: 1, after: null }).rows[0] ?? null;

  /** @throws Refusal `serviceSilent` */
  async function read(paymentId: string): Promise<PaymentToTakeOver | 'notFound' | 'notCaptured'> {
    // Refunds of this journal are followed by their lane, and counted from the journal.
    const ownSale = saleOf(paymentId);
    const answer = await configuredService().payments.read(
      paymentId,
      ownSale === null ? new Set() : ownRefunds(ownSale.saleId).ids,
    );
    if (answer.kind === 'unknown') throw silent(answer.detail);
    if (answer.kind !== 'captured') return answer.kind;
    const { refunds, ...payment } = answer.payment;
    // Read again: meanwhile the journal may have got one of these.
    const now = saleOf(paymentId);
    const names = now === null ? new Set() : ownRefunds(now.saleId).names;
    const others = refunds.filter(({ name }) => !names.has(name));
    return {
      ...payment,
      refundedMinor: others.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    };
  }

  /**
   * `ids`: at the service. `names`: of those that the journal counts; one that it takes for ended
   * and the service does not is counted by the service.
   */
  function ownRefunds(saleId: string): {
    readonly ids: ReadonlySet<string>;
    readonly names: ReadonlySet<string>;
  } {
    const refunds = reader()
      .sale(saleId)
      .refunds.map(({ refund }) => refund);
    return {
      ids: new Set(
        refunds.flatMap((refund) =>
          'refundId' in refund && refund.refundId !== null ? [serviceId(refund.refundId)] : [],
        ),
      ),
      names: new Set(
        refunds.flatMap(({ kind, request }) =>
          kind === 'notRefunded' ? [] : [request.refundOrderId, request.idempotencyKey],
        ),
      ),
    };
  }

  /** null when the service has no such payment, or it is no longer captured. */
  async function paymentView(paymentId: string): Promise<PaymentAtService | null> {
    const payment = await read(paymentId);
    if (payment === 'notFound' || payment === 'notCaptured') return null;
    const ownSale = saleOf(paymentId);
    return {
      ...payment,
      refundedMinor: payment.refundedMinor + (ownSale === null ? 0 : ownSale.refundedMinor),
      saleId: ownSale?.saleId ?? null,
    };
  }

  async function captured(
    about: Parameters<MerchantPayments['captured']>[0],
  ): Promise<readonly string[]> {
    const answer = await configuredService().payments.captured(about);
    if (answer.kind === 'unknown') throw silent(answer.detail);
    return answer.paymentIds;
  }

  const handlers = {
    async pointsOfSaleAtService() {
      const { payments, storeIds } = configuredService();
      const answer = await payments.pointsOfSale(storeIds);
      if (answer.kind === 'unknown') throw silent(answer.detail);
      return { pointsOfSale: [...answer.pointsOfSale] };
    },

    async findAtService(about) {
      if ('paymentId' in about)
        return { payments: present([await paymentView(serviceId(about.paymentId))]), next: null };
      if ('orderId' in about)
        return { payments: await all((await captured(about)).slice(0, pageSize)), next: null };
      const ids = await captured({ posId: about.posId });
      const page: string[] = [];
      let at = about.after;
      for (; at < ids.length && page.length < pageSize; at += 1) {
        const id = ids[at];
        if (id !== undefined && saleOf(id) === null) page.push(id);
      }
      return { payments: await all(page), next: at < ids.length ? at : null };
    },
  } satisfies Handlers;

  /** One after the other: a shop's payments are not kept waiting. */
  async function all(paymentIds: readonly string[]): Promise<PaymentAtService[]> {
    const payments: (PaymentAtService | null)[] = [];
    for (const paymentId of paymentIds) payments.push(await paymentView(paymentId));
    return present(payments);
  }

  return { handlers, read, saleOf };
}

/** A UUID is the same in capitals; other ids are taken as they are. */
export const serviceId = (id: string): string =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? id.toLowerCase() : id;

const present = (payments: readonly (PaymentAtService | null)[]): PaymentAtService[] =>
  payments.filter((payment) => payment !== null);

const silent = (detail: string): Refusal =>
  new Refusal('serviceSilent', `the service could not be asked: ${detail}`);
