/** States of a point-of-sale payment: what ends, and what may follow. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { phone, Service } from './support.ts';

let service: Service;
beforeEach(async () => {
  service = await new Service().start();
  await service.createPos();
});
afterEach(() => service.simulator.stop());

describe('what ends by itself ends at its time, whether anybody looks or not', () => {
  const movements = (): string[] =>
    service.simulator.world.ledger.movements.map(
      ({ type, amountMinor }) => `${type} ${amountMinor}`,
    );

  test('an abandoned refund has paid out a day later, and stands in the ledger', async () => {
    const paymentId = await service.captured();
    await service.call('POST', '/v10/refunds', {
      paymentId,
      refundOrderId: 'r',
      amount: 5,
      currencyCode: 'DKK',
    });
    await service.simulator.advance(86_400_000 - 1);
    expect(movements()).not.toContain('Refund -500');
    await service.simulator.advance(1);
    expect(movements()).toContain('Refund -500');
  });

  test('a payment that nobody approves is gone, and whoever watches hears of it', async () => {
    const paymentId = await service.initiated();
    const received: unknown[] = [];
    service.simulator.world.onChange(() =>
      received.push(service.simulator.world.payments.get(paymentId)?.status),
    );
    await service.clock.pass(5 * 60_000);
    expect(received).toEqual(['CancelledByService']);
  });
});

describe('made ready once more', () => {
  test('with the same terms a prepared payment stays as it is; with others, or when it was never prepared, it is refused', async () => {
    const posId = service.pos.posId;
    const { body } = await service.call('POST', '/v10/payments/prepare', {
      posId,
      orderId: 'order-1',
    });
    const ready = (about: object = {}) =>
      service.call(
        'POST',
        `/v10/payments/${String(body?.['paymentId'])}/ready`,
        service.terms(about),
      );
    expect(await ready()).toMatchObject({ status: 200 });
    expect(await ready()).toMatchObject({ status: 200, body: null });
    expect(await ready({ amount: 12.51 })).toMatchObject({ status: 409, code: '1303' });
    await service.sandbox('checkin');
    await service.sandbox('acceptpayment');
    expect(await ready()).toMatchObject({ status: 200 });
    expect(await service.status(String(body?.['paymentId']))).toBe('Reserved');
  });
});

test('a refund that takes its time is Initiated first, and can be cancelled then', async () => {
  await service.simulator.stop();
  service = await new Service({ refundReservationMs: 150 }).start();
  await service.createPos();
  const paymentId = await service.captured();
  const refundOf = async (): Promise<string> =>
    String(
      (
        await service.call('POST', '/v10/refunds', {
          paymentId,
          refundOrderId: 'r',
          amount: 5,
          currencyCode: 'DKK',
        })
      ).body?.['refundId'],
    );
  const status = async (id: string) =>
    (await service.call('GET', `/v10/refunds/${id}`)).body?.['status'];
  const [kept, dropped] = [await refundOf(), await refundOf()];
  expect(await status(kept)).toBe('Initiated');
  expect(await service.call('POST', `/v10/refunds/${kept}/capture`)).toMatchObject({
    status: 409,
    code: '1351',
  });
  expect(await service.call('POST', `/v10/refunds/${dropped}/cancel`)).toMatchObject({
    status: 200,
  });
  await service.clock.pass(150);
  expect([await status(kept), await status(dropped)]).toEqual(['Reserved', 'CancelledByClient']);
});

describe('a card', () => {
  test('that cannot pay so much ends the payment; what is reserved is given back when it is not taken', async () => {
    const { world } = service.simulator;
    const user = world.addPhone({ phoneNumber: phone, balanceMinor: 1_999 });
    const first = await service.reserved();
    expect(user.balanceMinor).toBe(749);
    expect(await service.status(await service.reserved({ orderId: 'order-2' }))).toBe(
      'CancelledByService',
    );
    await service.call('POST', `/v10/payments/${first}/cancel`);
    expect(user.balanceMinor).toBe(1_999);
    const paymentId = await service.captured({ orderId: 'order-3' });
    expect(user.balanceMinor).toBe(749);
    const refund = await service.call('POST', '/v10/refunds', {
      paymentId,
      refundOrderId: 'r',
      amount: 5,
      currencyCode: 'DKK',
    });
    await service.call('POST', `/v10/refunds/${String(refund.body?.['refundId'])}/capture`);
    expect(user.balanceMinor).toBe(1_249);
  });
});

test.each(['cancel', 'capture'])(
  'paymentExpiresAt is there as long as a payment can expire; after its %s it is absent, never null',
  async (end) => {
    const paymentId = await service.reserved();
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).toHaveProperty(
      'paymentExpiresAt',
      expect.any(String),
    );
    await service.call(
      'POST',
      `/v10/payments/${paymentId}/${end}`,
      end === 'capture' ? { amount: 12.5 } : undefined,
    );
    expect((await service.call('GET', `/v10/payments/${paymentId}`)).body).not.toHaveProperty(
      'paymentExpiresAt',
    );
  },
);

test('requirePaymentBeforeCheckin may be left out, and must not be null', async () => {
  expect(await service.createPos({ merchantPosId: 'lane-8' })).toMatchObject({ status: 200 });
  expect(
    await service.createPos({ merchantPosId: 'lane-9', requirePaymentBeforeCheckin: null }),
  ).toMatchObject({ status: 400, code: '1099' });
});
