/**
 * The subscriptions client: what may be sent, to each limit and one beyond it, and what to ask when
 * an answer was lost.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Merchant, providerId } from '../../sandbox/simulator/subscriptions-support.ts';

let shop: Merchant;
let agreementId: string;
let oneOffId: string;
beforeAll(async () => {
  shop = await new Merchant().start();
  agreementId = await shop.acceptedAgreement();
  oneOffId = await shop.oneOff(agreementId);
});
afterAll(() => shop.stop());
afterEach(() => shop.service.simulator.faults.clear());

const x = (length: number): string => 'x'.repeat(length);
const links = (rel: string, href: string) => [
  ...['user-redirect', 'success-callback', 'cancel-callback']
    .filter((one) => one !== rel)
    .map((one) => ({ rel: one, href: 'https://shop.example/' })),
  { rel, href },
];
const details = (about: object): object => ({
  attachment_details: {
    total_amount: 1,
    articles: [{ article_description: 'Newspaper' }],
    ...about,
  },
});
const article = (about: object): object =>
  details({ articles: [{ article_description: 'Newspaper', ...about }] });
const replace = (path: string, value: unknown, about: object = {}) => [
  { op: 'replace', path, value, ...about },
];

const places = {
  agreement: () => ({ method: 'POST', path: '/agreements', usual: { ...shop.agreement() } }),
  oneOff: () => ({
    method: 'POST',
    path: `/agreements/${agreementId}/oneoffpayments`,
    usual: { amount: 1, description: 'Boots', external_id: '1' },
  }),
  refund: () => ({
    method: 'POST',
    path: `/agreements/${agreementId}/payments/${oneOffId}/refunds`,
    usual: {},
  }),
  attachment: () => ({ method: 'PUT', path: `/payments/${oneOffId}/attachment`, usual: {} }),
  update: () => ({ method: 'PATCH', path: `/agreements/${agreementId}`, usual: [] }),
  provider: () => ({ method: 'PATCH', path: '', usual: [] }),
  oauth2: () => ({
    method: 'PUT',
    path: '/auth/oauth2',
    usual: { client_id: 'a', client_secret: 'b', token_url: 'https://shop.example/token' },
  }),
  apiKey: () => ({ method: 'PUT', path: '/auth/apikey', usual: {} }),
  basic: () => ({ method: 'PUT', path: '/auth/basic', usual: { user_name: 'a', password: 'b' } }),
};
type Place = keyof typeof places;

async function complaint(place: Place, about: object): Promise<string | null> {
  const { method, path, usual } = places[place]();
  const body = Array.isArray(about) ? about : { ...usual, ...about };
  const answer = await shop.call(method, `/subscriptions/api/providers/${providerId}${path}`, body);
  if (answer.status < 300) return null;
  expect(answer.status, JSON.stringify(answer.body)).toBe(400);
  const said = answer.body as {
    error_description?: { message: string };
    errorDetails?: { message: string };
  };
  return said.error_description?.message ?? said.errorDetails?.message ?? '';
}

describe('the service takes', () => {
  const good: [Place, object][] = [
    ['agreement', { expiration_timeout_minutes: 1 }],
    ['agreement', { expiration_timeout_minutes: 181_440 }],
    ['agreement', { plan: x(30), external_id: x(64), description: x(60) }],
    ['agreement', { plan: '', external_id: '', description: '' }],
    ['agreement', { amount: 0 }],
    ['agreement', { amount: -0.01 }],
    ['agreement', { amount: 2_147_483_648, mobile_phone_number: '20 03 18 01' }],
    ['agreement', { one_off_payment: { amount: 1, external_id: '1', description: x(61) } }],
    ['oneOff', { description: x(61) }],
    ['attachment', details({ consumer_phone_number: '+45 20 03 18 01' })],
    [
      'agreement',
      {
        amount: null,
        external_id: null,
        description: null,
        frequency: null,
        next_payment_date: null,
        one_off_payment: null,
      },
    ],
    ...[0, 1, 2, 4, 12, 26, 52, 365].map((frequency): [Place, object] => [
      'agreement',
      { frequency },
    ]),
    ['agreement', { retention_period_hours: 0 }],
    ['agreement', { retention_period_hours: 24 }],
    ['agreement', { country_code: 'FI', currency: 'EUR' }],
    [
      'agreement',
      {
        mobile_phone_number: '4520031801',
        disable_notification_management: true,
        notifications_on: false,
      },
    ],
    ['agreement', { links: links('cancel-redirect', 'https://shop.example/bye') }],
    ['agreement', { links: links('user-redirect', 'shop://welcome') }],
    [
      'agreement',
      {
        one_off_payment: {
          amount: 0.01,
          external_id: x(30),
          description: x(60),
          expiration_timeout_minutes: 181_440,
        },
      },
    ],
    [
      'oneOff',
      {
        amount: 0.01,
        external_id: x(64),
        description: x(60),
        expiration_timeout_minutes: 1,
        auto_reserve: false,
        links: null,
      },
    ],
    ['oneOff', { amount: 300_000 }],
    ['oneOff', details({})],
    ['oneOff', { attachment_details: null, remark: 'no object' }],
    ['agreement', { one_off_payment: { amount: 1, external_id: '1', ...details({}) } }],
    ['refund', { amount: null, status_callback_url: null, external_id: null }],
    ['refund', { amount: 2_147_483_647 }],
    ['refund', { external_id: x(1_000) }],
    [
      'attachment',
      { external_attachment_url: 'https://shop.example/invoice.pdf', generate_pdf: false },
    ],
    [
      'attachment',
      details({
        document_title: x(60),
        payment_reference: x(60),
        consumer_phone_number: '+4520031801',
      }),
    ],
    ['attachment', details({ due_date: '2026-11-21' })],
    ['attachment', details({ due_date: '2027-12-26T23:59:59Z' })],
    [
      'attachment',
      details({
        total_vat_amount: -1.25,
        price_discount: -3,
        price_reduction: 0,
        bonus: 0,
        total_amount_ex_vat: -1,
        total_amount: 0.01,
      }),
    ],
    [
      'attachment',
      article({
        quantity: 1.0123456789,
        price_per_unit: -0.0000000001,
        total_vat_amount: -1,
        total_price_including_vat: -1.25,
        vat_rate: 25.5,
      }),
    ],
    ['update', replace('/amount', 0)],
    ['update', replace('/frequency', 365)],
    ['update', replace('/plan', 'Basic', { from: null })],
    ['provider', replace('/payment_status_callback_url', 'https://shop.example/callbacks')],
    ['provider', replace('/payment_status_callback_url', 'http://shop.example/callbacks')],
    ['oauth2', { scope: null }],
  ];
  test.each(good)('%s %o', async (place, about) => {
    expect(await complaint(place, about)).toBeNull();
  });
});

describe('the service refuses', () => {
  const bad: [Place, object, string][] = [
    [
      'agreement',
      { expiration_timeout_minutes: 0 },
      'expiration_timeout_minutes: must be at least 1',
    ],
    [
      'agreement',
      { expiration_timeout_minutes: 181_441 },
      'expiration_timeout_minutes: must be at most 181440',
    ],
    [
      'agreement',
      { expiration_timeout_minutes: 1.5 },
      'expiration_timeout_minutes: must be a whole number',
    ],
    ['agreement', { plan: x(31) }, 'plan: has more than 30 characters'],
    ['agreement', { external_id: x(65) }, 'external_id: has more than 64 characters'],
    ['agreement', { description: x(61) }, 'description: has more than 60 characters'],
    ['agreement', { amount: 1.005 }, 'amount: has more than two decimals'],
    ['agreement', { frequency: 3 }, 'frequency: must be 0, 1, 2, 4, 12, 26, 52 or 365'],
    ['agreement', { retention_period_hours: 25 }, 'retention_period_hours: must be at most 24'],
    ['agreement', { retention_period_hours: -1 }, 'retention_period_hours: must be at least 0'],
    ['agreement', { country_code: 'SE' }, 'country_code: must be DK or FI'],
    ['agreement', { currency: 'SEK' }, 'currency: must be DKK or EUR'],
    ['agreement', { currency: 'EUR' }, 'currency: must be DKK in DK and EUR in FI'],
    [
      'agreement',
      { links: [] },
      'links: must hold user-redirect, success-callback, cancel-callback',
    ],
    [
      'agreement',
      { links: [...links('cancel-redirect', 'https://shop.example/bye')].slice(1) },
      'links: must hold user-redirect, success-callback, cancel-callback',
    ],
    [
      'agreement',
      { links: links('cancel-redirect', 'http://shop.example/bye') },
      'links.3.href: must be an address with https',
    ],
    [
      'agreement',
      { links: links('success-callback', 'shop://welcome') },
      'links.2.href: must be an address with https, or http',
    ],
    [
      'agreement',
      { links: links('elsewhere', 'https://shop.example/') },
      'links.3.rel: must be user-redirect, success-callback, cancel-callback or cancel-redirect',
    ],
    [
      'agreement',
      { one_off_payment: { amount: 0, external_id: '1' } },
      'one_off_payment.amount: must be at least 0.01',
    ],
    [
      'agreement',
      { one_off_payment: { amount: 1, external_id: x(31) } },
      'one_off_payment.external_id: has more than 30 characters',
    ],
    ['oneOff', { amount: 0 }, 'amount: must be at least 0.01'],
    ['oneOff', { amount: 2_147_483_647.01 }, 'amount: must be at most 2147483647'],
    ['oneOff', { external_id: x(65) }, 'external_id: has more than 64 characters'],
    [
      'oneOff',
      { expiration_timeout_minutes: 181_441 },
      'expiration_timeout_minutes: must be at most 181440',
    ],
    [
      'oneOff',
      details({ total_amount: 0 }),
      'attachment_details.total_amount: must be at least 0.01',
    ],
    [
      'oneOff',
      details({ due_date: '2026-11-20' }),
      'attachment_details.due_date: must be between today and 400 days ahead',
    ],
    [
      'oneOff',
      { invoice: { total_amount: 1 } },
      'invoice: is not kept: details belong in attachment_details',
    ],
    [
      'agreement',
      { one_off_payment: { amount: 1, external_id: '1', details: [] } },
      'one_off_payment.details: is not kept: details belong in attachment_details',
    ],
    [
      'agreement',
      { one_off_payment: { amount: 1, external_id: '1', ...details({ articles: [] }) } },
      'one_off_payment.attachment_details.articles: must hold an article',
    ],
    [
      'agreement',
      { one_off_payment: { amount: 1, external_id: '1', ...details({ due_date: '2027-12-27' }) } },
      'one_off_payment.attachment_details.due_date: must be between today and 400 days ahead',
    ],
    ['refund', { amount: 0 }, 'amount: must be at least 0.01'],
    [
      'refund',
      { status_callback_url: 'nowhere' },
      'status_callback_url: must be an address with https, or http',
    ],
    [
      'attachment',
      { external_attachment_url: 'https://shop.example/', generate_pdf: true },
      'generate_pdf: must be false with an external_attachment_url',
    ],
    [
      'attachment',
      { generate_pdf: true },
      'generate_pdf: must be false without attachment_details',
    ],
    [
      'attachment',
      details({ total_amount: 0 }),
      'attachment_details.total_amount: must be at least 0.01',
    ],
    [
      'attachment',
      details({ total_amount: 1.001 }),
      'attachment_details.total_amount: has more than two decimals',
    ],
    [
      'attachment',
      details({ total_amount: undefined }),
      'attachment_details.total_amount: Invalid input: expected number, received undefined',
    ],
    [
      'attachment',
      details({ document_title: x(61) }),
      'attachment_details.document_title: has more than 60 characters',
    ],
    [
      'attachment',
      details({ payment_reference: x(61) }),
      'attachment_details.payment_reference: has more than 60 characters',
    ],
    [
      'attachment',
      details({ consumer_phone_number: '4520031801' }),
      'attachment_details.consumer_phone_number: must begin with a plus sign and the country code',
    ],
    [
      'attachment',
      details({ due_date: '2026-11-20' }),
      'attachment_details.due_date: must be between today and 400 days ahead',
    ],
    [
      'attachment',
      details({ due_date: '2027-12-27' }),
      'attachment_details.due_date: must be between today and 400 days ahead',
    ],
    [
      'attachment',
      details({ issue_date: 'today' }),
      'attachment_details.issue_date: must be a date-time, e.g. 2026-11-21T09:00:00Z',
    ],
    [
      'attachment',
      details({ price_reduction: -1 }),
      'attachment_details.price_reduction: must be at least 0',
    ],
    ['attachment', details({ bonus: -1 }), 'attachment_details.bonus: must be at least 0'],
    ['attachment', details({ articles: [] }), 'attachment_details.articles: must hold an article'],
    [
      'attachment',
      article({ article_description: '' }),
      'attachment_details.articles.0.article_description: must not be empty',
    ],
    [
      'attachment',
      article({ quantity: 0.00000000001 }),
      'attachment_details.articles.0.quantity: has more than ten decimals',
    ],
    [
      'attachment',
      article({ price_per_unit: 1.12345678901 }),
      'attachment_details.articles.0.price_per_unit: has more than ten decimals',
    ],
    ['update', [], 'body: must hold a replacement'],
    [
      'update',
      replace('/status', 'Accepted'),
      '0.path: must be a path that can be replaced, e.g. /amount',
    ],
    ['update', replace('amount', 1), '0.path: must be a path that can be replaced, e.g. /amount'],
    [
      'update',
      replace('/amount', 1, { op: 'add' }),
      '0.op: must be replace: no other operation is available',
    ],
    ['update', replace('/plan', x(31)), '0.value: has more than 30 characters'],
    [
      'update',
      replace('/cancel-redirect', 'http://shop.example/'),
      '0.value: must be an address with https',
    ],
    [
      'provider',
      replace('/payment_status_callback_url', 'ftp://shop.example/'),
      '0.value: must be an address with https, or http',
    ],
    ['oauth2', { token_url: 'token' }, 'token_url: must be an address with https, or http'],
    ['oauth2', { client_id: '' }, 'client_id: must not be empty'],
    ['apiKey', { api_key: '' }, 'api_key: must not be empty'],
    ['basic', { password: '' }, 'password: must not be empty'],
  ];
  test.each(bad)('%s %o', async (place, about, said) => {
    expect(await complaint(place, about)).toBe(said);
  });

  test('a list of agreements asked for with no page is the first one', async () => {
    const [page] = await shop.client.listAgreements({ providerId, query: {} });
    expect(page).toMatchObject({
      page_size: 100,
      agreements: expect.arrayContaining([expect.objectContaining({ id: agreementId })]),
    });
    expect(
      await shop.client.listAgreements({
        providerId,
        query: { pageNumber: null, pageSize: null, status: null },
      }),
    ).toEqual([page]);
  });

  test.each(['?pageNumber=0', '?pageNumber=1&status=Active', '?pageNumber=1&pageSize=0'])(
    'a list of agreements asked for with "%s"',
    async (query) => {
      expect(
        await shop.call('GET', `/subscriptions/api/providers/${providerId}/agreements${query}`),
      ).toMatchObject({ status: 400 });
    },
  );
});

describe('a callback address at another port than 80 and 443', () => {
  const elsewhere = 'https://shop.example:8443/callbacks';
  const refused = (field: string) =>
    expect.objectContaining({ name: 'InvalidRequestError', field });
  test('is not sent, because the service would take it and deliver nothing there', async () => {
    const { client } = shop;
    const about = { providerId, agreementId, paymentId: oneOffId };
    await expect(
      shop.pendingAgreement({ links: links('cancel-callback', elsewhere) }),
    ).rejects.toEqual(refused('links.2.href'));
    await expect(
      client.requestSubscriptionRefund({ ...about, body: { status_callback_url: elsewhere } }),
    ).rejects.toEqual(refused('status_callback_url'));
    await expect(
      client.updateSubscriptionProvider({
        providerId,
        body: [{ op: 'replace', path: '/payment_status_callback_url', value: elsewhere }],
      }),
    ).rejects.toEqual(refused('0.value'));
    await expect(
      client.updateAgreement({
        ...about,
        body: [{ op: 'replace', path: '/success-callback', value: elsewhere }],
      }),
    ).rejects.toEqual(refused('0.value'));
    expect(
      await complaint('provider', replace('/payment_status_callback_url', elsewhere)),
    ).toBeNull();
  });
  test('is good for people: they are sent, not called', async () => {
    expect(await shop.pendingAgreement({ links: links('user-redirect', elsewhere) })).toEqual(
      expect.any(String),
    );
  });
});

describe('the agreements', () => {
  test('come one after the other, however many pages they fill', async () => {
    const other = await new Merchant().start();
    const ids: string[] = [];
    for (let number = 0; number < 4; number += 1) ids.push(await other.pendingAgreement());
    await other.testEndpoint('accept-agreement', { agreementId: ids[2] as string });
    const all = async (about: object): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of other.client.agreements({ providerId, ...about })) found.push(id);
      return found;
    };
    expect(await all({})).toEqual(ids);
    expect(await all({ pageSize: 2 })).toEqual(ids);
    expect(await all({ pageSize: 3 })).toEqual(ids);
    expect(await all({ status: 'Accepted' })).toEqual([ids[2]]);
    expect(await all({ status: 'Expired' })).toEqual([]);
    await other.stop();
  });
});
