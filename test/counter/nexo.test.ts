/**
 * A till that speaks Nexo, with the whole product: protected messages over real HTTP, an answer
 * lost with the daemon, money taken once and given back.
 */
import { afterEach, expect, test } from 'vitest';
import { Counter } from '../support/counter.ts';
import { key, message, payment, poiId, protect, reveal } from '../unit/tills/nexo/support.ts';

let counter: Counter;
afterEach(() => counter?.close());

interface Told {
  readonly Response: { readonly Result: string; readonly ErrorCondition?: string };
  readonly POIData?: {
    readonly POITransactionID: { readonly TransactionID: string; readonly TimeStamp: string };
  };
  readonly [field: string]: unknown;
}

async function say(category: string, request: object, service: string): Promise<Told> {
  const body = JSON.stringify(protect(message(category, request, { ServiceID: service })));
  const answer = await fetch(`${counter.started.api}/nexo`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect(answer.status).toBe(200);
  const { SaleToPOIResponse } = (await answer.json()) as {
    SaleToPOIResponse: Parameters<typeof reveal>[0];
  };
  return (reveal(SaleToPOIResponse) as { SaleToPOIResponse: Record<string, Told> })
    .SaleToPOIResponse[`${category}Response`] as Told;
}

const status = (service: string) =>
  say(
    'TransactionStatus',
    { MessageReference: { MessageCategory: 'Payment', SaleID: 'POS-1', ServiceID: service } },
    `S${service}`,
  );

test('pays, finds its answer after a kill, gives the money back, and closes the day once', async () => {
  counter = await Counter.open({ transport: 'http', nexo: { poiId, key } });
  expect(await say('Login', {}, 'L1')).toMatchObject({ Response: { Result: 'Success' } });
  const asked = payment(Date.now(), 10.1);
  const answer = say('Payment', asked, '0001');
  await counter.customerPays();
  const paid = await answer;
  expect(paid).toMatchObject({
    Response: { Result: 'Success' },
    PaymentResult: { AmountsResp: { Currency: 'DKK', AuthorizedAmount: 10.1 } },
  });
  expect(paid['PaymentReceipt']).toMatchObject([
    { DocumentQualifier: 'CashierReceipt' },
    { DocumentQualifier: 'CustomerReceipt' },
  ]);
  expect(await counter.serviceSays('Captured')).toMatchObject({ amount: 10.1, captureCount: 1 });

  // The customer approves while the daemon is dead, and the till's request with it.
  const lost = say('Payment', payment(Date.now(), 5), '0002').catch(() => 'lost');
  await counter.serviceSays('Initiated');
  await counter.customer('checkin');
  await counter.serviceSays('IssuedToUser');
  await counter.daemon.end('SIGKILL');
  expect(await lost).toBe('lost');
  await counter.customer('acceptpayment');
  await counter.startDaemon();
  await counter.serviceSays('CancelledByClient');
  expect(await status('0002')).toMatchObject({
    RepeatedMessageResponse: {
      RepeatedResponseMessageBody: {
        PaymentResponse: { Response: { Result: 'Failure', ErrorCondition: 'Cancel' } },
      },
    },
  });
  expect(await status('0001')).toMatchObject({
    RepeatedMessageResponse: {
      RepeatedResponseMessageBody: {
        PaymentResponse: { Response: { Result: 'Success' }, POIData: paid.POIData },
      },
    },
  });
  // The bytes of before move nothing.
  expect(await say('Payment', asked, '0001')).toMatchObject({
    Response: { Result: 'Success' },
    POIData: paid.POIData,
  });

  const reversal = { OriginalPOITransaction: paid.POIData, ReversalReason: 'MerchantCancel' };
  expect(await say('Reversal', reversal, 'R1')).toMatchObject({
    Response: { Result: 'Success' },
    ReversedAmount: 10.1,
  });
  expect(await say('Reversal', reversal, 'R1')).toMatchObject({ Response: { Result: 'Success' } });
  const { payments, refunds } = await counter.state();
  expect(payments.filter(({ captureCount }) => captureCount > 0)).toHaveLength(1);
  expect(refunds).toHaveLength(1);

  const closing = { ReconciliationType: 'SaleReconciliation' };
  const closed = await say('Reconciliation', closing, 'C1');
  expect(closed).toMatchObject({
    Response: { Result: 'Success' },
    TransactionTotals: [
      { PaymentTotals: [{ TransactionAmount: 10.1 }, { TransactionAmount: 10.1 }] },
    ],
  });
  expect(await say('Reconciliation', closing, 'C1')).toEqual(closed);
});
