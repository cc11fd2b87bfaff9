import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sleep } from '../../../../main/core/domain/clock.ts';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import type {
  CreateRefundRequest,
  IdentifyRefundRequest,
} from '../../../../main/core/lane/wallet-port.ts';
import { refundStatus } from '../../../../main/wallets/v10/point-of-sale/point-of-sale-status.ts';
import { profileNamed } from '../../../../main/wallets/v10/v10-profile.ts';
import { steadyClock } from '../../support/steady-clock.ts';
import { type Bench, openBench, phone } from './v10-support.ts';

const money = { amountMinor: 1010, currency: 'DKK' } as const;
const never = new AbortController().signal;
const nobody = '00000000-0000-4000-8000-000000000000';

let bench: Bench;
let paymentId: string;
const open = async (policy = {}): Promise<void> => {
  bench = await openBench({ policy });
  await bench.counter.open();
  paymentId = await pay();
};
afterEach(() => bench.close());

/** A captured payment of 10.10. */
async function pay({ captured = true } = {}): Promise<string> {
  const created = await bench.counter.create({
    ...money,
    flow: 'initiate',
    orderId: systemIds.uuid(),
    idempotencyKey: systemIds.uuid(),
  });
  if (created.kind !== 'created') throw new Error(created.kind);
  bench.simulator.phone('checkin', bench.beaconId(), phone);
  bench.simulator.phone('accept', bench.beaconId(), phone);
  if (captured)
    expect(await bench.counter.capture(created.paymentId, money)).toEqual({ kind: 'accepted' });
  return created.paymentId;
}
const request = (about: Partial<CreateRefundRequest> = {}): CreateRefundRequest => ({
  ...money,
  paymentId,
  refundOrderId: `1-R000002-${systemIds.uuid().slice(0, 8)}`,
  idempotencyKey: systemIds.uuid(),
  ...about,
});
async function createdId(about: Partial<CreateRefundRequest> = {}): Promise<string> {
  const answer = await bench.counter.createRefund(request(about));
  if (answer.kind !== 'created') throw new Error(answer.kind);
  return answer.refundId;
}
const worldRefunds = () => [...bench.simulator.world.refunds.values()];
const creates = () =>
  bench.sent.filter(({ method, url }) => method === 'POST' && url.endsWith('/refunds'));

describe('a refund', () => {
  beforeEach(() => open());

  test('is created, reserved, and paid out once however often it is captured', async () => {
    const refundId = await createdId({ amountMinor: 10 });
    expect(await bench.counter.watchRefund(refundId).poll(never)).toEqual({
      kind: 'seen',
      status: 'reserved',
    });
    expect(await bench.counter.captureRefund(refundId)).toEqual({ kind: 'accepted' });
    expect(await bench.counter.captureRefund(refundId)).toEqual({ kind: 'accepted' });
    expect(
      worldRefunds().map(({ amountMinor, status, history }) => ({
        amountMinor,
        status,
        steps: history.length,
      })),
    ).toEqual([{ amountMinor: 10, status: 'Captured', steps: 3 }]);
    expect(await bench.counter.cancelRefund(refundId)).toMatchObject({
      kind: 'refused',
      code: '1352',
    });
  });

  test('cancelled is cancelled, also twice, and is not paid out any more', async () => {
    const refundId = await createdId();
    expect(await bench.counter.cancelRefund(refundId)).toEqual({ kind: 'accepted' });
    expect(await bench.counter.cancelRefund(refundId)).toEqual({ kind: 'accepted' });
    expect(await bench.counter.watchRefund(refundId).poll(never)).toEqual({
      kind: 'seen',
      status: 'cancelledByClient',
    });
    expect(await bench.counter.captureRefund(refundId)).toMatchObject({
      kind: 'refused',
      code: '1351',
    });
  });

  test('that the service does not know is told apart from silence', async () => {
    expect(await bench.counter.captureRefund(nobody)).toEqual({ kind: 'notFound' });
    expect(await bench.counter.cancelRefund(nobody)).toEqual({ kind: 'notFound' });
    expect(await bench.counter.watchRefund(nobody).poll(never)).toEqual({ kind: 'notFound' });
    const refundId = await createdId();
    bench.simulator.faults.add(
      { operation: 'captureRefund', kind: 'status500', times: 6 },
      { operation: 'getRefund', kind: 'status500' },
    );
    expect(await bench.counter.captureRefund(refundId)).toMatchObject({ kind: 'unknown' });
    expect(await bench.counter.watchRefund(refundId).poll(never)).toMatchObject({
      kind: 'unknown',
    });
  });

  test('is captured although the first answer is lost', async () => {
    const refundId = await createdId();
    bench.simulator.faults.add({ operation: 'captureRefund', kind: 'resetAfter' });
    expect(await bench.counter.captureRefund(refundId)).toEqual({ kind: 'accepted' });
  });

  test.each([
    'timeoutBefore',
    'timeoutAfter',
    'status500',
    'status500After',
    'reset',
    'resetAfter',
    'truncated',
  ] as const)('is created once although the first answer is %s', async (kind) => {
    bench.simulator.faults.add({ operation: 'createRefund', kind });
    expect(await bench.counter.createRefund(request())).toEqual({
      kind: 'created',
      refundId: worldRefunds()[0]?.refundId,
    });
    expect(worldRefunds()).toHaveLength(1);
    expect(new Set(creates().map(({ headers }) => headers['X-Service-Idempotency-Key'])).size).toBe(
      1,
    );
  });

  test.each([
    { kind: 'malformedJson' as const },
    { kind: 'html' as const },
    { kind: 'wrongTypes' as const },
    { kind: 'status500After' as const, times: 6 },
    { kind: 'status409' as const, code: '1306' },
  ])('whose answer is $kind has an unknown outcome', async (fault) => {
    bench.simulator.faults.add({ operation: 'createRefund', ...fault });
    expect(await bench.counter.createRefund(request())).toMatchObject({ kind: 'unknown' });
  });

  test('whose credentials are no longer accepted has an unknown outcome: an earlier attempt may have been heard', async () => {
    bench.simulator.faults.add(
      { operation: 'createRefund', kind: 'resetAfter' },
      { operation: 'createRefund', kind: 'status401', skip: 1, times: 2 },
    );
    expect(await bench.counter.createRefund(request())).toMatchObject({ kind: 'unknown' });
    expect(worldRefunds()).toHaveLength(1);
  });

  test('that breaks a rule of the interface never leaves', async () => {
    const before = bench.sent.length;
    for (const about of [
      { refundOrderId: 'x'.repeat(37) },
      { amountMinor: 0 },
      { paymentId: 'no id' },
    ])
      expect(await bench.counter.createRefund(request(about))).toMatchObject({
        kind: 'refused',
        reason: 'refusedByService',
      });
    expect(bench.sent.length).toBe(before);
  });
});

describe('a refund that the service refuses says why', () => {
  beforeEach(() => open());

  test('notCaptured, amountTooHigh, balanceTooLow, currencyDiffers: as the service really answers', async () => {
    const reasonOf = async (about: Partial<CreateRefundRequest>) => {
      const answer = await bench.counter.createRefund(request(about));
      return answer.kind === 'refused' ? answer.reason : answer.kind;
    };
    expect(await reasonOf({ amountMinor: 1011 })).toBe('amountTooHigh');
    expect(await reasonOf({ currency: 'EUR' })).toBe('currencyDiffers');
    expect(await reasonOf({ paymentId: nobody })).toBe('refusedByService');
    for (const store of bench.simulator.world.stores.values()) store.balanceMinor = 0;
    expect(await reasonOf({})).toBe('balanceTooLow');
    expect(await reasonOf({ paymentId: await pay({ captured: false }) })).toBe('notCaptured');
    expect(worldRefunds()).toEqual([]);
  });

  test.each([
    ['1353', 'tooOld'],
    ['1354', 'notCaptured'],
    ['1365', 'currencyDiffers'],
    ['1366', 'tooOld'],
    ['1367', 'amountTooHigh'],
    ['1368', 'balanceTooLow'],
    ['1400', 'notOnboarded'],
    ['1403', 'notOnboarded'],
    ['1001', 'refusedByService'],
    ['9999', 'refusedByService'],
  ] as const)('%s: %s', async (code, reason) => {
    bench.simulator.faults.add({ operation: 'createRefund', kind: 'status409', code });
    expect(await bench.counter.createRefund(request())).toEqual({
      kind: 'refused',
      reason,
      detail: expect.stringContaining(code),
    });
  });
});

describe('a refund whose outcome is unknown', () => {
  beforeEach(() => open({ pollDelayInMs: 100, refundPollDelayInMs: 100 }));

  test('is found among the payment’s refunds by its order id', async () => {
    await createdId({ amountMinor: 100 });
    const lost = request({ amountMinor: 200 });
    bench.simulator.faults.add({ operation: 'createRefund', kind: 'malformedJson' });
    expect(await bench.counter.createRefund(lost)).toMatchObject({ kind: 'unknown' });
    await createdId({ amountMinor: 300 });
    const refundId = worldRefunds().find(({ amountMinor }) => amountMinor === 200)?.refundId;
    expect(await bench.counter.lookUpRefund(paymentId, lost.refundOrderId)).toEqual({
      kind: 'found',
      refundId,
    });
    expect(
      await bench.counterNamed('shop-1-lane-1').lookUpRefund(paymentId, lost.refundOrderId),
    ).toEqual({ kind: 'found', refundId });
  });

  test('is found whatever its state', async () => {
    const asked = request();
    expect(await bench.counter.cancelRefund(await createdId(asked))).toEqual({ kind: 'accepted' });
    expect(
      await bench.counterNamed('shop-1-lane-1').lookUpRefund(paymentId, asked.refundOrderId),
    ).toMatchObject({ kind: 'found' });
  });

  test('is not there when the service has none, and that is not the same as silence', async () => {
    expect(await bench.counter.lookUpRefund(paymentId, 'unheard-of')).toEqual({ kind: 'none' });
    await createdId({ amountMinor: 1 });
    expect(await bench.counter.lookUpRefund(paymentId, 'unheard-of')).toEqual({ kind: 'none' });
    bench.simulator.faults.add({ operation: 'listRefunds', kind: 'status500', times: 6 });
    expect(await bench.counter.lookUpRefund(paymentId, 'unheard-of')).toMatchObject({
      kind: 'unknown',
    });
    bench.simulator.faults.add({ operation: 'getRefund', kind: 'status500' });
    expect(await bench.counterNamed('other').lookUpRefund(paymentId, 'unheard-of')).toMatchObject({
      kind: 'unknown',
    });
  });

  test('is looked for without a poll before its time, however often', async () => {
    const asked = request({ amountMinor: 1 });
    const refundId = await createdId(asked);
    await createdId({ amountMinor: 2 });
    const counter = bench.counterNamed('shop-1-lane-1');
    for (let times = 0; times < 3; times += 1)
      expect(await counter.lookUpRefund(paymentId, asked.refundOrderId)).toEqual({
        kind: 'found',
        refundId,
      });
    expect(await counter.lookUpRefund(paymentId, 'unheard-of')).toEqual({ kind: 'none' });
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 0 } });
  });
});

describe('a refund that is decided against before anybody knows what became of it', () => {
  beforeEach(() => open());

  const asked = (about: Partial<IdentifyRefundRequest> = {}): IdentifyRefundRequest => ({
    ...request(),
    startedAtMs: steadyClock.wallMs(),
    ...about,
  });
  /** Looks up a refund as after a restart, without knowing what was sent before. */
  const identify = (about: IdentifyRefundRequest) =>
    bench.counterNamed('shop-1-lane-1').identifyRefund(about);

  test('is asked for again with its key where the service has none; the first attempt, should it arrive late, is the same refund', async () => {
    const lost = asked();
    const identified = await identify(lost);
    expect(identified).toEqual({ kind: 'found', refundId: worldRefunds()[0]?.refundId });
    expect(creates().map(({ headers }) => headers['X-Service-Idempotency-Key'])).toEqual([
      lost.idempotencyKey,
    ]);
    expect(await bench.counterNamed('shop-1-lane-1').createRefund(lost)).toEqual({
      ...identified,
      kind: 'created',
    });
    expect(worldRefunds()).toHaveLength(1);
  });

  test('is only looked for where the service has it: whoever no longer knew the key would make another', async () => {
    const lost = asked();
    const refundId = await createdId(lost);
    expect(await identify(lost)).toEqual({ kind: 'found', refundId });
    expect(creates()).toHaveLength(1);
  });

  test.each(['1367', '1368', '1354', '1366', '1365', '1001'])(
    'is "none" when the repetition is refused with %s, and not asked for again',
    async (code) => {
      const counter = bench.counterNamed('shop-1-lane-1');
      const lost = asked();
      bench.simulator.faults.add({ operation: 'createRefund', kind: 'status409', code });
      expect(await counter.identifyRefund(lost)).toEqual({ kind: 'none' });
      expect(await counter.identifyRefund(lost)).toEqual({ kind: 'none' });
      expect(creates()).toHaveLength(1);
    },
  );

  test('is unknown when the key was used for something else: a refund of ours may well exist', async () => {
    bench.simulator.faults.add({ operation: 'createRefund', kind: 'status409', code: '1306' });
    expect(await identify(asked())).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('1306'),
    });
  });

  test('is unknown as long as nobody answers, be it the look or the repetition, and asked about again', async () => {
    const counter = bench.counterNamed('shop-1-lane-1');
    const lost = asked();
    bench.simulator.faults.add({ operation: 'listRefunds', kind: 'status500', times: 6 });
    expect(await counter.identifyRefund(lost)).toMatchObject({ kind: 'unknown' });
    expect(creates()).toHaveLength(0);
    bench.simulator.faults.add(
      { operation: 'createRefund', kind: 'reset' },
      { operation: 'createRefund', kind: 'status401', times: 2 },
    );
    expect(await counter.identifyRefund(lost)).toMatchObject({ kind: 'unknown' });
    expect(await counter.identifyRefund(lost)).toMatchObject({ kind: 'unknown' });
    expect(await counter.identifyRefund(lost)).toMatchObject({ kind: 'found' });
    expect(worldRefunds()).toHaveLength(1);
  });

  test('is only looked for once its key may be forgotten, and when the clock says that it is from the future', async () => {
    const hourMs = 3_600_000;
    for (const startedAtMs of [-23 * hourMs, -48 * hourMs, 24 * hourMs].map(
      (offMs) => steadyClock.wallMs() + offMs,
    ))
      expect(await identify(asked({ startedAtMs }))).toEqual({ kind: 'none' });
    expect(creates()).toEqual([]);
    expect(
      await identify(asked({ startedAtMs: steadyClock.wallMs() - 22 * hourMs })),
    ).toMatchObject({ kind: 'found' });
  });

  test('costs no more than six requests with one key, all in all', async () => {
    const lost = asked();
    bench.simulator.faults.add({ operation: 'createRefund', kind: 'status500', times: 20 });
    expect(await bench.counter.createRefund(lost)).toMatchObject({ kind: 'unknown' });
    expect(creates()).toHaveLength(5);
    expect(await bench.counter.identifyRefund(lost)).toMatchObject({ kind: 'unknown' });
    expect(await bench.counter.identifyRefund(lost)).toEqual({ kind: 'none' });
    expect(bench.simulator.state()).toMatchObject({ violations: { retriesBeyondLimit: 0 } });
    const afterRestart = bench.counterNamed('shop-1-lane-1');
    const other = asked();
    for (let times = 0; times < 10; times += 1) await afterRestart.identifyRefund(other);
    expect(creates()).toHaveLength(6 + 5);
  });
});

describe('polling a refund', () => {
  test('sees it initiated, then reserved, never earlier than the service allows', async () => {
    await open({ refundReservationMs: 250 });
    const watch = bench.counter.watchRefund(await createdId());
    const seen: unknown[] = [];
    for (let polls = 0; polls < 5; polls += 1) seen.push(await watch.poll(never));
    expect(seen[0]).toEqual({ kind: 'seen', status: 'initiated' });
    expect(seen.at(-1)).toEqual({ kind: 'seen', status: 'reserved' });
    expect(bench.simulator.state()).toMatchObject({ violations: { earlyPolls: 0 } });
  });

  test('sees what the service paid out by itself as paid out', async () => {
    await open({ refundCaptureMs: 20 });
    const refundId = await createdId();
    await sleep(steadyClock, 50);
    expect(await bench.counter.watchRefund(refundId).poll(never)).toEqual({
      kind: 'seen',
      status: 'captured',
    });
    expect(await bench.counter.cancelRefund(refundId)).toMatchObject({
      kind: 'refused',
      code: '1352',
    });
  });

  test('stops at once when nobody wants to know any more', async () => {
    await open();
    const watch = bench.counter.watchRefund(await createdId());
    await watch.poll(never);
    const stop = new AbortController();
    const poll = watch.poll(stop.signal);
    stop.abort(new Error('enough'));
    await expect(poll).rejects.toThrow('enough');
  });
});

test('the states of refunds have one name each here, under every profile’s brand', async () => {
  await open();
  const profile = profileNamed('mobilepay');
  const states = [
    'Initiated',
    'Reserved',
    'Captured',
    'ExpiredAndCaptured',
    'CancelledByClient',
    'CancelledByMobilePay',
    'ExpiredAndCancelled',
    'Lost',
  ];
  expect(states.map((status) => refundStatus(profile, status))).toEqual([
    'initiated',
    'reserved',
    'captured',
    'captured',
    'cancelledByClient',
    'cancelledByService',
    'cancelledByService',
    'unknown',
  ]);
});
