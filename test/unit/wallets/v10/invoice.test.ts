import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { silentLog } from '../../../../main/core/domain/log.ts';
import { Simulator } from '../../../../main/sandbox/simulator/simulator.ts';
import { merchantAccess } from '../../../../main/wallets/http/access.ts';
import { type Client, clientOf } from '../../../../main/wallets/v10/typed-client.ts';
import { ServiceRefusedError } from '../../../../main/wallets/http/errors.ts';
import { fetchHttp, type HttpRequest } from '../../../../main/wallets/http/http.ts';
import { invoiceOperations } from '../../../../main/wallets/v10/invoice/invoice-operations.ts';
import {
  InvoiceCallback,
  InvoiceCallbacks,
  InvoiceStatusAnswer,
  invoiceStatus,
} from '../../../../main/wallets/v10/invoice/invoice-schemas.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { Transport } from '../../../../main/wallets/http/transport.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const invoiceId = '00000000-0000-4000-8000-000000000001';
const callbackurl = 'https://shop.example/callbacks';
const profile = profileNamed('generic');
const clock = new ManualClock();
const sent: HttpRequest[] = [];
let simulator: Simulator;
let client: Client<typeof invoiceOperations>;
let merchantId: string;

beforeAll(async () => {
  simulator = new Simulator({ profile, clock, ids: systemIds });
  await simulator.start({ port: 0 });
  merchantId = [...simulator.world.merchants.values()][0]?.merchantId as string;
  const transport = new Transport({
    baseUrl: simulator.baseUrl,
    access: merchantAccess('simulated-key-of-DK90000028'),
    profile,
    send: (request, signal) => (sent.push(request), fetchHttp(request, signal)),
    clock,
    log: silentLog,
  });
  client = clientOf(transport, invoiceOperations);
});
afterAll(() => simulator.stop());

describe('where callbacks go', () => {
  test('is said with user and password, or with a key', async () => {
    expect(
      await client.setInvoiceCallbackBasicAuth({
        merchantId,
        body: { username: 'shop', password: 'a:b', callbackurl },
      }),
    ).toBeUndefined();
    expect(
      await client.setInvoiceCallbackApiKey({
        merchantId,
        body: { ApiKey: 'key 4711', callbackurl },
      }),
    ).toBeUndefined();
    expect(
      sent.map(({ method, url, body }) => [
        method,
        new URL(url).pathname,
        JSON.parse(body as string) as unknown,
      ]),
    ).toEqual([
      [
        'PUT',
        `/invoice-restapi/api/v1/merchants/${merchantId}/auth/basic`,
        { username: 'shop', password: 'a:b', callbackurl },
      ],
      [
        'PUT',
        `/invoice-restapi/api/v1/merchants/${merchantId}/auth/apikey`,
        { ApiKey: 'key 4711', callbackurl },
      ],
    ]);
  });

  test.each([
    ['username', { username: '' }],
    ['username', { username: 'a:b' }],
    ['password', { password: '' }],
    ['callbackurl', { callbackurl: '' }],
    ['callbackurl', { callbackurl: 'shop.example' }],
    ['callbackurl', { callbackurl: 'ftp://shop.example/' }],
    ['callbackurl', { callbackurl: 'https://shop.example:444/' }],
    ['callbackurl', { callbackurl: 'https://a:b@shop.example/' }],
    ['callbackurl', { callbackurl: 'http://127.0.0.1.example:4711/' }],
  ])('a bad %s is not sent: %o', async (field, about) => {
    const body = { username: 'shop', password: 'secret', callbackurl, ...about };
    await expect(client.setInvoiceCallbackBasicAuth({ merchantId, body })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      field,
    });
    if (field === 'callbackurl')
      await expect(
        client.setInvoiceCallbackApiKey({
          merchantId,
          body: { ApiKey: 'k', callbackurl: body.callbackurl },
        }),
      ).rejects.toMatchObject({ field });
  });

  test.each(['', ' k', 'k ', 'k\n', 'nøgle'])('the key %j could be no header', async (ApiKey) => {
    await expect(
      client.setInvoiceCallbackApiKey({ merchantId, body: { ApiKey, callbackurl } }),
    ).rejects.toMatchObject({ field: 'ApiKey' });
  });

  test.each([
    'http://shop.example',
    'http://shop.example:80/',
    'https://shop.example:443/a?b=c',
    'https://shop.example:80/',
    'http://127.0.0.1:4711/',
    'http://localhost:1/',
    'https://[::1]:8443/',
  ])('%s is allowed', async (url) => {
    await expect(
      client.setInvoiceCallbackApiKey({ merchantId, body: { ApiKey: 'k', callbackurl: url } }),
    ).resolves.toBeUndefined();
  });
});

describe('the status of an invoice', () => {
  test('can be asked for', async () => {
    const response = await fetch(`${simulator.baseUrl}/simulator/invoice/create`, {
      method: 'POST',
      body: JSON.stringify({ amount: 12.5, dueDate: '2026-12-01', phoneNumber: '+4520031801' }),
    });
    const created = (await response.json()) as { invoiceId: string; merchantId: string };
    expect(await client.getInvoiceStatus(created)).toEqual({
      InvoiceId: created.invoiceId,
      Status: 'Created',
    });
  });

  test.each([
    { InvoiceId: invoiceId, Status: 'Accepted' },
    { invoiceId, status: 'Accepted' },
  ])('is read from %o, as the example and the description have it', (answer) => {
    expect(InvoiceStatusAnswer.parse(answer)).toEqual({ InvoiceId: invoiceId, Status: 'Accepted' });
  });

  test('of none is refused', async () => {
    await expect(client.getInvoiceStatus({ merchantId, invoiceId })).rejects.toBeInstanceOf(
      ServiceRefusedError,
    );
    await expect(client.getInvoiceStatus({ merchantId, invoiceId: '7' })).rejects.toMatchObject({
      field: 'invoiceId',
    });
  });

  test.each([
    ['Created', 'created'],
    ['created', 'created'],
    ['ACCEPTED', 'accepted'],
    ['paid', 'paid'],
    ['Rejected', 'rejected'],
    ['Invalid', 'invalid'],
    ['expired', 'expired'],
    ['Canceled', 'canceled'],
    ['Cancelled', 'canceled'],
    ['postponed', null],
  ])('%s is read as %s', (text, status) => {
    expect(invoiceStatus(text)).toBe(status);
  });
});

describe('a callback', () => {
  const record = {
    InvoiceId: invoiceId,
    Status: 'Created',
    Date: '2026-11-21T09:00:00Z',
    Sequence: 0,
  };

  test.each([
    record,
    { ...record, Status: 'accepted', Sequence: 7, PaymentDate: '2026-12-01T00:00:00Z' },
    { ...record, Status: 'Invalid', ErrorCode: 10106, ErrorMessage: 'Unknown' },
    { ...record, Status: 'invalid', ErrorCode: '10106', ErrorMessage: null },
    { ...record, Links: [{ Rel: 'user-redirect', Href: 'https://pay.example/1', Title: 'more' }] },
    { ...record, Links: null, PaymentDate: null, Unheard: 'of' },
    { ...record, Status: 'postponed' },
  ])('is read: %o', (callback) => {
    expect(InvoiceCallback.safeParse(callback).error).toBeUndefined();
  });

  test.each([
    { Sequence: -1 },
    { Sequence: 0.5 },
    { Sequence: undefined },
    { InvoiceId: '7' },
    { Status: '' },
    { Date: undefined },
    { Links: [{ Rel: 'user-redirect' }] },
  ])('is not one with %o', (about) => {
    expect(InvoiceCallback.safeParse({ ...record, ...about }).success).toBe(false);
  });

  test('comes in an array', () => {
    expect(InvoiceCallbacks.parse([record, record])).toHaveLength(2);
    expect(InvoiceCallbacks.safeParse(record).success).toBe(false);
  });
});
