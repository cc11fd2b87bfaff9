/**
 * The days of a subscription payment: when it can be rejected, what keeps it from being paid, and
 * how its user pays it after all.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Event, Merchant, providerId, unknownId, user } from './subscriptions-support.ts';

let shop: Merchant;
let agreementId: string;
beforeEach(async () => {
  shop = await new Merchant().start();
  agreementId = await shop.acceptedAgreement();
});
afterEach(() => shop.stop());

interface State {
  readonly notices: readonly {
    readonly paymentId: string;
    readonly phoneNumber: string;
    readonly at: string;
  }[];
}
interface Section {
  readonly title: string;
  readonly rows: readonly {
    readonly cells: readonly string[];
    readonly actions: readonly {
      readonly label: string;
      readonly endpoint: string;
      readonly body: object;
    }[];
  }[];
}
const noticesAt = async (): Promise<string[]> => {
  const { body } = await shop.call('GET', '/simulator/state');
  return (body as unknown as { subscriptions: State }).subscriptions.notices.map(({ at }) => at);
};
const set = async (about: object): Promise<void> => {
  expect(await shop.testEndpoint('set-user', { phoneNumber: user, ...about })).toMatchObject({
    status: 200,
  });
};
const emptyCard = () => set({ balanceMinor: 0 });
const payByHand = (paymentId: string) => shop.testEndpoint('pay-by-hand', { paymentId });
const statuses = (paymentIds: readonly string[]): Promise<string[]> =>
  Promise.all(paymentIds.map((paymentId) => shop.status(agreementId, paymentId)));
/** The events, without those that the user's own acts cause. */
const ended = async (): Promise<Event[]> =>
  (await shop.callbacks('/payments')).map(({ payment_id, status, status_code }) => ({
    payment_id,
    status,
    status_code,
  }));

describe('the day before its due date', () => {
  const reject = (paymentId: string) => shop.testEndpoint('reject-payment', { paymentId });
  const rejectInSandbox = (paymentId: string) =>
    shop.call('DELETE', `/recurring-payments/api/users/me/payments/${paymentId}`);
  const takeBack = (paymentId: string) =>
    shop.call(
      'DELETE',
      `/subscriptions/api/providers/${providerId}/agreements/${agreementId}/paymentrequests/${paymentId}`,
    );
  const acts: [string, typeof reject, number, number, string, string][] = [
    ['rejected by the user', reject, 200, 409, 'rejected', 'Rejected'],
    ['rejected in the sandbox', rejectInSandbox, 204, 409, 'rejected', 'Rejected'],
    ['taken back by the merchant', takeBack, 204, 400, 'declined', 'Declined'],
  ];

  test.each(acts)(
    'a payment can be %s, not sooner and not later',
    async (_, act, done, refused, verb, status) => {
      const paymentIds = [];
      for (const external_id of ['1', '2', '3'])
        paymentIds.push(await shop.requested(agreementId, { external_id, due_date: '2026-11-25' }));
      const [early = '', first = '', last = ''] = paymentIds;
      await shop.until('2026-11-23T23:59:59');
      const answer = await act(early);
      expect(answer).toMatchObject({ status: refused });
      expect(JSON.stringify(answer.body)).toContain(
        `A payment that is due on 2026-11-25 can be ${verb} on the day before alone`,
      );
      await shop.until('2026-11-24T00:00:00');
      expect(await act(first)).toMatchObject({ status: done });
      await shop.until('2026-11-24T23:59:59');
      expect(await act(last)).toMatchObject({ status: done });
      await shop.until('2026-11-25T00:00:00');
      expect(await act(early)).toMatchObject({ status: refused });
      expect(await statuses(paymentIds)).toEqual(['Pending', status, status]);
    },
  );

  test('the page offers to reject it, on no other day', async () => {
    await shop.requested(agreementId, { due_date: '2026-11-23' });
    const offered = async (): Promise<unknown> => {
      const { body } = await shop.call('GET', '/simulator/glance');
      const { sections } = body as unknown as { sections: Section[] };
      return sections
        .find(({ title }) => title === 'Subscription payments')
        ?.rows[0]?.actions.map(({ label }) => label);
    };
    expect(await offered()).toEqual([]);
    await shop.until('2026-11-22T00:00:00');
    expect(await offered()).toEqual(['Reject']);
    await shop.until('2026-11-23T00:00:00');
    expect(await offered()).toEqual([]);
  });

  test('is of no matter when the agreement ends: nothing is taken any more', async () => {
    const paymentId = await shop.requested(agreementId, { due_date: '2026-12-23' });
    await shop.client.cancelAgreement({ providerId, agreementId });
    expect(await shop.paymentCallbacks()).toMatchObject([
      { payment_id: paymentId, status: 'Declined', status_code: 50_005 },
    ]);
  });
});

describe('a payment that could not be taken', () => {
  test('reads Suspended from the first attempt on, and its callback tells how it ended alone', async () => {
    await emptyCard();
    const [paid, failed] = [
      await shop.requested(agreementId),
      await shop.requested(agreementId, { external_id: 'TOO-MUCH', amount: 100 }),
    ] as const;
    await shop.until('2026-11-23T01:59:59');
    expect(await statuses([paid, failed])).toEqual(['Pending', 'Pending']);
    await shop.until('2026-11-23T02:00:00');
    expect(await statuses([paid, failed])).toEqual(['Suspended', 'Suspended']);
    await shop.until('2026-11-23T13:00:00');
    expect(await ended()).toEqual([]);
    await set({ balanceMinor: 20_00 });
    await shop.until('2026-11-23T14:02:00');
    expect(await statuses([paid, failed])).toEqual(['Executed', 'Suspended']);
    await shop.until('2026-11-24T00:02:00');
    expect(await statuses([paid, failed])).toEqual(['Executed', 'Failed']);
    expect(await ended()).toEqual([
      { payment_id: paid, status: 'Executed', status_code: 0 },
      { payment_id: failed, status: 'Failed', status_code: 50_000 },
    ]);
  });

  test('can be neither rejected, nor taken back, nor lowered: it is executed or fails', async () => {
    await emptyCard();
    const paymentId = await shop.requested(agreementId);
    await shop.until('2026-11-23T02:00:00');
    expect(await shop.testEndpoint('reject-payment', { paymentId })).toMatchObject({ status: 409 });
    const path = `/subscriptions/api/providers/${providerId}/agreements/${agreementId}/paymentrequests/${paymentId}`;
    expect(await shop.call('DELETE', path)).toMatchObject({ status: 400 });
    expect(
      await shop.call('PATCH', path, [{ op: 'replace', path: '/amount', value: 1 }]),
    ).toMatchObject({ status: 400 });
    expect(await shop.status(agreementId, paymentId)).toBe('Suspended');
  });

  test('fails where the agreement ends meanwhile, whatever is on the card', async () => {
    await emptyCard();
    const paymentId = await shop.requested(agreementId);
    await shop.until('2026-11-23T02:00:00');
    await shop.client.cancelAgreement({ providerId, agreementId });
    await set({ balanceMinor: null });
    expect(await payByHand(paymentId)).toMatchObject({ status: 412 });
    await shop.until('2026-11-24T00:02:00');
    expect(await ended()).toEqual([
      { payment_id: paymentId, status: 'Failed', status_code: 50_000 },
    ]);
    expect(await noticesAt()).toEqual([]);
  });
});

describe('the user', () => {
  test.each([
    [undefined, ['2026-11-23']],
    [1, ['2026-11-23']],
    [3, ['2026-11-23', '2026-11-24', '2026-11-25']],
  ])('is notified at 08:30 on each of %o days of grace', async (grace_period_days, onDays) => {
    await emptyCard();
    const paymentId = await shop.requested(agreementId, { grace_period_days });
    await shop.until('2026-11-23T08:29:59');
    expect(await noticesAt()).toEqual([]);
    await shop.until('2026-11-28T00:00:00');
    expect(await noticesAt()).toEqual(onDays.map((day) => `${day}T08:30:00.000Z`));
    const { body } = await shop.call('GET', '/simulator/state');
    expect(body).toMatchObject({
      subscriptions: { notices: onDays.map(() => ({ paymentId, phoneNumber: user })) },
    });
  });

  test('is not notified of what was paid or is still to come', async () => {
    await shop.requested(agreementId);
    await shop.until('2026-11-23T12:00:00');
    await emptyCard();
    await shop.requested(agreementId, { due_date: '2026-11-25' });
    await shop.until('2026-11-24T12:00:00');
    expect(await noticesAt()).toEqual([]);
  });

  test('pays by hand on any day of grace: executed at once, told with the next batch, notified no more', async () => {
    await emptyCard();
    const paymentId = await shop.requested(agreementId, { grace_period_days: 3 });
    await shop.until('2026-11-24T09:01:00');
    expect(await payByHand(paymentId)).toMatchObject({
      status: 412,
      body: { message: 'The card of the user cannot pay so much' },
    });
    await set({ balanceMinor: 12_50 });
    expect(await payByHand(paymentId)).toMatchObject({ status: 200 });
    expect(await shop.status(agreementId, paymentId)).toBe('Executed');
    expect(await shop.paymentCallbacks()).toMatchObject([
      { payment_id: paymentId, status: 'Executed', status_code: 0, payment_date: '2026-11-23' },
    ]);
    await shop.until('2026-11-27T00:00:00');
    expect(await noticesAt()).toEqual(['2026-11-23T08:30:00.000Z', '2026-11-24T08:30:00.000Z']);
    expect(shop.world.ledger.movements.filter(({ type }) => type === 'Payment')).toMatchObject([
      { amountMinor: 12_50 },
    ]);
    expect(await ended()).toHaveLength(1);
  });

  test('who pays by hand in the night is told of after a quarter past three, like everybody', async () => {
    await emptyCard();
    const paymentId = await shop.requested(agreementId);
    await shop.until('2026-11-23T02:01:00');
    await set({ balanceMinor: null });
    await payByHand(paymentId);
    await shop.until('2026-11-23T03:15:00');
    expect(await ended()).toEqual([]);
    await shop.until('2026-11-23T03:16:00');
    expect(await ended()).toHaveLength(1);
  });

  test('cannot pay by hand what is not there, not due, or over', async () => {
    const paymentId = await shop.requested(agreementId);
    expect(await payByHand(unknownId)).toMatchObject({ status: 404 });
    expect(await payByHand(paymentId)).toMatchObject({
      status: 412,
      body: { message: 'A payment that is Pending cannot be paid by hand' },
    });
    await shop.until('2026-11-23T02:00:00');
    expect(await payByHand(paymentId)).toMatchObject({
      status: 412,
      body: { message: 'A payment that is Executed cannot be paid by hand' },
    });
  });
});

describe('limits', () => {
  const requested = (about: object): Promise<string> =>
    shop.requested(agreementId, { grace_period_days: 3, ...about });

  test('of a month hold also when everything is due on one day, and are new in the next', async () => {
    const amounts = [30_000, 29_999, 1.01, 1];
    const paymentIds = [];
    for (const [number, amount] of amounts.entries())
      paymentIds.push(
        await requested({ external_id: `${number}`, amount, due_date: '2026-11-29' }),
      );
    await shop.until('2026-11-29T09:00:00');
    expect(await statuses(paymentIds)).toEqual(['Executed', 'Executed', 'Suspended', 'Executed']);
    expect(await noticesAt()).toEqual(['2026-11-29T08:30:00.000Z']);
    expect(await payByHand(paymentIds[2] as string)).toMatchObject({
      status: 412,
      body: { message: 'The user has reached the limit' },
    });
    await shop.until('2026-12-01T01:59:59');
    expect(await shop.status(agreementId, paymentIds[2] as string)).toBe('Suspended');
    await shop.until('2026-12-01T02:00:00');
    expect(await shop.status(agreementId, paymentIds[2] as string)).toBe('Executed');
  });

  test('of a day for whoever is known by a registration number alone, and new on the next', async () => {
    await set({ identifiedBy: 'registrationNumber' });
    const paymentIds = [
      await requested({ external_id: '1', amount: 2_000 }),
      await requested({ external_id: '2', amount: 1_000.01 }),
    ] as const;
    await shop.until('2026-11-23T23:59:59');
    expect(await statuses(paymentIds)).toEqual(['Executed', 'Suspended']);
    await shop.until('2026-11-24T02:00:00');
    expect(await statuses(paymentIds)).toEqual(['Executed', 'Executed']);
  });

  test('end for whoever is identified, and can be set', async () => {
    await set({ identifiedBy: 'registrationNumber' });
    const paymentId = await requested({ amount: 60_000 });
    await shop.until('2026-11-23T12:00:00');
    expect(await shop.status(agreementId, paymentId)).toBe('Suspended');
    await set({ identifiedBy: 'identity', monthLimitMinor: 59_999_99 });
    expect(await payByHand(paymentId)).toMatchObject({ status: 412 });
    await set({ monthLimitMinor: null });
    expect(await payByHand(paymentId)).toMatchObject({ status: 200 });
  });

  test('of a Danish customer are none of a Finnish one', async () => {
    const finnish = await shop.acceptedAgreement({
      country_code: 'FI',
      currency: 'EUR',
      external_id: 'FINNISH',
    });
    const paymentIds = [];
    for (let number = 0; number < 31; number += 1)
      paymentIds.push(
        await shop.requested(finnish, {
          external_id: `${number}`,
          amount: 2_000,
          due_date: '2026-11-29',
        }),
      );
    await shop.until('2026-11-29T02:00:00');
    for (const paymentId of paymentIds)
      expect(await shop.status(finnish, paymentId)).toBe('Executed');
  });

  test('of a day are those of payments to stores too, in both directions', async () => {
    const { service } = shop;
    await set({ identifiedBy: 'registrationNumber' });
    await service.createPos();
    const until = async (moment: string): Promise<void> => {
      await shop.until(moment);
      await service.signIn();
    };
    const atStore = async (orderId: string, amount: number) =>
      service.status(await service.reserved({ orderId, amount }));
    await until('2026-11-23T01:00:00');
    expect(await atStore('1', 1_000)).toBe('Reserved');
    const released = await service.reserved({ orderId: '2', amount: 2_000 });
    await service.call('POST', `/v10/payments/${released}/cancel`);
    const taken = await requested({ amount: 1_500, due_date: '2026-11-24' });
    expect(await atStore('3', 2_000.01)).toBe(shop.world.profile.cancelledByProvider);
    await until('2026-11-24T02:00:00');
    expect(await shop.status(agreementId, taken)).toBe('Executed');
    expect(await atStore('4', 1_500.01)).toBe(shop.world.profile.cancelledByProvider);
    expect(await atStore('5', 1_500)).toBe('Reserved');
    const tooMuch = await requested({
      amount: 3_000,
      external_id: 'TOO-MUCH',
      due_date: '2026-11-25',
    });
    await until('2026-11-25T01:00:00');
    expect(await atStore('6', 0.01)).toBe('Reserved');
    await until('2026-11-25T02:00:00');
    expect(await shop.status(agreementId, tooMuch)).toBe('Suspended');
  });

  test.each([
    [{ dayLimitMinor: -1 }, 'dayLimitMinor: Too small: expected number to be >=0'],
    [{ monthLimitMinor: 'much' }, expect.stringMatching(/^monthLimitMinor: /)],
    [
      { identifiedBy: 'somebody' },
      expect.stringMatching(/^identifiedBy: .*identity.*registrationNumber/),
    ],
    [{ limit: 1 }, expect.stringMatching(/limit/)],
  ])('are not set by %o', async (about, message) => {
    expect(
      await shop.testEndpoint('set-user', { phoneNumber: user, balanceMinor: 0, ...about }),
    ).toMatchObject({ status: 400, body: { message } });
    expect(shop.world.phoneByNumber(user).balanceMinor).toBe(Number.POSITIVE_INFINITY);
  });
});

test('the simulator’s page shows who was notified, and pays by hand there', async () => {
  await emptyCard();
  await shop.requested(agreementId);
  await shop.until('2026-11-23T09:00:00');
  await set({ balanceMinor: null });
  const section = async (title: string) => {
    const { body } = await shop.call('GET', '/simulator/glance');
    return (body as unknown as { sections: Section[] }).sections.find((one) => one.title === title);
  };
  expect((await section('Notices to users'))?.rows).toMatchObject([
    { cells: ['2026-11-23 08:30:00', user, expect.any(String), '12.50 DKK', expect.any(String)] },
  ]);
  const [row] = (await section('Subscription payments'))?.rows ?? [];
  expect(row).toMatchObject({
    cells: expect.arrayContaining(['Suspended']),
    actions: [{ label: 'Pay by hand' }],
  });
  const pay = row?.actions[0];
  expect(await shop.call('POST', `/simulator/${pay?.endpoint}`, pay?.body)).toMatchObject({
    status: 200,
  });
  expect((await section('Subscription payments'))?.rows).toMatchObject([
    { cells: expect.arrayContaining(['Executed']), actions: [] },
  ]);
  const [subscriber] = (await section('Users of subscriptions'))?.rows ?? [];
  expect(subscriber?.cells).toEqual([user, 'no limit', 'no limit', '60000.00', '12.50']);
  const offered = subscriber?.actions.map(({ label }) => label);
  expect(offered).toEqual([
    'Empty the card',
    'Fill the card',
    'Identify',
    'Registration number only',
  ]);
  const [, , , known] = subscriber?.actions ?? [];
  expect(await shop.call('POST', `/simulator/${known?.endpoint}`, known?.body)).toMatchObject({
    status: 200,
  });
  expect((await section('Users of subscriptions'))?.rows).toMatchObject([
    { cells: [user, 'no limit', '3000.00', 'no limit', '12.50'] },
  ]);
});
