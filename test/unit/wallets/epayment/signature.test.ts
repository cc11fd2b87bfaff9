/**
 * The signature of the ePayment service's messages (document 5, section 4.3): its own vector, made
 * with openssl, and what must not pass.
 */
import { createHash, createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  contentHash,
  signatureOf,
  signatureProblem,
} from '../../../../main/wallets/epayment/webhooks/webhook-message.ts';

const secret = 'dGlsbGJlYWNvbi1leGFtcGxlLXNlY3JldA==';
const registered = 'https://hub.shop.example/wallet/callbacks?lane=K1';
const date = 'Sun, 22 Nov 2026 09:15:31 GMT';
const nowMs = Date.parse(date);
const body = Buffer.from(
  '{"msn":"123456","reference":"K1-000042-9f3c2b1a","pspReference":"7b0c1f5e-0000-4000-8000-000000000001","name":"AUTHORIZED","amount":{"currency":"DKK","value":12550},"timestamp":"2026-11-22T09:15:30Z","idempotencyKey":null,"success":true}',
);
const signature = '7A2mHBPaX9OaPSbeiyAui/cXEbKH/HPEvnULyIgvC6Q=';
const authorization = `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`;
const good = {
  'x-ms-date': date,
  'x-ms-content-sha256': 'Xh9RPcFnAjoiPKLjUFK1WEj0SpgAMQG1w7ESgOwx0ks=',
};
const receiver = { secret, registered, nowMs };

test('the vector of the document', () => {
  expect(body).toHaveLength(237);
  expect(contentHash(body)).toBe(good['x-ms-content-sha256']);
  expect(
    signatureOf(secret, {
      path: '/wallet/callbacks?lane=K1',
      host: 'hub.shop.example',
      date,
      body,
    }),
  ).toBe(signature);
});

test('a vector made by hand from the text to sign', () => {
  const small = Buffer.from('{}');
  const hash = createHash('sha256').update('{}').digest('base64');
  const expected = createHmac('sha256', Buffer.from('key'))
    .update(`POST\n/hook\nThu, 01 Jan 2026 00:00:00 GMT;a.example:8080;${hash}`)
    .digest('base64');
  expect(
    signatureOf('key', {
      path: '/hook',
      host: 'a.example:8080',
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      body: small,
    }),
  ).toBe(expected);
});

describe('a message', () => {
  test.each([
    ['in the usual spelling', { authorization }],
    ['in the spelling that web servers leave alone', { 'x-vipps-authorization': authorization }],
    ['in both', { authorization, 'x-vipps-authorization': authorization }],
    [
      'beside credentials of a proxy',
      { authorization: 'Basic cHJveHk=', 'x-vipps-authorization': authorization },
    ],
  ])('signed %s is the service’s', (_how, headers) => {
    expect(signatureProblem({ headers: { ...good, ...headers }, body }, receiver)).toBeNull();
  });

  test.each([
    ['no signature', {}, {}, 'noSignature'],
    [
      'a key decoded from base64',
      {
        authorization: authorization.replace(
          signature,
          'OG1wgHWH/SP/YlXiiWNI87nR8X2FwNpmi0KM+QRuaG0=',
        ),
      },
      {},
      'wrongSignature',
    ],
    [
      'another address',
      { authorization },
      { registered: 'https://hub.shop.example/wallet/callbacks' },
      'wrongSignature',
    ],
    ['another secret', { authorization }, { secret: 'another' }, 'wrongSignature'],
    ['a date six minutes old', { authorization }, { nowMs: nowMs + 360_000 }, 'oldDate'],
    ['a date six minutes ahead', { authorization }, { nowMs: nowMs - 360_000 }, 'oldDate'],
    ['no date', { authorization, 'x-ms-date': undefined }, {}, 'noDate'],
    [
      'the hash of another body',
      { authorization, 'x-ms-content-sha256': contentHash(Buffer.from('{}')) },
      {},
      'wrongContent',
    ],
  ])('with %s is not', (_what, headers, about, problem) => {
    expect(
      signatureProblem({ headers: { ...good, ...headers }, body }, { ...receiver, ...about }),
    ).toBe(problem);
  });

  test('whose body was changed is not', () => {
    const changed = Buffer.from(body.toString().replace('12550', '1'));
    const headers = { ...good, authorization };
    expect(signatureProblem({ headers, body: changed }, receiver)).toBe('wrongContent');
    expect(
      signatureProblem(
        { headers: { ...headers, 'x-ms-content-sha256': contentHash(changed) }, body: changed },
        receiver,
      ),
    ).toBe('wrongSignature');
  });
});
