/**
 * Payments of agreements as the simulator serves them: requests and their nights, one-offs,
 * refunds, and every callback.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import {
  days,
  hours,
  Merchant,
  providerId,
  refusedWith,
  unknownId,
  user,
} from './subscriptions-support.ts';

let shop: Merchant;
beforeEach(async () => {
  shop = await new Merchant().start();
});
afterEach(() => shop.stop());

const money = () => shop.world.ledger.movements.map(({ type, amountMinor }) => [type, amountMinor]);

describe('a payment request', () => {
  const declines: [number, object | ((agreementId: string) => Promise<object>), string][] = [
    [50_010, { agreement_id: unknownId }, 'Agreement does not exist.'],
    [
      50_003,
      async () => ({ agreement_id: await shop.pendingAgreement() }),
      'Declined by system: Agreement is not Active state.',
    ],
    [
      50_011,
      { due_date: '2026-11-21' },
      'Due date of the payment must be at least 1 day in the future.',
    ],
    [50_012, { due_date: '2027-03-28' }, 'Due date must be no more than 126 days in the future.'],
    [
      50_004,
      async (agreementId) => (await shop.requested(agreementId), {}),
      'Declined by system: Another payment is already due.',
    ],
    [
      50_009,
      async () => (await shop.testEndpoint('block-user', { phoneNumber: user }), {}),
      'Declined due to user status.',
    ],
    [50_006, { amount: 300_000.01 }, 'Declined by system.'],
  ];
  test.each(declines)(
    'is taken, and declined with %i in the next batch',
    async (status_code, about, status_text) => {
      const agreementId = await shop.acceptedAgreement();
      const paymentId = await shop.requested(
        agreementId,
        typeof about === 'function' ? await about(agreementId) : about,
      );
      expect(await shop.callbacks('/payments')).toEqual([]);
      expect(await shop.paymentCallbacks()).toMatchObject([
        {
          payment_id: paymentId,
          status: 'Declined',
          status_code,
          status_text,
          amount: expect.stringMatching(/\.\d\d$/),
        },
      ]);
    },
  );

  test.each([
    { due_date: '2026-11-22' },
    { due_date: '2027-03-27' },
    { amount: 300_000 },
    { external_id: 'ANOTHER' },
  ])('is not declined at the edge: %o', async (about) => {
    const agreementId = await shop.acceptedAgreement();
    await shop.requested(agreementId, { due_date: '2027-03-27' });
    const paymentId = await shop.requested(agreementId, { external_id: 'PAYMENT-2', ...about });
    expect(await shop.paymentCallbacks()).toEqual([]);
    expect(await shop.status(agreementId, paymentId)).toBe('Pending');
  });

  test('whose fields are bad does not stop the others of its batch', async () => {
    const agreementId = await shop.acceptedAgreement();
    const good = { ...shop.request(agreementId), amount: 1 };
    const path = `/subscriptions/api/providers/${providerId}/paymentrequests`;
    const answer = await shop.call('POST', path, [
      good,
      { ...good, amount: 0, external_id: 'BAD' },
      { ...good, external_id: 'INVOICE', invoice: { total_amount: 1 } },
      'nothing',
    ]);
    expect(answer).toMatchObject({
      status: 202,
      body: {
        pending_payments: [{ external_id: 'PAYMENT-1' }],
        rejected_payments: [
          { external_id: 'BAD', error_description: 'amount: must be at least 0.01' },
          {
            external_id: 'INVOICE',
            error_description:
              'invoice: is not kept: details belong in the attachment of the payment',
          },
          { external_id: null, error_description: expect.any(String) },
        ],
      },
    });
    expect(await shop.call('POST', path, [])).toMatchObject({
      status: 400,
      body: { error: 'BadRequest', error_description: { error_type: 'InputError' } },
    });
    expect(
      await shop.call(
        'POST',
        path,
        Array.from({ length: 2001 }, () => good),
      ),
    ).toMatchObject({ status: 400 });
    expect(
      await shop.call(
        'POST',
        path,
        Array.from({ length: 2000 }, () => good),
      ),
    ).toMatchObject({ status: 202 });
  });

  test('is read with a date-time for the day that it is due', async () => {
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.requested(agreementId);
    expect(
      (await shop.client.getSubscriptionPayment({ providerId, agreementId, paymentId })).due_date,
    ).toBe('2026-11-23T00:00:00Z');
  });

  test('can be lowered, never raised, as long as it is pending', async () => {
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.requested(agreementId);
    const lower = (value: number) =>
      shop.client.lowerSubscriptionPayment({
        providerId,
        agreementId,
        paymentId,
        body: [{ op: 'replace', path: '/amount', value: minorUnits(value) }],
      });
    await expect(lower(12_50)).rejects.toEqual(refusedWith(400));
    await lower(12_49);
    expect(
      (await shop.client.getSubscriptionPayment({ providerId, agreementId, paymentId })).amount,
    ).toBe(12_49);
    await shop.until('2026-11-23T02:00:00');
    await expect(lower(1)).rejects.toEqual(refusedWith(400));
    expect(money()).toContainEqual(['Payment', 12_49]);
  });

  const endings: [
    string,
    string,
    number,
    string,
    (agreementId: string, paymentId: string) => Promise<unknown>,
  ][] = [
    [
      'rejected by the user',
      'Rejected',
      50_001,
      'Rejected',
      (_, paymentId) => shop.sandbox.simulatePaymentRejection({ paymentId }),
    ],
    [
      'taken back',
      'Declined',
      50_002,
      'Declined',
      (agreementId, paymentId) =>
        shop.client.declineSubscriptionPayment({ providerId, agreementId, paymentId }),
    ],
    [
      'of an agreement that the merchant cancels',
      'Declined',
      50_005,
      'Declined',
      (agreementId) => shop.client.cancelAgreement({ providerId, agreementId }),
    ],
    [
      'of an agreement that the user cancels',
      'Declined',
      50_005,
      'Rejected',
      (agreementId) => shop.testEndpoint('cancel-agreement', { agreementId }),
    ],
    [
      'of a user who is deleted',
      'Declined',
      50_005,
      'Declined',
      () => shop.testEndpoint('delete-user', { phoneNumber: user }),
    ],
  ];
  test.each(endings)(
    '%s is told as %s %i and reads %s',
    async (_, said, status_code, reads, act) => {
      const agreementId = await shop.acceptedAgreement();
      const paymentId = await shop.requested(agreementId);
      await shop.until('2026-11-22T09:00:00');
      await act(agreementId, paymentId);
      expect(await shop.paymentCallbacks()).toMatchObject([
        { payment_id: paymentId, status: said, status_code, payment_date: '2026-11-23' },
      ]);
      expect(await shop.status(agreementId, paymentId)).toBe(reads);
      expect(await shop.testEndpoint('reject-payment', { paymentId })).toMatchObject({
        status: 409,
      });
      await shop.until('2026-11-24T00:02:00');
      expect(await shop.callbacks('/payments')).toHaveLength(1);
      expect(money()).toEqual([]);
    },
  );
});

describe('a night', () => {
  test('takes the money at two, and says so after a quarter past three', async () => {
    shop.balance(100_00);
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.requested(agreementId);
    await shop.until('2026-11-23T01:59:59');
    expect(await shop.status(agreementId, paymentId)).toBe('Pending');
    await shop.until('2026-11-23T02:00:00');
    expect(await shop.status(agreementId, paymentId)).toBe('Executed');
    await shop.until('2026-11-23T03:15:00');
    expect(await shop.callbacks('/payments')).toEqual([]);
    await shop.until('2026-11-23T03:16:00');
    expect(await shop.callbacks('/payments')).toEqual([
      {
        agreement_id: agreementId,
        payment_id: paymentId,
        amount: '12.50',
        currency: 'DKK',
        payment_date: '2026-11-23',
        status: 'Executed',
        status_text: '',
        status_code: 0,
        external_id: 'PAYMENT-1',
        payment_type: 'Regular',
      },
    ]);
    expect(shop.world.ledger.movements[0]).toMatchObject({
      type: 'Payment',
      product: 'Subscription',
      paymentPointId: providerId,
      amountMinor: 12_50,
      about: { agreementId, agreementExternalId: 'AGREEMENT-1', merchantReference: 'PAYMENT-1' },
    });
    expect(shop.world.phoneByNumber(user).balanceMinor).toBe(87_50);
    expect(
      await shop.client
        .declineSubscriptionPayment({ providerId, agreementId, paymentId })
        .catch((error: unknown) => error),
    ).toEqual(refusedWith(400));
  });

  test('tries again every two hours', async () => {
    shop.balance(0);
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.requested(agreementId);
    await shop.until('2026-11-23T13:00:00');
    shop.balance(12_50);
    await shop.until('2026-11-23T13:59:59');
    expect(await shop.status(agreementId, paymentId)).toBe('Suspended');
    await shop.until('2026-11-23T14:02:00');
    expect(await shop.callbacks('/payments')).toMatchObject([{ status: 'Executed' }]);
  });

  test.each([
    [undefined, '2026-11-23T23:58:59', '2026-11-24T00:00:00'],
    [1, '2026-11-23T23:58:59', '2026-11-24T00:00:00'],
    [2, '2026-11-24T23:58:59', '2026-11-25T00:00:00'],
    [3, '2026-11-25T23:58:59', '2026-11-26T00:00:00'],
  ])(
    'gives up after 23:59 of the last of %o grace days',
    async (grace_period_days, before, after) => {
      shop.balance(0);
      const agreementId = await shop.acceptedAgreement();
      const paymentId = await shop.requested(agreementId, { grace_period_days });
      await shop.until(before);
      expect(await shop.status(agreementId, paymentId)).toBe('Suspended');
      await shop.until(after);
      expect(await shop.callbacks('/payments')).toMatchObject([
        { status: 'Failed', status_code: 50_000, status_text: '' },
      ]);
      expect(await shop.status(agreementId, paymentId)).toBe('Failed');
    },
  );

  test('of ten thousand payments is over soon, and told by a thousand every two minutes', async () => {
    const agreementId = await shop.acceptedAgreement();
    const path = `/subscriptions/api/providers/${providerId}/paymentrequests`;
    for (let batch = 0; batch < 5; batch += 1)
      await shop.call(
        'POST',
        path,
        Array.from({ length: 2000 }, (_, number) => ({
          ...shop.request(agreementId),
          amount: 1,
          external_id: `${batch}-${number}`,
        })),
      );
    await shop.until('2026-11-23T02:00:00');
    expect(shop.world.ledger.movements).toHaveLength(10_000);
    await shop.until('2026-11-23T03:36:00');
    const calls = shop.received.filter(({ path: to }) => to === '/payments');
    expect(calls.map(({ body }) => (JSON.parse(body) as unknown[]).length)).toEqual(
      Array.from({ length: 10 }, () => 1000),
    );
    expect(calls.map(({ at }) => at.slice('2026-11-23T'.length, -'.000Z'.length - 3))).toEqual([
      '03:16',
      '03:18',
      '03:20',
      '03:22',
      '03:24',
      '03:26',
      '03:28',
      '03:30',
      '03:32',
      '03:34',
    ]);
  });

  test('a payment that was requested later and is due earlier is not forgotten', async () => {
    const agreementId = await shop.acceptedAgreement();
    const later = await shop.requested(agreementId, { due_date: '2026-11-25' });
    const earlier = await shop.requested(agreementId, { due_date: '2026-11-22' });
    await shop.until('2026-11-22T02:00:00');
    expect([
      await shop.status(agreementId, later),
      await shop.status(agreementId, earlier),
    ]).toEqual(['Pending', 'Executed']);
    await shop.until('2026-11-25T02:00:00');
    expect(await shop.status(agreementId, later)).toBe('Executed');
  });
});

describe('callbacks of payments', () => {
  test('are not sent before there is an address, and what happened before is not made up for', async () => {
    await shop.stop();
    shop = await new Merchant().start({ called: false });
    const agreementId = await shop.acceptedAgreement();
    await shop.requested(agreementId, { due_date: '2026-11-21' });
    await shop.service.simulator.advance(hours(1));
    const value = shop.url('/payments');
    await shop.client.updateSubscriptionProvider({
      providerId,
      body: [{ op: 'replace', path: '/payment_status_callback_url', value }],
    });
    expect(await shop.paymentCallbacks()).toEqual([]);
    await shop.requested(agreementId, { due_date: '2026-11-21' });
    expect(await shop.paymentCallbacks()).toHaveLength(1);
  });

  test('are repeated eight times and then given up', async () => {
    shop.answers = () => ({ status: 500 });
    const agreementId = await shop.acceptedAgreement();
    shop.received.length = 0;
    await shop.oneOff(agreementId, { auto_reserve: true });
    await shop.world.outbox.settled();
    await shop.service.simulator.advance(days(5));
    const attempts = shop.received
      .filter(({ path, body }) => path === '/payments' && body.includes('Reserved'))
      .map(({ at }) => Date.parse(at));
    const waited = attempts
      .slice(1)
      .map((at, index) => (at - (attempts[index] as number)) / 60_000);
    expect(waited).toEqual([5 / 60, 10, 30, 70, 150, 310, 630, 1270]);
  });

  const ways: [string, () => Promise<unknown>, string][] = [
    [
      'with a key',
      () => shop.client.setCallbackApiKey({ providerId, body: { api_key: 'my key' } }),
      'my key',
    ],
    [
      'with a name and a password',
      () =>
        shop.client.setCallbackBasic({
          providerId,
          body: { user_name: 'shop', password: 'secret:1' },
        }),
      `Basic ${Buffer.from('shop:secret:1').toString('base64')}`,
    ],
    [
      'with a token',
      () =>
        shop.client.setCallbackOAuth2({
          providerId,
          body: {
            client_id: 'us',
            client_secret: 's',
            token_url: shop.url('/token'),
            scope: 'callbacks',
          },
        }),
      'Bearer the-token',
    ],
  ];
  test.each(ways)('%s', async (_, set, authorization) => {
    shop.answers = () => ({
      status: 200,
      body: { access_token: 'the-token', token_type: 'Bearer', expires_in: 300 },
    });
    await set();
    await shop.oneOff(await shop.acceptedAgreement(), { auto_reserve: true });
    await shop.world.outbox.settled();
    const called = shop.received.filter(({ path }) => path !== '/token');
    expect(called).toHaveLength(2);
    expect(new Map(called.map(({ path, headers }) => [path, headers.authorization]))).toEqual(
      new Map([
        ['/payments', authorization],
        ['/success', authorization],
      ]),
    );
    const tokens = shop.received.filter(({ path }) => path === '/token');
    if (authorization === 'Bearer the-token')
      expect(tokens[0]).toMatchObject({
        headers: {
          authorization: `Basic ${Buffer.from('us:s').toString('base64')}`,
          'content-type': expect.stringContaining('x-www-form-urlencoded'),
        },
        body: 'grant_type=client_credentials&scope=callbacks',
      });
  });

  test('whose token is refused are tried again later', async () => {
    let refused = true;
    shop.answers = (path) =>
      path === '/token' && refused ? { status: 401 } : { status: 200, body: { access_token: 'x' } };
    await shop.client.setCallbackOAuth2({
      providerId,
      body: { client_id: 'us', client_secret: 's', token_url: shop.url('/token') },
    });
    await shop.acceptedAgreement();
    expect(await shop.callbacks('/success')).toEqual([]);
    refused = false;
    await shop.service.simulator.advance(5_000);
    expect(await shop.callbacks('/success')).toHaveLength(1);
  });

  test('of two merchants are two calls', async () => {
    const other = shop.world.addMerchant({ vat: 'DK11111111' });
    const otherProvider = '5b5c0000-0000-4000-8000-000000000002';
    const headers = { authorization: `Bearer ${other.apiKey}` };
    const base = `/subscriptions/api/providers/${otherProvider}`;
    await shop.call(
      'PATCH',
      base,
      [{ op: 'replace', path: '/payment_status_callback_url', value: shop.url('/other') }],
      headers,
    );
    const request = (id: string) => ({ ...shop.request(unknownId), amount: 1, external_id: id });
    await shop.call('POST', `${base}/paymentrequests`, [request('1')], headers);
    await shop.requested(unknownId, { external_id: '2' });
    await shop.call('POST', `${base}/paymentrequests`, [request('3')], headers);
    await shop.service.simulator.advance(120_000);
    const called = new Map(
      shop.received.map(({ path, body }) => [
        path,
        (JSON.parse(body) as { external_id: string }[]).map((event) => event.external_id),
      ]),
    );
    expect(shop.received).toHaveLength(2);
    expect(called).toEqual(
      new Map([
        ['/other', ['1', '3']],
        ['/payments', ['2']],
      ]),
    );
  });
});
