/** Rules of the service beyond single operations: headers, keys, phones, time. */
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { RequestLog } from '../../../../main/sandbox/simulator/request-log.ts';
import { seededIds } from '../../../../main/sandbox/simulator/seeded-ids.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { phone, Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
});
afterEach(() => service.simulator.stop());

const minutes = (count: number): number => count * 60_000;
const checkIn = async (): Promise<unknown> =>
  (await service.call('GET', `/v10/pointofsales/${service.pos.posId}/checkin`)).body;
const payments = (): { status: string; history: { status: string; at: string }[] }[] =>
  (service.simulator.state() as never as { payments: never }).payments;

describe('a header that comes twice', () => {
  test.each([
    ['x-service-client-system-version', '1157'],
    ['x-service-merchant-vat-number', '1155'],
    ['x-service-idempotency-key', '1163'],
  ])('%s: %s', async (name, code) => {
    const { body } = await service.token();
    const headers = {
      authorization: `Bearer ${String(body?.['access_token'])}`,
      'x-service-client-system-version': '1.2.3',
      'x-service-idempotency-key': 'my-key',
      'content-type': 'application/json',
    };
    const answer = await new Promise<string>((resolve, reject) => {
      const url = `${service.simulator.baseUrl}/v10/payments`;
      const sent = request(
        url,
        { method: 'POST', headers: { ...headers, [name]: ['DK90000028', 'DK90000028'] } },
        (response) => {
          response.setEncoding('utf8').once('data', resolve);
        },
      );
      sent
        .once('error', reject)
        .end(JSON.stringify({ posId: service.pos.posId, orderId: 'order-1', ...service.terms() }));
    });
    expect(JSON.parse(answer)).toMatchObject({ code });
  });
});

describe('the limits', () => {
  test.each([
    ['x'.repeat(36), 200],
    ['x'.repeat(37), 400],
    ['a key with /#~', 200],
    ['a key with \u00b8', 400],
  ])('an idempotency key %s: %i', async (key, status) => {
    expect(await service.initiate({}, { 'x-service-idempotency-key': key })).toMatchObject({
      status,
    });
  });
  test.each([
    [{ amount: 12.34 }, 200],
    [{ amount: 12.345 }, 400],
    [{ amount: 0.01 }, 200],
    [{ amount: 0 }, 400],
    [{ orderId: '€' }, 400],
    [{ orderId: '£¥`|~æÿ' }, 200],
    [{ merchantPaymentLabel: 'x'.repeat(36) }, 200],
    [{ merchantPaymentLabel: 'x'.repeat(37) }, 400],
  ])('%o: %i', async (about, status) => {
    expect(await service.initiate(about)).toMatchObject({ status });
  });
  test.each([
    ['application/json; charset=utf-8', 200],
    ['application/json-patch+json', 200],
    ['text/json', 200],
    ['application/x-www-form-urlencoded', 400],
  ])('the content type %s: %i', async (type, status) => {
    expect(await service.initiate({}, { 'content-type': type })).toMatchObject({ status });
  });
});

describe('an idempotency key', () => {
  const headers = { 'x-service-idempotency-key': 'my-key' };

  test('is not remembered for a request that was refused', async () => {
    expect(await service.initiate({ amount: 0 }, headers)).toMatchObject({ status: 400 });
    const blocking = await service.initiated({ orderId: 'order-0' });
    expect(await service.initiate({}, headers)).toMatchObject({ status: 409, code: '1301' });
    await service.call('POST', `/v10/payments/${blocking}/cancel`);
    expect(await service.initiate({ amount: 13 }, headers)).toMatchObject({ status: 200 });
  });

  test('means the same content in whatever order it is written', async () => {
    const first = await service.initiate({}, headers);
    expect(
      await service.call(
        'POST',
        '/v10/payments',
        { ...service.terms(), orderId: 'order-1', posId: service.pos.posId },
        headers,
      ),
    ).toEqual(first);
  });

  test('is its integrator’s own', async () => {
    service.simulator.world.clients.set('other', {
      clientId: 'other',
      clientSecret: 'secret',
      integratorId: 'another integrator',
    });
    const token = (await service.token(undefined, 'other:secret')).body?.['access_token'];
    await service.initiate({}, headers);
    expect(
      await service.initiate({}, { ...headers, authorization: `Bearer ${String(token)}` }),
    ).toMatchObject({ status: 403, code: '1400' });
  });

  test('gives the same refund and the same point of sale again', async () => {
    const paymentId = await service.captured();
    const refund = { paymentId, refundOrderId: 'refund-1', amount: 5, currencyCode: 'DKK' };
    expect(await service.call('POST', '/v10/refunds', refund, headers)).toEqual(
      await service.call('POST', '/v10/refunds', refund, headers),
    );
    const pos = {
      merchantPosId: 'lane-2',
      storeId: service.simulator.storeIds[0],
      name: 'Lane',
      supportedBeaconTypes: ['QR'],
    };
    const key = { 'x-service-idempotency-key': 'pos-key' };
    expect(await service.call('POST', '/v10/pointofsales', pos, key)).toEqual(
      await service.call('POST', '/v10/pointofsales', pos, key),
    );
    expect(service.simulator.state()).toMatchObject({ refunds: [{}], pointsOfSale: [{}, {}] });
  });
});

describe('time', () => {
  test('ends a prepared and a paired payment that nobody goes on with, at the right moment', async () => {
    await service.call('POST', '/v10/payments/prepare', {
      posId: service.pos.posId,
      orderId: 'order-1',
    });
    await service.clock.pass(minutes(1));
    await service.sandbox('checkin');
    await service.clock.pass(minutes(5) - 1);
    expect(payments()[0]?.status).toBe('Paired');
    await service.clock.pass(minutes(10));
    const at = (ms: number): string => new Date(service.clock.startedAtMs + ms).toISOString();
    expect(payments()[0]?.history).toEqual([
      { status: 'Prepared', at: at(0) },
      { status: 'Paired', at: at(minutes(1)) },
      { status: 'CancelledByService', at: at(minutes(6)) },
    ]);
  });

  test('forgets who was checked in when their payment has run out', async () => {
    await service.initiated();
    await service.sandbox('checkin');
    await service.clock.pass(minutes(5) - 1);
    expect(await checkIn()).toMatchObject({ isUserCheckedIn: true });
    await service.clock.pass(1);
    expect(await checkIn()).toEqual({ isUserCheckedIn: false, pollDelayInMs: 1000 });
  });

  test('does not end a reserved payment a moment before its seven days', async () => {
    const paymentId = await service.reserved();
    const expiresAt = (
      (await service.call('GET', `/v10/payments/${paymentId}`)).body as { paymentExpiresAt: string }
    ).paymentExpiresAt;
    expect(Date.parse(expiresAt)).toBe(service.clock.startedAtMs + minutes(7 * 24 * 60));
    await service.clock.pass(minutes(7 * 24 * 60) - 1);
    expect(payments()[0]?.status).toBe('Reserved');
    await service.clock.pass(1);
    expect(payments()[0]?.status).toBe('ExpiredAndCancelled');
  });

  test('lets a store refund on the ninetieth day', async () => {
    const paymentId = await service.captured();
    await service.clock.pass(minutes(90 * 24 * 60));
    const authorization = `Bearer ${String((await service.token()).body?.['access_token'])}`;
    const refund = { paymentId, refundOrderId: 'refund-1', amount: 5, currencyCode: 'DKK' };
    expect(await service.call('POST', '/v10/refunds', refund, { authorization })).toMatchObject({
      status: 200,
    });
  });
});

describe('people', () => {
  test('of a loyalty programme are known by it, others have none; before anybody is there, nothing is known', async () => {
    expect(await checkIn()).toEqual({ isUserCheckedIn: false, pollDelayInMs: 1000 });
    await service.sandbox('checkin', '+358200318004');
    expect(await checkIn()).toMatchObject({
      isUserCheckedIn: true,
      loyaltyIds: ['LOYAL-4711'],
      customerReceiptToken: 'receipts-of-04',
      customerToken: expect.any(String),
    });
    await service.sandbox('checkin', '+4520031803');
    expect(await checkIn()).toMatchObject({ isUserCheckedIn: true, loyaltyIds: [] });
  });

  test('whom nobody knows pay too, and leave no trace', async () => {
    const phoneCount = service.simulator.world.phones.size;
    expect(
      (await service.call('GET', `/v10/payments/${await service.reserved({}, '+4511223344')}`))
        .body,
    ).toMatchObject({ status: 'Reserved' });
    expect(service.simulator.world.phones.size).toBe(phoneCount);
  });

  test('at the simulator’s own phone check in, refuse, accept and leave', async () => {
    const act = async (action: string): Promise<number> => {
      const body = JSON.stringify({ beaconId: service.pos.beaconId, phoneNumber: phone });
      return (
        await fetch(`${service.simulator.baseUrl}/simulator/phone/${action}`, {
          method: 'POST',
          body,
        })
      ).status;
    };
    expect(await act('accept')).toBe(409);
    expect(await act('checkin')).toBe(200);
    expect(await act('leave')).toBe(200);
    expect(await checkIn()).toMatchObject({ isUserCheckedIn: false });
    const refused = await service.initiated();
    expect(await act('checkin')).toBe(200);
    expect(await act('refuse')).toBe(200);
    const accepted = await service.initiated({ orderId: 'order-2' });
    await act('checkin');
    expect(await act('accept')).toBe(200);
    expect([await service.status(refused), await service.status(accepted)]).toEqual([
      'CancelledByUser',
      'Reserved',
    ]);
    expect(await act('dance')).toBe(404);
  });
});

test('a point of sale that is deleted still lets what is reserved there be captured', async () => {
  const paymentId = await service.reserved();
  await service.call('DELETE', `/v10/pointofsales/${service.pos.posId}`);
  expect((await service.call('GET', `/v10/payments?posId=${service.pos.posId}`)).body).toEqual({
    paymentIds: [paymentId],
  });
  expect(
    await service.call('POST', `/v10/payments/${paymentId}/capture`, { amount: 12.5 }),
  ).toMatchObject({ status: 200 });
  expect(
    (await service.call('GET', `/v10/payments?posId=${service.pos.posId}&state=Captured`)).body,
  ).toEqual({ paymentIds: [paymentId] });
});

test('of two payments with one order id only the latest is found', async () => {
  const earlier = await service.reserved();
  const later = await service.initiated();
  const { posId } = service.pos;
  expect((await service.call('GET', `/v10/payments?posId=${posId}&orderId=order-1`)).body).toEqual({
    paymentIds: [later],
  });
  expect((await service.call('GET', `/v10/payments?posId=${posId}`)).body).toEqual({
    paymentIds: [earlier, later],
  });
});

test('a captured payment is found by its order id, also behind one that was cancelled or is open', async () => {
  const captured = await service.captured();
  const find = async (query: string): Promise<unknown> =>
    (await service.call('GET', `/v10/payments?orderId=order-1${query}`)).body?.['paymentIds'];
  const later = await service.initiated();
  expect(await find('&state=Captured')).toEqual([captured]);
  await service.call('POST', `/v10/payments/${later}/cancel`, {});
  expect(await find('&state=Captured')).toEqual([captured]);
  expect(await find(`&state=Captured&posId=${service.pos.posId}`)).toEqual([captured]);
  expect(await find('')).toEqual([]);
  const again = await service.captured();
  expect(await find('&state=Captured')).toEqual([again]);
});

test('an open payment is found by its order id, also behind one that was cancelled', async () => {
  const reserved = await service.reserved();
  await service.call('POST', `/v10/payments/${await service.initiated()}/cancel`, {});
  expect((await service.call('GET', '/v10/payments?orderId=order-1')).body).toEqual({
    paymentIds: [reserved],
  });
});

test('a profile changes names: of headers, and of the state in which the provider ends a payment', async () => {
  const clock = new ManualClock();
  const simulator = new Simulator({
    profile: profileNamed('mobilepay'),
    clock,
    ids: systemIds,
    policy: { pollDelayInMs: null },
  });
  await simulator.start({ port: 0 });
  const { clientId, clientSecret, merchantVat } = simulator.credentials;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const body = new URLSearchParams({ grant_type: 'client_credentials', merchant_vat: merchantVat });
  const issued = await fetch(`${simulator.authUrl}/connect/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body,
  });
  const authorization = `Bearer ${((await issued.json()) as { access_token: string }).access_token}`;
  const requestCount = async (prefix: string): Promise<number> =>
    (
      await fetch(`${simulator.baseUrl}/v10/stores`, {
        headers: { authorization, [`${prefix}client-system-version`]: '1.2.3' },
      })
    ).status;
  expect([await requestCount('x-mobilepay-'), await requestCount('x-service-')]).toEqual([
    200, 400,
  ]);
  const headers = {
    authorization,
    'x-mobilepay-client-system-version': '1.2.3',
    'content-type': 'application/json',
  };
  const post = async (
    path: string,
    key: string,
    about: object,
  ): Promise<Record<string, string>> => {
    const init = {
      method: 'POST',
      headers: { ...headers, 'x-mobilepay-idempotency-key': key },
      body: JSON.stringify(about),
    };
    return (await (await fetch(simulator.baseUrl + path, init)).json()) as Record<string, string>;
  };
  const pos = {
    merchantPosId: 'lane',
    storeId: simulator.storeIds[0],
    name: 'Lane',
    supportedBeaconTypes: ['QR'],
  };
  const { posId } = await post('/v10/pointofsales', '1', pos);
  const { paymentId } = await post('/v10/payments', '2', {
    posId,
    orderId: 'o',
    amount: 1,
    currencyCode: 'EUR',
    plannedCaptureDelay: 'None',
  });
  await clock.pass(minutes(5));
  const payment = (await (
    await fetch(`${simulator.baseUrl}/v10/payments/${paymentId}`, { headers })
  ).json()) as object;
  expect(payment).toMatchObject({ status: 'CancelledByMobilePay', currencyCode: 'EUR' });
  expect(payment).not.toHaveProperty('pollDelayInMs');
  await simulator.stop();
});

test('the log of requests keeps the last ten thousand', () => {
  const log = new RequestLog();
  const entry = {
    operation: null,
    method: 'GET',
    path: '/',
    status: 404,
    code: null,
    idempotencyKey: null,
    correlationId: null,
    fault: null,
  };
  for (let atMs = 1; atMs <= 10_001; atMs += 1) log.add({ ...entry, atMs });
  const entries = log.since(0);
  expect(entries).toHaveLength(10_000);
  expect([entries[0], entries.at(-1)]).toMatchObject([
    { seq: 2, atMs: 2 },
    { seq: 10_001, atMs: 10_001 },
  ]);
});

test('ids of one seed are the same ids, of another are others', () => {
  const three = (seed: number): string[] => {
    const ids = seededIds(seed);
    return [ids.uuid(), ids.uuid(), ids.uuid()];
  };
  expect(three(7)).toEqual(three(7));
  expect(new Set([...three(7), ...three(8)]).size).toBe(6);
  expect(three(7)[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
});
