/** The fallback reads of the documents, made with the clients of one merchant, or of several. */
import { ServiceRefusedError } from '../http/errors.ts';
import type { AppPayments } from '../v10/app-payments/app-payments-client.ts';
import type { Client } from '../v10/typed-client.ts';
import type { invoiceOperations } from '../v10/invoice/invoice-operations.ts';
import type { Subscriptions } from '../v10/subscriptions/subscriptions-client.ts';
import type { FallbackReads, PaymentState, ReadState } from './catch-up.ts';

export interface MerchantClients {
  readonly subscriptions: { readonly client: Subscriptions; readonly providerId: string } | null;
  readonly invoices: {
    readonly client: Client<typeof invoiceOperations>;
    readonly merchantId: string;
  } | null;
  readonly appPayments: AppPayments | null;
}

/**
 * With several merchants, lists are joined, and a single record is read with the keys of the
 * merchant who has it.
 */
export function fallbackReads(merchants: readonly MerchantClients[]): FallbackReads {
  const subscriptions = merchants.flatMap((merchant) => merchant.subscriptions ?? []);
  const invoices = merchants.flatMap((merchant) => merchant.invoices ?? []);
  const appPayments = merchants.flatMap((merchant) => merchant.appPayments ?? []);
  return {
    ...(subscriptions.length === 0 ? {} : { subscriptions: subscriptionReads(subscriptions) }),
    ...(invoices.length === 0
      ? {}
      : {
          invoice: (invoiceId) =>
            firstOf(invoices, async ({ client, merchantId }) => {
              const answer = await client.getInvoiceStatus({ merchantId, invoiceId });
              return { id: answer.InvoiceId, status: answer.Status, raw: answer };
            }),
        }),
    ...(appPayments.length === 0
      ? {}
      : {
          appPayment: (paymentId) =>
            firstOf(appPayments, async (client) => {
              const payment = await client.getAppPayment({ paymentId });
              return {
                id: payment.paymentId,
                status: payment.state,
                externalId: payment.reference ?? null,
                amountMinor: payment.amount ?? null,
                raw: payment,
              };
            }),
        }),
  };
}

type Provider = NonNullable<MerchantClients['subscriptions']>;

function subscriptionReads(
  providers: readonly Provider[],
): NonNullable<FallbackReads['subscriptions']> {
  return {
    agreements: (pageNumber) =>
      allOf(providers, async ({ client, providerId }) => {
        const pages = await client.listAgreements({
          providerId,
          query: { pageNumber, pageSize: 1_000 },
        });
        return pages.flatMap(({ agreements }) => agreements ?? []).map(agreementState);
      }),
    agreement: (agreementId) =>
      firstOf(providers, async ({ client, providerId }) =>
        agreementState(await client.getAgreement({ providerId, agreementId })),
      ),
    payments: (agreementId) =>
      allOf(providers, async ({ client, providerId }) =>
        (await client.listSubscriptionPayments({ providerId, agreementId })).map(paymentState),
      ),
    payment: (agreementId, paymentId) =>
      firstOf(providers, async ({ client, providerId }) =>
        paymentState(await client.getSubscriptionPayment({ providerId, agreementId, paymentId })),
      ),
    oneOffs: (agreementId) =>
      allOf(providers, async ({ client, providerId }) =>
        (await client.listOneOffs({ providerId, agreementId })).map(paymentState),
      ),
    oneOff: (agreementId, paymentId) =>
      firstOf(providers, async ({ client, providerId }) =>
        paymentState(await client.getOneOff({ providerId, agreementId, paymentId })),
      ),
    refunds: (agreementId, paymentId) =>
      allOf(providers, async ({ client, providerId }) =>
        (await client.listSubscriptionRefunds({ providerId, agreementId, paymentId })).map(
          (refund) => ({
            id: refund.id,
            status: refund.status,
            externalId: refund.externalId ?? null,
            amountMinor: refund.amount ?? null,
            currency: refund.currency ?? null,
            raw: refund,
          }),
        ),
      ),
  };
}

type Record<Operation extends keyof Subscriptions> = Awaited<
  ReturnType<Extract<Subscriptions[Operation], (...args: never[]) => Promise<unknown>>>
>;

const agreementState = (agreement: Record<'getAgreement'>) => ({
  id: agreement.id,
  status: agreement.status,
  externalId: agreement.external_id ?? null,
  canceledAt: agreement.date_canceled ?? null,
  raw: agreement,
});

function paymentState(
  payment: Record<'getSubscriptionPayment'> | Record<'getOneOff'>,
): PaymentState {
  return {
    id: payment.id,
    status: payment.status,
    externalId: payment.external_id ?? null,
    amountMinor: payment.amount ?? null,
    currency: 'currency' in payment ? (payment.currency ?? null) : null,
    dueDate: 'due_date' in payment ? payment.due_date.slice(0, 'YYYY-MM-DD'.length) : null,
    raw: payment,
  };
}

/** App payments say 409 where the others say 404 (document 4, section 4). */
const notTheirs: ReadonlySet<string> = new Set(['payment_not_found', 'unauthorized_access']);

/** null when it belongs to another merchant, or to nobody. */
async function orUnknown<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (
      error instanceof ServiceRefusedError &&
      (error.status === 404 || notTheirs.has(error.code ?? ''))
    )
      return null;
    throw error;
  }
}

async function firstOf<One, State extends ReadState>(
  ones: readonly One[],
  ask: (one: One) => Promise<State>,
): Promise<State | null> {
  for (const one of ones) {
    const answer = await orUnknown(ask(one));
    if (answer !== null) return answer;
  }
  return null;
}

async function allOf<One, State>(
  ones: readonly One[],
  ask: (one: One) => Promise<readonly State[]>,
): Promise<State[]> {
  const answers: State[] = [];
  for (const one of ones) answers.push(...((await orUnknown(ask(one))) ?? []));
  return answers;
}
