/** Refunds of the ePayment client and the simulated service, with each other. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { type EpaymentBench, openEpaymentBench } from './epayment-support.ts';

const never = new AbortController().signal;
const money = { amountMinor: 12_550, currency: 'DKK' } as const;
const asked = (about: object = {}) => ({
  ...money,
  flow: 'initiate' as const,
  orderId: 'K1-000042-9f3c2b1a',
  idempotencyKey: systemIds.uuid(),
  ...about,
});

let bench: EpaymentBench;
beforeEach(async () => {
  bench = await openEpaymentBench();
});
afterEach(() => bench.close());

const sentTo = (end: string) =>
  bench.sent.filter((request) => new URL(request.url).pathname.endsWith(end));

async function created(about: object = {}): Promise<string> {
  const answer = await bench.counter.create(asked(about));
  if (answer.kind !== 'created') throw new Error(JSON.stringify(answer));
  return answer.paymentId;
}
async function approved(): Promise<string> {
  const reference = await created();
  await bench.act('approve', { reference });
  return reference;
}
async function captured(): Promise<string> {
  const reference = await approved();
  expect(await bench.counter.capture(reference, money)).toEqual({ kind: 'done' });
  return reference;
}

describe('a refund', () => {
  const ask = (paymentId: string, about: object = {}) => ({
    paymentId,
    refundOrderId: 'K1-R000043-1',
    idempotencyKey: systemIds.uuid(),
    amountMinor: 5_000,
    currency: 'DKK' as const,
    startedAtMs: Date.now(),
    ...about,
  });

  test('is one step: made, and confirmed by the log of events', async () => {
    const request = ask(await captured());
    const made = await bench.counter.createRefund(request);
    const refundId = `${request.paymentId}/${request.idempotencyKey}`;
    expect(made).toEqual({ kind: 'created', refundId });
    expect(await bench.counter.watchRefund(refundId).poll(never)).toEqual({
      kind: 'seen',
      status: 'captured',
    });
    expect(await bench.counter.captureRefund(refundId)).toEqual({ kind: 'done' });
    expect(await bench.counter.cancelRefund(refundId)).toMatchObject({ kind: 'refused' });
    expect(await bench.payment()).toMatchObject({ refunded: 5_000 });
  });

  test('whose answer is lost is found in the log, and not made again', async () => {
    const request = ask(await captured());
    bench.simulator.faults.add({ operation: 'refundEpayment', kind: 'resetAfter' });
    expect(await bench.counter.createRefund(request)).toMatchObject({ kind: 'unknown' });
    expect(await bench.counterWith().identifyRefund(request)).toMatchObject({ kind: 'found' });
    expect(sentTo('/refund')).toHaveLength(1);
    expect(await bench.payment()).toMatchObject({ refunded: 5_000 });
  });

  test('that never arrived is made by its repetition, with the same key', async () => {
    const request = ask(await captured());
    bench.simulator.faults.add({ operation: 'refundEpayment', kind: 'reset' });
    await bench.counter.createRefund(request);
    expect(await bench.counter.identifyRefund(request)).toMatchObject({ kind: 'found' });
    expect(await bench.payment()).toMatchObject({ refunded: 5_000 });
    expect(new Set(sentTo('/refund').map(({ headers }) => headers['Idempotency-Key'])).size).toBe(
      1,
    );
  });

  test('whose key is too old is not known right after a start: it may still arrive', async () => {
    expect(
      await bench.counter.identifyRefund(ask(await captured(), { startedAtMs: 0 })),
    ).toMatchObject({ kind: 'unknown' });
    expect(await bench.payment()).toMatchObject({ refunded: 0 });
  });

  test.each([
    ['more than is left', { amountMinor: 12_551 }, 'amountTooHigh'],
    ['another currency', { currency: 'EUR' }, 'currencyDiffers'],
  ])('of %s is refused before it is sent', async (_what, about, reason) => {
    expect(await bench.counter.createRefund(ask(await captured(), about))).toMatchObject({
      kind: 'refused',
      reason,
    });
    expect(sentTo('/refund')).toHaveLength(0);
  });

  test('of what is not captured, of what is a year old, and by a sales unit that may not, tells why', async () => {
    expect(await bench.counter.createRefund(ask(await approved()))).toMatchObject({
      kind: 'refused',
      reason: 'notCaptured',
    });
    await bench.counter.capture('K1-000042-9f3c2b1a', money);
    await bench.act('set-sales-unit', { msn: '123456', mayRefund: false });
    expect(await bench.counter.createRefund(ask('K1-000042-9f3c2b1a'))).toMatchObject({
      kind: 'refused',
      reason: 'notOnboarded',
    });
    await bench.act('set-sales-unit', { msn: '123456', mayRefund: true });
    await bench.simulator.advance(366 * 24 * 3_600_000);
    expect(await bench.counter.createRefund(ask('K1-000042-9f3c2b1a'))).toMatchObject({
      kind: 'refused',
      reason: 'tooOld',
    });
  });
});

test('a refund of a payment that the service does not know any more was not made: its own request says so', async () => {
  const request = {
    ...money,
    paymentId: 'nobody-knows-it',
    refundOrderId: 'R-1',
    idempotencyKey: systemIds.uuid(),
    startedAtMs: Date.now(),
  };
  expect(await bench.counter.identifyRefund(request)).toEqual({ kind: 'none' });
  expect(sentTo('/refund')).toHaveLength(1);
});
