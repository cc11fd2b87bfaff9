import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type { MerchantPayments } from '../../../../main/core/lane/wallet-port.ts';
import { createMerchantPayments } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-merchant-payments.ts';
import { deletePointOfSale } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-operations.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { steadyClock } from '../../support/steady-clock.ts';
import { type Bench, openBench, phone } from './v10-support.ts';

const money = { amountMinor: 1010, currency: 'DKK' } as const;
const never = new AbortController().signal;
const nothing: ReadonlySet<string> = new Set();

let bench: Bench;
let payments: MerchantPayments;
/** Order id of a payment of another counter. */
let orderId: string;
let paymentId: string;
let posId: string;

beforeEach(async () => {
  bench = await openBench();
  const opened = await bench.counter.open();
  if (opened.kind !== 'open') throw new Error(opened.kind);
  posId = opened.posId;
  orderId = `1-000001-${systemIds.uuid().slice(0, 8)}`;
  paymentId = await pay(orderId);
  payments = createMerchantPayments({
    transport: bench.transport,
    profile: profileNamed('generic'),
    clock: steadyClock,
  });
});
afterEach(() => bench.close());

async function pay(order: string, { captured = true } = {}): Promise<string> {
  const created = await bench.counter.create({
    ...money,
    flow: 'initiate',
    orderId: order,
    idempotencyKey: systemIds.uuid(),
  });
  if (created.kind !== 'created') throw new Error(created.kind);
  bench.simulator.phone('checkin', bench.beaconId(), phone);
  bench.simulator.phone('accept', bench.beaconId(), phone);
  if (captured)
    expect(await bench.counter.capture(created.paymentId, money)).toEqual({ kind: 'accepted' });
  return created.paymentId;
}
async function refund(refundOrderId: string, amountMinor: number): Promise<string> {
  const answer = await bench.counter.createRefund({
    paymentId,
    refundOrderId,
    amountMinor,
    currency: 'DKK',
    idempotencyKey: systemIds.uuid(),
  });
  if (answer.kind !== 'created') throw new Error(answer.kind);
  return answer.refundId;
}
const reads = (what: string): number =>
  bench.sent.filter(({ method, url }) => method === 'GET' && url.includes(what)).length;

test('captured payments are found by order id and by point of sale, also of one that was deleted; reserved ones are not', async () => {
  const reserved = await pay('1-000002-5a1e0000', { captured: false });
  await bench.transport.call(deletePointOfSale, { posId });
  expect(await payments.captured({ orderId })).toEqual({ kind: 'listed', paymentIds: [paymentId] });
  expect(await payments.captured({ posId })).toEqual({ kind: 'listed', paymentIds: [paymentId] });
  expect(await payments.captured({ orderId: '1-000002-5a1e0000' })).toEqual({
    kind: 'listed',
    paymentIds: [],
  });
  expect(await payments.read(reserved, nothing)).toEqual({ kind: 'notCaptured' });
  expect(await payments.read(systemIds.uuid(), nothing)).toEqual({ kind: 'notFound' });
});

test('a payment is read with the refunds that are not cancelled, without those whose state is known', async () => {
  const first = await refund('1-R000001-5a1e0000', 10);
  const second = await refund('1-R000002-5a1e0000', 300);
  const third = await refund('1-R000003-5a1e0000', 500);
  expect(await bench.counter.cancelRefund(third)).toEqual({ kind: 'accepted' });
  expect(await payments.read(paymentId, new Set([first]))).toEqual({
    kind: 'captured',
    payment: {
      paymentId,
      orderId,
      posId,
      ...money,
      refunds: [{ name: '1-R000002-5a1e0000', amountMinor: 300 }],
    },
  });
  expect(reads(first)).toBe(0);
  expect(await bench.counter.watchRefund(second).poll(never)).toMatchObject({ status: 'reserved' });
});

test('a refund that has ended is read once, the payment anew each time', async () => {
  const captured = await refund('1-R000001-5a1e0000', 10);
  expect(await bench.counter.watchRefund(captured).poll(never)).toMatchObject({
    status: 'reserved',
  });
  expect(await bench.counter.captureRefund(captured)).toEqual({ kind: 'accepted' });
  const before = reads(captured);
  expect(await payments.read(paymentId, nothing)).toMatchObject({
    payment: { refunds: [{ amountMinor: 10 }] },
  });
  expect(await payments.read(paymentId, nothing)).toMatchObject({
    payment: { refunds: [{ amountMinor: 10 }] },
  });
  expect(reads(captured) - before).toBe(1);
  expect(reads(`/payments/${paymentId}`)).toBe(2);
});

test('the points of sale of a store are listed with their names', async () => {
  await bench.counterNamed('shop-1-lane-2').open();
  const answer = await payments.pointsOfSale([bench.simulator.storeIds[0] ?? '']);
  expect(answer).toMatchObject({
    kind: 'listed',
    pointsOfSale: [{ posId, name: 'Check-out 1' }, { name: 'Check-out 1' }],
  });
});

test('a service that does not answer is not taken for one that has none', async () => {
  await bench.simulator.stop();
  for (const answer of [
    payments.captured({ orderId }),
    payments.read(paymentId, nothing),
    payments.pointsOfSale([posId]),
  ])
    expect(await answer).toMatchObject({ kind: 'unknown' });
});
