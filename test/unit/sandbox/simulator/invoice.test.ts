import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Merchant } from '../../../../main/sandbox/simulator/merchant.ts';
import {
  type InvoiceCallback,
  InvoiceCallbacks,
} from '../../../../main/wallets/v10/invoice/invoice-schemas.ts';
import { type Answer, Service } from './support.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const dayMs = 24 * 60 * minuteMs;
const phoneNumber = '+4520031801';
const unknownId = '00000000-0000-4000-8000-00000000dead';
const otherVat = 'DK22222222';

/** The server for the merchant's callbacks. */
class Receiver {
  readonly requests: {
    authorization: string | undefined;
    contentType: string | undefined;
    callbacks: InvoiceCallback[];
  }[] = [];
  status = 200;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { authorization, 'content-type': contentType } = request.headers;
      this.requests.push({
        authorization,
        contentType,
        callbacks: InvoiceCallbacks.parse(JSON.parse(Buffer.concat(chunks).toString())),
      });
      response.writeHead(this.status).end();
    });
  });
  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/invoices`;
  }
  get callbacks(): InvoiceCallback[] {
    return this.requests.flatMap(({ callbacks }) => callbacks);
  }
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

let service: Service;
let receiver: Receiver;
beforeEach(async () => {
  service = await new Service({ transactionFeeMinor: 0, serviceFeePerMille: 0 }).start();
  receiver = new Receiver();
  await receiver.start();
});
afterEach(async () => {
  await service.simulator.stop();
  receiver.stop();
});

const merchantNamed = (vat = 'DK90000028'): Merchant =>
  service.simulator.world.merchants.get(vat) as Merchant;
const call = (method: string, path: string, body?: object, vat = 'DK90000028'): Promise<Answer> =>
  service.call(method, `/invoice-restapi/api/v1/merchants/${path}`, body, {
    authorization: `Bearer simulated-key-of-${vat}`,
  });
const setBasic = (about: object = {}): Promise<Answer> =>
  call('PUT', `${merchantNamed().merchantId}/auth/basic`, {
    username: 'shop',
    password: 'p:ss wörd',
    callbackurl: receiver.url,
    ...about,
  });
const setKey = (about: object = {}): Promise<Answer> =>
  call('PUT', `${merchantNamed().merchantId}/auth/apikey`, {
    ApiKey: 'key-4711',
    callbackurl: receiver.url,
    ...about,
  });
const testEndpoint = (name: string, body: object): Promise<Answer> =>
  service.call('POST', `/simulator/invoice/${name}`, body);
const create = async (about: object = {}): Promise<string> =>
  String(
    (await testEndpoint('create', { amount: 100, dueDate: '2026-12-01', phoneNumber, ...about }))
      .body?.['invoiceId'],
  );
const status = async (invoiceId: string): Promise<unknown> =>
  (await call('GET', `${merchantNamed().merchantId}/invoices/${invoiceId}/status`)).body?.[
    'Status'
  ];
const pass = (ms: number): Promise<void> => service.simulator.advance(ms);
const statuses = (): string[] =>
  receiver.callbacks.map(({ Status, Sequence }) => `${Status} ${Sequence}`);

describe('callbacks', () => {
  test('carry user and password, when Basic was chosen', async () => {
    expect(await setBasic()).toEqual({ status: 204, body: null, code: undefined });
    await create();
    await pass(5 * secondMs);
    expect(receiver.requests).toMatchObject([
      {
        authorization: `Basic ${Buffer.from('shop:p:ss wörd').toString('base64')}`,
        contentType: 'application/json; charset=utf-8',
      },
    ]);
  });

  test('carry the key as the whole header, when it was chosen last', async () => {
    await setBasic();
    expect(await setKey()).toEqual({ status: 204, body: null, code: undefined });
    await create();
    await pass(5 * secondMs);
    expect(receiver.requests).toMatchObject([{ authorization: 'key-4711' }]);
  });

  test('are not sent before there is an address; the status is there to ask', async () => {
    const invoiceId = await create();
    await pass(minuteMs);
    await setKey();
    await pass(minuteMs);
    expect(receiver.requests).toEqual([]);
    expect(await status(invoiceId)).toBe('Created');
    await testEndpoint('pay', { invoiceId });
    await pass(5 * secondMs);
    expect(statuses()).toEqual(['paid 2']);
  });

  test('go in batches, from a job that starts every five seconds and only then', async () => {
    await setKey();
    await pass(2 * secondMs);
    const invoiceId = await create();
    await create();
    await pass(secondMs);
    await testEndpoint('pay', { invoiceId });
    await pass(2 * secondMs - 1);
    expect(receiver.requests).toEqual([]);
    await pass(1);
    expect(receiver.requests).toHaveLength(1);
    expect(statuses()).toEqual(['Created 0', 'Created 0', 'paid 2']);
    await create();
    await pass(minuteMs);
    expect(receiver.requests).toHaveLength(2);
  });

  test('of two merchants go to each its own', async () => {
    const other = new Receiver();
    await other.start();
    service.simulator.world.addMerchant({ vat: otherVat });
    await setKey();
    await call(
      'PUT',
      `${merchantNamed(otherVat).merchantId}/auth/apikey`,
      { ApiKey: 'key-of-the-other', callbackurl: other.url },
      otherVat,
    );
    const own = await create();
    const theirs = await create({ merchantVat: otherVat });
    await pass(5 * secondMs);
    other.stop();
    expect(receiver.requests).toMatchObject([
      { authorization: 'key-4711', callbacks: [{ InvoiceId: own }] },
    ]);
    expect(other.requests).toMatchObject([
      { authorization: 'key-of-the-other', callbacks: [{ InvoiceId: theirs }] },
    ]);
  });

  test('are repeated eight times, after the documented waits, with the credentials of the day', async () => {
    await setKey();
    receiver.status = 500;
    await create();
    await pass(5 * secondMs);
    await setKey({ ApiKey: 'new-key' });
    const waitsMs = [
      5 * secondMs,
      ...[19, 39, 79, 159, 319, 639, 1279].map((minutes) => minutes * minuteMs),
    ];
    for (const [index, waitMs] of waitsMs.entries()) {
      await pass(waitMs - 1);
      expect(receiver.requests).toHaveLength(index + 1);
      await pass(1);
      expect(receiver.requests).toHaveLength(index + 2);
    }
    await pass(7 * dayMs);
    expect(receiver.requests).toHaveLength(9);
    expect(receiver.requests.map(({ authorization }) => authorization)).toEqual([
      'key-4711',
      ...Array.from({ length: 8 }, () => 'new-key'),
    ]);
    expect(service.simulator.world.outbox.deliveries[0]).toMatchObject({ state: 'givenUp' });
  });

  test('that failed arrive after younger ones: Sequence and Date tell the order', async () => {
    await setKey();
    receiver.status = 503;
    const invoiceId = await create();
    await pass(5 * secondMs);
    await pass(5 * secondMs);
    receiver.status = 200;
    await testEndpoint('pay', { invoiceId });
    await pass(20 * minuteMs);
    expect(statuses()).toEqual(['Created 0', 'Created 0', 'paid 2', 'Created 0']);
    const [created, , paid] = receiver.callbacks;
    expect(Date.parse(paid?.Date as string)).toBeGreaterThan(Date.parse(created?.Date as string));
  });
});

describe('choosing how callbacks authenticate', () => {
  test.each([
    ['basic', { username: '' }],
    ['basic', { username: undefined }],
    ['basic', { password: '' }],
    ['basic', { password: 7 }],
    ['apikey', { ApiKey: '' }],
    ['apikey', { ApiKey: ' key' }],
    ['apikey', { ApiKey: 'key\r\nx: y' }],
    ['apikey', { ApiKey: 'nøgle' }],
    ...['basic', 'apikey'].flatMap((kind) =>
      [undefined, 'shop.example', 'ftp://shop.example/', 'https://user:secret@shop.example/'].map(
        (callbackurl) => [kind, { callbackurl }] as const,
      ),
    ),
  ] as const)('%s with %o is refused', async (kind, about) => {
    expect(await (kind === 'basic' ? setBasic(about) : setKey(about))).toMatchObject({
      status: 400,
      body: {
        error: 'InputError',
        error_code: null,
        error_description: expect.stringMatching(/\S/),
        correlation_id: expect.any(String),
        error_context: 'Invoices',
      },
    });
  });

  test.each([
    'https://shop.example/callbacks',
    'https://shop.example:443/',
    'http://shop.example/',
    'http://shop.example:80/',
    'http://localhost:4711/',
    'https://[::1]:4711/',
  ])('%s is taken', async (callbackurl) => {
    expect(await setKey({ callbackurl })).toMatchObject({ status: 204 });
  });

  test('is for oneself only', async () => {
    service.simulator.world.addMerchant({ vat: otherVat });
    const body = { username: 'a', password: 'b', ApiKey: 'c', callbackurl: receiver.url };
    for (const path of [
      `${merchantNamed(otherVat).merchantId}/auth/basic`,
      `${unknownId}/auth/apikey`,
    ])
      expect(await call('PUT', path, body)).toEqual({ status: 404, body: null, code: undefined });
    expect(await call('PUT', `${merchantNamed().merchantId}/auth/basic`, body, 'nobody')).toEqual({
      status: 401,
      body: null,
      code: undefined,
    });
    expect(await call('PUT', 'me/auth/basic', body)).toMatchObject({ status: 400 });
  });
});

describe('an invoice', () => {
  beforeEach(() => setKey());

  test('that is paid at once is paid, and in the ledger', async () => {
    const invoiceId = await create({ invoiceNumber: 'no-7', amount: 100.5 });
    await testEndpoint('pay', { invoiceId });
    expect(await status(invoiceId)).toBe('paid');
    await pass(5 * secondMs);
    expect(receiver.callbacks).toEqual([
      { InvoiceId: invoiceId, Status: 'Created', Date: '2026-11-21T09:00:00.000Z', Sequence: 0 },
      { InvoiceId: invoiceId, Status: 'paid', Date: '2026-11-21T09:00:00.000Z', Sequence: 2 },
    ]);
    await pass(dayMs);
    const ask = async (path: string) =>
      (
        await service.call('GET', `/v3/reporting/${path}`, undefined, {
          authorization: 'Bearer simulated-key-of-DK90000028',
        })
      ).body;
    expect((await ask('transactions?sortdirection=asc'))?.['transactions']).toMatchObject([
      { type: 'Payment', amount: 100.5 },
      { type: 'Transfer' },
    ]);
    expect((await ask('transfers'))?.['transfers']).toMatchObject([
      { totalTransferredAmount: 100.5, reference: expect.stringMatching(/^04/) },
    ]);
    expect((await ask('paymentpoints'))?.['paymentPoints']).toContainEqual(
      expect.objectContaining({ productType: 'Invoice', name: 'Invoices of Corner Shops' }),
    );
  });

  test('that is accepted is paid on its payment date', async () => {
    const invoiceId = await create();
    await testEndpoint('accept', { invoiceId, paymentDate: '2026-11-25' });
    expect(await status(invoiceId)).toBe('accepted');
    await pass(3 * dayMs + 15 * 60 * minuteMs - 1);
    expect(await status(invoiceId)).toBe('accepted');
    await pass(1);
    expect(await status(invoiceId)).toBe('paid');
    await pass(5 * secondMs);
    expect(statuses()).toEqual(['Created 0', 'accepted 1', 'paid 3']);
    expect(receiver.callbacks[1]).toMatchObject({ PaymentDate: '2026-11-25T00:00:00Z' });
  });

  test.each([
    ['the due date', 0, '2026-12-01T00:00:00Z'],
    ['today, when that has passed', 20 * dayMs, '2026-12-11T00:00:00Z'],
  ])('is paid on %s when nothing is said', async (_when, waitMs, PaymentDate) => {
    const invoiceId = await create();
    await pass(waitMs);
    await testEndpoint('accept', { invoiceId });
    await pass(11 * dayMs);
    expect(receiver.callbacks).toContainEqual(
      expect.objectContaining({ Status: 'accepted', PaymentDate }),
    );
    expect(await status(invoiceId)).toBe('paid');
  });

  test('that somebody tries to pay without the money is accepted, can be paid later, and expires', async () => {
    const poor = '+4520039999';
    const phone = service.simulator.world.addPhone({ phoneNumber: poor, balanceMinor: 99_99 });
    const [first, second] = [
      await create({ phoneNumber: poor }),
      await create({ phoneNumber: poor }),
    ];
    for (const invoiceId of [first, first, second]) await testEndpoint('pay', { invoiceId });
    expect([await status(first), await status(second)]).toEqual(['accepted', 'accepted']);
    phone.balanceMinor = 100_00;
    await testEndpoint('pay', { invoiceId: first });
    expect(phone.balanceMinor).toBe(0);
    await pass(60 * dayMs);
    expect([await status(first), await status(second)]).toEqual(['paid', 'expired']);
    const of = (id: string) =>
      receiver.callbacks
        .filter(({ InvoiceId }) => InvoiceId === id)
        .map(({ Status, Sequence }) => `${Status} ${Sequence}`);
    expect(of(first)).toEqual(['Created 0', 'accepted 2', 'paid 5']);
    expect(of(second)).toEqual(['Created 0', 'accepted 2', 'expired 3']);
  });

  test.each(['created', 'accepted'])(
    'that is %s expires when the 30th day after its due date has passed',
    async (state) => {
      service.simulator.world.addPhone({ phoneNumber, balanceMinor: 0 });
      const invoiceId = await create();
      if (state === 'accepted') await testEndpoint('accept', { invoiceId });
      const untilMs = Date.parse('2027-01-01T00:00:00Z') - service.simulator.world.clock.wallMs();
      await pass(untilMs - 1);
      expect(String(await status(invoiceId)).toLowerCase()).toBe(state);
      await pass(1);
      expect(await status(invoiceId)).toBe('expired');
      await pass(5 * secondMs);
      expect(statuses().at(-1)).toMatch(/^expired/);
    },
  );

  test('that is rejected or cancelled stays so', async () => {
    const [rejected, canceled, accepted] = [await create(), await create(), await create()];
    await testEndpoint('reject', { invoiceId: rejected });
    await testEndpoint('cancel', { invoiceId: canceled });
    await testEndpoint('cancel', { invoiceId: canceled });
    await testEndpoint('accept', { invoiceId: accepted });
    await testEndpoint('reject', { invoiceId: accepted });
    await pass(90 * dayMs);
    expect([await status(rejected), await status(canceled), await status(accepted)]).toEqual([
      'Rejected',
      'canceled',
      'Rejected',
    ]);
    expect(statuses().toSorted()).toEqual([
      'Created 0',
      'Created 0',
      'Created 0',
      'Rejected 1',
      'Rejected 2',
      'accepted 1',
      'canceled 1',
    ]);
  });

  test('by link is for whoever has it; one that rejects it leaves it to the others', async () => {
    const link = (await testEndpoint('create', { amount: 1, dueDate: '2026-12-01', link: true }))
      .body;
    expect(link).toMatchObject({
      Links: [{ Rel: 'user-redirect', Href: expect.stringMatching(/^https:/) }],
    });
    const invoiceId = String(link?.['invoiceId']);
    expect(await testEndpoint('pay', { invoiceId })).toMatchObject({ status: 400 });
    await testEndpoint('reject', { invoiceId, phoneNumber: '+4520031802' });
    expect(await status(invoiceId)).toBe('Created');
    await testEndpoint('pay', { invoiceId, phoneNumber: '+4520031803' });
    await pass(5 * secondMs);
    expect(statuses()).toEqual(['Created 0', 'paid 3']);
  });

  test('by link from a batch has its page in the callback; others do not', async () => {
    await create({ link: true, batch: true });
    await create({ link: true });
    await create({ batch: true });
    await pass(5 * secondMs);
    expect(receiver.callbacks.map(({ Links }) => Links?.[0]?.Rel)).toEqual([
      'user-redirect',
      undefined,
      undefined,
    ]);
  });

  test.each([
    [10008, { amount: 0 }, { amount: 0.01 }],
    [10201, { amount: 300_000.01 }, { amount: 300_000 }],
    [
      10201,
      { amount: 2_000.01, merchantVat: 'FI90000040' },
      { amount: 2_000, merchantVat: 'FI90000040' },
    ],
    [10202, { issuerId: unknownId }, { issuerId: null }],
    [10311, { dueDate: '2026-11-20' }, { dueDate: '2026-11-21' }],
    [10310, { dueDate: '2027-12-27' }, { dueDate: '2027-12-26' }],
    [10312, { issueDate: '2026-11-22' }, { issueDate: '2026-11-21' }],
    [10301, { invoiceNumber: 'taken' }, { invoiceNumber: 'free' }],
  ])('is invalid with %i: %o, and is not: %o', async (ErrorCode, bad, good) => {
    const { world } = service.simulator;
    world.addMerchant({ vat: 'FI90000040' });
    await create({ invoiceNumber: 'taken' });
    const answers = [
      await testEndpoint('create', { amount: 1, dueDate: '2026-12-01', phoneNumber, ...bad }),
      await testEndpoint('create', { amount: 1, dueDate: '2026-12-01', phoneNumber, ...good }),
    ];
    expect(answers).toMatchObject([
      { status: 200, body: { status: 'invalid' } },
      { status: 200, body: { status: 'created' } },
    ]);
    await pass(60 * dayMs);
    const callback = receiver.callbacks.find(
      ({ InvoiceId }) => InvoiceId === answers[0]?.body?.['invoiceId'],
    );
    if (!('merchantVat' in bad))
      expect(callback).toMatchObject({
        Status: 'Invalid',
        Sequence: 0,
        ErrorCode,
        ErrorMessage: expect.stringMatching(/\S/),
      });
  });

  test('is invalid as the eleventh to one consumer on a day', async () => {
    const about = { amount: 1, dueDate: '2026-12-01', phoneNumber };
    const another = async (more: object = {}) =>
      (await testEndpoint('create', { ...about, ...more })).body?.['status'];
    for (let count = 1; count <= 10; count += 1) expect(await another()).toBe('created');
    expect(await another()).toBe('invalid');
    expect(await another({ phoneNumber: '+4520031802' })).toBe('created');
    await pass(5 * secondMs);
    expect(receiver.callbacks).toContainEqual(
      expect.objectContaining({ Status: 'Invalid', ErrorCode: 10314 }),
    );
    await pass(dayMs);
    expect(await another()).toBe('created');
  });

  const endpoints = ['accept', 'pay', 'reject', 'cancel'];
  const finals: Record<string, (invoiceId: string) => Promise<unknown>> = {
    paid: (invoiceId) => testEndpoint('pay', { invoiceId }),
    rejected: (invoiceId) => testEndpoint('reject', { invoiceId }),
    canceled: (invoiceId) => testEndpoint('cancel', { invoiceId }),
    expired: () => pass(60 * dayMs),
  };
  test.each(
    Object.keys(finals).flatMap((state) =>
      endpoints
        .filter((name) => `${state} ${name}` !== 'canceled cancel')
        .map((name) => [state, name] as const),
    ),
  )('that is %s is final: %s is refused', async (state, name) => {
    const invoiceId = await create();
    await finals[state]?.(invoiceId);
    expect(await testEndpoint(name, { invoiceId })).toMatchObject({
      status: 409,
      code: `${state} ${name}` === 'paid cancel' ? '10504' : null,
    });
  });

  test('that is accepted is not accepted again, nor for yesterday', async () => {
    const invoiceId = await create();
    expect(await testEndpoint('accept', { invoiceId, paymentDate: '2026-11-20' })).toMatchObject({
      status: 409,
    });
    expect(await testEndpoint('accept', { invoiceId, paymentDate: '2026-11-21' })).toMatchObject({
      status: 200,
    });
    expect(await testEndpoint('accept', { invoiceId })).toMatchObject({ status: 409 });
  });

  test("is its addressee's alone", async () => {
    const invoiceId = await create();
    for (const name of ['accept', 'pay', 'reject'])
      expect(await testEndpoint(name, { invoiceId, phoneNumber: '+4520031802' })).toMatchObject({
        status: 409,
      });
    expect(await testEndpoint('pay', { invoiceId, phoneNumber })).toMatchObject({ status: 200 });
  });

  test('needs somebody to pay it, and a merchant that exists', async () => {
    expect(await testEndpoint('create', { amount: 1, dueDate: '2026-12-01' })).toMatchObject({
      status: 400,
    });
    expect(
      await testEndpoint('create', {
        amount: 1,
        dueDate: '2026-12-01',
        phoneNumber,
        merchantVat: 'DK1',
      }),
    ).toMatchObject({ status: 404, code: '10302' });
    expect(await testEndpoint('pay', { invoiceId: unknownId })).toMatchObject({ status: 404 });
  });
});

describe('the status', () => {
  test('is told to the merchant of the invoice only', async () => {
    service.simulator.world.addMerchant({ vat: otherVat });
    const invoiceId = await create();
    const path = (vat: string, id: string): string =>
      `${merchantNamed(vat).merchantId}/invoices/${id}/status`;
    expect(await call('GET', path('DK90000028', invoiceId.toUpperCase()))).toMatchObject({
      status: 200,
      body: { InvoiceId: invoiceId, Status: 'Created' },
    });
    const nothing = { status: 404, body: null, code: undefined };
    expect(await call('GET', path(otherVat, invoiceId), undefined, otherVat)).toEqual(nothing);
    expect(await call('GET', path('DK90000028', invoiceId), undefined, otherVat)).toEqual(nothing);
    expect(await call('GET', path('DK90000028', unknownId))).toEqual(nothing);
    expect(await call('GET', path('DK90000028', 'nonsense'))).toMatchObject({ status: 400 });
  });

  test('is in the state of the simulator, with the ids that a client needs', async () => {
    const invoiceId = await create();
    expect((await service.call('GET', '/simulator/state')).body?.['invoices']).toMatchObject([
      {
        invoiceId,
        merchantId: merchantNamed().merchantId,
        amount: 100,
        status: 'created',
        nextSequence: 1,
      },
    ]);
  });
});
