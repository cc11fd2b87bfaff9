/**
 * A counter on the ePayment service, as a lane asks for it: the client and the simulator, over real
 * HTTP (document 5, section 8).
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemIds } from '../../../../main/core/domain/ids.ts';
import { codeOf } from '../../../../main/wallets/epayment/point-of-sale/payment-code.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type EpaymentBench, keys, openEpaymentBench } from './epayment-support.ts';

const never = new AbortController().signal;
const money = { amountMinor: 12_550, currency: 'DKK' } as const;
const whole = { ifNotApproved: false, refusals: 0 } as const;
const ifOpen = { ifNotApproved: true, refusals: 0 } as const;
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
const answered = () =>
  bench.simulator.requests().map(({ operation, status, code }) => [operation, status, code]);

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
const seen = (reference: string) => bench.counter.watch(reference).poll(never);

describe('opening', () => {
  test('shows that keys, sales unit and way are right, by a payment that there is not', async () => {
    expect(await bench.counter.open()).toEqual({ kind: 'open', posId: '123456', qr: null });
    expect(answered()).toEqual([
      ['getAccessToken', 200, null],
      ['getEpayment', 404, '5090'],
    ]);
  });

  test.each([
    ['a wrong secret', { clientSecret: 'of another environment' }],
    ['another sales unit', { msn: '654321' }],
    ['a wrong subscription key', { subscriptionKeys: ['none'] as const }],
  ])('with %s is refused', async (_what, about) => {
    expect(await bench.counterWith({}, { keys: { ...keys, ...about } }).open()).toMatchObject({
      kind: 'credentialsRefused',
    });
  });

  test('of a sales unit whose product is not active is refused, also with a token from before', async () => {
    expect(await bench.counter.open()).toMatchObject({ kind: 'open' });
    await bench.act('set-sales-unit', { msn: '123456', isActive: false });
    expect(await bench.counter.open()).toMatchObject({ kind: 'credentialsRefused' });
  });

  test('takes the second subscription key while the first is being replaced', async () => {
    const counter = bench.counterWith(
      {},
      { keys: { ...keys, subscriptionKeys: ['replaced', 'simulated-secondary-subscription'] } },
    );
    expect(await counter.open()).toMatchObject({ kind: 'open' });
  });

  test('a token that is refused is fetched anew, once', async () => {
    await bench.counter.open();
    bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status401' });
    expect(await bench.counter.open()).toMatchObject({ kind: 'open' });
    expect(sentTo('/accesstoken/get')).toHaveLength(2);
  });
});

describe('creating', () => {
  test('tells the payment and its picture, which is had without credentials and is gone with the payment', async () => {
    const answer = await bench.counter.create(asked());
    expect(answer).toMatchObject({
      kind: 'created',
      paymentId: 'K1-000042-9f3c2b1a',
      code: { kind: 'picture' },
    });
    const address =
      answer.kind === 'created' && answer.code?.kind === 'picture' ? answer.code.address : '';
    const picture = await bench.counter.codePicture?.(address);
    expect(picture?.kind === 'fetched' && Buffer.from(picture.png).subarray(1, 4).toString()).toBe(
      'PNG',
    );
    expect(Object.keys(bench.sent.at(-1)?.headers ?? {})).toEqual(['accept']);
    await bench.act('reject', { reference: 'K1-000042-9f3c2b1a' });
    expect(await bench.counter.codePicture?.(address)).toEqual({
      kind: 'unknown',
      detail: 'the picture of the code cannot be had (404)',
    });
  });

  test('asks for the text of the code where it is drawn here', async () => {
    const answer = await bench.counterWith({ codeForm: 'text' }).create(asked());
    expect(answer).toMatchObject({ code: { kind: 'text', text: (await bench.payment()).code } });
  });

  test('a code that leads elsewhere, and a picture that is elsewhere, are none', async () => {
    const base = 'https://api.vipps.no';
    expect(codeOf('text', 'https://qr.vipps.no/x', base)).toEqual({
      kind: 'text',
      text: 'https://qr.vipps.no/x',
    });
    expect(codeOf('picture', 'https://qr.vipps.no/x', base)).toEqual({
      kind: 'picture',
      address: 'https://qr.vipps.no/x',
    });
    for (const said of [
      'https://qr.vipps.no.example/x',
      'http://qr.vipps.no/x',
      'https://192.168.1.1/',
      'javascript:1',
      '',
      null,
    ])
      for (const form of ['text', 'picture'] as const)
        expect(codeOf(form, said, base), String(said)).toBeNull();
    expect(await bench.counter.codePicture?.('http://127.0.0.1:1/x')).toMatchObject({
      kind: 'unknown',
    });
  });

  test('what is no picture is not shown', async () => {
    bench.simulator.faults.add({ operation: 'createEpayment', kind: 'delay' });
    expect(
      await bench.counter.codePicture?.(`${bench.simulator.baseUrl}/simulator/state`),
    ).toMatchObject({
      kind: 'unknown',
      detail: expect.stringContaining('no PNG'),
    });
  });

  test.each(['timeoutBefore', 'timeoutAfter', 'reset', 'resetAfter', 'status500After'] as const)(
    'an answer that is lost (%s) is asked for once more with the same key: one payment, and its code',
    async (kind) => {
      bench.simulator.faults.add({ operation: 'createEpayment', kind });
      expect(await bench.counter.create(asked())).toMatchObject({
        kind: 'created',
        code: { kind: 'picture' },
      });
      expect(await bench.payments()).toHaveLength(1);
      const sent = sentTo('/epayment/v1/payments');
      expect(new Set(sent.map(({ headers }) => headers['Idempotency-Key'])).size).toBe(1);
      expect(sent).toHaveLength(2);
    },
  );

  test('without any answer it is unknown; looked up, it is found with its code', async () => {
    bench.simulator.faults.add({ operation: 'createEpayment', kind: 'resetAfter', times: 2 });
    expect(await bench.counter.create(asked())).toMatchObject({ kind: 'unknown' });
    expect(await bench.counter.lookUp('K1-000042-9f3c2b1a')).toMatchObject({
      kind: 'found',
      paymentId: 'K1-000042-9f3c2b1a',
      code: { kind: 'picture' },
    });
    expect(await bench.payments()).toHaveLength(1);
  });

  test('after a restart it is identified by its key; a key too old to be trusted is only looked for', async () => {
    const request = { ...asked(), startedAtMs: Date.now() };
    const clock = new ManualClock();
    const restarted = bench.counterWith({}, { clock });
    // The payment may have been created right before the restart, so that readers do not find it
    // yet.
    expect(await restarted.identify({ ...request, startedAtMs: 0 })).toMatchObject({
      kind: 'unknown',
    });
    await clock.pass(10_000);
    expect(await restarted.identify({ ...request, startedAtMs: 0 })).toEqual({ kind: 'none' });
    bench.simulator.faults.add({ operation: 'createEpayment', kind: 'resetAfter', times: 2 });
    await bench.counter.create(request);
    expect(await bench.counterWith().identify(request)).toMatchObject({ kind: 'found' });
    expect(await bench.counterWith().identify({ ...request, startedAtMs: 0 })).toMatchObject({
      kind: 'found',
    });
    expect(await bench.payments()).toHaveLength(1);
  });

  test('a payment of somebody else under our reference is not taken for ours', async () => {
    await created();
    const request = { ...asked(), startedAtMs: Date.now() };
    expect(await bench.counterWith().identify(request)).toEqual({ kind: 'none' });
    expect(await bench.counterWith().create(request)).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    ['5060', { isVerified: false }, 'notOnboarded'],
    ['5040', { currency: 'NOK' }, 'refusedByService'],
  ])('refused with %s it tells why', async (code, unit, reason) => {
    await bench.act('set-sales-unit', { msn: '123456', ...unit });
    const answer = await bench.counter.create(asked());
    expect(answer).toMatchObject({
      kind: 'refused',
      reason,
      detail: expect.stringContaining(code),
    });
    expect(sentTo('/epayment/v1/payments')).toHaveLength(1);
  });

  test('names system, sales unit and customer, and nothing that the interface does not know', async () => {
    await created();
    const [request] = sentTo('/epayment/v1/payments');
    expect(request?.headers).toMatchObject({
      'merchant-serial-number': '123456',
      'ocp-apim-subscription-key': 'simulated-primary-subscription',
      'vipps-system-name': 'tillbeacon',
      'vipps-system-version': '1.2.3',
      'vipps-system-plugin-name': 'zvt',
      'vipps-system-plugin-version': '1.2.3',
    });
    expect(JSON.parse(request?.body ?? '')).toMatchObject({
      amount: { currency: 'DKK', value: 12_550 },
      customerInteraction: 'CUSTOMER_PRESENT',
      userFlow: 'QR',
    });
  });
});

describe('a poll', () => {
  test('tells open, reserved with how long, captured', async () => {
    const reference = await created();
    expect(await seen(reference)).toMatchObject({ kind: 'seen', status: 'initiated', ...money });
    await bench.act('approve', { reference });
    expect(await seen(reference)).toMatchObject({
      kind: 'seen',
      status: 'reserved',
      ...money,
      expiresAtMs: expect.any(Number),
    });
    await bench.counter.capture(reference, money);
    expect(await seen(reference)).toMatchObject({ kind: 'seen', status: 'captured', ...money });
  });

  test('tells that the customer refused; a card that is refused ends nothing', async () => {
    const reference = await created({ amountMinor: 182 });
    expect(await bench.act('approve', { reference })).toEqual({ isTaken: false });
    expect(await seen(reference)).toMatchObject({ status: 'initiated' });
    await bench.act('reject', { reference });
    expect(await seen(reference)).toMatchObject({ status: 'cancelledByUser', declined: true });
  });

  test('believes no "there is none" of a payment that may have been created just now, also right before a restart', async () => {
    const clock = new ManualClock();
    const counter = bench.counterWith({}, { clock });
    const poll = async (reference: string) => {
      const answer = counter.watch(reference, 1).poll(never);
      await clock.pass(1_000);
      return answer;
    };
    expect(await poll('nobody-knows-it')).toMatchObject({ kind: 'unknown' });
    await clock.pass(9_000);
    expect(await poll('nobody-knows-it')).toEqual({ kind: 'notFound' });
    const reference = await created();
    bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status404', code: '5090' });
    expect(await seen(reference)).toMatchObject({ kind: 'unknown' });
  });

  test('believes no "there is none" of something on the way, which knows no payments', async () => {
    const clock = new ManualClock();
    const counter = bench.counterWith({}, { clock });
    const reference = await created();
    await clock.pass(10_000);
    bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status404' });
    const answer = counter.watch(reference, 1).poll(never);
    await clock.pass(1_000);
    expect(await answer).toMatchObject({ kind: 'unknown' });
  });

  test.each([
    ['as long as the service asks', 20, 20_000],
    ['a minute, where it says 429 without a time', null, 60_000],
  ])('waits %s', async (_what, retryAfterSeconds, waitMs) => {
    const clock = new ManualClock();
    const watch = bench.counterWith({}, { clock }).watch(await created(), 1);
    const asked = () => bench.sent.filter(({ method }) => method === 'GET').length;
    bench.simulator.faults.add({ operation: 'getEpayment', kind: 'status429', retryAfterSeconds });
    const first = watch.poll(never);
    await clock.pass(1_000);
    expect(await first).toMatchObject({ kind: 'unknown' });
    const before = asked();
    const second = watch.poll(never);
    await clock.pass(waitMs - 1_000);
    expect(asked()).toBe(before);
    await clock.pass(2_000);
    expect(await second).toMatchObject({ kind: 'seen', status: 'initiated' });
  });

  test('believes that it expired when it says so once more half a minute later', async () => {
    const clock = new ManualClock();
    const counter = bench.counterWith({}, { clock });
    const reference = await created();
    await bench.simulator.advance(600_000);
    const poll = async () => {
      const answer = counter.watch(reference, 1).poll(never);
      await clock.pass(1_000);
      return answer;
    };
    expect(await poll()).toMatchObject({ status: 'unknown' });
    await clock.pass(27_000);
    expect(await poll()).toMatchObject({ status: 'unknown' });
    await clock.pass(1_000);
    expect(await poll()).toMatchObject({ status: 'cancelledByService' });
  });
});

describe('a cancel', () => {
  test('of an open payment ends it', async () => {
    const reference = await created();
    expect(await bench.counter.cancel(reference, ifOpen)).toEqual({ kind: 'done' });
    expect(await bench.payment()).toMatchObject({ state: 'TERMINATED' });
  });

  test('on condition tells that the customer was faster, and leaves the reservation alone', async () => {
    const reference = await approved();
    expect(await bench.counter.cancel(reference, ifOpen)).toMatchObject({
      kind: 'refused',
      reason: 'approved',
      code: '6060',
    });
    expect(await bench.payment()).toMatchObject({ state: 'AUTHORIZED', cancelled: 0 });
    expect(await bench.counter.cancel(reference, whole)).toEqual({ kind: 'done' });
    expect(await bench.payment()).toMatchObject({ state: 'AUTHORIZED', cancelled: 12_550 });
  });

  test('while the customer approves is refused, and asked anew with another key once it is over', async () => {
    const reference = await created();
    await bench.act('begin-approval', { reference });
    expect(await bench.counter.cancel(reference, whole)).toMatchObject({
      kind: 'refused',
      reason: 'wrongState',
      code: '6250',
    });
    await bench.act('approve', { reference });
    // The refusal sticks to its key.
    expect(await bench.counter.cancel(reference, whole)).toMatchObject({
      kind: 'refused',
      code: '6250',
    });
    expect(await bench.counter.cancel(reference, { ...whole, refusals: 1 })).toEqual({
      kind: 'done',
    });
  });

  test('of a captured payment is refused', async () => {
    expect(await bench.counter.cancel(await captured(), whole)).toMatchObject({
      kind: 'refused',
      reason: 'wrongState',
      code: '6040',
    });
  });

  test('of a payment that is locked is not known, and asked again with the same key', async () => {
    const reference = await created();
    await bench.act('trouble', { reference, locks: 1 });
    expect(await bench.counter.cancel(reference, whole)).toMatchObject({ kind: 'unknown' });
    expect(await bench.counter.cancel(reference, whole)).toEqual({ kind: 'done' });
  });

  test('of a payment that nobody has heard of (404) is believed to be of none only when it was not created just now', async () => {
    const clock = new ManualClock();
    const counter = bench.counterWith({}, { clock });
    const answer = await counter.create(asked());
    if (answer.kind !== 'created') throw new Error(answer.kind);
    for (const operation of ['captureEpayment', 'cancelEpayment'])
      bench.simulator.faults.add({ operation, kind: 'status404', code: '5090', times: 2 });
    expect(await counter.cancel(answer.paymentId, whole)).toMatchObject({ kind: 'unknown' });
    expect(await counter.capture(answer.paymentId, money)).toMatchObject({ kind: 'unknown' });
    await clock.pass(10_000);
    expect(await counter.cancel(answer.paymentId, whole)).toEqual({ kind: 'notFound' });
    expect(await counter.capture(answer.paymentId, money)).toEqual({ kind: 'notFound' });
  });

  test('never leaves as the sixth change of a minute: the service refuses none', async () => {
    const reference = await created();
    bench.simulator.faults.add({ operation: 'cancelEpayment', kind: 'status500', times: 100 });
    for (let n = 0; n < 10; n += 1)
      expect(await bench.counter.cancel(reference, whole)).toMatchObject({ kind: 'unknown' });
    expect(sentTo('/cancel')).toHaveLength(4);
  });

  test('is not asked for while the service wants to be left alone', async () => {
    const reference = await created();
    bench.simulator.faults.add({
      operation: 'cancelEpayment',
      kind: 'status429',
      retryAfterSeconds: 30,
    });
    for (let n = 0; n < 3; n += 1)
      expect(await bench.counter.cancel(reference, whole)).toMatchObject({ kind: 'unknown' });
    expect(sentTo('/cancel')).toHaveLength(1);
  });
});

describe('a capture', () => {
  test('that failed without an answer is repeated with the same key: the money moves once', async () => {
    const reference = await approved();
    bench.simulator.faults.add({ operation: 'captureEpayment', kind: 'status500After' });
    expect(await bench.counter.capture(reference, money)).toMatchObject({ kind: 'unknown' });
    expect(await bench.counterWith().capture(reference, money)).toEqual({ kind: 'done' });
    expect((await bench.payment()).events.filter(({ name }) => name === 'CAPTURED')).toHaveLength(
      1,
    );
    expect(new Set(sentTo('/capture').map(({ headers }) => headers['Idempotency-Key'])).size).toBe(
      1,
    );
  });

  test('before the approval, and of what is released, is refused', async () => {
    const reference = await created();
    expect(await bench.counter.capture(reference, money)).toMatchObject({
      kind: 'refused',
      reason: 'wrongState',
      code: '6080',
    });
    await bench.act('approve', { reference });
    await bench.act('portal', { reference, action: 'cancel' });
    expect(await bench.counter.capture(reference, money, 1)).toMatchObject({
      kind: 'refused',
      code: '6070',
    });
  });

  test('of which somebody has captured a part in the portal is not confirmed, and the poll says how much it was', async () => {
    await bench.act('set-sales-unit', { msn: keys.msn, mayCaptureParts: true });
    const reference = await approved();
    await bench.act('portal', { reference, action: 'capture', amount: 5_000 });
    expect(await bench.counter.capture(reference, money)).toMatchObject({
      kind: 'refused',
      reason: 'wrongState',
    });
    expect(await bench.counter.watch(reference).poll(AbortSignal.timeout(5_000))).toMatchObject({
      status: 'captured',
      capturedMinor: 5_000,
    });
  });
});
