import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { withCorrelation } from '../../../../main/core/domain/correlation.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { minorUnits } from '../../../../main/core/domain/money.ts';
import { capturePayment } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import type { CreateRequest, IdentifyRequest } from '../../../../main/core/lane/wallet-port.ts';
import { getPayment } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { steadyClock } from '../../support/steady-clock.ts';
import { type Bench, openBench, phone } from './v10-support.ts';

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
});
afterEach(() => bench.close());

const money = { amountMinor: 1010, currency: 'DKK' } as const;
const request = (about: Partial<CreateRequest> = {}): CreateRequest => ({
  ...money,
  flow: 'initiate',
  orderId: `order-${systemIds.uuid().slice(0, 8)}`,
  idempotencyKey: systemIds.uuid(),
  ...about,
});
const identifiable = (about: Partial<CreateRequest> = {}): IdentifyRequest => ({
  ...request(about),
  startedAtMs: steadyClock.wallMs(),
});
const never = new AbortController().signal;
const createdId = async (about: Partial<CreateRequest> = {}): Promise<string> => {
  const answer = await bench.counter.create(request(about));
  if (answer.kind !== 'created') throw new Error(answer.kind);
  return answer.paymentId;
};
const requestsTo = (operation: RegExp): number =>
  bench.sent.filter(({ method, url }) => operation.test(`${method} ${new URL(url).pathname}`))
    .length;
const captures = (): number | undefined =>
  [...bench.simulator.world.payments.values()][0]?.captureCount;

describe('the point of sale', () => {
  test('is created when there is none, and its beacon read back into the QR code', async () => {
    expect(await bench.counter.open()).toEqual({
      kind: 'open',
      posId: expect.any(String),
      qr: `walletpos://pos?id=${bench.beaconId()}&source=qr`,
    });
  });

  test('is found by its merchantPosId the next time', async () => {
    const first = await bench.counter.open();
    expect(await bench.counterNamed('shop-1-lane-1').open()).toEqual(first);
    expect(requestsTo(/^POST .*pointofsales$/)).toBe(1);
  });

  test('creating it survives a lost answer: the same key, one point of sale', async () => {
    bench.simulator.faults.add({ operation: 'createPointOfSale', kind: 'resetAfter' });
    expect(await bench.counter.open()).toMatchObject({ kind: 'open' });
    expect(bench.simulator.world.pointsOfSale.size).toBe(1);
    const keys = new Set(
      bench.sent
        .filter(({ method, url }) => method === 'POST' && url.endsWith('/pointofsales'))
        .map(({ headers }) => headers['X-Service-Idempotency-Key']),
    );
    expect(keys.size).toBe(1);
  });

  test('is created with its notification service', async () => {
    await bench.counterNamed('shop-1-lane-2', { callbackAlias: 'hansens-check-in' }).open();
    expect(
      [...bench.simulator.world.pointsOfSale.values()].map(({ callbackAlias }) => callbackAlias),
    ).toEqual(['hansens-check-in']);
  });

  test('that the service refuses says so, with its words', async () => {
    bench.simulator.world.stores.clear();
    expect(await bench.counter.open()).toEqual({
      kind: 'pointOfSaleRefused',
      detail: expect.stringContaining('1002'),
    });
  });

  test('credentials that are refused, and a service that is not there, are told apart', async () => {
    bench.simulator.world.clients.clear();
    expect(await bench.counter.open()).toMatchObject({ kind: 'credentialsRefused' });
    await bench.simulator.stop();
    expect(await bench.counterNamed('x').open()).toMatchObject({
      kind: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('a payment', () => {
  beforeEach(() => bench.counter.open());

  test('is found at the service by its correlation id, in its list of requests and in its refusals', async () => {
    const saleId = '5a1e0000-0000-4000-8000-000000000001';
    const paymentId = await withCorrelation(saleId, createdId);
    await withCorrelation(saleId, () => bench.counter.watch(paymentId).poll(never));
    const refused = bench.transport.call(
      capturePayment,
      { paymentId, body: { amount: minorUnits(1) } },
      { correlationId: saleId },
    );
    await expect(refused).rejects.toMatchObject({ status: 409, correlationId: saleId });
    const named = bench.simulator
      .requests()
      .filter(({ correlationId }) => correlationId === saleId);
    expect(named.map(({ operation }) => operation)).toEqual([
      'initiatePayment',
      'getPayment',
      'capturePayment',
    ]);
  });

  test('tells what the service has looked up of who pays, and that it has not looked yet', async () => {
    const watch = bench.counter.watch(await createdId());
    expect(await watch.poll(never)).toMatchObject({
      customer: { loyaltyIds: null, receiptToken: null },
    });
    bench.simulator.world.addPhone({
      phoneNumber: '+4520031899',
      loyaltyIds: ['A-1', 'B-2'],
      receiptToken: 'mine',
    });
    bench.simulator.phone('checkin', bench.beaconId(), '+4520031899');
    expect(await watch.poll(never)).toMatchObject({
      customer: { loyaltyIds: ['A-1', 'B-2'], receiptToken: 'mine' },
    });
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    expect(await bench.counter.watchCheckIn().poll(never)).toMatchObject({
      customer: { loyaltyIds: [], receiptToken: '' },
    });
  });

  test('goes from initiated to captured', async () => {
    const paymentId = await createdId();
    const watch = bench.counter.watch(paymentId);
    expect(await watch.poll(never)).toMatchObject({ kind: 'seen', status: 'initiated', ...money });
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    expect(await watch.poll(never)).toMatchObject({ status: 'issuedToUser' });
    bench.simulator.phone('accept', bench.beaconId(), phone);
    expect(await watch.poll(never)).toMatchObject({ status: 'reserved' });
    expect(await bench.counter.capture(paymentId, money)).toEqual({ kind: 'accepted' });
    expect(await bench.counter.capture(paymentId, money)).toEqual({ kind: 'accepted' });
    expect(await watch.poll(never)).toMatchObject({ status: 'captured' });
    expect(captures()).toBe(1);
  });

  test.each(['initiate', 'prepare'] as const)(
    'carries the restrictions and the label of its lane (%s), and no request of a lane without any has them',
    async (flow) => {
      const restrictions = { debitCardDisallowed: true, creditCardDisallowed: false };
      const counter = bench.counterNamed(
        'shop-1-lane-1',
        {},
        { restrictions, merchantPaymentLabel: 'shift 7' },
      );
      await counter.open();
      const answer = await counter.create(request({ flow }));
      if (answer.kind !== 'created') throw new Error(answer.kind);
      if (flow === 'prepare') await counter.ready(answer.paymentId, money);
      const terms = await bench.transport.call(getPayment, { paymentId: answer.paymentId });
      expect(terms).toMatchObject({ restrictions, merchantPaymentLabel: 'shift 7' });
      await counter.cancel(answer.paymentId, { ifNotApproved: false });
      await createdId();
      expect(bench.sent.at(-1)?.body).not.toMatch(/restrictions|merchantPaymentLabel/);
    },
  );

  test('in the prepare flow gets its amount when the customer is found', async () => {
    const paymentId = await createdId({ flow: 'prepare' });
    const watch = bench.counter.watch(paymentId);
    expect(await watch.poll(never)).toMatchObject({
      kind: 'seen',
      status: 'prepared',
      amountMinor: null,
      currency: null,
    });
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    expect(await watch.poll(never)).toMatchObject({ status: 'paired' });
    expect(await bench.counter.ready(paymentId, money)).toEqual({ kind: 'accepted' });
    expect(await watch.poll(never)).toMatchObject({
      kind: 'seen',
      status: 'issuedToUser',
      ...money,
    });
    expect(await bench.counter.ready(paymentId, money)).toEqual({ kind: 'accepted' });
    expect(await bench.counter.ready(paymentId, { ...money, amountMinor: 1 })).toMatchObject({
      kind: 'refused',
      reason: 'wrongState',
      code: '1303',
    });
  });

  test.each([
    'timeoutBefore',
    'timeoutAfter',
    'status500',
    'status500After',
    'reset',
    'resetAfter',
    'truncated',
    'slowBody',
  ] as const)('is created once although the first answer is %s', async (kind) => {
    bench.simulator.faults.add({ operation: 'initiatePayment', kind });
    expect(await bench.counter.create(request())).toMatchObject({ kind: 'created' });
    expect(bench.simulator.world.payments.size).toBe(1);
    expect(requestsTo(/^POST .*\/payments$/)).toBe(2);
  });

  test.each(['malformedJson', 'html', 'wrongTypes'] as const)(
    'whose answer is %s has an unknown outcome, and can be found',
    async (kind) => {
      bench.simulator.faults.add({ operation: 'initiatePayment', kind });
      const asked = request();
      expect(await bench.counter.create(asked)).toMatchObject({
        kind: 'unknown',
        detail: expect.stringContaining('not what the interface describes'),
      });
      expect(await bench.counter.lookUp(asked.orderId)).toEqual({
        kind: 'found',
        paymentId: [...bench.simulator.world.payments.keys()][0],
      });
    },
  );

  test('is not polled at once when it was created and then looked up: that was an answer already', async () => {
    const asked = request();
    const created = await bench.counter.create(asked);
    expect(await bench.counter.lookUp(asked.orderId)).toMatchObject({ kind: 'found' });
    if (created.kind !== 'created') throw new Error(created.kind);
    await bench.counter.watch(created.paymentId).poll(AbortSignal.timeout(5_000));
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 0 } });
  });

  test('is asked for six times in all, with one key, and then its outcome is unknown', async () => {
    bench.simulator.faults.add({ operation: 'initiatePayment', kind: 'status500', times: 10 });
    expect(await bench.counter.create(request())).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('after 6 requests'),
    });
    const creates = bench.sent.filter(
      ({ method, url }) => method === 'POST' && url.endsWith('/payments'),
    );
    expect(creates).toHaveLength(6);
    expect(new Set(creates.map(({ headers }) => headers['X-Service-Idempotency-Key'])).size).toBe(
      1,
    );
    expect(bench.simulator.state()).toMatchObject({ violations: { retriesBeyondLimit: 0 } });
  });

  test('a "no" to a repetition is none to the attempt before it, which may still be on its way: its outcome is unknown', async () => {
    await bench.counter.open();
    bench.simulator.faults.add(
      { operation: 'initiatePayment', kind: 'reset' },
      { operation: 'initiatePayment', kind: 'status409', nth: 2, code: '1301' },
    );
    expect(await bench.counter.create(request())).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('1301'),
    });
    bench.simulator.faults.add({ operation: 'initiatePayment', kind: 'status409', code: '1301' });
    expect(await bench.counter.create(request())).toEqual({ kind: 'blocked' });
  });

  test('that was never created is not found, and a silent service is not "none"', async () => {
    expect(await bench.counter.lookUp('order-unheard-of')).toEqual({ kind: 'none' });
    bench.simulator.faults.add({ operation: 'listPayments', kind: 'status500', times: 10 });
    expect(await bench.counter.lookUp('order-unheard-of')).toMatchObject({ kind: 'unknown' });
  });

  test('that is decided against: a prepared one is asked for again with its key, which puts nothing on a phone', async () => {
    const lost = identifiable({ flow: 'prepare' });
    const identified = await bench.counter.identify(lost);
    expect(identified).toEqual({
      kind: 'found',
      paymentId: [...bench.simulator.world.payments.keys()][0],
    });
    expect(await bench.counter.create(lost)).toEqual({ ...identified, kind: 'created' });
    expect(bench.simulator.world.payments.size).toBe(1);
    expect(await bench.counter.identify(lost)).toEqual(identified);
    expect(requestsTo(/^POST .*\/prepare$/)).toBe(2);
  });

  test('that is decided against: one with an amount is only looked for, a customer who is checked in would be asked for the money', async () => {
    const lost = identifiable();
    expect(await bench.counter.identify(lost)).toEqual({ kind: 'none' });
    expect(requestsTo(/^POST .*\/payments$/)).toBe(0);
    const paymentId = await createdId(lost);
    expect(await bench.counter.identify(lost)).toEqual({ kind: 'found', paymentId });
  });

  test('that is decided against, and another one is active there: none, as far as can be seen', async () => {
    await createdId();
    const lost = identifiable({ flow: 'prepare' });
    expect(await bench.counter.identify(lost)).toEqual({ kind: 'none' });
    expect(await bench.counter.identify(lost)).toEqual({ kind: 'none' });
    expect(requestsTo(/^POST .*\/prepare$/)).toBe(1);
  });

  test('is blocked by another active one, which is cleared; a reserved one is left alone', async () => {
    const first = await createdId();
    expect(await bench.counter.create(request())).toEqual({ kind: 'blocked' });
    expect(await bench.counter.clear()).toEqual({ kind: 'done', cancelledPaymentIds: [first] });
    const second = await createdId();
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    bench.simulator.phone('accept', bench.beaconId(), phone);
    expect(await bench.counter.clear()).toEqual({ kind: 'done', cancelledPaymentIds: [] });
    expect(await bench.counter.watch(second).poll(never)).toMatchObject({ status: 'reserved' });
  });

  test('whose cancel is refused is not told as cancelled', async () => {
    await createdId();
    bench.simulator.faults.add({ operation: 'cancelPayment', kind: 'status409', code: '1300' });
    expect(await bench.counter.clear()).toEqual({ kind: 'done', cancelledPaymentIds: [] });
  });

  test('that is in the way is named before it is cancelled, and left alone where that is not allowed', async () => {
    const first = request();
    const created = await bench.counter.create(first);
    const found: { readonly paymentId: string; readonly orderId: string }[] = [];
    const { orderId } = first;
    const asked =
      (answer: boolean) => (one: { readonly paymentId: string; readonly orderId: string }) =>
        found.push(one) > 0 && answer;
    expect(await bench.counter.clear(asked(false))).toEqual({
      kind: 'done',
      cancelledPaymentIds: [],
    });
    if (created.kind !== 'created') throw new Error(created.kind);
    const { paymentId } = created;
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    bench.simulator.phone('accept', bench.beaconId(), phone);
    expect(await bench.counter.clear(asked(true))).toEqual({
      kind: 'done',
      cancelledPaymentIds: [],
    });
    expect(found).toEqual([
      { paymentId, orderId },
      { paymentId, orderId },
    ]);
  });

  test('that is open, active or reserved, is listed with its order id; nothing is done about it, and what nobody cares for is not asked about', async () => {
    const reserved = request();
    const created = await bench.counter.create(reserved);
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    bench.simulator.phone('accept', bench.beaconId(), phone);
    const active = request();
    const second = await bench.counter.create(active);
    if (created.kind !== 'created' || second.kind !== 'created')
      throw new Error(`${created.kind}, ${second.kind}`);
    bench.sent.length = 0;
    const listed = await bench.counter.listOpen(() => true);
    if (listed.kind !== 'listed') throw new Error(listed.detail);
    expect(new Set(listed.payments)).toEqual(
      new Set([
        { paymentId: created.paymentId, orderId: reserved.orderId },
        { paymentId: second.paymentId, orderId: active.orderId },
      ]),
    );
    expect(
      await bench.counter.listOpen((paymentId) => paymentId === second.paymentId),
    ).toMatchObject({ payments: [{ orderId: active.orderId }] });
    expect(
      bench.sent.map(({ method, url }) => `${method} ${url.includes('?') ? 'list' : 'one'}`),
    ).toEqual(['GET list', 'GET one', 'GET one', 'GET list', 'GET one']);
    bench.simulator.faults.add({ operation: 'getPayment', kind: 'status500', times: 10 });
    expect(await bench.counter.listOpen(() => true)).toMatchObject({ kind: 'unknown' });
  });

  test('at a store that is not activated is "notOnboarded", with the code for support', async () => {
    for (const store of bench.simulator.world.stores.values()) store.activated = false;
    expect(await bench.counter.create(request())).toEqual({
      kind: 'refused',
      reason: 'notOnboarded',
      detail: expect.stringContaining('1204'),
    });
  });

  test('with an order id that the service does not allow never leaves', async () => {
    const before = bench.sent.length;
    expect(await bench.counter.create(request({ orderId: 'smile 🙂' }))).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('orderId'),
    });
    expect(await bench.counter.create(request({ orderId: 'x'.repeat(37) }))).toMatchObject({
      kind: 'refused',
    });
    expect(bench.sent.length).toBe(before);
  });

  test('cancelled is cancelled, also twice; captured is not cancelled any more', async () => {
    const paymentId = await createdId();
    expect(await bench.counter.cancel(paymentId, { ifNotApproved: false })).toEqual({
      kind: 'accepted',
    });
    expect(await bench.counter.cancel(paymentId, { ifNotApproved: false })).toEqual({
      kind: 'accepted',
    });
    expect(await bench.counter.capture(paymentId, money)).toMatchObject({
      kind: 'refused',
      code: '1304',
    });
    expect(
      await bench.counter.cancel('00000000-0000-4000-8000-000000000000', { ifNotApproved: false }),
    ).toEqual({ kind: 'notFound' });
  });

  test('cancelled only if the customer has not approved it: a reservation stays, and the answer says so', async () => {
    const paymentId = await createdId();
    bench.simulator.phone('checkin', bench.beaconId(), phone);
    bench.simulator.phone('accept', bench.beaconId(), phone);
    expect(await bench.counter.cancel(paymentId, { ifNotApproved: true })).toMatchObject({
      kind: 'refused',
      reason: 'approved',
    });
    expect(await bench.counter.capture(paymentId, money)).toEqual({ kind: 'accepted' });
    const next = await createdId();
    expect(await bench.counter.cancel(next, { ifNotApproved: true })).toEqual({ kind: 'accepted' });
    expect(await bench.counter.capture(next, money)).toMatchObject({
      kind: 'refused',
      code: '1304',
    });
    expect(
      await bench.counter.cancel('00000000-0000-4000-8000-000000000000', { ifNotApproved: true }),
    ).toEqual({ kind: 'notFound' });
  });

  test('the provider itself cancelled is told apart, under every profile’s name', async () => {
    const branded = await openBench({
      profile: profileNamed('mobilepay'),
      policy: { inactivityMs: 50 },
    });
    await branded.counter.open();
    const answer = await branded.counter.create(request());
    await sleep(steadyClock, 80);
    const seen = await branded.counter
      .watch(answer.kind === 'created' ? answer.paymentId : '')
      .poll(never);
    expect(seen).toMatchObject({ status: 'cancelledByService' });
    expect(branded.sent.at(-1)?.headers).toHaveProperty(
      'X-MobilePay-Client-System-Version',
      '1.2.3',
    );
    await branded.close();
  });
});

test('a reservation says so when it is created, tells when it ends, and is captured with less', async () => {
  await bench.counter.open();
  const paymentId = await createdId({ plannedCaptureDelay: 'LessThan14Days' });
  const { world } = bench.simulator;
  expect(world.payments.get(paymentId)?.terms?.plannedCaptureDelay).toBe('LessThan14Days');
  for (const what of ['checkin', 'accept'] as const)
    bench.simulator.phone(what, bench.beaconId(), '+4520031805');
  const answer = await bench.counter.watch(paymentId).poll(never);
  expect(answer).toMatchObject({
    kind: 'seen',
    status: 'reserved',
    partialCapturePossible: true,
    expiresAtMs: expect.any(Number),
  });
  expect(await bench.counter.capture(paymentId, { ...money, amountMinor: 1 })).toEqual({
    kind: 'accepted',
  });
  expect(world.payments.get(paymentId)).toMatchObject({ status: 'Captured', capturedMinor: 1 });
});
