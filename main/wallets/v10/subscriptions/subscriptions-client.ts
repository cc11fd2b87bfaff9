/**
 * The subscriptions interface for a back office: every operation, the agreements as a stream, and
 * what to ask after a lost answer.
 */
import { type Client, clientOf } from '../typed-client.ts';
import { ServiceRefusedError, UnexpectedAnswerError } from '../../http/errors.ts';
import { everyItem } from '../../http/pages.ts';
import type { CallOptions, Transport } from '../../http/transport.ts';
import type { Agreement, AgreementState } from './agreements.ts';
import type { OneOff } from './one-offs.ts';
import { subscriptionOperations } from './subscriptions-operations.ts';
import {
  type PaymentRequest,
  paymentKey,
  type SubscriptionPayment,
} from './subscription-payments.ts';
import type { SubscriptionRefund } from './subscription-refunds.ts';

type Calling = Pick<CallOptions, 'signal' | 'correlationId'>;

interface OfProvider {
  readonly providerId: string;
}
interface OfAgreement extends OfProvider {
  readonly agreementId: string;
}
interface WhichAgreements extends OfProvider {
  readonly status?: AgreementState;
  readonly pageSize?: number;
}

/** What became of a batch whose answer was lost. */
export interface FoundPayments {
  readonly found: readonly {
    readonly request: PaymentRequest;
    readonly payment: SubscriptionPayment;
  }[];
  /**
   * Never arrived, as far as the service says now: these, and only these, may be requested again.
   */
  readonly missing: readonly PaymentRequest[];
}

/**
 * The interface has no idempotency keys. A create, a batch, a one-off or a refund that ends in
 * ServiceUnreachableError or UnexpectedAnswerError may have been carried out: ask with
 * `findUnanswered…` first, and repeat only what is not found (document 4, section 3.4). That works
 * where `external_id` tells one thing from another: make it so. All of them throw what
 * {@link Transport.call} throws.
 */
export interface Subscriptions extends Client<typeof subscriptionOperations> {
  /** Every agreement in one status, or all, page by page; it never holds a second page. */
  agreements(which: WhichAgreements, options?: Calling): AsyncGenerator<Agreement, void, undefined>;
  /**
   * The agreements with this `external_id`. None: it was not created. Reads all pages, there is no
   * filter.
   */
  findUnansweredAgreement(
    which: OfProvider & { readonly externalId: string },
    options?: Calling,
  ): Promise<Agreement[]>;
  /**
   * Looks payments up by `agreement_id`, `due_date` and `external_id`; one request for each
   * agreement in the batch.
   */
  findUnansweredPayments(
    which: OfProvider & { readonly requests: readonly PaymentRequest[] },
    options?: Calling,
  ): Promise<FoundPayments>;
  /** The one-off payments of the agreement with this `external_id`. */
  findUnansweredOneOff(
    which: OfAgreement & { readonly externalId: string },
    options?: Calling,
  ): Promise<OneOff[]>;
  /** The refunds of the payment with this `external_id`; a refund without one cannot be found. */
  findUnansweredRefund(
    which: OfAgreement & { readonly paymentId: string; readonly externalId: string },
    options?: Calling,
  ): Promise<SubscriptionRefund[]>;
}

const defaultPageSize = 100;

export function openSubscriptions({ transport }: { transport: Transport }): Subscriptions {
  const client = clientOf(transport, subscriptionOperations);

  function agreements(
    { providerId, status, pageSize = defaultPageSize }: WhichAgreements,
    options: Calling = {},
  ) {
    let firstBefore: string | undefined;
    return everyItem('listAgreements', options.signal, async (pageNumber) => {
      const answer = await client.listAgreements(
        {
          providerId,
          query: { pageNumber, pageSize, ...(status === undefined ? {} : { status }) },
        },
        options,
      );
      const items = answer.flatMap((part) => part.agreements ?? []);
      const first = items[0]?.id;
      // Nothing says which page is the last: it is the one before the empty one.
      if (first === undefined) return { items };
      if (first === firstBefore)
        throw new UnexpectedAnswerError(
          'listAgreements',
          200,
          `page ${pageNumber} is the one before it once more`,
        );
      firstBefore = first;
      return { items, nextPageNumber: pageNumber + 1 };
    });
  }

  return {
    ...client,
    agreements,
    async findUnansweredAgreement({ providerId, externalId }, options) {
      const found: Agreement[] = [];
      for await (const agreement of agreements({ providerId }, options))
        if (agreement.external_id === externalId) found.push(agreement);
      return found;
    },
    async findUnansweredPayments({ providerId, requests }, options) {
      const there = new Map<string, SubscriptionPayment>();
      for (const agreementId of new Set(
        requests.map(({ agreement_id }) => agreement_id.toLowerCase()),
      )) {
        const payments =
          (await unless404(
            client.listSubscriptionPayments({ providerId, agreementId }, options),
          )) ?? [];
        for (const payment of payments)
          there.set(paymentKey({ ...payment, external_id: payment.external_id ?? '' }), payment);
      }
      const found: { request: PaymentRequest; payment: SubscriptionPayment }[] = [];
      const missing: PaymentRequest[] = [];
      for (const request of requests) {
        const payment = there.get(paymentKey(request));
        if (payment === undefined) missing.push(request);
        else found.push({ request, payment });
      }
      return { found, missing };
    },
    async findUnansweredOneOff({ providerId, agreementId, externalId }, options) {
      const oneOffs = await unless404(client.listOneOffs({ providerId, agreementId }, options));
      return (oneOffs ?? []).filter(({ external_id }) => external_id === externalId);
    },
    async findUnansweredRefund({ providerId, agreementId, paymentId, externalId }, options) {
      const refunds = await unless404(
        client.listSubscriptionRefunds({ providerId, agreementId, paymentId }, options),
      );
      return (refunds ?? []).filter((refund) => refund.externalId === externalId);
    },
  };
}

/** null when the service knows nothing of that name, so that nothing of it has arrived either. */
async function unless404<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ServiceRefusedError && error.status === 404) return null;
    throw error;
  }
}
