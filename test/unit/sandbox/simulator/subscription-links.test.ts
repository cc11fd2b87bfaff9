/**
 * Where links of agreements and one-off payments lead, where callbacks may go, and what bounds a
 * one-off payment.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { Merchant, providerId } from './subscriptions-support.ts';

let shop: Merchant;
beforeEach(async () => {
  shop = await new Merchant().start();
});
afterEach(() => shop.stop());

const provider = `/subscriptions/api/providers/${providerId}`;
const welcome = 'https://shop.example/welcome';
const paid = 'https://shop.example/paid';
const decide = (agreementId: string, paymentId: string, value: 'Accepted' | 'Rejected') =>
  shop.sandbox.simulateOneOffDecision({
    agreementId,
    paymentId,
    body: [{ op: 'replace', path: '/status', value }],
  });
const stateOf = (id: string): object | undefined => {
  const { agreements, oneOffs } = (
    shop.service.simulator.state() as {
      subscriptions: { agreements: { agreementId: string }[]; oneOffs: { paymentId: string }[] };
    }
  ).subscriptions;
  return (
    agreements.find(({ agreementId }) => agreementId === id) ??
    oneOffs.find(({ paymentId }) => paymentId === id)
  );
};

describe('the address for payment callbacks', () => {
  const replace = (value: string) =>
    shop.call('PATCH', provider, [{ op: 'replace', path: '/payment_status_callback_url', value }]);

  test.each([
    'http://shop.example/callbacks',
    'http://shop.example:80/callbacks',
    'https://shop.example/callbacks',
    'https://shop.example:443/callbacks',
  ])('may be %s', async (value) => {
    expect(await replace(value)).toMatchObject({ status: 204 });
    await shop.client.updateSubscriptionProvider({
      providerId,
      body: [{ op: 'replace', path: '/payment_status_callback_url', value }],
    });
    expect(
      (await shop.client.getSubscriptionProvider({ providerId })).payment_status_callback_url,
    ).toBe(value);
  });

  test.each(['ftp://shop.example/callbacks', 'shop.example/callbacks'])(
    'may not be %s',
    async (value) => {
      expect(await replace(value)).toMatchObject({ status: 400 });
    },
  );
});

describe('a decision', () => {
  test.each(['accept', 'reject'])(
    'to %s an agreement says where the user goes on',
    async (decision) => {
      const agreementId = await shop.pendingAgreement();
      expect(stateOf(agreementId)).toMatchObject({ userSentTo: null });
      expect(await shop.testEndpoint(`${decision}-agreement`, { agreementId })).toMatchObject({
        status: 200,
        body: { redirectUri: welcome },
      });
      expect(stateOf(agreementId)).toMatchObject({ userSentTo: welcome });
    },
  );

  test('in the sandbox is followed by the redirect too', async () => {
    const agreementId = await shop.acceptedAgreement();
    expect(stateOf(agreementId)).toMatchObject({ userSentTo: welcome });
    const paymentId = await shop.oneOff(agreementId);
    await decide(agreementId, paymentId, 'Rejected');
    expect(stateOf(paymentId)).toMatchObject({ userSentTo: welcome });
  });

  test('that the merchant’s own page takes names that page', async () => {
    const href = 'https://shop.example/leave';
    const agreementId = await shop.acceptedAgreement({
      links: [...shop.agreement().links, { rel: 'cancel-redirect', href }],
    });
    const refused = await shop.testEndpoint('cancel-agreement', { agreementId });
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(href) },
    });
  });

  test('that time takes leads nowhere', async () => {
    const agreementId = await shop.pendingAgreement();
    await shop.service.simulator.advance(5 * 60_000);
    expect(stateOf(agreementId)).toMatchObject({ status: 'Expired', userSentTo: null });
  });
});

describe('the links of a one-off payment', () => {
  const links = () => [
    { rel: 'user-redirect', href: paid },
    { rel: 'success-callback', href: shop.url('/one-off/success') },
    { rel: 'cancel-callback', href: shop.url('/one-off/cancel') },
  ];

  test('lead the user back to its own page, from the app’s landing page too', async () => {
    const agreementId = await shop.acceptedAgreement();
    const body = {
      amount: minorUnits(80_00),
      description: 'Boots',
      external_id: 'ONE-OFF-1',
      links: links(),
    };
    const answer = await shop.client.requestOneOff({
      providerId,
      agreementId,
      body: body as Parameters<Merchant['client']['requestOneOff']>[0]['body'],
    });
    expect(answer.links).toMatchObject([{ rel: 'service-pay' }]);
    expect(new URL(answer.links?.[0]?.href ?? '').searchParams.get('redirectUrl')).toBe(paid);
    expect(await shop.testEndpoint('accept-one-off', { paymentId: answer.id })).toMatchObject({
      status: 200,
      body: { redirectUri: paid },
    });
    const plain = await shop.oneOff(agreementId, { external_id: 'ONE-OFF-2' });
    expect(await shop.testEndpoint('reject-one-off', { paymentId: plain })).toMatchObject({
      body: { redirectUri: welcome },
    });
  });

  test.each([
    ['Accepted', 'success', 'Reserved', 0],
    ['Rejected', 'cancel', 'Rejected', 50_001],
  ] as const)(
    'are called when it is %s, beside the provider’s address',
    async (decision, link, status, status_code) => {
      const agreementId = await shop.acceptedAgreement();
      const paymentId = await shop.oneOff(agreementId, { links: links() });
      await decide(agreementId, paymentId, decision);
      const told = [{ payment_id: paymentId, status, status_code, external_id: 'ONE-OFF-1' }];
      expect(await shop.callbacks(`/one-off/${link}`)).toMatchObject(told);
      expect(await shop.callbacks('/payments')).toMatchObject(told);
      expect(await shop.callbacks(`/one-off/${link === 'success' ? 'cancel' : 'success'}`)).toEqual(
        [],
      );
    },
  );

  test('are called when nobody decides in time', async () => {
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.oneOff(agreementId, {
      links: links(),
      expiration_timeout_minutes: 1,
    });
    await shop.service.simulator.advance(60_000);
    expect(await shop.callbacks('/one-off/cancel')).toMatchObject([
      { payment_id: paymentId, status: 'Expired', status_code: 50_008 },
    ]);
  });

  test('with a cancel-redirect leave the rejection to the merchant’s page', async () => {
    const agreementId = await shop.acceptedAgreement();
    const href = 'https://shop.example/reject';
    const paymentId = await shop.oneOff(agreementId, { links: [{ rel: 'cancel-redirect', href }] });
    expect(await shop.testEndpoint('reject-one-off', { paymentId })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining(href) },
    });
    expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Requested');
  });

  test('at another port than 80 and 443 are not sent by the client', async () => {
    const agreementId = await shop.acceptedAgreement();
    const there = [{ rel: 'success-callback', href: 'https://shop.example:8443/' }];
    await expect(shop.oneOff(agreementId, { links: there })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      field: 'links.0.href',
    });
  });
});

describe('the highest amount of a payment', () => {
  const wish = (amount: number) => ({ amount, description: 'Boots', external_id: 'ONE-OFF-1' });

  test.each([
    ['DK', 'DKK', 300_000],
    ['FI', 'EUR', 2_000],
  ])(
    'of a merchant in %s bounds one-off payments, alone and in an agreement',
    async (country_code, currency, max) => {
      const agreementId = await shop.acceptedAgreement({ country_code, currency });
      const oneOffs = `${provider}/agreements/${agreementId}/oneoffpayments`;
      const refused = {
        status: 400,
        body: {
          error: 'BadRequest',
          error_description: { message: expect.stringContaining('amount') },
        },
      };
      expect(await shop.call('POST', oneOffs, wish(max + 0.01))).toMatchObject(refused);
      expect(await shop.call('POST', oneOffs, wish(max))).toMatchObject({ status: 202 });
      const agreement = { ...shop.agreement({ country_code, currency }), amount: null };
      const count = shop.service.simulator.state();
      expect(
        await shop.call('POST', `${provider}/agreements`, {
          ...agreement,
          one_off_payment: wish(max + 0.01),
        }),
      ).toMatchObject(refused);
      expect(shop.service.simulator.state()).toEqual(count);
      expect(
        await shop.call('POST', `${provider}/agreements`, {
          ...agreement,
          one_off_payment: wish(max),
        }),
      ).toMatchObject({ status: 201 });
    },
  );
});

describe('details inside a one-off payment', () => {
  const details = {
    invoice_number: '4711',
    total_amount: minorUnits(80_00),
    articles: [{ article_description: 'Boots' }],
  };
  const read = (paymentId: string) => shop.client.getAttachment({ providerId, paymentId });
  const stored = { attachment_details: { invoice_number: '4711', total_amount: 80_00 } };

  test('are its attachment', async () => {
    const agreementId = await shop.acceptedAgreement();
    expect(
      await read(await shop.oneOff(agreementId, { attachment_details: details })),
    ).toMatchObject(stored);
  });

  test('are its attachment too where it comes with an agreement', async () => {
    const one_off_payment = {
      amount: minorUnits(80_00),
      external_id: 'FIRST',
      attachment_details: details,
    };
    const { one_off_payment_id: paymentId } = await shop.client.createAgreement({
      providerId,
      body: shop.agreement({ one_off_payment }),
    });
    expect(await read(paymentId as string)).toMatchObject(stored);
  });

  test('of another name are refused, and not dropped', async () => {
    const agreementId = await shop.acceptedAgreement();
    await expect(shop.oneOff(agreementId, { invoice: details })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      field: 'invoice',
    });
  });
});

describe('a correlation id', () => {
  const unknown = `${provider}/agreements/00000000-0000-4000-8000-00000000dead/oneoffpayments`;

  test('of subscriptions is any text, which refusals and the log of requests name', async () => {
    const CorrelationId = 'order 7 / till 3';
    const answer = await shop.call('POST', `${provider}/agreements`, {}, { CorrelationId });
    expect(answer).toMatchObject({
      status: 400,
      body: { error_description: { correlation_id: CorrelationId } },
    });
    await shop.client
      .listOneOffs(
        { providerId, agreementId: '00000000-0000-4000-8000-00000000dead' },
        { correlationId: CorrelationId },
      )
      .catch(() => {});
    const pages = shop.service.simulator
      .requests()
      .filter(({ correlationId }) => correlationId === CorrelationId);
    expect(pages.map(({ path }) => path)).toEqual([`${provider}/agreements`, unknown]);
  });

  test('of app payments is a UUID: another text is replaced', async () => {
    const answer = await shop.call('POST', '/v1/payments', {}, { CorrelationId: 'order 7' });
    expect(answer.body?.['correlationId']).toMatch(/^[0-9a-f-]{36}$/);
  });
});
