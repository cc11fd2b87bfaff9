/**
 * App payments as the simulator serves them: every operation, every refusal, every limit, time, and
 * what webhooks are told.
 */
import { describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { webhookEvents } from '../../../../main/wallets/v10/app-payments/webhook.ts';
import type { Operation } from '../../../../main/wallets/http/operation.ts';
import { type Answer, openReceiver, debitPhone, partialPhone, phone } from './support.ts';
import {
  operations,
  unknownId,
  paymentPointId,
  bearer,
  other,
  minutes,
  days,
  service,
  startServiceBeforeEach,
  type Headers,
  call,
  testEndpoint,
  wish,
  initiate,
  initiated,
  reserved,
  act,
  capture,
  captured,
  cancelled,
  confirm,
  refund,
  cancelByKey,
  state,
  newPoint,
  user,
  hook,
  createHook,
  hookId,
  key,
} from './app-payments-support.ts';

startServiceBeforeEach();

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
