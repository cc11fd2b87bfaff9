/**
 * The simulated ePayment service held against its document (document 5): headers, keys, states,
 * codes, limits, messages. Over real HTTP, without our client.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { signatureProblem } from '../../../../main/wallets/epayment/webhooks/webhook-message.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';

interface Answer {
  readonly status: number;
  readonly code: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}
type Sent = Record<string, string | undefined>;

const reference = 'K1-000042-9f3c2b1a';
const dayMs = 86_400_000;
let simulator: Simulator;
let clock: ManualClock;
let token: string;

const keys = {
  client_id: 'e9a70000-0000-4000-8000-000000123456',
  client_secret: 'simulated-client-secret',
};
const usual = {
  'ocp-apim-subscription-key': 'simulated-primary-subscription',
  'merchant-serial-number': '123456',
  'vipps-system-name': 'test',
  'vipps-system-version': '1',
  'vipps-system-plugin-name': 'test',
  'vipps-system-plugin-version': '1',
};

async function ask(
  method: string,
  path: string,
  body?: object,
  headers: Sent = {},
): Promise<Answer> {
  const all = { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers };
  const simulatorOptions = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  const response = await fetch(simulator.baseUrl + path, {
    method,
    headers: simulatorOptions,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const read = text === '' ? null : JSON.parse(text);
  const code =
    read?.extraDetails?.find((detail: { name: string }) => detail.name === 'ErrorCode')?.reason ??
    null;
  return { status: response.status, code, body: read, headers: response.headers };
}
const call = (method: string, path: string, body?: object, headers: Sent = {}): Promise<Answer> =>
  ask(method, path, body, {
    ...usual,
    authorization: `Bearer ${token}`,
    'idempotency-key': systemIds.uuid(),
    ...headers,
  });
async function act(name: string, body: object): Promise<Answer['body']> {
  const answer = await ask('POST', `/simulator/epayment/${name}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

const payment = (about: object = {}) => ({
  amount: { currency: 'DKK', value: 12_550 },
  paymentMethod: { type: 'WALLET' },
  customerInteraction: 'CUSTOMER_PRESENT',
  reference,
  userFlow: 'QR',
  paymentDescription: 'Till K1',
  ...about,
});
const create = (about: object = {}, headers: Sent = {}) =>
  call('POST', '/epayment/v1/payments', payment(about), headers);
const get = () => call('GET', `/epayment/v1/payments/${reference}`);
const cancel = (cancelTransactionOnly: boolean, headers: Sent = {}) =>
  call('POST', `/epayment/v1/payments/${reference}/cancel`, { cancelTransactionOnly }, headers);
const change = (what: 'capture' | 'refund', value = 12_550, headers: Sent = {}) =>
  call(
    'POST',
    `/epayment/v1/payments/${reference}/${what}`,
    { modificationAmount: { currency: 'DKK', value } },
    headers,
  );
const setUnit = (about: object) => act('set-sales-unit', { msn: '123456', ...about });
const approve = () => act('approve', { reference });
async function signIn(): Promise<void> {
  token = (await ask('POST', '/accesstoken/get', undefined, { ...usual, ...keys })).body
    .access_token;
}
async function reserved(): Promise<void> {
  await create();
  await approve();
}
async function captured(): Promise<void> {
  await reserved();
  expect(await change('capture')).toMatchObject({ status: 200 });
}
/** Lets time pass in the simulator, so that no test waits for the limits. */
const pass = (ms: number) => simulator.advance(ms);

beforeEach(async () => {
  clock = new ManualClock();
  simulator = new Simulator({ profile: profileNamed('generic'), clock, ids: systemIds });
  await simulator.start({ port: 0 });
  await signIn();
});
afterEach(() => simulator.stop());

describe('access', () => {
  test('a token is told with numbers as text, and holds for an hour', async () => {
    expect(
      (await ask('POST', '/accesstoken/get', undefined, { ...usual, ...keys })).body,
    ).toMatchObject({ token_type: 'Bearer', expires_in: '3600' });
    expect(await get()).toMatchObject({ status: 404, code: '5090' });
    await pass(3_600_000);
    expect(await get()).toMatchObject({ status: 401 });
  });

  test.each([
    [401, { authorization: 'Bearer none' }],
    [401, { authorization: undefined }],
    [401, { 'ocp-apim-subscription-key': 'none' }],
    [403, { 'merchant-serial-number': '654321' }],
    [400, { 'vipps-system-name': undefined }],
    [400, { 'vipps-system-plugin-version': 'x'.repeat(31) }],
    [400, { 'idempotency-key': undefined }],
    [400, { 'idempotency-key': 'x'.repeat(51) }],
    [400, { 'content-type': 'text/plain' }],
  ])('answers %i to headers with %j', async (status, headers) => {
    expect(await create({}, headers)).toMatchObject({ status });
    expect(await get()).toMatchObject({ status: 404 });
  });

  test('of another sales unit shows none of its payments', async () => {
    await create();
    const other = await act('set-sales-unit', { msn: '7654321' });
    token = (
      await ask('POST', '/accesstoken/get', undefined, {
        ...usual,
        'merchant-serial-number': '7654321',
        client_id: other.clientId,
        client_secret: other.clientSecret,
      })
    ).body.access_token;
    expect(
      await call('GET', `/epayment/v1/payments/${reference}`, undefined, {
        'merchant-serial-number': '7654321',
      }),
    ).toMatchObject({
      status: 404,
      code: '5090',
    });
  });
});

describe('create', () => {
  const push = (customer: object) => ({ userFlow: 'PUSH_MESSAGE', customer });
  const many = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, '']));
  const inMinutes = (minutes: number) => ({
    expiresAt: new Date(clock.wallMs() + minutes * 60_000).toISOString(),
  });
  const receipt = {
    orderLines: [
      {
        name: 'a',
        id: '1',
        totalAmount: 12_550,
        totalAmountExcludingTax: 12_550,
        totalTaxAmount: 0,
      },
    ],
    bottomLine: { currency: 'DKK' },
  };
  const cases: [code: string, about: () => object, unit?: object][] = [
    ['4050', () => push({ customerToken: 'none' }), { mayPush: true }],
    ['4060', () => push({ personalQr: 'https://example.com/' }), { mayPush: true }],
    ['4070', () => push({ phoneNumber: '123456789' }), { mayPush: true }],
    ['4080', () => ({ profile: { scope: 'shoeSize' } })],
    ['4100', () => ({ metadata: many })],
    ['4120', () => ({ metadata: { ['k'.repeat(101)]: '' } })],
    ['4130', () => ({ metadata: { k: 'v'.repeat(501) } })],
    ['4140', () => ({ userFlow: 'PUSH_MESSAGE' }), { mayPush: true }],
    ['4140', () => ({ paymentDescription: undefined })],
    [
      '5010',
      () => ({
        amount: { currency: 'NOK', value: 100 },
        paymentMethod: { type: 'WALLET', blockedSources: ['CREDIT'] },
      }),
      { currency: 'NOK' },
    ],
    ['5030', () => ({ profile: { scope: 'nin' } })],
    ['5040', () => ({ amount: { currency: 'EUR', value: 100 } })],
    ['5050', () => ({ ...inMinutes(60), receipt })],
    ['5060', () => ({}), { isVerified: false }],
    ['5080', () => push({ phoneNumber: '4520031801' })],
    ['6010', () => ({ amount: { currency: 'NOK', value: 99 } }), { currency: 'NOK' }],
    ['6110', () => ({ ...inMinutes(61 * 24 * 60), receipt }), { mayLiveLong: true }],
    ['6120', () => ({ ...inMinutes(9), receipt }), { mayLiveLong: true }],
    ['6130', () => inMinutes(60), { mayLiveLong: true }],
  ];
  test.each(cases)('is refused with %s', async (code, about, unit = {}) => {
    await setUnit(unit);
    expect(await create(about())).toMatchObject({ status: 400, code });
    expect(await get()).toMatchObject({ status: 404 });
  });

  test('of a customer who is none, or too young, is refused with 7010', async () => {
    await setUnit({ mayPush: true });
    await act('set-customer', { phoneNumber: '+4520031801', age: 15 });
    expect(
      await create({ ...push({ phoneNumber: '4520031801' }), minimumUserAge: 18 }),
    ).toMatchObject({ code: '7010' });
    await act('set-customer', { phoneNumber: '+4520031802', isStranger: true });
    expect(
      await create(push({ personalQr: 'https://qr.vipps.no/p/simulated-4520031802' })),
    ).toMatchObject({ code: '7010' });
  });

  test.each([
    ['a field that is not known', { posId: '1' }, 'posId'],
    ['a reference that is too short', { reference: 'short' }, 'reference'],
    ['an amount with decimals', { amount: { currency: 'DKK', value: 1.5 } }, 'amount.value'],
    ['a customer beside QR', { customer: { phoneNumber: '4520031801' } }, 'customer'],
  ])('with %s names the field, without a code', async (_what, about, field) => {
    const { status, code, body } = await create(about);
    expect({ status, code }).toEqual({ status: 400, code: null });
    expect(JSON.stringify(body)).toContain(field);
  });

  test('with the same key and body is answered the same, code included; with another body, or reference, 409', async () => {
    const key = { 'idempotency-key': 'my-key' };
    const first = await create({}, key);
    expect(first).toMatchObject({
      status: 201,
      body: { reference, redirectUrl: expect.stringMatching(/^http/) },
    });
    expect(await create({}, key)).toMatchObject({ status: 201, body: first.body });
    expect(await create({ paymentDescription: 'Another' }, key)).toMatchObject({
      status: 409,
      code: '4150',
    });
    expect(await create({ reference: 'K1-000043-00000000' }, key)).toMatchObject({
      status: 409,
      code: '4150',
    });
    expect(await create()).toMatchObject({ status: 409, code: '4150' });
  });

  test('that was refused stays refused with its key, also when it is put right', async () => {
    const key = { 'idempotency-key': 'burnt' };
    expect(await create({ amount: { currency: 'EUR', value: 100 } }, key)).toMatchObject({
      code: '5040',
    });
    expect(await create({}, key)).toMatchObject({ status: 400, code: '5040' });
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe('a payment', () => {
  test('that nobody approves expires after ten minutes, and can then be neither approved nor cancelled', async () => {
    await create();
    await pass(599_000);
    expect((await get()).body.state).toBe('CREATED');
    await pass(1_000);
    expect((await get()).body.state).toBe('EXPIRED');
    expect((await ask('POST', '/simulator/epayment/approve', { reference })).status).toBe(409);
    expect(await cancel(false)).toMatchObject({ code: '6190' });
  });

  test('that is not captured is released after fourteen days: too late to capture', async () => {
    await reserved();
    await pass(14 * dayMs);
    await signIn();
    expect((await get()).body).toMatchObject({
      state: 'AUTHORIZED',
      aggregate: { cancelledAmount: { value: 12_550 } },
    });
    expect(await change('capture')).toMatchObject({ code: '6100' });
  });

  const changes: [code: string, before: () => Promise<unknown>, then: () => Promise<Answer>][] = [
    ['6040', captured, () => cancel(false)],
    ['6050', async () => (await reserved(), await cancel(false)), () => cancel(false)],
    ['6060', reserved, () => cancel(true)],
    ['6070', async () => (await reserved(), await cancel(false)), () => change('capture')],
    ['6080', create, () => change('capture')],
    ['6090', reserved, () => change('capture', 12_551)],
    ['6140', reserved, () => change('capture', 12_549)],
    ['6170', captured, () => change('capture')],
    ['6190', async () => (await create(), await cancel(true)), () => cancel(true)],
    [
      '6250',
      async () => (await create(), await act('begin-approval', { reference })),
      () => cancel(true),
    ],
    [
      '6260',
      async () => (await reserved(), await act('trouble', { reference, captureRefusal: '6260' })),
      () => change('capture'),
    ],
    ['6020', reserved, () => change('refund')],
    ['6150', captured, () => change('refund', 12_551)],
    [
      '6220',
      async () => (await captured(), await pass(366 * dayMs), await signIn()),
      () => change('refund'),
    ],
    [
      '5100',
      async () => (await captured(), await setUnit({ mayRefund: false })),
      () => change('refund'),
    ],
    [
      '4010',
      () => reserved().then(() => change('capture', 12_550, { 'idempotency-key': 'k' })),
      () => change('capture', 1, { 'idempotency-key': 'k' }),
    ],
    [
      '4020',
      () => create().then(() => cancel(true, { 'idempotency-key': 'k' })),
      () => cancel(false, { 'idempotency-key': 'k' }),
    ],
    [
      '4150',
      () => captured().then(() => change('refund', 1, { 'idempotency-key': 'k' })),
      () => change('refund', 2, { 'idempotency-key': 'k' }),
    ],
  ];
  test.each(changes)('refuses a change with %s', async (code, before, then) => {
    await before();
    const events = (await call('GET', `/epayment/v1/payments/${reference}/events`)).body.length;
    expect(await then()).toMatchObject({ code });
    expect((await call('GET', `/epayment/v1/payments/${reference}/events`)).body).toHaveLength(
      events,
    );
  });

  test('tells each capture and refund apart by its key, and which was in the portal', async () => {
    await captured();
    await change('refund', 100, { 'idempotency-key': 'refund-1' });
    await act('portal', { reference, action: 'refund', amount: 50 });
    const events = (await call('GET', `/epayment/v1/payments/${reference}/events`)).body;
    const refunds = events.filter(({ name }: { name: string }) => name === 'REFUNDED');
    expect(
      refunds.map(
        ({
          idempotencyKey = null,
          amount,
        }: {
          idempotencyKey?: string | null;
          amount: { value: number };
        }) => [idempotencyKey, amount.value],
      ),
    ).toEqual([
      ['refund-1', 100],
      [null, 50],
    ]);
    expect((await get()).body.aggregate).toMatchObject({
      capturedAmount: { value: 12_550 },
      refundedAmount: { value: 150 },
    });
  });

  test('that is locked answers 423, which sticks to no key', async () => {
    await create();
    await act('trouble', { reference, locks: 1 });
    expect(await cancel(true, { 'idempotency-key': 'k' })).toMatchObject({ status: 423 });
    expect(await cancel(true, { 'idempotency-key': 'k' })).toMatchObject({ status: 200 });
  });

  test('takes five changes a minute, also repetitions, and says when the next may come', async () => {
    await create({}, { 'idempotency-key': 'k' });
    for (let n = 0; n < 4; n += 1)
      expect(await create({}, { 'idempotency-key': 'k' })).toMatchObject({ status: 201 });
    await pass(20_000);
    const limited = await cancel(true);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '40']);
    expect(await create({ reference: 'K1-000043-00000000' })).toMatchObject({ status: 201 });
    await pass(40_000);
    expect(await cancel(true)).toMatchObject({ status: 200 });
  });

  test('is read 120 times a minute', async () => {
    await create();
    for (let n = 0; n < 120; n += 1) expect((await get()).status).toBe(200);
    expect(await get()).toMatchObject({ status: 429 });
  });
});

describe('what was bought, and how old the customer is at least', () => {
  const line = {
    name: 'Rye bread',
    id: '1',
    totalAmount: 12_550,
    totalAmountExcludingTax: 10_040,
    totalTaxAmount: 2_510,
    taxRate: 2_500,
  };
  const receipt = { orderLines: [line], bottomLine: { currency: 'DKK', posId: 'K1' } };

  test.each<[string, object]>([
    [
      'receipt.orderLines.0.totalAmount',
      { ...receipt, orderLines: [{ ...line, totalTaxAmount: 2_511 }] },
    ],
    ['receipt.orderLines', { ...receipt, orderLines: [line, line] }],
    ['receipt.bottomLine.currency', { ...receipt, bottomLine: { currency: 'EUR' } }],
    ['receipt.orderLines', { ...receipt, orderLines: [] }],
  ])('a receipt that does not fit is refused at %s', async (field, wrong) => {
    const { status, body } = await create({ receipt: wrong });
    expect([status, body.extraDetails[0].name]).toEqual([400, field]);
    expect(await create({ receipt })).toMatchObject({ status: 201 });
  });

  test('a customer who is too young cannot approve, found by code, number or sticker', async () => {
    await setUnit({ mayPush: true });
    await act('set-customer', { phoneNumber: '+4520031801', age: 17 });
    await create({ minimumUserAge: 18 });
    expect((await ask('POST', '/simulator/epayment/approve', { reference })).body).toMatchObject({
      code: '7010',
    });
    expect((await get()).body).toMatchObject({ state: 'CREATED' });
    await call('PUT', '/qr/v1/merchant-callback/till-K1', { locationDescription: 'Till K1' });
    const { customerToken } = await act('check-in', { merchantQrId: 'till-K1' });
    for (const customer of [{ phoneNumber: '4520031801' }, { customerToken }])
      expect(
        await create({
          reference: 'K1-000043-00000000',
          userFlow: 'PUSH_MESSAGE',
          customer,
          minimumUserAge: 18,
        }),
      ).toMatchObject({ code: '7010' });
  });
});

describe('codes and messages', () => {
  test('a customer who scans the till’s code is told with a token, which pays for fifteen minutes', async () => {
    await setUnit({ mayPush: true });
    expect(
      await call('PUT', '/qr/v1/merchant-callback/till-K1', {
        locationDescription: 'Till K1',
        category: 'IN_STORE',
      }),
    ).toMatchObject({ status: 200 });
    expect((await call('GET', '/qr/v1/merchant-callback/till-K1')).body).toMatchObject({
      merchantQrId: 'till-K1',
      qrContent: expect.stringMatching(/^https:/),
    });
    const { customerToken } = await act('check-in', { merchantQrId: 'till-K1' });
    expect(await create({ userFlow: 'PUSH_MESSAGE', customer: { customerToken } })).toMatchObject({
      status: 201,
      body: { reference },
    });
    await pass(900_001);
    expect(
      await create({
        reference: 'K1-000043-00000000',
        userFlow: 'PUSH_MESSAGE',
        customer: { customerToken },
      }),
    ).toMatchObject({ code: '4050' });
  });

  test('the id of a till’s code is a sales unit’s own; its image has the form that was asked for, and is gone with the code', async () => {
    const path = '/qr/v1/merchant-callback/till-K1';
    expect(await call('PUT', path, { locationDescription: 'x'.repeat(37) })).toMatchObject({
      status: 400,
    });
    await call('PUT', path, { locationDescription: 'Till K1' });
    const keysOfOther = await setUnit({ msn: '654321' });
    const own = token;
    token = (
      await ask('POST', '/accesstoken/get', undefined, {
        ...usual,
        'merchant-serial-number': '654321',
        client_id: keysOfOther.clientId,
        client_secret: keysOfOther.clientSecret,
      })
    ).body.access_token;
    expect(
      await call('GET', path, undefined, { 'merchant-serial-number': '654321' }),
    ).toMatchObject({ status: 404 });
    expect(
      await call('DELETE', path, undefined, { 'merchant-serial-number': '654321' }),
    ).toMatchObject({ status: 404 });
    token = own;
    const { qrImageUrl } = (await call('GET', `${path}?qrImageFormat=PNG&qrImageSize=200`)).body;
    const image = await fetch(qrImageUrl);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(
      await act('check-in', { code: 'https://qr.vipps.no/simulated/123456/till-K1' }),
    ).toMatchObject({ isHeard: false });
    await call('DELETE', path);
    expect((await fetch(qrImageUrl)).status).toBe(404);
  });

  test('a sticker of the other service is taken over, unless another merchant has it', async () => {
    const path = '/qr/v1/merchant-callback/mobilepay/123456789012345';
    expect(await call('PUT', path, { locationDescription: 'Old till' })).toMatchObject({
      status: 200,
    });
    expect((await call('GET', '/qr/v1/merchant-callback')).body).toMatchObject([
      { merchantQrId: '123456789012345' },
    ]);
    const other = await setUnit({ msn: '654321' });
    const keysOfOther = {
      ...usual,
      'merchant-serial-number': '654321',
      client_id: other.clientId,
      client_secret: other.clientSecret,
    };
    const { access_token } = (await ask('POST', '/accesstoken/get', undefined, keysOfOther)).body;
    const asOther = { 'merchant-serial-number': '654321', authorization: `Bearer ${access_token}` };
    expect(await call('PUT', path, { locationDescription: 'Stolen till' }, asOther)).toMatchObject({
      status: 409,
    });
    expect(await call('DELETE', '/qr/v1/merchant-callback/123456789012345')).toMatchObject({
      status: 200,
    });
    expect(await call('GET', '/qr/v1/merchant-callback/123456789012345')).toMatchObject({
      status: 404,
    });
  });

  test('a receiver is told what happens, signed in both spellings; its secret is told once', async () => {
    const received: { headers: Record<string, string | string[] | undefined>; body: Buffer }[] = [];
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?lane=K1`;
      const { status, body } = await call('POST', '/webhooks/v1/webhooks', {
        url,
        events: ['epayments.payment.authorized.v1'],
      });
      expect(status).toBe(201);
      expect((await call('GET', '/webhooks/v1/webhooks')).body).toEqual({
        webhooks: [{ id: body.id, url, events: ['epayments.payment.authorized.v1'] }],
      });
      await reserved();
      await pass(0);
      expect(received).toHaveLength(1);
      const [message] = received;
      if (message === undefined) return;
      const signed = { secret: body.secret, registered: url, nowMs: clock.wallMs() };
      expect(signatureProblem(message, signed)).toBeNull();
      expect(
        signatureProblem(
          { ...message, headers: { ...message.headers, authorization: undefined } },
          signed,
        ),
      ).toBeNull();
      expect(message.headers['webhook-id']).toBe(body.id);
      expect(JSON.parse(message.body.toString())).toMatchObject({
        msn: '123456',
        reference,
        name: 'AUTHORIZED',
        success: true,
      });
      expect(await call('DELETE', `/webhooks/v1/webhooks/${body.id}`)).toMatchObject({
        status: 204,
      });
    } finally {
      server.close();
    }
  });

  test('there is one registration for check-ins', async () => {
    const registration = { url: 'https://hub.shop.example/hook', events: ['user.checked-in.v1'] };
    expect(await call('POST', '/webhooks/v1/webhooks', registration)).toMatchObject({
      status: 201,
    });
    expect(await call('POST', '/webhooks/v1/webhooks', registration)).toMatchObject({
      status: 409,
    });
  });

  test('the ledger has captures and refunds of a day with the events’ own references, and its payout once the day is over', async () => {
    await captured();
    await change('refund', 50);
    const { items } = (
      await call('GET', '/settlement/v1/ledgers?settlesForRecipientHandles=api%3A123456')
    ).body;
    const day = new Date(clock.wallMs()).toISOString().slice(0, 10);
    const path = `/report/v2/ledgers/${items[0].ledgerId}/funds/dates/${day}`;
    expect((await call('GET', path)).body).toMatchObject({
      tryLater: true,
      items: [
        { entryType: 'capture', amount: 12_550, reference },
        { entryType: 'refund', amount: -50 },
      ],
    });
    await pass(dayMs);
    await signIn();
    const after = (await call('GET', path)).body;
    expect(after).toMatchObject({
      tryLater: false,
      items: [{}, {}, { entryType: 'payout-scheduled', amount: -12_500, balanceAfter: 0 }],
    });
    expect((await call('GET', '/management/v1/sales-units/123456')).body).toMatchObject({
      msn: '123456',
      configuration: { paymentAllowed: true, skipLandingPageAllowed: false },
    });
  });
});
