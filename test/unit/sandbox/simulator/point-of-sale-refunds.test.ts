/** Refunds of the point-of-sale interface. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
});
afterEach(() => service.simulator.stop());

const days = (count: number): number => count * 86_400_000;
const unknownId = '00000000-0000-4000-8000-00000000dead';

describe('refunds', () => {
  const refund = (paymentId: string, about: object = {}): ReturnType<Service['call']> =>
    service.call('POST', '/v10/refunds', {
      paymentId,
      refundOrderId: 'refund-1',
      amount: 5,
      currencyCode: 'DKK',
      ...about,
    });

  test('are created, listed, captured; several, never more than the payment', async () => {
    const paymentId = await service.captured();
    const refundId = (await refund(paymentId)).body?.['refundId'] as string;
    expect((await service.call('GET', `/v10/refunds/${refundId}`)).body).toMatchObject({
      status: 'Reserved',
      amount: 5,
      pollDelayInMs: 100,
    });
    expect((await service.call('GET', `/v10/refunds?paymentId=${paymentId}`)).body).toEqual({
      refundIds: [refundId],
    });
    expect(await service.call('POST', `/v10/refunds/${refundId}/capture`)).toMatchObject({
      status: 200,
    });
    expect(await refund(paymentId, { amount: 7.51 })).toMatchObject({
      status: 409,
      code: '1367',
      body: { origin: 'PoS' },
    });
    expect(await refund(paymentId, { amount: 7.5 })).toMatchObject({ status: 200 });
  });

  test('cancelled give the amount back; captured cannot be cancelled', async () => {
    const paymentId = await service.captured();
    const refundId = (await refund(paymentId, { amount: 12.5 })).body?.['refundId'] as string;
    expect(await service.call('POST', `/v10/refunds/${refundId}/cancel`)).toMatchObject({
      status: 200,
    });
    expect(await service.call('POST', `/v10/refunds/${refundId}/capture`)).toMatchObject({
      status: 409,
      code: '1351',
    });
    const second = (await refund(paymentId, { amount: 12.5 })).body?.['refundId'] as string;
    await service.call('POST', `/v10/refunds/${second}/capture`);
    expect(await service.call('POST', `/v10/refunds/${second}/cancel`)).toMatchObject({
      status: 409,
      code: '1352',
    });
  });

  test('that nobody decides pay out by themselves after a day', async () => {
    const paymentId = await service.captured();
    await refund(paymentId);
    await service.clock.pass(days(1));
    expect(service.simulator.state()).toMatchObject({
      refunds: [{ status: 'ExpiredAndCaptured' }],
    });
  });

  test.each([
    [{ currencyCode: 'EUR' }, '1365'],
    [{ paymentId: unknownId }, '1001'],
  ])('%o: %s', async (about, code) => {
    expect(await refund(await service.captured(), about)).toMatchObject({ status: 409, code });
  });

  test('not of a payment that is not captured, not after ninety days, not above the store’s balance', async () => {
    const paymentId = await service.reserved();
    expect(await refund(paymentId)).toMatchObject({ status: 409, code: '1354' });
    await service.call('POST', `/v10/payments/${paymentId}/capture`, { amount: 12.5 });
    for (const store of service.simulator.world.stores.values()) store.balanceMinor = 499;
    expect(await refund(paymentId)).toMatchObject({ status: 409, code: '1368' });
    await service.clock.pass(days(91));
    const { body } = await service.token();
    const headers = { authorization: `Bearer ${String(body?.['access_token'])}` };
    expect(
      await service.call(
        'POST',
        '/v10/refunds',
        { paymentId, refundOrderId: 'r', amount: 1, currencyCode: 'DKK' },
        headers,
      ),
    ).toMatchObject({
      code: '1366',
    });
  });
});
