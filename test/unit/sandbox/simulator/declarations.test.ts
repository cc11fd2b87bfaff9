/**
 * The simulator held against the declarations that it serves: each operation succeeds, and each
 * refusal that is declared can be met.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Operation, operationPath } from '../../../../main/wallets/http/operation.ts';
import {
  pointOfSaleOperations,
  sandboxOperations,
} from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { sandboxInterface } from '../../../../main/wallets/v10/v10-interfaces.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { type Answer, Service } from './support.ts';

const operations: readonly Operation[] = [...pointOfSaleOperations, ...sandboxOperations];
const unknownId = '00000000-0000-4000-8000-00000000dead';
const otherStoreId = 'aaaaaaaa-0000-4000-8000-000000000001';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  const { world } = service.simulator;
  world.clients.set('other', {
    clientId: 'other',
    clientSecret: 'secret',
    integratorId: 'another integrator',
  });
  world.addStore({ storeId: otherStoreId, merchantVat: 'DK22222222' });
  await service.createPos();
});
afterEach(() => service.simulator.stop());

type Headers = Record<string, string | undefined>;
const bearer = async (form: string, basic?: string): Promise<Headers> => ({
  authorization: `Bearer ${String((await service.token(form, basic)).body?.['access_token'])}`,
});
const otherMerchant = (): Promise<Headers> =>
  bearer('grant_type=client_credentials&merchant_vat=DK22222222');
const otherIntegrator = (): Promise<Headers> =>
  bearer('grant_type=client_credentials&merchant_vat=DK90000028', 'other:secret');

const payment = (
  action: string,
  paymentId: string,
  body?: object,
  headers?: Headers,
): Promise<Answer> => service.call('POST', `/v10/payments/${paymentId}/${action}`, body, headers);
const refund = (about: object, headers?: Headers): Promise<Answer> =>
  service.call(
    'POST',
    '/v10/refunds',
    { refundOrderId: 'refund-1', amount: 5, currencyCode: 'DKK', ...about },
    headers,
  );
const refundId = async (): Promise<string> =>
  (await refund({ paymentId: await service.captured() })).body?.['refundId'] as string;
const prepare = (about: object = {}, headers?: Headers): Promise<Answer> =>
  service.call(
    'POST',
    '/v10/payments/prepare',
    { posId: service.pos.posId, orderId: 'order-9', ...about },
    headers,
  );
const pos = (about: object): object => ({
  merchantPosId: 'lane-2',
  storeId: service.simulator.storeIds[0],
  name: 'Lane',
  supportedBeaconTypes: ['QR'],
  ...about,
});
const createPos = (about: object, headers?: Headers): Promise<Answer> =>
  service.call('POST', '/v10/pointofsales', pos(about), headers);
const posPath = (): string => `/v10/pointofsales/${service.pos.posId}`;
const closeStores = (): void => {
  for (const store of service.simulator.world.stores.values()) store.activated = false;
};
const twice = async (
  send: (headers: Headers) => Promise<Answer>,
  change: (headers: Headers) => Promise<Answer>,
): Promise<Answer> => {
  const headers = { 'x-service-idempotency-key': 'my-key' };
  expect(await send(headers)).toMatchObject({ status: 200 });
  return change(headers);
};

const nowhere = { beaconId: '000000000000001' };
const atNowhere = { ...nowhere, phoneNumber: '+4520031801' };

const cases: Record<string, () => Promise<Answer>> = {
  'simulateCheckIn 1000': () => service.call('POST', '/app/usersimulation/checkin', atNowhere),
  'simulateCheckIn 1099': async () => {
    await service.createPos({ merchantPosId: 'unattended', requirePaymentBeforeCheckin: true });
    return service.sandbox('checkin');
  },
  'simulateAcceptPayment 1000': () =>
    service.call('POST', '/app/usersimulation/acceptpayment', atNowhere),
  'simulateAcceptPayment 1099': () => service.sandbox('acceptpayment'),
  'simulateCancelPaymentByUser 1000': () =>
    service.call('POST', '/app/usersimulation/cancelpaymentbyuser', nowhere),
  'simulateCancelPaymentByUser 1099': () => service.sandbox('cancelpaymentbyuser'),
  'getPayment 1401': async () =>
    service.call(
      'GET',
      `/v10/payments/${await service.initiated()}`,
      undefined,
      await otherIntegrator(),
    ),
  'getPayment 1411': async () =>
    service.call(
      'GET',
      `/v10/payments/${await service.initiated()}`,
      undefined,
      await otherMerchant(),
    ),
  'listPayments 1109': () => service.call('GET', '/v10/payments?state=Captured'),
  'initiatePayment 1400': async () => service.initiate({}, await otherIntegrator()),
  'initiatePayment 1000': () => service.initiate({ posId: unknownId }),
  'initiatePayment 1204': () => (closeStores(), service.initiate()),
  'initiatePayment 1301': async () => (
    await service.initiated(), service.initiate({ orderId: 'order-2' })
  ),
  'initiatePayment 1306': () =>
    twice(
      (headers) => service.initiate({}, headers),
      (headers) => service.initiate({ orderId: 'order-2' }, headers),
    ),
  'preparePayment 1400': async () => prepare({}, await otherMerchant()),
  'preparePayment 1000': () => prepare({ posId: unknownId }),
  'preparePayment 1204': () => (closeStores(), prepare()),
  'preparePayment 1301': async () => (await service.initiated(), prepare()),
  'preparePayment 1306': () =>
    twice(
      (headers) => service.initiate({}, headers),
      (headers) => prepare({ orderId: 'order-1' }, headers),
    ),
  'readyPayment 1401': async () =>
    payment('ready', await service.initiated(), service.terms(), await otherIntegrator()),
  'readyPayment 1406': async () =>
    payment('ready', await service.initiated(), service.terms(), await otherMerchant()),
  'readyPayment 1303': async () => payment('ready', await service.initiated(), service.terms()),
  'capturePayment 1401': async () =>
    payment('capture', await service.reserved(), { amount: 12.5 }, await otherIntegrator()),
  'capturePayment 1407': async () =>
    payment('capture', await service.reserved(), { amount: 12.5 }, await otherMerchant()),
  'capturePayment 1304': async () =>
    payment('capture', await service.initiated(), { amount: 12.5 }),
  'capturePayment 1305': async () =>
    payment('capture', await service.reserved(), { amount: 12.51 }),
  'capturePayment 1307': async () =>
    payment('capture', await service.captured(), { amount: 12.49 }),
  'capturePayment 1308': async () =>
    payment('capture', await service.reserved(), { amount: 12.49 }),
  'cancelPayment 1401': async () =>
    payment('cancel', await service.initiated(), undefined, await otherIntegrator()),
  'cancelPayment 1408': async () =>
    payment('cancel', await service.initiated(), undefined, await otherMerchant()),
  'cancelPayment 1300': async () => payment('cancel', await service.captured()),
  'getPointOfSale 1400': async () =>
    service.call('GET', posPath(), undefined, await otherIntegrator()),
  'getPointOfSale 1410': async () =>
    service.call('GET', posPath(), undefined, await otherMerchant()),
  'deletePointOfSale 1400': async () =>
    service.call('DELETE', posPath(), undefined, await otherIntegrator()),
  'deletePointOfSale 1409': async () =>
    service.call('DELETE', posPath(), undefined, await otherMerchant()),
  'listPointsOfSale 1121': () => service.call('GET', '/v10/pointofsales'),
  'createPointOfSale 1403': () => createPos({ storeId: otherStoreId }),
  'createPointOfSale 1002': () => createPos({ storeId: unknownId }),
  'createPointOfSale 1200': () => createPos({ merchantPosId: 'lane-1' }),
  'createPointOfSale 1202': () => createPos({ beaconId: service.pos.beaconId }),
  'createPointOfSale 1306': () =>
    twice(
      (headers) => createPos({}, headers),
      (headers) => createPos({ name: 'Another' }, headers),
    ),
  'lookUpCheckIn 1400': async () =>
    service.call('GET', `${posPath()}/checkin`, undefined, await otherIntegrator()),
  'lookUpCheckIn 1410': async () =>
    service.call('GET', `${posPath()}/checkin`, undefined, await otherMerchant()),
  'listStoreIds 1122': () => service.call('GET', '/v10/stores?merchantLocationId=00001'),
  'listStores 1122': () => service.call('GET', '/v10/stores/detailed?merchantBrandId=POSDK00001'),
  'getRefund 1402': async () =>
    service.call('GET', `/v10/refunds/${await refundId()}`, undefined, await otherMerchant()),
  'listRefunds 1110': () => service.call('GET', '/v10/refunds'),
  'createRefund 1401': async () =>
    refund({ paymentId: await service.captured() }, await otherIntegrator()),
  'createRefund 1001': () => refund({ paymentId: unknownId }),
  'createRefund 1306': async () => {
    const paymentId = await service.captured();
    return twice(
      (headers) => refund({ paymentId }, headers),
      (headers) => refund({ paymentId, amount: 6 }, headers),
    );
  },
  'createRefund 1354': async () => refund({ paymentId: await service.reserved() }),
  'createRefund 1365': async () =>
    refund({ paymentId: await service.captured(), currencyCode: 'EUR' }),
  'createRefund 1366': async () => {
    const paymentId = await service.captured();
    await service.clock.pass(90 * 86_400_000 + 1);
    return refund(
      { paymentId },
      await bearer('grant_type=client_credentials&merchant_vat=DK90000028'),
    );
  },
  'createRefund 1367': async () => refund({ paymentId: await service.captured(), amount: 12.51 }),
  'createRefund 1368': async () => {
    const paymentId = await service.captured();
    for (const store of service.simulator.world.stores.values()) store.balanceMinor = 499;
    return refund({ paymentId });
  },
  'captureRefund 1402': async () =>
    service.call(
      'POST',
      `/v10/refunds/${await refundId()}/capture`,
      undefined,
      await otherIntegrator(),
    ),
  'captureRefund 1351': async () => {
    const id = await refundId();
    await service.call('POST', `/v10/refunds/${id}/cancel`);
    return service.call('POST', `/v10/refunds/${id}/capture`);
  },
  'cancelRefund 1402': async () =>
    service.call(
      'POST',
      `/v10/refunds/${await refundId()}/cancel`,
      undefined,
      await otherMerchant(),
    ),
  'cancelRefund 1352': async () => {
    const id = await refundId();
    await service.call('POST', `/v10/refunds/${id}/capture`);
    return service.call('POST', `/v10/refunds/${id}/cancel`);
  },
};

/** A missing path entity is a 404 without a body, so its code is never seen. */
const declared = operations.flatMap(({ name, refusals }) =>
  Object.entries(refusals).flatMap(([status, codes]) =>
    status === '404' ? [] : codes.map((code) => [`${name} ${code}`, Number(status)] as const),
  ),
);

describe('each refusal that is declared', () => {
  test('has its case here', () => {
    expect(Object.keys(cases).toSorted()).toEqual(declared.map(([about]) => about).toSorted());
  });

  test.each(declared)('%s is answered with %i', async (about, status) => {
    const answer = await (cases[about] as () => Promise<Answer>)();
    const code = about.split(' ')[1];
    const body = {
      code,
      message: expect.stringMatching(/\S/),
      correlationId: expect.any(String),
      ...(about.includes('Refund') ? { origin: 'PoS' } : {}),
    };
    expect(answer).toEqual({ status, code, body });
  });
});

const fields = operations.flatMap((operation) =>
  Object.entries(operation.fieldCodes).map(([field, code]) => ({ operation, field, code })),
);
test.each(fields)(
  'a bad $field is refused with $code by $operation.name',
  async ({ operation, field, code }) => {
    const path = operationPath(profileNamed('generic'), operation).replace(/\{\w+\}/, unknownId);
    const good = {
      ...pos({
        posId: service.pos.posId,
        paymentId: unknownId,
        orderId: 'o',
        refundOrderId: 'r',
        phoneNumber: '+4520031801',
      }),
      ...service.terms(),
      ...(operation.interface === sandboxInterface ? { beaconId: service.pos.beaconId } : {}),
    };
    const answer =
      operation.query === null
        ? await service.call(operation.method, path, { ...good, [field]: '🙂' })
        : await service.call(operation.method, `${path}?${new URLSearchParams({ [field]: '🙂' })}`);
    expect(answer).toMatchObject({ status: 400, code });
  },
);

test.each(
  operations
    .filter(({ path }) => path.includes('{'))
    .map(({ name, ...operation }) => [name, operation] as const),
)('%s: nothing there is a 404 without a body, no UUID is a 400', async (_name, operation) => {
  const path = operationPath(profileNamed('generic'), operation);
  const body = operation.body === null ? undefined : service.terms();
  expect(await service.call(operation.method, path.replace(/\{\w+\}/, unknownId), body)).toEqual({
    status: 404,
    body: null,
    code: undefined,
  });
  expect(
    await service.call(operation.method, path.replace(/\{\w+\}/, 'nonsense'), body),
  ).toMatchObject({ status: 400, code: '1099' });
});

test('each operation succeeds, with the answer that is declared, or an empty one where none is', async () => {
  const { posId } = service.pos;
  const storeId = service.simulator.storeIds[0];
  const seen = new Set<string>();
  const succeed = async (
    name: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<Record<string, string>> => {
    const operation = operations.find((other) => other.name === name) as Operation;
    const answer = await service.call(method, path, body);
    expect(answer, name).toMatchObject({ status: 200 });
    if (operation.answer === null) expect(answer.body, name).toBeNull();
    else expect(operation.answer.safeParse(answer.body).error, name).toBeUndefined();
    seen.add(name);
    return (answer.body ?? {}) as Record<string, string>;
  };
  const phone = { beaconId: service.pos.beaconId, phoneNumber: '+358200318001' };
  await succeed('listStoreIds', 'GET', '/v10/stores');
  await succeed('listStores', 'GET', '/v10/stores/detailed');
  await succeed('getStore', 'GET', `/v10/stores/${storeId}`);
  await succeed('getPointOfSale', 'GET', posPath());
  await succeed('listPointsOfSale', 'GET', `/v10/pointofsales?storeId=${storeId}`);
  const prepared = await succeed('preparePayment', 'POST', '/v10/payments/prepare', {
    posId,
    orderId: 'order-1',
  });
  await succeed('simulateCheckIn', 'POST', '/app/usersimulation/checkin', phone);
  await succeed('lookUpCheckIn', 'GET', `${posPath()}/checkin`);
  await succeed(
    'readyPayment',
    'POST',
    `/v10/payments/${prepared['paymentId']}/ready`,
    service.terms(),
  );
  await succeed('simulateCancelPaymentByUser', 'POST', '/app/usersimulation/cancelpaymentbyuser', {
    beaconId: phone.beaconId,
  });
  const cancelled = await succeed('initiatePayment', 'POST', '/v10/payments', {
    posId,
    orderId: 'order-2',
    ...service.terms(),
  });
  await succeed('cancelPayment', 'POST', `/v10/payments/${cancelled['paymentId']}/cancel`);
  const paid = await service.initiated({ orderId: 'order-3' });
  await service.sandbox('checkin', phone.phoneNumber);
  await succeed('simulateAcceptPayment', 'POST', '/app/usersimulation/acceptpayment', phone);
  await succeed('getPayment', 'GET', `/v10/payments/${paid}`);
  await succeed('listPayments', 'GET', `/v10/payments?posId=${posId}`);
  await succeed('capturePayment', 'POST', `/v10/payments/${paid}/capture`, { amount: 12.5 });
  const about = { paymentId: paid, refundOrderId: 'refund-1', amount: 1, currencyCode: 'DKK' };
  const refunded = await succeed('createRefund', 'POST', '/v10/refunds', about);
  await succeed('getRefund', 'GET', `/v10/refunds/${refunded['refundId']}`);
  await succeed('listRefunds', 'GET', `/v10/refunds?paymentId=${paid}`);
  await succeed('captureRefund', 'POST', `/v10/refunds/${refunded['refundId']}/capture`);
  const regretted = await succeed('createRefund', 'POST', '/v10/refunds', about);
  await succeed('cancelRefund', 'POST', `/v10/refunds/${regretted['refundId']}/cancel`);
  await succeed('createPointOfSale', 'POST', '/v10/pointofsales', pos({}));
  await succeed('deletePointOfSale', 'DELETE', posPath());
  expect([...seen].toSorted()).toEqual(operations.map(({ name }) => name).toSorted());
});
