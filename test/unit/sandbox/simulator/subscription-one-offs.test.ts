/** One-off payments of an agreement. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { days, Merchant, providerId, refusedWith, user } from './subscriptions-support.ts';

let shop: Merchant;
beforeEach(async () => {
  shop = await new Merchant().start();
});
afterEach(() => shop.stop());

const money = () => shop.world.ledger.movements.map(({ type, amountMinor }) => [type, amountMinor]);

describe('a one-off payment', () => {
  const decide = (agreementId: string, paymentId: string, value: 'Accepted' | 'Rejected') =>
    shop.sandbox.simulateOneOffDecision({
      agreementId,
      paymentId,
      body: [{ op: 'replace', path: '/status', value }],
    });

  test('is reserved when the user accepts it, told at once, and captured once', async () => {
    shop.balance(100_00);
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.oneOff(agreementId);
    const capture = () => shop.client.captureOneOff({ providerId, agreementId, paymentId });
    await expect(capture()).rejects.toEqual(refusedWith(409));
    await decide(agreementId, paymentId, 'Accepted');
    expect(shop.world.phoneByNumber(user).balanceMinor).toBe(20_00);
    expect(await shop.callbacks('/payments')).toEqual([
      {
        agreement_id: agreementId,
        payment_id: paymentId,
        amount: '80.00',
        currency: 'DKK',
        payment_date: '2026-11-21',
        status: 'Reserved',
        status_text: 'Payment succesfully reserved',
        status_code: 0,
        external_id: 'ONE-OFF-1',
        payment_type: 'OneOff',
      },
    ]);
    await expect(decide(agreementId, paymentId, 'Rejected')).rejects.toEqual(refusedWith(409));
    await capture();
    await expect(capture()).rejects.toEqual(refusedWith(409));
    await expect(shop.client.cancelOneOff({ providerId, agreementId, paymentId })).rejects.toEqual(
      refusedWith(400),
    );
    await shop.service.simulator.advance(days(8));
    expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Captured');
    expect(money()[0]).toEqual(['Payment', 80_00]);
  });

  test('is reserved without asking, where the card can pay it', async () => {
    shop.balance(80_00);
    const agreementId = await shop.acceptedAgreement();
    const first = await shop.oneOff(agreementId, { auto_reserve: true });
    const second = await shop.oneOff(agreementId, { auto_reserve: true });
    expect(await shop.callbacks('/payments')).toMatchObject([
      { payment_id: first, status: 'Reserved' },
      { payment_id: second, status: 'Requested', status_code: 50_013 },
    ]);
    expect(await shop.testEndpoint('accept-one-off', { paymentId: second })).toMatchObject({
      status: 409,
    });
    await shop.client.cancelOneOff({ providerId, agreementId, paymentId: first });
    await shop.client.cancelOneOff({ providerId, agreementId, paymentId: first });
    expect(await shop.testEndpoint('accept-one-off', { paymentId: second })).toMatchObject({
      status: 200,
    });
    expect(
      (await shop.client.listOneOffs({ providerId, agreementId })).map(({ status }) => status),
    ).toEqual(['Canceled', 'Reserved']);
  });

  test('that the user rejects is told at once', async () => {
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.oneOff(agreementId);
    await shop.testEndpoint('reject-one-off', { paymentId });
    expect(await shop.callbacks('/payments')).toMatchObject([
      { status: 'Rejected', status_code: 50_001, status_text: 'Rejected by user' },
    ]);
  });

  test.each([
    [undefined, 1440],
    [1, 1],
    [181_440, 181_440],
  ])(
    'with a timeout of %o runs out after %i minutes',
    async (expiration_timeout_minutes, minutes) => {
      const agreementId = await shop.acceptedAgreement();
      const paymentId = await shop.oneOff(agreementId, { expiration_timeout_minutes });
      await shop.service.simulator.advance(minutes * 60_000 - 1);
      expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Requested');
      await shop.service.simulator.advance(1);
      expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Expired');
      expect(await shop.paymentCallbacks()).toMatchObject([
        { status: 'Expired', status_code: 50_008, status_text: 'Expired by system' },
      ]);
    },
  );

  test('that is not captured is released after 6 days, 23 hours and 45 minutes', async () => {
    shop.balance(80_00);
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.oneOff(agreementId, { auto_reserve: true });
    await shop.service.simulator.advance(days(7) - 15 * 60_000 - 1);
    expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Reserved');
    await shop.service.simulator.advance(1);
    expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Expired');
    expect(shop.world.phoneByNumber(user).balanceMinor).toBe(80_00);
  });

  test('is released when the merchant cancels the agreement', async () => {
    const agreementId = await shop.acceptedAgreement();
    const paymentId = await shop.oneOff(agreementId, { auto_reserve: true });
    await shop.client.cancelAgreement({ providerId, agreementId });
    expect(await shop.oneOffStatus(agreementId, paymentId)).toBe('Canceled');
    await expect(shop.oneOff(agreementId)).rejects.toEqual(refusedWith(412));
  });
});
