/**
 * Callbacks to merchants: their times, addresses and authentication (interface document 1, "Events"
 * and "Authentication"; document 4, section 3.3).
 */
import { z } from 'zod';
import { minorUnits } from '../../../core/domain/money.ts';
import { decimalText } from '../../../wallets/http/amounts.ts';
import { httpClient } from '../../../support/http-client.ts';
import type { World } from '../world.ts';
import type {
  CallbackAuthentication,
  Provider,
  SimulatedAgreement,
  SimulatedOneOff,
  SimulatedSubscriptionPayment,
  SimulatedSubscriptionRefund,
} from './subscription-model.ts';

const minuteMs = 60_000;
const everyMs = 2 * minuteMs;
const maxPerRun = 1_000;
/**
 * "The 1st after 5 seconds; then 10 minutes, 30 minutes, 1 h 10 min, 2 h 30 min, 5 h 10 min, 10 h
 * 30 min, 21 h 10 min, each after the previous retry."
 */
const retryDelaysMs = [
  5_000,
  ...[10, 30, 70, 150, 310, 630, 1_270].map((minutes) => minutes * minuteMs),
];
/**
 * Not documented for subscriptions; the time-out of the other callbacks (document 4, section 4).
 */
const timeoutMs = 10_000;

/** The reason of a status. `status` is set where the callback has another one than reads have. */
export interface Reason {
  readonly text: string | null;
  readonly code: number | null;
  readonly status?: string;
}

export interface Callbacks {
  readonly agreement: (agreement: SimulatedAgreement, reason: Reason) => void;
  /** Sent with the next batch. */
  readonly payments: (
    ended: readonly {
      readonly payment: SimulatedSubscriptionPayment | SimulatedOneOff;
      readonly reason: Reason;
    }[],
  ) => void;
  /** Sent at once, after an action of the user. */
  readonly oneOff: (oneOff: SimulatedOneOff, reason: Reason) => void;
  /** The same message with its own link. */
  readonly oneOffLink: (oneOff: SimulatedOneOff, url: string, reason: Reason) => void;
  readonly refund: (
    provider: Provider,
    url: string,
    refund: SimulatedSubscriptionRefund,
    reason: Reason,
  ) => void;
}

export function openCallbacks(world: World): Callbacks {
  let waiting: { readonly provider: Provider; readonly event: object }[] = [];

  const send = (kind: string, { authentication }: Provider, url: string, body: object): void =>
    void world.outbox.send({
      kind,
      url,
      headers: (signal) => authorization(authentication, signal),
      body: JSON.stringify(body),
      retryDelaysMs,
      timeoutMs,
    });

  /**
   * "It cannot send payment callbacks before payment_status_callback_url is set": earlier events
   * are dropped, and merchants read the state.
   */
  function sendPayments(provider: Provider, events: readonly object[]): void {
    if (provider.paymentCallbackUrl !== null)
      send('subscription payments', provider, provider.paymentCallbackUrl, events);
  }

  /** "Up to 1000 events are taken, grouped by merchant, one call per merchant per run." */
  function run(): void {
    const batches = Map.groupBy(waiting.slice(0, maxPerRun), ({ provider }) => provider);
    waiting = waiting.slice(maxPerRun);
    if (waiting.length > 0) arm();
    for (const [provider, events] of batches)
      sendPayments(
        provider,
        events.map(({ event }) => event),
      );
  }
  const arm = (): void => void world.clock.atNextMultiple(everyMs, run);

  return {
    agreement(agreement, { text, code, status = agreement.status }) {
      const url = agreement.links.get(
        agreement.status === 'Accepted' ? 'success-callback' : 'cancel-callback',
      );
      if (url === undefined) return;
      const { agreementId, externalId } = agreement;
      send('agreement', agreement.provider, url, {
        agreement_id: agreementId,
        status,
        status_text: text,
        status_code: code,
        external_id: externalId,
        timestamp: new Date(world.clock.wallMs()).toISOString(),
      });
    },
    payments(ended) {
      if (waiting.length === 0 && ended.length > 0) arm();
      for (const { payment, reason } of ended)
        waiting.push({ provider: payment.provider, event: paymentEvent(payment, reason) });
    },
    oneOff: (oneOff, reason) => sendPayments(oneOff.provider, [paymentEvent(oneOff, reason)]),
    oneOffLink: (oneOff, url, reason) =>
      send('one-off payment', oneOff.provider, url, [paymentEvent(oneOff, reason)]),
    refund(provider, url, refund, { text, code }) {
      send('refund', provider, url, {
        refund_id: refund.refundId,
        agreement_id: refund.agreementId,
        payment_id: refund.paymentId,
        amount: amountText(refund.amountMinor),
        currency: refund.currency,
        status: refund.status,
        status_text: text,
        status_code: code,
        external_id: refund.externalId,
      });
    },
  };
}

const amountText = (amountMinor: number): string => z.encode(decimalText, minorUnits(amountMinor));

function paymentEvent(
  payment: SimulatedSubscriptionPayment | SimulatedOneOff,
  { text, code, status = payment.status }: Reason,
): object {
  return {
    agreement_id: payment.agreementId,
    payment_id: payment.paymentId,
    amount: amountText(payment.amountMinor),
    currency: payment.currency,
    payment_date: payment.type === 'Regular' ? payment.dueDate : payment.requestedOn,
    status,
    status_text: text,
    status_code: code,
    external_id: payment.externalId,
    payment_type: payment.type,
  };
}

async function authorization(
  authentication: CallbackAuthentication | null,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  switch (authentication?.scheme) {
    case undefined:
      return {};
    case 'ApiKey':
      return { authorization: authentication.apiKey };
    case 'Basic':
      return { authorization: basic(authentication.userName, authentication.password) };
    case 'OAuth2':
      return { authorization: `Bearer ${await bearer(authentication, signal)}` };
  }
}

const basic = (name: string, password: string): string =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

/**
 * RFC 6749, section 4.4. A token is fetched for every attempt, because it is not documented how
 * long the service keeps one.
 */
async function bearer(
  { tokenUrl, clientId, clientSecret, scope }: CallbackAuthentication & { scheme: 'OAuth2' },
  signal: AbortSignal,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === null ? {} : { scope }),
  });
  const headers = { authorization: basic(clientId, clientSecret) };
  const answer = await httpClient(tokenUrl, {
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  return z.object({ access_token: z.string().min(1) }).parse(await answer.json()).access_token;
}
