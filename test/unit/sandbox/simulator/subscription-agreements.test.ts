/** Agreements as the simulator serves them. Payments of them: subscription-payments.test.ts */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import {
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

describe('an agreement', () => {
  test('is pending until the user accepts it, and then told at the success-callback', async () => {
    const created = await shop.client.createAgreement({
      providerId,
      body: shop.agreement({ amount: minorUnits(99_95), frequency: 12 }),
    });
    expect(created).toEqual({
      id: expect.any(String),
      links: [{ rel: 'service-pay', href: expect.stringContaining(created.id) }],
    });
    const agreementId = created.id;
    expect(await shop.client.getAgreement({ providerId, agreementId })).toMatchObject({
      status: 'Pending',
      amount: 9995,
      frequency: 12,
      date_accepted: null,
    });
    await shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
    expect(await shop.client.getAgreement({ providerId, agreementId })).toMatchObject({
      status: 'Accepted',
      date_accepted: '2026-11-21T09:00:00.000Z',
    });
    expect(await shop.callbacks('/success')).toEqual([
      {
        agreement_id: agreementId,
        status: 'Active',
        status_text: '',
        status_code: 0,
        external_id: 'AGREEMENT-1',
        timestamp: '2026-11-21T09:00:00.000Z',
      },
    ]);
    await shop.service.simulator.advance(hours(1));
    expect(await shop.callbacks('/cancel')).toEqual([]);
  });

  const endings: [
    string,
    { status: string; status_code: number; status_text: string },
    (agreementId: string) => Promise<unknown>,
  ][] = [
    [
      'rejected by the user',
      { status: 'Rejected', status_code: 40_000, status_text: 'Agreement rejected by user' },
      (agreementId) =>
        shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Rejected' } }),
    ],
    [
      'left alone',
      { status: 'Expired', status_code: 40_001, status_text: 'Pending agreement expired' },
      () => shop.service.simulator.advance(5 * 60_000),
    ],
    [
      'cancelled by the user',
      { status: 'Canceled', status_code: 40_002, status_text: 'Agreement canceled by user' },
      async (agreementId) => {
        await shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
        await shop.sandbox.simulateAgreementCancellation({
          agreementId,
          body: { status: 'Canceled' },
        });
      },
    ],
    [
      'cancelled by the merchant while pending',
      { status: 'Canceled', status_code: 40_003, status_text: 'Agreement canceled by merchant' },
      (agreementId) => shop.client.cancelAgreement({ providerId, agreementId }),
    ],
    [
      'cancelled by the merchant',
      { status: 'Canceled', status_code: 40_003, status_text: 'Agreement canceled by merchant' },
      async (agreementId) => {
        await shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
        await shop.client.cancelAgreement({ providerId, agreementId });
        await shop.client.cancelAgreement({ providerId, agreementId });
      },
    ],
    [
      'of a user who was deleted',
      { status: 'Canceled', status_code: 40_004, status_text: 'Agreement canceled by system.' },
      async (agreementId) => {
        await shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
        await shop.testEndpoint('delete-user', { phoneNumber: user });
      },
    ],
  ];
  test.each(endings)('%s is told once, at the cancel-callback: %o', async (_, said, act) => {
    const agreementId = await shop.pendingAgreement();
    await act(agreementId);
    expect(await shop.callbacks('/cancel')).toEqual([
      {
        agreement_id: agreementId,
        external_id: 'AGREEMENT-1',
        timestamp: expect.any(String),
        ...said,
      },
    ]);
    expect((await shop.client.getAgreement({ providerId, agreementId })).status).toBe(said.status);
    expect(
      await shop.call('PATCH', `/recurring-payments/api/agreements/v1/${agreementId}`, {
        status: 'Accepted',
      }),
    ).toMatchObject({ status: 412 });
  });

  test('runs out at its minute and not before', async () => {
    const agreementId = await shop.pendingAgreement();
    await shop.service.simulator.advance(5 * 60_000 - 1);
    expect((await shop.client.getAgreement({ providerId, agreementId })).status).toBe('Pending');
    await shop.service.simulator.advance(1);
    expect((await shop.client.getAgreement({ providerId, agreementId })).status).toBe('Expired');
  });

  test('is of the user whom the merchant named, of the one who is played, or of the first test user of its country', async () => {
    const phoneOf = (id: string): unknown =>
      (
        shop.service.simulator.state() as {
          subscriptions: { agreements: { agreementId: string; phoneNumber: string }[] };
        }
      ).subscriptions.agreements.find(({ agreementId }) => agreementId === id)?.phoneNumber;
    expect(phoneOf(await shop.acceptedAgreement({ mobile_phone_number: '4520031803' }))).toBe(
      '+4520031803',
    );
    expect(phoneOf(await shop.acceptedAgreement())).toBe(user);
    expect(phoneOf(await shop.acceptedAgreement({ country_code: 'FI', currency: 'EUR' }))).toBe(
      '+358200318001',
    );
    const played = await shop.pendingAgreement();
    const userId = shop.world.phoneByNumber('+4520031802').userId;
    const accept = (authenticateduser: string) =>
      shop.call(
        'PATCH',
        `/recurring-payments/api/agreements/v1/${played}`,
        { status: 'Accepted' },
        { authenticateduser },
      );
    expect(await accept(unknownId)).toMatchObject({ status: 401, body: null });
    expect(await accept(userId)).toMatchObject({ status: 204 });
    expect(phoneOf(played)).toBe('+4520031802');
  });

  const cannotCancel: [string, object, (agreementId: string) => Promise<unknown>][] = [
    [
      'before its retention period has passed',
      { retention_period_hours: 2 },
      () => shop.service.simulator.advance(hours(2) - 1),
    ],
    [
      'where it has a cancel-redirect',
      {},
      (agreementId) =>
        shop.client.updateAgreement({
          providerId,
          agreementId,
          body: [{ op: 'replace', path: '/cancel-redirect', value: 'https://shop.example/bye' }],
        }),
    ],
    [
      'while something is reserved',
      {},
      (agreementId) => shop.oneOff(agreementId, { auto_reserve: true }),
    ],
  ];
  test.each(cannotCancel)('cannot be cancelled by the user %s', async (_, about, act) => {
    const agreementId = await shop.acceptedAgreement(about);
    await act(agreementId);
    await expect(
      shop.sandbox.simulateAgreementCancellation({ agreementId, body: { status: 'Canceled' } }),
    ).rejects.toEqual(refusedWith(409));
  });

  test('can be cancelled by the user when the retention period has passed', async () => {
    const agreementId = await shop.acceptedAgreement({ retention_period_hours: 24 });
    await shop.service.simulator.advance(hours(24));
    expect(await shop.testEndpoint('cancel-agreement', { agreementId })).toMatchObject({
      status: 200,
    });
  });

  test('changes where it is patched, as long as it is alive', async () => {
    const agreementId = await shop.acceptedAgreement();
    await shop.client.updateAgreement({
      providerId,
      agreementId,
      body: [
        { op: 'replace', path: '/amount', value: minorUnits(10_01) },
        { op: 'replace', path: '/plan', value: 'Premium' },
        { op: 'replace', path: '/description', value: 'Paused' },
        { op: 'replace', path: '/next_payment_date', value: '2026-12-01T00:00:00Z' },
        { op: 'replace', path: '/frequency', value: 52 },
        { op: 'replace', path: '/external_id', value: 'AGREEMENT-2' },
        { op: 'replace', path: '/success-callback', value: shop.url('/elsewhere') },
        { op: 'replace', path: '/cancel-callback', value: shop.url('/gone') },
      ],
    });
    expect(await shop.client.getAgreement({ providerId, agreementId })).toMatchObject({
      amount: 1001,
      plan: 'Premium',
      description: 'Paused',
      next_payment_date: '2026-12-01T00:00:00Z',
      frequency: 52,
      external_id: 'AGREEMENT-2',
    });
    await shop.client.cancelAgreement({ providerId, agreementId });
    expect(await shop.callbacks('/gone')).toMatchObject([
      { status: 'Canceled', external_id: 'AGREEMENT-2' },
    ]);
    const late = shop.client.updateAgreement({
      providerId,
      agreementId,
      body: [{ op: 'replace', path: '/plan', value: 'Late' }],
    });
    await expect(late).rejects.toEqual(refusedWith(400));
  });

  test('with a one-off is accepted only when that can be reserved', async () => {
    shop.balance(79_99);
    const one_off_payment = { amount: minorUnits(80_00), external_id: 'FIRST' };
    const { id: agreementId, one_off_payment_id: paymentId = null } =
      await shop.client.createAgreement({
        providerId,
        body: shop.agreement({ one_off_payment }),
      });
    const accept = () =>
      shop.sandbox.simulateAgreementDecision({ agreementId, body: { status: 'Accepted' } });
    await expect(accept()).rejects.toEqual(refusedWith(412));
    await expect(
      shop.sandbox.simulateOneOffDecision({
        agreementId,
        paymentId: paymentId as string,
        body: [{ op: 'replace', path: '/status', value: 'Accepted' }],
      }),
    ).rejects.toEqual(refusedWith(409));
    shop.balance(80_00);
    await accept();
    expect(await shop.callbacks('/payments')).toMatchObject([
      { payment_id: paymentId, status: 'Reserved', payment_type: 'OneOff', external_id: 'FIRST' },
    ]);
    expect(await shop.callbacks('/success')).toHaveLength(1);
  });

  test.each(['Rejected', 'Expired'])(
    'with a one-off takes it along when it is %s',
    async (status) => {
      const agreementId = await shop.pendingAgreement({
        one_off_payment: { amount: minorUnits(1), external_id: 'FIRST' },
      });
      if (status === 'Rejected') await shop.testEndpoint('reject-agreement', { agreementId });
      else await shop.service.simulator.advance(5 * 60_000);
      expect(await shop.paymentCallbacks()).toMatchObject([{ status, external_id: 'FIRST' }]);
    },
  );

  test('cannot be accepted when its one-off has run out', async () => {
    const one_off_payment = {
      amount: minorUnits(1),
      external_id: 'FIRST',
      expiration_timeout_minutes: 1,
    };
    const agreementId = await shop.pendingAgreement({ one_off_payment });
    await shop.service.simulator.advance(60_000);
    expect(await shop.testEndpoint('accept-agreement', { agreementId })).toMatchObject({
      status: 412,
    });
  });
});
