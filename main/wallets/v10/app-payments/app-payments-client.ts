/** App payments for a shop's back end: the operations, and what takes more than one of them. */
import { Backoff } from '../../../core/domain/backoff.ts';
import { type Clock, sleep } from '../../../core/domain/clock.ts';
import type { MinorUnits } from '../../../core/domain/money.ts';
import { type Client, clientOf } from '../typed-client.ts';
import { ServiceUnreachableError, UnexpectedAnswerError } from '../../http/errors.ts';
import type { OperationQuery } from '../../http/operation.ts';
import { everyItem, maxPageSize } from '../../http/pages.ts';
import type { Transport } from '../../http/transport.ts';
import {
  appPaymentOperations,
  listAppPayments,
  listAppRefunds,
  listPaymentPoints,
} from './app-payments-operations.ts';
import {
  type AppPayment,
  type AppPaymentState,
  type AppRefund,
  type PaymentPoint,
} from './app-payments-schemas.ts';

/** Document 4, section 4: "start polling ≥ 5 s after creation, every 2 s". */
const firstPollMs = 5_000;
const pollMs = 2_000;

/**
 * Between two attempts at a capture, doubled each time. One attempt is already a request and its
 * five repetitions.
 */
const recaptures = { firstMs: 1_000, maxMs: 60_000 };

export interface WaitOptions {
  readonly signal?: AbortSignal;
}
export interface PageOptions extends WaitOptions {
  /** 1 to 1000. Usually the largest: the fewest requests. */
  readonly pageSize?: number;
}

type Filter<Op> = Omit<OperationQuery<Op>, 'pageNumber' | 'pageSize'>;

export interface AppPayments extends Client<typeof appPaymentOperations> {
  /**
   * Captures, however often that takes. A capture without a usable answer leaves the payment in
   * `captureStarted`, its outcome unknown, and has to be repeated until there is one (document 4,
   * section 4); this does so, and never ends with "unknown". Give the same amount again after a
   * restart: capturing what is captured changes nothing.
   * @throws ServiceRefusedError (4xx: not captured by us), CredentialsRefusedError (mend the
   * access, then call again), InvalidRequestError;
   *   the reason of `signal`
   */
  captureUntilDecided(
    paymentId: string,
    amountMinor: MinorUnits,
    options?: WaitOptions,
  ): Promise<void>;
  /**
   * For a shop without webhooks: polls a payment that was initiated just now until the user or time
   * has decided, and resolves with it as it then is. What the service does not answer is asked
   * again.
   * @throws ServiceRefusedError, CredentialsRefusedError; the reason of `signal`
   */
  watch(paymentId: string, options?: WaitOptions): Promise<AppPayment>;
  payments(
    filter?: Filter<typeof listAppPayments>,
    options?: PageOptions,
  ): AsyncGenerator<AppPayment, void, undefined>;
  refunds(
    filter?: Filter<typeof listAppRefunds>,
    options?: PageOptions,
  ): AsyncGenerator<AppRefund, void, undefined>;
  paymentPoints(options?: PageOptions): AsyncGenerator<PaymentPoint, void, undefined>;
}

export function openAppPayments({
  transport,
  clock,
}: {
  transport: Transport;
  clock: Clock;
}): AppPayments {
  const client = clientOf(transport, appPaymentOperations);

  return {
    ...client,

    async captureUntilDecided(paymentId, amountMinor, { signal } = {}) {
      const pauses = new Backoff(clock, recaptures);
      for (;;) {
        const attempt = await answered(
          client.captureAppPayment({ paymentId, body: { amount: amountMinor } }, calling(signal)),
        );
        if (attempt.known) return;
        await sleep(clock, Math.max(pauses.nextMs(), attempt.retryAfterMs), signal);
      }
    },

    async watch(paymentId, { signal } = {}) {
      await sleep(clock, firstPollMs, signal);
      for (;;) {
        const poll = await answered(client.getAppPayment({ paymentId }, calling(signal)));
        if (poll.known && poll.value.state !== ('initiated' satisfies AppPaymentState))
          return poll.value;
        await sleep(clock, poll.known ? pollMs : Math.max(pollMs, poll.retryAfterMs), signal);
      }
    },

    payments: (filter = {}, { pageSize = maxPageSize, signal } = {}) =>
      everyItem(listAppPayments.name, signal, async (pageNumber) => {
        const { payments, nextPageNumber } = await client.listAppPayments(
          { query: { ...filter, pageNumber, pageSize } },
          calling(signal),
        );
        return { items: payments, nextPageNumber };
      }),

    refunds: (filter = {}, { pageSize = maxPageSize, signal } = {}) =>
      everyItem(listAppRefunds.name, signal, async (pageNumber) => {
        const { refunds, nextPageNumber } = await client.listAppRefunds(
          { query: { ...filter, pageNumber, pageSize } },
          calling(signal),
        );
        return { items: refunds, nextPageNumber };
      }),

    paymentPoints: ({ pageSize = maxPageSize, signal } = {}) =>
      everyItem(listPaymentPoints.name, signal, async (pageNumber) => {
        const { paymentPoints, nextPageNumber } = await client.listPaymentPoints(
          { query: { pageNumber, pageSize } },
          calling(signal),
        );
        return { items: paymentPoints, nextPageNumber };
      }),
  };
}

const calling = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

type Answered<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly retryAfterMs: number };

/** Whether an answer was had; a refusal is thrown on. */
async function answered<Value>(call: Promise<Value>): Promise<Answered<Value>> {
  try {
    return { known: true, value: await call };
  } catch (error) {
    if (error instanceof ServiceUnreachableError)
      return { known: false, retryAfterMs: error.retryAfterMs ?? 0 };
    if (error instanceof UnexpectedAnswerError) return { known: false, retryAfterMs: 0 };
    throw error;
  }
}
