/** Refunds, the day's totals and closing, and questions about the terminal. */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refundId, reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { NexoWorld, payment } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

async function begun(): Promise<void> {
  for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
    await settled();
  expect(at.world.lane.tillRequests.readiness()).toBe('busy');
}

async function paidId(service = '0001'): Promise<string> {
  at.world.pollAnswers = [{ ...reserved }];
  const answer = at.say('Payment', payment(at.nowMs, 12.34, service), { ServiceID: service });
  await begun();
  await at.world.clock.pass(3_000);
  const { told } = await answer;
  expect(told.Response.Result).toBe('Success');
  await at.world.clock.pass(3_000);
  return told.POIData?.POITransactionID.TransactionID ?? '';
}

const of = (id: string) => ({
  OriginalPOITransaction: {
    POITransactionID: { TransactionID: id, TimeStamp: '2026-11-21T10:00:00Z' },
  },
  ReversalReason: 'MerchantCancel',
});
const sale = (id = '20099') => ({
  SaleData: {
    SaleTransactionID: { TransactionID: id, TimeStamp: new Date(at.nowMs).toISOString() },
  },
});

/** Sends a refund that the service carries out. */
async function reversed(request: object, service: string) {
  at.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
  const answer = at.say('Reversal', request, { ServiceID: service });
  let isDone = false;
  void answer.then(() => (isDone = true));
  for (let turn = 0; turn < 200 && !isDone; turn += 1)
    await (at.world.lane.tillRequests.readiness() === 'busy'
      ? at.world.clock.pass(1_000)
      : settled());
  return answer;
}

describe('a reversal', () => {
  test('gives all of a payment back, once, however often it is sent', async () => {
    const id = await paidId();
    const { told } = await reversed(of(id), 'R1');
    expect(told).toMatchObject({
      Response: { Result: 'Success' },
      ReversedAmount: 12.34,
      OriginalPOITransaction: { POITransactionID: { TransactionID: id } },
    });
    expect((await reversed(of(id), 'R1')).told).toMatchObject({
      Response: { Result: 'Success' },
      POIData: told.POIData,
    });
    expect((await reversed(of(id), 'R2')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'Refusal',
    });
    expect(at.world.lane.tillRequests.refundsOf(id)).toHaveLength(1);
    await at.killLane();
    expect(
      (
        await at.say(
          'TransactionStatus',
          { MessageReference: { MessageCategory: 'Reversal', ServiceID: 'R1' } },
          { ServiceID: 'S1' },
        )
      ).told,
    ).toMatchObject({
      RepeatedMessageResponse: {
        RepeatedResponseMessageBody: {
          ReversalResponse: { Response: { Result: 'Success' }, ReversedAmount: 12.34 },
        },
      },
    });
  });

  test('gives parts back, up to the whole', async () => {
    const id = await paidId();
    expect((await reversed({ ...of(id), ...sale(), ReversedAmount: 10 }, 'R1')).told).toMatchObject(
      { Response: { Result: 'Success' }, ReversedAmount: 10 },
    );
    const part = { PaymentTransaction: { AmountsReq: { Currency: 'DKK', RequestedAmount: 2.34 } } };
    expect((await reversed({ ...of(id), ...sale('20100'), ...part }, 'R2')).told).toMatchObject({
      Response: { Result: 'Success' },
      ReversedAmount: 2.34,
    });
    expect(
      (await reversed({ ...of(id), ...sale('20101'), ReversedAmount: 0.01 }, 'R3')).told.Response,
    ).toMatchObject({ ErrorCondition: 'Refusal' });
  });

  test('of a part that says nothing of its time, or is old, moves nothing: it could be a replay', async () => {
    const id = await paidId();
    expect((await reversed({ ...of(id), ReversedAmount: 1 }, 'R1')).told.Response).toMatchObject({
      ErrorCondition: 'MessageFormat',
    });
    const old = {
      SaleData: {
        SaleTransactionID: {
          TransactionID: '1',
          TimeStamp: new Date(at.nowMs - 13 * 3_600_000).toISOString(),
        },
      },
    };
    expect((await reversed({ ...of(id), ...old }, 'R2')).told.Response).toMatchObject({
      ErrorCondition: 'MessageFormat',
    });
    expect(at.world.lane.tillRequests.refundsOf(id)).toEqual([]);
  });

  test.each([
    ['another amount', { ReversedAmount: 5 }],
    ['all of it', {}],
  ])('under a name that was another refund’s (%s) is refused', async (_name, about) => {
    const id = await paidId();
    await reversed({ ...of(id), ...sale(), ReversedAmount: 2 }, 'R1');
    expect((await reversed({ ...of(id), ...sale(), ...about }, 'R1')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'NotAllowed',
    });
    expect(at.world.lane.tillRequests.refundsOf(id)).toHaveLength(1);
  });

  test('of nothing, of two amounts, or of another currency is refused', async () => {
    const id = await paidId();
    expect(
      (await reversed(of('6f1d0c1e-1111-4000-8000-000000000001'), 'R1')).told.Response,
    ).toMatchObject({ ErrorCondition: 'NotFound' });
    const two = {
      ...sale(),
      ReversedAmount: 1,
      PaymentTransaction: { AmountsReq: { RequestedAmount: 2 } },
    };
    expect((await reversed({ ...of(id), ...two }, 'R2')).told.Response).toMatchObject({
      ErrorCondition: 'MessageFormat',
    });
    const euro = {
      ...sale(),
      PaymentTransaction: { AmountsReq: { Currency: 'EUR', RequestedAmount: 1 } },
    };
    expect((await reversed({ ...of(id), ...euro }, 'R3')).told.Response).toMatchObject({
      ErrorCondition: 'MessageFormat',
    });
    expect(at.world.lane.tillRequests.refundsOf(id)).toEqual([]);
  });
});

describe('a reversal that says nothing of its time, sent again from a recording when its name is over,', () => {
  const days = 24 * 3_600_000;
  const refunds = (id: string): number => at.world.lane.tillRequests.refundsOf(id).length;

  test('that was refused as busy is refused as it was, also after a restart, and another payment’s reversal may have its name', async () => {
    const [id, other] = [await paidId('0001'), await paidId('0002')];
    at.world.pollAnswers = [
      { kind: 'seen', status: 'issuedToUser', amountMinor: 1234, currency: 'DKK' },
    ];
    const third = at.say('Payment', payment(at.nowMs, 12.34, '0003'), { ServiceID: '0003' });
    await begun();
    const { told } = await at.say('Reversal', of(id), { ServiceID: 'R1' });
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'Busy' });
    at.world.pollAnswers = [
      { kind: 'seen', status: 'cancelledByClient', amountMinor: 1234, currency: 'DKK' },
    ];
    await at.world.clock.pass(5_000);
    await third;
    await at.world.clock.pass(3 * days);
    expect((await reversed(of(id), 'R1')).told).toEqual(told);
    await at.restart();
    await at.world.clock.pass(60 * days);
    expect((await reversed(of(id), 'R1')).told).toEqual(told);
    expect(refunds(id)).toBe(0);
    expect((await reversed(of(other), 'R1')).told).toMatchObject({
      Response: { Result: 'Success' },
      ReversedAmount: 12.34,
    });
    expect((await reversed(of(id), 'R1')).told.Response).toMatchObject({
      ErrorCondition: 'NotAllowed',
    });
    await at.world.clock.pass(3 * days);
    expect((await reversed(of(id), 'R2')).told.Response.Result).toBe('Success');
  });

  test('that ended without money is told as it ended', async () => {
    const id = await paidId();
    at.world.createRefundAnswer = { kind: 'refused', reason: 'balanceTooLow', detail: '' };
    const { told } = await reversed(of(id), 'R1');
    expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'Refusal' });
    at.world.createRefundAnswer = { kind: 'created', refundId };
    await at.world.clock.pass(60 * days);
    expect((await reversed(of(id), 'R1')).told).toEqual(told);
    expect(refunds(id)).toBe(1);
    // A message that has a time is another one.
    expect((await reversed({ ...of(id), ...sale() }, 'R1')).told.Response.Result).toBe('Success');
  });

  test('is not what one with a time began under this name', async () => {
    const id = await paidId();
    at.world.createRefundAnswer = { kind: 'refused', reason: 'balanceTooLow', detail: '' };
    expect((await reversed({ ...of(id), ...sale() }, 'R1')).told.Response.Result).toBe('Failure');
    at.world.createRefundAnswer = { kind: 'created', refundId };
    await at.world.clock.pass(3 * days);
    expect((await reversed(of(id), 'R1')).told.Response.Result).toBe('Success');
  });

  test('that gave the money back is told as it was, and gives nothing back again', async () => {
    const id = await paidId();
    const { told } = await reversed(of(id), 'R1');
    expect(told.Response.Result).toBe('Success');
    await at.world.clock.pass(60 * days);
    expect((await reversed(of(id), 'R1')).told).toEqual(told);
    expect(refunds(id)).toBe(1);
  });

  test.each([
    ['no time', () => ({})],
    ['a time', () => sale()],
  ])(
    'that came before its payment was paid, with %s, is refused as it was',
    async (_name, timed) => {
      at.world.pollAnswers = [
        { kind: 'seen', status: 'issuedToUser', amountMinor: 1234, currency: 'DKK' },
      ];
      const answer = at.say('Payment', payment(at.nowMs, 12.34));
      await begun();
      const id = at.world.journal.openSales('1').at(-1)?.saleId ?? '';
      const early = { ...of(id), ...timed() };
      const { told } = await at.say('Reversal', early, { ServiceID: 'R1' });
      expect(told.Response).toMatchObject({ Result: 'Failure', ErrorCondition: 'NotFound' });
      at.world.pollAnswers = [{ ...reserved }];
      await at.world.clock.pass(3_000);
      expect((await answer).told.Response.Result).toBe('Success');
      await at.world.clock.pass(3_000);
      expect((await reversed(early, 'R1')).told).toEqual(told);
      await at.restart();
      expect((await reversed(early, 'R1')).told).toEqual(told);
      expect(refunds(id)).toBe(0);
      expect((await reversed({ ...of(id), ...timed() }, 'R2')).told.Response.Result).toBe(
        'Success',
      );
    },
  );

  test('begins nothing where a refusal of that time is no longer kept: it has to say its time', async () => {
    const id = await paidId();
    const db = new DatabaseSync(at.refusalsPath);
    db.prepare('INSERT INTO forgotten (id, at_ms) VALUES (1, ?)').run(at.nowMs);
    db.close();
    await at.restart();
    expect((await reversed(of(id), 'R1')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'MessageFormat',
    });
    expect(refunds(id)).toBe(0);
    expect((await reversed({ ...of(id), ...sale() }, 'R2')).told.Response.Result).toBe('Success');
  });
});

const closed = (service: string, about: object = {}) =>
  at.say(
    'Reconciliation',
    { ReconciliationType: 'SaleReconciliation', ...about },
    { ServiceID: service },
  );
const sums = (payments: number, refunds: number) => [
  {
    PaymentInstrumentType: 'Mobile',
    PaymentCurrency: 'DKK',
    PaymentTotals: [
      { TransactionType: 'Debit', TransactionAmount: payments },
      { TransactionType: 'ReverseDebit', TransactionAmount: refunds },
    ],
  },
];

describe('the day', () => {
  test('its totals are told, and a reconciliation closes it once, also when its answer was lost and the daemon killed', async () => {
    const id = await paidId('0001');
    await paidId('0002');
    await reversed(of(id), 'R1');
    const totals = { Response: { Result: 'Success' }, TransactionTotals: sums(24.68, 12.34) };
    expect((await at.say('GetTotals', {}, { ServiceID: 'T1' })).told).toMatchObject(totals);
    const first = await closed('C1');
    expect(first.told).toMatchObject({
      ...totals,
      ReconciliationType: 'SaleReconciliation',
      POIReconciliationID: '1',
    });
    await at.killLane();
    expect((await closed('C1')).told).toEqual(first.told);
    expect(at.world.dayBook.last('1')?.number).toBe(1);
    expect(
      (await at.say('GetTotals', {}, { ServiceID: 'T2' })).told['TransactionTotals'],
    ).not.toMatchObject(sums(24.68, 12.34));
    const again = { ReconciliationType: 'PreviousReconciliation', POIReconciliationID: '1' };
    expect((await at.say('Reconciliation', again, { ServiceID: 'C2' })).told).toMatchObject(totals);
    expect((await closed('C3')).told).toMatchObject({ POIReconciliationID: '2' });
    expect(
      (await at.say('Reconciliation', again, { ServiceID: 'C4' })).told.Response,
    ).toMatchObject({ ErrorCondition: 'NotFound' });
  });

  test('is not closed while a payment is under way', async () => {
    at.world.pollAnswers = [
      { kind: 'seen', status: 'issuedToUser', amountMinor: 1234, currency: 'DKK' },
    ];
    const answer = at.say('Payment', payment(at.nowMs, 12.34));
    await begun();
    expect((await closed('C1')).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'Busy',
    });
    expect(at.world.dayBook.last('1')).toBeNull();
    await at.api.close();
    // A request that waits is answered with the present state.
    expect((await answer).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'InProgress',
    });
  });

  test.each([
    ['GetTotals', { TotalDetails: ['OperatorID'] }],
    ['GetTotals', { TotalFilter: { ShiftNumber: '3' } }],
    // Half a character cannot be form-encoded.
    ['GetTotals', { TotalFilter: { '\ud800': '3' } }],
    ['Reconciliation', { ReconciliationType: 'AcquirerReconciliation' }],
  ])('%s of %j is not available', async (category, request) => {
    expect((await at.say(category, request)).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'UnavailableService',
    });
  });
});

describe('the terminal', () => {
  test('says how it is', async () => {
    expect((await at.say('Diagnosis', { HostDiagnosisFlag: true })).told).toMatchObject({
      Response: { Result: 'Success' },
      POIStatus: { GlobalStatus: 'OK', CommunicationOKFlag: true },
      HostStatus: [{ IsReachableFlag: true }],
    });
    at.world.lane.tillRequests.hindrance = () => 'serviceUnreachable';
    at.world.lane.tillRequests.readiness = () => 'notReady';
    expect((await at.say('Diagnosis', {})).told).toMatchObject({
      POIStatus: { GlobalStatus: 'Unreachable', CommunicationOKFlag: false },
    });
  });

  test('lets tills log in and out, but not for training', async () => {
    expect((await at.say('Login', { DateTime: '2026-11-23T09:00:00Z' })).told).toMatchObject({
      Response: { Result: 'Success' },
      POISystemData: { POISoftware: { SoftwareVersion: '1.0' } },
    });
    expect((await at.say('Logout', {})).told).toEqual({ Response: { Result: 'Success' } });
    expect((await at.say('Login', { TrainingModeFlag: true })).told.Response).toMatchObject({
      ErrorCondition: 'NotAllowed',
    });
  });

  test.each([
    'Display',
    'Input',
    'Print',
    'CardAcquisition',
    'StoredValue',
    'BalanceInquiry',
    'Loyalty',
    'EnableService',
    'Admin',
  ])('has no %s', async (category) => {
    expect((await at.say(category, {})).told.Response).toMatchObject({
      Result: 'Failure',
      ErrorCondition: 'UnavailableService',
    });
  });
});
