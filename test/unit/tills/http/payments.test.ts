import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashedId, screenPaymentId } from '../../../../main/core/domain/ids.ts';
import { requestId } from '../../../../main/tills/http/request-id.ts';
import { settled } from '../../support/manual-clock.ts';
import { reserved } from '../../core/lane/support.ts';
import { ApiWorld, bread } from './support.ts';

let at: ApiWorld;
beforeEach(async () => {
  at = await new ApiWorld().open();
});
afterEach(() => at.close());

const key = '6f1d0c1e-1111-4000-8000-000000000001';
const another = '6f1d0c1e-2222-4000-8000-000000000002';
const waiting = { kind: 'seen', status: 'issuedToUser', ...bread } as const;
const creates = (): number => at.world.whatLeft().filter((what) => what === 'create').length;

describe('a payment', () => {
  test('is begun, followed and paid; the intent is on disk before it is answered', async () => {
    at.world.pollAnswers = [reserved];
    const begun = await at.pay(key);
    expect(begun).toMatchObject({
      status: 201,
      body: {
        status: 'pending',
        money: 'undecided',
        ...bread,
        requestedMinor: 1234,
        refundedMinor: 0,
      },
    });
    expect(begun.headers['location']).toBe(`/v1/payments/${begun.body.paymentId}`);
    expect(at.world.journal.story(begun.body.paymentId).map(({ event }) => event.type)).toContain(
      'saleRequested',
    );
    await at.world.clock.pass(2_000);
    expect(await at.ask('GET', `/v1/payments/${begun.body.paymentId}`)).toMatchObject({
      status: 200,
      body: { status: 'paid', money: 'moved', reason: null },
    });
    expect(at.world.journal.story(begun.body.paymentId)[0]?.event).toMatchObject({
      sale: { from: 'http:127.0.0.1 Till 1' },
    });
  });

  test('that names a field as null is the one that leaves it out', async () => {
    const begun = await at.pay(key, {
      ...bread,
      reserve: null,
      amountFollows: null,
      minimumAge: null,
      lines: null,
    });
    expect(begun.status).toBe(201);
    expect(await at.pay(key)).toMatchObject({ status: 200 });
    const cancel = `/v1/payments/${begun.body.paymentId}/cancel`;
    expect(await at.ask('POST', cancel, { key, body: 'null' })).toMatchObject({ status: 202 });
  });

  test('whose amount is named twice begins nothing when the last one is null', async () => {
    expect(
      await at.pay(key, '{"amountMinor":1234,"currency":"DKK","amountMinor":null}'),
    ).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'amountMinor' }] },
    });
    expect(creates()).toBe(0);
  });

  test('"paid" is told only once the decision is on disk', async () => {
    at.world.pollAnswers = [reserved];
    const { body } = await at.pay(key);
    await settled();
    at.world.diskWorks = false;
    await at.world.clock.pass(3_000);
    expect((await at.ask('GET', `/v1/payments/${body.paymentId}`)).body).toMatchObject({
      status: 'pending',
      money: 'undecided',
    });
    at.world.diskWorks = true;
    await at.world.clock.pass(3_000);
    expect((await at.ask('GET', `/v1/payments/${body.paymentId}`)).body).toMatchObject({
      status: 'paid',
    });
  });

  test('nothing is told while "paid" is decided and the acknowledgement is not on disk', async () => {
    at.world.pollAnswers = [reserved];
    const offer = at.till.offerPaid.bind(at.till);
    at.till.offerPaid = (...offered) => {
      at.world.diskWorks = false;
      return offer(...offered);
    };
    const { body } = await at.pay(key);
    await at.world.clock.pass(2_000);
    expect(at.world.lane.tillRequests.payment(body.paymentId)?.kind).toBe('offering');
    expect((await at.ask('GET', `/v1/payments/${body.paymentId}`)).body).toMatchObject({
      status: 'pending',
      money: 'undecided',
    });
    expect(at.world.captured).toEqual([]);
  });

  test('a lost answer is asked for again with the same key, however often and from two clients at once: one payment', async () => {
    at.world.pollAnswers = [reserved];
    const answers = await Promise.all(Array.from({ length: 8 }, () => at.pay(key)));
    expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    await at.world.clock.pass(2_000);
    expect(await at.pay(key)).toMatchObject({ status: 200, body: { status: 'paid' } });
    expect(creates()).toBe(1);
  });

  test('the same key for something else is refused, also after it has ended, and changes nothing', async () => {
    await at.pay(key);
    for (const body of [
      { ...bread, amountMinor: 1235 },
      { ...bread, currency: 'EUR' },
      { ...bread, reserve: true },
    ])
      expect(await at.pay(key, body)).toMatchObject({
        status: 422,
        body: { type: 'urn:tillbeacon:problem:key-reused' },
      });
    await at.world.clock.pass(200_000);
    expect(await at.pay(key, { ...bread, amountMinor: 1 })).toMatchObject({ status: 422 });
    expect(creates()).toBe(1);
  });

  test('another key while one is under way: busy, with the one that is; and it begins when that has ended', async () => {
    const first = await at.pay(key);
    expect(await at.pay(another)).toMatchObject({
      status: 409,
      body: {
        type: 'urn:tillbeacon:problem:lane-busy',
        paymentId: first.body.paymentId,
        money: expect.stringContaining('Nothing has begun') as string,
      },
      headers: { 'content-type': 'application/problem+json', 'retry-after': '2' },
    });
    await at.ask('POST', `/v1/payments/${first.body.paymentId}/cancel`, { key, body: {} });
    await at.world.clock.pass(20_000);
    expect(await at.pay(another)).toMatchObject({ status: 201 });
  });

  test('is cancelled, as often as it is asked', async () => {
    at.world.pollAnswers = [waiting];
    const { body } = await at.pay(key);
    const cancel = () =>
      at.ask('POST', `/v1/payments/${body.paymentId}/cancel`, { key: another, body: {} });
    expect(await cancel()).toMatchObject({ status: 202 });
    await at.world.clock.pass(20_000);
    expect(await cancel()).toMatchObject({
      status: 200,
      body: { status: 'notPaid', reason: 'cancelledByTill', money: 'notMoved' },
    });
  });

  test('the customer is faster than the cancel: it says so and is paid', async () => {
    at.world.pollAnswers = [reserved];
    const { body } = await at.pay(key);
    await at.world.clock.pass(2_000);
    expect(
      await at.ask('POST', `/v1/payments/${body.paymentId}/cancel`, { key, body: {} }),
    ).toMatchObject({
      status: 409,
      body: { type: 'urn:tillbeacon:problem:too-late' },
    });
    expect((await at.ask('GET', `/v1/payments/${body.paymentId}`)).body.status).toBe('paid');
  });

  test('one that a cashier made by hand is told, and left alone', async () => {
    const actionId = '7e57ed00-0000-4000-8000-000000000001';
    const saleId = screenPaymentId(actionId);
    at.world.lane.payByHand({ actionId, amountMinor: 500, orderText: null });
    expect(await at.ask('GET', `/v1/payments/${saleId}`)).toMatchObject({
      status: 200,
      body: { status: 'pending' },
    });
    expect(await at.ask('POST', `/v1/payments/${saleId}/cancel`, { key, body: {} })).toMatchObject({
      status: 409,
    });
    expect(at.world.lane.tillRequests.payment(saleId)?.kind).not.toBe('cancelling');
  });

  test('a page cannot choose the id that a key leads to: the till’s payment begins all the same', async () => {
    at.world.pollAnswers = [reserved];
    const tokenId = at.tokens.list()[0]?.tokenId ?? '';
    const ids = [
      hashedId(JSON.stringify(['payment', '1', key])),
      requestId('payment', at.world.lane.tillRequests, key, { tokenId, isValid: () => true }),
    ];
    for (const actionId of new Set(ids)) {
      expect(
        at.world.lane.payByHand({ actionId, amountMinor: 100, orderText: null }),
      ).toMatchObject({ accepted: true });
      await at.world.clock.pass(20_000);
    }
    expect(await at.pay(key)).toMatchObject({
      status: 201,
      body: { amountMinor: bread.amountMinor },
    });
  });

  test('another token of the lane uses the same key: each has a payment of its own, and its repetition finds it, also after a restart', async () => {
    at.world.pollAnswers = [reserved];
    const token = at.makeToken(['pay', 'read']);
    const first = await at.pay(key);
    await at.world.clock.pass(20_000);
    const second = await at.ask('POST', '/v1/payments', { key, body: bread, token });
    expect(second).toMatchObject({ status: 201 });
    expect(second.body.paymentId).not.toBe(first.body.paymentId);
    await at.world.clock.pass(20_000);
    await at.killLane();
    for (const [asked, { paymentId }] of [
      [{ key, body: bread }, first.body] as const,
      [{ key, body: bread, token }, second.body] as const,
    ])
      expect(await at.ask('POST', '/v1/payments', asked)).toMatchObject({
        status: 200,
        body: { paymentId },
      });
  });

  test('a token that takes the place of a revoked one repeats its key: the same payment, once', async () => {
    at.world.pollAnswers = [reserved];
    const first = await at.pay(key);
    await at.world.clock.pass(20_000);
    at.tokens.revoke(at.tokens.list()[0]?.tokenId ?? '');
    const token = at.makeToken(['pay', 'read']);
    expect(await at.ask('POST', '/v1/payments', { key, body: bread, token })).toMatchObject({
      status: 200,
      body: { paymentId: first.body.paymentId },
    });
    expect(creates()).toBe(1);
  });

  test('a payment that an earlier version began is found by its key', async () => {
    const paymentId = hashedId(JSON.stringify(['payment', '1', key]));
    at.world.pollAnswers = [reserved];
    expect(
      at.world.lane.tillRequests.requestNamedSale(paymentId, {
        ...bread,
        from: 'http:127.0.0.1 Till 1',
      }),
    ).toMatchObject({ accepted: true });
    await at.world.clock.pass(2_000);
    expect(await at.pay(key)).toMatchObject({ status: 200, body: { paymentId } });
  });

  test('a disk that refuses: nothing begins, the same key begins it later', async () => {
    at.world.diskWorks = false;
    expect(await at.pay(key)).toMatchObject({
      status: 503,
      body: { type: 'urn:tillbeacon:problem:storage-failed' },
    });
    await settled();
    expect(creates()).toBe(0);
    at.world.diskWorks = true;
    expect(await at.pay(key)).toMatchObject({ status: 201 });
  });

  test('a service that is away', async () => {
    at.world.serviceSays({ awaySinceMs: 1 });
    expect(await at.pay(key)).toMatchObject({
      status: 503,
      body: { type: 'urn:tillbeacon:problem:service-unreachable' },
    });
    expect(creates()).toBe(0);
  });
});

describe('waiting', () => {
  test('is answered as soon as it is decided', async () => {
    at.world.pollAnswers = [reserved];
    const { body } = await at.pay(key);
    let isAnswered = false;
    const { answer } = await at.waitFor(`/v1/payments/${body.paymentId}?wait=30`);
    void answer.then(() => (isAnswered = true));
    await at.ask('GET', '/v1/lanes');
    expect(isAnswered).toBe(false);
    await at.world.clock.pass(2_000);
    expect((await answer).body.status).toBe('paid');
  });

  test('ends with the time asked for, and with the daemon, as it stands', async () => {
    const { body } = await at.pay(key);
    const short = await at.waitFor(`/v1/payments/${body.paymentId}?wait=5`);
    await at.world.clock.pass(5_000);
    expect((await short.answer).body.status).toBe('pending');
    const long = await at.waitFor(`/v1/payments/${body.paymentId}?wait=30`);
    const closed = at.api.close();
    expect((await long.answer).body.status).toBe('pending');
    await closed;
  });

  test.each(['31', '-1', 'x', '1.5'])('wait=%s is refused by name and rule', async (wait) => {
    const { body } = await at.pay(key);
    expect(await at.ask('GET', `/v1/payments/${body.paymentId}?wait=${wait}`)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'wait', rule: 'must be a whole number of seconds from 0 to 30' }] },
    });
  });
});

describe('killed', () => {
  test('before anything was written: the key begins anew', async () => {
    await at.killLane();
    expect(await at.pay(key)).toMatchObject({ status: 201 });
  });

  test('while the customer was to approve: the key finds it, cancelled; nothing is created again', async () => {
    at.world.pollAnswers = [waiting];
    const before = await at.pay(key);
    await at.world.clock.pass(1_500);
    await at.killLane();
    expect(await at.pay(key)).toMatchObject({
      status: 200,
      body: { paymentId: before.body.paymentId, status: 'notPaid', reason: 'interrupted' },
    });
    expect(creates()).toBe(0);
  });

  test('after the decision: the key finds it paid, and it is captured', async () => {
    at.world.pollAnswers = [reserved];
    at.world.settleAnswer = { kind: 'unknown', detail: 'no answer' };
    const before = await at.pay(key);
    await at.world.clock.pass(1_500);
    expect((await at.ask('GET', `/v1/payments/${before.body.paymentId}`)).body).toMatchObject({
      status: 'paid',
      money: 'moving',
    });
    await at.killLane();
    expect(await at.pay(key)).toMatchObject({
      status: 200,
      body: { paymentId: before.body.paymentId, status: 'paid', money: 'moved' },
    });
    expect(at.world.captured).toEqual([bread]);
  });
});

describe('a refund', () => {
  const paid = async (): Promise<string> => {
    at.world.pollAnswers = [reserved];
    const { body } = await at.pay(key);
    await at.world.clock.pass(2_000);
    return body.paymentId;
  };
  const refund = (paymentId: string, amountMinor: number, ofKey = another) =>
    at.ask('POST', `/v1/payments/${paymentId}/refunds`, {
      key: ofKey,
      body: { amountMinor, currency: 'DKK' },
    });

  test('is begun once, however often it is asked, and paid out', async () => {
    const paymentId = await paid();
    at.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    const [one, two] = await Promise.all([refund(paymentId, 1_000), refund(paymentId, 1_000)]);
    expect(one.body.refundId).toBe(two.body.refundId);
    await at.world.clock.pass(3_000);
    expect(await at.ask('GET', `/v1/refunds/${one.body.refundId}`)).toMatchObject({
      status: 200,
      body: { status: 'refunded', money: 'moved', paymentId },
    });
    expect(await refund(paymentId, 1_000)).toMatchObject({
      status: 200,
      body: { status: 'refunded' },
    });
    expect(await refund(paymentId, 999)).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:key-reused' },
    });
    expect((await at.ask('GET', `/v1/payments/${paymentId}`)).body).toMatchObject({
      refundedMinor: 1_000,
      refundOpenMinor: 0,
    });
    expect((await at.ask('GET', `/v1/payments/${paymentId}/refunds`)).body.refunds).toHaveLength(1);
    expect(at.world.whatLeft().filter((what) => what === 'createRefund')).toHaveLength(1);
  });

  test('of more than is left, of what is not paid, of what is not there', async () => {
    const paymentId = await paid();
    expect(await refund(paymentId, 1_235)).toMatchObject({
      status: 422,
      body: { type: 'urn:tillbeacon:problem:amount-too-high' },
    });
    expect(await refund('7e57ed00-0000-4000-8000-000000000001', 1)).toMatchObject({
      status: 404,
      body: { type: 'urn:tillbeacon:problem:payment-unknown' },
    });
    at.world.pollAnswers = [{ kind: 'seen', status: 'cancelledByUser' } as never];
    const other = await at.pay('6f1d0c1e-3333-4000-8000-000000000003');
    await at.world.clock.pass(2_000);
    expect(await refund(other.body.paymentId, 1)).toMatchObject({
      status: 409,
      body: { type: 'urn:tillbeacon:problem:not-refundable' },
    });
  });

  test('needs its own scope', async () => {
    const paymentId = await paid();
    at.token = at.makeToken(['pay', 'read']);
    expect(await refund(paymentId, 1)).toMatchObject({
      status: 403,
      body: { type: 'urn:tillbeacon:problem:scope-missing' },
    });
    expect(at.world.whatLeft()).not.toContain('createRefund');
  });
});

test('a lane says how it is', async () => {
  expect(await at.ask('GET', '/v1/lanes')).toMatchObject({
    status: 200,
    body: { lanes: [{ laneId: '1', state: 'ready', currency: 'DKK', qr: 'qr', paymentId: null }] },
  });
  const { body } = await at.pay(key);
  expect((await at.ask('GET', '/v1/lanes/1')).body).toMatchObject({
    state: 'busy',
    paymentId: body.paymentId,
  });
  expect(await at.ask('GET', '/v1/lanes/2')).toMatchObject({ status: 404 });
});

test('the till counts as connected for a minute after its last request', async () => {
  expect(at.world.lane.snapshot().till.state).toBe('open');
  await at.ask('GET', '/v1/lanes');
  expect(at.world.lane.snapshot().till.state).toBe('connected');
  await at.world.clock.pass(60_000);
  expect(at.world.lane.snapshot().till.state).toBe('open');
});
