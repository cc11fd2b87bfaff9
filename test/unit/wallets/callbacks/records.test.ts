import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  agreement,
  Callbacks,
  checkIn,
  id,
  invoice,
  notification,
  oneOfEach,
  type Path,
  payment,
  refund,
} from './callbacks-support.ts';

let callbacks: Callbacks;
beforeEach(async () => {
  // In another time zone, dates without a zone must still be UTC.
  vi.stubEnv('TZ', 'America/New_York');
  callbacks = await new Callbacks().start();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await callbacks.stop();
});

const stored = () => callbacks.store.since(0);
const records = () => stored().map(({ record }) => record);

describe('every endpoint', () => {
  test.each(oneOfEach)(
    '%s takes a single object, an array, and an empty array',
    async (path, one) => {
      const several = path === 'checkin' ? [one()] : [one(), one()];
      expect((await callbacks.post(path, one())).status).toBe(200);
      expect((await callbacks.post(path, several)).status).toBe(200);
      expect((await callbacks.post(path, [])).status).toBe(200);
      expect(stored()).toHaveLength(1 + several.length);
    },
  );

  test.each(oneOfEach)(
    '%s keeps fields that nobody knows, and the whole record as it came',
    async (path, one) => {
      const sent = one({ colour: { of: ['money'] } });
      await callbacks.post(path, sent);
      expect(records().map(({ raw }) => JSON.parse(raw) as unknown)).toEqual([sent]);
    },
  );

  test.each(oneOfEach)('%s answers 400 with a reason to what is no record', async (path) => {
    for (const [body, reason] of [
      ['{', 'the body must be JSON'],
      ['', 'the body must be JSON'],
      ['7', 'the record must be an object'],
      ['null', 'the record must be an object'],
      ['[[]]', 'the record must be an object'],
      ['{}', 'must be'],
    ] as const) {
      const answer = await callbacks.post(path, body);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        { reason: expect.stringContaining(reason) },
      ]);
    }
    expect(stored()).toEqual([]);
  });

  test.each(oneOfEach)(
    '%s begins with a byte order mark when its sender likes',
    async (path, one) => {
      if (path === 'app-payments') return; // signed without it or with it: not told
      expect((await callbacks.post(path, `\uFEFF${JSON.stringify(one())}`)).status).toBe(200);
    },
  );
});

describe('a record inside', () => {
  const ids = { agreement_id: id().toUpperCase(), payment_id: id().toUpperCase() };
  test('of a subscription payment', async () => {
    await callbacks.post('subscription-payments', [
      payment({
        ...ids,
        status: 'DECLINED',
        status_text: 'Declined by merchant.',
        status_code: 50002,
        amount: '1234567.05',
      }),
    ]);
    expect(stored()).toEqual([
      {
        seq: 1,
        receivedAtMs: callbacks.clock.wallMs(),
        origin: 'callback',
        changed: true,
        record: {
          kind: 'payment',
          subjectId: ids.payment_id.toLowerCase(),
          externalId: 'order-1',
          status: 'declined',
          statusText: 'Declined by merchant.',
          code: '50002',
          amountMinor: 123_456_705,
          currency: 'DKK',
          atMs: null,
          sequence: null,
          agreementId: ids.agreement_id.toLowerCase(),
          paymentId: null,
          paymentAtMs: null,
          links: [],
          raw: expect.stringContaining('"amount":"1234567.05"'),
        },
      },
    ]);
  });

  const at = Date.UTC(2026, 10, 21, 8, 0, 0);
  test.each<[string, Path, object, object]>([
    [
      'a one-off',
      'subscription-payments',
      payment({ payment_type: 'OneOff', status: 'Reserved' }),
      { kind: 'oneOff', status: 'reserved', code: '0' },
    ],
    [
      'a one-off in capitals',
      'subscription-payments',
      payment({ payment_type: 'ONEOFF' }),
      { kind: 'oneOff' },
    ],
    [
      'a payment without a type',
      'subscription-payments',
      payment({ payment_type: undefined }),
      { kind: 'payment' },
    ],
    [
      'an amount as a number',
      'subscription-payments',
      payment({ amount: 12.5 }),
      { amountMinor: 1250 },
    ],
    ['no amount', 'subscription-payments', payment({ amount: null }), { amountMinor: null }],
    [
      'a code as a string',
      'subscription-payments',
      payment({ status_code: ' 50002 ' }),
      { code: '50002' },
    ],
    ['no code', 'subscription-payments', payment({ status_code: null }), { code: null }],
    [
      'a code and a status that nobody knows',
      'subscription-payments',
      payment({ status: 'Suspended', status_code: 99999 }),
      { status: 'suspended', code: '99999' },
    ],
    [
      "the facade's other spelling",
      'subscription-payments',
      payment({ status: 'Cancelled', status_code: '70003' }),
      { status: 'canceled', code: '70003' },
    ],
    [
      'an accepted agreement',
      'agreements',
      agreement(),
      {
        kind: 'agreement',
        status: 'accepted',
        atMs: at,
        statusText: null,
        externalId: 'customer-1',
      },
    ],
    [
      'an accepted agreement as older tables have it',
      'agreements',
      agreement({ status: 'active' }),
      { status: 'accepted' },
    ],
    [
      'an agreement without a timestamp',
      'agreements',
      agreement({ timestamp: undefined }),
      { atMs: null },
    ],
    [
      'a refund',
      'refunds',
      refund(),
      {
        kind: 'refund',
        status: 'issued',
        code: null,
        amountMinor: 500,
        agreementId: expect.any(String),
        paymentId: expect.any(String),
      },
    ],
    [
      "a refund's slip of the pen",
      'refunds',
      refund({ status: 'Decline', status_code: 60001 }),
      { status: 'declined', code: '60001' },
    ],
    [
      'an accepted invoice',
      'invoices',
      invoice({ Status: 'accepted', PaymentDate: '2026-11-21T08:00:00Z' }),
      { status: 'accepted', paymentAtMs: at, links: [] },
    ],
    [
      'an invoice link of a batch',
      'invoices',
      invoice({ Links: [{ Rel: 'user-redirect', Href: 'https://pay.example/1' }] }),
      { paymentAtMs: null, links: [{ rel: 'user-redirect', href: 'https://pay.example/1' }] },
    ],
    [
      'links that are none',
      'invoices',
      invoice({ Links: 'soon', PaymentDate: 7 }),
      { status: 'created', paymentAtMs: null, links: [] },
    ],
    [
      'an invoice',
      'invoices',
      invoice({ Sequence: 3 }),
      { kind: 'invoice', status: 'created', atMs: at, sequence: 3, code: null },
    ],
    [
      'an invalid invoice',
      'invoices',
      invoice({ Status: 'Invalid', ErrorCode: 10106, ErrorMessage: 'no' }),
      { status: 'invalid', code: '10106', statusText: 'no' },
    ],
    [
      'a date with seven decimals and no zone',
      'invoices',
      invoice({ Date: '2026-11-21T08:00:00.1234567' }),
      { atMs: at + 123 },
    ],
    [
      'a date with an offset',
      'invoices',
      invoice({ Date: '2026-11-21T09:00:00+01:00' }),
      { atMs: at },
    ],
    [
      'a webhook',
      'app-payments',
      notification(),
      { kind: 'appPayment', status: 'reserved', externalId: 'order-7', atMs: at },
    ],
    [
      'a webhook of a cancellation',
      'app-payments',
      notification({ eventType: 'payment.cancelled_by_user' }),
      { kind: 'appPayment', status: 'cancelledbyuser' },
    ],
    [
      'a webhook of a payment point',
      'app-payments',
      notification({ eventType: 'paymentpoint.activated' }),
      { kind: 'paymentPoint', status: 'activated' },
    ],
    [
      'a webhook of a transfer',
      'app-payments',
      notification({ eventType: 'transfer.succeeded' }),
      { kind: 'transfer', status: 'succeeded' },
    ],
    [
      'a webhook that nobody knows',
      'app-payments',
      notification({ eventType: 'Weather' }),
      { kind: 'notice', status: 'weather' },
    ],
    [
      'a check-in',
      'checkin',
      checkIn(),
      { kind: 'checkin', status: 'checkedin', externalId: 'lane-1' },
    ],
  ])('%s', async (_what, path, sent, inside) => {
    expect((await callbacks.post(path, [sent])).status).toBe(200);
    expect(records()).toEqual([expect.objectContaining(inside)]);
  });
});

describe('in a batch', () => {
  const bad: [string, Path, object, string][] = [
    [
      'no id',
      'subscription-payments',
      payment({ payment_id: undefined }),
      'payment_id must be a string',
    ],
    [
      'an id that is none',
      'subscription-payments',
      payment({ payment_id: 'a b' }),
      'payment_id must be an identifier',
    ],
    [
      'an id that is too long',
      'subscription-payments',
      payment({ payment_id: 'x'.repeat(65) }),
      'payment_id must be an identifier',
    ],
    [
      'three decimals',
      'subscription-payments',
      payment({ amount: '12.500' }),
      'amount must be an amount with two decimals',
    ],
    [
      'one decimal',
      'subscription-payments',
      payment({ amount: '12.5' }),
      'amount must be an amount with two decimals',
    ],
    [
      'a number with three decimals',
      'subscription-payments',
      payment({ amount: 12.505 }),
      'amount must be an amount with two decimals',
    ],
    ['no status', 'agreements', agreement({ status: undefined }), 'status must be a string'],
    ['an empty status', 'refunds', refund({ status: '' }), 'status must be the name of a status'],
    [
      'a code that is a list',
      'refunds',
      refund({ status_code: [0] }),
      'status_code must be a number or a string',
    ],
    [
      'a date that is none',
      'invoices',
      invoice({ Date: 'yesterday' }),
      'Date must be a date and time',
    ],
    ['a sequence with decimals', 'invoices', invoice({ Sequence: 0.5 }), 'Sequence must be an int'],
    ['no data', 'app-payments', notification({ data: null }), 'data must be an object'],
  ];
  const good = new Map(oneOfEach);
  test.each(bad)(
    'one with %s is set aside with its reason, and the others are kept',
    async (_what, path, wrong, reason) => {
      const right = good.get(path) as () => object;
      const answer = await callbacks.post(path, [right(), wrong, right()]);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        200,
        { stored: 2, repeated: 0, rejected: 1 },
      ]);
      expect(stored()).toHaveLength(2);
      expect(callbacks.store.rejected()).toEqual([
        {
          number: 1,
          receivedAtMs: callbacks.clock.wallMs(),
          endpoint: `/callbacks/${path}`,
          reason: expect.stringContaining(reason),
          raw: JSON.stringify(wrong),
        },
      ]);
    },
  );

  test.each(bad)(
    'of nothing but ones with %s the answer is 400 with the reason, and they are set aside once',
    async (_what, path, wrong, reason) => {
      for (const _repetition of [1, 2]) {
        const answer = await callbacks.post(path, [wrong]);
        expect([answer.status, JSON.parse(answer.text)]).toEqual([
          400,
          { reason: expect.stringContaining(reason) },
        ]);
      }
      expect(callbacks.store.rejected()).toHaveLength(1);
      expect(stored()).toEqual([]);
    },
  );

  test('names of fields that mean something to JavaScript mean nothing here', async () => {
    const answer = await callbacks.post(
      'agreements',
      JSON.stringify(agreement()).replace(
        '{',
        '{"__proto__":{"status":"x"},"constructor":1,"toString":2,',
      ),
    );
    expect(answer.status).toBe(200);
    expect(records()[0]).toMatchObject({
      status: 'accepted',
      raw: expect.stringContaining('"__proto__"'),
    });
  });
});

test('a consumer reads on where it stopped, in order, and page by page', async () => {
  await callbacks.post('subscription-payments', [
    payment({ external_id: 'a' }),
    payment({ external_id: 'b' }),
  ]);
  await callbacks.post('subscription-payments', payment({ external_id: 'c' }));
  const { store } = callbacks;
  expect(store.since(0, 2).map(({ seq, record }) => [seq, record.externalId])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  expect(store.since(2).map(({ seq, record }) => [seq, record.externalId])).toEqual([[3, 'c']]);
  expect(store.since(3)).toEqual([]);
});

describe('a body that no service sends is refused as a whole before it is parsed', () => {
  const whole = JSON.stringify(agreement());
  const nested = (levels: number): string =>
    `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const batches = [
    'subscription-payments',
    'agreements',
    'refunds',
    'invoices',
    'app-payments',
  ] as const;

  test.each(batches.filter((path) => path !== 'app-payments'))(
    'more than 10,000 records at %s',
    async (path) => {
      const answer = await callbacks.post(
        path,
        `[${Array.from({ length: 10_001 }, () => '{}').join()}]`,
      );
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        { reason: 'the body must hold at most 10000 records' },
      ]);
    },
  );

  test.each(oneOfEach)(
    'a record deeper than 32 levels at %s, and one of 32 is not',
    async (path, one) => {
      const [deep, tooDeep] = [31, 32].map((levels) =>
        JSON.stringify(one()).replace('{', `{"deep":${nested(levels)},`),
      );
      expect((await callbacks.post(path, deep)).status).toBe(200);
      const answer = await callbacks.post(path, tooDeep);
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        { reason: 'a record must not be nested deeper than 32 levels' },
      ]);
    },
  );

  test.each(batches)('something that is no object among the records at %s', async (path) => {
    const answer = await callbacks.post(path, `[${whole},0]`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { reason: 'record 2 must be an object' },
    ]);
  });

  afterEach(() => {
    expect(callbacks.store.rejected()).toEqual([]);
    expect(stored().filter(({ record }) => !record.raw.includes('"deep"'))).toEqual([]);
  });
});
