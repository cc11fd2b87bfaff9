import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { debitPhone, partialPhone, phone, Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
});
afterEach(() => service.simulator.stop());

const minutes = (count: number): number => count * 60_000;
const days = (count: number): number => count * 86_400_000;
const unknownId = '00000000-0000-4000-8000-00000000dead';
const violations = (): Record<string, number> =>
  (service.simulator.state() as { violations: Record<string, number> }).violations;

describe('the token endpoint', () => {
  test('gives a bearer token', async () => {
    expect(await service.token()).toMatchObject({
      status: 200,
      body: {
        access_token: expect.any(String),
        expires_in: 3700,
        token_type: 'Bearer',
        scope: 'integrator_scope',
      },
    });
  });
  test.each([
    ['grant_type=client_credentials', 'tillbeacon:wrong', 401],
    ['grant_type=password', undefined, 400],
    ['grant_type=client_credentials&merchant_vat=DK-90000028', undefined, 400],
    ['grant_type=client_credentials&merchant_vat=DK11111111', undefined, 400],
  ] as const)('%s as %s: %i', async (form, basic, status) => {
    const answer = await service.token(form, basic);
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.body).toBeNull();
  });
  test('a token runs out', async () => {
    await service.clock.pass(3_700_000);
    expect(await service.call('GET', '/v10/stores')).toEqual({
      status: 401,
      body: null,
      code: undefined,
    });
  });
});

describe('the headers', () => {
  test.each([
    [{ authorization: undefined }, 401, undefined],
    [{ authorization: 'Bearer nonsense' }, 401, undefined],
    [{ 'x-service-client-system-version': undefined }, 400, '1153'],
    [{ 'x-service-client-system-version': '1.2' }, 400, '1161'],
    [{ 'x-service-merchant-vat-number': 'DK-12345678' }, 400, '1159'],
  ])('%o: %i %s', async (headers, status, code) => {
    expect(await service.call('GET', '/v10/stores', undefined, headers)).toMatchObject({
      status,
      code,
    });
  });
  test('a token without a merchant needs the VAT header', async () => {
    const { body } = await service.token('grant_type=client_credentials');
    const authorization = `Bearer ${String(body?.['access_token'])}`;
    expect(await service.call('GET', '/v10/stores', undefined, { authorization })).toMatchObject({
      status: 400,
      code: '1151',
    });
    expect(
      await service.call('GET', '/v10/stores', undefined, {
        authorization,
        'x-service-merchant-vat-number': 'DK90000028',
      }),
    ).toMatchObject({
      status: 200,
    });
  });
  test.each([
    [undefined, '1164'],
    ['x'.repeat(37), '1162'],
  ])('an idempotency key that is %s: %s', async (key, code) => {
    expect(await service.initiate({}, { 'x-service-idempotency-key': key })).toMatchObject({
      status: 400,
      code,
    });
  });
  test('a body that is not said to be JSON, or is none', async () => {
    expect(await service.initiate({}, { 'content-type': 'text/plain' })).toMatchObject({
      status: 400,
      code: '1099',
    });
  });
});

describe('points of sale', () => {
  test('are read back with the beacon that the service chose, found, deleted', async () => {
    const { posId, beaconId } = service.pos;
    expect(beaconId).toMatch(/^[0-9a-f-]{36}$/);
    expect((await service.call('GET', '/v10/pointofsales?merchantPosId=lane-1')).body).toEqual({
      posIds: [posId],
    });
    expect((await service.call('GET', `/v10/pointofsales?beaconId=${beaconId}`)).body).toEqual({
      posIds: [posId],
    });
    expect(
      (await service.call('GET', `/v10/pointofsales?storeId=${service.simulator.storeIds[1]}`))
        .body,
    ).toEqual({ posIds: [] });
    expect(await service.call('DELETE', `/v10/pointofsales/${posId}`)).toMatchObject({
      status: 200,
      body: null,
    });
    expect(await service.call('GET', `/v10/pointofsales/${posId}`)).toEqual({
      status: 404,
      body: null,
      code: undefined,
    });
    expect(await service.initiate()).toMatchObject({ status: 409, code: '1000' });
  });
  test.each([
    [{ merchantPosId: 'lane-1' }, 409, '1200'],
    [{ storeId: unknownId }, 409, '1002'],
    [{ name: 'x'.repeat(37) }, 400, '1112'],
    [{ name: 'Lane 🙂' }, 400, '1112'],
    [{ beaconId: '12345678901234' }, 400, '1100'],
    [{ supportedBeaconTypes: ['BluetoothMP1'] }, 400, '1101'],
    [{ supportedBeaconTypes: ['QR', 'QR'] }, 400, '1101'],
    [{ callbackAlias: 'x'.repeat(37) }, 400, '1116'],
  ])('%o: %i %s', async (about, status, code) => {
    expect(await service.createPos({ merchantPosId: 'lane-2', ...about })).toMatchObject({
      status,
      code,
    });
  });
  test('a name of 36 characters and a beacon of 15 digits are allowed; the beacon is one point of sale’s alone', async () => {
    expect(
      await service.createPos({
        merchantPosId: 'lane-2',
        name: 'ø'.repeat(36),
        beaconId: '123456789012345',
      }),
    ).toMatchObject({ status: 200 });
    expect(
      await service.createPos({ merchantPosId: 'lane-3', beaconId: '123456789012345' }),
    ).toMatchObject({ status: 409, code: '1202' });
  });
  test('a list needs a filter', async () => {
    expect(await service.call('GET', '/v10/pointofsales')).toMatchObject({
      status: 400,
      code: '1121',
    });
  });
});

describe('stores', () => {
  test('are listed by merchant, or by brand and location together', async () => {
    const [first] = service.simulator.storeIds;
    expect((await service.call('GET', '/v10/stores')).body).toEqual({
      storeIds: service.simulator.storeIds,
    });
    expect(
      (await service.call('GET', '/v10/stores?merchantBrandId=POSDK00001&merchantLocationId=00001'))
        .body,
    ).toEqual({ storeIds: [first] });
    expect((await service.call('GET', '/v10/stores/detailed')).body).toHaveLength(2);
    expect((await service.call('GET', `/v10/stores/${first}`)).body).toMatchObject({
      storeId: first,
      storeName: 'Shop 1',
    });
    expect(await service.call('GET', '/v10/stores?merchantBrandId=POSDK00001')).toMatchObject({
      status: 400,
      code: '1122',
    });
    expect(await service.call('GET', '/v10/stores?merchantBrandId=nobody')).toMatchObject({
      status: 400,
      code: '1119',
    });
    expect(await service.call('GET', `/v10/stores/${unknownId}`)).toMatchObject({
      status: 404,
      body: null,
    });
  });
});

describe('a payment', () => {
  test('goes from Initiated over IssuedToUser and Reserved to Captured', async () => {
    const paymentId = await service.initiated();
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).toMatchObject({
      status: 'Initiated',
      amount: 12.5,
      currencyCode: 'DKK',
      orderId: 'order-1',
      pollDelayInMs: 1000,
    });
    await service.sandbox('checkin');
    expect(await service.status(paymentId)).toBe('IssuedToUser');
    await service.sandbox('acceptpayment');
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).toMatchObject({
      status: 'Reserved',
      partialCapturePossible: false,
    });
    expect(
      await service.call('POST', `/v10/payments/${paymentId}/capture`, { amount: 12.5 }),
    ).toMatchObject({ status: 200, body: null });
    expect(service.simulator.state()).toMatchObject({
      payments: [
        {
          paymentId,
          posId: service.pos.posId,
          orderId: 'order-1',
          amount: 12.5,
          currencyCode: 'DKK',
          status: 'Captured',
          captureCount: 1,
        },
      ],
    });
    const { payments } = service.simulator.state() as {
      payments: { history: { status: string; at: string }[] }[];
    };
    expect(payments[0]?.history.map(({ status }) => status)).toEqual([
      'Initiated',
      'IssuedToUser',
      'Reserved',
      'Captured',
    ]);
    expect(payments[0]?.history[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  test('prepared: paired, made ready, issued; or ready before anybody is there', async () => {
    const paymentId = (
      await service.call('POST', '/v10/payments/prepare', {
        posId: service.pos.posId,
        orderId: 'order-1',
      })
    ).body?.['paymentId'] as string;
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).toMatchObject({
      status: 'Prepared',
      amount: null,
    });
    await service.sandbox('checkin');
    expect(await service.status(paymentId)).toBe('Paired');
    expect(
      await service.call('POST', `/v10/payments/${paymentId}/ready`, service.terms()),
    ).toMatchObject({ status: 200 });
    expect(await service.status(paymentId)).toBe('IssuedToUser');
    expect(
      await service.call('POST', `/v10/payments/${paymentId}/ready`, service.terms({ amount: 13 })),
    ).toMatchObject({ status: 409, code: '1303' });
    await service.call('POST', `/v10/payments/${paymentId}/cancel`);
    const early = (
      await service.call('POST', '/v10/payments/prepare', {
        posId: service.pos.posId,
        orderId: 'order-2',
      })
    ).body?.['paymentId'] as string;
    await service.call('POST', `/v10/payments/${early}/ready`, service.terms());
    expect(await service.status(early)).toBe('Initiated');
  });

  test('of a customer who is already checked in goes straight to the phone', async () => {
    await service.sandbox('checkin');
    expect(
      (await service.call('GET', `/v10/pointofsales/${service.pos.posId}/checkin`)).body,
    ).toMatchObject({ isUserCheckedIn: true, loyaltyIds: [] });
    expect(await service.status(await service.initiated())).toBe('IssuedToUser');
  });

  test('a check-in is forgotten after two minutes', async () => {
    await service.sandbox('checkin');
    await service.clock.pass(minutes(2));
    expect(
      (await service.call('GET', `/v10/pointofsales/${service.pos.posId}/checkin`)).body,
    ).toMatchObject({ isUserCheckedIn: false });
  });

  test('where a payment must come first, nobody can check in before it', async () => {
    await service.createPos({ merchantPosId: 'lane-2', requirePaymentBeforeCheckin: true });
    expect(await service.sandbox('checkin')).toMatchObject({ status: 409 });
    await service.initiated();
    expect(await service.sandbox('checkin')).toMatchObject({ status: 200 });
  });

  test.each([
    [{ amount: 0 }, 400, '1102'],
    [{ amount: -1 }, 400, '1102'],
    [{ amount: 1.001 }, 400, '1102'],
    [{ amount: '1.00' }, 400, '1102'],
    [{ currencyCode: 'SEK' }, 400, '1104'],
    [{ orderId: 'x'.repeat(37) }, 400, '1113'],
    [{ orderId: 'tab\there' }, 400, '1113'],
    [{ merchantPaymentLabel: 'x'.repeat(37) }, 400, '1117'],
    [{ plannedCaptureDelay: 'Tomorrow' }, 400, '1099'],
    [{ posId: 'not-a-uuid' }, 400, '1099'],
    [{ posId: unknownId }, 409, '1000'],
  ])('%o: %i %s, and nothing happens', async (about, status, code) => {
    expect(await service.initiate(about)).toMatchObject({
      status,
      code,
      body: { correlationId: expect.any(String) },
    });
    expect(service.simulator.state()).toMatchObject({ payments: [] });
  });

  test('an order id of 36 characters and an amount with two decimals are allowed', async () => {
    expect(await service.initiate({ orderId: 'æ'.repeat(36), amount: 0.01 })).toMatchObject({
      status: 200,
    });
  });

  test('one at a time at a point of sale; a reserved one does not block', async () => {
    await service.initiated();
    expect(await service.initiate({ orderId: 'order-2' })).toMatchObject({
      status: 409,
      code: '1301',
    });
    await service.sandbox('checkin');
    await service.sandbox('acceptpayment');
    expect(await service.initiate({ orderId: 'order-2' })).toMatchObject({ status: 200 });
  });

  test('the same key and content again give the same payment, other content is refused, a day later it is new', async () => {
    const headers = { 'x-service-idempotency-key': 'my-key' };
    const first = await service.initiate({}, headers);
    expect(await service.initiate({}, headers)).toEqual(first);
    expect(await service.initiate({ amount: 13 }, headers)).toMatchObject({
      status: 409,
      code: '1306',
    });
    expect(violations()).toMatchObject({ keyReuse: 1 });
    await service.clock.pass(days(1));
    const { body } = await service.token();
    expect(
      (
        await service.initiate(
          {},
          { ...headers, authorization: `Bearer ${String(body?.['access_token'])}` },
        )
      ).body,
    ).not.toEqual(first.body);
  });

  test('a request beyond the sixth with one key is counted', async () => {
    const headers = { 'x-service-idempotency-key': 'my-key' };
    for (let requests = 1; requests <= 6; requests += 1) await service.initiate({}, headers);
    expect(violations()).toMatchObject({ retriesBeyondLimit: 0 });
    await service.initiate({}, headers);
    expect(violations()).toMatchObject({ retriesBeyondLimit: 1 });
  });

  test('captures: not before it is reserved, not above it, not twice with different amounts', async () => {
    const paymentId = await service.initiated();
    const capture = (amount: number): ReturnType<Service['call']> =>
      service.call('POST', `/v10/payments/${paymentId}/capture`, { amount });
    expect(await capture(12.5)).toMatchObject({ status: 409, code: '1304' });
    await service.sandbox('checkin');
    await service.sandbox('acceptpayment');
    expect(await capture(12.51)).toMatchObject({ status: 409, code: '1305' });
    expect(await capture(12)).toMatchObject({ status: 409, code: '1308' });
    expect(await capture(12.5)).toMatchObject({ status: 200 });
    expect(await capture(12.5)).toMatchObject({ status: 200 });
    expect(await capture(12)).toMatchObject({ status: 409, code: '1307' });
    expect(service.simulator.state()).toMatchObject({ payments: [{ captureCount: 1 }] });
  });

  test('of a card that allows it is captured in part, once', async () => {
    const paymentId = await service.reserved({}, partialPhone);
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).toMatchObject({
      partialCapturePossible: true,
    });
    expect(
      await service.call('POST', `/v10/payments/${paymentId}/capture`, { amount: 10 }),
    ).toMatchObject({ status: 200 });
  });

  test('cancelled: until it is captured, also twice; not when the customer already did', async () => {
    const paymentId = await service.reserved();
    expect(await service.call('POST', `/v10/payments/${paymentId}/cancel`)).toMatchObject({
      status: 200,
    });
    expect(await service.call('POST', `/v10/payments/${paymentId}/cancel`)).toMatchObject({
      status: 200,
    });
    const refused = await service.initiated({ orderId: 'order-2' });
    await service.sandbox('checkin');
    await service.sandbox('cancelpaymentbyuser');
    expect(await service.status(refused)).toBe('CancelledByUser');
    expect(await service.call('POST', `/v10/payments/${refused}/cancel`)).toMatchObject({
      status: 409,
      code: '1300',
    });
    const captured = await service.captured({ orderId: 'order-3' });
    expect(await service.call('POST', `/v10/payments/${captured}/cancel`)).toMatchObject({
      status: 409,
      code: '1300',
    });
  });

  test('that nobody acts on is cancelled by the service after five minutes, and blocks no more', async () => {
    const paymentId = await service.initiated();
    await service.clock.pass(minutes(5));
    expect(await service.initiate({ orderId: 'order-2' })).toMatchObject({ status: 200 });
    expect(await service.status(paymentId)).toBe('CancelledByService');
  });

  test('that is never captured expires after seven days', async () => {
    const paymentId = await service.reserved();
    await service.clock.pass(days(7));
    const { payments } = service.simulator.state() as {
      payments: { status: string; history: { at: string }[] }[];
    };
    expect(payments[0]?.status).toBe('ExpiredAndCancelled');
    expect(Date.parse(payments[0]?.history.at(-1)?.at ?? '')).toBe(
      service.clock.startedAtMs + days(7),
    );
    expect(paymentId).toBeDefined();
  });

  test('restricted to other cards is ended by the service', async () => {
    const paymentId = await service.reserved(
      { restrictions: { debitCardDisallowed: true } },
      debitPhone,
    );
    expect(await service.status(paymentId)).toBe('CancelledByService');
  });

  test('a phone can only accept what is on it', async () => {
    expect(await service.sandbox('acceptpayment')).toMatchObject({ status: 409 });
    await service.initiated();
    expect(await service.sandbox('acceptpayment')).toMatchObject({ status: 409 });
    expect(await service.sandbox('cancelpaymentbyuser')).toMatchObject({ status: 409 });
    await service.sandbox('checkin');
    expect(await service.sandbox('acceptpayment', debitPhone)).toMatchObject({ status: 409 });
  });

  test('lists: what is active or reserved at a point of sale, the latest of an order, what is captured', async () => {
    const { posId } = service.pos;
    const list = async (query: string): Promise<unknown> =>
      (await service.call('GET', `/v10/payments?${query}`)).body?.['paymentIds'];
    const reserved = await service.reserved();
    const active = await service.initiated({ orderId: 'order-2' });
    expect(await list(`posId=${posId}`)).toEqual([reserved, active]);
    expect(await list(`posId=${posId}&orderId=order-2`)).toEqual([active]);
    await service.call('POST', `/v10/payments/${reserved}/capture`, { amount: 12.5 });
    expect(await list(`posId=${posId}`)).toEqual([active]);
    expect(await list('orderId=order-1&state=Captured')).toEqual([reserved]);
    expect(await service.call('GET', '/v10/payments')).toMatchObject({ status: 400, code: '1109' });
  });

  test('that is not there, and paths that are none', async () => {
    expect(await service.call('GET', `/v10/payments/${unknownId}`)).toEqual({
      status: 404,
      body: null,
      code: undefined,
    });
    expect(await service.call('GET', '/v10/payments/nonsense')).toMatchObject({
      status: 400,
      code: '1099',
    });
    expect(await service.call('GET', '/v10/nowhere')).toMatchObject({ status: 404 });
    expect(await service.call('DELETE', '/v10/payments')).toMatchObject({ status: 405 });
  });
});

describe('the ruleChecker', () => {
  test('counts a poll that comes too early, answers it all the same, and forgives one that waits', async () => {
    const paymentId = await service.initiated();
    await service.status(paymentId);
    await service.clock.pass(999);
    expect(await service.status(paymentId)).toBe('Initiated');
    expect(violations()).toMatchObject({ earlyPolls: 1 });
    await service.clock.pass(1_000);
    await service.status(paymentId);
    expect(violations()).toMatchObject({ earlyPolls: 1 });
  });

  test('counts check-in lookups where no code is shown', async () => {
    await service.createPos({ merchantPosId: 'lane-2', supportedBeaconTypes: ['NFC'] });
    await service.call('GET', `/v10/pointofsales/${service.pos.posId}/checkin`);
    expect(violations()).toMatchObject({ checkinPollsWithoutQr: 1 });
  });
});

test('the state has everything, oldest first, without any credentials', async () => {
  const first = await service.reserved();
  const second = await service.initiated({ orderId: 'order-2' });
  const state = (await (await fetch(`${service.simulator.baseUrl}/simulator/state`)).json()) as {
    payments: { paymentId: string }[];
  };
  expect(state.payments.map(({ paymentId }) => paymentId)).toEqual([first, second]);
  expect(Object.keys(state)).toEqual(
    expect.arrayContaining(['payments', 'refunds', 'pointsOfSale', 'violations']),
  );
  expect(JSON.stringify(state)).not.toContain(phone);
});
