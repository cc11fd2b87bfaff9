/** What reports say of payers and of ids, of payments that were really made at the simulator. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { type Answer, phone, Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
});
afterEach(() => service.simulator.stop());

const bearer = { authorization: 'Bearer simulated-key-of-DK90000028' };
const call = (method: string, path: string, body?: object): Promise<Answer> =>
  service.call(method, path, body, bearer);
const transactions = async (): Promise<Record<string, unknown>[]> =>
  (await call('GET', '/v3/reporting/transactions?sortdirection=asc')).body?.[
    'transactions'
  ] as Record<string, unknown>[];

test('a payment at a MyShop number is reported with the payer and the number', async () => {
  const paid = await call('POST', '/simulator/reporting/pay-my-shop', {
    myShopNumber: '12345',
    phoneNumber: phone,
    amountMinor: 25_00,
    message: 'Two cakes',
  });
  expect(paid).toMatchObject({ status: 200 });
  expect(await transactions()).toEqual([
    expect.objectContaining({
      type: 'Payment',
      amount: 25,
      userName: 'Test User 1',
      userPhoneNumber: expect.stringMatching(/^\+x+1801$/),
      myShopNumber: '12345',
      message: 'Two cakes',
      paymentId: null,
      refundId: null,
    }),
  ]);
  const { body } = await call('GET', '/v3/reporting/paymentpoints');
  const points = body?.['paymentPoints'] as Record<string, unknown>[];
  expect(points.filter(({ productType }) => productType === 'MyShop')).toEqual([
    expect.objectContaining({ alias: '12345' }),
  ]);
  await call('POST', '/simulator/reporting/pay-my-shop', {
    myShopNumber: '12345',
    phoneNumber: '+4520031802',
    amountMinor: 5_00,
  });
  expect((await transactions()).map(({ userName }) => userName)).toEqual([
    'Test User 1',
    'Test User 2',
  ]);
  expect((await call('GET', '/v3/reporting/paymentpoints')).body?.['paymentPoints']).toHaveLength(
    points.length,
  );
});

test('an app payment and its refund are reported with their ids, whatever else is reported without', async () => {
  const about = {
    amount: 1250,
    paymentPointId: 'a9900000-0000-4000-8000-000000000001',
    redirectUri: 'shop://back',
    reference: 'order-7',
  };
  const { paymentId } = (
    await call('POST', '/v1/payments', { ...about, idempotencyKey: systemIds.uuid() })
  ).body as { paymentId: string };
  await call('POST', '/simulator/app-payments/accept', { paymentId, phoneNumber: phone });
  await call('POST', `/v1/payments/${paymentId}/capture`, { amount: 1250 });
  const refund = {
    amount: 500,
    idempotencyKey: systemIds.uuid(),
    paymentId,
    reference: 'refund-7',
  };
  const { refundId } = (await call('POST', '/v1/refunds', refund)).body as { refundId: string };
  await service.createPos();
  await service.captured();
  expect(
    (await transactions()).map(({ type, paymentId: id, refundId: ofRefund }) => [
      type,
      id,
      ofRefund,
    ]),
  ).toEqual([
    ['Payment', paymentId, null],
    ['Refund', paymentId, refundId],
    ['Payment', null, null],
  ]);
});
