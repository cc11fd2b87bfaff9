/** The receipts in the answers of payments and reversals, as clients of terminals read them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { languages } from '../../../../main/core/domain/languages.ts';
import { tillTexts } from '../../../../main/tills/zvt/texts.ts';
import { reserved } from '../../core/lane/support.ts';
import { settled } from '../../support/manual-clock.ts';
import { message, NexoWorld, payment, protect, reveal } from './support.ts';

let at: NexoWorld;
beforeEach(async () => {
  at = await new NexoWorld().openNexo();
});
afterEach(() => at.close());

interface Receipt {
  readonly DocumentQualifier: string;
  readonly RequiredSignatureFlag: boolean;
  readonly OutputContent: {
    readonly OutputFormat: string;
    readonly OutputText: readonly { readonly Text: string; readonly EndOfLineFlag: boolean }[];
  };
}
const receiptsIn = (told: object): readonly Receipt[] =>
  (told as { PaymentReceipt: readonly Receipt[] }).PaymentReceipt;

/**
 * What the till of Odoo shows (`pos_adyen`): it looks for a copy, and joins the names and values of
 * its lines.
 */
function readByOdoo(told: object, qualifier: string): readonly string[] {
  const receipt = receiptsIn(told).find(({ DocumentQualifier }) => DocumentQualifier === qualifier);
  return (receipt?.OutputContent.OutputText ?? []).flatMap(({ Text }) => {
    const line = new URLSearchParams(Text);
    const [name, value] = [line.get('name'), line.get('value')];
    if (name === null) return [];
    return value === null ? [name] : [`${name}: ${value}`];
  });
}
const keysOf = (receipt: Receipt | undefined) =>
  receipt?.OutputContent.OutputText.map(({ Text }) => new URLSearchParams(Text).get('key'));

async function answerOf<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let isDone = false;
  void answer.then(() => (isDone = true));
  for (let turn = 0; turn < 500 && !isDone; turn += 1)
    await (at.world.lane.tillRequests.readiness() === 'busy'
      ? at.world.clock.pass(1_000)
      : settled());
  return answer;
}
const pays = async (header: object = {}) => {
  at.world.pollAnswers = [{ ...reserved }];
  const answer = await answerOf(at.say('Payment', payment(at.nowMs, 12.34), header));
  await at.world.clock.pass(3_000);
  return answer;
};
const status = async (category: 'Payment' | 'Reversal', service: string) => {
  const { told } = await at.say(
    'TransactionStatus',
    { MessageReference: { MessageCategory: category, ServiceID: service } },
    { ServiceID: `S${service}` },
  );
  return told.RepeatedMessageResponse?.RepeatedResponseMessageBody[`${category}Response`] ?? {};
};

describe('a payment', () => {
  test('comes with the cashier’s receipt and the customer’s, and so does its repetition', async () => {
    const { told } = await pays();
    expect(receiptsIn(told).map(({ DocumentQualifier }) => DocumentQualifier)).toEqual([
      'CashierReceipt',
      'CustomerReceipt',
    ]);
    const { sale } =
      at.world.lane.tillRequests.payment(told.POIData?.POITransactionID.TransactionID ?? '') ?? {};
    expect(readByOdoo(told, 'CustomerReceipt')).toEqual([
      'Check-out 1',
      expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
      'CUSTOMER COPY',
      'Mobile wallet: DKK 12.34',
      'Result: PAID',
      'Terminal: Tillbeacon-1',
      `Receipt: ${String(sale?.receiptNumber).padStart(4, '0')}`,
      `Trace: ${String(sale?.traceNumber).padStart(6, '0')}`,
      `Order: ${sale?.orderId}`,
    ]);
    expect(readByOdoo(told, 'CashierReceipt')).toContain('MERCHANT COPY');
    expect(receiptsIn(await status('Payment', '0001'))).toEqual(receiptsIn(told));
    await at.killLane();
    expect(receiptsIn(await status('Payment', '0001'))).toEqual(receiptsIn(told));
  });

  test('has receipts in the form of a terminal’s: nobody signs, and each line has a key', async () => {
    const { told } = await pays();
    for (const { RequiredSignatureFlag, OutputContent } of receiptsIn(told)) {
      expect(RequiredSignatureFlag).toBe(false);
      expect(OutputContent.OutputFormat).toBe('Text');
      for (const { Text, EndOfLineFlag } of OutputContent.OutputText) {
        expect(EndOfLineFlag).toBe(true);
        // Some clients split at & and =, and replace escapes by hand.
        for (const part of Text.split('&'))
          expect(part).toMatch(/^(name|value|key)=([^&=%+]|%[0-9a-f]{2})+$/);
      }
    }
    expect(keysOf(receiptsIn(told)[1])).toEqual([
      'header1',
      'txdate',
      'cardholderHeader',
      'filler',
      'totalAmount',
      'approved',
      'filler',
      'tid',
      'receipt',
      'trace',
      'txRef',
    ]);
  });

  test('that the customer declined has receipts which say so', async () => {
    at.world.pollAnswers = [
      { kind: 'seen', status: 'cancelledByUser', amountMinor: 1234, currency: 'DKK' },
    ];
    const { told } = await answerOf(at.say('Payment', payment(at.nowMs, 12.34)));
    expect(told.Response.Result).toBe('Failure');
    const lines = readByOdoo(told, 'CustomerReceipt');
    expect(lines).toContain('Result: NOT PAID');
    expect(lines).not.toContain('Result: PAID');
    expect(keysOf(receiptsIn(told)[0])).toContain('refused');
    expect(keysOf(receiptsIn(told)[0])).not.toContain('approved');
    expect(receiptsIn(await status('Payment', '0001'))).toEqual(receiptsIn(told));
  });

  test('that never began, or is not decided, has no receipts', async () => {
    at.world.pollAnswers = [
      { kind: 'seen', status: 'issuedToUser', amountMinor: 1234, currency: 'DKK' },
    ];
    const first = at.say('Payment', payment(at.nowMs, 12.34));
    for (let turn = 0; turn < 500 && at.world.lane.tillRequests.readiness() !== 'busy'; turn += 1)
      await settled();
    const { told } = await at.say('Payment', payment(at.nowMs, 5, '20090'), { ServiceID: '0002' });
    expect(told.Response).toMatchObject({ ErrorCondition: 'Busy' });
    expect(told).not.toHaveProperty('PaymentReceipt');
    expect(await status('Payment', '0001')).not.toHaveProperty('PaymentReceipt');
    at.world.pollAnswers = [{ ...reserved }];
    expect(receiptsIn((await answerOf(first)).told)).toHaveLength(2);
  });

  test.each(languages)(
    'has receipts in the language of the settings (%s), with the shop in the head',
    async (language) => {
      const { receipt } = tillTexts[language];
      at.head = {
        laneName: 'Kasse 1',
        shop: { name: 'Bageriet Ærø & Søn', address: 'Torvet 1 = hjørnet', vat: 'DK12345678' },
        language,
      };
      const { told } = await pays();
      const lines = readByOdoo(told, 'CustomerReceipt');
      expect(lines.slice(0, 4)).toEqual([
        'Bageriet Ærø & Søn',
        'Torvet 1 = hjørnet',
        `${receipt.vat} DK12345678`,
        'Kasse 1',
      ]);
      expect(lines).toContain(receipt.customerCopy);
      expect(lines).toContain(`${receipt.result}: ${receipt.paid}`);
      expect(keysOf(receiptsIn(told)[1])?.slice(0, 4)).toEqual([
        'header1',
        'header2',
        'header3',
        'header4',
      ]);
    },
  );

  test('that the service contradicts later has an empty list: clients search it, and a receipt would say too much', async () => {
    at.world.settleAnswer = { kind: 'refused', reason: 'other', code: '1304', detail: '1304' };
    at.world.pollAnswers = [{ ...reserved }, { ...reserved, status: 'expired' }];
    const { told } = await answerOf(at.say('Payment', payment(at.nowMs, 12.34)));
    expect(readByOdoo(told, 'CustomerReceipt')).toContain('Result: PAID');
    await at.world.clock.pass(3_000);
    const later = await status('Payment', '0001');
    expect(later).toMatchObject({
      Response: { Result: 'Success', AdditionalResponse: expect.stringContaining('contested') },
    });
    expect(receiptsIn(later)).toEqual([]);
    expect(readByOdoo(later, 'CustomerReceipt')).toEqual([]);
  });

  test('has its receipts in a protected answer too', async () => {
    at.world.pollAnswers = [{ ...reserved }];
    const sent = protect(message('Payment', payment(at.nowMs, 12.34)));
    const { body } = await answerOf(at.sayRaw(sent, 'Payment', { token: null }));
    const { SaleToPOIResponse } = body as { SaleToPOIResponse: Parameters<typeof reveal>[0] };
    const { PaymentResponse } = (
      reveal(SaleToPOIResponse) as { SaleToPOIResponse: { PaymentResponse: object } }
    ).SaleToPOIResponse;
    expect(receiptsIn(PaymentResponse)).toHaveLength(2);
  });
});

describe('a reversal', () => {
  const reversal = (id: string) => ({
    OriginalPOITransaction: {
      POITransactionID: { TransactionID: id, TimeStamp: '2026-11-21T10:00:00Z' },
    },
  });

  test('comes with receipts that name the payment, and so does its repetition', async () => {
    const id = (await pays()).told.POIData?.POITransactionID.TransactionID ?? '';
    at.world.refundPollAnswers = [{ kind: 'seen', status: 'reserved' }];
    const { told } = await answerOf(at.say('Reversal', reversal(id), { ServiceID: 'R1' }));
    expect(told.Response.Result).toBe('Success');
    const { sale } = at.world.lane.tillRequests.payment(id) ?? {};
    const lines = readByOdoo(told, 'CustomerReceipt');
    expect(lines).toEqual(
      expect.arrayContaining([
        'REFUND',
        'Mobile wallet: DKK 12.34',
        'Result: REFUNDED',
        `Original receipt: ${String(sale?.receiptNumber).padStart(4, '0')}`,
      ]),
    );
    expect(keysOf(receiptsIn(told)[0])).toEqual(
      expect.arrayContaining([
        'merchantTitle',
        'txtype',
        'approved',
        'originalReceipt',
        'originalTrace',
      ]),
    );
    expect(receiptsIn(await status('Reversal', 'R1'))).toEqual(receiptsIn(told));
  });

  test('that was refused by the service says so, and never "refunded"', async () => {
    const id = (await pays()).told.POIData?.POITransactionID.TransactionID ?? '';
    at.world.createRefundAnswer = { kind: 'refused', reason: 'balanceTooLow', detail: '1366' };
    const { told } = await answerOf(at.say('Reversal', reversal(id), { ServiceID: 'R1' }));
    expect(told.Response.Result).toBe('Failure');
    const lines = readByOdoo(told, 'CustomerReceipt');
    expect(lines).toEqual(
      expect.arrayContaining(['Result: NOT REFUNDED', "Store's balance is too low"]),
    );
    expect(lines).not.toContain('Result: REFUNDED');
  });
});
