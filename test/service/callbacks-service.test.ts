/**
 * The service's own callbacks, on their whole way: from what a phone's owner does in the simulator
 * to the receiver's disk, outages and all.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../main/core/domain/ids.ts';
import { silentLog } from '../../main/core/domain/log.ts';
import { minorUnits } from '../../main/core/domain/money.ts';
import { Simulator } from '../../main/sandbox/simulator/simulator.ts';
import { merchantAccess } from '../../main/wallets/http/access.ts';
import {
  type AppPayments,
  openAppPayments,
} from '../../main/wallets/v10/app-payments/app-payments-client.ts';
import { openIntake } from '../../main/wallets/callbacks/intake.ts';
import { keepUp } from '../../main/wallets/callbacks/keep-up.ts';
import { fallbackReads } from '../../main/wallets/callbacks/fallback-reads.ts';
import { CallbackReceiver } from '../../main/wallets/callbacks/callback-server.ts';
import type { CallbackSettings } from '../../main/wallets/callbacks/callback-settings.ts';
import { openSqliteStore } from '../../main/wallets/callbacks/sqlite-store.ts';
import type { CallbackStore } from '../../main/wallets/callbacks/callback-store.ts';
import { type Client, clientOf } from '../../main/wallets/v10/typed-client.ts';
import { fetchHttp } from '../../main/wallets/http/http.ts';
import { invoiceOperations } from '../../main/wallets/v10/invoice/invoice-operations.ts';
import { profileNamed } from '../../main/wallets/v10/v10-profile.ts';
import {
  openSubscriptions,
  type Subscriptions,
} from '../../main/wallets/v10/subscriptions/subscriptions-client.ts';
import { Transport } from '../../main/wallets/http/transport.ts';
import { freePort } from '../support/free-port.ts';
import { ManualClock } from '../unit/support/manual-clock.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const phoneNumber = '+4520031801';
const profile = profileNamed('generic');

const clock = new ManualClock();
let simulator: Simulator;
let folder: string;
let port: number;
let store: CallbackStore;
let receiver: CallbackReceiver | null;
let invoices: Client<typeof invoiceOperations>;
let appPayments: AppPayments;
let subscriptions: Subscriptions;
let merchantId: string;
let providerId: string;

const url = (path: string): string => `http://127.0.0.1:${port}${path}`;

beforeEach(async () => {
  simulator = new Simulator({ profile, clock, ids: systemIds });
  await simulator.start({ port: 0 });
  const merchant = [...simulator.world.merchants.values()][0] as {
    merchantId: string;
    apiKey: string;
  };
  merchantId = merchant.merchantId;
  const transport = new Transport({
    baseUrl: simulator.baseUrl,
    access: merchantAccess(merchant.apiKey),
    profile,
    send: fetchHttp,
    clock,
    log: silentLog,
  });
  invoices = clientOf(transport, invoiceOperations);
  appPayments = openAppPayments({ transport, clock });
  subscriptions = openSubscriptions({ transport });
  providerId = (await subscriptions.getSubscriptionMerchant({})).SubscriptionProviders?.[0]
    ?.SubscriptionProviderId as string;
  folder = mkdtempSync(join(tmpdir(), 'tillbeacon-callbacks-'));
  store = openSqliteStore(join(folder, 'callbacks.db'));
  port = await freePort();
});
afterEach(async () => {
  await receiver?.stop();
  receiver = null;
  await simulator.stop();
  store.close();
  rmSync(folder, { recursive: true });
});

async function open(settings: Partial<CallbackSettings>): Promise<void> {
  const all: CallbackSettings = {
    listen: { host: '127.0.0.1', port },
    profile: 'generic',
    checkin: false,
    ...settings,
  };
  const options = { settings: all, clock: simulator.world.clock, ids: systemIds, log: silentLog };
  receiver = new CallbackReceiver({ ...options, intake: openIntake({ ...options, store }) });
  await receiver.start({ host: '127.0.0.1', port });
}
const close = async (): Promise<void> => {
  await receiver?.stop();
  receiver = null;
};
const testEndpoint = async (name: string, body: object): Promise<Record<string, string>> => {
  const answer = await fetch(`${simulator.baseUrl}/simulator/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.clone().text()).toBe(200);
  return (await answer.json()) as Record<string, string>;
};
const told = (): string[] =>
  store
    .since(0)
    .map(
      ({ record, origin }) =>
        `${record.kind} ${record.status}${origin === 'read' ? ' (read)' : ''}`,
    );
const createInvoice = async (): Promise<string> =>
  (
    await testEndpoint('invoice/create', {
      amount: 12.5,
      dueDate: '2026-12-01',
      phoneNumber,
      invoiceNumber: systemIds.uuid(),
    })
  )['invoiceId'] as string;

describe('invoices', () => {
  test.each([
    ['Basic', { scheme: 'basic', userName: 'wallet', password: 'secret' }],
    ['an API key', { scheme: 'apiKey', apiKey: 'the key' }],
  ] as const)('with %s', async (_name, credential) => {
    await open({ invoices: [credential] });
    const callbackurl = url('/callbacks/invoices');
    if (credential.scheme === 'basic')
      await invoices.setInvoiceCallbackBasicAuth({
        merchantId,
        body: { username: 'wallet', password: 'secret', callbackurl },
      });
    else
      await invoices.setInvoiceCallbackApiKey({
        merchantId,
        body: { ApiKey: 'the key', callbackurl },
      });
    const invoiceId = await createInvoice();
    await testEndpoint('invoice/pay', { invoiceId });
    await simulator.advance(5_000);
    expect(told()).toEqual(['invoice created', 'invoice paid']);
  });

  test('with the wrong key are refused, and arrive at a repetition when it is right', async () => {
    await open({ invoices: [{ scheme: 'apiKey', apiKey: 'the right key' }] });
    await invoices.setInvoiceCallbackApiKey({
      merchantId,
      body: { ApiKey: 'the wrong key', callbackurl: url('/callbacks/invoices') },
    });
    await createInvoice();
    await simulator.advance(5_000);
    expect(told()).toEqual([]);
    expect(simulator.world.outbox.deliveries.at(-1)).toMatchObject({
      state: 'waiting',
      attempts: [{ status: 401 }],
    });
    await invoices.setInvoiceCallbackApiKey({
      merchantId,
      body: { ApiKey: 'the right key', callbackurl: url('/callbacks/invoices') },
    });
    await simulator.advance(5_000);
    expect(told()).toEqual(['invoice created']);
  });
});

describe('app payments', () => {
  test('by webhook, signed with the key of the webhook', async () => {
    const { webhookId } = await appPayments.createWebhook({
      body: {
        url: url('/callbacks/app-payments'),
        events: ['payment.reserved', 'payment.expired'],
      },
    });
    const { signatureKey } = await appPayments.getWebhook({ webhookId });
    await open({ appPayments: [{ url: url('/callbacks/app-payments'), signatureKey }] });
    const paymentPointId = (await appPayments.listPaymentPoints({ query: {} })).paymentPoints[0]
      ?.paymentPointId as string;
    const about = {
      amount: minorUnits(1250),
      paymentPointId,
      redirectUri: 'https://shop.example/',
      reference: 'order-1',
    };
    const { paymentId } = await appPayments.initiateAppPayment({
      body: { ...about, idempotencyKey: systemIds.uuid() },
    });
    await appPayments.initiateAppPayment({ body: { ...about, idempotencyKey: systemIds.uuid() } });
    await testEndpoint('app-payments/accept', { paymentId, phoneNumber });
    await simulator.advance(10 * minuteMs);
    expect(told()).toEqual(['appPayment reserved', 'appPayment expired']);
    expect(store.state('appPayment', paymentId)?.record.externalId).toBe('order-1');
  });
});

describe('subscriptions', () => {
  const links = () => [
    { rel: 'user-redirect' as const, href: 'https://shop.example/' },
    { rel: 'success-callback' as const, href: url('/callbacks/agreements') },
    { rel: 'cancel-callback' as const, href: url('/callbacks/agreements') },
  ];
  const createAgreement = async (externalId: string): Promise<string> => {
    const body = {
      country_code: 'DK' as const,
      currency: 'DKK' as const,
      plan: 'Basic',
      expiration_timeout_minutes: 60,
      external_id: externalId,
      links: links(),
    };
    return (await subscriptions.createAgreement({ providerId, body })).id;
  };
  const request = (agreementId: string, externalId: string, amountMinor = 9_900) => ({
    agreement_id: agreementId,
    amount: minorUnits(amountMinor),
    due_date: '2026-11-24',
    external_id: externalId,
    description: 'November',
  });
  const payments = () =>
    subscriptions.updateSubscriptionProvider({
      providerId,
      body: [
        {
          op: 'replace',
          path: '/payment_status_callback_url',
          value: url('/callbacks/subscription-payments'),
        },
      ],
    });

  test.each(['oauth2', 'apiKey', 'basic'] as const)(
    'agreement, nightly payment, one-off and refund, authenticated by %s',
    async (scheme) => {
      const credentials = {
        oauth2: { scheme: 'oauth2', clientId: 'wallet', clientSecret: 'secret' },
        apiKey: { scheme: 'apiKey', apiKey: 'the key' },
        basic: { scheme: 'basic', userName: 'wallet', password: 'secret' },
      } as const;
      await open({ subscriptions: [credentials[scheme]] });
      if (scheme === 'oauth2')
        await subscriptions.setCallbackOAuth2({
          providerId,
          body: { client_id: 'wallet', client_secret: 'secret', token_url: url('/oauth2/token') },
        });
      if (scheme === 'apiKey')
        await subscriptions.setCallbackApiKey({ providerId, body: { api_key: 'the key' } });
      if (scheme === 'basic')
        await subscriptions.setCallbackBasic({
          providerId,
          body: { user_name: 'wallet', password: 'secret' },
        });
      await payments();

      const agreementId = await createAgreement('customer-1');
      await testEndpoint('subscriptions/accept-agreement', { agreementId, phoneNumber });
      await simulator.world.outbox.settled();
      const batch = await subscriptions.requestSubscriptionPayments({
        providerId,
        body: [request(agreementId, 'order-1')],
      });
      const paymentId = batch.pending_payments?.[0]?.payment_id as string;
      await simulator.advance(4 * dayMs);
      expect(store.state('payment', paymentId)?.record).toMatchObject({
        status: 'executed',
        amountMinor: 9_900,
        agreementId,
        externalId: 'order-1',
      });
      const oneOff = await subscriptions.requestOneOff({
        providerId,
        agreementId,
        body: {
          amount: minorUnits(500),
          description: 'Once',
          external_id: 'once-1',
          links: links().slice(0, 1),
        },
      });
      await testEndpoint('subscriptions/accept-one-off', { paymentId: oneOff.id });
      await subscriptions.requestSubscriptionRefund({
        providerId,
        agreementId,
        paymentId,
        body: {
          amount: minorUnits(100),
          external_id: 'refund-1',
          status_callback_url: url('/callbacks/refunds'),
        },
      });
      await simulator.advance(10 * minuteMs);
      expect(told().toSorted()).toEqual([
        'agreement accepted',
        'oneOff reserved',
        'payment executed',
        'refund issued',
      ]);
      expect(simulator.world.outbox.deliveries.every(({ state }) => state === 'delivered')).toBe(
        true,
      );
    },
  );

  test('what was lost in three days without a receiver is read afterwards, once', async () => {
    await open({
      subscriptions: [{ scheme: 'apiKey', apiKey: 'the key' }],
      invoices: [{ scheme: 'apiKey', apiKey: 'the key' }],
    });
    await subscriptions.setCallbackApiKey({ providerId, body: { api_key: 'the key' } });
    await invoices.setInvoiceCallbackApiKey({
      merchantId,
      body: { ApiKey: 'the key', callbackurl: url('/callbacks/invoices') },
    });
    await payments();
    const reads = fallbackReads([
      {
        subscriptions: { client: subscriptions, providerId },
        invoices: { client: invoices, merchantId },
        appPayments,
      },
    ]);
    const keep = () => keepUp({ reads, store, clock: simulator.world.clock, log: silentLog });
    let stop = keep();
    const agreementId = await createAgreement('customer-1');
    await testEndpoint('subscriptions/accept-agreement', { agreementId, phoneNumber });
    const invoiceId = await createInvoice();
    const batch = await subscriptions.requestSubscriptionPayments({
      providerId,
      body: [
        request(agreementId, 'order-1'),
        { ...request(agreementId, 'order-2', 100_00), due_date: '2026-11-25' },
      ],
    });
    await simulator.advance(minuteMs);
    expect(told().toSorted()).toEqual(['agreement accepted', 'invoice created']);
    const before = store.completeUntilMs();
    expect(before).toBe(simulator.world.clock.wallMs());

    stop();
    await close();
    await testEndpoint('invoice/pay', { invoiceId });
    await simulator.advance(7 * dayMs);
    expect(simulator.world.outbox.deliveries.some(({ state }) => state === 'givenUp')).toBe(true);
    expect(store.completeUntilMs()).toBe(before);

    await open({ subscriptions: [{ scheme: 'apiKey', apiKey: 'the key' }] });
    stop = keep();
    await expect.poll(() => store.completeUntilMs()).not.toBe(before);
    const paid = batch.pending_payments?.map(
      ({ payment_id }) => store.state('payment', payment_id)?.record.status,
    );
    expect(paid).toEqual(['executed', 'executed']);
    expect(store.state('invoice', invoiceId)?.record.status).toBe('paid');
    expect(
      told()
        .filter((one) => one.endsWith('(read)'))
        .toSorted(),
    ).toEqual(['invoice paid (read)', 'payment executed (read)', 'payment executed (read)']);

    stop();
    stop = keep();
    await simulator.advance(2 * minuteMs);
    expect(told().filter((one) => one.endsWith('(read)'))).toHaveLength(3);
    stop();
  });

  test('while the service does not answer, catching up is tried again, and nothing is noted as complete before it succeeds', async () => {
    const reads = fallbackReads([
      { subscriptions: { client: subscriptions, providerId }, invoices: null, appPayments: null },
    ]);
    store.completeUntil(1);
    simulator.faults.add({ operation: 'listAgreements', kind: 'status500', times: 6 });
    const stop = keepUp({ reads, store, clock: simulator.world.clock, log: silentLog });
    await expect
      .poll(async () => (await clock.pass(250), simulator.faults.planned().length))
      .toBe(0);
    expect(store.completeUntilMs()).toBe(1);
    await expect.poll(async () => (await clock.pass(10_000), store.completeUntilMs())).not.toBe(1);
    stop();
  });
});
