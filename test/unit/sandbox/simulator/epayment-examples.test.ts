/**
 * Every example of document 5 beside the simulator: a request of an example is accepted, and an
 * answer or a message has its fields, no other ones, and values of the same form. Over real HTTP,
 * without our client.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const reference = 'K1-000042-9f3c2b1a';
const amount = { currency: 'DKK', value: 12_550 };
const none = { currency: 'DKK', value: 0 };
const phoneNumber = '4520031801';

/** Section 1.2. */
const tokenAnswer = {
  token_type: 'Bearer',
  expires_in: '86398',
  ext_expires_in: '0',
  expires_on: '1795425328',
  not_before: '1795338930',
  resource: '11111111-2222-4333-8444-555555555555',
  access_token: 'eyJ',
};
/** Section 2.2. */
const createBody = {
  amount,
  paymentMethod: { type: 'WALLET' },
  customerInteraction: 'CUSTOMER_PRESENT',
  reference,
  userFlow: 'QR',
  qrFormat: { format: 'IMAGE/PNG', size: 600 },
  paymentDescription: 'Bakery at the Corner, till K1',
  metadata: { lane: 'K1', receipt: '42' },
};
/** Section 2.5. */
const createAnswer = { reference, redirectUrl: 'https://qr.vipps.no/code' };
const getAnswer = {
  reference,
  pspReference: '5d1f0a52-0000-4000-8000-00000000c001',
  state: 'AUTHORIZED',
  amount,
  aggregate: {
    authorizedAmount: amount,
    capturedAmount: none,
    cancelledAmount: none,
    refundedAmount: none,
  },
  paymentMethod: { type: 'WALLET', cardBin: '457199' },
  profile: {},
  captureGuaranteedUntil: '2026-11-27T00:00:00Z',
  metadata: { lane: 'K1', receipt: '42' },
};
const event = {
  reference,
  pspReference: '7b0c1f5e-0000-4000-8000-000000000001',
  name: 'CREATED',
  amount,
  timestamp: '2026-11-22T09:15:30Z',
  idempotencyKey: 'key',
  success: true,
};
/** Section 2.6. */
const modification = { modificationAmount: amount };
const cancelBody = { cancelTransactionOnly: false };
const forceBody = { customer: { phoneNumber: '4512345678' } };
const changeAnswer = {
  amount,
  state: 'AUTHORIZED',
  aggregate: getAnswer.aggregate,
  pspReference: getAnswer.pspReference,
  reference,
};
/** Section 2.10. */
const problem = {
  type: 'https://httpstatuses.io/400',
  title: 'Bad Request',
  status: 400,
  detail: 'for a person; never to be parsed',
  instance: `/epayment/v1/payments/${reference}/capture`,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  extraDetails: [{ name: 'ErrorCode', reason: '6090' }],
};
/** Section 3.2. */
const codeBody = { locationDescription: 'Till K1', category: 'IN_STORE' };
const codeAnswer = {
  merchantSerialNumber: '123456',
  merchantQrId: 'tillbeacon-K1',
  locationDescription: 'Till K1',
  qrImageUrl: 'https://qr.vipps.no/generate/code',
  qrContent: 'https://qr.vipps.no/code',
};
const qrProblem = {
  type: 'about:blank',
  title: 'Not found',
  detail: 'There is no such code',
  instance: '/qr/v1/merchant-callback/none',
  invalidParams: [],
};
/** Section 3.3. */
const checkIn = {
  customerToken: 'bWFkZS11cC10b2tlbg==',
  merchantQrId: 'tillbeacon-K1',
  msn: '123456',
  initiatedAt: '2026-11-22T09:15:30Z',
};
const exchanged = { msisdn: phoneNumber, timestamp: '2026-11-22T09:15:30Z' };
/** Section 3.4. */
const personalQrs = [
  `https://qr.vipps.no/28/2/01/031/${phoneNumber}?v=1`,
  `https://qr.vipps.no/p/simulated-${phoneNumber}`,
];
/** Section 4. */
const registration = { events: ['epayments.payment.authorized.v1', 'user.checked-in.v1'] };
const message = {
  msn: '123456',
  reference,
  pspReference: '7b0c1f5e-0000-4000-8000-000000000001',
  name: 'AUTHORIZED',
  amount,
  timestamp: '2026-11-22T09:15:30Z',
  idempotencyKey: null,
  success: true,
};
/** Section 5. */
const ledger = {
  ledgerId: 'ledger-123456',
  currency: 'DKK',
  payoutBankAccount: { scheme: 'BBAN:DK', id: '12345678901234' },
  owner: { scheme: 'business:DK:CVR', id: '90000028' },
  settlesForRecipientHandles: ['api:123456'],
  salesUnits: [{ name: 'The Corner Shop', recipientHandle: 'api:123456' }],
};
const entry = {
  pspReference: '7b0c1f5e-0000-4000-8000-00000000ca91',
  time: '2026-11-22T09:15:41Z',
  ledgerDate: '2026-11-22',
  entryType: 'capture',
  reference,
  currency: 'DKK',
  amount: 12_550,
  balanceBefore: 0,
  balanceAfter: 12_550,
  recipientHandle: 'api:123456',
};
/** Section 6.1. */
const salesUnit = {
  msn: '123456',
  name: 'The Corner Shop',
  businessIdentifier: { scheme: 'business:DK:CVR', id: '90000028' },
  settlementBankAccount: { scheme: 'BBAN:DK', id: '12345678901234' },
  configuration: {
    paymentAllowed: true,
    captureType: 'ReserveCapture',
    skipLandingPageAllowed: false,
    partialCaptureAllowed: false,
    lateCaptureAllowed: false,
    longLivingPaymentAllowed: false,
    landingPagePhoneNumberLocked: false,
    recurringAllowed: false,
    creditCardPaymentAllowed: false,
  },
};

const forms: readonly (readonly [string, RegExp])[] = [
  ['UUID', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
  ['time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/],
  ['day', /^\d{4}-\d\d-\d\d$/],
  ['digits', /^\d+$/],
  ['address', /^https?:\/\//],
  ['hexadecimal', /^[0-9a-f]{32}$/],
  ['name', /^[A-Z_]+$/],
];
const formOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (typeof value === 'string')
    return forms.find(([, pattern]) => pattern.test(value))?.[0] ?? 'text';
  return typeof value;
};
/** Where an answer differs from an example, by field. */
function differences(example: unknown, answer: unknown, at = ''): string[] {
  if (Array.isArray(example)) {
    if (!Array.isArray(answer)) return [`${at} is no list`];
    return answer.length < example.length
      ? [`${at} is too short`]
      : example.flatMap((item, index) => differences(item, answer[index], `${at}.${index}`));
  }
  if (typeof example === 'object' && example !== null) {
    if (typeof answer !== 'object' || answer === null) return [`${at} is no object`];
    const [wanted, given] = [example as Record<string, unknown>, answer as Record<string, unknown>];
    return [
      ...Object.keys(given).flatMap((name) =>
        name in wanted ? [] : [`${at}.${name} is not in the example`],
      ),
      ...Object.entries(wanted).flatMap(([name, value]) =>
        name in given
          ? differences(value, given[name], `${at}.${name}`)
          : [`${at}.${name} is missing`],
      ),
    ];
  }
  const isText = typeof example === 'string' && formOf(example) === 'text';
  return (isText ? typeof answer === 'string' : formOf(answer) === formOf(example))
    ? []
    : [`${at} is ${formOf(answer)}, not ${formOf(example)}`];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}
let simulator: Simulator;
let receiver: Server;
let received: unknown[];
let token: string;
const system = {
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
  headers: Record<string, string> = {},
): Promise<Answer> {
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(simulator.baseUrl + path, {
    method,
    headers: { ...type, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
const call = (method: string, path: string, body?: object): Promise<Answer> =>
  ask(method, path, body, {
    ...system,
    authorization: `Bearer ${token}`,
    'idempotency-key': systemIds.uuid(),
  });
const signIn = (): Promise<Answer> =>
  ask('POST', '/accesstoken/get', undefined, {
    ...system,
    client_id: simulator.salesUnit.clientId,
    client_secret: simulator.salesUnit.clientSecret,
  });
const act = async (name: string, body: object): Promise<unknown> =>
  (await ask('POST', `/simulator/epayment/${name}`, body)).body;
const payment = `/epayment/v1/payments/${reference}`;
const create = (): Promise<Answer> => call('POST', '/epayment/v1/payments', createBody);
const approved = async (): Promise<void> =>
  void (await create(), await act('approve', { reference }));
const captured = async (): Promise<Answer> => (
  await approved(), call('POST', `${payment}/capture`, modification)
);
const withCode = (): Promise<Answer> =>
  call('PUT', '/qr/v1/merchant-callback/tillbeacon-K1', codeBody);
const checkedIn = async (): Promise<string> => {
  await withCode();
  return ((await act('check-in', { merchantQrId: 'tillbeacon-K1' })) as { customerToken: string })
    .customerToken;
};
const register = (): Promise<Answer> =>
  call('POST', '/webhooks/v1/webhooks', {
    ...registration,
    url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/wallet/callbacks`,
  });
const lastAnswer = async (): Promise<Answer> => {
  await simulator.world.outbox.settled();
  return { status: 200, body: received.at(-1) };
};
const first = ({ status, body }: Answer, of?: string): Answer => ({
  status,
  body: ((of === undefined ? body : (body as Record<string, unknown>)[of]) as unknown[])[0],
});

beforeEach(async () => {
  received = [];
  receiver = createServer(
    (request, response) =>
      void text(request).then((body) => {
        received.push(JSON.parse(body));
        response.writeHead(200).end();
      }),
  );
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  simulator = new Simulator({
    profile: profileNamed('generic'),
    clock: new ManualClock(),
    ids: systemIds,
  });
  await simulator.start({ port: 0 });
  token = ((await signIn()).body as { access_token: string }).access_token;
});
afterEach(async () => {
  await simulator.stop();
  receiver.close();
});

const examples: readonly (readonly [string, number, unknown, () => Promise<Answer>])[] = [
  ['1.2 token', 200, tokenAnswer, signIn],
  ['2.2 create', 201, createAnswer, create],
  ['2.5 payment', 200, getAnswer, async () => (await approved(), call('GET', payment))],
  [
    '2.5 event',
    200,
    event,
    async () => (await create(), first(await call('GET', `${payment}/events`))),
  ],
  ['2.6 capture', 200, changeAnswer, captured],
  [
    '2.6 cancel',
    200,
    changeAnswer,
    async () => (await approved(), call('POST', `${payment}/cancel`, cancelBody)),
  ],
  [
    '2.6 refund',
    200,
    changeAnswer,
    async () => (await captured(), call('POST', `${payment}/refund`, modification)),
  ],
  [
    '2.6 force approve',
    200,
    null,
    async () => (
      await create(), call('POST', `/epayment/v1/test/payments/${reference}/approve`, forceBody)
    ),
  ],
  [
    '2.10 problem',
    400,
    problem,
    async () => (
      await approved(),
      call('POST', `${payment}/capture`, { modificationAmount: { ...amount, value: 12_551 } })
    ),
  ],
  [
    '3.2 code',
    200,
    codeAnswer,
    async () => (await withCode(), call('GET', '/qr/v1/merchant-callback/tillbeacon-K1')),
  ],
  [
    '3.2 codes',
    200,
    codeAnswer,
    async () => (await withCode(), first(await call('GET', '/qr/v1/merchant-callback'))),
  ],
  [
    '3.2 sticker',
    200,
    null,
    () =>
      call('PUT', '/qr/v1/merchant-callback/mobilepay/123456789012345', {
        locationDescription: 'old name of the point of sale',
      }),
  ],
  ['3.2 problem', 404, qrProblem, () => call('GET', '/qr/v1/merchant-callback/none')],
  ['3.3 check-in', 200, checkIn, async () => (await register(), await checkedIn(), lastAnswer())],
  [
    '3.3 exchange',
    200,
    exchanged,
    async () =>
      call('POST', '/qr/v1/exchange/customer', {
        customer: { customerToken: await checkedIn() },
        requestedData: ['MSISDN'],
      }),
  ],
  ...personalQrs.map(
    (qrCode) =>
      [
        `3.4 exchange of ${qrCode}`,
        200,
        { ...exchanged, version: '2.0' },
        () => call('POST', '/qr/v1/exchange', { qrCode, requestedData: ['MSISDN'] }),
      ] as const,
  ),
  ['4.1 registration', 201, { id: systemIds.uuid(), secret: 'secret=' }, register],
  [
    '4.1 registrations',
    200,
    {
      webhooks: [
        { id: systemIds.uuid(), url: 'https://hub.shop.example/wallet/callbacks', ...registration },
      ],
    },
    async () => (await register(), call('GET', '/webhooks/v1/webhooks')),
  ],
  ['4.2 message', 200, message, async () => (await register(), await approved(), lastAnswer())],
  [
    '5 ledgers',
    200,
    { items: [ledger], cursor: '' },
    () => call('GET', '/settlement/v1/ledgers?settlesForRecipientHandles=api:123456'),
  ],
  [
    '5 entry',
    200,
    entry,
    async () => (
      await captured(),
      first(await call('GET', '/report/v2/ledgers/ledger-123456/funds/dates/2026-11-21'), 'items')
    ),
  ],
  ['6.1 sales unit', 200, salesUnit, () => call('GET', '/management/v1/sales-units/123456')],
];

describe('the example of document 5, section', () => {
  test.each(examples)('%s is what the simulator answers', async (_, status, example, obtain) => {
    const answer = await obtain();
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
    expect(differences(example, answer.body)).toEqual([]);
  });

  test('2.2 and 2.5 hold to the letter where the document leaves nothing open', async () => {
    await approved();
    const {
      pspReference: _,
      captureGuaranteedUntil: _until,
      paymentMethod: _method,
      ...certain
    } = getAnswer;
    const { body } = await call('GET', payment);
    expect(body).toMatchObject({ ...certain, paymentMethod: { type: 'WALLET' } });
    const { title, instance } = problem;
    const tooMuch = await call('POST', `${payment}/capture`, {
      modificationAmount: { ...amount, value: 12_551 },
    });
    expect(tooMuch.body).toMatchObject({ title, instance });
  });
});

describe('the payment method and the profile of a payment', () => {
  test('name no card and no customer before the approval', async () => {
    await create();
    expect((await call('GET', payment)).body).toMatchObject({
      state: 'CREATED',
      paymentMethod: { type: 'WALLET' },
      profile: {},
    });
    expect(
      Object.keys(((await call('GET', payment)).body as { paymentMethod: object }).paymentMethod),
    ).toEqual(['type']);
  });

  test('name the customer where the shop asked for a scope and the customer agreed', async () => {
    await call('POST', '/epayment/v1/payments', {
      ...createBody,
      profile: { scope: 'name phoneNumber' },
    });
    expect((await call('GET', payment)).body).toMatchObject({ profile: {} });
    await act('approve', { reference });
    expect((await call('GET', payment)).body).toMatchObject({
      profile: { sub: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });
});
