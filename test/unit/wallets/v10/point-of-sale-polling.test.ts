import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type { CreateRequest } from '../../../../main/core/lane/wallet-port.ts';
import { type Bench, openBench } from './v10-support.ts';

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
const never = new AbortController().signal;
const createdId = async (about: Partial<CreateRequest> = {}): Promise<string> => {
  const answer = await bench.counter.create(request(about));
  if (answer.kind !== 'created') throw new Error(answer.kind);
  return answer.paymentId;
};
const requestsTo = (operation: RegExp): number =>
  bench.sent.filter(({ method, url }) => operation.test(`${method} ${new URL(url).pathname}`))
    .length;

describe('polling', () => {
  beforeEach(() => bench.counter.open());

  test('never earlier than the service allows', async () => {
    const watch = bench.counter.watch(await createdId());
    for (let polls = 0; polls < 8; polls += 1) await watch.poll(never);
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 0 } });
  });

  test('nor earlier than it allowed before a restart', async () => {
    const paymentId = await createdId();
    Object.assign(bench.simulator.world.policy, { pollDelayInMs: 2_500 });
    expect(await bench.counter.watch(paymentId).poll(never)).toMatchObject({
      kind: 'seen',
      pollDelayMs: 2_500,
    });
    const restarted = bench.counterNamed('shop-1-lane-1');
    await restarted.open();
    await restarted.watch(paymentId, 2_500).poll(never);
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 0 } });
    await bench.counterNamed('shop-1-lane-1').watch(paymentId).poll(never);
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 1 } });
  });

  test('waits as long after an answer that did not come', async () => {
    const watch = bench.counter.watch(await createdId());
    await watch.poll(never);
    bench.simulator.faults.add({ operation: 'getPayment', kind: 'status500' });
    const askedAt = performance.now();
    expect(await watch.poll(never)).toMatchObject({ kind: 'unknown' });
    await watch.poll(never);
    expect(performance.now() - askedAt).toBeGreaterThanOrEqual(200);
  });

  test('gives up on one answer after half a second, and asks once, not six times', async () => {
    const watch = bench.counter.watch(await createdId());
    bench.simulator.faults.add({ operation: 'getPayment', kind: 'timeoutBefore' });
    expect(await watch.poll(never)).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('no answer within 500 ms'),
    });
    expect(requestsTo(/^GET .*\/payments\//)).toBe(1);
  });

  test('of a payment that the service does not know is not an error of the network', async () => {
    expect(await bench.counter.watch('00000000-0000-4000-8000-000000000000').poll(never)).toEqual({
      kind: 'notFound',
    });
  });

  test('of the check-in is paced the same, and tells who stands there', async () => {
    const watch = bench.counter.watchCheckIn();
    expect(await watch.poll(never)).toEqual({
      kind: 'seen',
      isCheckedIn: false,
      customer: { loyaltyIds: null, receiptToken: null },
    });
    bench.simulator.phone('checkin', bench.beaconId(), '+4520031804');
    expect(await watch.poll(never)).toEqual({
      kind: 'seen',
      isCheckedIn: true,
      customer: { loyaltyIds: ['LOYAL-4711'], receiptToken: 'receipts-of-04' },
    });
    bench.simulator.faults.add({ operation: 'lookUpCheckIn', kind: 'status500' });
    expect(await watch.poll(never)).toMatchObject({ kind: 'unknown' });
    expect(bench.simulator.state()).toMatchObject({
      violations: { earlyPolls: 0, checkinPollsWithoutQr: 0 },
    });
  });

  test('stops at once when nobody wants to know any more', async () => {
    const watch = bench.counter.watch(await createdId());
    await watch.poll(never);
    const stop = new AbortController();
    const poll = watch.poll(stop.signal);
    stop.abort(new Error('enough'));
    await expect(poll).rejects.toThrow('enough');
  });
});
