/**
 * Names that somebody else chose, or has recorded: a till's own name begins, ends and tells what
 * the till means by it, and nothing else.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashedId, idFrom } from '../../../../main/core/domain/ids.ts';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { key, message, NexoWorld, payment, poiId, protect, reveal } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const waiting = {
  kind: 'seen',
  status: 'issuedToUser',
  amountMinor: 1234,
  currency: 'DKK',
} as const;
const rejected = { SaleToPOIRequest: { EventNotification: { EventToNotify: 'Reject' } } };
const creates = (): number => at.world.whatLeft().filter((what) => what === 'create').length;
const abort = (service: string, ofService: string) =>
  at.say(
    'Abort',
    {
      AbortReason: 'MerchantAbort',
      MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: ofService },
    },
    { ServiceID: service },
  );
const status = (service: string) =>
  at.say(
    'TransactionStatus',
    { MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: service } },
    { ServiceID: 'S1' },
  );
const close = (service: string) =>
  at.say('Reconciliation', { ReconciliationType: 'SaleReconciliation' }, { ServiceID: service });

async function begun(): Promise<void> {
  for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
    await settled();
  expect(at.world.lane.tillRequests.readiness()).toBe('busy');
}
async function paid(
  header: object = {},
  request: object = payment(at.nowMs, 12.34),
): ReturnType<NexoWorld['say']> {
  at.world.pollAnswers = [{ ...reserved }];
  const answer = at.say('Payment', request, header);
  await begun();
  await at.world.clock.pass(3_000);
  return answer;
}

describe('a payment', () => {
  test('begins although a page has chosen the ids of its name, of this version and of those before', async () => {
    const day = Math.floor(at.nowMs / dayMs);
    for (const actionId of [
      idFrom('nexo', 'payment', poiId, 'POS-1', '0001', day),
      hashedId(JSON.stringify(['payment', '1', `nexo ${JSON.stringify(['POS-1', '0001', day])}`])),
    ]) {
      at.world.pollAnswers = [reserved];
      expect(
        at.world.lane.payByHand({ actionId, amountMinor: 1234, orderText: null }),
      ).toMatchObject({ accepted: true });
      await at.world.clock.pass(20_000);
    }
    expect((await status('0001')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotFound',
    });
    const before = creates();
    expect((await paid()).told.Response.Result).toBe('Success');
    expect(creates()).toBe(before + 1);
  });

  test('that a page of an earlier version has begun under the id of its name is not this till’s', async () => {
    const id = hashedId(
      JSON.stringify([
        'payment',
        '1',
        `nexo ${JSON.stringify(['POS-1', '0001', Math.floor(at.nowMs / dayMs)])}`,
      ]),
    );
    at.world.pollAnswers = [reserved];
    expect(
      at.world.lane.payByHand({
        actionId: crypto.randomUUID(),
        amountMinor: 1234,
        orderText: null,
      }),
    ).toMatchObject({ accepted: true });
    const { saleId: _new, ...sale } =
      at.world.lane.snapshot().current?.payment.sale ?? expect.fail('no payment');
    await at.world.clock.pass(20_000);
    at.world.journal.append('1', id, [
      { type: 'saleRequested', sale: { ...sale, saleId: id, orderId: 'old', receiptNumber: 9 } },
    ]);
    expect((await status('0001')).told.Response).toMatchObject({ ErrorCondition: 'NotFound' });
    expect((await paid()).told.Response.Result).toBe('Success');
  });

  test('that an earlier version began is found by its name: an update in the middle charges nobody twice', async () => {
    const id = hashedId(
      JSON.stringify([
        'payment',
        '1',
        `nexo ${JSON.stringify(['POS-1', '0001', Math.floor(at.nowMs / dayMs)])}`,
      ]),
    );
    const request = payment(at.nowMs, 12.34);
    const { TransactionID, TimeStamp } = request.SaleData.SaleTransactionID;
    const from = `nexo:127.0.0.1 ${['POS-1', '0001', TransactionID, TimeStamp].map(encodeURIComponent).join(' ')}`;
    at.world.pollAnswers = [reserved];
    expect(
      at.world.lane.tillRequests.requestNamedSale(id, { amountMinor: 1234, currency: 'DKK', from }),
    ).toMatchObject({ accepted: true });
    await at.world.clock.pass(3_000);
    const { told } = await at.say('Payment', request);
    expect(told).toMatchObject({
      Response: { Result: 'Success' },
      POIData: { POITransactionID: { TransactionID: id } },
    });
    expect(creates()).toBe(1);
  });

  test('that was recorded begins nothing when its lane has another id now: the name is its terminal’s', async () => {
    const request = payment(at.nowMs, 12.34);
    const { told } = await paid({}, request);
    await at.killLane(() => {}, { id: '2' });
    const before = creates();
    const recorded = protect(message('Payment', request), key);
    const { status: http, body } = await at.sayRaw(recorded, 'Payment', { token: null });
    expect(http).toBe(200);
    const again = reveal(
      (body as { SaleToPOIResponse: Parameters<typeof reveal>[0] }).SaleToPOIResponse,
    );
    expect(again).toMatchObject({
      SaleToPOIResponse: {
        PaymentResponse: { Response: { Result: 'Success' }, POIData: told.POIData },
      },
    });
    expect(creates()).toBe(before);
  });

  test('that was refused because its time is to come begins nothing when that has come', async () => {
    const early = payment(at.nowMs + 14 * hourMs, 12.34);
    expect((await at.say('Payment', early)).told.Response).toMatchObject({
      ErrorCondition: 'MessageFormat',
    });
    await at.world.clock.pass(10 * hourMs);
    expect((await at.say('Payment', early)).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'MessageFormat',
    });
    expect(creates()).toBe(0);
  });

  test('that was refused because its name was used begins nothing when the name is free', async () => {
    await paid();
    await at.world.clock.pass(47 * hourMs);
    const other = payment(at.nowMs, 99, '20090');
    expect((await at.say('Payment', other)).told.Response).toMatchObject({
      ErrorCondition: 'NotAllowed',
    });
    await at.world.clock.pass(2 * hourMs);
    expect((await at.say('Payment', other)).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotAllowed',
    });
    expect(creates()).toBe(1);
  });
});

describe('an abort that was recorded', () => {
  test('does not abort another payment when its names are used again, also after a restart', async () => {
    at.world.pollAnswers = [waiting];
    const first = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    expect(await abort('A1', '0001')).toMatchObject({ status: 200, body: '' });
    at.world.pollAnswers = [
      { kind: 'seen', status: 'cancelledByClient', amountMinor: 1234, currency: 'DKK' },
    ];
    await at.world.clock.pass(3_000);
    expect((await first).told.Response).toMatchObject({ ErrorCondition: 'Aborted' });
    // The till has not heard it, and is told again.
    expect(await abort('A1', '0001')).toMatchObject({ status: 200, body: '' });
    await at.restart();
    await at.world.clock.pass(49 * hourMs);
    at.world.pollAnswers = [waiting, waiting];
    const second = at.say('Payment', payment(at.nowMs, 12.34, '30001'));
    await begun();
    expect((await abort('A1', '0001')).body).toMatchObject(rejected);
    at.world.pollAnswers = [reserved];
    await at.world.clock.pass(3_000);
    expect((await second).told.Response.Result).toBe('Success');
  });

  test('of which nothing was there ends nothing two days later, and what it means until then', async () => {
    expect((await abort('A1', '0001')).body).toMatchObject(rejected);
    expect((await abort('A2', '0002')).body).toMatchObject(rejected);
    at.world.pollAnswers = [waiting];
    const soon = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    expect(await abort('A1', '0001')).toMatchObject({ status: 200, body: '' });
    at.world.pollAnswers = [
      { kind: 'seen', status: 'cancelledByClient', amountMinor: 1234, currency: 'DKK' },
    ];
    await at.world.clock.pass(3_000);
    expect((await soon).told.Response).toMatchObject({ ErrorCondition: 'Aborted' });
    await at.world.clock.pass(49 * hourMs);
    at.world.pollAnswers = [waiting];
    const late = at.say('Payment', payment(at.nowMs, 12.34, '30001'), { ServiceID: '0002' });
    await begun();
    expect((await abort('A2', '0002')).body).toMatchObject(rejected);
    at.world.pollAnswers = [reserved];
    await at.world.clock.pass(3_000);
    expect((await late).told.Response.Result).toBe('Success');
  });
});

describe('a reconciliation that was recorded', () => {
  const newest = () => at.world.dayBook.last(at.world.lane.id)?.number;

  test('is told as it was after another closing, of a till or a manager, and closes nothing', async () => {
    const first = await close('C1');
    await close('C2');
    expect((await close('C1')).told).toEqual(first.told);
    at.world.dayBook.close('1', 'zvt');
    expect((await close('C1')).told).toEqual(first.told);
    expect(newest()).toBe(3);
  });

  test('is told as it was when its lane has another id now', async () => {
    const sent = (service: string) =>
      protect(
        message(
          'Reconciliation',
          { ReconciliationType: 'SaleReconciliation' },
          { ServiceID: service },
        ),
      );
    const told = async (service: string) => {
      const { body } = await at.sayRaw(sent(service), 'Reconciliation', { token: null });
      return reveal(
        (body as { SaleToPOIResponse: Parameters<typeof reveal>[0] }).SaleToPOIResponse,
      );
    };
    const first = await told('C1');
    await at.killLane(() => {}, { id: '2' });
    expect(await told('C1')).toEqual(first);
    expect(newest()).toBeUndefined();
  });

  test('closes nothing when its name is free again: only a message that was protected anew does', async () => {
    const sent = (nonce: number) =>
      protect(
        message(
          'Reconciliation',
          { ReconciliationType: 'SaleReconciliation' },
          { ServiceID: 'C1' },
        ),
        key,
        Buffer.alloc(16, nonce),
      );
    const say = (nonce: number) => at.sayRaw(sent(nonce), 'Reconciliation', { token: null });
    await say(1);
    await at.restart();
    await at.world.clock.pass(49 * hourMs);
    expect((await say(1)).status).toBe(200);
    expect(newest()).toBe(1);
    await say(2);
    expect(newest()).toBe(2);
  });
});
