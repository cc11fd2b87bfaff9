import { expect, test } from 'vitest';
import { systemIds } from '../../../main/core/domain/ids.ts';
import { silentLog } from '../../../main/core/domain/log.ts';
import { minorUnits } from '../../../main/core/domain/money.ts';
import { epaymentProfile } from '../../../main/wallets/epayment/epayment-profile.ts';
import { createEpaymentClient } from '../../../main/wallets/epayment/point-of-sale/epayment-client.ts';
import { createMerchantPayments } from '../../../main/wallets/epayment/point-of-sale/epayment-merchant-payments.ts';
import { refundIdOf } from '../../../main/wallets/epayment/point-of-sale/epayment-names.ts';
import {
  captureEpayment,
  createEpayment,
  getEpayment,
  listEpaymentEvents,
  refundEpayment,
} from '../../../main/wallets/epayment/payments/payments-operations.ts';
import { getCallbackQr } from '../../../main/wallets/epayment/qr/qr-operations.ts';
import { merchantAccess } from '../../../main/wallets/http/access.ts';
import type { HttpSend } from '../../../main/wallets/http/http.ts';
import { Transport } from '../../../main/wallets/http/transport.ts';
import {
  getAppPayment,
  getAppRefund,
} from '../../../main/wallets/v10/app-payments/app-payments-operations.ts';
import { getInvoiceStatus } from '../../../main/wallets/v10/invoice/invoice-operations.ts';
import { createPointOfSaleClient } from '../../../main/wallets/v10/point-of-sale/point-of-sale-client.ts';
import {
  getPayment,
  getPointOfSale,
  getRefund,
  getStore,
} from '../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../main/wallets/v10/v10-profile.ts';
import { getAgreement } from '../../../main/wallets/v10/subscriptions/subscription-agreement-operations.ts';
import { ManualClock } from '../support/manual-clock.ts';

const id = '6a0e0000-0000-4000-8000-00000000000a';
const otherId = '07e40000-0000-4000-8000-000000000002';
const reference = '1-000001-0badcafe';
const never = (): AbortSignal => new AbortController().signal;

type Answer = { readonly status?: number; readonly body: unknown };
/** A service that answers as it is told, by "METHOD path". */
function service(
  answers: Record<string, Answer | Answer[]>,
  profile: ConstructorParameters<typeof Transport>[0]['profile'],
) {
  const clock = new ManualClock();
  const sent: string[] = [];
  const send: HttpSend = async ({ method, url }) => {
    const what = `${method} ${new URL(url).pathname.split('/').slice(-2).join('/')}${new URL(url).search}`;
    sent.push(what);
    const found = Object.entries(answers).find(([about]) => what.startsWith(about))?.[1];
    const answer = Array.isArray(found) ? (found.length > 1 ? found.shift() : found[0]) : found;
    return {
      status: answer?.status ?? (answer === undefined ? 500 : 200),
      retryAfterMs: null,
      body: JSON.stringify(answer?.body ?? ''),
    };
  };
  const transport = new Transport({
    baseUrl: 'http://127.0.0.1:1',
    access: merchantAccess('k'),
    profile,
    send,
    clock,
    log: silentLog,
  });
  return { transport, clock, sent };
}

const v10 = profileNamed('generic');
const money = { amountMinor: 1234, currency: 'DKK' } as const;
const amount = { currency: 'DKK', value: 1234 };
const none = { currency: 'DKK', value: 0 };
const aggregate = {
  authorizedAmount: amount,
  capturedAmount: amount,
  cancelledAmount: none,
  refundedAmount: none,
};
const epayment = { reference, state: 'AUTHORIZED', amount, aggregate };
const event = {
  reference,
  pspReference: 'p',
  name: 'REFUNDED',
  amount,
  timestamp: '',
  success: true,
  idempotencyKey: 'key-1',
};
const record = {
  paymentId: id,
  posId: id,
  orderId: 'order-1',
  amount: 12.34,
  currencyCode: 'DKK',
  status: 'Reserved',
};
const refund = {
  refundId: id,
  paymentId: id,
  refundOrderId: 'refund-1',
  amount: 12.34,
  currencyCode: 'DKK',
  status: 'Reserved',
};
const otherReference = { reference: '1-000002-0badcafe' };

test.each([
  ['a payment', v10, getPayment, { paymentId: id }, record, { paymentId: otherId }],
  ['a refund', v10, getRefund, { refundId: id }, refund, { refundId: otherId }],
  [
    'a point of sale',
    v10,
    getPointOfSale,
    { posId: id },
    { posId: id, merchantPosId: 'm', name: 'n', storeId: id, supportedBeaconTypes: [] },
    { posId: otherId },
  ],
  ['a store', v10, getStore, { storeId: id }, { storeId: id }, { storeId: otherId }],
  [
    'an app payment',
    v10,
    getAppPayment,
    { paymentId: id },
    { paymentId: id, amount: 1234, state: 'captured', initiatedOn: '', paymentPointId: id },
    { paymentId: otherId },
  ],
  [
    'an app refund',
    v10,
    getAppRefund,
    { refundId: id },
    { refundId: id, paymentId: id, amount: 1234, createdOn: '' },
    { refundId: otherId },
  ],
  [
    'an invoice',
    v10,
    getInvoiceStatus,
    { merchantId: id, invoiceId: id },
    { InvoiceId: id, Status: 'paid' },
    { InvoiceId: otherId },
  ],
  [
    'an agreement',
    v10,
    getAgreement,
    { providerId: id, agreementId: id },
    { id, status: 'Accepted' },
    { id: otherId },
  ],
  ['an ePayment', epaymentProfile, getEpayment, { reference }, epayment, otherReference],
  [
    'the events of an ePayment',
    epaymentProfile,
    listEpaymentEvents,
    { reference },
    [event],
    otherReference,
  ],
  [
    'the capture of an ePayment',
    epaymentProfile,
    captureEpayment,
    { reference, body: { modificationAmount: amount } },
    epayment,
    otherReference,
  ],
  [
    'the refund of an ePayment',
    epaymentProfile,
    refundEpayment,
    { reference, body: { modificationAmount: amount } },
    epayment,
    otherReference,
  ],
  [
    'a sticker',
    epaymentProfile,
    getCallbackQr,
    { merchantQrId: id, query: {} },
    { merchantSerialNumber: '1', merchantQrId: id, qrContent: 'x' },
    { merchantQrId: otherId },
  ],
] as const)(
  'an answer about another one than %s that was asked about is no answer',
  async (_what, profile, operation, input, right, wrong) => {
    const call = async (body: unknown): Promise<unknown> => {
      const { transport } = service(
        { '': { body, status: (operation as { success: number }).success } },
        profile,
      );
      // Each row has an operation of its own, which the compiler would need one at a time.
      const callAny = transport.call.bind(transport) as (
        ...args: readonly unknown[]
      ) => Promise<unknown>;
      return callAny(operation, input, { idempotencyKey: 'k', maxAttempts: 1 });
    };
    const all: readonly object[] = Array.isArray(right) ? right : [];
    const changed =
      all.length > 0 ? [...all, { ...all[0], ...wrong }] : { ...(right as object), ...wrong };
    await expect(call(changed)).rejects.toMatchObject({
      name: 'UnexpectedAnswerError',
      message: expect.stringContaining('not the one that was asked about'),
    });
    await expect(call(right)).resolves.toBeDefined();
  },
);

test('an id in capitals is the same id', async () => {
  const { transport } = service({ '': { body: { ...record, paymentId: id.toUpperCase() } } }, v10);
  await expect(transport.call(getPayment, { paymentId: id })).resolves.toMatchObject({
    amount: 1234,
  });
});

test('the answer to the create request of an ePayment names its reference', async () => {
  const body = {
    amount: { currency: 'DKK', value: minorUnits(1234) },
    paymentMethod: { type: 'WALLET' },
    reference,
    userFlow: 'QR',
  } as const;
  const call = async (named: string): Promise<unknown> =>
    service({ '': { status: 201, body: { reference: named } } }, epaymentProfile).transport.call(
      createEpayment,
      { body },
      { idempotencyKey: 'k' },
    );
  await expect(call('1-000002-0badcafe')).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
  await expect(call(reference)).resolves.toBeDefined();
});

const posSettings = {
  merchantPosId: 'm',
  storeId: id,
  name: 'n',
  beaconTypes: ['QR' as const],
  beaconId: null,
};
async function v10Client(answers: Record<string, Answer | Answer[]>) {
  const pointOfSale = {
    posId: id,
    merchantPosId: 'm',
    name: 'n',
    storeId: id,
    supportedBeaconTypes: [],
  };
  const listed = {
    'GET v10/pointofsales?': { body: { posIds: [id] } },
    'GET pointofsales/': { body: pointOfSale },
  };
  const { transport, clock, sent } = service({ ...listed, ...answers }, v10);
  const client = createPointOfSaleClient({
    transport,
    profile: v10,
    settings: posSettings,
    clock,
    ids: systemIds,
    log: silentLog,
  });
  const opened = await client.open();
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  return { client, clock, sent };
}

test('a payment that is told under another order is unknown, and is not captured or cancelled until it is told under ours', async () => {
  const { client, clock, sent } = await v10Client({
    [`GET payments/${id}`]: [
      { body: { ...record, orderId: 'order-2' } },
      { body: { ...record, orderId: 'order-2' } },
      { body: { ...record, orderId: 'order-2' } },
      { body: record },
    ],
    'POST ': { status: 200, body: '' },
  });
  const watch = client.watch(id, null, 'order-1');
  const polling = watch.poll(never());
  await clock.pass(5_000);
  expect(await polling).toEqual({
    kind: 'unknown',
    detail: 'the service names another order for this payment',
  });
  expect(await client.capture(id, { ...money, orderId: 'order-1' })).toMatchObject({
    kind: 'unknown',
  });
  expect(await client.cancel(id, { ifNotApproved: false, orderId: 'order-1' })).toMatchObject({
    kind: 'unknown',
  });
  expect(sent.filter((what) => what.startsWith('POST'))).toEqual([]);
  // The payment of the other order is changed as ever.
  expect(await client.cancel(id, { ifNotApproved: false, orderId: 'order-2' })).toEqual({
    kind: 'accepted',
  });
  expect(await client.capture(id, { ...money, orderId: 'order-1' })).toEqual({ kind: 'accepted' });
});

test('a cancel on condition that reads another order is unknown, and is not sent', async () => {
  for (const status of ['Reserved', 'IssuedToUser']) {
    const { client, sent } = await v10Client({
      [`GET payments/${id}`]: { body: { ...record, orderId: 'order-2', status } },
      'POST ': { status: 200, body: '' },
    });
    expect(await client.cancel(id, { ifNotApproved: true, orderId: 'order-1' })).toMatchObject({
      kind: 'unknown',
    });
    expect(sent.filter((what) => what.startsWith('POST'))).toEqual([]);
  }
});

test('a look-up that finds the payment of another order has found nothing that is known', async () => {
  const answers = {
    'GET v10/payments?': { body: { paymentIds: [id] } },
    [`GET payments/${id}`]: { body: record },
  };
  const { client } = await v10Client(answers);
  expect(await client.lookUp('order-2')).toMatchObject({ kind: 'unknown' });
  expect(await client.lookUp('order-1')).toEqual({ kind: 'found', paymentId: id });
});

test('a create request that is answered with the payment of another order is unknown', async () => {
  const { client } = await v10Client({ 'POST ': { body: { paymentId: id } } });
  for (const flow of ['initiate', 'prepare'] as const) {
    expect(
      await client.create({ ...money, flow, orderId: 'order-1', idempotencyKey: systemIds.uuid() }),
    ).toMatchObject({ kind: 'created' });
    expect(
      await client.create({ ...money, flow, orderId: 'order-2', idempotencyKey: systemIds.uuid() }),
    ).toMatchObject({ kind: 'unknown' });
  }
});

test('a refund that is told as another one, or created as one that is there, is unknown', async () => {
  const { client, clock } = await v10Client({
    'GET refunds/': [
      { body: { ...refund, refundOrderId: 'refund-2' } },
      { body: { ...refund, paymentId: otherId } },
      { body: refund },
    ],
    'POST ': { body: { refundId: id } },
  });
  const watch = client.watchRefund(id, null, { paymentId: id, refundOrderId: 'refund-1' });
  const poll = async () => {
    const polling = watch.poll(never());
    await clock.pass(5_000);
    return polling;
  };
  expect(await poll()).toMatchObject({ kind: 'unknown' });
  expect(await poll()).toMatchObject({ kind: 'unknown' });
  expect(await poll()).toMatchObject({ kind: 'seen', status: 'reserved' });
  const request = {
    ...money,
    paymentId: id,
    refundOrderId: 'refund-1',
    idempotencyKey: systemIds.uuid(),
  };
  expect(await client.createRefund(request)).toMatchObject({ kind: 'created' });
  expect(await client.createRefund({ ...request, refundOrderId: 'refund-3' })).toMatchObject({
    kind: 'unknown',
  });
});

const epaymentSettings = { msn: '1', description: 'Bakery', codeForm: 'text' as const };
function epaymentClient(answers: Record<string, Answer | Answer[]>) {
  const { transport, clock, sent } = service(answers, epaymentProfile);
  const counter = createEpaymentClient({
    transport,
    baseUrl: 'http://127.0.0.1:1',
    settings: epaymentSettings,
    send: () => Promise.reject(new Error('no network')),
    clock,
    log: silentLog,
  });
  return { counter, clock, sent, transport };
}

test.each([
  ['CREATED', none, none, none, 'unknown'],
  ['TERMINATED', none, none, none, 'done'],
  ['ABORTED', none, none, none, 'done'],
  ['AUTHORIZED', amount, none, none, 'unknown'],
  ['AUTHORIZED', amount, none, amount, 'done'],
  ['AUTHORIZED', amount, amount, none, 'refused'],
  ['TERMINATED', amount, amount, none, 'refused'],
])(
  'a cancel that is answered with %s, %j reserved, %j captured and %j released is %s',
  async (state, authorizedAmount, capturedAmount, cancelledAmount, kind) => {
    const shown = { authorizedAmount, capturedAmount, cancelledAmount, refundedAmount: none };
    const { counter } = epaymentClient({ '': { body: { ...epayment, state, aggregate: shown } } });
    for (const ifNotApproved of [true, false])
      expect(await counter.cancel(reference, { ifNotApproved })).toMatchObject({ kind });
  },
);

test('a request to a phone that got no answer before the keys were refused is cancelled at the service', async () => {
  const { counter, sent } = epaymentClient({
    'POST v1/payments': [
      { status: 500, body: '' },
      { status: 401, body: '' },
    ],
    'POST ': { body: { ...epayment, state: 'TERMINATED' } },
  });
  const request = { ...money, orderId: reference, idempotencyKey: 'key-1' };
  await counter.create({ ...request, flow: 'prepare' });
  const customer = { kind: 'phone', number: '4520031801' } as const;
  const ready = await counter.ready(reference, { ...money, customer });
  expect(ready.kind).toBe('unknown');
  await counter.cancel(reference, { ifNotApproved: false });
  expect(sent.at(-1)).toContain('/cancel');
});

test('with ePayment nothing that names another payment or order is believed', async () => {
  const about = {
    other: { ...epayment, ...otherReference },
    order: { ...epayment, metadata: { order: 'order-2' } },
  };
  for (const body of Object.values(about)) {
    const { counter, clock, transport } = epaymentClient({ '': { body } });
    const polling = counter.watch(reference, null, 'order-1').poll(never());
    await clock.pass(5_000);
    expect(await polling).toMatchObject({ kind: 'unknown' });
    if (body === about.order) continue;
    expect(await counter.capture(reference, money)).toMatchObject({ kind: 'unknown' });
    expect(await counter.cancel(reference, { ifNotApproved: false })).toMatchObject({
      kind: 'unknown',
    });
    const refunding = {
      ...money,
      paymentId: reference,
      refundOrderId: 'r',
      idempotencyKey: 'key-1',
    };
    expect(await counter.createRefund(refunding)).toMatchObject({
      kind: 'refused',
      reason: 'serviceUnreachable',
    });
    expect(
      await createMerchantPayments({ transport, msn: '1' }).read(reference, new Set()),
    ).toMatchObject({ kind: 'unknown' });
  }
  const { counter, clock } = epaymentClient({ '': { body: [{ ...event, ...otherReference }] } });
  const polling = counter.watchRefund(refundIdOf(reference, 'key-1')).poll(never());
  await clock.pass(5_000);
  expect(await polling).toMatchObject({ kind: 'unknown' });
});
