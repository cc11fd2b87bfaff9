/** Requests for subscription payments, at the simulated service. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { Merchant, providerId, unknownId } from '../../sandbox/simulator/subscriptions-support.ts';

let shop: Merchant;
let agreementId: string;
beforeAll(async () => {
  shop = await new Merchant().start();
  agreementId = await shop.acceptedAgreement();
});
afterAll(() => shop.stop());
afterEach(() => shop.service.simulator.faults.clear());

const x = (length: number): string => 'x'.repeat(length);

describe('a payment request', () => {
  const sent = async (about: object, count = 1): Promise<string | null> => {
    const body = Array.from({ length: count }, (_, number) =>
      shop.request(unknownId, { external_id: String(number), ...about }),
    );
    try {
      await shop.client.requestSubscriptionPayments({ providerId, body });
      return null;
    } catch (error) {
      expect(error).toMatchObject({ name: 'InvalidRequestError' });
      return `${(error as { field: string }).field} ${(error as { rule: string }).rule}`;
    }
  };
  test.each([
    [{ due_date: '2026-11-22' }],
    [{ due_date: '2027-03-27' }],
    [{ amount: minorUnits(1) }],
    [{ amount: minorUnits(2_147_483_647_00) }],
    [{ external_id: x(64), description: x(60), grace_period_days: 1 }],
    [
      {
        external_id: '',
        description: '',
        grace_period_days: 3,
        next_payment_date: '2026-12-01T00:00:00Z',
      },
    ],
  ])('may have %o', async (about) => {
    expect(await sent(about)).toBeNull();
  });
  test.each([
    [{ due_date: '2026-11-21' }, '0.due_date must be at least 1 day in the future'],
    [
      { due_date: '2027-03-28' },
      '0.due_date must not be further in the future than the service allows',
    ],
    [{ due_date: '21.11.2026' }, '0.due_date must be a date, e.g. 2026-11-21'],
    [{ amount: minorUnits(0) }, '0.amount must be at least 0.01'],
    [{ amount: minorUnits(2_147_483_647_01) }, '0.amount must be at most 2147483647'],
    [{ external_id: x(65) }, '0.external_id has more than 64 characters'],
    [{ description: x(61) }, '0.description has more than 60 characters'],
    [{ grace_period_days: 0 }, '0.grace_period_days must be at least 1'],
    [{ grace_period_days: 4 }, '0.grace_period_days must be at most 3'],
    [{ agreement_id: 'mine' }, '0.agreement_id must be a UUID'],
    [
      { invoice: { total_amount: 1 } },
      '0.invoice is not kept: details belong in the attachment of the payment',
    ],
  ])('is not sent with %o', async (about, said) => {
    expect(await sent(about)).toBe(said);
  });
  test('comes alone or with up to 1999 others', async () => {
    expect(await sent({}, 2000)).toBeNull();
    expect(await sent({}, 2001)).toBe('request has more than 2000 payments');
    expect(await sent({}, 0)).toBe('request must hold a payment');
  });
  test('is not sent beside another one for the same agreement, due date and external id', async () => {
    expect(await sent({ external_id: 'same' }, 2)).toBe(
      '1.external_id must differ from that of another payment of the same agreement and due date',
    );
  });
});

describe('after a lost answer', () => {
  const lose = (operation: string, kind: 'resetAfter' | 'reset' = 'resetAfter') =>
    shop.service.simulator.faults.add({ operation, kind });
  const lost = expect.objectContaining({ name: 'ServiceUnreachableError', attempts: 1 });

  test.each([
    ['resetAfter', 1],
    ['reset', 0],
  ] as const)(
    'an agreement is found by its external id (%s: %i), and it was sent once',
    async (kind, count) => {
      const externalId = `LOST-${kind}`;
      lose('createAgreement', kind);
      await expect(shop.pendingAgreement({ external_id: externalId })).rejects.toEqual(lost);
      expect(await shop.client.findUnansweredAgreement({ providerId, externalId })).toHaveLength(
        count,
      );
    },
  );

  test('of a batch, what was taken is told from what never arrived', async () => {
    const taken = shop.request(agreementId, { external_id: 'TAKEN' });
    const requests = [
      taken,
      { ...taken, due_date: '2026-11-24' },
      { ...taken, external_id: 'OTHER' },
      { ...taken, agreement_id: unknownId },
    ];
    lose('requestSubscriptionPayments');
    await expect(
      shop.client.requestSubscriptionPayments({ providerId, body: [taken] }),
    ).rejects.toEqual(lost);
    const { found, missing } = await shop.client.findUnansweredPayments({ providerId, requests });
    expect(found).toMatchObject([
      { request: taken, payment: { status: 'Pending', external_id: 'TAKEN', amount: 12_50 } },
    ]);
    expect(missing).toEqual(requests.slice(1));
  });

  test('a one-off payment and a refund are found by their external ids', async () => {
    lose('requestOneOff');
    await expect(
      shop.oneOff(agreementId, { external_id: 'LOST', auto_reserve: true }),
    ).rejects.toEqual(lost);
    const oneOffs = await shop.client.findUnansweredOneOff({
      providerId,
      agreementId,
      externalId: 'LOST',
    });
    expect(oneOffs).toMatchObject([{ status: 'Reserved', amount: 80_00 }]);
    const about = { providerId, agreementId, paymentId: oneOffs[0]?.id as string };
    lose('captureOneOff');
    await expect(shop.client.captureOneOff(about)).rejects.toEqual(lost);
    expect((await shop.client.getOneOff(about)).status).toBe('Captured');
    lose('requestSubscriptionRefund');
    await expect(
      shop.client.requestSubscriptionRefund({ ...about, body: { external_id: 'LOST' } }),
    ).rejects.toEqual(lost);
    expect(await shop.client.findUnansweredRefund({ ...about, externalId: 'LOST' })).toMatchObject([
      { status: 'Issued', amount: 80_00 },
    ]);
    expect(await shop.client.findUnansweredRefund({ ...about, externalId: 'ANOTHER' })).toEqual([]);
    expect(
      await shop.client.findUnansweredOneOff({
        providerId,
        agreementId: unknownId,
        externalId: 'LOST',
      }),
    ).toEqual([]);
  });

  test('a service that fails says nothing about what is there', async () => {
    shop.service.simulator.faults.add({ operation: 'listOneOffs', kind: 'html' });
    await expect(
      shop.client.findUnansweredOneOff({ providerId, agreementId, externalId: 'LOST' }),
    ).rejects.toMatchObject({ name: 'UnexpectedAnswerError' });
  });
});
