/**
 * The client of app payments against the simulator, over real HTTP; where a test is about bad
 * answers, a service made of answers.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import {
  type AppPayments,
  openAppPayments,
} from '../../../../main/wallets/v10/app-payments/app-payments-client.ts';
import {
  AppPaymentsPage,
  appRedirectUri,
  returnStatus,
} from '../../../../main/wallets/v10/app-payments/app-payments-schemas.ts';
import {
  signatureIsGood,
  WebhookNotification,
  webhookSignature,
} from '../../../../main/wallets/v10/app-payments/webhook.ts';
import {
  CredentialsRefusedError,
  InvalidRequestError,
  ServiceRefusedError,
  UnexpectedAnswerError,
} from '../../../../main/wallets/http/errors.ts';
import {
  fetchHttp,
  type HttpAnswer,
  type HttpRequest,
  type HttpSend,
} from '../../../../main/wallets/http/http.ts';
import { type Profile, profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { impatient, steadyClock } from '../../support/steady-clock.ts';

const paymentPointId = 'a9900000-0000-4000-8000-000000000001';
const unknownId = '00000000-0000-4000-8000-00000000dead';
import { openReceiver } from '../../sandbox/simulator/support.ts';

const phone = '+4520031801';
const generic = profileNamed('generic');
const amount = minorUnits(1250);

/** Between two repetitions, and until a request is given up: not what these tests are about. */
const transportsOwn: ReadonlySet<number> = new Set([250, 30_000]);

interface Bench {
  readonly simulator: Simulator;
  readonly app: AppPayments;
  /** The waits of the client itself. In these tests, a second of it takes a millisecond. */
  readonly waits: number[];
  readonly sent: HttpRequest[];
}

const open: Simulator[] = [];
afterEach(async () => {
  for (const simulator of open.splice(0)) await simulator.stop();
});

async function openBench({
  profile = generic,
  apiKey = 'simulated-key-of-DK90000028',
  send = fetchHttp,
}: {
  profile?: Profile;
  apiKey?: string;
  send?: HttpSend;
} = {}): Promise<Bench> {
  const simulator = new Simulator({ profile, clock: steadyClock, ids: systemIds });
  open.push(simulator);
  await simulator.start({ port: 0 });
  const waits: number[] = [];
  const clock: Clock = {
    ...impatient(steadyClock, 1),
    after(delayMs, run) {
      if (!transportsOwn.has(delayMs)) waits.push(delayMs);
      return steadyClock.after(delayMs === 30_000 ? delayMs : delayMs / 1_000, run);
    },
  };
  const sent: HttpRequest[] = [];
  const watched: HttpSend = (request, signal) => (sent.push(request), send(request, signal));
  const transport = new Transport({
    baseUrl: simulator.baseUrl,
    access: merchantAccess(apiKey),
    profile,
    send: watched,
    clock,
    log: silentLog,
  });
  return { simulator, app: openAppPayments({ transport, clock }), waits, sent };
}

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});

const wish = (about: object = {}) => ({
  body: {
    amount,
    idempotencyKey: systemIds.uuid(),
    paymentPointId,
    redirectUri: 'shop://back',
    reference: 'order-7',
    ...about,
  },
});
const testEndpoint = async (name: string, body: object): Promise<void> => {
  const answer = await fetch(`${bench.simulator.baseUrl}/simulator/app-payments/${name}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
};
const initiated = async (): Promise<string> =>
  (await bench.app.initiateAppPayment(wish())).paymentId;
const reserved = async (): Promise<string> => {
  const paymentId = await initiated();
  await testEndpoint('accept', { paymentId, phoneNumber: phone });
  return paymentId;
};
const state = async (paymentId: string): Promise<string> =>
  (await bench.app.getAppPayment({ paymentId })).state;
const answers =
  (...given: Partial<HttpAnswer>[]): HttpSend =>
  async () => ({
    status: 200,
    body: '',
    retryAfterMs: null,
    ...(given.length > 1 ? given.shift() : given[0]),
  });
const collect = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => Array.fromAsync(items);

test('every operation reaches the service and its answer comes back', async () => {
  const { app } = bench;
  const redirectKey = systemIds.uuid();
  await app.initiateAppPayment(wish({ idempotencyKey: redirectKey }));
  await app.cancelAppPaymentByKey({ body: { idempotencyKey: redirectKey } });
  const { paymentId } = await app.initiateAppPayment(wish());
  await app.simulateAppPaymentConfirmation({
    paymentId,
    body: { paymentSourceId: unknownId, userId: unknownId },
  });
  await app.captureAppPayment({ paymentId, body: { amount } });
  const refund = await app.issueAppRefund({
    body: {
      paymentId,
      amount: minorUnits(500),
      idempotencyKey: systemIds.uuid(),
      reference: 'refund-7',
    },
  });
  expect(refund).toMatchObject({ amount: 500, remainingAmount: 750 });
  expect(await app.getAppRefund({ refundId: refund.refundId })).toMatchObject({
    paymentId,
    amount: 500,
    isoCurrencyCode: 'DKK',
  });
  expect(await app.getAppPayment({ paymentId })).toMatchObject({
    amount: 1250,
    state: 'captured',
    reference: 'order-7',
  });
  await app.cancelAppPayment({ paymentId: await initiated() });
  const receiver = await openReceiver();
  const about = { url: receiver.url, events: ['payment.reserved' as const] };
  const { webhookId, signatureKey } = await app.createWebhook({ body: about });
  expect(await app.updateWebhook({ webhookId, body: { ...about, paymentPointId } })).toMatchObject({
    signatureKey,
    paymentPointId,
  });
  expect(await app.getWebhook({ webhookId })).toMatchObject(about);
  await app.publishTestNotification({ webhookId });
  receiver.close();
  await expect(app.publishTestNotification({ webhookId })).rejects.toMatchObject({
    name: 'ServiceRefusedError',
    status: 409,
  });
  expect((await app.listWebhooks({})).webhooks).toHaveLength(1);
  await app.deleteWebhook({ webhookId });
  await expect(app.getWebhook({ webhookId })).rejects.toMatchObject({ status: 404 });
});

test.each(['generic', 'mobilepay'] as const)(
  'the way into the app is found, whatever the brand calls it: %s',
  async (name) => {
    const { app } = await openBench({ profile: profileNamed(name) });
    const answer = await app.initiateAppPayment(wish());
    expect(appRedirectUri(answer)).toBe(
      `https://app.example/payments?id=${answer.paymentId}&payment_point_id=${paymentPointId}`,
    );
  },
);

test('an answer without a way into the app has none', () => {
  expect(appRedirectUri({ paymentId: unknownId, mobilePayAppRedirectUri: null })).toBeNull();
});

test.each([
  ['shop://back?order=7&status=successful', 'successful'],
  ['https://shop.example/back?status=failed', 'failed'],
  ['shop://back?status=rejected', 'rejected'],
  ['shop://back?status=paid', null],
  ['shop://back', null],
  ['back', null],
])('a user who returns to %s: %s', (uri, status) => {
  expect(returnStatus(uri)).toBe(status);
});

test('a request carries its correlation id', async () => {
  await bench.app.listPaymentPoints({ query: {} }, { correlationId: unknownId });
  expect(bench.sent[0]?.headers).toMatchObject({
    CorrelationId: unknownId,
    authorization: 'Bearer simulated-key-of-DK90000028',
  });
});

test.each([
  [{ amount: minorUnits(0) }, 'amount'],
  [{ reference: 'x'.repeat(65) }, 'reference'],
  [{ redirectUri: 'back' }, 'redirectUri'],
  [{ description: 'x'.repeat(201) }, 'description'],
  [{ customerPhoneNumber: 'mine' }, 'customerPhoneNumber'],
  [{ idempotencyKey: 'order-7' }, 'idempotencyKey'],
])('a payment with %o is never sent', async (about, field) => {
  await expect(bench.app.initiateAppPayment(wish(about))).rejects.toMatchObject({
    name: InvalidRequestError.name,
    field,
  });
  expect(bench.sent).toEqual([]);
});

test('a description is as long as the profile allows', async () => {
  const { app, simulator, sent } = await openBench({
    profile: { ...generic, limits: { ...generic.limits, appDescriptionCharacters: 100 } },
  });
  await app.initiateAppPayment(wish({ description: 'x'.repeat(100) }));
  await expect(
    app.initiateAppPayment(wish({ description: 'x'.repeat(101) })),
  ).rejects.toMatchObject({ field: 'description' });
  const headers = sent[0]?.headers ?? {};
  const refused = await fetch(`${simulator.baseUrl}/v1/payments`, {
    method: 'POST',
    headers,
    body: JSON.stringify(wish({ description: 'x'.repeat(101) }).body),
  });
  expect(refused.status).toBe(400);
});

test('a lost answer to a new payment is asked for again with its key: one payment', async () => {
  bench.simulator.faults.add({ operation: 'initiateAppPayment', kind: 'resetAfter', times: 2 });
  const { paymentId } = await bench.app.initiateAppPayment(wish());
  expect(bench.simulator.state()).toMatchObject({ appPayments: [{ paymentId }] });
  expect(new Set(bench.sent.map(({ body }) => body)).size).toBe(1);
});

describe('captureUntilDecided', () => {
  test('goes on through captureStarted until the money has moved, once', async () => {
    const paymentId = await reserved();
    await testEndpoint('hang-captures', { paymentId, times: 13 });
    await bench.app.captureUntilDecided(paymentId, amount);
    expect(bench.waits).toEqual([1_000, 2_000]);
    expect(await state(paymentId)).toBe('captured');
    expect(bench.simulator.world.ledger.movements).toHaveLength(1);
  });

  test('waits longer each time, up to a minute', async () => {
    const { app, waits } = await openBench({
      send: answers(...Array.from({ length: 6 * 9 }, () => ({ status: 500 })), { status: 204 }),
    });
    await app.captureUntilDecided(unknownId, amount);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  });

  test('takes lost answers and dropped connections for what they are: not decided', async () => {
    const paymentId = await reserved();
    bench.simulator.faults.add({ operation: 'captureAppPayment', kind: 'resetAfter', times: 7 });
    await bench.app.captureUntilDecided(paymentId, amount);
    expect(bench.waits).toEqual([1_000]);
    expect(bench.simulator.world.ledger.movements).toHaveLength(1);
  });

  test.each([
    [{ status: 429, retryAfterMs: 7_000 }, 7_000],
    [{ status: 302 }, 1_000],
  ])('waits as it is told after %o', async (first, waitedMs) => {
    const { app, waits } = await openBench({ send: answers(first, { status: 204 }) });
    await app.captureUntilDecided(unknownId, amount);
    expect(waits).toEqual([waitedMs]);
  });

  test.each([
    ['another amount', 1251, 'amount_too_large'],
    ['what is not reserved', null, 'invalid_payment_state'],
  ])('says so when the service refuses: %s', async (_about, amountMinor, code) => {
    const paymentId = amountMinor === null ? await initiated() : await reserved();
    const capturing = bench.app.captureUntilDecided(paymentId, minorUnits(amountMinor ?? 1250));
    await expect(capturing).rejects.toMatchObject({
      name: ServiceRefusedError.name,
      status: 409,
      code,
    });
    expect(bench.waits).toEqual([]);
  });

  test('says so when the key is not accepted', async () => {
    const { app } = await openBench({ apiKey: 'nobody' });
    await expect(app.captureUntilDecided(unknownId, amount)).rejects.toBeInstanceOf(
      CredentialsRefusedError,
    );
  });

  test('ends when it is told to', async () => {
    const paymentId = await reserved();
    await testEndpoint('hang-captures', { paymentId, times: 1_000 });
    const abort = new AbortController();
    const capturing = bench.app.captureUntilDecided(paymentId, amount, { signal: abort.signal });
    const why = new Error('the daemon stops');
    setTimeout(() => abort.abort(why), 30);
    await expect(capturing).rejects.toBe(why);
    expect(await state(paymentId)).toBe('captureStarted');
  });
});

describe('watch', () => {
  const payment = (about: object) => ({
    body: JSON.stringify({
      paymentId: unknownId,
      amount: 1250,
      paymentPointId,
      state: 'initiated',
      initiatedOn: '2026-11-21T09:00:00Z',
      ...about,
    }),
  });

  test('polls after five seconds and then every two, until the user has decided', async () => {
    const { app, waits } = await openBench({
      send: answers(payment({}), payment({}), payment({ state: 'reserved' })),
    });
    expect(await app.watch(unknownId)).toMatchObject({ state: 'reserved' });
    expect(waits).toEqual([5_000, 2_000, 2_000]);
  });

  test.each([
    'captureStarted',
    'captured',
    'cancelledByUser',
    'cancelledBySystem',
    'aStateOfTomorrow',
  ])('ends with %s', async (found) => {
    const { app } = await openBench({ send: answers(payment({ state: found })) });
    expect(await app.watch(unknownId)).toMatchObject({ state: found });
  });

  test('asks again when there was no usable answer', async () => {
    const lost = Array.from({ length: 6 }, () => ({ status: 503, retryAfterMs: 9_000 }));
    const { app, waits } = await openBench({
      send: answers(...lost, { body: '<html>' }, payment({ state: 'captured' })),
    });
    await app.watch(unknownId);
    expect(waits).toEqual([5_000, 9_000, 2_000]);
  });

  test('sees the user approve', async () => {
    const paymentId = await initiated();
    const watching = bench.app.watch(paymentId);
    await testEndpoint('accept', { paymentId, phoneNumber: phone });
    expect(await watching).toMatchObject({ paymentId, state: 'reserved' });
  });

  test('ends when there is no such payment, or when it is told to', async () => {
    await expect(bench.app.watch(unknownId)).rejects.toMatchObject({
      name: ServiceRefusedError.name,
      status: 404,
    });
    await expect(
      bench.app.watch(unknownId, { signal: AbortSignal.abort(new Error('enough')) }),
    ).rejects.toThrow('enough');
  });
});

describe('a list', () => {
  test('is one stream, however many pages it has', async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await reserved());
    const [first = ''] = ids;
    await bench.app.captureAppPayment({ paymentId: first, body: { amount } });
    for (const reference of ['a', 'b', 'c']) {
      await bench.app.issueAppRefund({
        body: {
          paymentId: first,
          amount: minorUnits(1),
          idempotencyKey: systemIds.uuid(),
          reference,
        },
      });
    }
    bench.sent.length = 0;
    expect(
      (await collect(bench.app.payments({}, { pageSize: 2 }))).map(({ paymentId }) => paymentId),
    ).toEqual(ids);
    expect(bench.sent).toHaveLength(3);
    expect(
      await collect(bench.app.payments({ stateFilter: ['captured', 'cancelledByUser'] })),
    ).toMatchObject([{ paymentId: first, amount: 1250 }]);
    expect(await collect(bench.app.refunds({ paymentId: first }, { pageSize: 1 }))).toMatchObject([
      { reference: 'a' },
      { reference: 'b' },
      { reference: 'c' },
    ]);
    expect(await collect(bench.app.paymentPoints())).toEqual([
      { paymentPointId, paymentPointName: 'Corner Shops', state: 'active' },
    ]);
    expect(await collect(bench.app.payments({ endDate: '2020-01-01T00:00:00Z' }))).toEqual([]);
  });

  test('that leads nowhere is not followed', async () => {
    const page = (nextPageNumber: number) => ({
      body: JSON.stringify({ pageSize: 1, nextPageNumber, refunds: [] }),
    });
    const { app } = await openBench({ send: answers(page(2), page(2)) });
    await expect(collect(app.refunds())).rejects.toBeInstanceOf(UnexpectedAnswerError);
    let next = 1;
    const endless = await openBench({
      send: async () => ({ status: 200, retryAfterMs: null, ...page((next += 1)) }),
    });
    await expect(collect(endless.app.refunds())).rejects.toThrow('100 empty pages in a row');
  });

  test('is read with capital and with small letters, and what is missing in it is said', () => {
    const single = {
      paymentId: unknownId,
      amount: 1,
      paymentPointId,
      state: 'initiated',
      initiatedOn: '2026-11-21T09:00:00Z',
    };
    const listed = {
      PaymentId: unknownId,
      Amount: 1,
      PaymentPointId: paymentPointId,
      State: 'initiated',
      InitiatedOn: '2026-11-21T09:00:00Z',
      New: 1,
    };
    for (const payment of [single, listed])
      expect(AppPaymentsPage.parse({ payments: [payment] })).toEqual({ payments: [single] });
    expect(
      AppPaymentsPage.safeParse({ payments: [{ ...listed, Amount: 1.5 }] }).error?.issues[0]?.path,
    ).toEqual(['payments', 0, 'Amount']);
    expect(AppPaymentsPage.safeParse({ payments: [{ PaymentId: unknownId }] }).success).toBe(false);
  });
});

describe('a webhook', () => {
  const url = 'https://shop.example/hook';
  const body =
    '{ "notificationId": "n-1",\r\n\t"eventType": "payment.reserved", "eventDate": "2021-10-15T15:30:31Z",\n "data": {"id": "p-1", "type": "payment", "reference": "My payment"} }';
  /** Made with another tool, over the body without its whitespace. */
  const signature = 'yBvyxPpVeTPZmGCaAsL7U77MF6M=';

  test('is signed over its address and its body without whitespace', () => {
    expect(webhookSignature('my-secure-signature-key', url, body)).toBe(signature);
    expect(signatureIsGood(signature, 'my-secure-signature-key', url, body)).toBe(true);
  });

  test.each([
    ['another key', signature, 'key', url, body],
    ['another address', signature, 'my-secure-signature-key', `${url}/`, body],
    ['another body', signature, 'my-secure-signature-key', url, body.replace('p-1', 'p-2')],
    ['another signature', 'xBvyxPpVeTPZmGCaAsL7U77MF6M=', 'my-secure-signature-key', url, body],
    ['a shorter one', signature.slice(0, -1), 'my-secure-signature-key', url, body],
    ['none', undefined, 'my-secure-signature-key', url, body],
    ['none at all', null, 'my-secure-signature-key', url, body],
  ])('is not believed with %s', (_about, given, key, to, text) => {
    expect(signatureIsGood(given, key, to, text)).toBe(false);
  });

  test('of an event that is new to us is kept', () => {
    const told = {
      notificationId: 'n-1',
      eventType: 'refund.issued',
      eventDate: '2021-10-15T15:30:31Z',
      data: { id: 'r-1', type: 'refund' },
    };
    expect(WebhookNotification.parse({ ...told, more: true })).toEqual(told);
    expect(WebhookNotification.parse(JSON.parse(body))).toMatchObject({
      data: { reference: 'My payment' },
    });
  });
});
