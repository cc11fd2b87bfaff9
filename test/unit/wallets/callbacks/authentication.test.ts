import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  agreement,
  apiKey,
  basic,
  Callbacks,
  invoice,
  notification,
  payment,
  settings,
  webhook,
} from './callbacks-support.ts';
import { webhookSignature } from '../../../../main/wallets/v10/app-payments/webhook.ts';

let callbacks: Callbacks;
beforeAll(async () => {
  callbacks = await new Callbacks().start();
});
// The receiver forgets refused clients in between, so that the tests are not slowed down as
// guesses.
beforeEach(() => callbacks.restart());
afterAll(() => callbacks.stop());

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  callbacks.fetch(path, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const client = basic('the service:a+secret/');
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const askToken = (authorization = client, body = 'grant_type=client_credentials') =>
  post('/oauth2/token', body, { ...form, authorization });
const token = async (): Promise<string> =>
  (JSON.parse((await askToken()).text) as { access_token: string }).access_token;

describe('a callback of subscriptions is taken', () => {
  test.each([
    ['with the user name and password', async () => basic('wallet:pass:wörd')],
    [
      'with the scheme written in another case',
      async () => basic('wallet:pass:wörd').replace('Basic', 'bAsIc'),
    ],
    ['with the API key as the whole header', async () => apiKey],
    ['with a token that our endpoint issued', async () => `Bearer ${await token()}`],
  ])('%s', async (_how, authorization) => {
    expect(
      (await post('/callbacks/agreements', agreement(), { authorization: await authorization() }))
        .status,
    ).toBe(200);
  });
});

describe('a callback is answered 401 without a word', () => {
  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another password', basic('wallet:pass:word')],
    ['a password that goes on', basic('wallet:pass:wörd2')],
    ['no password', basic('wallet')],
    ['a scheme without anything', 'Basic'],
    ['base64 that is none', 'Basic %%%'],
    ['a beginning of the API key', apiKey.slice(0, -1)],
    ['the API key as a bearer', `Bearer ${apiKey}`],
    ['the key of another interface', 'the key of invoices'],
    ['a token that we never issued', 'Bearer 9999999999.x.y'],
    ['the pair of the token endpoint', client],
  ])('with %s', async (_what, authorization) => {
    const before = callbacks.store.health().lastSeq;
    const answer = await post(
      '/callbacks/agreements',
      agreement(),
      authorization === undefined ? {} : { authorization },
    );
    expect([answer.status, answer.text]).toEqual([401, '']);
    expect(callbacks.store.health().lastSeq).toBe(before);
  });

  test('before anybody looks at the body', async () => {
    expect((await post('/callbacks/invoices', 'no JSON', { authorization: apiKey })).status).toBe(
      401,
    );
    expect(
      (await post('/callbacks/invoices', invoice(), { authorization: 'the key of invoices' }))
        .status,
    ).toBe(200);
  });
});

describe('the token endpoint', () => {
  test('issues a bearer token for client credentials, which nobody may cache', async () => {
    const answer = await askToken();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
    });
  });

  test('takes credentials that were form-encoded before they were joined, as RFC 6749 has it', async () => {
    expect((await askToken(basic('the+service:a%2Bsecret%2F'))).status).toBe(200);
  });

  test.each([
    ['another secret', basic('the service:b')],
    ['another client', basic('somebody:a+secret/')],
    ['the credentials of Basic callbacks', basic('wallet:pass:wörd')],
    ['no credentials', ''],
  ])('answers %s with 401 and no body', async (_what, authorization) => {
    const answer = await askToken(authorization);
    expect([answer.status, answer.text]).toEqual([401, '']);
  });

  test.each([
    ['another grant', 'grant_type=password', 'unsupported_grant_type'],
    ['no grant', '', 'invalid_request'],
    [
      'two grants',
      'grant_type=client_credentials&grant_type=client_credentials',
      'invalid_request',
    ],
  ])('refuses %s', async (_what, body, error) => {
    const answer = await askToken(client, body);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { error }]);
  });

  test('a token survives a restart, and ends when it said it would', async () => {
    const authorization = `Bearer ${await token()}`;
    const use = async () =>
      (await post('/callbacks/agreements', agreement(), { authorization })).status;
    await callbacks.restart();
    await callbacks.clock.pass(3_599_000);
    expect(await use()).toBe(200);
    await callbacks.clock.pass(1_000);
    expect(await use()).toBe(401);
  });

  test('a token whose end or seal was touched is worth nothing, nor is one at an interface that does not know its client', async () => {
    const whole = await token();
    const [client = '', end = '', ...rest] = whole.split('.');
    const later = [client, Number(end) + 1, ...rest].join('.');
    const others = [Buffer.from('somebody').toString('base64url'), end, ...rest].join('.');
    for (const wrong of [later, others, `${whole}x`, `${whole}.x`, `x.${whole}`, '...']) {
      await callbacks.restart();
      expect(
        (await post('/callbacks/agreements', agreement(), { authorization: `Bearer ${wrong}` }))
          .status,
      ).toBe(401);
    }
    expect(
      (await post('/callbacks/invoices', invoice(), { authorization: `Bearer ${await token()}` }))
        .status,
    ).toBe(401);
  });

  test("one client's token is not another's, although they have the same secret", async () => {
    const oauth2 = (clientId: string) =>
      ({ scheme: 'oauth2', clientId, clientSecret: 'same' }) as const;
    const other = await new Callbacks({
      settings: { ...settings, subscriptions: [oauth2('a')], invoices: [oauth2('b')] },
    }).start();
    const issued = await other.fetch('/oauth2/token', {
      method: 'POST',
      headers: { ...form, authorization: basic('a:same') },
      body: 'grant_type=client_credentials',
    });
    const authorization = `Bearer ${(JSON.parse(issued.text) as { access_token: string }).access_token}`;
    expect((await other.post('agreements', agreement(), { authorization })).status).toBe(200);
    expect((await other.post('invoices', invoice(), { authorization })).status).toBe(401);
    await other.stop();
  });

  test('tells the old secret and the new one of a client apart while they change', async () => {
    const oauth2 = (clientSecret: string) =>
      ({ scheme: 'oauth2', clientId: 'the service', clientSecret }) as const;
    const other = await new Callbacks({
      settings: {
        ...settings,
        subscriptions: [oauth2('old'), oauth2('new')],
        invoices: [oauth2('new')],
      },
    }).start();
    for (const [secret, atInvoices] of [
      ['old', 401],
      ['new', 200],
    ] as const) {
      const headers = { ...form, authorization: basic(`the service:${secret}`) };
      const issued = await other.fetch('/oauth2/token', {
        method: 'POST',
        headers,
        body: 'grant_type=client_credentials',
      });
      const authorization = `Bearer ${(JSON.parse(issued.text) as { access_token: string }).access_token}`;
      expect((await other.post('agreements', agreement(), { authorization })).status).toBe(200);
      expect((await other.post('invoices', invoice(), { authorization })).status).toBe(atInvoices);
    }
    await other.stop();
  });

  test('is not there when no callback authenticates with tokens', async () => {
    const other = await new Callbacks({
      settings: { ...settings, subscriptions: [{ scheme: 'apiKey', apiKey }] },
    }).start();
    expect((await other.fetch('/oauth2/token', { method: 'POST' })).status).toBe(404);
    await other.stop();
  });
});

describe('a webhook', () => {
  const message = (): string => JSON.stringify(notification({}, { reference: 'order 7' }));
  const spaced = JSON.stringify(JSON.parse(message()), null, 2);
  const signed = webhookSignature(webhook.signatureKey, webhook.url, spaced);
  const send = (signature: string | undefined, body = spaced) =>
    post(
      '/callbacks/app-payments',
      body,
      signature === undefined ? {} : { 'x-service-signature': signature },
    );

  test('is taken with the signature of its URL and its body without whitespace', async () => {
    expect((await send(signed)).status).toBe(200);
    expect((await send(signed, JSON.stringify(JSON.parse(spaced)))).status).toBe(200);
  });

  test.each([
    ['no signature', undefined],
    ['another key', webhookSignature('another key', webhook.url, spaced)],
    ['another URL', webhookSignature(webhook.signatureKey, `${webhook.url}/`, spaced)],
    ['another body', webhookSignature(webhook.signatureKey, webhook.url, '{}')],
    ['something of another length', 'x'],
  ])('with %s is answered 401 without a word', async (_what, signature) => {
    const answer = await send(signature);
    expect([answer.status, answer.text]).toEqual([401, '']);
  });

  test.each<[string, string, number[]]>([
    ['one that is understood', message(), [1, 0]],
    ['one that is set aside', message().replace('payment.reserved', ''), [0, 1]],
  ])(
    '%s makes one record, wherever a blank is added that its signature leaves out',
    async (_what, plain, expected) => {
      const right = webhookSignature(webhook.signatureKey, webhook.url, plain);
      const before = callbacks.store.health();
      await send(right, plain);
      for (let at = 0; at <= plain.length; at += 1)
        for (const blank of [' ', '\u00a0'])
          expect(
            (await send(right, plain.slice(0, at) + blank + plain.slice(at))).status,
          ).toBeOneOf([200, 400]);
      const { lastSeq, lastRejected } = callbacks.store.health();
      expect([lastSeq - before.lastSeq, lastRejected - before.lastRejected]).toEqual(expected);
    },
  );

  test('carries the header of its deployment', async () => {
    const other = await new Callbacks({ settings: { ...settings, profile: 'mobilepay' } }).start();
    const answer = await other.fetch('/callbacks/app-payments', {
      method: 'POST',
      body: spaced,
      headers: { 'x-mobilepay-signature': signed },
    });
    expect(answer.status).toBe(200);
    await other.stop();
  });
});

test('the credentials of payments are those of agreements and refunds', async () => {
  expect(
    (await post('/callbacks/subscription-payments', [payment()], { authorization: apiKey })).status,
  ).toBe(200);
});

describe('guessing', () => {
  const wrong = (path: string, headers: Record<string, string> = {}) => post(path, '{}', headers);
  const right = () => post('/callbacks/agreements', agreement(), { authorization: apiKey });

  test.each([
    ['a password', '/callbacks/agreements', { authorization: basic('wallet:guess') }],
    ['a token', '/callbacks/refunds', { authorization: 'Bearer guess' }],
    ['an API key', '/callbacks/invoices', { authorization: 'guess' }],
    ['a client secret', '/oauth2/token', { ...form, authorization: basic('the service:guess') }],
    [
      'a signature',
      '/callbacks/app-payments',
      { 'x-service-signature': webhookSignature('guess', webhook.url, '{}') },
    ],
  ])(
    '%s is slowed after five times, and whoever shows the right one from the same address is answered at once',
    async (_what, path, headers) => {
      for (let nth = 1; nth <= 5; nth += 1) expect((await wrong(path, headers)).status).toBe(401);
      let isAnswered = false;
      const sixth = wrong(path, headers).finally(() => (isAnswered = true));
      expect((await right()).status).toBe(200);
      expect((await askToken()).status).toBe(200);
      expect(isAnswered).toBe(false);
      await expect.poll(async () => (await callbacks.clock.pass(50), isAnswered)).toBe(true);
      expect((await sixth).status).toBe(401);
    },
  );
});
