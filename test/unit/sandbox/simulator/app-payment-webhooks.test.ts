/** Refunds and lists of app payments, and their webhooks. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  signatureIsGood,
  webhookEvents,
} from '../../../../main/wallets/v10/app-payments/webhook.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { phone } from './support.ts';
import {
  unknownId,
  paymentPointId,
  other,
  minutes,
  days,
  service,
  startServiceBeforeEach,
  type Headers,
  call,
  testEndpoint,
  initiate,
  initiated,
  reserved,
  captured,
  refund,
  newPoint,
  user,
  key,
} from './app-payments-support.ts';

startServiceBeforeEach();

describe('a refund', () => {
  test('is paid out at once, in parts, on the last day too, and says what is left', async () => {
    user(phone, 1_250);
    const paymentId = await captured();
    await service.simulator.advance(days(90));
    const { body } = await refund({ paymentId, description: 'Sorry' });
    expect(body).toEqual({
      refundId: expect.any(String),
      paymentId,
      amount: 500,
      description: 'Sorry',
      reference: 'refund-7',
      createdOn: expect.any(String),
      remainingAmount: 750,
    });
    expect(await refund({ paymentId, amount: 751 })).toMatchObject({
      status: 409,
      code: 'amount_too_large',
    });
    expect(await refund({ paymentId, amount: 750 })).toMatchObject({
      body: { remainingAmount: 0 },
    });
    expect(service.simulator.world.phoneByNumber(phone).balanceMinor).toBe(1_250);
    expect(
      service.simulator.world.ledger.movements.filter(({ type }) => type === 'Refund'),
    ).toMatchObject([
      { amountMinor: -500, about: { refundId: body?.['refundId'], merchantReference: 'refund-7' } },
      { amountMinor: -750 },
    ]);
  });

  test('whose key comes again is the same refund', async () => {
    const paymentId = await captured();
    expect(await refund({ paymentId, idempotencyKey: key })).toEqual(
      await refund({ paymentId, idempotencyKey: key }),
    );
    expect(service.simulator.state()).toMatchObject({ appRefunds: [{ amount: 500 }] });
  });
});

describe('a list', () => {
  const references = async (query: string, headers?: Headers): Promise<unknown[]> =>
    (
      (await call('GET', `/v1/payments?${query}`, undefined, headers)).body as {
        payments: { Reference: unknown }[];
      }
    ).payments.map(({ Reference }) => Reference);

  test('of payments comes in pages, under capitalised names', async () => {
    for (const reference of ['a', 'b', 'c']) await initiate({ reference });
    expect((await call('GET', '/v1/payments?pageSize=2')).body).toMatchObject({
      pageSize: 2,
      nextPageNumber: 2,
      payments: [{ Reference: 'a', State: 'initiated' }, {}],
    });
    expect((await call('GET', '/v1/payments?pageSize=2&pageNumber=2')).body).toMatchObject({
      nextPageNumber: null,
      payments: [{ Reference: 'c', Amount: 1250 }],
    });
    expect((await call('GET', '/v1/payments?pageSize=3')).body).toMatchObject({
      nextPageNumber: null,
    });
    expect((await call('GET', '/v1/payments?pageNumber=9')).body).toEqual({
      pageSize: 100,
      nextPageNumber: null,
      payments: [],
    });
  });

  test('of payments is one merchant’s, and narrowed by state, time and payment point', async () => {
    await initiate({ reference: 'a' });
    await service.simulator.advance(minutes(1));
    await captured({ reference: 'b' });
    expect(await references('')).toEqual(['a', 'b']);
    expect(await references('', other)).toEqual([]);
    expect(await references('stateFilter=captured')).toEqual(['b']);
    expect(await references('stateFilter=captured&stateFilter=initiated')).toEqual(['a', 'b']);
    expect(await references('startDate=2026-11-21T09:01:00Z')).toEqual(['b']);
    expect(await references('endDate=2026-11-21T09:00:00Z')).toEqual(['a']);
    expect(await references(`paymentPointId=${paymentPointId.toUpperCase()}`)).toEqual(['a', 'b']);
    expect(await references(`paymentPointId=${unknownId}`)).toEqual([]);
  });

  test('of refunds is narrowed likewise', async () => {
    const paymentId = await captured();
    await refund({ paymentId, reference: 'a' });
    await service.simulator.advance(minutes(1));
    await refund({ paymentId: await captured(), reference: 'b' });
    const listed = async (query: string, headers?: Headers): Promise<unknown[]> =>
      (
        (await call('GET', `/v1/refunds?${query}`, undefined, headers)).body as {
          refunds: { reference: unknown }[];
        }
      ).refunds.map(({ reference }) => reference);
    expect(await listed('')).toEqual(['a', 'b']);
    expect(await listed('', other)).toEqual([]);
    expect(await listed(`paymentId=${paymentId}`)).toEqual(['a']);
    expect(await listed(`paymentPointId=${unknownId}`)).toEqual([]);
    expect(await listed('createdAfter=2026-11-21T09:00:30Z')).toEqual(['b']);
    expect(await listed('createdBefore=2026-11-21T09:00:30Z')).toEqual(['a']);
    expect((await call('GET', '/v1/refunds?pageSize=1')).body).toMatchObject({ nextPageNumber: 2 });
  });

  test('of payment points is one merchant’s own', async () => {
    const created = await newPoint();
    const { paymentPoints } = (await call('GET', '/v1/paymentpoints')).body as {
      paymentPoints: object[];
    };
    expect(paymentPoints).toHaveLength(2);
    expect(paymentPoints).toContainEqual({
      PaymentPointId: created,
      PaymentPointName: 'Web shop',
      State: 'created',
    });
    expect(paymentPoints).toContainEqual({
      PaymentPointId: paymentPointId,
      PaymentPointName: 'Corner Shops',
      State: 'active',
    });
    expect(
      (
        (await call('GET', '/v1/paymentpoints', undefined, other)).body as {
          paymentPoints: object[];
        }
      ).paymentPoints,
    ).toHaveLength(1);
  });
});

describe('a webhook', () => {
  interface Received {
    readonly body: string;
    readonly signature: string;
    readonly notification: { readonly eventType: string; readonly data: object };
  }
  let shop: Server;
  let url = '';
  let answers: number[];
  const received: Received[] = [];
  beforeEach(async () => {
    received.length = 0;
    answers = [];
    shop = createServer((request, response) => {
      const signature = request.headers['x-service-signature'] as string;
      request.setEncoding('utf8').once('data', (body: string) => {
        received.push({
          body,
          signature,
          notification: JSON.parse(body) as Received['notification'],
        });
        response.writeHead(answers.shift() ?? 204).end();
      });
    });
    await new Promise<void>((resolve) => void shop.listen(0, '127.0.0.1', resolve));
    url = `HTTP://LOCALHOST:${(shop.address() as AddressInfo).port}/Hook`.replace(
      'LOCALHOST',
      '127.0.0.1',
    );
  });
  afterEach(() => void shop.close());
  const receivedEvents = async (): Promise<string[]> => {
    await service.simulator.world.outbox.settled();
    return received.map(({ notification }) => notification.eventType);
  };
  const everything = (about: object = {}): object => ({
    url,
    events: [...webhookEvents],
    ...about,
  });

  test('is told of each event at its time, signed, and to nobody else', async () => {
    const created = await call('POST', '/v1/webhooks', everything());
    const record = created.body as { url: string; signatureKey: string };
    expect(record.url).toBe(url.replace('HTTP', 'http'));
    await call('POST', '/v1/webhooks', everything(), other);
    const paymentId = await reserved();
    expect(await receivedEvents()).toEqual(['payment.reserved']);
    expect(received[0]?.notification).toEqual({
      notificationId: expect.any(String),
      eventType: 'payment.reserved',
      eventDate: '2026-11-21T09:00:00.000Z',
      data: { id: paymentId, type: 'payment', reference: 'order-7' },
    });
    await testEndpoint('reject', { paymentId: await initiated(), phoneNumber: phone });
    await initiated();
    const point = await newPoint();
    for (const _ of [1, 2]) await testEndpoint('activate-payment-point', { paymentPointId: point });
    await service.simulator.advance(minutes(10));
    await service.simulator.advance(days(7) - minutes(10));
    expect(await receivedEvents()).toEqual([
      'payment.reserved',
      'payment.cancelled_by_user',
      'paymentpoint.activated',
      'payment.expired',
      'payment.expired',
    ]);
    expect(received[2]?.notification.data).toEqual({ id: point, type: 'paymentpoint' });
    for (const { signature, body } of received)
      expect(signatureIsGood(signature, record.signatureKey, record.url, body)).toBe(true);
  });

  test('is told when what was paid has been transferred', async () => {
    await call('POST', '/v1/webhooks', everything({ events: ['transfer.succeeded'] }));
    await captured();
    await service.simulator.advance(days(1));
    expect(await receivedEvents()).toEqual(['transfer.succeeded']);
    expect(received[0]?.notification.data).toEqual({
      id: [...service.simulator.world.ledger.transfers.keys()][0],
      type: 'transfer',
    });
  });

  test('is told of its events and its payment point only', async () => {
    const point = await newPoint();
    await testEndpoint('activate-payment-point', { paymentPointId: point });
    await call('POST', '/v1/webhooks', everything({ events: ['payment.expired'] }));
    await call('POST', '/v1/webhooks', everything({ paymentPointId: point }));
    await reserved();
    expect(await receivedEvents()).toEqual([]);
    await reserved({ paymentPointId: point });
    expect(await receivedEvents()).toEqual(['payment.reserved']);
  });

  test('keeps its key when it is changed, and is told nothing once it is deleted', async () => {
    const { webhookId, signatureKey } = (await call('POST', '/v1/webhooks', everything()))
      .body as Record<string, string>;
    const changed = await call(
      'PUT',
      `/v1/webhooks/${webhookId}`,
      everything({ events: ['payment.expired'] }),
    );
    expect(changed.body).toMatchObject({ webhookId, signatureKey, events: ['payment.expired'] });
    await reserved();
    expect(await receivedEvents()).toEqual([]);
    await call('POST', `/v1/webhooks/${webhookId}/publishtestnotification`);
    expect(await receivedEvents()).toEqual(['payment.expired']);
    await call('DELETE', `/v1/webhooks/${webhookId}`);
    expect((await call('GET', '/v1/webhooks')).body).toEqual({ webhooks: [] });
    await initiated();
    await service.simulator.advance(minutes(10));
    expect(await receivedEvents()).toHaveLength(1);
  });

  test.each([
    ['answers with an error', () => url],
    ['cannot be reached', () => 'http://127.0.0.1:1/hook'],
  ])('that %s makes the test notification a 409 that says so', async (_what, address) => {
    answers = [500];
    const { webhookId } = (await call('POST', '/v1/webhooks', everything({ url: address() })))
      .body as Record<string, string>;
    const published = await call('POST', `/v1/webhooks/${webhookId}/publishtestnotification`);
    expect(published).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/webhook/), correlationId: expect.any(String) },
    });
  });

  test('that does not answer with 2xx is told 32 times, from half a minute to two hours apart, and then no more', async () => {
    answers = Array.from({ length: 40 }, () => 500);
    await call('POST', '/v1/webhooks', everything());
    await reserved();
    await service.simulator.world.outbox.settled();
    await service.simulator.advance(days(3));
    const [delivery] = service.simulator.world.outbox.deliveries;
    const atMs = delivery?.attempts.map((attempt) => attempt.atMs) ?? [];
    const gaps = atMs.slice(1).map((at, index) => (at - (atMs[index] as number)) / 60_000);
    expect(gaps).toEqual([0.5, 1, 2, 4, 8, 16, 32, 64, ...Array.from({ length: 23 }, () => 120)]);
    expect(delivery?.state).toBe('givenUp');
    expect(new Set(received.map(({ body }) => body)).size).toBe(1);
  });
});
