/**
 * Fields that a till writes and does not use: null in every message, and 0 for an amount beside the
 * requested one.
 */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isZero, readJson, WrittenNumber } from '../../../../main/tills/nexo/json.ts';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { message, NexoWorld, payment, protect, reveal } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

const creates = (): number => at.world.whatLeft().filter((what) => what === 'create').length;
const pass = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
  for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
    await settled();
  await at.world.clock.pass(3_000);
  return answer;
};
const paid = async (request: object, header: object = {}) => {
  at.world.pollAnswers = [{ ...reserved }];
  const answer = await pass(at.say('Payment', request, header));
  await at.world.clock.pass(3_000);
  return answer;
};

/** A payment as a till writes it that sends every field it knows. */
const unused = (atMs: number, amounts: object = {}) => {
  const { SaleData, PaymentTransaction } = payment(atMs, 12.34);
  return {
    SaleData: {
      ...SaleData,
      OperatorID: null,
      SaleReferenceID: null,
      SaleTerminalData: null,
      SaleToAcquirerData: null,
    },
    PaymentTransaction: {
      AmountsReq: {
        ...PaymentTransaction.AmountsReq,
        CashBackAmount: null,
        TipAmount: null,
        PaidAmount: null,
        ...amounts,
      },
      OriginalPOITransaction: null,
      TransactionConditions: { AllowedPaymentBrand: [null], LoyaltyHandling: null },
      SaleItem: null,
    },
    PaymentData: null,
    LoyaltyData: null,
  };
};

describe('a payment', () => {
  test('with null in every field that it does not use is paid, plain and protected', async () => {
    const { told } = await paid(unused(at.nowMs), { DeviceID: null, ProtocolVersion: null });
    expect(told).toMatchObject({
      Response: { Result: 'Success' },
      PaymentResult: { AmountsResp: { AuthorizedAmount: 12.34 } },
    });
    const sent = protect(
      message('Payment', unused(at.nowMs), { ServiceID: '0002', DeviceID: null }),
    );
    at.world.pollAnswers = [{ ...reserved }];
    const { body } = await pass(at.sayRaw(sent, 'Payment', { token: null }));
    const { SaleToPOIResponse } = body as { SaleToPOIResponse: Parameters<typeof reveal>[0] };
    expect(reveal(SaleToPOIResponse)).toMatchObject({
      SaleToPOIResponse: { PaymentResponse: { Response: { Result: 'Success' } } },
    });
    expect(creates()).toBe(2);
  });

  test.each(['0', '0.00', '-0', '0e0'])('whose other amounts are %s is paid', async (none) => {
    const text = JSON.stringify(
      message(
        'Payment',
        unused(at.nowMs, { CashBackAmount: 'NONE', TipAmount: 'NONE', SurchargeAmount: 'NONE' }),
      ),
    );
    at.world.pollAnswers = [{ ...reserved }];
    const { told } = await pass(at.sayRaw(text.replaceAll('"NONE"', none)));
    expect(told).toMatchObject({
      Response: { Result: 'Success' },
      PaymentResult: { AmountsResp: { AuthorizedAmount: 12.34 } },
    });
  });

  test.each(['0.01', '1e-400', '-1'])(
    'with %s beside the amount is refused by the name of the field',
    async (some) => {
      for (const field of ['CashBackAmount', 'TipAmount', 'SurchargeAmount']) {
        const text = JSON.stringify(
          message('Payment', unused(at.nowMs, { [field]: 'SOME' }), { ServiceID: field }),
        );
        const { told } = await at.sayRaw(text.replace('"SOME"', some));
        expect(told.Response).toMatchObject({
          Result: 'Failure',
          ErrorCondition: 'UnavailableService',
        });
        expect(decodeURIComponent(told.Response.AdditionalResponse ?? '')).toContain(field);
      }
      expect(creates()).toBe(0);
    },
  );

  test.each([
    [{ SaleData: null }, 'PaymentRequest.SaleData is missing'],
    [
      { SaleData: { SaleTransactionID: { TransactionID: '1', TimeStamp: null } } },
      'SaleTransactionID.TimeStamp must be a time',
    ],
    [{ PaymentTransaction: null }, 'PaymentRequest.PaymentTransaction is missing'],
    [
      { PaymentTransaction: { AmountsReq: { Currency: null, RequestedAmount: 5 } } },
      'AmountsReq.Currency must be a text',
    ],
    [
      { PaymentTransaction: { AmountsReq: { Currency: 'DKK', RequestedAmount: null } } },
      'AmountsReq.RequestedAmount must be a number',
    ],
  ])('with %j is told which field is missing', async (changed, mistake) => {
    const { told } = await at.say('Payment', { ...payment(at.nowMs, 5), ...changed });
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'MessageFormat' });
    expect(decodeURIComponent(told.Response.AdditionalResponse ?? '')).toContain(mistake);
    expect(creates()).toBe(0);
  });

  test('whose whole request is null begins nothing', async () => {
    const { told } = await at.sayRaw({
      SaleToPOIRequest: { ...message('Payment', {}).SaleToPOIRequest, PaymentRequest: null },
    });
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'MessageFormat' });
    expect(creates()).toBe(0);
  });
});

describe('a reversal', () => {
  test('with null in every field that it does not use gives all of the payment back', async () => {
    const { told } = await paid(payment(at.nowMs, 12.34));
    const OriginalPOITransaction = {
      SaleID: null,
      POIID: null,
      POITransactionID: { ...told.POIData?.POITransactionID, TimeStamp: '2026\u0007' },
      ApprovalCode: null,
    };
    const reversal = {
      SaleData: null,
      OriginalPOITransaction,
      ReversedAmount: null,
      PaymentTransaction: null,
      CustomerOrder: null,
    };
    at.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    const answer = pass(at.say('Reversal', reversal, { ServiceID: 'R1' }));
    expect((await answer).told).toMatchObject({
      Response: { Result: 'Success' },
      ReversedAmount: 12.34,
    });
  });

  test('of 0 is refused, and gives nothing back: 0 is not "all of it"', async () => {
    const { told } = await paid(payment(at.nowMs, 12.34));
    for (const amount of [
      { ReversedAmount: 0 },
      { PaymentTransaction: { AmountsReq: { RequestedAmount: 0, CashBackAmount: 0 } } },
    ]) {
      const answer = await at.say(
        'Reversal',
        { OriginalPOITransaction: told.POIData, ...amount },
        { ServiceID: 'R1' },
      );
      expect(answer.told.Response).toMatchObject({
        Result: 'Failure',
        ErrorCondition: 'MessageFormat',
      });
    }
    expect(
      at.world.lane.tillRequests.refundsOf(told.POIData?.POITransactionID.TransactionID ?? ''),
    ).toEqual([]);
  });

  test('with a tip beside its amount is refused', async () => {
    const { told } = await paid(payment(at.nowMs, 12.34));
    const PaymentTransaction = { AmountsReq: { RequestedAmount: 5, TipAmount: 1 } };
    const answer = await at.say(
      'Reversal',
      { OriginalPOITransaction: told.POIData, PaymentTransaction },
      { ServiceID: 'R1' },
    );
    expect(answer.told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'UnavailableService',
    });
  });
});

test.each([
  ['Login', { DateTime: null, SaleSoftware: null, OperatorLanguage: null, TrainingModeFlag: null }],
  ['Logout', { MaintenanceAllowed: null }],
  ['Diagnosis', { POIID: null, HostDiagnosisFlag: null, AcquirerID: null }],
  [
    'GetTotals',
    { TotalDetails: [null], TotalFilter: { POIID: null, SaleID: null, OperatorID: null } },
  ],
  [
    'Reconciliation',
    { ReconciliationType: 'SaleReconciliation', AcquirerID: null, POIReconciliationID: null },
  ],
])('%s takes %j', async (category, request) => {
  expect((await at.say(category, request)).told.Response.Result).toBe('Success');
});

test('a transaction is found by its name when the other fields of the reference are null', async () => {
  await paid(payment(at.nowMs, 12.34));
  const MessageReference = {
    MessageCategory: null,
    SaleID: null,
    DeviceID: null,
    POIID: null,
    ServiceID: '0001',
  };
  const { told } = await at.say(
    'TransactionStatus',
    { ReceiptReprintFlag: null, DocumentQualifier: null, MessageReference },
    { ServiceID: 'S1' },
  );
  expect(told).toMatchObject({
    RepeatedMessageResponse: {
      RepeatedResponseMessageBody: { PaymentResponse: { Response: { Result: 'Success' } } },
    },
  });
});

test('a protected message in which null stands for the protection is a plain one, and needs a token', async () => {
  const plain = message('Payment', payment(at.nowMs, 12.34)).SaleToPOIRequest;
  const sent = { SaleToPOIRequest: { ...plain, NexoBlob: null, SecurityTrailer: null } };
  expect((await at.sayRaw(sent, 'Payment', { token: null })).status).toBe(401);
  expect(creates()).toBe(0);
});

test('JSON is read without what is null, at any depth, and otherwise as it is written', () => {
  expect(
    readJson('{"a":null,"b":[null,1,[null]],"c":{"d":null,"e":false,"f":"","g":"null"}}'),
  ).toEqual({
    b: [new WrittenNumber('1'), []],
    c: { e: false, f: '', g: 'null' },
  });
  expect(readJson('null')).toBeUndefined();
});

test.each([
  ['0', true],
  ['-0.000', true],
  ['0e5', true],
  ['1e-400', false],
  ['0.0001', false],
])('%s is zero: %s', (text, expected) => {
  expect(isZero(new WrittenNumber(text))).toBe(expected);
});
