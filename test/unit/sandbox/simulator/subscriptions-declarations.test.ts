/**
 * The simulator held against the declarations of subscriptions: each operation succeeds, each
 * refusal that is declared can be met.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { type Operation, operationPath } from '../../../../main/wallets/http/operation.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import {
  subscriptionOperations,
  subscriptionSandboxOperations,
} from '../../../../main/wallets/v10/subscriptions/subscriptions-operations.ts';
import { Merchant, providerId, unknownId, user } from './subscriptions-support.ts';

const operations: readonly Operation[] = [
  ...subscriptionOperations,
  ...subscriptionSandboxOperations,
];

let shop: Merchant;
let agreementId: string;
let paymentId: string;
let oneOffId: string;
beforeEach(async () => {
  shop = await new Merchant().start();
  agreementId = await shop.acceptedAgreement();
  paymentId = await shop.requested(agreementId);
  oneOffId = await shop.oneOff(agreementId);
});
afterEach(() => shop.stop());

const operationNamed = (name: string): Operation =>
  operations.find((operation) => operation.name === name) as Operation;
const isOneOff = (name: string): boolean => /OneOff/.test(name);

const details = { total_amount: 12.5, articles: [{ article_description: 'Newspaper' }] };
const bodies = (): Record<string, unknown> => ({
  updateSubscriptionProvider: [
    {
      op: 'replace',
      path: '/payment_status_callback_url',
      value: 'https://shop.example/callbacks',
    },
  ],
  setCallbackOAuth2: {
    client_id: 'us',
    client_secret: 'secret',
    token_url: 'https://shop.example/token',
  },
  setCallbackApiKey: { api_key: 'key' },
  setCallbackBasic: { user_name: 'us', password: 'secret' },
  createAgreement: {
    ...shop.agreement(),
    amount: 10.5,
    one_off_payment: { amount: 1, external_id: 'FIRST' },
  },
  updateAgreement: [{ op: 'replace', path: '/amount', value: 10.01 }],
  requestSubscriptionPayments: [
    { ...shop.request(agreementId), amount: 12.5, external_id: 'PAYMENT-2' },
  ],
  lowerSubscriptionPayment: [{ op: 'replace', path: '/amount', value: 12.49 }],
  requestOneOff: {
    amount: 1,
    description: 'Boots',
    external_id: 'ONE-OFF-2',
    links: [{ rel: 'user-redirect', href: 'shop://thanks' }],
  },
  putAttachment: { generate_pdf: true, attachment_details: details },
  requestSubscriptionRefund: {},
  simulateAgreementDecision: { status: 'Accepted', notifications_on: true },
  simulateAgreementCancellation: { status: 'Canceled' },
  simulateOneOffDecision: [{ op: 'replace', path: '/status', value: 'Accepted' }],
});
const attach = async (): Promise<void> => void (await call('putAttachment'));
const preparations: Record<string, () => Promise<unknown>> = {
  captureOneOff: () => shop.testEndpoint('accept-one-off', { paymentId: oneOffId }),
  getAttachment: attach,
  getAttachmentPdf: attach,
  simulateAgreementDecision: async () => (agreementId = await shop.pendingAgreement()),
  declineSubscriptionPayment: () => dayBeforeDue(),
  simulatePaymentRejection: () => dayBeforeDue(),
};
const dayBeforeDue = (): Promise<void> => shop.until('2026-11-22T09:00:00');

async function call(
  name: string,
  given: {
    ids?: Record<string, string>;
    body?: unknown;
    authorization?: string;
    query?: string;
  } = {},
) {
  const operation = operationNamed(name);
  const ids: Record<string, string> = {
    providerId,
    agreementId,
    paymentId: isOneOff(name) ? oneOffId : paymentId,
    ...given.ids,
  };
  const path = operationPath(profileNamed('generic'), operation).replaceAll(
    /\{(\w+)\}/g,
    (_, parameter: string) => ids[parameter] as string,
  );
  const response = await fetch(
    shop.service.simulator.baseUrl +
      path +
      (given.query ?? (operation.query === null ? '' : '?pageNumber=1')),
    {
      method: operation.method,
      headers: {
        authorization: given.authorization ?? 'Bearer simulated-key-of-DK90000028',
        'content-type': 'application/json',
      },
      ...(operation.body === null ? {} : { body: JSON.stringify(given.body ?? bodies()[name]) }),
    },
  );
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: await response.text(),
  };
}

const Described = z.object({
  content: z.object({
    'application/json': z.object({ schema: z.record(z.string(), z.unknown()) }),
  }),
});
const Shape = z.object({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).default([]),
});
const OpenApi = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) })),
  ),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});

/**
 * Checks that an answer has the fields that /openapi.json describes for it, all required ones among
 * them, and no others.
 */
async function isDescribed(operation: Operation, status: number, text: string): Promise<void> {
  const { paths, components } = OpenApi.parse(
    await (await fetch(`${shop.service.simulator.baseUrl}/openapi.json`)).json(),
  );
  const response =
    paths[operationPath(profileNamed('generic'), operation)]?.[operation.method.toLowerCase()]
      ?.responses[status];
  const { schema } = Described.parse(response).content['application/json'];
  const ref = schema['$ref'];
  const { properties, required } = Shape.parse(
    typeof ref === 'string' ? components.schemas[ref.split('/').at(-1) as string] : schema,
  );
  const answered = Object.keys(JSON.parse(text) as object);
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(answered));
  expect(answered).toEqual(expect.arrayContaining(required));
}

describe.each(operations.map(({ name }) => name))('%s', (name) => {
  test('answers what it declares', async () => {
    const { success, answer, answerType } = operationNamed(name);
    await preparations[name]?.();
    const got = await call(name);
    expect(got.status, got.text).toBe(success);
    if (answer === null) expect(got.text).toBe('');
    else if (answerType === 'pdf')
      expect(got).toMatchObject({
        type: 'application/pdf',
        text: expect.stringMatching(/^%PDF-1\.4/),
      });
    else expect(answer.safeParse(JSON.parse(got.text)).error).toBeUndefined();
  });

  test('is nobody’s without a key: 401 without a body', async () => {
    expect(await call(name, { authorization: 'Bearer nobody' })).toMatchObject({
      status: 401,
      text: '',
    });
  });

  test('knows nothing of what is not there, or is another merchant’s: 404 without a body', async () => {
    const { path, refusals } = operationNamed(name);
    expect(refusals[404] === undefined).toBe(!path.includes('{'));
    if (!path.includes('{')) return;
    const { apiKey } = shop.world.addMerchant({ vat: 'DK11111111' });
    expect(await call(name, { authorization: `Bearer ${apiKey}` })).toMatchObject({
      status: 404,
      text: '',
    });
    for (const [, parameter = ''] of path.matchAll(/\{(\w+)\}/g)) {
      // The refund's existence is checked later, and its refusal comes by callback (60003).
      if (name === 'requestSubscriptionRefund' && parameter !== 'providerId') continue;
      expect(await call(name, { ids: { [parameter]: unknownId } }), parameter).toMatchObject({
        status: 404,
        text: '',
      });
      expect(await call(name, { ids: { [parameter]: 'no-id' } }), parameter).toMatchObject({
        status: 400,
      });
    }
  });

  test('says in the manner of its interface what is wrong with a body', async () => {
    const operation = operationNamed(name);
    if (operation.body === null) return;
    const { status, text } = await call(name, { body: 'not this' });
    expect(status).toBe(400);
    expect(operation.errorBody.safeParse(JSON.parse(text)).error).toBeUndefined();
    await isDescribed(operation, 400, text);
  });
});

const late = async (): Promise<void> => shop.until('2026-11-23T02:00:00');
const cancelled = (): Promise<unknown> => shop.client.cancelAgreement({ providerId, agreementId });
const disabled = (): Promise<unknown> =>
  shop.testEndpoint('set-provider', { providerId, enabled: false });
const rejectedOneOff = (): Promise<unknown> =>
  shop.testEndpoint('reject-one-off', { paymentId: oneOffId });
const refusals: Record<string, () => Promise<unknown>> = {
  'cancelAgreement 412': async () => {
    agreementId = await shop.pendingAgreement();
    await shop.testEndpoint('reject-agreement', { agreementId });
  },
  'requestSubscriptionPayments 412': disabled,
  'requestOneOff 412': disabled,
  'captureOneOff 409': rejectedOneOff,
  'simulateAgreementDecision 412': async () => {
    shop.world.phoneByNumber(user).balanceMinor = 0;
    agreementId = await shop.pendingAgreement({
      one_off_payment: { amount: minorUnits(80_00), external_id: 'FIRST' },
    });
  },
  'simulateAgreementCancellation 409': () => call('simulateAgreementCancellation'),
  'simulateOneOffDecision 409': () => call('simulateOneOffDecision'),
  'simulatePaymentRejection 409': () => call('simulatePaymentRejection'),
};

test.each(Object.entries(refusals))('%s', async (what, bringAbout) => {
  const [name = '', status] = what.split(' ');
  await bringAbout();
  const got = await call(name);
  expect(got.status, got.text).toBe(Number(status));
  expect(operationNamed(name).errorBody.safeParse(JSON.parse(got.text)).error).toBeUndefined();
  await isDescribed(operationNamed(name), Number(status), got.text);
});

/** Rows 9, 14, 15, 19 and 23 of document 1, "Endpoints", which name no 409. */
const refusedAsListed: Record<string, () => Promise<unknown>> = {
  'updateAgreement 400': cancelled,
  'lowerSubscriptionPayment 400': late,
  'declineSubscriptionPayment 400': late,
  'cancelOneOff 400': rejectedOneOff,
  'simulateAgreementDecision 412': async () => {
    agreementId = await shop.pendingAgreement();
    await call('simulateAgreementDecision');
  },
};

test.each(Object.entries(refusedAsListed))(
  'a state that does not allow it is refused with a status that document 1 lists: %s',
  async (what, bringAbout) => {
    const [name = '', status] = what.split(' ');
    await bringAbout();
    const got = await call(name);
    expect(got.status, got.text).toBe(Number(status));
    expect(operationNamed(name).errorBody.safeParse(JSON.parse(got.text)).error).toBeUndefined();
    await isDescribed(operationNamed(name), Number(status), got.text);
  },
);

test('every refusal that is declared is met here', () => {
  const declared = operations.flatMap(({ name, refusals: all }) =>
    Object.keys(all).flatMap((status) => (status === '404' ? [] : [`${name} ${status}`])),
  );
  expect(Object.keys(refusals).toSorted()).toEqual(declared.toSorted());
});

test('an agreement’s place with the wrong method is refused with 405', async () => {
  const path = `/subscriptions/api/providers/${providerId}/agreements`;
  expect(await shop.call('DELETE', path)).toMatchObject({ status: 405 });
  expect(await shop.call('PATCH', path, [])).toMatchObject({ status: 405 });
});

test('who the merchant is, and how its callbacks are authenticated, can be read', async () => {
  expect(await shop.client.getSubscriptionMerchant({})).toMatchObject({
    SubscriptionProviders: [{ SubscriptionProviderId: providerId, Status: 'Enabled' }],
  });
  const credentials = async () =>
    (await shop.client.getSubscriptionProvider({ providerId })).credentials;
  expect(await credentials()).toEqual({ scheme: null, key: null, password: null, scope: null });
  await call('setCallbackOAuth2');
  expect(await credentials()).toEqual({
    scheme: 'OAuth2',
    key: 'us',
    password: 'secret',
    scope: null,
  });
  await call('setCallbackApiKey');
  expect(await credentials()).toEqual({
    scheme: 'ApiKey',
    key: 'key',
    password: null,
    scope: null,
  });
  await call('setCallbackBasic');
  expect(await credentials()).toEqual({
    scheme: 'Basic',
    key: 'us',
    password: 'secret',
    scope: null,
  });
});

test('the simulator’s page shows what can be done by hand', async () => {
  await shop.until('2026-11-22T00:00:00');
  await shop.pendingAgreement();
  const { body } = await shop.call('GET', '/simulator/glance');
  const { sections } = body as {
    sections: {
      title: string;
      rows: { actions: { endpoint: string; body: object; byPhone?: boolean }[] }[];
    }[];
  };
  const actions = sections
    .flatMap(({ rows }) => rows.flatMap((row) => row.actions))
    .filter(({ endpoint }) => endpoint.startsWith('subscriptions/'));
  expect([...new Set(actions.map(({ endpoint }) => endpoint))].toSorted()).toEqual([
    'subscriptions/accept-agreement',
    'subscriptions/accept-one-off',
    'subscriptions/cancel-agreement',
    'subscriptions/reject-agreement',
    'subscriptions/reject-one-off',
    'subscriptions/reject-payment',
    'subscriptions/set-notifications',
    'subscriptions/set-user',
  ]);
  const reject = actions.find(({ endpoint }) => endpoint === 'subscriptions/reject-payment');
  expect(await shop.call('POST', `/simulator/${reject?.endpoint}`, reject?.body)).toMatchObject({
    status: 200,
  });
  expect(await shop.testEndpoint('reject-payment', { paymentId: unknownId })).toMatchObject({
    status: 404,
  });
});
