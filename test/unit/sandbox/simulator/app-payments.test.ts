/**
 * App payments as the simulator serves them: every operation, every refusal, every limit, time, and
 * what webhooks are told.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { appPaymentOperations } from '../../../../main/wallets/v10/app-payments/app-payments-operations.ts';
import {
  signatureIsGood,
  webhookEvents,
} from '../../../../main/wallets/v10/app-payments/webhook.ts';
import type { Operation } from '../../../../main/wallets/http/operation.ts';
import { type Answer, openReceiver, debitPhone, partialPhone, phone, Service } from './support.ts';

const operations = appPaymentOperations as unknown as readonly Operation[];
const unknownId = '00000000-0000-4000-8000-00000000dead';
const paymentPointId = 'a9900000-0000-4000-8000-000000000001';
const bearer = { authorization: 'Bearer simulated-key-of-DK90000028' };
const other = { authorization: 'Bearer simulated-key-of-DK22222222' };
const minutes = (count: number): number => count * 60_000;
const days = (count: number): number => minutes(count * 24 * 60);

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  service.simulator.world.addMerchant({ vat: 'DK22222222' });
});
afterEach(() => service.simulator.stop());

type Headers = Record<string, string | undefined>;
const call = (
  method: string,
  path: string,
  body?: object,
  headers: Headers = bearer,
): Promise<Answer> => service.call(method, path, body, headers);
const testEndpoint = async (name: string, body: object): Promise<Answer> =>
  call('POST', `/simulator/app-payments/${name}`, body);
const wish = (about: object = {}): object => ({
  amount: 1250,
  idempotencyKey: systemIds.uuid(),
  paymentPointId,
  redirectUri: 'shop://back?order=7',
  reference: 'order-7',
  ...about,
});
const initiate = (about: object = {}, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/payments', wish(about), headers);
const initiated = async (about: object = {}): Promise<string> =>
  (await initiate(about)).body?.['paymentId'] as string;
const reserved = async (about: object = {}, phoneNumber = phone): Promise<string> => {
  const paymentId = await initiated(about);
  expect(await testEndpoint('accept', { paymentId, phoneNumber })).toMatchObject({ status: 200 });
  return paymentId;
};
const act = (
  paymentId: string,
  action: string,
  body?: object,
  headers?: Headers,
): Promise<Answer> => call('POST', `/v1/payments/${paymentId}/${action}`, body, headers);
const capture = (paymentId: string, amount = 1250, headers?: Headers): Promise<Answer> =>
  act(paymentId, 'capture', { amount }, headers);
const captured = async (about: object = {}, phoneNumber = phone): Promise<string> => {
  const paymentId = await reserved(about, phoneNumber);
  expect(await capture(paymentId)).toEqual({ status: 204, body: null, code: undefined });
  return paymentId;
};
const cancelled = async (): Promise<string> => {
  const paymentId = await initiated();
  await act(paymentId, 'cancel');
  return paymentId;
};
const confirm = (paymentId: string, headers?: Headers, userId = unknownId): Promise<Answer> =>
  call(
    'POST',
    `/v1/integration-test/payments/${paymentId}/reserve`,
    { paymentSourceId: unknownId, userId },
    headers,
  );
const refund = (about: object, headers?: Headers): Promise<Answer> =>
  call(
    'POST',
    '/v1/refunds',
    { amount: 500, idempotencyKey: systemIds.uuid(), reference: 'refund-7', ...about },
    headers,
  );
const cancelByKey = (idempotencyKey: string, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/payments/cancel', { idempotencyKey }, headers);
const state = async (paymentId: string): Promise<unknown> =>
  (await call('GET', `/v1/payments/${paymentId}`)).body?.['state'];
const newPoint = async (): Promise<string> =>
  (await testEndpoint('create-payment-point', { merchantVat: 'DK90000028', name: 'Web shop' }))
    .body?.['paymentPointId'] as string;
const user = (phoneNumber: string, balanceMinor: number) =>
  service.simulator.world.addPhone({ phoneNumber, balanceMinor });
const hook = (about: object = {}): object => ({
  url: 'https://shop.example/hook',
  events: ['payment.reserved'],
  ...about,
});
const createHook = (about: object = {}, headers?: Headers): Promise<Answer> =>
  call('POST', '/v1/webhooks', hook(about), headers);
const hookId = async (about: object = {}): Promise<string> =>
  (await createHook(about)).body?.['webhookId'] as string;
const key = systemIds.uuid();

const cases: Record<string, () => Promise<Answer>> = {
  'initiateAppPayment payment_point_not_found': () => initiate({ paymentPointId: unknownId }),
  'initiateAppPayment invalid_payment_point': async () =>
    initiate({ paymentPointId: await newPoint() }),
  'initiateAppPayment unauthorized_access': () => initiate({}, other),
  'initiateAppPayment idempotency_key_reused': async () => (
    await initiate({ idempotencyKey: key }), initiate({ idempotencyKey: key, amount: 1251 })
  ),
  'getAppPayment unauthorized_access': async () =>
    call('GET', `/v1/payments/${await initiated()}`, undefined, other),
  'captureAppPayment payment_not_found': () => capture(unknownId),
  'captureAppPayment unauthorized_access': async () => capture(await reserved(), 1250, other),
  'captureAppPayment invalid_payment_state': async () => capture(await initiated()),
  'captureAppPayment amount_too_large': async () => capture(await reserved(), 1251),
  'captureAppPayment partial_capture_disallowed': async () => capture(await reserved(), 1249),
  'captureAppPayment payment_captured_with_different_amount': async () =>
    capture(await captured(), 1249),
  'cancelAppPayment payment_not_found': () => act(unknownId, 'cancel'),
  'cancelAppPayment unauthorized_access': async () =>
    act(await reserved(), 'cancel', undefined, other),
  'cancelAppPayment invalid_payment_state': async () => act(await captured(), 'cancel'),
  'cancelAppPaymentByKey payment_not_found': async () => (
    await initiate({ idempotencyKey: key }), cancelByKey(key, other)
  ),
  'cancelAppPaymentByKey invalid_payment_state': async () => (
    await reserved({ idempotencyKey: key }), cancelByKey(key)
  ),
  'simulateAppPaymentConfirmation payment_not_found': () => confirm(unknownId),
  'simulateAppPaymentConfirmation unauthorized_access': async () =>
    confirm(await initiated(), other),
  'simulateAppPaymentConfirmation invalid_payment_state': async () => confirm(await reserved()),
  'simulateAppPaymentConfirmation processing_error': async () =>
    confirm(await initiated(), bearer, user('+4512345678', 1249).userId),
  'issueAppRefund payment_not_found': () => refund({ paymentId: unknownId }),
  'issueAppRefund unauthorized_access': async () => refund({ paymentId: await captured() }, other),
  'issueAppRefund invalid_payment_state': async () => refund({ paymentId: await reserved() }),
  'issueAppRefund availability_duration_expired': async () => {
    const paymentId = await captured();
    await service.simulator.advance(days(90) + 1);
    return refund({ paymentId });
  },
  'issueAppRefund amount_too_large': async () =>
    refund({ paymentId: await captured(), amount: 1251 }),
  'issueAppRefund amount_exceeds_available_funds': async () => {
    const paymentId = await captured();
    await testEndpoint('set-funds', { paymentPointId, balance: 499 });
    return refund({ paymentId });
  },
  'issueAppRefund idempotency_key_reused': async () => {
    const paymentId = await captured();
    await refund({ paymentId, idempotencyKey: key });
    return refund({ paymentId, idempotencyKey: key, amount: 501 });
  },
  'createWebhook payment_point_not_found': () => createHook({ paymentPointId: unknownId }),
  'createWebhook unauthorized_access': () => createHook({ paymentPointId }, other),
  'updateWebhook payment_point_not_found': async () =>
    call('PUT', `/v1/webhooks/${await hookId()}`, hook({ paymentPointId: unknownId })),
  'updateWebhook unauthorized_access': async () =>
    call(
      'PUT',
      `/v1/webhooks/${await hookId()}`,
      hook({ paymentPointId: paymentPointId.replace(/1$/, '2') }),
    ),
};

const declared = operations.flatMap(({ name, refusals }) =>
  Object.values(refusals).flatMap((codes) => codes.map((code) => `${name} ${code}`)),
);

describe('each refusal that is declared', () => {
  test('has its case here', () => {
    expect(Object.keys(cases).toSorted()).toEqual(declared.toSorted());
  });

  test.each(declared)('%s', async (about) => {
    const code = about.split(' ')[1];
    const body = {
      code,
      message: expect.stringMatching(/\S/),
      correlationId: expect.any(String),
      origin: 'APP',
    };
    expect(await (cases[about] as () => Promise<Answer>)()).toEqual({ status: 409, code, body });
  });
});

test.each(
  operations
    .filter(({ refusals }) => '404' in refusals)
    .map(({ name, ...operation }) => [name, operation] as const),
)(
  '%s: nothing there, and what is another merchant’s, is a 404 without a body',
  async (_name, { method, path, body }) => {
    const paymentId = await captured();
    const refundId = (await refund({ paymentId })).body?.['refundId'] as string;
    const ids: Record<string, string> = { refundId, webhookId: await hookId() };
    const send = (id: (name: string) => string, headers?: Headers): Promise<Answer> =>
      call(
        method,
        `/v1${path.replace(/\{(\w+)\}/, (_, name: string) => id(name))}`,
        body === null ? undefined : hook(),
        headers,
      );
    expect(await send(() => unknownId)).toEqual({ status: 404, body: null, code: undefined });
    if (!path.includes('paymentId'))
      expect(await send((name) => ids[name] as string, other)).toEqual({
        status: 404,
        body: null,
        code: undefined,
      });
  },
);

test('each operation succeeds, with the answer that is declared, or an empty one where none is', async () => {
  const receiver = await openReceiver();
  const seen = new Set<string>();
  const succeed = async (
    name: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, string>> => {
    const operation = operations.find((one) => one.name === name) as Operation;
    const answer = await call(method, path, body);
    expect(answer, name).toMatchObject({ status: operation.success });
    if (operation.answer === null) expect(answer.body, name).toBeNull();
    else expect(operation.answer.safeParse(answer.body).error, name).toBeUndefined();
    seen.add(name);
    return (answer.body ?? {}) as Record<string, string>;
  };
  await succeed('listPaymentPoints', 'GET', '/v1/paymentpoints?pageNumber=-3');
  await succeed('initiateAppPayment', 'POST', '/v1/payments', wish({ idempotencyKey: key }));
  await succeed('cancelAppPaymentByKey', 'POST', '/v1/payments/cancel', { idempotencyKey: key });
  const { paymentId } = await succeed(
    'initiateAppPayment',
    'POST',
    '/v1/payments',
    wish({ description: 'One cup', customerPhoneNumber: phone }),
  );
  await succeed(
    'simulateAppPaymentConfirmation',
    'POST',
    `/v1/integration-test/payments/${paymentId}/reserve`,
    {
      paymentSourceId: unknownId,
      userId: service.simulator.world.phoneByNumber(phone).userId,
    },
  );
  await succeed('getAppPayment', 'GET', `/v1/payments/${paymentId}`);
  await succeed('captureAppPayment', 'POST', `/v1/payments/${paymentId}/capture`, { amount: 1250 });
  await succeed('cancelAppPayment', 'POST', `/v1/payments/${await initiated()}/cancel`);
  await succeed('listAppPayments', 'GET', '/v1/payments');
  const { refundId } = await succeed('issueAppRefund', 'POST', '/v1/refunds', {
    paymentId,
    amount: 1250,
    idempotencyKey: systemIds.uuid(),
    reference: '',
  });
  await succeed('getAppRefund', 'GET', `/v1/refunds/${refundId}`);
  await succeed('listAppRefunds', 'GET', '/v1/refunds');
  const { webhookId } = await succeed('createWebhook', 'POST', '/v1/webhooks', hook());
  await succeed('getWebhook', 'GET', `/v1/webhooks/${webhookId}`);
  await succeed('updateWebhook', 'PUT', `/v1/webhooks/${webhookId}`, hook({ url: receiver.url }));
  await succeed('listWebhooks', 'GET', '/v1/webhooks');
  await succeed(
    'publishTestNotification',
    'POST',
    `/v1/webhooks/${webhookId}/publishtestnotification`,
  );
  receiver.close();
  await succeed('deleteWebhook', 'DELETE', `/v1/webhooks/${webhookId}`);
  expect([...seen].toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
});

test.each([
  ['simulated-key-of-nobody', 'GET', '/v1/payments'],
  ['simulated-key-of-reader', 'GET', '/v1/payments'],
  ['simulated-key-of-payer', 'GET', '/v1/webhooks'],
])('the bearer %s may not %s %s: 401 without a body', async (apiKey, method, path) => {
  service.simulator.world.addMerchant({
    vat: 'DK33333333',
    apiKey: 'simulated-key-of-reader',
    scopes: new Set(['transactionreporting', 'webhooks']),
  });
  service.simulator.world.addMerchant({
    vat: 'DK44444444',
    apiKey: 'simulated-key-of-payer',
    scopes: new Set(['merchantpayments']),
  });
  expect(await call(method, path, undefined, { authorization: `Bearer ${apiKey}` })).toEqual({
    status: 401,
    body: null,
    code: undefined,
  });
});

describe('the limits', () => {
  const text = (length: number): string => 'ø'.repeat(length);
  test.each<[object, number]>([
    [{ amount: 1 }, 200],
    [{ amount: 0 }, 400],
    [{ amount: 1.5 }, 400],
    [{ amount: '1' }, 400],
    [{ amount: 2_147_483_647 }, 200],
    [{ amount: 2_147_483_648 }, 400],
    [{ idempotencyKey: 'order-7' }, 400],
    [{ paymentPointId: 'shop' }, 400],
    [{ reference: '' }, 200],
    [{ reference: text(64) }, 200],
    [{ reference: text(65) }, 400],
    [{ reference: undefined }, 400],
    [{ description: null }, 200],
    [{ description: text(200) }, 200],
    [{ description: text(201) }, 400],
    [{ redirectUri: `https://shop.example/${'x'.repeat(1979)}` }, 200],
    [{ redirectUri: `https://shop.example/${'x'.repeat(1980)}` }, 400],
    [{ redirectUri: 'back to the shop' }, 400],
    [{ customerPhoneNumber: '+45200318010000' }, 200],
    [{ customerPhoneNumber: '+452003180100001' }, 400],
    [{ customerPhoneNumber: '' }, 200],
    [{ customerPhoneNumber: 'mine' }, 400],
  ])('a payment with %o: %i', async (about, status) => {
    expect(await initiate(about)).toMatchObject({ status });
  });

  test.each<[string, object, number]>([
    ['/v1/refunds', { amount: 1 }, 200],
    ['/v1/refunds', { amount: 0 }, 400],
    ['/v1/refunds', { reference: text(64) }, 200],
    ['/v1/refunds', { reference: text(65) }, 400],
    ['/v1/refunds', { description: text(200) }, 200],
    ['/v1/refunds', { description: text(201) }, 400],
    ['/v1/webhooks', { events: [...webhookEvents] }, 200],
    ['/v1/webhooks', { events: [] }, 400],
    ['/v1/webhooks', { events: ['payment.lost'] }, 400],
    ['/v1/webhooks', { events: ['payment.expired', 'payment.expired'] }, 400],
    ['/v1/webhooks', { url: 'http://shop.example/hook' }, 400],
    ['/v1/webhooks', { url: 'hook' }, 400],
  ])('%s with %o: %i', async (path, about, status) => {
    const good =
      path === '/v1/refunds'
        ? {
            paymentId: await captured(),
            amount: 5,
            idempotencyKey: systemIds.uuid(),
            reference: 'r',
          }
        : hook();
    expect(await call('POST', path, { ...good, ...about })).toMatchObject({ status });
  });

  test.each([
    ['payments?pageSize=1', 200],
    ['payments?pageSize=0', 400],
    ['payments?pageSize=1000', 200],
    ['payments?pageSize=1001', 400],
    ['payments?pageNumber=1', 200],
    ['payments?pageNumber=0', 400],
    ['payments?stateFilter=captured&stateFilter=reserved', 200],
    ['payments?stateFilter=paid', 400],
    ['payments?startDate=2026-11-21T09:00:00Z&endDate=2026-11-21T09:00:00%2B00:00', 200],
    ['payments?startDate=2026-11-21', 400],
    ['payments?paymentPointId=shop', 400],
    ['refunds?pageNumber=0', 400],
    ['refunds?pageSize=1001', 400],
    ['refunds?createdBefore=yesterday', 400],
    ['paymentpoints?pageNumber=0', 200],
    ['paymentpoints?pageSize=0', 400],
  ])('%s: %i', async (path, status) => {
    expect(await call('GET', `/v1/${path}`)).toMatchObject({ status });
  });

  test('a bad request is told what is wrong, without a code, under the client’s own correlation id', async () => {
    const { body } = await initiate({ amount: 0 }, { ...bearer, CorrelationId: unknownId });
    expect(body).toEqual({
      message: 'amount: must be at least 1',
      correlationId: unknownId,
      origin: 'APP',
    });
  });
});

describe('a payment', () => {
  test('is sent to the app, approved, and captured; the user pays and the merchant is paid', async () => {
    const { balanceMinor } = user(phone, 2_000);
    const answer = await initiate({ description: 'One cup' });
    const paymentId = answer.body?.['paymentId'] as string;
    expect(answer.body).toEqual({
      paymentId,
      serviceAppRedirectUri: expect.stringContaining(paymentId),
    });
    expect((await testEndpoint('accept', { paymentId, phoneNumber: phone })).body).toEqual({
      redirectUri: 'shop://back?order=7&status=successful',
    });
    expect(service.simulator.world.phoneByNumber(phone).balanceMinor).toBe(balanceMinor - 1250);
    await service.simulator.advance(1_000);
    await capture(paymentId);
    expect((await call('GET', `/v1/payments/${paymentId}`)).body).toEqual({
      paymentId,
      amount: 1250,
      description: 'One cup',
      paymentPointId,
      reference: 'order-7',
      redirectUri: 'shop://back?order=7',
      state: 'captured',
      initiatedOn: '2026-11-21T09:00:00.000Z',
      lastUpdatedOn: '2026-11-21T09:00:01.000Z',
      merchantId: expect.any(String),
      isoCurrencyCode: 'DKK',
      paymentPointName: 'Corner Shops',
    });
    expect(service.simulator.world.ledger.movements).toMatchObject([
      {
        type: 'Payment',
        product: 'App payments',
        paymentPointId,
        amountMinor: 1250,
        about: { paymentId, merchantReference: 'order-7', message: 'One cup' },
      },
    ]);
  });

  test('that is captured twice moves the money once', async () => {
    const paymentId = await captured();
    expect(await capture(paymentId)).toMatchObject({ status: 204 });
    expect(service.simulator.world.ledger.movements).toHaveLength(1);
  });

  test('whose key comes again is the same payment', async () => {
    expect(await initiate({ idempotencyKey: key })).toEqual(
      await initiate({ idempotencyKey: key }),
    );
    expect(service.simulator.state()).toMatchObject({ appPayments: [{ state: 'initiated' }] });
  });

  test('is captured in part where the card can, and the rest is the user’s again', async () => {
    user(partialPhone, 1_250);
    const paymentId = await reserved({}, partialPhone);
    expect(await capture(paymentId, 1_000)).toMatchObject({ status: 204 });
    expect(service.simulator.world.phoneByNumber(partialPhone).balanceMinor).toBe(250);
    expect(await capture(paymentId, 1_000)).toMatchObject({ status: 204 });
  });

  test('that the card cannot pay is not reserved, and can be tried again', async () => {
    user(debitPhone, 1_249);
    const paymentId = await initiated();
    expect((await testEndpoint('accept', { paymentId, phoneNumber: debitPhone })).body).toEqual({
      redirectUri: 'shop://back?order=7&status=failed',
    });
    expect(await state(paymentId)).toBe('initiated');
    await testEndpoint('accept', { paymentId, phoneNumber: phone });
    expect(await state(paymentId)).toBe('reserved');
  });

  test('that the user rejects is cancelledByUser', async () => {
    const paymentId = await initiated();
    expect((await testEndpoint('reject', { paymentId, phoneNumber: phone })).body).toEqual({
      redirectUri: 'shop://back?order=7&status=rejected',
    });
    expect(await state(paymentId)).toBe('cancelledByUser');
    expect(await testEndpoint('reject', { paymentId, phoneNumber: phone })).toMatchObject({
      status: 409,
      code: 'invalid_payment_state',
    });
  });

  test.each([['initiated'], ['reserved'], ['captureStarted']])(
    'that is %s can be cancelled, and what it reserved is the user’s again',
    async (from) => {
      user(phone, 1_250);
      const paymentId = from === 'initiated' ? await initiated() : await reserved();
      if (from === 'captureStarted') {
        await testEndpoint('hang-captures', { paymentId });
        await capture(paymentId);
      }
      expect(await state(paymentId)).toBe(from);
      expect(await act(paymentId, 'cancel')).toMatchObject({ status: 204 });
      expect(await act(paymentId, 'cancel')).toMatchObject({ status: 204 });
      expect(await state(paymentId)).toBe('cancelledByMerchant');
      expect(service.simulator.world.phoneByNumber(phone).balanceMinor).toBe(1_250);
    },
  );

  test('cancelled by the merchant can no longer be approved or captured', async () => {
    const paymentId = await cancelled();
    expect(await testEndpoint('accept', { paymentId, phoneNumber: phone })).toMatchObject({
      status: 409,
      code: 'invalid_payment_state',
    });
    expect(await capture(paymentId)).toMatchObject({ status: 409, code: 'invalid_payment_state' });
  });

  test('whose capture hangs is captureStarted until one gets through', async () => {
    const paymentId = await reserved();
    await testEndpoint('hang-captures', { paymentId, times: 2 });
    for (const _ of [1, 2])
      expect(await capture(paymentId)).toMatchObject({ status: 500, code: 'processing_error' });
    expect(await state(paymentId)).toBe('captureStarted');
    await service.simulator.advance(days(8));
    expect(await capture(paymentId)).toMatchObject({ status: 204 });
    expect(await state(paymentId)).toBe('captured');
    expect(
      service.simulator.world.ledger.movements.filter(({ type }) => type === 'Payment'),
    ).toHaveLength(1);
  });

  test.each([
    ['initiated', minutes(10)],
    ['reserved', days(7)],
  ])(
    'that stays %s is cancelledBySystem after %i ms, and not a moment before',
    async (from, ms) => {
      user(phone, 1_250);
      const paymentId = from === 'initiated' ? await initiated() : await reserved();
      await service.simulator.advance(ms - 1);
      expect(await state(paymentId)).toBe(from);
      await service.simulator.advance(1);
      expect(await state(paymentId)).toBe('cancelledBySystem');
      expect(service.simulator.world.phoneByNumber(phone).balanceMinor).toBe(1_250);
    },
  );
});

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
    const found = async (query: string, headers?: Headers): Promise<unknown[]> =>
      (
        (await call('GET', `/v1/refunds?${query}`, undefined, headers)).body as {
          refunds: { reference: unknown }[];
        }
      ).refunds.map(({ reference }) => reference);
    expect(await found('')).toEqual(['a', 'b']);
    expect(await found('', other)).toEqual([]);
    expect(await found(`paymentId=${paymentId}`)).toEqual(['a']);
    expect(await found(`paymentPointId=${unknownId}`)).toEqual([]);
    expect(await found('createdAfter=2026-11-21T09:00:30Z')).toEqual(['b']);
    expect(await found('createdBefore=2026-11-21T09:00:30Z')).toEqual(['a']);
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
  const told = async (): Promise<string[]> => {
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
    expect(await told()).toEqual(['payment.reserved']);
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
    expect(await told()).toEqual([
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
    expect(await told()).toEqual(['transfer.succeeded']);
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
    expect(await told()).toEqual([]);
    await reserved({ paymentPointId: point });
    expect(await told()).toEqual(['payment.reserved']);
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
    expect(await told()).toEqual([]);
    await call('POST', `/v1/webhooks/${webhookId}/publishtestnotification`);
    expect(await told()).toEqual(['payment.expired']);
    await call('DELETE', `/v1/webhooks/${webhookId}`);
    expect((await call('GET', '/v1/webhooks')).body).toEqual({ webhooks: [] });
    await initiated();
    await service.simulator.advance(minutes(10));
    expect(await told()).toHaveLength(1);
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

test('the test endpoints refuse what is not there', async () => {
  expect(await testEndpoint('accept', { paymentId: unknownId, phoneNumber: phone })).toMatchObject({
    status: 409,
    code: 'payment_not_found',
  });
  expect(
    await testEndpoint('create-payment-point', { merchantVat: 'DK00000000', name: 'Nobody' }),
  ).toMatchObject({ status: 404 });
  expect(await testEndpoint('activate-payment-point', { paymentPointId: unknownId })).toMatchObject(
    { status: 409, code: 'payment_point_not_found' },
  );
});
