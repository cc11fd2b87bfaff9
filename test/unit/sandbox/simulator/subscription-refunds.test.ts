/** Refunds of subscription payments. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { days, Merchant, providerId, unknownId, user } from './subscriptions-support.ts';

let shop: Merchant;
beforeEach(async () => {
  shop = await new Merchant().start();
});
afterEach(() => shop.stop());

const money = () => shop.world.ledger.movements.map(({ type, amountMinor }) => [type, amountMinor]);

describe('a refund', () => {
  let agreementId: string;
  let paymentId: string;
  beforeEach(async () => {
    agreementId = await shop.acceptedAgreement();
    paymentId = await shop.oneOff(agreementId, { auto_reserve: true });
  });
  const capture = () => shop.client.captureOneOff({ providerId, agreementId, paymentId });
  const refund = (about: object = {}, of = paymentId) =>
    shop.client.requestSubscriptionRefund({
      providerId,
      agreementId,
      paymentId: of,
      body: { status_callback_url: shop.url('/refunds'), external_id: 'REFUND-1', ...about },
    });
  const provider = (about: object) => shop.testEndpoint('set-provider', { providerId, ...about });

  test('of a part and of the rest is paid out, and no more', async () => {
    await capture();
    const first = await refund({ amount: minorUnits(30_00) });
    expect(first).toEqual({
      id: expect.any(String),
      amount: 30_00,
      status_callback_url: shop.url('/refunds'),
      external_id: 'REFUND-1',
    });
    await refund();
    await refund({ amount: minorUnits(50_00) });
    await refund({ amount: minorUnits(1) });
    const about = {
      agreement_id: agreementId,
      payment_id: paymentId,
      currency: 'DKK',
      external_id: 'REFUND-1',
    };
    expect(await shop.callbacks('/refunds')).toMatchObject([
      {
        ...about,
        refund_id: first.id,
        amount: '30.00',
        status: 'Issued',
        status_text: null,
        status_code: null,
      },
      { ...about, amount: '80.00', status: 'Declined', status_code: 60_002 },
      { ...about, amount: '50.00', status: 'Issued' },
      {
        ...about,
        amount: '0.01',
        status: 'Declined',
        status_code: 60_001,
        status_text: 'Payment is fully refunded.',
      },
    ]);
    const listed = await shop.client.listSubscriptionRefunds({
      providerId,
      agreementId,
      paymentId,
    });
    expect(listed.map(({ amount, status }) => [amount, status])).toEqual([
      [30_00, 'Issued'],
      [80_00, 'Declined'],
      [50_00, 'Issued'],
      [1, 'Declined'],
    ]);
    expect(money()).toEqual([
      ['Payment', 80_00],
      ['Refund', -30_00],
      ['Refund', -50_00],
    ]);
  });

  const declines: [number, () => Promise<unknown>][] = [
    [60_003, () => refund({}, unknownId)],
    [60_004, () => refund()],
    [
      60_005,
      async () => (
        await capture(), await shop.testEndpoint('block-user', { phoneNumber: user }), refund()
      ),
    ],
    [
      60_006,
      async () => (await capture(), await shop.service.simulator.advance(days(90) + 1), refund()),
    ],
    [60_007, async () => (await capture(), await provider({ instantTransfers: true }), refund())],
    [60_008, async () => (await capture(), await provider({ balanceMinor: 79_99 }), refund())],
  ];
  test.each(declines)('that cannot be is declined with %i', async (status_code, act) => {
    await act();
    expect(await shop.callbacks('/refunds')).toMatchObject([{ status: 'Declined', status_code }]);
    expect(money().filter(([type]) => type === 'Refund')).toEqual([]);
  });

  test('is possible to the ninetieth day, and without anybody being called', async () => {
    await capture();
    await shop.service.simulator.advance(days(90));
    await refund({ status_callback_url: null });
    expect(await shop.callbacks('/refunds')).toEqual([]);
    expect(money().at(-1)).toEqual(['Refund', -80_00]);
  });
});
