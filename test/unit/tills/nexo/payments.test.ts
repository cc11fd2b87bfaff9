import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { NexoWorld, payment } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

const waiting = {
  kind: 'seen',
  status: 'issuedToUser',
  amountMinor: 1234,
  currency: 'DKK',
} as const;
const creates = (): number => at.world.whatLeft().filter((what) => what === 'create').length;
const abort = (service: string, header: object = {}) =>
  at.say(
    'Abort',
    {
      AbortReason: 'MerchantAbort',
      MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: service },
    },
    { ServiceID: 'A1', ...header },
  );
const status = (service: string, category = 'Payment', sale = 'POS-1') =>
  at.say(
    'TransactionStatus',
    { MessageReference: { MessageCategory: category, SaleID: sale, ServiceID: service } },
    { ServiceID: 'S1' },
  );

/** Waits until the lane has the request. */
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
  test('is answered once it is decided, with what is reversed by', async () => {
    const { status: http, told, body } = await paid();
    expect(http).toBe(200);
    expect(told).toMatchObject({
      Response: { Result: 'Success' },
      SaleData: { SaleTransactionID: { TransactionID: '20087' } },
      PaymentResult: {
        PaymentType: 'Normal',
        AmountsResp: { Currency: 'DKK', AuthorizedAmount: 12.34 },
        PaymentInstrumentData: { PaymentInstrumentType: 'Mobile' },
      },
    });
    expect(told.Response).not.toHaveProperty('ErrorCondition');
    expect(body).toMatchObject({
      SaleToPOIResponse: {
        MessageHeader: {
          MessageType: 'Response',
          MessageCategory: 'Payment',
          ServiceID: '0001',
          POIID: 'Tillbeacon-1',
        },
      },
    });
    const id = told.POIData?.POITransactionID.TransactionID ?? '';
    expect(at.world.journal.story(id)[0]?.event).toMatchObject({
      type: 'saleRequested',
      sale: { from: expect.stringMatching(/^nexo:127\.0\.0\.1 POS-1 0001 20087 /) },
    });
  });

  test('sent again, at once and after a kill, is the same payment and is not begun again', async () => {
    const request = payment(at.nowMs, 12.34);
    at.world.pollAnswers = [{ ...reserved }];
    const both = [at.say('Payment', request), at.say('Payment', request)];
    await begun();
    await expect.poll(() => at.reached).toBe(2);
    await at.world.clock.pass(3_000);
    const [first, second] = await Promise.all(both);
    expect(second?.told).toEqual(first?.told);
    await at.killLane();
    expect((await at.say('Payment', request)).told).toMatchObject({
      Response: { Result: 'Success' },
      POIData: first?.told.POIData,
    });
    expect(creates()).toBe(0);
  });

  test('under a name that was another sale’s is refused, also with the same amount, and nothing begins', async () => {
    await paid();
    const before = creates();
    for (const request of [
      payment(at.nowMs, 12.34, '20088'),
      payment(at.nowMs, 12.35),
      payment(at.nowMs + 60_000, 12.34),
    ])
      expect((await at.say('Payment', request)).told.Response).toMatchObject({
        Result: 'Failure',
        ErrorCondition: 'NotAllowed',
      });
    expect(creates()).toBe(before);
  });

  test('is the same one a day later, and is found for a week', async () => {
    const request = payment(at.nowMs, 12.34);
    const { told } = await paid({}, request);
    await at.world.clock.pass(25 * 3_600_000);
    expect((await at.say('Payment', request)).told.POIData).toEqual(told.POIData);
    await at.world.clock.pass(6 * 24 * 3_600_000);
    expect(
      (await status('0001')).told.RepeatedMessageResponse?.RepeatedResponseMessageBody[
        'PaymentResponse'
      ]?.POIData,
    ).toEqual(told.POIData);
    expect((await at.say('Payment', request)).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'MessageFormat',
    });
    expect(creates()).toBe(1);
  });

  test('after 48 hours the name is free again', async () => {
    const first = await paid();
    await at.world.clock.pass(49 * 3_600_000);
    const second = await paid({}, payment(at.nowMs, 12.34, '30001'));
    expect(second.told.Response.Result).toBe('Success');
    expect(second.told.POIData?.POITransactionID.TransactionID).not.toBe(
      first.told.POIData?.POITransactionID.TransactionID,
    );
  });

  test('that was refused stays refused: its message, sent again, begins nothing', async () => {
    at.world.pollAnswers = [waiting];
    const first = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    const late = payment(at.nowMs, 5, '20090');
    expect((await at.say('Payment', late, { ServiceID: '0002' })).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'Busy',
    });
    await abort('0001');
    await at.world.clock.pass(3_000);
    await first;
    const before = creates();
    expect((await at.say('Payment', late, { ServiceID: '0002' })).told.Response).toMatchObject({
      ErrorCondition: 'Busy',
    });
    expect(
      (await status('0002')).told.RepeatedMessageResponse?.RepeatedResponseMessageBody[
        'PaymentResponse'
      ]?.Response,
    ).toMatchObject({
      ErrorCondition: 'Busy',
    });
    expect(creates()).toBe(before);
  });

  test('that was refused stays refused after a kill, and is told as it was', async () => {
    at.world.pollAnswers = [waiting];
    const first = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    const late = payment(at.nowMs, 5, '20090');
    await at.say('Payment', late, { ServiceID: '0002' });
    await abort('0001');
    await at.world.clock.pass(3_000);
    await first;
    await at.restart();
    const before = creates();
    expect((await at.say('Payment', late, { ServiceID: '0002' })).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'Busy',
    });
    expect(
      (await status('0002')).told.RepeatedMessageResponse?.RepeatedResponseMessageBody[
        'PaymentResponse'
      ]?.Response,
    ).toMatchObject({
      ErrorCondition: 'Busy',
    });
    expect(creates()).toBe(before);
  });

  test('of a damaged file of refusals nothing is known; payments go on, and what is refused is noted again', async () => {
    writeFileSync(at.refusalsPath, 'no database');
    await at.restart();
    expect(at.logged).toContain(
      'the file of refused Nexo messages is damaged: it is replaced by an empty one',
    );
    at.world.pollAnswers = [waiting];
    const first = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    const late = payment(at.nowMs, 5, '20090');
    await at.say('Payment', late, { ServiceID: '0002' });
    await abort('0001');
    await at.world.clock.pass(3_000);
    await first;
    await at.restart();
    expect((await at.say('Payment', late, { ServiceID: '0002' })).told.Response).toMatchObject({
      ErrorCondition: 'Busy',
    });
  });

  test.each([-13, 13])(
    'of another time (%i hours) begins nothing: an old message does not pay',
    async (hours) => {
      const { told } = await at.say('Payment', payment(at.nowMs + hours * 3_600_000, 12.34));
      expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'MessageFormat' });
      expect(creates()).toBe(0);
    },
  );

  test.each([
    '12.345',
    '1e3',
    '-5',
    '0',
    '0.001',
    '100000000',
    '"12.34"',
    '0.30000000000000004',
    '59.970000000000006',
    'null',
  ])('an amount of %s is refused', async (amount) => {
    const text = JSON.stringify({ SaleToPOIRequest: { ...(await template()) } }).replace(
      '"AMOUNT"',
      amount,
    );
    const { told } = await at.sayRaw(text);
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'MessageFormat' });
    expect(decodeURIComponent(told.Response.AdditionalResponse ?? '')).toContain(
      'RequestedAmount must be',
    );
    expect(creates()).toBe(0);
  });

  test.each([
    ['12.340', 1234],
    ['0.07', 7],
    ['0.5', 50],
    ['99999999.99', 9_999_999_999],
    ['5', 500],
  ])('an amount of %s is %i minor units', async (amount, minor) => {
    const asked: number[] = [];
    at.world.lane.tillRequests.requestNamedSale = (_id, { amountMinor }) => {
      asked.push(amountMinor);
      return { accepted: false, reason: 'busy' };
    };
    await at.sayRaw(
      JSON.stringify({ SaleToPOIRequest: { ...(await template()) } }).replace('"AMOUNT"', amount),
    );
    expect(asked).toEqual([minor]);
  });

  test.each([
    [{ PaymentData: { PaymentType: 'Refund' } }, 'UnavailableService'],
    [{ PaymentData: { PaymentType: 'FirstReservation' } }, 'UnavailableService'],
    [
      {
        PaymentTransaction: {
          AmountsReq: { Currency: 'DKK', RequestedAmount: 5, CashBackAmount: 5 },
        },
      },
      'UnavailableService',
    ],
    [
      {
        PaymentTransaction: { AmountsReq: { Currency: 'DKK', RequestedAmount: 5, TipAmount: 0.5 } },
      },
      'UnavailableService',
    ],
    [
      {
        PaymentTransaction: {
          AmountsReq: { Currency: 'DKK', RequestedAmount: 5, SurchargeAmount: 0.01 },
        },
      },
      'UnavailableService',
    ],
    [
      {
        PaymentTransaction: {
          AmountsReq: { Currency: 'DKK', RequestedAmount: 5, TipAmount: 'none' },
        },
      },
      'MessageFormat',
    ],
    [
      { PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 5 } } },
      'MessageFormat',
    ],
    [
      { PaymentTransaction: { AmountsReq: { Currency: 'SEK', RequestedAmount: 5 } } },
      'MessageFormat',
    ],
    [{ PaymentTransaction: { AmountsReq: { RequestedAmount: 5 } } }, 'MessageFormat'],
    [{ SaleData: {} }, 'MessageFormat'],
    [{ SaleData: null }, 'MessageFormat'],
    [{ PaymentTransaction: { AmountsReq: null } }, 'MessageFormat'],
  ])('%j is refused with %s', async (changed, condition) => {
    const { told } = await at.say('Payment', { ...payment(at.nowMs, 5), ...changed });
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: condition });
    expect(creates()).toBe(0);
  });
});

async function template(): Promise<object> {
  const { SaleData } = payment(at.nowMs, 1);
  return {
    MessageHeader: {
      MessageClass: 'Service',
      MessageCategory: 'Payment',
      MessageType: 'Request',
      SaleID: 'POS-1',
      ServiceID: '0001',
      POIID: 'Tillbeacon-1',
    },
    PaymentRequest: {
      SaleData,
      PaymentTransaction: { AmountsReq: { Currency: 'DKK', RequestedAmount: 'AMOUNT' } },
    },
  };
}

describe('an abort', () => {
  test('ends the payment, which is told by the payment’s own answer', async () => {
    at.world.pollAnswers = [waiting];
    const answer = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    expect(await abort('0001')).toMatchObject({ status: 200, body: '' });
    at.world.pollAnswers = [
      { kind: 'seen', status: 'cancelledByClient', amountMinor: 1234, currency: 'DKK' },
    ];
    await at.world.clock.pass(3_000);
    const { told } = await answer;
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'Aborted' });
    expect(told).not.toHaveProperty('PaymentResult');
    expect(at.world.captured).toEqual([]);
  });

  test('of what is paid, or of nothing, is rejected', async () => {
    await paid();
    const rejected = { SaleToPOIRequest: { EventNotification: { EventToNotify: 'Reject' } } };
    expect((await abort('0001')).body).toMatchObject(rejected);
    expect((await abort('0404')).body).toMatchObject(rejected);
    expect(
      (await status('0001')).told.RepeatedMessageResponse?.RepeatedResponseMessageBody[
        'PaymentResponse'
      ]?.Response.Result,
    ).toBe('Success');
  });
});

describe('the status of a transaction', () => {
  test('is in progress, then its own answer, also after a kill', async () => {
    at.world.pollAnswers = [waiting];
    const answer = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    expect((await status('0001')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'InProgress',
    });
    at.world.pollAnswers = [{ ...reserved }];
    await at.world.clock.pass(3_000);
    const { told } = await answer;
    expect(told.Response.Result).toBe('Success');
    await at.killLane();
    const later = await status('0001');
    expect(later.told).toMatchObject({
      Response: { Result: 'Success' },
      RepeatedMessageResponse: {
        MessageHeader: { MessageCategory: 'Payment', MessageType: 'Response', ServiceID: '0001' },
        RepeatedResponseMessageBody: {
          PaymentResponse: {
            Response: { Result: 'Success' },
            POIData: told.POIData,
            SaleData: told['SaleData'],
          },
        },
      },
    });
  });

  test('of what nobody sent, or another SaleID did, is not found', async () => {
    await paid();
    expect((await status('0404')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotFound',
    });
    expect((await status('0001', 'Payment', 'POS-2')).told.Response).toMatchObject({
      ErrorCondition: 'NotFound',
    });
    expect((await status('0001', 'Reversal')).told.Response).toMatchObject({
      ErrorCondition: 'NotFound',
    });
  });

  test('"Success" is told only once the decision is on disk', async () => {
    at.world.pollAnswers = [{ ...reserved }];
    const answer = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    at.world.diskWorks = false;
    await at.world.clock.pass(3_000);
    expect((await status('0001')).told.Response).toMatchObject({ ErrorCondition: 'InProgress' });
    at.world.diskWorks = true;
    await at.world.clock.pass(3_000);
    expect((await answer).told.Response.Result).toBe('Success');
  });
});
