import { describe, expect, test } from 'vitest';
import { redact, redactLine, redactText } from '../../../main/support/redaction.ts';

const secrets = ['s3cr+et(value)', 'Ada Lund', 'Bo'];
const line = (fields: object): string =>
  redactLine(JSON.stringify({ level: 'info', msg: 'of the test', ...fields }), secrets);

describe('a line of the log that leaves this computer', () => {
  test.each([
    ['a client secret by its field', { wallet: { clientSecret: 'abc-123' } }, 'abc-123'],
    [
      'a client secret wherever it stands',
      { detail: 'refused s3cr+et(value) for it' },
      's3cr+et(value)',
    ],
    ['an access token', { headers: { authorization: 'Bearer abc.def.ghi' } }, 'abc.def'],
    ['an access token in words', { detail: 'sent Bearer abcdef123456 and failed' }, 'abcdef123456'],
    [
      'a JSON web token in words',
      { detail: 'got eyJhbGciOi.eyJzdWIiOi.SflKxwRJ back' },
      'eyJzdWIiOi',
    ],
    ['a customer’s token', { answer: { customerToken: 'ctok-77' } }, 'ctok-77'],
    ['a customer’s receipt token', { customerReceiptToken: 'rtok-77' }, 'rtok-77'],
    ['a PIN by its field', { pin: '4711' }, '4711'],
    ['a PIN in words', { detail: 'the pin: 4711 was wrong' }, '4711'],
    ['a PIN after its name', { detail: 'PIN 4711 was wrong' }, '4711'],
    ['the one-time code of a first manager', { oneTimeCode: 'K7QP-2M9X' }, 'K7QP'],
    ['a phone number by its field', { phoneNumber: 4520031801 }, '4520031801'],
    ['a phone number with its country', { detail: 'for +45 20 03 18 01 now' }, '18 01'],
    ['a phone number without spaces', { detail: 'for 20031801 now' }, '20031801'],
    ['a phone number in pairs', { detail: 'for 20 03 18 01 now' }, '20 03'],
    ['a phone number that somebody wrote as a number', { from: 4520031801 }, '4520031801'],
    ['a name by its field', { customerName: 'Søren Kjær', name: 'Søren Kjær' }, 'Søren'],
    ['a manager’s name wherever it stands', { detail: 'ADA LUND has signed in, bo not' }, 'ADA'],
    ['a loyalty id by its field', { loyaltyIds: ['998-877-66'] }, '998'],
    ['a loyalty id in words', { detail: 'loyaltyId=A-9988' }, '9988'],
    ['a mail address', { detail: 'of ada.lund@shop.example there' }, 'shop.example'],
    [
      'what a till was sent, beyond which packet it was',
      { packet: '04 0F 1A 27 00 04 00' },
      '27 00',
    ],
  ])('has no %s', (_what, fields, secret) => {
    expect(line(fields)).not.toContain(secret);
    expect(line(fields)).toContain('[removed]');
  });

  test('keeps what support needs: times, ids, amounts, states, which packet', () => {
    const fields = {
      time: '2026-11-21T09:00:00.000Z',
      lane: '1',
      saleId: '12345678-0000-4000-8000-123456789012',
      orderId: '1-20261121-000017',
      amountMinor: 123456789,
      atMs: 1795251600000,
      beaconId: '123456789012345',
      reason: 'timedOut',
      detail: 'status 503 after 1234 ms; Book 7 of Bornholm',
      state: 'connected',
      customerId: null,
    };
    expect(JSON.parse(line(fields))).toEqual({ level: 'info', msg: 'of the test', ...fields });
    expect(line({ packet: '06 01 0A 04 00' })).toContain('06 01 0A');
  });

  test('is searched too when it is no JSON', () => {
    expect(redactLine('{"clientSecret":"abc-123","cut', secrets)).not.toContain('abc-123');
  });
});

test('what is nested in settings is found', () => {
  expect(
    redact(
      {
        wallet: { clientSecret: { env: 'X' }, reportingKey: 'known to be one', clientId: 'c' },
        lanes: [{ password: null }],
      },
      ['known to be one'],
    ),
  ).toEqual({
    wallet: { clientSecret: '[removed]', reportingKey: '[removed]', clientId: 'c' },
    lanes: [{ password: null }],
  });
});

test('the keys of a sales unit are secrets, in settings and as headers', () => {
  const keys = {
    subscriptionKey: 'first',
    secondSubscriptionKey: { env: 'SECOND' },
    'ocp-apim-subscription-key': 'third',
    merchantSerialNumber: '123456',
  };
  const removed = '[removed]';
  expect(redact(keys, [])).toEqual({
    subscriptionKey: removed,
    secondSubscriptionKey: removed,
    'ocp-apim-subscription-key': removed,
    merchantSerialNumber: '123456',
  });
});

test('a known text is removed as it stands, not as a pattern', () => {
  expect(redactText('a.c abc', ['a.c'])).toBe('[removed] abc');
});

test('what is nested without end is removed, not walked', () => {
  let deep: unknown = 'a secret';
  for (let level = 0; level < 100_000; level += 1) deep = level % 2 === 0 ? { a: deep } : [deep];
  expect(JSON.stringify(redact(deep, []))).toMatch(/^.{1,200}\[removed\].{1,200}$/);
});

test('a line without end is read once', () => {
  // This would take minutes if each letter were tried as the beginning of a mail address.
  expect(redactText(`${'a'.repeat(300_000)} ${'b.'.repeat(100_000)}`, [])).toHaveLength(500_001);
  expect(redactText('reach https://me:hunter2@api.example/x', [])).not.toContain('hunter2');
});
