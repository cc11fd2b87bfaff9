/** Reservations, amounts that follow, and a day's totals over the HTTP API. */
import { afterEach, describe, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { ApiWorld, bread } from './support.ts';

let at: ApiWorld;
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const another = '6f1d0c1e-2222-4000-8000-000000000002';
const post = (path: string, body: unknown) => at.ask('POST', path, { key: another, body });

describe('a reservation', () => {
  const begun = async (partialCapturePossible = true): Promise<string> => {
    at = await new ApiWorld().open({ plannedCaptureDelay: 'LessThan14Days' });
    at.world.pollAnswers = [
      {
        ...reserved,
        partialCapturePossible,
        expiresAtMs: at.world.clock.wallMs() + 86_400_000 * 7,
      },
    ];
    const { body } = await at.pay(key, { ...bread, reserve: true });
    await at.world.clock.pass(2_000);
    return body.paymentId;
  };

  test('is held, listed, and captured in part; the same again is the same, another amount is refused', async () => {
    const paymentId = await begun();
    expect((await at.ask('GET', `/v1/payments/${paymentId}`)).body).toMatchObject({
      status: 'reserved',
      money: 'reserved',
      reservation: { partialCapturePossible: true },
    });
    expect((await at.ask('GET', '/v1/reservations')).body).toMatchObject({
      reservations: [{ paymentId, amountMinor: 1234, by: 'till', endsSoon: false }],
    });
    expect(
      await post(`/v1/payments/${paymentId}/capture`, { amountMinor: 1235, currency: 'DKK' }),
    ).toMatchObject({ status: 422 });
    expect(
      await post(`/v1/payments/${paymentId}/capture`, { amountMinor: 1000, currency: 'EUR' }),
    ).toMatchObject({ status: 422 });
    expect(at.world.captured).toEqual([]);
    const capture = () =>
      post(`/v1/payments/${paymentId}/capture`, { amountMinor: 1000, currency: 'DKK' });
    expect(await capture()).toMatchObject({
      status: 202,
      body: { status: 'paid', amountMinor: 1000, requestedMinor: 1234 },
    });
    await at.world.clock.pass(86_400_000);
    expect(await capture()).toMatchObject({
      status: 200,
      body: { status: 'paid', money: 'moved' },
    });
    expect(
      await post(`/v1/payments/${paymentId}/capture`, { amountMinor: 999, currency: 'DKK' }),
    ).toMatchObject({
      status: 409,
      body: { type: 'urn:tillbeacon:problem:not-reserved' },
    });
    expect(at.world.captured).toEqual([{ amountMinor: 1000, currency: 'DKK' }]);
  });

  test('of which a part cannot be captured', async () => {
    const paymentId = await begun(false);
    expect(
      await post(`/v1/payments/${paymentId}/capture`, { amountMinor: 1000, currency: 'DKK' }),
    ).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:whole-amount-only' },
    });
    expect(at.world.captured).toEqual([]);
  });

  test('is given back by a cancel', async () => {
    const paymentId = await begun();
    expect(await post(`/v1/payments/${paymentId}/cancel`, {})).toMatchObject({ status: 202 });
    await at.world.clock.pass(2_000);
    expect((await at.ask('GET', `/v1/payments/${paymentId}`)).body).toMatchObject({
      status: 'notPaid',
      reason: 'cancelledByTill',
      money: 'notMoved',
    });
    expect(await post(`/v1/payments/${paymentId}/cancel`, {})).toMatchObject({ status: 200 });
    expect(await post(`/v1/payments/${paymentId}/capture`, bread)).toMatchObject({ status: 409 });
    expect(at.world.captured).toEqual([]);
  });

  test('on a lane that takes none: refused, nothing begun', async () => {
    at = await new ApiWorld().open();
    expect(await at.pay(key, { ...bread, reserve: true })).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:no-reservations' },
    });
    expect(await at.pay(key)).toMatchObject({ status: 201 });
  });
});

describe('an amount that follows', () => {
  const paired = { kind: 'seen', status: 'paired', ...bread } as const;
  const begun = async (): Promise<string> => {
    at = await new ApiWorld().open({ flow: 'prepare' });
    const { body } = await at.pay(key, { ...bread, amountFollows: true });
    return body.paymentId;
  };
  const give = (paymentId: string, amountMinor: number) =>
    post(`/v1/payments/${paymentId}/amount`, { amountMinor, currency: 'DKK' });

  test('is given once the customer is found, and is what is sent; before that nothing is', async () => {
    const paymentId = await begun();
    expect(await give(paymentId, 5_000)).toMatchObject({
      status: 409,
      body: { type: 'urn:tillbeacon:problem:amount-fixed' },
    });
    at.world.pollAnswers.push(paired, paired, {
      kind: 'seen',
      status: 'reserved',
      amountMinor: 5_000,
      currency: 'DKK',
    });
    await at.world.clock.pass(1_500);
    expect((await at.ask('GET', `/v1/payments/${paymentId}`)).body).toMatchObject({
      amountNeeded: true,
      progress: 'customerFound',
    });
    expect(at.world.amounts).toEqual([]);
    expect(at.world.lane.agreeAmount(paymentId, 1)).toBe('amountFixed');
    expect(await give(paymentId, 5_000)).toMatchObject({
      status: 200,
      body: { amountMinor: 5_000, amountNeeded: false },
    });
    expect(await give(paymentId, 5_000)).toMatchObject({ status: 200 });
    expect(await give(paymentId, 4_999)).toMatchObject({ status: 409 });
    expect(at.world.journal.story(paymentId).at(-1)?.event).toEqual({
      type: 'amountAgreed',
      amountMinor: 5_000,
    });
    await at.world.clock.pass(5_000);
    expect(at.world.captured).toEqual([{ amountMinor: 5_000, currency: 'DKK' }]);
    expect(await at.pay(key, { ...bread, amountFollows: true })).toMatchObject({
      status: 200,
      body: { status: 'paid', amountMinor: 5_000, requestedMinor: 1234 },
    });
  });

  test('is asked for with wait as soon as the customer is found; once it is given, waiting goes on to the decision', async () => {
    const paymentId = await begun();
    at.world.pollAnswers.push(paired);
    const { answer: found } = await at.waitFor(`/v1/payments/${paymentId}?wait=30`);
    await at.world.clock.pass(1_500);
    expect((await found).body).toMatchObject({ status: 'pending', amountNeeded: true });
    await give(paymentId, 5_000);
    at.world.pollAnswers.push({
      kind: 'seen',
      status: 'reserved',
      amountMinor: 5_000,
      currency: 'DKK',
    });
    const { answer: decided } = await at.waitFor(`/v1/payments/${paymentId}?wait=30`);
    await at.world.clock.pass(5_000);
    expect((await decided).body.status).toBe('paid');
  });

  test('on a lane that begins with the amount: refused, nothing begun', async () => {
    at = await new ApiWorld().open();
    expect(await at.pay(key, { ...bread, amountFollows: true })).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:no-open-amounts' },
    });
    expect(at.world.lane.snapshot().current).toBeNull();
  });

  test('a payment that begins with its amount takes no other', async () => {
    at = await new ApiWorld().open({ flow: 'prepare' });
    at.world.pollAnswers = [paired];
    const { body } = await at.pay(key);
    await at.world.clock.pass(1_500);
    expect(at.world.amounts).toEqual([['ready', 1234]]);
    expect(await give(body.paymentId, 1)).toMatchObject({ status: 409 });
  });
});

test('a day’s totals are of a day', async () => {
  at = await new ApiWorld().open();
  expect(await at.ask('GET', '/v1/totals')).toMatchObject({
    status: 200,
    body: { laneId: '1', day: '2026-11-21', currency: 'DKK', payments: { count: 1, sumMinor: 2 } },
  });
});

test.each([
  '2026-02-30',
  '9999-12-31',
  '3000-01-01',
  '0001-01-01',
  '0099-12-31',
  '1899-12-31',
  '-000001-01-01',
  '+010000-01-01',
  '10000-01-01',
])('a day’s totals are of no day that is %s', async (day) => {
  at = await new ApiWorld().open();
  expect(await at.ask('GET', `/v1/totals?day=${encodeURIComponent(day)}`)).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'day', rule: 'must be a day such as 2026-11-21' }] },
  });
});

test.each(['1900-01-01', '1970-01-01', '2999-12-31'])(
  'a day’s totals of %s are answered',
  async (day) => {
    at = await new ApiWorld().open();
    expect(await at.ask('GET', `/v1/totals?day=${day}`)).toMatchObject({ status: 200 });
  },
);
